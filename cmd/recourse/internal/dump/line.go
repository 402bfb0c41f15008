package dump

import (
	"iter"
	"slices"
	"strings"
)

// How much of a text without structure is read.
const (
	maxDumpLines = 60
	maxDumpLine  = 4 << 10
	maxSegment   = 600 // bytes of one sentence
	maxSegments  = 60
)

// lines reads a text that has a complaint on each line, or several on one, or is
// one sentence of the server's own.
func (d *reader) lines(text string) (found []complaint) {
	all := strings.Split(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n")
	if strings.HasPrefix(all[0], "Traceback (most recent call last)") {
		all = all[len(all)-1:]
	}
	var list []string
	headed, title := false, "" // a first line that only announces the others
	for _, line := range all[:min(len(all), maxDumpLines)] {
		line = strings.TrimLeft(strings.TrimSpace(line[:min(len(line), maxDumpLine)]), "-*•✖×✗❌▶ \t")
		switch {
		case line == "" || len(list) == 0 && strings.HasSuffix(line, ":") && len(all) > 1:
			if headed = headed || line != ""; headed && strings.Contains(line, " ") {
				title = line
			}
		case len(list) > 0 && (strings.HasPrefix(line, "→ at ") || strings.HasPrefix(line, "at [Source")):
			list[len(list)-1] += " " + line
		default:
			list = append(list, line)
		}
	}
	for i, line := range list {
		// A sentence in the middle of prose is none of a validator's.
		if i > 0 && len(found) == 0 && !d.vouched && !headed && !strings.Contains(list[0], "validation") {
			break
		}
		for j, part := range dumpParts(unbracketed(line)) {
			if j > 1 && len(found) == 0 && !d.vouched {
				break
			}
			found = append(found, d.segment(part)...)
		}
		if len(found) >= 10*maxViolations {
			break
		}
	}
	if len(found) == 0 && title != "" {
		return d.segment(title + " " + strings.Join(list, ", ")) // "Missing required fields:" and a list
	}
	return found
}

// nextPart is what a further complaint on the same line begins with.
var nextPart = onFirstUse(`^(?:data[./ ]|instance[.\s]|and data|/[\w/]+[: ]|["'` + "`" + `][\w.\[\]]+["'` + "`" + `] (?:is|must|should|has|field)\b|: [A-Z]|[A-Za-z_$][\w.\[\]$]*(?::| - |,? (?:is (?:a )?(?:required|missing|not)|must|should|has|field|cannot|can't|requires?)\b))`)

// dumpParts splits a line where one complaint ends and the next begins, outside of
// quotes and brackets.
func dumpParts(line string) (list []string) {
	depth, quote, start := 0, byte(0), 0
	for i := 0; i < len(line) && len(list) < maxViolations; i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'' && (i == 0 || !isLetter(line[i-1])):
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth > 0 || c != ';' && c != ',' && c != '.' || i+1 >= len(line) || line[i+1] != ' ':
		default:
			rest := strings.TrimLeft(line[i+1:min(len(line), i+200)], " ")
			if name := colonPart().FindString(rest); c != ';' && name != "" && (!colonPart().MatchString(line[start:min(i, start+200)]) || details[strings.ToLower(strings.TrimSuffix(name, ": "))]) {
				continue // a further detail, not a further place
			}
			if c == ',' && strings.Contains(line[max(start, i-100):i], "one of ") && strings.ContainsAny(rest[:min(len(rest), 1)], "\"'`") {
				continue
			}
			if c == ';' || nextPart().MatchString(strings.TrimPrefix(rest, "or ")) {
				list = append(list, line[start:i])
				start = i + 1
			}
		}
	}
	return append(list, line[start:])
}

// unbracketed returns what stands in brackets at the end of a head, as Java
// prints a list of complaints.
func unbracketed(line string) string {
	head, list, ok := strings.Cut(line, ": [")
	if !ok || !strings.HasSuffix(list, "]") || !errorName().MatchString(head) || !listOfPlaces().MatchString(list) {
		return line
	}
	return strings.TrimSuffix(list, "]")
}

