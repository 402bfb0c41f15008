package diagnose

import (
	"bytes"
	"strings"
)

// answers reports an object that is what was asked for.
func (a *account) answers() bool {
	const most = 3 // members that repeat what was asked for
	switch {
	case a.good, a.data, a.verdict, a.echoes > most, a.ran && (a.failed != "success" || a.fault == nil):
		return true
	case a.record && (a.past || !a.status && (a.fault == nil || a.fault[0] != '{' || a.failed == "status" || a.state)):
		return true
	}
	// Of a job, an order or the like that was asked about.
	return (a.failed == "status" || a.state) && (a.named || a.echoes > 0 && (a.fault == nil || a.over))
}

// measured reports an object of values that has a remark on one of them as its error:
// that the wind is not known is no reason to throw the temperature away.
func (a *account) measured() bool {
	return a.numbers > 1 && !a.status && a.fault != nil && a.fault[0] == '"' && a.message == nil && textSuspicion(a.fault).Tier < Anchored
}

// stamped reports the time of a record's own: an error has but one, when it came up.
func stamped(name []byte, short string) bool {
	if bytes.HasSuffix(name, []byte("_at")) || bytes.HasSuffix(name, []byte("At")) || strings.HasPrefix(short, "started") || strings.HasPrefix(short, "finished") {
		return true
	}
	for _, before := range [...]string{"start", "end", "stop", "created", "creation", "updated", "lastupdated", "lastmodified", "modified", "completed", "closed"} {
		if rest, ok := strings.CutPrefix(short, before); ok {
			switch rest {
			case "date", "time", "on", "timestamp":
				return true
			}
		}
	}
	return short == "datecreated" || short == "dateupdated" || short == "datesent" || short == "datedone"
}

// stamps reports a date with its time.
func stamps(value []byte) bool {
	const form = `"2000-01-02T03:04`
	return len(value) >= len(form) && value[0] == '"' && value[5] == '-' && value[8] == '-' && (value[11] == 'T' || value[11] == ' ') && value[14] == ':'
}
