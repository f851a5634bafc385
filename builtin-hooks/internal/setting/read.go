package setting

import (
	"runtime"
	"strings"
)

// A Reader finds the settings of one behaviour wherever it works.
type Reader struct {
	Behaviour string
	Table     []Setting
	// Files is [builtin.NAME] as the hooks.toml files say it, for a folder.
	Files func(behaviour, dir string) map[string]any
}

// For is the settings as they hold in a folder, for a program with an
// environment.
func (r Reader) For(dir string, env []string) Values {
	return Resolve(r.Table, Sources{
		Env:   func(name string) string { return Getenv(env, name) },
		Files: r.Files(r.Behaviour, dir),
	})
}

// Getenv is a variable of an environment, "" if there is none. Of two with one
// name the last counts.
func Getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		k, v, ok := strings.Cut(env[i], "=")
		if ok && (k == name || runtime.GOOS == "windows" && strings.EqualFold(k, name)) {
			return v
		}
	}
	return ""
}
