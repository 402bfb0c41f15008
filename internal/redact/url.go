package redact

import "strings"

// hooks are addresses that are secrets themselves: who knows one may post there.
// What comes after them is hidden.
var hooks = [...]string{
	"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/",
	"discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "outlook.office.com/webhook/",
	"open.feishu.cn/open-apis/bot/v2/hook/", "open.larksuite.com/open-apis/bot/v2/hook/",
	"hooks.zapier.com/hooks/catch/", "api.telegram.org/bot",
}

var encodedHooks = func() (t [len(hooks)]string) {
	for i, h := range hooks {
		t[i] = strings.ReplaceAll(h, "/", "%2F")
	}
	return t
}()

// hook returns the secret path of a URL whose "://" is at i.
func hook(s string, i int) span {
	rest := s[i+3:]
	if rest == "" || strings.IndexByte("hdoa", rest[0]) < 0 {
		return span{}
	}
	for _, h := range hooks {
		if strings.HasPrefix(rest, h) {
			start := i + 3 + len(h)
			return span{start, pathEnd(s, start)}
		}
	}
	return span{}
}

// office returns the secret path of an address of Teams, of which the dot after the
// tenant is at i.
func office(s string, i int) span {
	const host = ".webhook.office.com"
	rest, ok := strings.CutPrefix(s[i:], host)
	if !ok {
		return span{}
	}
	for _, path := range [...]string{"/webhookb2/", "%2Fwebhookb2%2F"} {
		if start := i + len(host) + len(path); strings.HasPrefix(rest, path) {
			return span{start, max(pathEnd(s, start), encodedEnd(s, start, len(s)))}
		}
	}
	return span{}
}

// pathEnd returns where the path at s[at] ends.
func pathEnd(s string, at int) int {
	for at < len(s) && (base64url(s[at]) || s[at] == '/' || s[at] == '@' || s[at] == ':') {
		at++
	}
	return at
}

// encodings returns the secrets that are named in the query of a URL, or in a form,
// that is itself a value in one.
func encodings(s string) (found []span) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '%')
		if i < 0 {
			return found
		}
		at += i
		sp := encoded(s, at)
		if sp.end <= at {
			at++
			continue
		}
		if at = sp.end; !hidden(s[sp.start:sp.end]) {
			found = append(found, sp)
		}
	}
}

// encoded returns the secret that the %3D or %3A at i leads to, the = and the : of
// what stands in the query of a URL, or in a form: again a query, JSON, or a URL.
func encoded(s string, i int) span {
	if i+3 >= len(s) || s[i+1] != '3' || s[i+2]|0x20 != 'd' && s[i+2]|0x20 != 'a' {
		return span{}
	}
	if strings.HasPrefix(s[i+3:], "%2F%2F") {
		return encodedURL(s, i+9)
	}
	end := i
	quoted := strings.HasSuffix(s[:end], "%22")
	if quoted {
		end -= len("%22")
		for strings.HasSuffix(s[:end], "%5C") {
			end -= len("%5C")
		}
	}
	from := nameStart(s, end)
	if from > 0 && s[from-1] == '%' { // the digits of the escape are no part of the name
		from = min(end, from+2)
	}
	if s[i+2]|0x20 == 'a' && strings.HasSuffix(s[:from], "%3A") {
		return span{} // a part of an ARN
	}
	name := s[from:end]
	inQuery := strings.HasSuffix(s[:from], "%26") || strings.HasSuffix(s[:from], "%3F")
	if !SecretName(name) && !(inQuery && inURL(name)) {
		return span{}
	}
	start := i + 3
	for strings.HasPrefix(s[start:], "%20") || strings.HasPrefix(s[start:], "%5C") {
		start += 3
	}
	if strings.HasPrefix(s[start:], "%22") {
		start += 3
		if n := strings.Index(s[start:], "%22"); n >= 0 {
			for strings.HasSuffix(s[start:start+n], "%5C") {
				n -= len("%5C")
			}
			return span{start, start + n}
		}
	}
	return span{start, encodedEnd(s, start, len(s))}
}

// encodedURL returns the userinfo or the secret path of the encoded URL at start.
func encodedURL(s string, start int) span {
	const far = 256
	host, _, ok := strings.Cut(s[start:encodedEnd(s, start, start+far)], "%40")
	if ok && !strings.Contains(host, "%2F") && !strings.Contains(host, "%3F") {
		return span{start, start + len(host)}
	}
	for _, h := range encodedHooks {
		if strings.HasPrefix(s[start:], h) {
			return span{start + len(h), encodedEnd(s, start+len(h), len(s))}
		}
	}
	return span{}
}

// encodedEnd returns where an encoded value from s[at] ends, at limit at the latest.
func encodedEnd(s string, at, limit int) int {
	for limit = min(limit, len(s)); at < limit && (base64url(s[at]) || strings.IndexByte(".+~%", s[at]) >= 0); at++ {
		if s[at] == '%' && (strings.HasPrefix(s[at:], "%26") || strings.HasPrefix(s[at:], "%22")) {
			break
		}
	}
	return at
}
