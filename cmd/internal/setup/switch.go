package setup

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// SettingsFile is the hooks.toml that a command edits.
func SettingsFile(h host.Host, set *discovery.Set, project bool) string {
	if !project {
		return filepath.Join(h.Config, "hooks.toml")
	}
	return filepath.Join(SettingsProject(set, project), ".agents", "hooks.toml")
}

// SettingsProject is the project whose hooks.toml a command edits, "" if it is the
// user's.
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
// all of them or none, and returns the file that it edits; dry only checks whether it
// could.
func SwitchOn(h host.Host, set *discovery.Set, names []string, project, dry bool) (file string, err error) {
	f, err := OpenConfig(SettingsFile(h, set, project), SettingsProject(set, project))
	if err != nil {
		return "", err
	}
	content := f.Content
	for _, name := range names {
		if !IsBehaviour(set, name) {
			hint := "agents-hooks builtin list"
			if near := text.Nearest(name, behaviours(set), 2); near != "" {
				hint = "did you mean " + near + "?"
			}
			return "", shell.WithHint(fmt.Errorf("no built-in behaviour %q", name), hint)
		}
		if content, err = discovery.SetBuiltin(content, name, "enabled", true); err != nil {
			return "", fmt.Errorf("%s: %w", h.Short(f.Real), err)
		}
	}
	if dry || bytes.Equal(content, f.Content) {
		return f.Real, nil
	}
	_, err = f.Write(content)
	return f.Real, err
}

// behaviours are the names of those that come with the program.
func behaviours(set *discovery.Set) (names []string) {
	for _, h := range set.Hooks {
		if h.Behaviour != "" && !slices.Contains(names, h.Behaviour) {
			names = append(names, h.Behaviour)
		}
	}
	return names
}

// IsBehaviour reports whether a name is that of a behaviour: "memory", for
// memory-load and memory-flush.
func IsBehaviour(set *discovery.Set, name string) bool {
	return len(hookset.BehaviourHooks(set, name)) > 0
}

// Locked is the error of a command that would switch off what somebody locked, with
// the place of the lock and what to do.
func Locked(sh *shell.Shell, command, name, at string) error {
	file := at[:strings.LastIndexByte(at, ':')]
	err := fmt.Errorf("%s: %s is locked by %s, and cannot be switched off", command, shell.Plain(name), sh.Short(at))
	if file == filepath.Join(sh.Host.Config, "hooks.toml") {
		return shell.WithHint(err, "take its [[hooks.lock]] out of "+sh.Shown(file)+" first, if that is what you want")
	}
	return shell.WithHint(err, "the lock is the system's: whoever looks after this machine can take it out")
}
