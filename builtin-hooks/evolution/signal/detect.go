package signal

// Of returns the signals of a failed call from its output: at least one.
func Of(command, text string) []Key {
	j := judge(text)
	return name(command, j.all, j.crashed)
}

// Detect returns the signals of an output that may or may not show a failure: none if
// it does not.
func Detect(command, text string) []Key {
	j := judge(text)
	if !j.failed() {
		return nil
	}
	return name(command, j.standing(), j.crashed)
}

// Failed reports whether a text alone shows that what printed it failed.
func Failed(text string) bool { return judge(text).failed() }

// name lists the keys of a set. A failure that no phrase names is named after the kind
// of command; what crashed while running had been built.
func name(command string, found set, crashed bool) []Key {
	if found == timeout && Read(command).Is(Deployment) {
		found |= deploy // a deployment that is waited for in vain
	}
	if found == 0 {
		found = generic
		switch c := Read(command); {
		case c.Is(Tests):
			found = test
		case c.Is(Deployment):
			found = deploy
		case c.Is(Compile) && !crashed:
			found = build
		}
	}
	return found.list()
}

// A judgement is what the lines of a text say together.
type judgement struct {
	firm bool // a failure whatever follows
	soft bool // a failure that no later line cancels
	// crashed means that a program ran, and ended with a stack trace.
	crashed bool
	// all are the signals of all lines, late those with no verdict after them.
	all, late set
}

func (j *judgement) failed() bool { return j.firm || j.soft }

// standing are the signals of a failure. A firm line shows that an apparent success was
// only that of a part.
func (j *judgement) standing() set {
	if j.firm {
		return j.all
	}
	return j.late
}

func judge(text string) *judgement {
	j := &judgement{}
	lines(text, j.take)
	return j
}

// cutLine bounds the cost of a line.
func cutLine(s string) string {
	if len(s) > 2000 {
		return s[:1000] + " " + s[len(s)-999:]
	}
	return s
}

var crashes = []string{"panic:", "traceback (most recent call last)", "exception in thread", "unhandled exception"}

func (j *judgement) take(l *line) {
	weight, found := l.weigh()
	j.crashed = j.crashed || anyPrefix(l.lower, crashes) || l.may("panicked at") && in(l.lower, "panicked at")
	switch weight {
	case isGood:
		j.soft, j.late = false, 0
		return
	case isFirm:
		j.firm = true
	case isSoft:
		j.soft = true
	default:
		return
	}
	j.all |= found
	j.late |= found
}

// Firm reports whether a text shows a failure whatever follows it.
func Firm(text string) bool { return judge(text).firm }
