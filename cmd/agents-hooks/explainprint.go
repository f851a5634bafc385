package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
)

func (t *tool) printExplanation(x *explanation, set *discovery.Set) {
	line := func(label, format string, args ...any) {
		t.printf("%-8s %s\n", label, wrap(fmt.Sprintf(format, args...), 70, "         "))
	}
	what := ""
	if agentForm(x.ev) {
		what = fmt.Sprintf(", from %s as %s", plain(x.ev.Agent), plain(x.ev.NativeEvent))
	}
	if x.sample {
		what += " (a sample)"
	}
	line("event", "%s%s%s", x.ev.Type, what, callText(x.ev))
	if len(x.also) > 0 {
		line("", "the same event also becomes %s; name one to see it", strings.Join(x.also, " and "))
	}
	line("project", "%s", t.orNone(x.Project))
	line("root", "%s", t.orNone(x.Root))
	label := "layers"
	for _, l := range set.Layers {
		line(label, "%-8s %s", l.Name, t.short(l.Dir))
		label = ""
	}
	var run, not []explainedHook
	for _, h := range x.Hooks {
		if h.Runs {
			run = append(run, h)
		} else {
			not = append(not, h)
		}
	}
	t.printRunning(run)
	t.printNotRunning(not)
}

func (t *tool) orNone(path string) string {
	if path == "" {
		return "none"
	}
	return t.short(path)
}

func (t *tool) printRunning(hooks []explainedHook) {
	if len(hooks) == 0 {
		t.printf("\n%s\n", t.paint(bold, "nothing would run"))
		return
	}
	t.printf("\n%s\n", t.paint(bold, "would run, in this order"))
	for i, h := range hooks {
		how := "limit " + (time.Duration(h.Limit) * time.Millisecond).String()
		if h.async {
			how += ", async"
		}
		t.printf("  %2d %-28s %-8s %s\n", i+1, plain(h.Name), h.Layer, how)
		if h.Detail != "" {
			t.printf("     %s\n", wrap(t.tidy(h.Detail), 74, "     "))
		}
		if len(h.StoppedBy) > 0 {
			t.printf("     %s\n", wrap("not if one of these blocks: "+plain(strings.Join(h.StoppedBy, ", ")), 74, "     "))
		}
	}
}

func (t *tool) printNotRunning(hooks []explainedHook) {
	if len(hooks) == 0 {
		return
	}
	t.printf("\n%s\n", t.paint(bold, "would not run, and the first reason"))
	for _, h := range hooks {
		t.printf("   - %-28s %-8s %s\n", plain(h.Name), h.Layer, h.Gate)
		if h.Detail != "" {
			t.printf("     %s\n", wrap(t.tidy(h.Detail), 74, "     "))
		}
		for i, s := range h.Tried {
			if i == 5 {
				t.printf("     … and %d more\n", len(h.Tried)-i)
				break
			}
			t.printf("     tried on %s\n", clip(plain(fmt.Sprintf("%q", s)), 64))
		}
	}
}
