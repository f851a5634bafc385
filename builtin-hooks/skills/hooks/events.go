package hooks

import (
	"slices"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// began is skills-session. A session that goes on may have lost what it was told;
// any other begins without marks.
func began(c *behaviour.Call) error {
	source := c.Event.Text("source")
	if source != "compact" && source != "resume" {
		return c.State.Update(stateName, func(o protocol.Object) protocol.Object { return protocol.Object{} })
	}
	g := giving{call: c}
	if c.Can("context") {
		g.hooks = open(c).hooks(func(h *skills.Hook) bool { return h.Persistent })
	}
	return g.do(func(m *memo) {
		if m.restore = true; source == "compact" {
			m.forget()
		}
	}, func(*memo, *skills.Hook) bool { return false })
}

// unmarked reports that a session has no marks yet, so that there is nothing to
// clear and nothing to give again.
func unmarked(c *behaviour.Call) bool { return len(c.State.Read(stateName)) == 0 }

// bare reports that there is no folder in which a skill could lie.
func bare(c *behaviour.Call) bool {
	var in *beneath.Root
	if project := projectOf(c); project != "" {
		in = c.Below(project)
	}
	for _, dirs := range [][]string{ProjectDirs(projectOf(c), c.Runtime.Home), UserDirs(c.Runtime.Config, c.Runtime.Home)} {
		for _, dir := range dirs {
			if _, err := in.Stat(dir); err == nil {
				return false
			}
		}
		in = nil // the person's
	}
	return true
}

// turn is skills-turn. Only what a person asked begins a request; a notice that
// the agent itself sends begins another run of its loop; what a subagent is told
// is neither.
func turn(c *behaviour.Call) error {
	source := c.Event.Text("source")
	person := source == "" || source == "user"
	if !person && source != "notification" {
		return nil
	}
	s := open(c)
	warn(c, s)
	if len(s.chosen) == 0 {
		return nil
	}
	prompt := c.Event.Text("prompt")
	timings := map[skills.Timing]bool{
		skills.AfterUserInput: person, skills.BeforePlanning: c.Event.Text("permission_mode") == "plan",
		skills.BeforeEachAgent: true, skills.BeforeFirstAgent: true,
	}
	g := giving{call: c, hooks: s.hooks(func(h *skills.Hook) bool { return timings[h.Timing] || h.Match != "" || h.Persistent })}
	called := invokedByPrompt(prompt, s.chosen)
	if len(g.hooks) == 0 && len(called) == 0 {
		return nil
	}
	var fits []string
	if person {
		fits = g.found(func(h *skills.Hook) bool { return h.Match != "" && h.Fits(prompt) })
	}
	return g.do(func(m *memo) {
		m.invoke(called)
		m.step = c.Now
		if person {
			m.fits = fits
		}
	}, func(_ *memo, h *skills.Hook) bool { return timings[h.Timing] })
}

// tool is skills-tool and skills-tool-failure: every call of a tool pays for it.
func tool(c *behaviour.Call) error {
	s := open(c)
	warn(c, s)
	if len(s.chosen) == 0 {
		return nil
	}
	names := toolNames(c.Event)
	marks := c.State.Read(stateName)
	restore := marks.Bool("restore")
	g := giving{call: c, hooks: s.hooks(func(h *skills.Hook) bool {
		return h.Timing == skills.AfterToolCall || h.Timing == skills.BeforeEachAgent || restore && h.Persistent
	})}
	wanted := g.found(func(h *skills.Hook) bool { return len(h.Tools) > 0 && h.Wants(names...) })
	wants := func(h *skills.Hook) bool { return len(h.Tools) == 0 || slices.Contains(wanted, h.ID()) }
	g.hooks = slices.DeleteFunc(g.hooks, func(h skills.Hook) bool { return !wants(&h) && !(restore && h.Persistent) })
	called := invokedByTool(c.Event, names, s.chosen)
	if len(called) > 0 && containsAll(protocol.TextsOf(marks.Get("invoked")), called) {
		called = nil
	}
	if len(g.hooks) == 0 && len(called) == 0 {
		return nil
	}
	var newStep bool
	return g.do(func(m *memo) {
		m.invoke(called)
		if newStep = m.newStep(c); newStep {
			m.step = c.Now
		}
	}, func(_ *memo, h *skills.Hook) bool {
		return h.Timing == skills.AfterToolCall && wants(h) || h.Timing == skills.BeforeEachAgent && newStep
	})
}

// newStep reports whether a tool call is of another step than the one that was
// given its prompts last.
func (m *memo) newStep(c *behaviour.Call) bool {
	start := c.Now
	if ms, err := strconv.ParseFloat(string(c.Event.Get("duration_ms")), 64); err == nil && ms > 0 {
		start = start.Add(-time.Duration(ms * float64(time.Millisecond)))
	}
	gap := time.Duration(c.Settings.Of("step_gap").Int) * time.Millisecond
	return m.step.IsZero() || start.Sub(m.step) >= gap
}

// toolNames are all names that a tool goes by: the portable one and the agent's
// own, which stands in its payload under one of a few keys.
func toolNames(ev protocol.Object) []string {
	names := []string{ev.Text("tool_name")}
	native := ev.Sub("context").Sub("native")
	for _, key := range [...]string{"tool_name", "toolName", "tool"} {
		if name := native.Text(key); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func containsAll(list, words []string) bool {
	for _, w := range words {
		if !slices.Contains(list, w) {
			return false
		}
	}
	return true
}

// warn says once a session that there are prompts which nobody approved.
func warn(c *behaviour.Call, s *catalog) {
	if len(s.untrusted) == 0 || !c.Can("message") || c.State.Read(stateName).Bool("noticed") {
		return
	}
	// What is not a prompt of a skill (a file of that name may be an agent's own)
	// deserves no notice. Nothing is taken from it but that it has entries.
	with := slices.DeleteFunc(s.untrusted, func(f Found) bool {
		entries := 0
		f.Hooks(func(*skills.Hook) bool { entries++; return false })
		return entries == 0
	})
	if len(with) == 0 {
		return
	}
	first := true
	_ = c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		if first = !o.Bool("noticed"); !first {
			return nil
		}
		o.Set("noticed", protocol.Raw("true"))
		return o
	})
	if first {
		c.Answer.UserMessage = notice(languageOf(c), with, c.Project())
	}
}
