package main

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/recourse-dev/recourse/bench/fault/table"
)

// misbehave takes the row's steps.
func (s *server) misbehave() {
	s.count()
	// Requests that are made at once come in any order.
	slices.SortStableFunc(s.asked, func(a, b message) int { return cmp.Compare(s.place(a), s.place(b)) })
	text := table.Text{Line: s.last}
	for _, m := range s.asked {
		text.IDs = append(text.IDs, string(m.ID))
		text.Len = len(m.Params.Arguments.Text)
	}
	for _, step := range s.row.Server {
		s.step(step, text)
	}
}

// place is where in the row a call of that tool stands.
func (s *server) place(m message) int {
	return slices.IndexFunc(s.row.Asks, func(a table.Ask) bool { return a.Name() == m.Params.Name })
}

// over reports whether the fault has happened as often as it shall.
func (s *server) over() bool {
	info, err := os.Stat(os.Getenv("FAULT_STATE"))
	return s.row.Times > 0 && err == nil && int(info.Size()) >= s.row.Times
}

// count writes down that it happens, for the next process too.
func (s *server) count() {
	f, err := os.OpenFile(os.Getenv("FAULT_STATE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	_, _ = f.WriteString("x")
}

func (s *server) step(step table.Step, text table.Text) {
	last := text.Expand("${id}")
	switch {
	case step.Say != "":
		put(text.Expand(step.Say), "\n")
	case step.Put != "":
		put(text.Expand(step.Put), "")
	case step.Drip != "":
		for _, b := range text.Expand(step.Drip) {
			put([]byte{b}, "")
			<-time.After(time.Millisecond)
		}
	case step.Result != nil:
		put(table.Answer(string(last), "result", text.Expand(string(step.Result))), "\n")
	case step.Error != nil:
		put(table.Answer(string(last), "error", text.Expand(string(step.Error))), "\n")
	case step.Repeat != nil:
		put(bytes.Repeat(append(text.Expand(step.Repeat.Say), '\n'), step.Repeat.Times), "")
	case step.Stderr != "":
		_, _ = os.Stderr.Write(text.Expand(step.Stderr))
	case step.Pause != "":
		d, err := time.ParseDuration(step.Pause)
		if err != nil {
			panic(err)
		}
		<-time.After(d)
	case step.Await != "":
		s.await(text.Expand(step.Await))
	default:
		s.end(step)
	}
}

// await keeps for later what comes before the awaited line.
func (s *server) await(part []byte) {
	for {
		line := s.read()
		if bytes.Contains(line, part) {
			return
		}
		s.later = append(s.later, line)
	}
}

// end takes the steps from which there may be no way back.
func (s *server) end(step table.Step) {
	switch {
	case step.Close == "stdin":
		_ = os.Stdin.Close()
	case step.Close == "stdout":
		_ = os.Stdout.Close()
	case step.Exit != nil:
		os.Exit(*step.Exit)
	case step.Spin > 0:
		spin(time.Duration(step.Spin * float64(s.limit)))
	case step.Do == "answer":
		for _, m := range s.asked {
			s.answer(m)
		}
	case step.Do == "spin":
		spin(24 * time.Hour)
	case step.Do == "deaf":
		<-time.After(24 * time.Hour)
	case step.Do == "kill":
		p, err := os.FindProcess(os.Getpid())
		if err != nil {
			panic(err)
		}
		_ = p.Kill()
		<-time.After(24 * time.Hour) // it takes effect when it does
	case step.Do == "stop":
		_ = exec.Command("kill", "-STOP", strconv.Itoa(os.Getpid())).Run()
	}
}

// spin uses the processor.
func spin(d time.Duration) {
	end, now := time.Now().Add(d), time.Now()
	for now.Before(end) {
		now = time.Now()
	}
}
