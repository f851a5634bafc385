package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

func (t *tool) explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say what would run for an event, and why not the rest",
		ArgsUsage: "[EVENT]",
		Description: "Takes an event from --input or stdin, in the format's own form or as an\n" +
			"agent sends it; with an EVENT such as pre-tool-call and no --input, a\n" +
			"sample of it. Runs nothing.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "input", Usage: "the event, from `FILE` (- for stdin)"},
			agentFlag(), nativeFlag(), dirFlag(), jsonFlag(),
		},
		Action: t.explain,
	}
}

// An explanation is the whole answer (RULINGS 8).
type explanation struct {
	Schema  int             `json:"schema"`
	Event   protocol.Raw    `json:"event"`
	Project string          `json:"project"` // root of the project, "" if there is none
	Root    string          `json:"root"`    // root of the repository
	Layers  []explainLayer  `json:"layers"`
	Hooks   []explainedHook `json:"hooks"`

	ev     *protocol.Event
	also   []string // what else the same native event becomes
	sample bool
}

type explainLayer struct {
	Name discovery.LayerName `json:"name"`
	Dir  string              `json:"dir"`
}

// An explainedHook says what becomes of one hook.
type explainedHook struct {
	Name      string              `json:"name"`
	Layer     discovery.LayerName `json:"layer"`
	Position  int                 `json:"position"`
	Runs      bool                `json:"runs"`
	Gate      string              `json:"gate"`
	Detail    string              `json:"detail"`
	Tried     []string            `json:"tried"`
	Limit     int64               `json:"limit_ms"`
	StoppedBy []string            `json:"may_be_stopped_by"`
	async     bool
}

func (t *tool) explain(c *cli.Context) error {
	words, err := args(c, 0, 1, "at most one event")
	if err != nil {
		return err
	}
	from, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	name := ""
	if len(words) > 0 {
		name = words[0]
		if !protocol.EventType(name).Known() {
			return noSuchEvent("explain", name)
		}
	}
	x := &explanation{Schema: 1}
	if err := t.explainEvent(c, x, name, from); err != nil {
		return err
	}
	src := t.host.Sources()
	if agentForm(x.ev) {
		// As the dispatcher does: an agent's environment grants no trust.
		src.TrustAlways = false
	}
	if x.ev.WorkDir == "" || c.IsSet("dir") {
		x.ev.WorkDir = from
	}
	set := t.load(src, x.ev.WorkDir, !agentForm(x.ev))
	x.fill(withoutIdle(set))
	for _, p := range set.Problems {
		t.problem(p)
	}
	if c.Bool("json") {
		return t.json(x)
	}
	t.printExplanation(x, set)
	return nil
}

// agentForm reports whether an event came, or would come, from an agent.
func agentForm(ev *protocol.Event) bool { return ev.NativeEvent != "" }

// explainEvent finds the event that is asked about.
func (t *tool) explainEvent(c *cli.Context, x *explanation, name, from string) error {
	if name != "" && !c.IsSet("input") {
		x.sample = true
		ev, err := t.specEvent(t.sample(protocol.EventType(name), from))
		if err != nil {
			return err
		}
		x.ev = ev
		return t.asAgent(c, x)
	}
	events, err := t.readEvents(c, name)
	if err != nil {
		return err
	}
	for _, ev := range events {
		if x.ev == nil && (name == "" || string(ev.Type) == name) {
			x.ev = ev
		} else {
			x.also = append(x.also, string(ev.Type))
		}
	}
	if x.ev == nil {
		return fmt.Errorf("explain: the event is %s, not %s", strings.Join(x.also, ", "), name)
	}
	return nil
}

// asAgent turns a sample into what an agent would send, where one is named.
func (t *tool) asAgent(c *cli.Context, x *explanation) error {
	id := c.String("agent")
	if id == "" {
		return nil
	}
	d, ok := agents.Lookup(id)
	if !ok || d.Config == nil {
		var err error
		if d, err = lookupAgent(id); err != nil {
			return err
		}
	}
	ev, ok := eventFor(d, x.ev)
	if !ok {
		return withHint(fmt.Errorf("explain: %s never happens on %s", x.ev.Type, d.Name), "agents-hooks agents "+d.ID)
	}
	x.ev = ev
	return nil
}

// fill asks each hook's gates, in the order in which the dispatcher does.
func (x *explanation) fill(set *discovery.Set) {
	x.Event = protocol.Raw(strings.TrimSpace(string(x.ev.JSON())))
	x.Project, x.Root = set.Project, set.Root
	x.Layers, x.Hooks = []explainLayer{}, []explainedHook{}
	for _, l := range set.Layers {
		x.Layers = append(x.Layers, explainLayer(l))
	}
	limit := nativeLimit(x.ev)
	var stoppers []string
	position := 0
	for _, e := range set.Explain(x.ev) {
		h := e.Hook
		hook := explainedHook{
			Name: h.Name, Layer: h.Layer, Runs: e.Gate == "", Gate: e.Gate, Detail: e.Detail, Tried: e.Tried,
			Limit: h.Timeout.Milliseconds(), StoppedBy: []string{}, async: h.Async,
		}
		if inOrder(e.Gate) {
			position++
			hook.Position = position
		}
		if limit > 0 {
			hook.Limit = min(hook.Limit, limit.Milliseconds())
		}
		if hook.Tried == nil {
			hook.Tried = []string{}
		}
		if hook.Runs {
			hook.StoppedBy = append(hook.StoppedBy, stoppers...)
			if !h.Async {
				stoppers = append(stoppers, h.Name)
			}
		}
		x.Hooks = append(x.Hooks, hook)
	}
	slices.SortStableFunc(x.Hooks, func(a, b explainedHook) int {
		return cmp.Compare(min(1, b.Position), min(1, a.Position))
	})
}

// inOrder reports whether a hook has a place in the order of the event. One that
// its matcher keeps out now has: an earlier hook may change what it is tried on.
func inOrder(gate string) bool { return gate == "" || gate == "tool" || gate == "pattern" }

// nativeLimit is what the agent's own time limit leaves for a hook: nine tenths,
// because the answer has to be out before the agent gives up. 0 is no limit.
func nativeLimit(ev *protocol.Event) time.Duration {
	d, ok := agents.Lookup(ev.Agent)
	if !ok || !agentForm(ev) {
		return 0
	}
	n, _ := d.Native(ev.NativeEvent)
	return n.Limit * 9 / 10
}
