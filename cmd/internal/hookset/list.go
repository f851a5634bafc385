package hookset

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Instead is what happens to what cannot be said.
func Instead(e protocol.EventType, missing []string) string {
	if e == protocol.PreToolCall && slices.Contains(missing, "ask") && !slices.Contains(missing, "block") {
		return " An `ask` becomes a block with its reason."
	}
	return ""
}

// A ListedHook is one hook as list prints it (RULINGS 8).
type ListedHook struct {
	Name         string              `json:"name"`
	Description  string              `json:"description"`
	Layer        discovery.LayerName `json:"layer"`
	Dir          string              `json:"dir"`
	File         string              `json:"file"`
	Entry        string              `json:"entry"`
	Trigger      protocol.EventType  `json:"trigger"`
	Matcher      listedMatcher       `json:"matcher"`
	Priority     int                 `json:"priority"`
	Timeout      int64               `json:"timeout_ms"`
	Async        bool                `json:"async"`
	Status       discovery.Status    `json:"status"`
	Trusted      bool                `json:"trusted"`
	OverriddenBy string              `json:"overridden_by"`
	Problems     []discovery.Problem `json:"problems"`
}

type listedMatcher struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
}

// idleBuiltin reports a built-in hook that nobody has enabled. Only --all shows
// those.
func idleBuiltin(h *discovery.Hook) bool {
	return h.Layer == discovery.BuiltinLayer && h.Status == discovery.Disabled && h.DisabledBy == ""
}

func ListedHookOf(h *discovery.Hook) ListedHook {
	problems := h.Problems
	if problems == nil {
		problems = []discovery.Problem{}
	}
	return ListedHook{
		Name: h.Name, Description: h.Description, Layer: h.Layer, Dir: h.Dir, File: h.File, Entry: h.Entry.Path,
		Trigger: h.Trigger, Matcher: listedMatcher(h.Matcher), Priority: h.Priority, Timeout: h.Timeout.Milliseconds(),
		Async: h.Async, Status: h.Status, Trusted: h.Trusted, OverriddenBy: h.OverriddenBy, Problems: problems,
	}
}
