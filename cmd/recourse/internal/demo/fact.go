package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
)

// A fact is something that has to hold of what the client saw.
type fact struct {
	says  string
	holds func(Result) bool
}

// then holds a fact against the call after the case's first one.
func then(f fact) fact {
	return fact{"then " + f.says, func(r Result) bool {
		if r.Direct.Next == nil || r.Through.Next == nil {
			return false
		}
		return f.holds(Result{r.Case, *r.Direct.Next, *r.Through.Next})
	}}
}

// last holds a fact against the last of several calls.
func last(f fact) fact {
	return fact{"at last " + f.says, func(r Result) bool {
		for r.Direct.Next != nil && r.Through.Next != nil {
			r.Direct, r.Through = *r.Direct.Next, *r.Through.Next
		}
		return r.Direct.Next == nil && r.Through.Next == nil && f.holds(r)
	}}
}

// ends wants a call to end with an error of this code, or with data if there is
// none.
func ends(code recourse.Code) fact {
	if code == "" {
		return fact{"data", func(r Result) bool { return r.Through.message.Result != nil && !r.Through.failed }}
	}
	return fact{string(code), is("code", code).holds}
}

// data wants these words in the first text of a good answer.
func data(words string) fact {
	return fact{fmt.Sprintf("text says %q", words), func(r Result) bool {
		return ends("").holds(r) && strings.Contains(r.Through.text, words)
	}}
}

// told wants a good answer to have a last text of recourse's own, which begins
// with these words, and the same for machines.
func told(words string) fact {
	return fact{"told of it", func(r Result) bool {
		notes := r.Through.notes
		return ends("").holds(r) && len(notes) > 0 && strings.HasPrefix(notes[len(notes)-1], words) &&
			slices.Contains(r.Through.warnings, notes[len(notes)-1])
	}}
}

// noted wants another text of the server's behind the first, just as it wrote it.
func noted(text string) fact {
	return fact{"the server's words behind it", func(r Result) bool { return slices.Contains(r.Through.notes, text) }}
}

// repaired wants the client told in which form the argument was sent instead.
func repaired(argument string) fact {
	return fact{"repair of " + argument + " noted", func(r Result) bool {
		return slices.ContainsFunc(r.Through.repaired, func(note string) bool { return strings.Contains(note, argument) })
	}}
}

// structured wants a good answer to have these data where a program looks for them.
func structured(want string) fact {
	return fact{"structuredContent has the data", func(r Result) bool {
		return ends("").holds(r) && string(r.Through.structured) == want
	}}
}

// is wants the envelope to have this member with this value.
func is(key string, want any) fact {
	wanted, _ := json.Marshal(want)
	return fact{fmt.Sprintf("%s is %s", key, wanted), func(r Result) bool {
		value, ok := r.Through.member(key)
		got, _ := json.Marshal(value)
		return ok && bytes.Equal(got, wanted)
	}}
}

// says wants the envelope's member to be a text, not an empty one, with these
// words in it.
func says(key, words string) fact {
	claim := fmt.Sprintf("%s says %q", key, words)
	if words == "" {
		claim = key + " says something"
	}
	return fact{claim, func(r Result) bool {
		value, _ := r.Through.member(key)
		text, _ := value.(string)
		return text != "" && strings.Contains(text, words)
	}}
}

// atLeast wants the envelope's member to be a number, and no smaller one.
func atLeast(key string, least float64) fact {
	return fact{fmt.Sprintf("%s ≥ %g", key, least), func(r Result) bool {
		value, _ := r.Through.member(key)
		n, ok := value.(float64)
		return ok && n >= least
	}}
}

// hides wants the secret to be nowhere in the answer.
func hides(secret string) fact {
	return fact{"no secret", func(r Result) bool {
		return r.Through.Answer != nil && !bytes.Contains(r.Through.Answer, []byte(secret))
	}}
}

// spares wants the words to be in no text of the result. What a model does not read
// may still hold them.
func spares(words string) fact {
	return fact{fmt.Sprintf("no word of %q", words), func(r Result) bool {
		texts := append([]string{r.Through.text}, r.Through.notes...)
		return r.Through.text != "" && !strings.Contains(strings.Join(texts, "\n"), words)
	}}
}

// noStack wants no line of a stack trace in the answer.
func noStack() fact {
	return fact{"no stack trace", func(r Result) bool {
		for _, trace := range []string{"goroutine ", "Traceback", "/srv/"} {
			if bytes.Contains(r.Through.Answer, []byte(trace)) {
				return false
			}
		}
		return r.Through.Answer != nil
	}}
}

// noStray wants the server's late answer kept away from the client.
func noStray() fact {
	return fact{"late answer kept away", func(r Result) bool {
		return len(r.Direct.Late) > 0 && len(r.Through.Late) == 0
	}}
}

// within wants the answer to be there in time.
func within(most time.Duration) fact {
	return fact{"answered within " + span(most), func(r Result) bool {
		return r.Through.Answer != nil && r.Through.Took < most
	}}
}

// alive wants the connection to be usable after the call.
func alive() fact {
	return fact{"connection lives on", func(r Result) bool { return r.Through.Open }}
}

// startsAfter wants the server to have taken its time before it was ready.
func startsAfter(least time.Duration) fact {
	return fact{"ready after " + span(least), func(r Result) bool { return r.Through.Ready >= least }}
}

// size wants the result, as it stands on the line, to have that many bytes.
func size(want int) fact {
	return fact{count(want), func(r Result) bool { return len(r.Through.message.Result) == want }}
}

// same wants the client to have got the very bytes that the server wrote.
func same() fact {
	return fact{"bytes unchanged", func(r Result) bool {
		return r.Direct.Answer != nil && bytes.Equal(r.Direct.Answer, r.Through.Answer)
	}}
}
