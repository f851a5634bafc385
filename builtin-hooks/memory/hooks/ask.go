package hooks

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/lang"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
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
		o.SetText("last_message", short(redact.Text(text), 500))
		return o
	})
}

// search adds memories that are about the prompt, if the settings want it, each
// once a session. The index is not linked here: a command looks.
func search(c *behaviour.Call) error {
	most := c.Settings.Of("recall").Int
	prompt := strings.TrimSpace(c.Event.Text("prompt"))
	if most == 0 || prompt == "" || !c.Can("context") || !filepath.IsAbs(c.Project()) {
		return nil
	}
	out, err := c.World.Tool(c.Ctx, c.Project(), c.Env, nil, "memory", "search", "--dir", c.Project(), "--max-results", strconv.Itoa(most), "--", short(prompt, 400))
	if err != nil {
		return err
	}
	answer, err := protocol.ParseObject(out)
	if err != nil {
		return err
	}
	var lines []string
	err = c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		known := texts(o.Get("recalled"))
		for _, raw := range protocol.ElementsOf(answer.Get("results")) {
			if f, ok := hit(protocol.ObjectOf(raw)); ok && !slices.Contains(known, f.ID) {
				known = append(known, f.ID)
				lines = append(lines, memory.FactLine(f, c.Now))
			}
		}
		o.Set("recalled", protocol.TextList(known[max(0, len(known)-200):]))
		return o
	})
	if len(lines) > 0 {
		in := lang.Of(c.Settings.Of("language").Text, c.Getenv)
		c.Say(memory.Fence(in, strings.Join(lines, "\n")), "agents-hooks memory search")
	}
	return err
}

// hit is one result of a search as a fact.
func hit(o protocol.Object) (memory.Fact, bool) {
	f := memory.Fact{ID: o.Text("id"), Kind: o.Text("type"), Content: o.Text("content"), Origin: o.Text("origin")}
	if f.Kind == "" {
		f.Kind = o.Text("kind")
	}
	f.Time, _ = time.Parse(time.RFC3339, o.Text("timestamp"))
	return f, f.ID != "" && f.Content != ""
}

func texts(raw protocol.Raw) (list []string) {
	for _, e := range protocol.ElementsOf(raw) {
		list = append(list, protocol.TextOf(e))
	}
	return list
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