var listOfPlaces = lazily(`^[\w/$#.\[\]]*: `)

// colonPart is "name: what is wrong there", after any head.
var colonPart = lazily(`(?i)^(?:(?:[^:]*(?:error|invalid|failed|validation)[^:]*): )* *[\w.\[\]()<>$/]*: `)

// details are what a complaint tells of itself after a colon.
var details = set("expected given received actual got allowed valid permitted supported note hint example use value type did path")

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// errorHead is a beginning that says only that there is an error, and whose.
var errorHead = lazily(`(?i)^(?:[^\s:]+ )*?[^\s:]*(?:error|errors|exception|failed|failure|fault|invalid|validating|executing|calling|invoking|params|parameters|arguments|argument|-\d{5}|validation|request|input|root|bad)[^\s:]*(?: [\w'"./<>()-]+){0,8}?:\s+`)

// unheaded yields a text, and what is left of it without one head after the
// other.
func unheaded(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		text = strings.TrimSpace(text)
		for range 8 {
			text = strings.TrimSpace(levelMark().ReplaceAllString(text, ""))
			if text == "" || !yield(text) {
				return
			}
			at := errorHead().FindStringIndex(text[:min(len(text), 300)])
			if at == nil {
				return
			}
			text = strings.TrimSpace(text[at[1]:])
		}
	}
}

var levelMark = lazily(`^\[[A-Z]+\] `)

// segment reads one sentence.
func (d *reader) segment(text string) []complaint {
	if d.tried++; d.tried > maxSegments {
		return nil
	}
	text = strings.TrimPrefix(strings.TrimSpace(text), "or ")
	if len(text) > maxSegment {
		text = text[:maxSegment]
	}
	for _, form := range []func(string) (complaint, bool){d.placedIn, d.subject, d.unplaced, d.vague} {
		for m := range unheaded(text) {
			if c, ok := form(m); ok {
				return []complaint{c}
			}
		}
	}
	return nil
}

// taggedFault reads which rule of Go's validator failed.
func taggedFault(what string) complaint {
	_, tag, _ := strings.Cut(what, "failed on the '")
	tag, _, _ = strings.Cut(tag, "'")
	switch {
	case strings.HasPrefix(tag, "required"):
		return complaint{fault: argMissing}
	case slices.Contains([]string{"min", "max", "gt", "gte", "lt", "lte", "len"}, tag):
		return complaint{fault: argBeyond, want: "within its limits"}
	}
	want, _ := nounOf(tag)
	return complaint{want: want}
}

// schemaPath makes a path in the arguments of one in their schema.
func schemaPath(path []string) (at []string) {
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case "properties":
			if i++; i < len(path) {
				at = append(at, path[i])
			}
		case "items":
			at = append(at, anyItem)
		default: // anyOf/1, $defs/x
			i++
		}
	}
	return at
}

// splitPath reads a path however it is written: /a/0/b, $.a[0].b, a.0.b,
// ["a"][0], a -> b.
func splitPath(s string) (path []string) {
	s = strings.Trim(strings.TrimSpace(s), "`")
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "#/") {
		for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(s, "#"), "/"), "/") {
			if name != "" {
				path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
			}
		}
		return path
	}
	for len(s) > 0 && len(path) < maxDepth {
		switch s[0] {
		case '.', '$', '#':
			s = s[1:]
		case '"', '\'':
			name, rest, _ := strings.Cut(s[1:], s[:1])
			path, s = append(path, name), rest
		case '[':
			name, rest, _ := strings.Cut(s[1:], "]")
			path, s = append(path, strings.Trim(name, `"'`)), rest
		default:
			end := strings.IndexAny(s, ".[/")
			if end < 0 {
				end = len(s)
			}
			if strings.HasPrefix(s[end:], "[") && !indexOrName().MatchString(s[end:]) {
				end = len(s) // list[int]
			}
			if end > 0 {
				path = append(path, s[:end])
			}
			s = strings.TrimPrefix(s[end:], "/")
		}
	}
	return path
}

var indexOrName = lazily(`^\[(?:\d+|"[^"]*"|'[^']*')\]`)
