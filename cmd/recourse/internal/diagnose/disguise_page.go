package diagnose

import (
	"regexp"
	"strings"
	"sync"
)

var pages = sync.OnceValue(func() (p struct{ title, heading, bare, failed, hidden, tag, fault, told *regexp.Regexp }) {
	p.title = regexp.MustCompile(`(?is)<title[^>]*>\s*(.*?)\s*</title>`)
	p.heading = regexp.MustCompile(`(?is)<h1[^>]*>\s*([^<]*?)\s*</h1>`)
	p.bare = regexp.MustCompile(`^<(?:\w+[_-])?(?:error|Error)>\s*([^<]+?)\s*</(?:\w+[_-])?(?:error|Error)>$|^(<\w*(?:Error|Exception|Response) \[?[45]\d\d\b[^<]*)$`)
	p.failed = regexp.MustCompile(`(?i)^((\S+ \| )?(http |error )?(status )?(error )?[45]\d\d(\s*[-–—:|!]?\s*$|[ :–—|-]+(` +
		`client|bad request|unauthori|payment|(site )?forbidden|not found|page not found|method not|request time|conflict|gone|too many|internal|server error|not implemented|bad gateway|service|gateway|web server|error|access|that’s an error|temporarily|unknown error|origin))` +
		`|(site |server |page |access |request |application |proxy |gateway |runtime |web server )?(error|forbidden|denied|rejected|blocked)( \(?[45]\d\d\)?.*)?$` +
		`|(attention required|just a moment|access denied|access to this page has been denied|bad gateway|service (temporarily )?unavailable|internal server error|gateway time-?out|too many requests|not found|page not found|the page (you|isn).*|unauthori[sz]ed|forbidden|bad request|request (blocked|rejected)|(site )?(temporarily |currently )?(down for |under )maintenance|checking your browser.*|ddos protection.*|you have been blocked|one more step|are you a (human|robot)|pardon our interruption|robot check|error 404)([.!…]*\s*$|[.!…]*\s*[|–—-]))`)
	p.hidden = regexp.MustCompile(`(?is)<(script|style|svg|noscript|head)\b.*?(</(script|style|svg|noscript|head)>|$)|<!--.*?-->`)
	p.tag = regexp.MustCompile(`(?s)<[^>]*>`)
	p.fault = regexp.MustCompile(`(?s)^(<\?xml[^>]*>\s*)?<(\w+:)?(Error|ErrorResponse|error|errors|Fault|ServiceExceptionReport|ExceptionReport|soap:Envelope)\b[^>]*>`)
	p.told = regexp.MustCompile(`(?is)<(?:\w+:)?(?:message|faultstring|detail|description|reason)[^>]*>\s*([^<]+?)\s*</`)
	return p
})

const (
	wholePage = 64 << 10 // bytes of an error page with its scripts and pictures
	mainText  = 900      // visible bytes among the first that a page with contents has
)

// pageSuspicion looks at the first part of an HTML or XML document of size bytes.
// The title of a page decides, if there is not much to read on it.
func pageSuspicion(text string, size int) Suspicion {
	p := pages()
	lower := strings.ToLower(text[:min(len(text), 60)])
	if strings.HasPrefix(lower, "<!doctype html") || strings.HasPrefix(lower, "<html") || strings.HasPrefix(lower, "<head") || strings.HasPrefix(lower, "<title") {
		title := p.title.FindStringSubmatch(text)
		if title == nil {
			title = p.heading.FindStringSubmatch(text)
		}
		if size > wholePage || title == nil || len(title[1]) > 100 || !p.failed.MatchString(title[1]) {
			return Suspicion{}
		}
		shown := strings.Join(strings.Fields(p.tag.ReplaceAllString(p.hidden.ReplaceAllString(text, " "), " ")), " ")
		if len(shown) > mainText {
			return Suspicion{}
		}
		return Suspicion{Tier: Structure, Text: title[1], Rule: "page"}
	}
	if told := p.bare.FindStringSubmatch(strings.TrimSpace(text)); told != nil && size <= maxPage {
		return Suspicion{Tier: Structure, Text: told[1] + told[2], Rule: "xml"}
	}
	if size <= maxPage && p.fault.MatchString(text) {
		if told := p.told.FindStringSubmatch(text); told != nil && (!strings.Contains(lower, "envelope") || strings.Contains(text, "Fault>")) {
			return Suspicion{Tier: Structure, Text: told[1], Rule: "xml"}
		}
	}
	return Suspicion{}
}
