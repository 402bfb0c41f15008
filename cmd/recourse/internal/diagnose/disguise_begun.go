package diagnose

import (
	"regexp"
	"strings"
	"sync"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

var beginnings = sync.OnceValue(func() (p struct{ done, general *regexp.Regexp }) {
	const (
		amount = `(\d+( (of|out of) (the )?\d+)?|one|two|three|four|five|several|some|most|the first|part of|half of|the others?|the rest)`
		done   = `(created|written|sent|saved|inserted|uploaded|copied|moved|updated|deleted|removed|imported|processed|applied|posted|completed|delivered|added|published|charged|booked)`
		doing  = `(creating|writing|sending|saving|inserting|uploading|copying|moving|updating|deleting|removing|importing|processing|applying|posting|adding|publishing|charging|booking|created|wrote|sent|saved|inserted|uploaded|copied|moved|updated|deleted|removed|imported|processed|applied|posted|added|published)`
	)
	p.done = regexp.MustCompile(`(?i)\b` + amount + `[\w ,'-]{0,40}\b` + done + `\b|\b` + doing + ` ` + amount + `\b|\bpartial(ly)? (done|success|applied|` + done + `)`)
	p.general = regexp.MustCompile(`(?i)\b(can|may|must|per|an?|each|every|no|not|none|nothing|never|at most|up to|limit|before|without)\b`)
	return p
})

// Begun reports a failure whose words tell that some of the work was done, so that to
// repeat the call would do that part again.
func Begun(text string) bool {
	text = text[:min(len(text), maxPage)]
	if object := []byte(strings.TrimSpace(text)); len(object) > 1 && object[0] == '{' {
		if wire.Past(object, 0) != len(object) {
			return false
		}
		a := account{object: object}
		for key, at := range wire.Members(object) {
			a.take(label(key.Of(object)), at.Of(object))
		}
		if a.some() {
			return true
		}
	}
	for _, told := range beginnings().done.FindAllString(text, -1) {
		if told[0] != '0' && !beginnings().general.MatchString(told) { // a limit, or what was not done
			return true
		}
	}
	return false
}
