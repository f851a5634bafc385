package behaviour

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Below is how a behaviour opens what lies below a project: until the context
// ends, and each folder once. refused is told what is not opened; nil: whom the
// World names.
func (w *World) Below(ctx context.Context, refused func(error)) func(dir string) *beneath.Root {
	if refused == nil {
		refused = w.Refused
	}
	var mu sync.Mutex
	opened := map[string]*beneath.Root{}
	return func(dir string) *beneath.Root {
		dir = filepath.Clean(dir)
		mu.Lock()
		defer mu.Unlock()
		if opened[dir] == nil {
			opened[dir] = &beneath.Root{Dir: dir, Ctx: ctx, Refused: refused, Touched: w.Touched}
		}
		return opened[dir]
	}
}

// Below opens what lies below a project, for as long as the call lasts. What is
// refused stands in the log of the answer, and is told to the person once a
// session, whatever the hook makes of it.
func (c *Call) Below(dir string) *beneath.Root {
	if c.below == nil {
		c.below = c.World.Below(c.Ctx, func(err error) {
			if text := err.Error(); !slices.Contains(c.refused, text) {
				c.refused = append(c.refused, text)
			}
		})
	}
	return c.below(dir)
}

// refusedMost is how many refusals of one call are told: a folder may hold
// thousands.
const refusedMost = 5

// tellRefused puts what was refused into the answer.
func (c *Call) tellRefused(log protocol.Object) protocol.Object {
	if len(c.refused) == 0 {
		return log
	}
	slices.Sort(c.refused)
	list := c.refused[:min(len(c.refused), refusedMost)]
	log.Set("refused", protocol.TextList(list))
	fresh := list
	_ = c.State.Update("refused", func(o protocol.Object) protocol.Object {
		fresh = nil
		for _, text := range list {
			if o.Get(text) == nil {
				fresh = append(fresh, text)
				o.Set(text, protocol.Raw("true"))
			}
		}
		return o
	})
	if len(fresh) > 0 {
		said := "not opened: " + strings.Join(fresh, "; ")
		if c.Answer.UserMessage != "" {
			said = c.Answer.UserMessage + "\n" + said
		}
		c.Answer.UserMessage = said
	}
	return log
}
