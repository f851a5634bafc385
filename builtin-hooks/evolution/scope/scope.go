// Package scope determines the name under which a project's genes are kept: its scope.
// Hooks, commands and the client of a server all use it, so that they agree where a
// gene belongs.
//
// It is the first of these that exists:
//
//	the setting scope (the variable PRISMER_SCOPE takes precedence over hooks.toml)
//	package.json    name
//	go.mod          module
//	pyproject.toml  name of [project], or of [tool.poetry]
//	Cargo.toml      name of [package]
//	the URL of the git remote "origin", as git_ and a hash of it
//	"global"
//
// Manifests are searched from the directory upwards to the root of its repository; the
// nearest one counts. One value is read from each file, as text: running git config
// alone takes 1.5 ms, as long as a whole event without hooks.
package scope

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/worktree"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Global is the scope of anything that belongs to no project.
const Global = "global"

// How much of a file is read, and how long a scope may be.
const (
	mostBytes = 256 << 10
	mostName  = 200
)

// Of is the scope of a directory. set is the user's choice, "" if none.
func Of(dir, set string) string {
	if name := clean(set); name != "" {
		return name
	}
	if !filepath.IsAbs(dir) {
		return Global
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		for _, m := range manifests {
			if name := clean(m.name(below(at, m.file))); name != "" {
				return name
			}
		}
		git := filepath.Join(at, ".git")
		if _, err := os.Lstat(git); err == nil {
			if url := origin(at); url != "" {
				return "git_" + Hash(url)
			}
			return Global
		}
		if filepath.Dir(at) == at {
			return Global
		}
	}
}

var manifests = [...]struct {
	file string
	name func(text string) string
}{
	{"package.json", fromPackage},
	{"go.mod", fromModule},
	{"pyproject.toml", func(s string) string {
		if name := key(s, "[project]", "name"); name != "" {
			return name
		}
		return key(s, "[tool.poetry]", "name")
	}},
	{"Cargo.toml", func(s string) string { return key(s, "[package]", "name") }},
}

func fromPackage(s string) string {
	o, err := protocol.ParseObject([]byte(s))
	if err != nil {
		return ""
	}
	return o.Text("name")
}

func fromModule(s string) string {
	for line := range strings.Lines(s) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "module"); ok && rest != "" && strings.ContainsRune(" \t\"", rune(rest[0])) {
			rest, _, _ = strings.Cut(rest, "//")
			return strings.Trim(strings.TrimSpace(rest), `"`)
		}
	}
	return ""
}

// key is the value of a key in a section of a file like TOML or git's configuration, as
// far as a name needs it: one line, quoted or not.
func key(s, section, name string) string {
	inside := false
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inside = line == section
			continue
		}
		k, v, ok := strings.Cut(line, "=")
		if !inside || !ok || strings.TrimSpace(k) != name {
			continue
		}
		v = strings.TrimSpace(v)
		if v != "" && (v[0] == '"' || v[0] == '\'') {
			v, _, _ = strings.Cut(v[1:], v[:1])
			return v
		}
		v, _, _ = strings.Cut(v, "#")
		return strings.TrimSpace(v)
	}
	return ""
}

// origin is the URL of the remote origin of the repository whose files lie in dir. A file .git
// that names a repository which does not know dir names none.
func origin(dir string) string {
	common := worktree.Common(dir)
	if common == "" {
		return ""
	}
	return key(read(filepath.Join(common, "config")), `[remote "origin"]`, "url")
}

// Hash is the original's hash of a URL: a rolling one of 32 bits, in base 36.
func Hash(url string) string {
	h := int32(0)
	for _, r := range url {
		h = h*31 + int32(r)
	}
	n := int64(h)
	if n < 0 {
		n = -n
	}
	return strconv.FormatInt(n, 36)
}

// clean is a name on one line, "" if nothing is left.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.TrimSpace(name))
	if len(name) > mostName {
		return ""
	}
	return name
}

// below reads a small file of a project, "" if there is none.
func below(dir, name string) string {
	b, err := beneath.At(dir).Read(filepath.Join(dir, name), mostBytes)
	if err != nil {
		return ""
	}
	return string(b)
}

// read reads a small regular file of git's own, "" if there is none.
func read(path string) string {
	b, err := safefile.Read(path, mostBytes)
	if err != nil {
		return ""
	}
	return string(b)
}
