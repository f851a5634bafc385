package behaviour

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// twice is how far apart two calls of one event may be.
const twice = 2 * time.Second

// Main is a hook as the runner sees it: a function with the contract of a
// process.
func Main(b *Behaviour, h *Hook, w *Runtime) func(ctx context.Context, env []string, stdin []byte, stdout, stderr io.Writer) int {
	return func(ctx context.Context, env []string, stdin []byte, stdout, stderr io.Writer) int {
		ev, err := protocol.ParseObject(stdin)
		if err != nil || ev.Text("event_type") == "" {
			return 0
		}
		ctx, cancel := within(ctx, h.Timeout)
		defer cancel()
		c := NewCall(ctx, b, w, env, ev)
		c.Answer = h.once(c)
		if c.Answer.Decision == protocol.Block {
			_, _ = io.WriteString(stderr, c.Answer.Reason)
			return 2
		}
		_, err = stdout.Write(c.Answer.JSON())
		switch {
		case c.Unanswered == nil:
		case err != nil:
			c.Unanswered()
		default:
			w.given(c.Unanswered)
		}
		return 0
	}
}

// NewCall is one event for the hooks of a behaviour.
func NewCall(ctx context.Context, b *Behaviour, w *Runtime, env []string, ev protocol.Object) *Call {
	c := &Call{
		Ctx: ctx, Runtime: w, Env: env, Event: ev, Now: w.Now(),
		reader: b.Reader(w),
	}
	c.Settings = c.reader.For(ev.Text("work_dir"), env)
	if id := c.Session(); id != "" {
		c.State = session.At(w.Session(id))
	}
	return c
}

// within ends a tenth before the limit of the hook, and before that of ctx.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if last, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(last))
	}
	return context.WithTimeout(ctx, limit-limit/10)
}

// once runs the hook, unless it has just answered the same event.
func (h *Hook) once(c *Call) protocol.Outcome {
	if h.Idle != nil && h.Idle(c) && len(c.refused) == 0 { // what was not opened is told
		return c.Answer
	}
	if h.Trigger.IsTool() || h.Fresh {
		return h.answer(c)
	}
	answer, err := c.State.Once(h.Name, digest(c.Event), c.Now, twice, func() []byte {
		o := h.answer(c)
		if o.Decision == protocol.Block {
			return protocol.Object{{Name: blocked, Value: protocol.Quote(o.Reason)}}.Raw()
		}
		return o.JSON()
	})
	if err != nil {
		// A guard that cannot be kept is no reason not to answer.
		return c.Answer
	}
	a, _ := protocol.ParseAnswer(answer)
	for _, m := range a.Extra {
		if m.Name == blocked {
			return protocol.Outcome{Decision: protocol.Block, Reason: protocol.TextOf(m.Value)}
		}
	}
	return a.Outcome
}

// answer is what the hook has to say. An error takes nothing of that away: it
// goes into the log.
func (h *Hook) answer(c *Call) protocol.Outcome {
	log := protocol.Object{}
	if err := h.Run(c); err != nil {
		log.SetText("error", err.Error())
	} else if given, err := protocol.ParseObject(c.Answer.Log); err == nil {
		log = given
	}
	if log = c.tellRefused(log); len(log) > 0 {
		c.Answer.Log = log.Raw()
	}
	return c.Answer
}

// blocked is how the guard remembers a block, which has no JSON form of its own.
const blocked = "blocked"

// digest is what is the same in two calls of one event: all but the time and
// what the dispatcher tells of the agent.
func digest(ev protocol.Object) string {
	sum := sha256.New()
	for _, m := range ev {
		switch m.Name {
		case "timestamp", "context", "tool_use_id":
		default:
			io.WriteString(sum, m.Name)
			sum.Write([]byte{0})
			sum.Write(protocol.AppendValue(nil, m.Value))
			sum.Write([]byte{0})
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// Digest tells two calls of a tool event from two events: it is the same for
// those of one id, or where there is no id of the same content.
func (c *Call) Digest() string {
	if id := c.Event.Text("tool_use_id"); id != "" {
		return id
	}
	return digest(c.Event)
}
