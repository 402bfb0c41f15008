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

// A tool that acts says little when it has done so; one that reads returns contents,
// which may be about errors; the answer of one that judges may be "failed".
const (
	Unknown Conduct = iota
	Acts            // create, update, delete, send, …
	Reads           // read, get, fetch, search, list, log, query, run, …
	Judges          // test, validate, lint, check, verify, audit, scan, status, …
)

const (
	actions = "create add insert update set edit modify patch delete remove clear purge drop send post publish write save store put upload " +
		"move rename copy duplicate archive restore assign invite join leave close reopen merge commit push deploy start stop restart pause resume " +
		"cancel schedule book order buy pay transfer refund approve reject click type press tap swipe drag hover scroll navigate goto open fill " +
		"select upsert append replace apply install uninstall enable disable register subscribe unsubscribe lock unlock connect disconnect login " +
		"logout grant revoke share unshare reply react mark star follow import sync trigger notify control turn play"
	reads = "read get fetch search list log logs query run find show view browse lookup look retrieve describe load download export " +
		"cat tail head grep exec execute eval evaluate shell bash sql select extract scrape crawl translate summarize ask chat complete explain " +
		"recall remember history trace print dump render screenshot snapshot capture convert parse count stats preview diff blame docs help"
	verdicts = "test tests validate validation lint linter check checks verify verification audit scan monitor status health healthcheck ping " +
		"probe diagnose diagnostics assert review grade score compare judge typecheck verdict compliance conclusion outcome uptime incident incidents alert alerts"
)

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
	c := conductOf(parts(name, 16))
	if c == Unknown {
		// "Creates an issue" as "Create": the third person is how many describe.
		first := parts(description, 3)
		for _, w := range slices.Clone(first) {
			first = append(first, strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"))
		}
		c = conductOf(first)
	}
	if readOnly && (c == Acts || c == Unknown) {
		return Reads
	}
	return c
}

func conductOf(words []string) Conduct {
	first := Unknown
	for _, w := range words {
		c := conducts()[w]
		if first == Unknown {
			first = c
		}
		if c == Judges && first == Reads {
			return Judges
		}
	}
	return first
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
