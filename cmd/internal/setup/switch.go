package setup

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// SettingsFile is the hooks.toml that a command edits.
func SettingsFile(sh *shell.Shell, set *discovery.Set, project bool) string {
	if !project {
		return filepath.Join(sh.Host.Config, "hooks.toml")
	}
	root := set.Project
	if root == "" {
		root = set.Root
	}
	return filepath.Join(root, ".agents", "hooks.toml")
}

// A Switched hook is what became of one name.
type Switched struct {
	Name    string           `json:"name"`
	Status  discovery.Status `json:"status"` // "" if there is no such hook here, or it is a behaviour
	Changed bool             `json:"changed"`
	Detail  string           `json:"detail"`
}

// SwitchOn enables built-in behaviours: install --with.
func SwitchOn(sh *shell.Shell, names []string, project, dry bool) (file string, err error) {
	set := hookset.All(sh.Host, sh.Host.WorkDir)
	f, err := OpenConfig(SettingsFile(sh, set, project))
	if err != nil {
		return "", err
	}
	text := f.Content
	for _, name := range names {
		if !IsBehaviour(set, name) {
			return "", shell.WithHint(fmt.Errorf("no built-in behaviour %q", name), "agents-hooks builtin list")
		}
		if text, err = discovery.SetBuiltin(text, name, true); err != nil {
			return "", fmt.Errorf("%s: %w", sh.Short(f.Real), err)
		}
	}
	if dry || bytes.Equal(text, f.Content) {
		return f.Real, nil
	}
	_, err = f.Write(text)
	return f.Real, err
}

// IsBehaviour reports whether built-in hooks go by a name: "memory", of
// memory-load and memory-flush.
func IsBehaviour(set *discovery.Set, name string) bool {
	return len(hookset.BehaviourHooks(set, name)) > 0
}

// Describe says what is now, which a lock, another file or the environment may
// have decided otherwise.
func (r *Switched) Describe(set *discovery.Set, off bool) {
	h := hookset.HookNamed(set, r.Name)
	if h == nil {
		r.describeBehaviour(set)
	} else {
		r.Status = h.Status
		switch {
		case off && h.Status == discovery.Disabled:
			r.Detail = "disabled"
		case off && h.Status == discovery.Ready:
			r.Detail = "still ready: it is locked, or of a layer that this does not reach"
		case h.Status == discovery.Disabled:
			r.Detail = "still disabled, by " + h.DisabledBy
		case h.Status == discovery.Ready:
			r.Detail = "enabled"
		default:
			r.Detail = fmt.Sprintf("%sd, and %s", map[bool]string{true: "disable", false: "enable"}[off], h.Status)
		}
	}
	if !r.Changed {
		r.Detail += " (as before)"
	}
}

func (r *Switched) describeBehaviour(set *discovery.Set) {
	hooks := hookset.BehaviourHooks(set, r.Name)
	if len(hooks) == 0 {
		r.Detail = "no longer disabled; there is no such hook here"
		return
	}
	ready := 0
	for _, h := range hooks {
		if h.Status == discovery.Ready {
			ready++
		}
	}
	r.Detail = fmt.Sprintf("%d of %s ready", ready, shell.Count(len(hooks), "built-in hook"))
}
