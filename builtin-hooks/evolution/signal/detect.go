package signal

// Of are the signals of a call that failed, of which text is what it printed:
// never none.
func Of(command, text string) []Key {
	j := judge(text)
	return name(command, j.all, j.crashed)
}

// Detect are the signals of an output that may or may not tell of a failure:
// none if it tells of none.
func Detect(command, text string) []Key {
	j := judge(text)
	if !j.failed() {
		return nil
	}
	return name(command, j.standing(), j.crashed)
}

// Failed reports whether a text alone tells that what printed it failed.
func Failed(text string) bool { return judge(text).failed() }

// name is the list of some signals. A failure that no phrase named is named by
// what the command was; what ran and crashed had been built.
func name(command string, found set, crashed bool) []Key {
	if found == timeout && Read(command).Is(Deployment) {
		found |= deploy // whoever waits for it waits in vain
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

// A judgement is what the lines of a text tell together.
type judgement struct {
	firm bool // something that stands
	soft bool // something that no later line took back
	// crashed says that a program ran, and ended itself with its stack.
	crashed bool
	// all are the signals of all lines, late those that no verdict came after.
	all, late set
}

func (j *judgement) failed() bool { return j.firm || j.soft }

// standing are the signals of a failure. A firm one shows that what looked like
// a good end was the end of a part.
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

// cutLine bounds what one line costs.
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

// Firm reports whether a text tells of a failure that stands whatever follows it.
func Firm(text string) bool { return judge(text).firm }
