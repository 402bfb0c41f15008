package schema

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A literal reads what models write for a list or an object besides JSON: the
// way Python prints it (single quotes, True, None, tuples), names without quotes,
// a comma too many, line breaks inside a text. All of them say one thing only.
// It writes JSON, with numbers as they were.
//
// A word without quotes is not taken for a text: where it ends is a guess.
type literal struct {
	in    string
	at    int
	out   []byte
	depth int
}

var errLiteral = errors.New("not a literal")

// relaxed returns the JSON for a literal.
func relaxed(text string) ([]byte, error) {
	l := &literal{in: text, out: make([]byte, 0, len(text)+16)}
	if err := l.value(); err != nil {
		return nil, err
	}
	if l.space(); l.at < len(l.in) {
		return nil, errLiteral
	}
	return l.out, nil
}

func (l *literal) space() {
	for l.at < len(l.in) && strings.IndexByte(" \t\r\n", l.in[l.at]) >= 0 {
		l.at++
	}
}

// next returns the next byte that is no space, without taking it; 0 at the end.
func (l *literal) next() byte {
	if l.space(); l.at < len(l.in) {
		return l.in[l.at]
	}
	return 0
}

func (l *literal) value() error {
	if l.depth++; l.depth > maxNesting {
		return errNested
	}
	defer func() { l.depth-- }()
	switch ch := l.next(); ch {
	case '{':
		return l.collection('{', '}', l.member)
	case '[':
		return l.collection('[', ']', l.value)
	case '(':
		return l.collection('(', ')', l.value)
	case '"', '\'':
		return l.quoted(ch)
	}
	word := l.word()
	switch word {
	case "true", "True":
		word = "true"
	case "false", "False":
		word = "false"
	case "null", "None":
		word = "null"
	default:
		if !decimal(word) {
			return errLiteral
		}
	}
	l.out = append(l.out, word...)
	return nil
}

// collection reads items up to the closing bracket. (1) in Python is no list, so
// round brackets must have a comma in them.
func (l *literal) collection(open, end byte, item func() error) error {
	l.at++
	begin := len(l.out)
	l.out = append(l.out, '[')
	if open == '{' {
		l.out[begin] = '{'
	}
	commas, n := 0, 0
	for ; l.next() != end; n++ {
		if n > 0 {
			l.out = append(l.out, ',')
		}
		if err := item(); err != nil {
			return err
		}
		if l.next() != ',' {
			n++
			break
		}
		l.at++
		commas++
	}
	if l.next() != end || open == '(' && n > 0 && commas == 0 {
		return errLiteral
	}
	l.at++
	l.out = append(l.out, l.out[begin]+2) // '{' and '}', '[' and ']' are two apart
	return nil
}

func (l *literal) member() error {
	if ch := l.next(); ch == '"' || ch == '\'' {
		if err := l.quoted(ch); err != nil {
			return err
		}
	} else {
		name := l.word()
		if name == "" || name[0] >= '0' && name[0] <= '9' || strings.ContainsAny(name, ".+") {
			return errLiteral
		}
		l.out = appendScalar(l.out, name)
	}
	if l.next() != ':' {
		return errLiteral
	}
	l.at++
	l.out = append(l.out, ':')
	return l.value()
}

// word takes letters, digits and what is in numbers and names.
func (l *literal) word() string {
	start := l.at
	for l.at < len(l.in) {
		ch := l.in[l.at]
		if ch >= utf8.RuneSelf || ch == '_' || ch == '$' || ch == '-' || ch == '+' || ch == '.' ||
			ch >= '0' && ch <= '9' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' {
			l.at++
			continue
		}
		break
	}
	return l.in[start:l.at]
}

func (l *literal) quoted(quote byte) error {
	l.at++
	var b strings.Builder
	for l.at < len(l.in) {
		switch ch := l.in[l.at]; ch {
		case quote:
			l.at++
			l.out = appendScalar(l.out, b.String())
			return nil
		case '\\':
			if err := l.escape(&b); err != nil {
				return err
			}
		default:
			b.WriteByte(ch)
			l.at++
		}
	}
	return errLiteral
}

var escapes = map[byte]rune{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', '/': '/', '\\': '\\', '\'': '\'', '"': '"'}

// hexadecimal tells how many digits an escape has.
var hexadecimal = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (l *literal) escape(b *strings.Builder) error {
	if l.at+1 >= len(l.in) {
		return errLiteral
	}
	ch := l.in[l.at+1]
	l.at += 2
	if r, ok := escapes[ch]; ok {
		b.WriteRune(r)
		return nil
	}
	n := hexadecimal[ch]
	if n == 0 || l.at+n > len(l.in) {
		return errLiteral
	}
	if ch == 'u' { // JSON's own, which may come in pairs
		end := l.at + n
		if strings.HasPrefix(l.in[end:], `\u`) && end+6 <= len(l.in) && strings.ContainsAny(l.in[l.at:l.at+1], "dD") {
			end += 6
		}
		var s string
		if err := json.Unmarshal([]byte(`"`+l.in[l.at-2:end]+`"`), &s); err != nil || strings.ContainsRune(s, utf8.RuneError) {
			return errLiteral
		}
		b.WriteString(s)
		l.at = end
		return nil
	}
	code, err := strconv.ParseInt(l.in[l.at:l.at+n], 16, 32)
	if err != nil || code < 0 || !utf8.ValidRune(rune(code)) {
		return errLiteral
	}
	b.WriteRune(rune(code))
	l.at += n
	return nil
}

// decimal reports whether a text is a number as JSON writes it, without an
// exponent: 1e3 is as likely a name.
func decimal(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && !strings.ContainsAny(text, "eE \t\r\n") && json.Valid([]byte(text))
}
