package hookset

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// An Explanation is the whole answer (RULINGS 8).
type Explanation struct {
	Schema  int             `json:"schema"`
	Event   protocol.Raw    `json:"event"`
	Project string          `json:"project"` // root of the project, "" if there is none
	Root    string          `json:"root"`    // root of the repository
	Layers  []explainLayer  `json:"layers"`
	Hooks   []ExplainedHook `json:"hooks"`

	Ev     *protocol.Event `json:"-"`
	Also   []string        `json:"-"` // what else the same native event becomes
	Sample bool            `json:"-"`
}

type explainLayer struct {
	Name discovery.LayerName `json:"name"`
	Dir  string              `json:"dir"`
}

// An ExplainedHook says what becomes of one hook.
type ExplainedHook struct {
	Name      string              `json:"name"`
	Layer     discovery.LayerName `json:"layer"`
	Position  int                 `json:"position"`
	Runs      bool                `json:"runs"`
	Gate      string              `json:"gate"`
	Detail    string              `json:"detail"`
	Tried     []string            `json:"tried"`
	Limit     int64               `json:"limit_ms"`
	StoppedBy []string            `json:"may_be_stopped_by"`
	Async     bool                `json:"-"`
}

// AgentForm reports whether an event came, or would come, from an agent.
func AgentForm(ev *protocol.Event) bool { return ev.NativeEvent != "" }

// Fill asks each hook's gates, in the order in which the dispatcher does.
func (x *Explanation) Fill(set *discovery.Set) {
	x.Event = protocol.Raw(strings.TrimSpace(string(x.Ev.JSON())))
	x.Project, x.Root = set.Project, set.Root
	x.Layers, x.Hooks = []explainLayer{}, []ExplainedHook{}
	for _, l := range set.Layers {
		x.Layers = append(x.Layers, explainLayer(l))
	}
	limit := nativeLimit(x.Ev)
	var stoppers []string
	position := 0
	for _, e := range set.Explain(x.Ev) {
		h := e.Hook
		hook := ExplainedHook{
			Name: h.Name, Layer: h.Layer, Runs: e.Gate == "", Gate: e.Gate, Detail: e.Detail, Tried: e.Tried,
			Limit: h.Timeout.Milliseconds(), StoppedBy: []string{}, Async: h.Async,
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
	slices.SortStableFunc(x.Hooks, func(a, b ExplainedHook) int {
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
	if !ok || !AgentForm(ev) {
		return 0
	}
	n, _ := d.Native(ev.NativeEvent)
	return n.Limit * 9 / 10
}

// CallText shows the tool call of an event, in short.
func CallText(ev *protocol.Event) string {
	if ev.Call == nil {
		return ""
	}
	return ": " + shell.Plain(ev.Call.Name) + " " + shell.Clip(shell.Plain(string(ev.Call.Input.Raw())), 120)
}
