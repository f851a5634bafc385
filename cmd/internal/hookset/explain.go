package hookset

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// An Explanation says what would happen to an event. Its JSON form is stable.
type Explanation struct {
	Schema  int             `json:"schema"`
	Event   protocol.Raw    `json:"event"`
	Project string          `json:"project"` // root of the project, "" if there is none
	Root    string          `json:"root"`    // root of the repository
	Layers  []Layer         `json:"layers"`
	Hooks   []ExplainedHook `json:"hooks"`
}

// A Layer is a place that was searched.
type Layer struct {
	Name discovery.LayerName `json:"name"`
	Dir  string              `json:"dir"`
}

// An ExplainedHook says what would happen to one hook.
type ExplainedHook struct {
	Name      string              `json:"name"`
	Layer     discovery.LayerName `json:"layer"`
	Position  int                 `json:"position"` // in the order of the event, 0 for none
	Runs      bool                `json:"runs"`
	Gate      string              `json:"gate"` // the gate that excludes it, "" for none
	Detail    string              `json:"detail"`
	Tried     []string            `json:"tried"` // what its matcher was tried on
	Limit     int64               `json:"limit_ms"`
	StoppedBy []string            `json:"may_be_stopped_by"`
	Held      *Hold               `json:"held"`
	Allow     string              `json:"allow"` // what happens to its allow on a permission: "counts", or why it does not; "" elsewhere
	Async     bool                `json:"-"`
	Trigger   protocol.EventType  `json:"-"`
	OfInput   bool                `json:"-"` // its matcher looks at more than the tool's name
	Sandbox   *Sandbox            `json:"sandbox"`
	Dialect   string              `json:"dialect"` // the agent whose protocol it uses, "" for the format's own
	Command   discovery.Command   `json:"command"` // what runs instead of scripts/run; null: nothing
	Disguised string              `json:"disguised"`
}

// Explain asks each hook's gates, in the dispatcher's order. Hooks with a place in
// the event's order come first.
func Explain(set *discovery.Set, ev *protocol.Event) *Explanation {
	x := &Explanation{
		Schema: 1, Event: protocol.Raw(bytes.TrimSpace(ev.JSON())),
		Project: set.Project, Root: set.Root, Layers: []Layer{}, Hooks: []ExplainedHook{},
	}
	for _, l := range set.Layers {
		x.Layers = append(x.Layers, Layer(l))
	}
	limit := nativeLimit(ev)
	var stoppers []string
	position := 0
	for _, e := range set.Explain(ev) {
		h := e.Hook
		hook := ExplainedHook{
			Name: h.Name, Layer: h.Layer, Runs: e.Gate == "", Gate: e.Gate, Detail: e.Detail, Tried: append([]string{}, e.Tried...),
			Limit: h.Timeout.Milliseconds(), StoppedBy: []string{}, Held: holdOf(h), Async: h.Async, Trigger: h.Trigger, OfInput: h.Matcher != discovery.Matcher{Tool: h.Matcher.Tool}, Sandbox: SandboxOf(h),
			Dialect: h.Dialect, Command: h.Command, Disguised: Disguised(h),
		}
		if inOrder(e.Gate) {
			position++
			hook.Position = position
		}
		if limit > 0 {
			hook.Limit = min(hook.Limit, limit.Milliseconds())
		}
		if hook.Runs && h.MayAllow && !h.Async && ev.Type.Permits() {
			if hook.Allow = "counts"; h.Sandbox != nil {
				hook.Allow = "does not count: a hook in a sandbox gives no permission"
			} else if why := h.Covers(ev, &discovery.Budget{}); why != "" {
				hook.Allow = "does not count: " + why
			}
		}
		if hook.Runs {
			hook.StoppedBy = append(hook.StoppedBy, stoppers...)
			if !h.Async {
				stoppers = append(stoppers, h.Name)
			}
		}
		x.Hooks = append(x.Hooks, hook)
	}
	order.By(x.Hooks, func(a, b ExplainedHook) int {
		return cmp.Compare(min(1, b.Position), min(1, a.Position))
	})
	return x
}

// FromAgent reports whether an event came, or would come, from an agent.
func FromAgent(ev *protocol.Event) bool { return ev.NativeEvent != "" }

// inOrder reports whether a hook has a place in the event's order. One that only its
// matcher excludes has one: an earlier hook may change what it is tried on.
func inOrder(gate string) bool {
	return slices.Contains([]string{"", "tool", "pattern", "command", "path", "content"}, gate)
}

// nativeLimit is what the agent's own time limit leaves for a hook: nine tenths,
// because the answer has to arrive before the agent gives up. 0 is no limit.
func nativeLimit(ev *protocol.Event) time.Duration {
	d, ok := agents.Lookup(ev.Agent)
	if !ok || !FromAgent(ev) {
		return 0
	}
	n, _ := d.Native(ev.NativeEvent)
	return n.Limit * 9 / 10
}
