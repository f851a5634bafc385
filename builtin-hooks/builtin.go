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
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/hooks"
	workspace "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/hooks"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// What a behaviour is made of; see the packages.
type (
	Behaviour = behaviour.Behaviour
	Hook      = behaviour.Hook
	Runtime   = behaviour.Runtime
	Setting   = setting.Setting
)

// Words is the file of words that mean nearly the same, in a cache.
func Words(cache string) string { return lexicon.Path(cache) }

// DefaultTextBudget is how many characters the hooks of one event may add together.
const DefaultTextBudget = behaviour.DefaultTextBudget

// Main is a hook as a runner sees it: bytes in, bytes out, an exit code.
func Main(b *Behaviour, h *Hook, w *Runtime) func(ctx context.Context, env []string, stdin []byte, stdout, stderr io.Writer) int {
	return behaviour.Main(b, h, w)
}

// A List is the behaviours that a program has.
type List []Behaviour

// Behaviours lists what is built in: a line here makes a behaviour known to the
// dispatcher, to every command, and to the MCP server.
func Behaviours() List {
	return List{
		memory.Behaviour(),
		workspace.Behaviour(),
		evolution.Behaviour(),
		skills.Behaviour(),
	}
}

// Names are the names of the behaviours.
func (l List) Names() (names []string) {
	for i := range l {
		names = append(names, l[i].Name)
	}
	return names
}

// Named is the behaviour of a name.
func (l List) Named(name string) (*Behaviour, bool) {
	for i := range l {
		if l[i].Name == name {
			return &l[i], true
		}
	}
	return nil, false
}

// Find is the built-in hook of a name, and its behaviour.
func (l List) Find(hook string) (*Behaviour, *Hook, bool) {
	for i := range l {
		for k := range l[i].Hooks {
			if l[i].Hooks[k].Name == hook {
				return &l[i], &l[i].Hooks[k], true
			}
		}
	}
	return nil, nil, false
}

// What lies in the folders of the behaviours: a HOOK.md for each hook, and guides.
//
//go:embed */hooks/*/HOOK.md */guide/*.md
var folders embed.FS

// read reads a file of a behaviour's folder.
func read(b *Behaviour, name string) ([]byte, error) {
	if b.Files != nil {
		return fs.ReadFile(b.Files, name)
	}
	return folders.ReadFile(path.Join(b.Name, name))
}

// File is the HOOK.md of a built-in hook as it is embedded.
func File(b *Behaviour, h *Hook) ([]byte, error) {
	return read(b, path.Join("hooks", h.Name, "HOOK.md"))
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
		return "", fmt.Errorf("%s already exists", folder)
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
