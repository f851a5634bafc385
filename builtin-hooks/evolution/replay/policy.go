package replay

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
)

// Journal is the policy of the hook: the journal says whether the agent is stuck.
func Journal() Policy {
	return Policy{"journal (ours)", func(before journal.Journal, command string) (out []string) {
		for _, c := range journal.Stuck(before, command) {
			out = append(out, string(c.Key))
		}
		return out
	}}
}

// Always suggests something as soon as anything has failed, for the last failure.
func Always() Policy {
	return Policy{"always suggest", func(before journal.Journal, command string) (out []string) {
		if signal.Read(command).Trivial {
			return nil
		}
		for i := len(before.Entries) - 1; i >= 0; i-- {
			for _, s := range before.Entries[i].Signals {
				out = append(out, string(s.Key))
			}
			if len(out) > 0 {
				return out
			}
		}
		return nil
	}}
}

// CommandWord is the policy of the original: a signal came up twice, and the command
// itself contains a word that asks for help and one from the signal's name.
func CommandWord() Policy {
	return Policy{"command word", func(before journal.Journal, command string) (out []string) {
		if !has(command, "error", "fail", "fix", "debug", "issue", "problem", "help", "retry", "troubleshoot") {
			return nil
		}
		for _, c := range before.Signals() {
			_, name, _ := strings.Cut(string(c.Key), ":")
			if c.N >= journal.Enough && has(command, strings.Split(name, "_")...) {
				out = append(out, string(c.Key))
			}
		}
		return out
	}}
}

func has(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(text), w) })
}
