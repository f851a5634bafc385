package reminder

import (
	"slices"
	"time"
)

// A Kind is one reminder, by the name that stands in the bindings file.
type Kind string

// The reminders, the most urgent first.
const (
	Problem           Kind = "problem"
	LogTimeout        Kind = "log_timeout"
	ChildrenCompleted Kind = "children_completed"
	PlanCompleted     Kind = "plan_completed"
	NoLogStart        Kind = "no_log_start"
	NoProblem         Kind = "no_problem"
	FailedNode        Kind = "failed_node"
	NoDocs            Kind = "no_docs"
)

// Kinds lists them in that order.
func Kinds() []Kind {
	return []Kind{Problem, LogTimeout, ChildrenCompleted, PlanCompleted, NoLogStart, NoProblem, FailedNode, NoDocs}
}

// Names are the kinds that are given unless the settings say otherwise, with
// commas between: the original design has no others.
const Names = "problem,log_timeout,children_completed,plan_completed,no_log_start,no_problem"

// Named is the kind of a name, which may be one that the original uses today.
func Named(name string) Kind {
	switch name {
	case "all_completed":
		return ChildrenCompleted
	case "plan_confirm":
		return PlanCompleted
	case "no_log":
		return NoLogStart
	}
	return Kind(name)
}

// A State is what is known of the focused node. A time that nobody knows is
// zero: nothing is due by it.
type State struct {
	Type         string // execution, planning
	Status       string
	BelowRoot    bool // its parent is the root
	Children     int
	ChildrenDone bool // each is completed, failed or cancelled
	Logs         int
	LastLog      time.Time
	Started      time.Time // the last transition into implementing
	Problem      bool      // one is noted that is open (see [Open])
	Noted        bool      // something is: a problem, a next step, or that there is none
	Docs         int
}

// Throttle is how long a reminder of one kind stays silent for a session after it
// was given (BW-REM-03).
const Throttle = 3 * time.Minute

// Insists reports whether an open problem is named with the n-th prompt that meets
// it: with the first two, and then with one of three.
func Insists(n int) bool { return n <= 2 || n%3 == 2 }

// A Time says when a session was given a reminder last.
type Time struct {
	Kind Kind
	At   time.Time
}

// Due is the reminder that a state calls for, if one is to be given now. Kinds
// that are not in wanted do not count at all; nil wants all of them.
func Due(s State, given []Time, now time.Time, wanted []Kind) (Kind, bool) {
	for _, k := range Kinds() {
		if (wanted == nil || slices.Contains(wanted, k)) && s.calls(k, now) {
			return k, k == Problem || !Throttled(k, given, now, Throttle)
		}
	}
	return "", false
}

// calls reports whether the state calls for a reminder (BW-REM-01).
func (s State) calls(k Kind, now time.Time) bool {
	implementing := s.Status == "implementing"
	switch k {
	case Problem:
		return s.Problem
	case LogTimeout:
		return implementing && s.Logs > 0 && since(s.LastLog, now, 3)
	case ChildrenCompleted:
		return s.Status == "monitoring" && s.Children > 0 && s.ChildrenDone
	case PlanCompleted:
		return s.Status == "planning" && s.Children > 0 && s.BelowRoot
	case NoLogStart:
		return implementing && s.Logs == 0 && since(s.Started, now, 1)
	case NoProblem:
		return implementing && !s.Problem && !s.Noted && since(s.Started, now, 5)
	case FailedNode:
		return s.Type == "execution" && s.Status == "failed"
	case NoDocs:
		return implementing && s.Docs == 0 && since(s.Started, now, 1)
	}
	return false
}

// since reports whether that many whole minutes have passed.
func since(t, now time.Time, minutes int) bool {
	return !t.IsZero() && int(now.Sub(t)/time.Minute) >= minutes
}

// Throttled reports whether a kind was given less than apart ago. A time that
// lies further ahead than that is of a clock that was wrong, and counts for
// nothing.
func Throttled(k Kind, given []Time, now time.Time, apart time.Duration) bool {
	for _, g := range given {
		if since := now.Sub(g.At); Named(string(g.Kind)) == k && since < apart && since > -apart {
			return true
		}
	}
	return false
}
