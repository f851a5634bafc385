package builtin

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// switched is the result for one name.
type switched struct {
	Name    string           `json:"name"`
	Status  discovery.Status `json:"status"` // "" if there is no such hook here, or it is a behaviour
	Changed bool             `json:"changed"`
	Detail  string           `json:"detail"`
}

// edited is the hooks.toml in which names were switched.
type edited struct {
	file   string
	hooks  []switched
	notYet bool // it is a project's, and waits for approval
}

// switchHooks edits a hooks.toml: for all names, or for none.
func switchHooks(sh *shell.Shell, o switchOptions) (edited, error) {
	before := hookset.All(sh.Host, o.dir)
	for _, name := range o.names {
		if h := hookset.HookNamed(before, name); h != nil && h.Layer == discovery.BuiltinLayer || h == nil && setup.IsBehaviour(before, name) {
			continue // a service to the agent, which guards nothing
		}
		if err := sh.OnlyPerson(o.command() + " " + shell.Plain(name)); err != nil {
			return edited{}, err
		}
	}
	if o.off {
		for _, name := range o.names {
			if err := locked(sh, before, name); err != nil {
				return edited{}, err
			}
		}
	}
	file, err := setup.OpenConfig(setup.SettingsFile(sh.Host, before, o.project), setup.SettingsProject(before, o.project))
	if err != nil {
		return edited{}, fmt.Errorf("%s: %w", o.command(), err)
	}
	text, hooks := file.Content, make([]switched, len(o.names))
	for i, name := range o.names {
		next, err := o.edit(before, text, name)
		if err != nil {
			return edited{}, fmt.Errorf("%s: %s: %w", o.command(), sh.Short(file.Real), err)
		}
		hooks[i] = switched{Name: name, Changed: !bytes.Equal(next, text)}
		// A hook that is switched off by name may be gone; it can still be switched on.
		if !o.known(before, name) && (o.off || !hooks[i].Changed) {
			return edited{}, unknownHook(o.command(), before, name)
		}
		text = next
	}
	if len(bytes.TrimSpace(text)) == 0 && len(text) < len(file.Content) && !file.Linked {
		text = nil // an empty file says nothing, and would wait for approval in a project; a link may be a dotfiles manager's
	}
	if !setup.Same(text, file.Content) {
		if _, err := file.Write(text); err != nil {
			return edited{}, fmt.Errorf("%s: %w", o.command(), err)
		}
	}
	after := hookset.All(sh.Host, o.dir)
	notYet := o.project && warned(after, file.Real)
	for i := range hooks {
		hooks[i].describe(sh, after, o, notYet)
	}
	return edited{file.Real, hooks, notYet}, nil
}

// locked refuses to switch off a locked hook: the setting would have no effect.
func locked(sh *shell.Shell, set *discovery.Set, name string) error {
	names := []string{name}
	for _, h := range hookset.BehaviourHooks(set, name) {
		if h.Status == discovery.Ready {
			names = append(names, h.Name)
		}
	}
	for _, n := range names {
		if at := set.LockOn(n); at != "" {
			return setup.Locked(sh, "disable", n, at)
		}
	}
	return nil
}

// edit changes the text of a hooks.toml: for a hook, in some agents or all, or for all hooks of
// a built-in behaviour.
func (o switchOptions) edit(set *discovery.Set, text []byte, name string) ([]byte, error) {
	if len(o.agents) > 0 {
		return discovery.SetLeftOut(text, name, o.agents, o.off)
	}
	if hookset.HookNamed(set, name) == nil && setup.IsBehaviour(set, name) {
		return discovery.SetBuiltin(text, name, "enabled", !o.off)
	}
	return discovery.SetDisabled(text, name, o.off)
}

// known reports whether a name can be switched here.
func (o switchOptions) known(set *discovery.Set, name string) bool {
	if hookset.HookNamed(set, name) != nil {
		return true
	}
	if len(o.agents) == 0 {
		return setup.IsBehaviour(set, name)
	}
	plugin, all := strings.CutSuffix(name, "/*")
	return all && slices.ContainsFunc(set.Hooks, func(h *discovery.Hook) bool { return h.Plugin == plugin && plugin != "" })
}

// warned reports whether there is a warning about a file.
func warned(set *discovery.Set, file string) bool {
	return slices.ContainsFunc(set.Problems, func(p discovery.Problem) bool { return p.File == file && p.Severity == discovery.Warning })
}

// unknownHook is the error for a name that no hook has here; it suggests the nearest one.
func unknownHook(command string, set *discovery.Set, name string) error {
	names := hookset.Names(set)
	for _, h := range set.Hooks {
		if h.Behaviour != "" {
			names = append(names, h.Behaviour)
		}
	}
	return shell.NotHere(command, "hook", name, names, "agents-hooks list --all")
}

// describe reports the resulting state, which a lock, another file or the environment may have
// determined.
func (r *switched) describe(sh *shell.Shell, set *discovery.Set, o switchOptions, notYet bool) {
	h, off := hookset.HookNamed(set, r.Name), o.off
	switch {
	case len(o.agents) > 0:
		r.Detail = "runs again in " + strings.Join(o.agents, ", ")
		if off {
			r.Detail = "does not run in " + strings.Join(o.agents, ", ")
		}
	case h == nil:
		r.describeBehaviour(set)
	default:
		r.Status = h.Status
		switch {
		case off && h.Status == discovery.Disabled:
			r.Detail = "disabled"
		case off && h.Status == discovery.Ready && notYet:
			r.Detail = "disabled once the project's settings are approved, and ready until then"
		case off && h.Status == discovery.Ready:
			r.Detail = "still ready: it is of a layer that this does not reach"
		case h.Status == discovery.Disabled:
			r.Detail = "still disabled, by " + sh.Short(h.DisabledBy)
			if !o.project && strings.HasPrefix(h.DisabledBy, setup.SettingsFile(sh.Host, set, true)+":") {
				r.Detail += ", which agents-hooks enable --project " + r.Name + " takes back"
			}
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

func (r *switched) describeBehaviour(set *discovery.Set) {
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
	r.Detail = fmt.Sprintf("%d of %s ready", ready, text.Count(len(hooks), "built-in hook"))
}
