package setup

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// SettingsFile is the hooks.toml that a command edits.
func SettingsFile(h host.Host, set *discovery.Set, project bool) string {
	if !project {
		return filepath.Join(h.Config, "hooks.toml")
	}
	return filepath.Join(SettingsProject(set, project), ".agents", "hooks.toml")
}

// SettingsProject is the project whose hooks.toml a command edits, "" where it is
// the person's.
func SettingsProject(set *discovery.Set, project bool) string {
	switch {
	case !project:
		return ""
	case set.Project != "":
		return set.Project
	}
	return set.Root
}

// SwitchOn enables built-in behaviours in the settings of the user or the project,
// all of them or none, and returns the file that it edits; dry only looks whether
// it could.
func SwitchOn(h host.Host, set *discovery.Set, names []string, project, dry bool) (file string, err error) {
	f, err := OpenConfig(SettingsFile(h, set, project), SettingsProject(set, project))
	if err != nil {
		return "", err
	}
	text := f.Content
	for _, name := range names {
		if !IsBehaviour(set, name) {
			return "", shell.WithHint(fmt.Errorf("no built-in behaviour %q", name), "agents-hooks builtin list")
		}
		if text, err = discovery.SetBuiltin(text, name, "enabled", true); err != nil {
			return "", fmt.Errorf("%s: %w", h.Short(f.Real), err)
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
