package hookset

import (
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Row is what list says of one hook. Its JSON form is stable.
type Row struct {
	Name         string              `json:"name"`
	Description  string              `json:"description"`
	Layer        discovery.LayerName `json:"layer"`
	Dir          string              `json:"dir"`
	File         string              `json:"file"`
	Entry        string              `json:"entry"`
	Trigger      protocol.EventType  `json:"trigger"`
	Matcher      RowMatcher          `json:"matcher"`
	Priority     int                 `json:"priority"`
	Timeout      int64               `json:"timeout_ms"`
	Async        bool                `json:"async"`
	Status       discovery.Status    `json:"status"`
	Trusted      bool                `json:"trusted"`
	OverriddenBy string              `json:"overridden_by"`
	DisabledBy   string              `json:"-"`
	Sandbox      *Sandbox            `json:"sandbox"`
	Problems     []discovery.Problem `json:"problems"`
}

// A RowMatcher is what the event of a hook has to match, "" for anything.
type RowMatcher struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
	Command string `json:"command"`
	Path    string `json:"path"`
	Content string `json:"content"`
}

// A Sandbox is what a hook is held to. Its JSON form is stable.
type Sandbox struct {
	By       string `json:"by"`  // a setting's place, or the HOOK.md
	May      string `json:"may"` // in words
	Network  bool   `json:"network"`
	Required bool   `json:"required"`
}

// SandboxOf is what a hook is held to, nil for nothing.
func SandboxOf(h *discovery.Hook) *Sandbox {
	if h.Sandbox == nil {
		return nil
	}
	return &Sandbox{h.Sandbox.By, h.Sandbox.May(), h.Sandbox.Network, h.Sandbox.Required}
}

// Text says it on a line.
func (s *Sandbox) Text() string {
	if s.Required {
		return "in a sandbox, or not at all: " + s.May
	}
	return "in a sandbox: " + s.May
}

// Rows are hooks as list shows them.
func Rows(hooks []*discovery.Hook) []Row {
	rows := make([]Row, 0, len(hooks))
	for _, h := range hooks {
		rows = append(rows, Row{
			Name: h.Name, Description: h.Description, Layer: h.Layer, Dir: h.Dir, File: h.File, Entry: h.Entry.Path,
			Trigger: h.Trigger, Matcher: RowMatcher(h.Matcher), Priority: h.Priority, Timeout: h.Timeout.Milliseconds(),
			Async: h.Async, Status: h.Status, Trusted: h.Trusted, OverriddenBy: h.OverriddenBy, DisabledBy: h.DisabledBy, Sandbox: SandboxOf(h),
			Problems: append([]discovery.Problem{}, h.Problems...),
		})
	}
	return rows
}
