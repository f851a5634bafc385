package signal

import (
	"slices"
	"strings"
)

// Complains reports whether an output has a line that begins with the name of one of
// some programs, as their own error messages do, and says what is wrong: sed: -e
// expression #1: unterminated `s' command. The output of others does not begin like
// that.
func Complains(text string, programs []string) (found bool) {
	lines(text, func(l *line) {
		found = found || l.complains(programs)
	})
	return found
}

// BeginsBadly reports whether an output begins like nothing but an error: fatal: …,
// Error from server …, or a complaint.
func BeginsBadly(text string, programs []string) bool {
	first, bad := true, false
	lines(text, func(l *line) {
		if first {
			bad = anyPrefix(l.lower, badBeginnings) || l.complains(programs)
		}
		first = false
	})
	return bad
}

var badBeginnings = []string{"fatal: ", "error: ", "error ", "(error)", "errors: ", "error from server", "error response from daemon", "error making ", "an error occurred", "cannot ", "could not ", "failed to ", "unable to ", "permission denied ", "the connection to the server ", "got permission denied", "traceback (most recent call last)", "parse error", "code: ", "no such ", "unknown ", "invalid ", "unauthorized", "access denied", "mongoservererror", "mongonetworkerror", "invalidrequest"}

func (l *line) complains(programs []string) bool {
	if strings.Contains(l.lower, "curl: (") {
		return isOne("curl", programs) // after its progress output
	}
	head, rest, ok := strings.Cut(l.lower, ": ")
	if !ok || rest == "" || l.softened() {
		return false
	}
	switch program(head) {
	case "bash", "sh", "zsh", "dash":
		// bash: line 1: jq: command not found; sh: 1: jq: not found
		for {
			head, after, more := strings.Cut(rest, ": ")
			if !more || !strings.HasPrefix(head, "line ") && strings.Trim(head, "0123456789") != "" {
				break
			}
			rest = after
		}
		if head, rest, ok = strings.Cut(rest, ": "); !ok {
			return false
		}
	}
	if !isOne(program(head), programs) || anyPrefix(rest, notes) || anyPrefix(rest, progress) {
		return false
	}
	return strings.HasPrefix(rest, "(") || l.anyIn(rest, plainTrouble) || l.anyIn(rest, troubles)
}

// isOne reports whether the head of a message names one of some programs.
func isOne(name string, programs []string) bool {
	return slices.ContainsFunc(programs, func(p string) bool { return strings.EqualFold(name, p) })
}

// Places reports whether an output names a place in a file and what is wrong there,
// like compilers and linters that do not use a word like error.
func Places(text string) (found bool) {
	lines(text, func(l *line) {
		i := strings.Index(l.lower, ": ")
		found = found || i > 0 && placed(l.lower[:i]) && !l.note() && !l.passed() && !l.softened() && (l.anyIn(l.lower[i:], plainTrouble) || l.anyIn(l.lower[i:], troubles))
	})
	return found
}

// troubles are words that say that something went wrong if they follow a program's own
// name; elsewhere they may say many things.
var troubles = []string{"error", "fatal", "cannot", "can't", "could not", "couldn't", "unable", "failed", "no such", "not found", "not allowed", "not permitted", "not recognized", "not defined", "not a", "not an", "no space", "bad", "unterminated", "unexpected", "requires", "is required", "does not", "doesn't", "did not", "too long", "must", "unsupported", "abort", "emerg", "attempt to", "busy", "not valid", "without", "no "}
