package reminder

import (
	"testing"
	"time"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func ago(minutes, seconds int) time.Time {
	return now.Add(-time.Duration(minutes)*time.Minute - time.Duration(seconds)*time.Second)
}

// working is an execution node at which nothing is due.
func working(change func(*State)) State {
	s := State{Type: "execution", Status: "implementing", Logs: 4, LastLog: ago(0, 30), Started: ago(0, 40), Docs: 1}
	change(&s)
	return s
}

func planning(status string, change func(*State)) State {
	s := State{Type: "planning", Status: status, BelowRoot: true}
	change(&s)
	return s
}

// BW-REM-01, BW-REM-02: each with its boundaries and with what it needs.
func TestDue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		s    State
		want Kind
	}{
		{"nothing is due", working(func(*State) {}), ""},
		{"no node", State{}, ""},

		{"P0 a problem", working(func(s *State) { s.Problem = true }), Problem},
		{"P0 on a pending node", State{Type: "execution", Status: "pending", Problem: true}, Problem},
		{"P0 before P1", working(func(s *State) { s.Problem = true; s.LastLog = ago(30, 0) }), Problem},
		{"P0 before P6", State{Type: "execution", Status: "failed", Problem: true}, Problem},

		{"P1 2:59", working(func(s *State) { s.LastLog = ago(2, 59) }), ""},
		{"P1 3:00", working(func(s *State) { s.LastLog = ago(3, 0) }), LogTimeout},
		{"P1 3:01", working(func(s *State) { s.LastLog = ago(3, 1) }), LogTimeout},
		{"P1 a day", working(func(s *State) { s.LastLog = ago(1440, 0) }), LogTimeout},
		{"P1 a log of tomorrow", working(func(s *State) { s.LastLog = ago(-1440, 0) }), ""},
		{"P1 a log without a time", working(func(s *State) { s.LastLog = time.Time{} }), ""},
		{"P1 validating", working(func(s *State) { s.LastLog = ago(9, 0); s.Status = "validating" }), ""},
		{"P1 before P5 and P7", working(func(s *State) { s.LastLog = ago(3, 0); s.Started = ago(9, 0); s.Docs = 0 }), LogTimeout},

		{"P2 all done", planning("monitoring", func(s *State) { s.Children, s.ChildrenDone = 3, true }), ChildrenCompleted},
		{"P2 one is not", planning("monitoring", func(s *State) { s.Children = 3 }), ""},
		{"P2 no children", planning("monitoring", func(s *State) { s.ChildrenDone = true }), ""},
		{"P2 still planning", planning("planning", func(s *State) { s.Children, s.ChildrenDone, s.BelowRoot = 1, true, false }), ""},

		{"P3 a plan", planning("planning", func(s *State) { s.Children = 1 }), PlanCompleted},
		{"P3 no children", planning("planning", func(*State) {}), ""},
		{"P3 deeper", planning("planning", func(s *State) { s.Children, s.BelowRoot = 1, false }), ""},
		{"P3 monitoring", planning("monitoring", func(s *State) { s.Children = 1 }), ""},

		{"P4 0:59", working(func(s *State) { s.Logs, s.Started = 0, ago(0, 59) }), ""},
		{"P4 1:00", working(func(s *State) { s.Logs, s.Started = 0, ago(1, 0) }), NoLogStart},
		{"P4 before P5 and P7", working(func(s *State) { s.Logs, s.Started, s.Docs = 0, ago(5, 0), 0 }), NoLogStart},
		{"P4 not known since when", working(func(s *State) { s.Logs, s.Started = 0, time.Time{} }), ""},

		{"P5 4:59", working(func(s *State) { s.Started = ago(4, 59) }), ""},
		{"P5 5:00", working(func(s *State) { s.Started = ago(5, 0) }), NoProblem},
		{"P5 before P7", working(func(s *State) { s.Started, s.Docs = ago(5, 0), 0 }), NoProblem},

		{"P6 failed", State{Type: "execution", Status: "failed"}, FailedNode},
		{"P6 a plan cannot fail", State{Type: "planning", Status: "failed"}, ""},

		{"P7 0:59", working(func(s *State) { s.Started, s.Docs = ago(0, 59), 0 }), ""},
		{"P7 1:00", working(func(s *State) { s.Started, s.Docs = ago(1, 0), 0 }), NoDocs},
		{"P7 a document", working(func(s *State) { s.Started = ago(1, 0) }), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := Due(c.s, nil, now, nil); got != c.want || ok != (c.want != "") {
				t.Errorf("%q %v, want %q", got, ok, c.want)
			}
		})
	}
}

// BW-REM-03: the throttle is of a kind, P0 has none, and the first that fits lets no
// other through.
func TestThrottle(t *testing.T) {
	t.Parallel()
	late := working(func(s *State) { s.LastLog = ago(9, 0); s.Started = ago(9, 0) })
	given := func(list ...any) (out []Time) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, Time{list[i].(Kind), list[i+1].(time.Time)})
		}
		return out
	}
	for _, c := range []struct {
		name  string
		s     State
		given []Time
		want  Kind
		ok    bool
	}{
		{"never given", late, nil, LogTimeout, true},
		{"just now", late, given(LogTimeout, now), LogTimeout, false},
		{"2:59", late, given(LogTimeout, ago(2, 59)), LogTimeout, false},
		{"2:59.999", late, given(LogTimeout, ago(3, 0).Add(time.Millisecond)), LogTimeout, false},
		{"3:00", late, given(LogTimeout, ago(3, 0)), LogTimeout, true},
		{"another kind", late, given(NoProblem, ago(1, 0)), LogTimeout, true},
		{"A, B, A", late, given(LogTimeout, ago(2, 0), NoProblem, ago(1, 0)), LogTimeout, false},
		{"by the original's name", working(func(s *State) { s.Logs, s.Started = 0, ago(2, 0) }), given(Kind("no_log"), ago(1, 0)), NoLogStart, false},
		{"the latest counts", late, given(LogTimeout, ago(9, 0), LogTimeout, ago(1, 0)), LogTimeout, false},
		{"a clock that was a moment ahead", late, given(LogTimeout, ago(0, -2)), LogTimeout, false},
		{"a clock that was wrong", late, given(LogTimeout, ago(-60, 0)), LogTimeout, true},
		{"P0 is exempt", working(func(s *State) { s.Problem = true }), given(Problem, ago(0, 1)), Problem, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, ok := Due(c.s, c.given, now, nil); got != c.want || ok != c.ok {
				t.Errorf("%q %v, want %q %v", got, ok, c.want, c.ok)
			}
		})
	}
	if got, ok := Due(late, nil, now, []Kind{Named("plan_confirm"), NoProblem}); got != NoProblem || !ok {
		t.Errorf("a kind that is not wanted: %q %v", got, ok)
	}
	if _, ok := Due(late, nil, now, []Kind{}); ok {
		t.Error("no kind is wanted")
	}
}

// Both names are known, ours is the specification's.
func TestBothNamesOfReminders(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]Kind{"all_completed": ChildrenCompleted, "plan_confirm": PlanCompleted, "no_log": NoLogStart, "problem": Problem} {
		t.Run(name, func(t *testing.T) {
			if Named(name) != want {
				t.Errorf("%s is %s, want %s", name, Named(name), want)
			}
		})
	}
	for _, k := range Kinds() {
		if Named(string(k)) != k {
			t.Errorf("%s is not itself", k)
		}
	}
}
