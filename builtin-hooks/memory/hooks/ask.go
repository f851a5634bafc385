package hooks

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/lang"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// flush is memory-flush: the agent is asked to save what matters (MEM-10), on
// whatever channel there is (MEM-12).
func flush(c *behaviour.Call) error {
	size := transcript(c)
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		o.Delete("flushed")
		if size > 0 {
			o.Set("transcript_base", strconv.AppendInt(nil, size, 10))
		}
		return o
	})
	if !c.Settings.Of("flush").Bool {
		return err
	}
	r := requestOf(c)
	switch {
	case c.Settings.Of("flush_channel").Text == "user_message":
		c.Answer.UserMessage = r.flush()
		return err
	case c.Can("context"):
		c.Say(r.flush(), "")
	case c.Can("message"):
		c.Answer.UserMessage = r.compacting()
	}
	// Whoever makes the summary cannot run a command, and an agent that was told
	// may have been compacted before it could: it is asked again afterwards.
	return errors.Join(err, askAgain(c, r.flush()), stage(c))
}

// save is memory-session-save: the agent is asked for a summary as it stops.
func save(c *behaviour.Call) error {
	err := remember(c)
	status := c.Event.Text("status")
	if status != "" && status != "completed" && !(status == "aborted" && c.Settings.Of("save_on_aborted").Bool) || !c.MayContinue() {
		return err // MEM-14, MEM-16
	}
	saved, facts := storeOf(c).Saved(c.Session())
	due, flushed := false, facts > 0
	err = errors.Join(err, c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		w := workOf(c)
		asked := integer(o, "turn_asked")
		due = dueForSummary(c.Settings.Of("save_mode").Text, saved, facts, w, int(asked), o.Has("turn_asked"))
		if !due {
			return nil
		}
		o.Set("turn_asked", strconv.AppendInt(nil, int64(w.turns), 10))
		return o
	}))
	waiting, werr := c.State.Take(c.Now) // the stop is a channel too (COM-6)
	var texts []string
	for _, item := range waiting {
		texts = append(texts, item.Text)
		flushed = flushed || item.Kind == flushKind
	}
	if due {
		texts = append(texts, requestOf(c).save(flushed))
	}
	c.Answer.FollowupMessage = strings.Join(texts, "\n\n")
	return errors.Join(err, werr)
}

// work is what a session did so far.
type work struct {
	turns  int
	writes int
}

func workOf(c *behaviour.Call) (w work) {
	for _, o := range c.State.Spooled(spoolName) {
		switch {
		case o.Has("prompt"):
			w.turns++
		case o.Has("file"):
			w.writes++
		}
	}
	return w
}

// dueForSummary decides by the save_mode (MEM-17) whether a session is asked for
// its summary.
func dueForSummary(mode string, saved bool, facts int, w work, turnAsked int, asked bool) bool {
	worth := w.writes > 0 || w.turns >= 3
	switch mode {
	case "always": // the specification's letter: at every completion
		return !saved
	case "once":
		return !saved && !asked
	case "fallback":
		return !saved && facts == 0 && worth && !asked
	case "smart":
		if asked {
			return w.turns-turnAsked >= 10
		}
		return !saved && worth
	}
	return false
}

// remember keeps the agent's last message, for the summary of a session that
// nobody summarises.
func remember(c *behaviour.Call) error {
	text := c.Event.Sub("final_message").Text("content")
	if text == "" || c.Session() == "" {
		return nil
	}
	return c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		o.SetText("last_message", short(redact.Memory.Text(text), 500))
		return o
	})
}

// search finds memories that are about the prompt, if the settings want it, each
// once a session.
func search(c *behaviour.Call) ([]memory.Fact, error) {
	most := c.Settings.Of("recall").Int
	prompt := strings.TrimSpace(c.Event.Text("prompt"))
	if most == 0 || prompt == "" || !c.Can("context") || !filepath.IsAbs(c.Project()) {
		return nil, nil
	}
	found, err := lookUp(c, find.Query{Text: short(prompt, 400), Max: most, Method: find.Hybrid, Now: c.Now})
	if len(found) == 0 {
		return nil, err
	}
	known := map[string]bool{}
	for _, o := range c.State.Spooled(spoolName) {
		for _, raw := range protocol.ElementsOf(o.Get("recalled")) {
			known[protocol.TextOf(raw)] = true
		}
	}
	return slices.DeleteFunc(found, func(f memory.Fact) bool { return known[f.ID] }), err
}

func ids(facts []memory.Fact) protocol.Raw {
	var list []string
	for _, f := range facts {
		list = append(list, f.ID)
	}
	return protocol.TextList(list)
}

// sayFound adds what was found to what the agent is told.
func sayFound(c *behaviour.Call, facts []memory.Fact) {
	if len(facts) == 0 {
		return
	}
	var own, theirs []string
	for _, f := range facts {
		if f.Origin == find.FromRepository {
			f.Content = find.Harmless(f.Content, f.Origin) // while it has lines
			theirs = append(theirs, memory.FactLine(f, c.Now))
		} else {
			own = append(own, memory.FactLine(f, c.Now))
		}
	}
	in := lang.Of(c.Settings.Of("language").Text, c.Getenv)
	if own != nil {
		c.Say(memory.Fence(in, strings.Join(own, "\n")), "agents-hooks memory search")
	}
	if theirs != nil {
		c.Say(memory.FenceRepository(in, strings.Join(theirs, "\n")), "agents-hooks memory search")
	}
}

// lookUp searches the snapshots of the memory folders (G17). Where there is none
// yet, or vectors are those of an endpoint, a command asks the index, which is
// not linked here.
func lookUp(c *behaviour.Call, q find.Query) (facts []memory.Fact, err error) {
	if days := c.Settings.Of("recency_days").Int; days > 0 {
		q.HalfLife = time.Duration(days) * 24 * time.Hour
	}
	var e find.Embedder
	switch c.Settings.Of("embedding").Text {
	case "hash":
		e = find.Hash{}
	case "http":
		return lookUpIndex(c, q)
	}
	shelves := find.Shelves(c.Settings.Of("scope").Text, storeOf(c), c.World.Cache)
	found, ok, err := find.Quick(c.Ctx, shelves, e, q, c.Now)
	if !ok && err == nil {
		return lookUpIndex(c, q)
	}
	for _, h := range found {
		facts = append(facts, memory.Fact{ID: h.ID, Kind: cmp.Or(h.Type, h.Kind), Content: h.Content, Origin: h.Origin, Time: h.Time})
	}
	return facts, err
}

func lookUpIndex(c *behaviour.Call, q find.Query) (facts []memory.Fact, err error) {
	out, err := c.World.Tool(c.Ctx, c.Project(), c.Env, nil, "memory", "search", "--dir", c.Project(), "--max-results", strconv.Itoa(q.Max), "--", q.Text)
	if err != nil {
		return nil, err
	}
	answer, err := protocol.ParseObject(out)
	for _, raw := range protocol.ElementsOf(answer.Get("results")) {
		o := protocol.ObjectOf(raw)
		f := memory.Fact{ID: o.Text("id"), Kind: cmp.Or(o.Text("type"), o.Text("kind")), Content: o.Text("content"), Origin: o.Text("origin")}
		f.Time, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
		if f.ID != "" && f.Content != "" {
			facts = append(facts, f)
		}
	}
	return facts, err
}
