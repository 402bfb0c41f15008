package recourse

import (
	"net/netip"
	"strings"
	"unicode"
)

// quote returns an API's own words fit to be shown as such: on one line, without
// secrets, stack traces and internal addresses, and at most n characters.
func quote(s string, n int) string {
	s = redactor.Text(strings.ToValidUTF8(wholeWords(s, 16*maxUpstream), "\uFFFD"))
	for _, trace := range []string{"Traceback (most recent", "goroutine ", "\n\tat ", "\n    at ", "\n  File \"", " at java.", "Stack trace:"} {
		s, _, _ = strings.Cut(s, trace)
	}
	list := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	for i, w := range list {
		if address(w) {
			list[i] = "[address]"
		}
	}
	return cut(strings.Join(list, " "), n)
}

// wholeWords returns the words of which all is among the first n bytes of s: half
// a secret does not look like one.
func wholeWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:strings.LastIndexAny(s[:n], " \t\r\n")+1]
}

// address reports whether w has an IP address in it, a host with its port, a
// host of an internal network, or a place in a program.
func address(w string) bool {
	w = strings.Trim(w, `"'()<>,;.!?`)
	if _, after, ok := strings.Cut(w, "@"); ok {
		w = after
	}
	if _, after, ok := strings.Cut(w, "://"); ok {
		w = after
	}
	w, _, _ = strings.Cut(w, "/")
	w = strings.Trim(strings.TrimPrefix(w, "tcp("), ":)") // as MySQL's drivers write it
	if _, err := netip.ParseAddr(strings.Trim(w, "[]")); err == nil {
		return true
	}
	if _, err := netip.ParseAddrPort(w); err == nil {
		return true
	}
	host, port, ok := strings.Cut(w, ":")
	const digits = "0123456789:" // :17 is a line, :17:4 a place in it; 12:30 is a time
	if ok && port != "" && strings.Trim(port, digits) == "" && strings.Trim(host, digits) != "" {
		return true
	}
	for _, end := range []string{".internal", ".local", ".lan", ".corp", ".svc", "localhost"} {
		if strings.HasSuffix(strings.ToLower(host), end) {
			return true
		}
	}
	return false
}
