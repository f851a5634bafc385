package hookset

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Row is what list says about a hook. Its JSON form is stable.
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
	Refused      string              `json:"refused"` // when its user refused it in this state, "" if never
	OverriddenBy string              `json:"overridden_by"`
	DisabledBy   string              `json:"-"`
	Changed      bool                `json:"-"`        // untrusted, and approved in another state
	LeftOut      []discovery.LeftOut `json:"left_out"` // the agents in which it does not run
	Sandbox      *Sandbox            `json:"sandbox"`
	Held         *Hold               `json:"held"`     // null: no lock holds it
	Metadata     protocol.Object     `json:"metadata"` // all of it, as in the HOOK.md
	Dialect      string              `json:"dialect"`  // the agent whose protocol it uses, "" for the format's own
	Command      discovery.Command   `json:"command"`  // what runs instead of scripts/run; null: nothing
	MayAllow     bool                `json:"may_allow"`
	Problems     []discovery.Problem `json:"problems"`
	Disguised    string              `json:"disguised"` // for what it may pass, "" for nothing
}

// A RowMatcher is what a hook's event has to match, "" for anything.
type RowMatcher struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
	Command string `json:"command"`
	Path    string `json:"path"`
	Content string `json:"content"`
}

// A Sandbox is what a hook is confined to. Its JSON form is stable.
type Sandbox struct {
	By       string `json:"by"`  // a setting's place, or the HOOK.md
	May      string `json:"may"` // in words
	Network  bool   `json:"network"`
	Required bool   `json:"required"`
}

// SandboxOf is what a hook is confined to, nil for nothing.
func SandboxOf(h *discovery.Hook) *Sandbox {
	if h.Sandbox == nil {
		return nil
	}
	return &Sandbox{h.Sandbox.By, h.Sandbox.May(), h.Sandbox.Network, h.Sandbox.Required}
}

// Text is a sandbox on one line.
func (s *Sandbox) Text() string {
	if s.Required {
		return "in a sandbox, or not at all: " + s.May
	}
	return "in a sandbox: " + s.May
}

// A Hold is the lock that protects a hook.
type Hold struct {
	By      string            `json:"by"`       // a file:line
	OnError discovery.OnError `json:"on_error"` // what happens to an event that the hook cannot judge
	Against []string          `json:"against"`  // what it protects from at present
}

func holdOf(h *discovery.Hook) *Hold {
	if h.Held == nil {
		return nil
	}
	k := &Hold{By: h.Held.At, OnError: discovery.OnErrorBlock, Against: append([]string{}, h.Held.Against...)}
	if h.Held.Allow {
		k.OnError = discovery.OnErrorAllow
	}
	return k
}

// Text is a hold in words.
func (k *Hold) Text() string {
	text := "held by the lock at " + k.By
	if len(k.Against) > 0 {
		text += " against " + strings.Join(k.Against, ", ")
	}
	if k.OnError == discovery.OnErrorBlock {
		return text + "; what it cannot judge is blocked"
	}
	return text + "; its failure blocks nothing (on_error = \"allow\")"
}

// Disguised warns of a hook that may pass for another one, "" for all others.
func Disguised(h *discovery.Hook) string {
	w := cmp.Or(shell.Disguised("its name", h.Name), shell.Disguised("its folder", filepath.Base(h.Dir)))
	if w == "" && h.Command.Given() {
		w = shell.DisguisedLine("its command", h.Command.String())
	}
	return w
}

// Rows are hooks as list shows them.
func Rows(hooks []*discovery.Hook) []Row {
	rows := make([]Row, 0, len(hooks))
	for _, h := range hooks {
		rows = append(rows, Row{
			Name: h.Name, Description: h.Description, Layer: h.Layer, Dir: h.Dir, File: h.File, Entry: h.Entry.Path,
			Trigger: h.Trigger, Matcher: RowMatcher(h.Matcher), Priority: h.Priority, Timeout: h.Timeout.Milliseconds(),
			Async: h.Async, Status: h.Status, Trusted: h.Trusted, Refused: h.Refused, OverriddenBy: h.OverriddenBy, DisabledBy: h.DisabledBy, Changed: h.Changed, Sandbox: SandboxOf(h), MayAllow: h.MayAllow,
			LeftOut: append([]discovery.LeftOut{}, h.LeftOut...),
			Held:    holdOf(h), Metadata: Metadata(h),
			Dialect: h.Dialect, Command: h.Command,
			Problems: append([]discovery.Problem{}, h.Problems...), Disguised: Disguised(h),
		})
	}
	return rows
}
