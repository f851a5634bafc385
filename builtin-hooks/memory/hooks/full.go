package hooks

import (
	"strconv"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A fill says how full the context is.
type fill struct {
	percent int
	tokens  int64 // 0: only the percentage is known
	window  int64 // its capacity
	sure    bool  // the agent reports the window, or the percentage itself
}

// big is the window that is assumed if the context is larger than the settings say.
const big = 1_000_000

// fullness is what the agent reports, in the event or in its transcript. It is never estimated:
// if an agent reports nothing, nothing is known.
func fullness(c *behaviour.Call) (f fill) {
	if p, err := strconv.ParseFloat(string(c.Event.Get("usage_percent")), 64); err == nil {
		return fill{percent: int(p), tokens: integer(c.Event, "context_tokens"), sure: true}
	}
	told := c.Event.Sub("usage")
	f.tokens, f.window = told.Int("context_tokens"), told.Int("context_window")
	if n := integer(c.Event, "context_tokens"); n > 0 {
		f.tokens = n
	}
	if told == nil && f.tokens == 0 && protocol.EventType(c.Event.Text("event_type")).IsTool() && c.Runtime.Usage != nil {
		u := c.Runtime.Usage()
		f.tokens, f.window = u.ContextTokens, u.ContextWindow
	}
	if f.sure = f.window > 0; !f.sure {
		f.window = int64(c.Settings.Of("context_tokens").Int)
		if f.tokens > f.window {
			f.window = max(f.tokens, big)
		}
	}
	f.percent = int(f.tokens * 100 / f.window)
	return f
}

// early asks, once between compactions, what should be saved, when the context is nearly full:
// later it is not possible.
func early(c *behaviour.Call) {
	if !c.Can("context") || onlyPlans(c) {
		return
	}
	now, full := filling(c)
	if !full {
		return
	}
	_ = home(c)
	if keeps(c, storeOf(c)) {
		_ = c.State.Drop(flushKind)
		c.Say(requestOf(c).flush(now), "")
	}
}

// filling reports whether to ask the agent now, and records that. A transcript still has the
// figure from before a compaction until the next answer, which does not describe the present
// context. If the assumed window was too small, it asks again in the larger one.
func filling(c *behaviour.Call) (now fill, due bool) {
	at := c.Settings.Of("flush_at").Int
	if !c.Settings.Of("flush").Bool || at == 0 || c.Session() == "" {
		return now, false
	}
	if now = fullness(c); now.percent < at {
		return now, false
	}
	asked := func(o protocol.Object) bool {
		return now.tokens > 0 && now.tokens == integer(o, "compacted") || o.Has("flushed") && now.window <= integer(o, "flushed")
	}
	if asked(c.State.Read(stateName)) {
		return now, false
	}
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		if due = !asked(o); !due {
			return nil
		}
		o.Set("flushed", strconv.AppendInt(nil, now.window, 10))
		return o
	})
	return now, due && err == nil
}
