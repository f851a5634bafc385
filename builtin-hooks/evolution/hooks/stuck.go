package hooks

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stuck is evolution-stuck. It never blocks and never changes the command. Nearly
// always it only reads the journal of a session in which nothing failed.
func stuck(c *behaviour.Call) error {
	if !c.Settings.Of("stuck").Bool || !c.Can("context") || c.Session() == "" {
		return nil
	}
	command := commandOf(c.Event)
	j := journalOf(c).Troubled()
	if len(j.Entries) == 0 {
		return recall(c, command)
	}
	return offer(c, j, command)
}

// offer looks for a strategy if a command has failed as before, or is about to.
func offer(c *behaviour.Call, j journal.Journal, command string) error {
	found := journal.Stuck(j, command)
	if len(found) == 0 {
		return nil
	}
	if fresh, err := askedNow(c, found); err != nil || !fresh {
		return err
	}
	g, err := analyze(c, &j, found, command)
	if g.held {
		return err
	}
	if err != nil || g.id == "" {
		return errors.Join(err, nothingKnown(c, found[0]))
	}
	offer, err := offerNow(c, g, found, command)
	if err != nil || !offer {
		return err
	}
	c.Say(suggestion(langOf(c), g, found[0], c.Names(), c.Session()), "agents-hooks evolution show "+g.id)
	return nil
}

// askedNow reports whether a signal came up again since a strategy was last looked for,
// and records that one is looked for now. Without a new failure there is nothing new to
// say.
func askedNow(c *behaviour.Call, found []journal.Count) (fresh bool, err error) {
	err = c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		asked := o.Sub("asked").Clone()
		for _, n := range found {
			if integer(asked.Get(n.Name())) != n.N {
				fresh = true
				asked.Set(n.Name(), strconv.AppendInt(nil, int64(n.N), 10))
			}
		}
		if !fresh {
			return nil
		}
		o.Set("asked", asked.Raw())
		return o
	})
	return fresh, err
}

// A found gene, as printed by a command. All of it is somebody else's text.
type found struct {
	id, title  string
	steps      []string
	confidence int  // percent
	rate, runs int  // percent of how many runs
	helped     int  // how many of the runs
	held       bool // a gene fits, but is on hold
}

// analyze asks which gene fits. The command shows the technology: a gene for another
// one is no help.
func analyze(c *behaviour.Call, j *journal.Journal, signals []journal.Count, command string) (found, error) {
	args := []string{"--signals", list(signals), "--command", line(redact.Memory.Text(command), 400), "--session", c.Session()}
	if f := signals[0].Failure; f.ID != "" {
		args = append(args, "--failure", journal.FailureLine(&f))
		if j.Tried(f) {
			args = append(args, "--tried")
		}
	}
	if list := paused(c); len(list) > 0 {
		args = append(args, "--offered", strings.Join(list, ","))
	}
	if accountOf(c).Key != "" {
		args = append(args, "--remote") // local genes come first
	}
	o, err := ask(c, nil, "analyze", args...)
	if err != nil {
		return found{}, err
	}
	g := geneOf(o)
	g.held = o.Bool("held_out")
	g.id, g.confidence, g.helped = line(o.Text("gene_id"), 120), percent(o.Get("confidence")), integer(o.Get("helped"))
	if len(g.steps) == 0 {
		g.id = "" // a title alone is no help
	}
	return g, nil
}

// percent converts a number from 0 to 1 to percent.
func percent(raw protocol.Raw) int {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return 0
	}
	return int(min(max(f, 0), 1)*100 + 0.5)
}

func geneOf(o protocol.Object) found {
	return found{
		id: line(o.Text("id"), 120), title: inert(o.Text("title"), 160), steps: stepsOf(o.Get("strategy")),
		rate: percent(o.Get("success_rate")), runs: integer(o.Get("runs")),
	}
}

// raw is what geneOf reads from a gene without counted uses.
func (g *found) raw() protocol.Raw {
	var o protocol.Object
	o.SetText("id", g.id)
	o.SetText("title", g.title)
	o.Set("strategy", protocol.TextList(g.steps))
	return o.Raw()
}

func stepsOf(raw protocol.Raw) (steps []string) {
	for _, e := range protocol.ElementsOf(raw) {
		if s := inert(protocol.TextOf(e), 400); s != "" && len(steps) < 12 {
			steps = append(steps, s)
		}
	}
	return steps
}

// pauses reports whether what was offered at a time must not be offered again yet.
func pauses(c *behaviour.Call, last time.Time) bool {
	pause := time.Duration(c.Settings.Of("offer_pause_minutes").Int) * time.Minute
	return !last.IsZero() && c.Now.Sub(last) < pause && c.Now.Sub(last) >= 0
}

// paused are the genes that must not be offered again yet.
func paused(c *behaviour.Call) (list []string) {
	for _, m := range c.State.Read(stateName).Sub("offered") {
		if pauses(c, moment(m.Value)) && !strings.Contains(m.Name, ",") {
			list = append(list, m.Name)
		}
	}
	return list
}

// offerNow reports whether a gene may be offered, and records that it was: it is not
// offered again within the pause. Only the last suggestion is pending.
func offerNow(c *behaviour.Call, g found, signals []journal.Count, command string) (offer bool, err error) {
	err = c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		offered := o.Sub("offered").Clone()
		if pauses(c, moment(offered.Get(g.id))) {
			return nil
		}
		offer = true
		offered.Set(g.id, milli(c.Now))
		o.Set("offered", offered.Raw())
		p := journal.Pending{Gene: g.id, Title: g.title, Failure: signals[0].Failure.ID, Command: redact.Memory.Text(command), Call: c.Event.Text("tool_use_id"), At: c.Now}
		for _, n := range signals {
			p.Signals = append(p.Signals, n.Key)
		}
		o.Set("pending", pendingRaw(p))
		o.Set("last", g.raw())
		return o
	})
	return offer, err
}

// nothingKnown says once per session which signal keeps coming up.
func nothingKnown(c *behaviour.Call, n journal.Count) error {
	told := false
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		if told = o.Bool("told"); told {
			return nil
		}
		o.Set("told", protocol.Raw("true"))
		return o
	})
	if err == nil && !told {
		c.Say(unknown(langOf(c), n), "")
	}
	return err
}

func list(signals []journal.Count) string {
	names := make([]string, len(signals))
	for i, n := range signals {
		names[i] = string(n.Key)
	}
	return strings.Join(names, ",")
}
