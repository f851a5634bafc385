package hooktest

import (
	"errors"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/scratch"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// moved is a copy of the hook whose path contains what breaks unquoted scripts.
func (b *bench) moved() (*discovery.Hook, error) {
	if b.hook.Entry.Builtin {
		return nil, errors.New("a built-in hook has no folder")
	}
	dir := filepath.Join(b.temp, "a b 'c' $d é", filepath.Base(b.hook.Dir))
	if b.host.GOOS == "windows" {
		dir = filepath.Join(b.temp, "a b 'c' é", filepath.Base(b.hook.Dir))
	}
	if err := scratch.CopyFolder(hookset.Below(b.hook, b.hook.Dir), b.hook.Dir, dir); err != nil {
		return nil, err
	}
	moved := *b.hook
	moved.Dir, moved.File = dir, filepath.Join(dir, filepath.Base(b.hook.File))
	within := func(path string) string {
		if rel, err := filepath.Rel(b.hook.Dir, path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(dir, rel)
		}
		return path
	}
	moved.Entry.Path = within(b.hook.Entry.Path)
	moved.Entry.Argv = nil
	for _, a := range b.hook.Entry.Argv {
		if filepath.IsAbs(a) {
			a = within(a)
		}
		moved.Entry.Argv = append(moved.Entry.Argv, a)
	}
	return &moved, nil
}

func systemPath(goos string) string {
	if goos == "windows" {
		return `C:\Windows\System32;C:\Windows`
	}
	return "/usr/bin:/bin"
}

// setEnv is env with a variable set, or without it if value is "".
func setEnv(env []string, name, value string) []string {
	out := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if n, _, _ := strings.Cut(kv, "="); n != name {
			out = append(out, kv)
		}
	}
	if value != "" {
		out = append(out, name+"="+value)
	}
	return out
}
