package approval

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A displaced hook is one that another would replace if that one were approved,
// whatever their events: only the name has to be the same.
type displaced struct {
	Name    string              `json:"name"`
	Layer   discovery.LayerName `json:"layer"`
	Trigger protocol.EventType  `json:"trigger"`
	Path    string              `json:"path"` // its folder, "" if it is built in
	Held    string              `json:"held"` // the lock that protects it, FILE:LINE, "" if none does
	Off     bool                `json:"off"`  // it is switched off now

	project string
}

// displacedBy are the hooks that a project's hook would replace: those of its name in
// weaker layers and in outer projects.
func displacedBy(h *discovery.Hook, all *discovery.Set) (list []displaced) {
	if h.Status == discovery.Broken || h.Status == discovery.Foreign {
		return nil
	}
	for _, other := range all.Hooks {
		off := other.Status == discovery.Disabled
		stands := off || other.Status == discovery.Ready || other.Status == discovery.Overridden
		outer := other.Layer != discovery.ProjectLayer || other.Project != h.Project && safefile.Inside(h.Project, other.Project)
		if other.Name == h.Name && stands && outer {
			list = append(list, displaced{other.Name, other.Layer, other.Trigger, other.Dir, all.LockOn(other.Name), off, other.Project})
		}
	}
	return list
}

// line is how the user is told.
func (d displaced) line(sh *shell.Shell) string {
	whose := map[discovery.LayerName]string{discovery.UserLayer: "your user hook", discovery.SystemLayer: "the system's hook", discovery.BuiltinLayer: "the built-in hook",
		discovery.ProjectLayer: "the hook of " + shell.Plain(sh.Short(d.project))}[d.Layer]
	what := fmt.Sprintf("%s %s (%s)", whose, shell.Plain(d.Name), d.Trigger)
	if d.Held != "" {
		return fmt.Sprintf("would replace %s, which %s keeps in its place", what, shell.Plain(sh.Short(d.Held)))
	}
	if d.Off {
		what += ", which is off"
	}
	return "replaces " + what
}
