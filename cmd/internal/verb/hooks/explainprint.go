package hooks

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func printExplanation(sh *shell.Shell, x explained) {
	line := func(label, format string, args ...any) { printLabelled(sh, label, fmt.Sprintf(format, args...)) }
	if x.last != nil {
		printLast(sh, x.last, x.event.Type)
	}
	what := ""
	if hookset.FromAgent(x.event) {
		what = fmt.Sprintf(", from %s as %s", shell.Plain(x.event.Agent), shell.Plain(x.event.NativeEvent))
	}
	if x.sample {
		what += " (a sample)"
	}
	line("event", "%s%s%s", x.event.Type, what, eventarg.CallText(x.event))
	if len(x.also) > 0 {
		line("", "the same event also becomes %s; name one to see it", strings.Join(x.also, " and "))
	}
	line("project", "%s", orNone(sh, x.Project))
	line("root", "%s", orNone(sh, x.Root))
	label := "layers"
	for _, l := range x.Layers {
		line(label, "%-8s %s", l.Name, sh.Short(l.Dir))
		label = ""
	}
	var run, not []hookset.ExplainedHook
	for _, h := range x.Hooks {
		if h.Runs {
			run = append(run, h)
		} else {
			not = append(not, h)
		}
	}
	printRunning(sh, run)
	printNotRunning(sh, not)
}

func printLabelled(sh *shell.Shell, label, said string) {
	sh.Printf("%-8s %s\n", label, text.Wrap(said, sh.Columns()-9, "         "))
}

func orNone(sh *shell.Shell, path string) string {
	if path == "" {
		return "none"
	}
	return sh.Short(path)
}

func printRunning(sh *shell.Shell, hooks []hookset.ExplainedHook) {
	if len(hooks) == 0 {
		sh.Printf("\n%s\n", sh.Paint(shell.Bold, "nothing would run"))
		return
	}
	sh.Printf("\n%s\n", sh.Paint(shell.Bold, "would run, in this order"))
	for i, h := range hooks {
		how := "limit " + (time.Duration(h.Limit) * time.Millisecond).String()
		if h.Async {
			how += ", async"
		}
		sh.Printf("  %2d %s %-8s %s\n", i+1, text.Pad(shell.Plain(h.Name), 28), h.Layer, how)
		if h.Detail != "" {
			sh.Printf("     %s\n", text.Wrap(sh.Tidy(h.Detail), sh.Columns()-5, "     "))
		}
		if h.Dialect != "" {
			sh.Printf("     speaks %s\n", sh.Tidy(h.Dialect))
		}
		if h.Command.Given() {
			sh.Printf("     %s\n", text.Wrap("runs "+sh.Tidy(h.Command.String()), sh.Columns()-5, "     "))
		}
		if h.Sandbox != nil {
			sh.Printf("     %s\n", text.Wrap(sh.Tidy(h.Sandbox.Text()), sh.Columns()-5, "     "))
		}
		printNotes(sh, h)
		if h.Allow != "" {
			sh.Printf("     %s\n", text.Wrap("its allow "+sh.Tidy(h.Allow)+" (in your place)", sh.Columns()-5, "     "))
		}
		if len(h.StoppedBy) > 0 {
			sh.Printf("     %s\n", text.Wrap("not if one of these blocks: "+shell.Plain(strings.Join(h.StoppedBy, ", ")), sh.Columns()-5, "     "))
		}
	}
}

func printNotRunning(sh *shell.Shell, hooks []hookset.ExplainedHook) {
	if len(hooks) == 0 {
		return
	}
	sh.Printf("\n%s\n", sh.Paint(shell.Bold, "would not run, and the first reason"))
	for _, h := range hooks {
		if h.Gate == "trigger" { // most hooks of a list: one line each
			sh.Printf("   - %s %-8s waits for %s\n", text.Pad(shell.Plain(h.Name), 28), h.Layer, h.Trigger)
			printNotes(sh, h)
			continue
		}
		sh.Printf("   - %s %-8s %s\n", text.Pad(shell.Plain(h.Name), 28), h.Layer, cmp.Or(h.Gate, "not known"))
		if h.Detail != "" {
			sh.Printf("     %s\n", text.Wrap(sh.Tidy(h.Detail), sh.Columns()-5, "     "))
		}
		printNotes(sh, h)
		for i, s := range h.Tried {
			if i == 5 {
				sh.Printf("     … and %d more\n", len(h.Tried)-i)
				break
			}
			sh.Printf("     tried on %s\n", text.Clip(shell.Plain(fmt.Sprintf("%q", s)), 64))
		}
	}
}

// printNotes says what holds of a hook whether it runs or not.
func printNotes(sh *shell.Shell, h hookset.ExplainedHook) {
	if h.Disguised != "" {
		sh.Printf("     %s\n", text.Wrap(h.Disguised, sh.Columns()-5, "     "))
	}
	if h.Held != nil {
		sh.Printf("     %s\n", text.Wrap(sh.Tidy(h.Held.Text()), sh.Columns()-5, "     "))
	}
}
