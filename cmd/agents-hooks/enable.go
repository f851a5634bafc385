package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
)

func (t *tool) enableCommand() *cli.Command {
	return &cli.Command{
		Name:      "enable",
		Usage:     "let hooks run again, or switch built-in ones on",
		ArgsUsage: "NAME...",
		Description: "NAME is a hook that disable switched off, or a built-in behaviour such as\n" +
			"memory (builtin list shows them). Edits your hooks.toml, or the project's.",
		Flags:  []cli.Flag{projectFileFlag(), dirFlag(), jsonFlag()},
		Action: func(c *cli.Context) error { return t.switchHooks(c, false) },
	}
}

func (t *tool) disableCommand() *cli.Command {
	return &cli.Command{
		Name:      "disable",
		Usage:     "switch hooks off, for you or with --project here",
		ArgsUsage: "NAME...",
		Flags:     []cli.Flag{projectFileFlag(), dirFlag(), jsonFlag()},
		Action:    func(c *cli.Context) error { return t.switchHooks(c, true) },
	}
}

func projectFileFlag() cli.Flag {
	return &cli.BoolFlag{Name: "project", Usage: "in the project's .agents/hooks.toml, for all who trust it"}
}

// settingsFile is the hooks.toml that a command edits.
func (t *tool) settingsFile(set *discovery.Set, project bool) string {
	if !project {
		return filepath.Join(t.host.Config, "hooks.toml")
	}
	root := set.Project
	if root == "" {
		root = set.Root
	}
	return filepath.Join(root, ".agents", "hooks.toml")
}

// A switched hook is what became of one name.
type switched struct {
	Name    string           `json:"name"`
	Status  discovery.Status `json:"status"` // "" if there is no such hook here, or it is a behaviour
	Changed bool             `json:"changed"`
	Detail  string           `json:"detail"`
}

// switchHooks edits the user's hooks.toml: all of the names, or nothing.
func (t *tool) switchHooks(c *cli.Context, off bool) error {
	command := c.Command.Name
	names, err := args(c, 1, -1, "the names of hooks")
	if err != nil {
		return err
	}
	from, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	before := t.all(from)
	file, err := openConfig(t.settingsFile(before, c.Bool("project")))
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	text := file.content
	results := make([]switched, len(names))
	for i, name := range names {
		next, err := switchName(before, text, name, off)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", command, t.short(file.real), err)
		}
		results[i] = switched{Name: name, Changed: !bytes.Equal(next, text)}
		// What is switched off by name may be gone; it can still be switched on.
		if hookNamed(before, name) == nil && !isBehaviour(before, name) && (off || !results[i].Changed) {
			return unknownHook(command, before, name)
		}
		text = next
	}
	if !bytes.Equal(text, file.content) {
		if _, err := file.write(text); err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
	}
	after := t.all(from)
	for i := range results {
		results[i].describe(after, off)
	}
	if c.Bool("json") {
		return t.json(map[string]any{"schema": 1, "file": file.real, "hooks": results})
	}
	for _, r := range results {
		t.printf("%s: %s\n", plain(r.Name), plain(r.Detail))
	}
	if c.Bool("project") && slices.ContainsFunc(after.Problems, func(p discovery.Problem) bool { return p.File == file.real && p.Severity == discovery.Warning }) {
		t.hints([]string{"agents-hooks trust: settings of a project count once they are approved"})
	}
	return nil
}

// switchOn enables built-in behaviours: install --with.
func (t *tool) switchOn(names []string, project, dry bool) (file string, err error) {
	set := t.all(t.host.WorkDir)
	f, err := openConfig(t.settingsFile(set, project))
	if err != nil {
		return "", err
	}
	text := f.content
	for _, name := range names {
		if !isBehaviour(set, name) {
			return "", withHint(fmt.Errorf("no built-in behaviour %q", name), "agents-hooks builtin list")
		}
		if text, err = discovery.SetBuiltin(text, name, true); err != nil {
			return "", fmt.Errorf("%s: %w", t.short(f.real), err)
		}
	}
	if dry || bytes.Equal(text, f.content) {
		return f.real, nil
	}
	_, err = f.write(text)
	return f.real, err
}

// switchName edits the text of a hooks.toml: for a hook, or for all hooks of a
// built-in behaviour.
func switchName(set *discovery.Set, text []byte, name string, off bool) ([]byte, error) {
	if hookNamed(set, name) == nil && isBehaviour(set, name) {
		return discovery.SetBuiltin(text, name, !off)
	}
	return discovery.SetDisabled(text, name, off)
}

// isBehaviour reports whether built-in hooks go by a name: "memory", of
// memory-load and memory-flush.
func isBehaviour(set *discovery.Set, name string) bool { return len(behaviourHooks(set, name)) > 0 }

func behaviourHooks(set *discovery.Set, name string) []*discovery.Hook {
	var list []*discovery.Hook
	for _, h := range set.Hooks {
		if h.Layer == discovery.BuiltinLayer && strings.HasPrefix(h.Name, name+"-") {
			list = append(list, h)
		}
	}
	return list
}

// unknownHook refuses a name that no hook has here, and suggests the nearest.
func unknownHook(command string, set *discovery.Set, name string) error {
	var names []string
	for _, h := range set.Hooks {
		names = append(names, h.Name)
		if word, _, ok := strings.Cut(h.Name, "-"); ok && h.Layer == discovery.BuiltinLayer {
			names = append(names, word)
		}
	}
	err := fmt.Errorf("%s: no hook %q here", command, name)
	if near := nearest(name, names); near != "" {
		return withHint(err, "agents-hooks "+command+" "+near)
	}
	return withHint(err, "agents-hooks list --all")
}

// describe says what is now, which a lock, another file or the environment may
// have decided otherwise.
func (r *switched) describe(set *discovery.Set, off bool) {
	h := hookNamed(set, r.Name)
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

func (r *switched) describeBehaviour(set *discovery.Set) {
	hooks := behaviourHooks(set, r.Name)
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
	r.Detail = fmt.Sprintf("%d of %s ready", ready, plural(len(hooks), "built-in hook"))
}
