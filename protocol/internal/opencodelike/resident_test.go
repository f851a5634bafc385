package opencodelike_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin/stage"
)

// streamed repeats a call until the resident dispatcher has answered one.
const streamed = `{"untilStreamed": ` + before + `}`

// once is a call that can be told apart from the others.
var once = strings.Replace(before, "call_1", "once", 1)

// by names the makers of the answers: "process" or "stream", with the folder they ran
// in and one variable.
func (s theatre) by() []string { return s.lines("by") }

// lines are what dispatchers noted in a file of the stage.
func (s theatre) lines(name string) []string {
	s.T.Helper()
	b, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil && !os.IsNotExist(err) {
		s.T.Fatal(err)
	}
	return strings.FieldsFunc(string(b), func(r rune) bool { return r == '\n' })
}

func count(lines []string, prefix string) (n int) {
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}

// One dispatcher answers event after event, and ends with the agent.
func TestPluginKeepsADispatcher(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Says("tool.execute.before", `{"args": {"command": "echo safe"}}`)
	p := s.play(append([]string{created, streamed}, slices.Repeat([]string{before}, 20)...)...)
	stays := s.lines("stays")
	if n := count(s.by(), "stream "); len(stays) != 1 || n < 20 || len(p.frames) != len(s.by()) {
		t.Errorf("%d stayed, which answered %d of %d", len(stays), n, len(p.frames))
	}
	for i, r := range p.Results[2:] {
		if string(r.Output) != `{"args":{"command":"echo safe"}}` {
			t.Errorf("call %d: %s", i, r.Output)
		}
	}
	stage.Gone(t, stays[0])
}

// What happens while it is busy is answered by processes at the same time, not later.
func TestPluginQueuesNoEvents(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.play(created, streamed, `{"write": "by", "text": ""}`, `{"together": [`+strings.Join([]string{before, before, before, before}, ",")+`]}`)
	if by := s.by(); count(by, "stream ") != 1 || count(by, "process ") != 3 {
		t.Errorf("answered by %q", by)
	}
}

// If it dies after it began with an event, no other process gets that event: no hook
// is asked twice. If it did not begin, because it died or said nothing for five
// seconds, a process is asked. In both cases the plugin continues.
func TestPluginAsksNobodyTwice(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for name, c := range map[string]struct{ says, unbegun, want string }{
		"died in the middle":   {"crash", "", `{"args":{"command":"ls","gone":1}}`},
		"died before it began": {`{"args": {"command": "by a process"}}`, "yes", `{"args":{"command":"by a process"}}`},
		"mute":                 {`{"args": {"command": "by a process"}}`, "mute", `{"args":{"command":"by a process"}}`},
		"nonsense":             {`{"block": "no"} {"block": "no"}`, "", `{"args":{"command":"ls","gone":1}}`},
		"no object":            {`["block"]`, "", `{"args":{"command":"ls","gone":1}}`},
	} {
		if !slowtest.Among(name, "died in the middle", "died before it began", "mute") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			write := func(file, text string) string {
				return `{"write": "` + file + `", "text": "` + strings.ReplaceAll(text, `"`, `\"`) + `"}`
			}
			p := s.play(created, streamed, write("tool.execute.before", c.says), write("unbegun", c.unbegun), once,
				write("tool.execute.before", ""), write("unbegun", ""), streamed)
			if got := string(p.Results[4].Output); got != c.want || p.thrown(4) != "" {
				t.Errorf("%s, %q; want %s", got, p.thrown(4), c.want)
			}
			asked := 0
			for _, f := range p.frames {
				if f.Sub("input").Text("callID") == "once" {
					asked++
				}
			}
			if asked != 1 || len(s.lines("stays")) != 2 {
				t.Errorf("hooks were asked %d times, %d dispatchers stayed", asked, len(s.lines("stays")))
			}
			stage.Gone(t, s.lines("stays")[0])
		})
	}
}

// If it begins with an event and never answers, it is given up at the event's limit
// and ended; later events are answered.
func TestPluginGivesUpOneThatNeverAnswers(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	s := newStage(t)
	s.Limits["tool.execute.before"] = 3000
	p := s.play(created, streamed, `{"write": "tool.execute.before", "text": "hang"}`, once, `{"write": "tool.execute.before", "text": ""}`, streamed)
	if got := string(p.Results[3].Output); got != `{"args":{"command":"ls","gone":1}}` || p.thrown(3) != "" {
		t.Errorf("%s, %q", got, p.thrown(3))
	}
	hung := s.lines("pid")
	if len(hung) != 1 {
		t.Fatalf("%d dispatchers hung", len(hung))
	}
	stage.Gone(t, hung[0])
}

// What was answered in time counts, though the agent was stopped until the event's limit was
// over, as a terminal does with an agent: by the dispatcher that stays, and by a process.
func TestPluginHearsWhatWasSaidWhileTheAgentWasStopped(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for _, by := range []string{"stream", "process"} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.Limits["tool.execute.before"] = 3000
			steps := []string{created, streamed, `{"write": "tool.execute.before", "text": "stop the agent"}`, once}
			if by == "process" {
				s.Says("stay", "never")
				steps[1] = before
			}
			p := s.play(steps...)
			if got := p.thrown(3); got != "said in time" || count(s.by()[len(s.by())-1:], by+" ") != 1 {
				t.Errorf("%q, answered by %q", got, s.by())
			}
		})
	}
}

// If it cannot stay, or speaks another protocol, it is tried at most three times, and
// a process answers every event.
func TestPluginGoesOnWithoutOneThatStays(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for _, how := range []string{"never", "babble"} {
		s := newStage(t)
		s.Says("stay", how)
		s.Says("tool.execute.before", `{"block": "no"}`)
		p := s.play(append([]string{created}, slices.Repeat([]string{before}, 12)...)...)
		if by := s.by(); count(by, "process ") != 13 || len(by) != 13 || len(s.lines("stays")) > 3 {
			t.Errorf("%s: answered by %q, %d stayed", how, by, len(s.lines("stays")))
		}
		for i := range 12 {
			if p.thrown(i+1) != "no" {
				t.Errorf("%s: call %d was not blocked", how, i)
			}
		}
	}
}

// A different environment, working directory or program gets a different dispatcher:
// an event is judged as by a process that is started at that moment.
func TestPluginStartsAnewWhereItsWorldChanges(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for name, c := range map[string]struct{ change, by string }{
		"environment":       {`{"env": "STAGE_VARIABLE", "text": "new"}`, " new"},
		"working directory": {`{"chdir": "/"}`, " / "},
		"program":           {`{"touch": true}`, " "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			self, err := os.ReadFile(s.Argv[0])
			must.Do(t, err)
			s.Argv[0] = filepath.Join(s.Dir, "dispatcher")
			must.Do(t, os.WriteFile(s.Argv[0], self, 0o755))
			s.play(created, streamed, `{"write": "by", "text": ""}`, c.change, before, streamed)
			for _, l := range s.by() {
				if !strings.Contains(l, c.by) {
					t.Errorf("answered by %q", l)
				}
			}
			stays := s.lines("stays")
			if len(stays) != 2 {
				t.Errorf("%d stayed", len(stays))
			}
			for _, pid := range stays {
				stage.Gone(t, pid)
			}
		})
	}
}

// An agent that is killed leaves no process behind.
func TestKilledAgentLeavesNoDispatcher(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Drive["killed"] = true
	s.play(created, streamed, `{"kill": true}`)
	stage.Gone(t, s.lines("stays")[0])
}
