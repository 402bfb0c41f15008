package diagnose

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// base64able reports whether a string literal is base64 as RFC 4648 §4 has it,
// with its padding, and not empty. Escapes are fine: PHP writes \/, .NET \u002B
// and Gson \u003d.
func base64able(lit []byte) bool {
	digits, pads := 0, 0
	for text := lit[1 : len(lit)-1]; len(text) > 0; {
		if pads == 0 {
			n := alphabetic(text)
			digits += n
			if text = text[n:]; len(text) == 0 {
				break
			}
		}
		c, n := wire.Char(text)
		switch {
		case c == '=':
			pads++
		case pads > 0 || c >= 0x80 || !alphabet[c]:
			return false
		default:
			digits++
		}
		text = text[n:]
	}
	return digits > 1 && pads <= 2 && (digits+pads)%4 == 0
}

var alphabet = func() (set [128]bool) {
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		set[c] = true
	}
	return set
}()

// alphabetic returns how many bytes at the beginning of text are of base64's
// alphabet.
func alphabetic(text []byte) int {
	i := 0
	for ; i+16 <= len(text); i += 16 {
		if odd(binary.LittleEndian.Uint64(text[i:]))|odd(binary.LittleEndian.Uint64(text[i+8:])) != 0 {
			break
		}
	}
	for i < len(text) && text[i] < 0x80 && alphabet[text[i]] {
		i++
	}
	return i
}

// odd returns 0 if all eight bytes of x are of base64's alphabet. Below 0x80,
// adding 0x80-n to a byte sets its highest bit if the byte is n or more. A JSON
// string has no control characters, which folding case would make digits of.
func odd(x uint64) uint64 {
	const (
		lanes = 0x0101010101010101
		high  = 0x80 * lanes
	)
	low := x &^ high
	folded := low | 0x20*lanes
	letter := (folded + (0x80-'a')*lanes) &^ (folded + (0x80-'z'-1)*lanes)
	digit := (low + (0x80-'/')*lanes) &^ (low + (0x80-'9'-1)*lanes)
	plus := ^((low ^ '+'*lanes) + 0x7f*lanes)
	return (letter|digit|plus)&^x&high ^ high
}

// encode returns the literal of base64 that lit, which is not, was meant to be,
// and the type that a data URL names. It forgives what decoders in wide use
// forgive: line breaks as in MIME, missing padding, the alphabet of URLs. Nil
// if it is something else.
func encode(lit []byte) (data []byte, mime string) {
	text := wire.Unquote(lit)
	if rest, ok := strings.CutPrefix(text, "data:"); ok {
		head, body, ok := strings.Cut(rest, ",")
		kind, coding, _ := strings.Cut(head, ";")
		if !ok || !strings.HasSuffix(";"+coding, ";base64") {
			return nil, ""
		}
		mime, text = kind, body
	}
	text = strings.TrimRight(strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text), "=")
	if missing := -len(text) & 3; missing < 3 {
		text += "=="[:missing]
	}
	if data = quote(text); !base64able(data) {
		return nil, ""
	}
	return data, mime
}

// sniff returns the media type that the first bytes of base64 show, "" if it is
// none that is known here. The four kinds of images are those that models' APIs
// take.
func sniff(data []byte) string {
	const most = 20 // digits, for the 14 bytes of the longest mark
	var room [most + utf8.UTFMax]byte
	digits := room[:0]
	for text := data[1 : len(data)-1]; len(text) > 0 && len(digits) < most; {
		c, n := wire.Char(text)
		if c == '=' {
			break
		}
		digits = utf8.AppendRune(digits, c)
		text = text[n:]
	}
	var head [most / 4 * 3]byte
	size, _ := base64.RawStdEncoding.Decode(head[:], digits[:min(most, len(digits))])
	is := func(mark string, at int) bool { return bytes.HasPrefix(head[min(at, size):size], []byte(mark)) }
	switch {
	case is("\x89PNG\r\n\x1a\n", 0):
		return "image/png"
	case is("\xff\xd8\xff", 0):
		return "image/jpeg"
	case is("GIF87a", 0), is("GIF89a", 0):
		return "image/gif"
	case is("RIFF", 0) && is("WEBPVP", 8):
		return "image/webp"
	case is("RIFF", 0) && is("WAVE", 8):
		return "audio/wav"
	case is("ID3", 0):
		return "audio/mpeg"
	case is("OggS", 0):
		return "audio/ogg"
	case is("fLaC", 0):
		return "audio/flac"
	}
	return ""
}
