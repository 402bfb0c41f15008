package draft

import (
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// A Format is what the word format says about texts.
type Format struct {
	Name  string
	valid func(string) bool // nil if any text will do
}

// Valid reports whether a text has the format. Only date, time, date-time, email,
// ipv4, ipv6, uri and uuid are looked at.
func (f *Format) Valid(text string) bool { return f.valid == nil || f.valid(text) }

// formats holds those that the drafts define.
var formats = func() map[string]*Format {
	all := map[string]*Format{}
	for _, name := range []string{
		"date", "time", "date-time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6",
		"uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex",
	} {
		all[name] = &Format{Name: name}
	}
	all["date"].valid = isDate
	all["time"].valid = isTime
	all["date-time"].valid = isDateTime
	all["email"].valid = isEmail
	all["ipv4"].valid = isIPv4
	all["ipv6"].valid = isIPv6
	all["uri"].valid = isURI
	all["uuid"].valid = isUUID
	return all
}()

// The three of RFC 3339, section 5.6. The standard library's own layout lets a
// comma, one digit for the hour and offsets of 99 hours pass, but no second 60.

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isDateTime(s string) bool {
	return len(s) > 11 && isDate(s[:10]) && (s[10] == 'T' || s[10] == 't') && isTime(s[11:])
}

func isTime(s string) bool {
	if len(s) < len("00:00:00Z") || s[5] != ':' {
		return false
	}
	at, ok := minute(s[:5])
	second, isNumber := digits(s[6:8])
	if !ok || !isNumber || second > 60 {
		return false
	}
	zone := s[8:]
	if fraction, ok := strings.CutPrefix(zone, "."); ok {
		zone = strings.TrimLeft(fraction, "0123456789")
		if zone == fraction {
			return false
		}
	}
	switch {
	case zone == "Z" || zone == "z":
	case len(zone) == len("+00:00") && (zone[0] == '+' || zone[0] == '-'):
		offset, ok := minute(zone[1:])
		if !ok {
			return false
		}
		if zone[0] == '+' {
			offset = -offset
		}
		at += offset + 24*60
	default:
		return false
	}
	return second < 60 || at%(24*60) == 24*60-1 // a leap second ends a day
}

// minute returns which of the day "hh:mm" is.
func minute(s string) (int, bool) {
	hour, ok := digits(s[:2])
	minute, isNumber := digits(s[3:])
	return hour*60 + minute, ok && isNumber && s[2] == ':' && hour < 24 && minute < 60
}

// digits returns the value of two digits.
func digits(s string) (int, bool) {
	for _, ch := range []byte(s) {
		if ch < '0' || ch > '9' {
			return 0, false
		}
	}
	return int(s[0]-'0')*10 + int(s[1]-'0'), true
}

// isEmail is about RFC 5321, section 4.1.2.
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if quoted, ok := strings.CutPrefix(local, `"`); ok {
		if inner, ok := strings.CutSuffix(quoted, `"`); !ok || strings.ContainsAny(inner, `"\`) {
			return false
		}
	} else {
		for atom := range strings.SplitSeq(local, ".") {
			if atom == "" || !only(atom, alphanumeric+"!#$%&'*+-/=?^_`{|}~") {
				return false
			}
		}
	}
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		if v6, is6 := strings.CutPrefix(literal, "IPv6:"); is6 {
			return ok && isIPv6(v6)
		}
		return ok && isIPv4(literal)
	}
	return isHostname(domain)
}

const alphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// isHostname is RFC 1123, section 2.1.
func isHostname(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || !only(label, alphanumeric+"-") {
			return false
		}
	}
	return true
}

// only reports whether all of a text's characters are among some.
func only(s, characters string) bool {
	for _, ch := range s {
		if !strings.ContainsRune(characters, ch) {
			return false
		}
	}
	return true
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isIPv6(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() && a.Zone() == ""
}

// isURI wants a scheme, as RFC 3986 does.
func isURI(s string) bool {
	u, err := url.Parse(s)
	if err != nil || !u.IsAbs() {
		return false
	}
	host := u.Hostname()
	return !strings.Contains(host, ":") || strings.HasPrefix(u.Host, "[") && isIPv6(host)
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, ch := range []byte(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (ch == '-') || !dash && strings.IndexByte("0123456789abcdefABCDEF", ch) < 0 {
			return false
		}
	}
	return true
}
