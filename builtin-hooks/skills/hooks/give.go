package hooks

import (
	"context"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stateName is what the session's directory has of ours:
//
//	invoked  skills that were invoked
//	fits     prompts with a match that the request fits
//	given    how often each prompt was given to the context as it is
//	lasting  persistent prompts that the session was given
//	step     when the prompts of a step were given last, in milliseconds
//	restore  true if the persistent prompts are to be given again
//	noticed  true once the person knows of prompts that are not trusted
const stateName = "skills"

// A memo is that state while an event uses it.
type memo struct {
	invoked []string
	fits    []string
	lasting []string
	given   map[string]int
	order   []string // of given
	step    time.Time
	restore bool
}

func memoOf(o protocol.Object) *memo {
	m := &memo{invoked: protocol.TextsOf(o.Get("invoked")), fits: protocol.TextsOf(o.Get("fits")), lasting: protocol.TextsOf(o.Get("lasting")), given: map[string]int{}, restore: o.Bool("restore")}
	for _, g := range o.Sub("given") {
		if n, err := strconv.Atoi(string(g.Value)); err == nil && n > 0 {
			m.count(g.Name, n)
		}
	}
	if ms, err := strconv.ParseInt(string(o.Get("step")), 10, 64); err == nil && ms > 0 {
		m.step = time.UnixMilli(ms)
	}
	return m
}

func (m *memo) put(o *protocol.Object) {
	o.Set("invoked", protocol.TextList(m.invoked))
	o.Set("fits", protocol.TextList(m.fits))
	var given protocol.Object
	for _, id := range m.order {
		given = append(given, protocol.Member{Name: id, Value: protocol.Raw(strconv.Itoa(m.given[id]))})
	}
	o.Set("given", given.Raw())
	o.Set("lasting", protocol.TextList(m.lasting))
	if o.Delete("step"); !m.step.IsZero() {
		o.Set("step", strconv.AppendInt(nil, m.step.UnixMilli(), 10))
	}
	o.Set("restore", strconv.AppendBool(nil, m.restore))
}

func (m *memo) count(id string, n int) {
	if m.given[id] == 0 {
		m.order = append(m.order, id)
	}
	m.given[id] += n
}

func (m *memo) invoke(names []string) {
	for _, name := range names {
		if !slices.Contains(m.invoked, name) {
			m.invoked = append(m.invoked, name)
		}
	}
}

// forget says that the context was summarised: nothing that was given is in it any
// more.
func (m *memo) forget() { m.given, m.order = map[string]int{}, nil }

// A giving is the prompts that one event may give.
type giving struct {
	call  *behaviour.Call
	hooks []skills.Hook

	gave   []string // ids of what was given
	lasted []string // of those, what is persistent and had not been given before
	again  bool     // the persistent ones were to be given again
}

// matching is what the expressions of one event may take together, as those of
// hooks may.
const matching = time.Second

// found are the prompts that a condition holds for, of those that it could be
// tried on in time.
func (g *giving) found(holds func(*skills.Hook) bool) (ids []string) {
	ctx, cancel := context.WithTimeout(g.call.Ctx, matching)
	defer cancel()
	for i := range g.hooks {
		if h := &g.hooks[i]; ctx.Err() == nil && holds(h) {
			ids = append(ids, h.ID())
		}
	}
	return ids
}

// do changes the state, chooses which prompts are due, and says them. due is
// asked after the change.
func (g *giving) do(change func(*memo), due func(*memo, *skills.Hook) bool) error {
	c := g.call
	said := "" // the state may be written before the answer is
	var before, after time.Time
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		m := memoOf(o)
		before = m.step
		change(m)
		after = m.step
		if c.Can("context") {
			said = g.choose(m, due)
		}
		m.put(&o)
		return o
	})
	if said != "" {
		c.Say(said, "")
		c.Unanswered = func() { g.takeBack(before, after) }
	}
	return err
}

// takeBack undoes the marks of what was to be said and nobody was told, unless another
// event has set them since.
func (g *giving) takeBack(before, after time.Time) {
	_ = g.call.State.Update(stateName, func(o protocol.Object) protocol.Object {
		m := memoOf(o)
		for _, id := range g.gave {
			m.given[id] = max(0, m.given[id]-1)
		}
		m.order = slices.DeleteFunc(m.order, func(id string) bool { return m.given[id] == 0 })
		m.lasting = slices.DeleteFunc(m.lasting, func(id string) bool { return slices.Contains(g.lasted, id) })
		m.restore = m.restore || g.again
		if m.step.UnixMilli() == after.UnixMilli() {
			m.step = before
		}
		m.put(&o)
		return o
	})
}

// choose is the text of all prompts that are due, within the budget.
func (g *giving) choose(m *memo, due func(*memo, *skills.Hook) bool) string {
	c := g.call
	left := min(c.Settings.Of("budget").Int, c.Runtime.TextBudget)
	in := languageOf(c)
	text := ""
	var out []string
	for i := range g.hooks {
		h := &g.hooks[i]
		again := m.restore && h.Persistent && slices.Contains(m.lasting, h.ID())
		if !(again || due(m, h) && m.applies(h)) || h.MaxCopies > 0 && m.given[h.ID()] >= h.MaxCopies {
			continue
		}
		part := behaviour.Cut(block(in, h), left, in.Pick("the rest is in ", "其余见 ")+word(h.File))
		if part == "" {
			out = append(out, h.ID())
			continue
		}
		left -= utf8.RuneCountInString(part) + 2
		if text != "" {
			text += "\n\n"
		}
		text += part
		m.count(h.ID(), 1)
		g.gave = append(g.gave, h.ID())
		if h.Persistent && !slices.Contains(m.lasting, h.ID()) {
			m.lasting, g.lasted = append(m.lasting, h.ID()), append(g.lasted, h.ID())
		}
	}
	g.again, m.restore = m.restore, false
	if len(out) > 0 {
		c.Answer.Log = protocol.Object{{Name: "left_out", Value: protocol.TextList(out)}}.Raw()
	}
	return text
}

// applies asks the conditions of a prompt.
func (m *memo) applies(h *skills.Hook) bool {
	return (!h.Invoked || slices.Contains(m.invoked, h.Skill)) && (h.Match == "" || slices.Contains(m.fits, h.ID()))
}
