package diagnose

import (
	"math"
	"strings"
	"time"
)

// maxPause is the longest wait that is believed.
const maxPause = 400 * 24 * time.Hour

// pause reads the duration that begins at a token of a sentence, as in "20s",
// "1m30s", "2 minutes and 5 seconds" and "a minute", and rounds it up to whole
// seconds; 0 if there is none. A number without a unit is one of seconds, if
// nothing but a sign follows, as in "Retry-After: 2".
func pause(text string, sentence []token, at int) time.Duration {
	total, parts := 0.0, 0
	for ; at < len(sentence) && parts < 4; parts++ {
		n, width := quantity(text, sentence, at)
		if width == 0 {
			break
		}
		unit, more := secondsOf(text, sentence, at+width)
		if more == 0 {
			if parts > 0 || !lonely(text, sentence, at) {
				break
			}
			unit = time.Second
			if at > 0 && milli[text[sentence[at-1].start:sentence[at-1].end]] {
				unit = time.Millisecond
			}
		}
		total += n * float64(unit)
		if at += width + more; at < len(sentence) && spelt(text, sentence[at]) == "and" {
			at++
		}
	}
	if total <= 0 || total > float64(maxPause) {
		return 0
	}
	// Rounding takes off what binary fractions add: 0.1 s thrice are not 0.3 s.
	return time.Duration(math.Ceil(math.Round(total/1e6)/1e3)) * time.Second
}

// quantity reads a number, be it in digits or a word, and how many tokens it has.
func quantity(text string, sentence []token, at int) (float64, int) {
	if k := sentence[at]; k.number >= 0 {
		if k.start > 0 && text[k.start-1] == '-' {
			return 0, 0 // below zero, or a part of a date
		}
		return k.decimal(text), 1
	}
	n, ok := spelledNumbers[spelt(text, sentence[at])]
	if ok && n == 0.5 && at+1 < len(sentence) {
		if next := spelt(text, sentence[at+1]); next == "a" || next == "an" {
			return n, 2
		}
	}
	if !ok {
		return 0, 0
	}
	return n, 1
}

var spelledNumbers = map[string]float64{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
	"ninety": 90, "half": 0.5,
}

// secondsOf reads a unit and how many tokens it has: "second(s)" has two.
func secondsOf(text string, sentence []token, at int) (time.Duration, int) {
	if at >= len(sentence) {
		return 0, 0
	}
	unit, ok := timeUnits[spelt(text, sentence[at])]
	if !ok {
		return 0, 0
	}
	if at+1 < len(sentence) && text[sentence[at].end:sentence[at+1].end] == "(s" {
		return unit, 2
	}
	return unit, 1
}

var timeUnits = map[string]time.Duration{
	"ms": time.Millisecond, "msec": time.Millisecond, "msecs": time.Millisecond, "millis": time.Millisecond,
	"millisecond": time.Millisecond, "milliseconds": time.Millisecond,
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hrs": time.Hour, "hour": time.Hour, "hours": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "days": 24 * time.Hour,
	"sekunde": time.Second, "sekunden": time.Second, "seconde": time.Second, "secondes": time.Second, "seconden": time.Second,
	"segundo": time.Second, "segundos": time.Second, "secondo": time.Second, "secondi": time.Second, "секунд": time.Second, "секунды": time.Second,
	"秒": time.Second, "minuten": time.Minute, "minutos": time.Minute, "minuto": time.Minute, "minuti": time.Minute, "минут": time.Minute,
	"минуты": time.Minute, "分": time.Minute,
	"week": 7 * 24 * time.Hour, "weeks": 7 * 24 * time.Hour,
}

var milli = map[string]bool{"ms": true, "Ms": true, "MS": true, "millis": true, "milliseconds": true, "Milliseconds": true}

// lonely reports a number in digits that counts nothing: "retry after 3 attempts"
// names no time.
func lonely(text string, sentence []token, at int) bool {
	if sentence[at].number < 0 {
		return false
	}
	rest := text[sentence[at].end:]
	if rest == "" || strings.IndexByte(",;\n\"')}]", rest[0]) >= 0 {
		return true
	}
	if rest[0] == '.' {
		return len(rest) == 1 || rest[1] <= ' ' || rest[1] == '"'
	}
	return at > 0 && strings.ContainsAny(text[sentence[at-1].end:sentence[at].start], ":=") && rest[0] == ' '
}

func spelt(text string, k token) string { return strings.ToLower(text[k.start:k.end]) }
