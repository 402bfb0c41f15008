package diagnose

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A Conduct is what a tool does, as far as its name, its description and its
// annotations tell.
type Conduct int

// A tool that acts says little when it has done so; one that reads returns values
// of an API; what one returns that shows contents is somebody else's text, which may
// be an error; the answer of one that judges may be "failed".
const (
	Unknown  Conduct = iota
	Acts             // create, update, delete, send, …
	Reads            // get, search, list, find, describe, …
	Judges           // test, validate, lint, check, verify, audit, scan, status, …
	Contents         // read, cat, run, query, translate, …; get a file, a page, a log, …
)

const (
	actions = "create add insert update set edit modify patch delete remove clear purge drop send post publish write save store put upload " +
		"move rename copy duplicate archive restore assign invite join leave close reopen merge commit push deploy start stop restart pause resume " +
		"cancel schedule book order buy pay transfer refund approve reject click type press tap swipe drag hover scroll navigate goto open fill " +
		"select upsert append replace apply install uninstall enable disable register subscribe unsubscribe lock unlock connect disconnect login " +
		"logout grant revoke share unshare reply react mark star follow import sync trigger notify control turn play"
	reads = "read get fetch search list log logs query run find show view browse lookup look retrieve describe load download export " +
		"cat tail head grep exec execute eval evaluate shell bash sql select extract scrape crawl translate summarize summarise transcribe ask chat complete explain " +
		"recall remember history trace print dump render screenshot snapshot capture convert parse count stats preview diff blame docs help"
	verdicts = "test tests validate validation lint linter check checks verify verification audit scan monitor status health healthcheck ping " +
		"probe diagnose diagnostics assert review grade score compare judge typecheck verdict compliance conclusion outcome uptime incident incidents alert alerts"

	// What is read, run, asked or put into other words is always a text of others.
	recitals = "read cat tail head grep exec execute eval evaluate run shell bash sql query extract scrape crawl translate summarize summarise " +
		"ask chat explain recall dump print diff blame download transcribe snapshot"
	// Whose name ends in one of these does it to whatever it is given.
	displays = "fetch view show browse load"
	// Such things are texts, whatever is done to see them.
	writings = "file files page pages document documents doc docs note notes content contents text texts source sources code snippet snippets " +
		"email emails mail mails article articles readme issue issues ticket tickets transcript transcripts subtitles lyrics cell cells notebook " +
		"notebooks blob gist gists clipboard commit commits patch url urls website webpage html markdown txt json csv pdf story post posts thread " +
		"wiki wikipedia attachment attachments template prompt chunk chunks tweet tweets reply replies conversation conversations news recipe " +
		"result results response responses http curl repl python powershell ssh jupyter redis mongo mongodb row rows sheet spreadsheet range " + voices
	// Of these, even a list shows what they say.
	voices = "log logs message messages console terminal output outputs stdout stderr journal history comment comments memory memories entity " +
		"entities observations trace traces error errors exception exceptions crash crashes failures traceback stacktrace"
	// To open something else may be to make it.
	openable = "nodes file files document documents doc page url website notebook note notes email mail message log article attachment"
)

func setOf(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// texts are the words of tools that show contents.
var texts = sync.OnceValue(func() (t struct{ recital, display, writing, voice, openable map[string]bool }) {
	t.recital, t.display, t.writing, t.voice, t.openable = setOf(recitals), setOf(displays), setOf(writings), setOf(voices), setOf(openable)
	return t
})

var conducts = sync.OnceValue(func() map[string]Conduct {
	m := map[string]Conduct{}
	for c, words := range map[Conduct]string{Acts: actions, Reads: reads, Judges: verdicts} {
		for w := range strings.FieldsSeq(words) {
			if _, taken := m[w]; !taken || c == Reads {
				m[w] = c
			}
		}
	}
	return m
})

// ConductOf reads the words of a tool's name. What comes first counts, but for a
// word of judgement further on, as in run_tests and get_build_status; a name that
// says nothing leaves it to the first words of the description. A tool that
// changes nothing does not act, whatever it is called.
func ConductOf(name, description string, readOnly bool) Conduct {
	words := parts(name, 16)
	c, verb := conductOf(words)
	if c == Unknown {
		// "Creates an issue" as "Create": the third person is how many describe.
		first := parts(description, 3)
		for _, w := range slices.Clone(first) {
			first = append(first, strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"))
		}
		if c, verb = conductOf(first); c == Reads {
			words = append(words, parts(description, 6)...)
		}
	}
	if readOnly && (c == Acts || c == Unknown) {
		c = Reads
	}
	if (c == Reads || c == Unknown || verb == "open") && recites(verb, words) {
		return Contents
	}
	return c
}

func conductOf(words []string) (first Conduct, verb string) {
	for _, w := range words {
		c := conducts()[w]
		if first == Unknown {
			first, verb = c, w
		}
		if c == Judges && first == Reads {
			return Judges, w
		}
	}
	return first, verb
}

// recites reports a tool that shows texts which are not its own.
func recites(verb string, words []string) bool {
	t := texts()
	among := t.writing
	switch {
	case t.recital[verb], len(words) > 0 && t.display[words[len(words)-1]]:
		return true
	case verb == "open":
		among = t.openable
	case verb == "list", verb == "count", verb == "stats":
		among = t.voice
	case verb == "log" && len(words) > 1 && words[0] == verb:
		return false // to log an event is to write
	}
	return slices.ContainsFunc(words, func(w string) bool { return among[w] })
}

// parts cuts a name where its author did: get_user, getUser, get-user, "Get user".
func parts(name string, most int) []string {
	var found []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			found = append(found, word.String())
			word.Reset()
		}
	}
	lower := false
	for _, r := range name {
		if len(found) == most {
			return found
		}
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		case unicode.IsUpper(r) && lower:
			end()
			fallthrough
		default:
			word.WriteRune(unicode.ToLower(r))
		}
		lower = unicode.IsLower(r)
	}
	end()
	return found
}
