package builtinhooks

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	evolution "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	memory "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/hooks"
	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/hooks"
	workspace "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/hooks"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// What a behaviour is made of; see the packages.
type (
	Behaviour = behaviour.Behaviour
	Hook      = behaviour.Hook
	World     = behaviour.World
	Setting   = setting.Setting
)

// DefaultRoom is how many characters the hooks of one event may add together.
const DefaultRoom = behaviour.DefaultRoom

// Main is a hook as a runner sees it: bytes in, bytes out, an exit code.
func Main(b *Behaviour, h *Hook, w *World) func(ctx context.Context, env []string, stdin []byte, stdout, stderr io.Writer) int {
	return behaviour.Main(b, h, w)
}

// Behaviours lists what is built in: a line here and one below make one known
// everywhere.
func Behaviours() []Behaviour {
	return []Behaviour{
		memory.Behaviour(),
		workspace.Behaviour(),
		evolution.Behaviour(),
		skills.Behaviour(),
	}
}

//go:embed memory/hooks/*/HOOK.md
//go:embed workspace/hooks/*/HOOK.md
//go:embed evolution/hooks/*/HOOK.md
//go:embed skills/hooks/*/HOOK.md
var files embed.FS

// File is the HOOK.md of a built-in hook as it is embedded.
func File(b *Behaviour, h *Hook) ([]byte, error) {
	return files.ReadFile(path.Join(b.Name, "hooks", h.Name, "HOOK.md"))
}

// Find is the built-in hook of a name.
func Find(name string) (*Behaviour, *Hook, bool) {
	for _, b := range Behaviours() {
		for i := range b.Hooks {
			if b.Hooks[i].Name == name {
				return &b, &b.Hooks[i], true
			}
		}
	}
	return nil, nil, false
}

// Export writes a hook as a folder of its name below dir, for any runner of the
// format: its script calls the program at bin, and test is its first test. A
// folder that is there is an error, and nothing is changed.
func Export(b *Behaviour, h *Hook, dir, bin, test string) (string, error) {
	text, err := File(b, h)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(dir, h.Name)
	if _, err := os.Lstat(folder); err == nil {
		return "", fmt.Errorf("%s is there already", folder)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, f := range []struct {
		name string
		text string
		mode fs.FileMode
	}{
		{"HOOK.md", string(text), 0o644},
		{"scripts/run", script(h.Name, bin), 0o755},
		{"scripts/run.cmd", batch(h.Name, bin), 0o755},
		{"tests/first.txtar", test, 0o644},
	} {
		file := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(f.text), f.mode); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// script calls the program: the one that exported the hook if it is still there,
// else the one in the PATH. A hook whose program is gone has failed, which is no
// block.
func script(name, bin string) string {
	quoted := text.ShellQuote(bin)
	return "#!/bin/sh\n# " + name + ", built into agents-hooks: this only calls it.\n" +
		"bin=" + quoted + "\n" +
		"[ -x \"$bin\" ] || bin=$(command -v agents-hooks) || {\n\techo 'agents-hooks is not installed: https://github.com/agents-hooks/agents-hooks' >&2\n\texit 1\n}\n" +
		"exec \"$bin\" builtin run " + name + "\n"
}

func batch(name, bin string) string {
	return "@echo off\r\nrem " + name + ", built into agents-hooks: this only calls it.\r\n" +
		"if exist \"" + bin + "\" (\r\n  \"" + bin + "\" builtin run " + name + "\r\n) else (\r\n  agents-hooks builtin run " + name + "\r\n)\r\nexit /b %ERRORLEVEL%\r\n"
}
