package install

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A guarded command has the shell that runs it look first whether its program is
// there, which takes no further process. Where it is gone the shell answers in the
// dispatcher's place, with no opinion, so that the agent goes on:
//
//	[ -x P ] && exec P run --agent=ID … ; echo ANSWER
//	if ( Test-Path -LiteralPath P -PathType Leaf ) { P run … ; exit $LASTEXITCODE } else { ANSWER }
//	if exist P ( P run … ) else ( echo ANSWER )
//
// One whose failure is to block does not look: there is no answer in its place.

// argsFor are the arguments of one event's entry that are written beside its command,
// nil if they are part of it.
func argsFor(d *protocol.Dialect, s protocol.Site, e protocol.Entry, native protocol.Native) []string {
	if d.Config.Quoting(s) != protocol.QuoteNone {
		return nil
	}
	return argvFor(e, native)[1:]
}

// commandFor is the command of one event's entry, as the agent's shell reads it.
func commandFor(d *protocol.Dialect, s protocol.Site, e protocol.Entry, native protocol.Native) string {
	argv, q := argvFor(e, native), d.Config.Quoting(s)
	if e.Gone == "" || d.Config.Direct || q == protocol.QuoteNone || closing(d, e, native) != "" {
		return Quote(argv, q)
	}
	return guarded(argv, q, answerFor(d, native, e.Gone))
}

func guarded(argv []string, q protocol.Quoting, answer string) string {
	program, command := quoteWord(argv[0], q), Quote(argv, q)
	switch q {
	case protocol.QuotePowerShell:
		text := "if ( Test-Path -LiteralPath " + program + " -PathType Leaf ) { " + command + " ; exit $LASTEXITCODE }"
		if answer == "" {
			return text
		}
		return text + " else { " + quoteWord(answer, q) + " }"
	case protocol.QuoteCmd:
		text := "if exist " + program + " ( " + command + " )"
		if answer == "" {
			return text
		}
		return text + " else ( echo " + answer + " )"
	}
	last := ":"
	if answer != "" {
		last = "echo " + quoteWord(answer, q)
	}
	return "[ -x " + program + " ] && exec " + command + " ; " + last
}

// closing is what an entry is given beside its command if its own failure is to block,
// "" if it is not, or if the agent has no word for it.
func closing(d *protocol.Dialect, e protocol.Entry, native protocol.Native) string {
	if !slices.Contains(e.Closed, native.Name) {
		return ""
	}
	return d.Config.Closed
}

// Words takes an entry's command apart, and what looks for its program away: the
// dispatcher's command is left, of whichever form the entry is.
func Words(command string, q protocol.Quoting) ([]string, error) {
	words, err := Split(command, q)
	if err != nil {
		return nil, err
	}
	for _, form := range [...]struct {
		before, after []string // the program's path
		ends          string
	}{
		{[]string{"[", "-x"}, []string{"]", "&&", "exec"}, ";"},
		{[]string{"if", "(", "Test-Path", "-LiteralPath"}, []string{"-PathType", "Leaf", ")", "{", "&"}, ";"},
		{[]string{"if", "(", "Test-Path", "-LiteralPath"}, []string{"-PathType", "Leaf", ")", "{"}, ";"},
		{[]string{"if", "exist"}, []string{"("}, ")"},
	} {
		if argv := between(words, form.before, form.after, form.ends); argv != nil {
			return argv, nil
		}
	}
	return words, nil
}

// between is the command in a guarded one: the program's path stands behind before,
// and again behind after.
func between(words, before, after []string, ends string) []string {
	at, start := len(before), len(before)+1+len(after)
	if len(words) <= start || !slices.Equal(words[:at], before) || !slices.Equal(words[at+1:start], after) || words[start] != words[at] {
		return nil
	}
	argv := words[start:]
	if i := slices.Index(argv, ends); i >= 0 {
		argv = argv[:i]
	}
	return argv
}

// answerFor is the answer of an entry whose program is gone: no opinion and, at the
// start of a session, what the user has to know.
func answerFor(d *protocol.Dialect, native protocol.Native, gone string) string {
	reply := d.NoOpinion(native.Name)
	if slices.Contains(Tells(d), native.Name) {
		ev := &protocol.Event{Type: native.MapsTo[0], Agent: d.ID, NativeEvent: native.Name, Can: native.Can}
		o := protocol.Outcome{UserMessage: gone}
		if !native.Can.Has(protocol.CanMessage) {
			o = protocol.Outcome{AdditionalContext: gone}
		}
		if said := d.Encode(ev, o); said.Exit == 0 {
			reply = said
		}
	}
	return strings.TrimSpace(string(reply.Stdout))
}

// Tells are the native events at which an entry whose program is gone can tell the
// person: where a session begins, else each prompt, else each stop; none if the agent
// shows nothing there, or runs the entry without a shell.
func Tells(d *protocol.Dialect) []string {
	if d.Config.Direct {
		return nil
	}
	for _, at := range []protocol.EventType{protocol.PreSession, protocol.PreAgentTurn, protocol.PreAgentTurnStop} {
		var names []string
		for _, n := range d.NativeEvents {
			shown := n.Can.Has(protocol.CanMessage) || at == protocol.PreAgentTurn && d.Overheard
			if !n.Manual && n.MapsTo[0] == at && shown {
				names = append(names, n.Name)
			}
		}
		if names != nil {
			return names
		}
	}
	return nil
}
