package behaviour

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Below is how a behaviour opens what lies below a project: until the context
// ends, and each folder once. refused is told what is not opened; nil: whom the
// Runtime names.
func (w *Runtime) Below(ctx context.Context, refused func(error)) func(dir string) *beneath.Root {
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
		c.below = c.Runtime.Below(c.Ctx, func(err error) {
			if text := err.Error(); !slices.Contains(c.refused, text) {
				c.refused = append(c.refused, text)
			}
		})
	}
	return c.below(dir)
}

// Ledger finds the ledger of a project, for a call in a working directory, each of
// them once; nil for the person's home directory, where everything is theirs. failed is told what
// cannot be read or noted; nil: whom the Runtime names.
func (w *Runtime) Ledger(workDir string, failed func(error)) func(root string) *ledger.Ledger {
	if failed == nil {
		failed = w.Unnoted
	}
	var mu sync.Mutex
	read := map[string]*ledger.Ledger{}
	return func(root string) *ledger.Ledger {
		if root = filepath.Clean(root); root == filepath.Clean(w.Home) {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		if read[root] == nil {
			home := root
			if w.Repository != nil {
				home = w.Repository(root)
			}
			read[root] = ledger.At(w.State, home)
			read[root].Failed = failed
			if w.Always != nil && w.Always(workDir) {
				read[root].Always()
			}
		}
		return read[root]
	}
}

// Ledger is that of a project. What fails stands in the log of the answer, and is
// told to the person once a session.
func (c *Call) Ledger(root string) *ledger.Ledger {
	if c.ledgers == nil {
		c.ledgers = c.Runtime.Ledger(c.WorkDir(), func(err error) {
			if text := err.Error(); !slices.Contains(c.unnoted, text) {
				c.unnoted = append(c.unnoted, text)
			}
		})
	}
	return c.ledgers(root)
}

// refusedMost is how many refusals of one call are told: a folder may hold
// thousands.
const refusedMost = 5

// tellRefused puts what was refused, and what could not be noted, into the answer.
func (c *Call) tellRefused(log protocol.Object) protocol.Object {
	c.tellOnce(&log, "refused", "not opened: ", c.refused)
	c.tellOnce(&log, "unnoted", "", c.unnoted)
	return log
}

// tellOnce puts texts into the log, and tells each to the person once a session.
func (c *Call) tellOnce(log *protocol.Object, name, head string, all []string) {
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	list := all[:min(len(all), refusedMost)]
	log.Set(name, protocol.TextList(list))
	fresh := list
	_ = c.State.Update(name, func(o protocol.Object) protocol.Object {
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
		said := head + strings.Join(fresh, "; ")
		if c.Answer.UserMessage != "" {
			said = c.Answer.UserMessage + "\n" + said
		}
		c.Answer.UserMessage = said
	}
}
