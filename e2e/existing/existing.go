// Package existing is a corpus of hooks like those that people have for the agent whose
// protocol most public hooks use. We wrote them ourselves, after the functions and
// habits of such hooks: they compare tool_name with that agent's own names, read
// tool_input.file_path, use $CLAUDE_PROJECT_DIR, and answer in all its forms. They are
// not examples to follow.
//
// Each folder of hooks is a hook folder that names its dialect (metadata.dialect). Its
// entry.json says how its author registered it, and describes a situation in which it
// acts (hit) and one in which it does not (fine).
//
// effects.json has the effect of each hook in that agent, as recorded by the suite of
// real agents:
//
//	AGENTS_HOOKS_UPDATE=1 AGENTS_HOOKS_E2E_AGENTS=claude-code go test -tags e2e ./e2e -run 'TestAgents/claude-code/existing_hooks:_as_recorded'
//
// docs/existing-hooks.md is generated from both.
package existing

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed all:hooks
var folders embed.FS

//go:embed effects.json
var recorded []byte

// A Hook is a hook folder of the corpus.
type Hook struct {
	Name string `json:"-"`

	// How its author registered it.
	Event   string `json:"event"`
	Matcher string `json:"matcher"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds
	Async   bool   `json:"async"`
	Plugin  bool   `json:"plugin"` // the folder is a plugin, and has its own hooks.json

	Hit  Situation  `json:"hit"`
	Fine *Situation `json:"fine"` // nil if it always speaks

	// What to expect.
	Words    string            `json:"words"`    // that it says
	Changed  string            `json:"changed"`  // what a command becomes, without its redirection
	Replaced string            `json:"replaced"` // what the model must not read
	Env      string            `json:"env"`      // NAME=VALUE for commands
	Acts     *Act              `json:"acts"`     // what it does itself
	Asks     bool              `json:"asks"`     // the agent would ask its user
	Files    map[string]string `json:"files"`    // of the project
}

// A Situation is something that happens in an agent, in neutral terms.
type Situation struct {
	Kind    string         `json:"kind"` // shell, failure, permission, write, edit, mcp, prompt, start, end, stop, subagent, compact, notice
	Command string         `json:"command,omitempty"`
	Path    string         `json:"path,omitempty"` // in the project
	Content string         `json:"content,omitempty"`
	Old     string         `json:"old,omitempty"`
	New     string         `json:"new,omitempty"`
	Server  string         `json:"server,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	Input   map[string]any `json:"input,omitempty"`
	Text    string         `json:"text,omitempty"`
	Source  string         `json:"source,omitempty"`
	Trigger string         `json:"trigger,omitempty"`
	Active  bool           `json:"active,omitempty"`
}

// An Act is a file that contains a text after the hook has run: in the project, or with
// ~/ in the home directory.
type Act struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// An Effect is the result of a hook in a situation, as words in a fixed order: blocked,
// asked, allowed, changed, replaced, goes-on, ended, told (the model), shown (the
// user), env, acted. None means no effect.
type Effect []string

// Effects are the effects of one hook.
type Effects struct {
	Hit  Effect `json:"hit"`
	Fine Effect `json:"fine,omitempty"`
}

// words are the words of an Effect, in order.
var words = [...]string{"blocked", "asked", "allowed", "changed", "replaced", "goes-on", "ended", "told", "shown", "env", "acted"}

// EffectOf makes an Effect of what is true.
func EffectOf(is map[string]bool) Effect {
	e := Effect{}
	for _, w := range words {
		if is[w] {
			e = append(e, w)
		}
	}
	return e
}

func (e Effect) String() string {
	if len(e) == 0 {
		return "nothing"
	}
	return strings.Join(e, ", ")
}

// All returns the hooks of the corpus, by name.
func All() ([]Hook, error) {
	list, err := folders.ReadDir("hooks")
	if err != nil {
		return nil, err
	}
	var hooks []Hook
	for _, d := range list {
		b, err := folders.ReadFile("hooks/" + d.Name() + "/entry.json")
		if err != nil {
			return nil, err
		}
		h := Hook{Name: d.Name()}
		if err := json.Unmarshal(b, &h); err != nil {
			return nil, fmt.Errorf("read the entry of %s: %w", d.Name(), err)
		}
		hooks = append(hooks, h)
	}
	return hooks, nil
}

// Recorded is what each hook did in the agent that it was written for.
func Recorded() (map[string]Effects, error) {
	var all map[string]Effects
	if err := json.Unmarshal(recorded, &all); err != nil {
		return nil, fmt.Errorf("read the recorded effects: %w", err)
	}
	return all, nil
}

// Write copies the hook's folder to dir.
func (h Hook) Write(dir string) error {
	root := "hooks/" + h.Name
	return fs.WalkDir(folders, root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "entry.json" {
			return err
		}
		b, err := folders.ReadFile(p)
		if err != nil {
			return err
		}
		return write(filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(p, root+"/"))), b)
	})
}

// WritePlain copies the folder in the form written by somebody who knows nothing about
// dialects: its HOOK.md names none, and a command is the text of a script.
func (h Hook) WritePlain(dir string) error {
	if err := h.Write(dir); err != nil {
		return err
	}
	file := filepath.Join(dir, "HOOK.md")
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(b)) {
		if key := strings.TrimSpace(line); strings.HasPrefix(key, "dialect:") || strings.HasPrefix(key, "command:") {
			continue
		}
		kept.WriteString(line)
	}
	text := strings.Replace(kept.String(), "metadata:\n---", "---", 1)
	if _, err := os.Stat(filepath.Join(dir, "scripts")); err != nil {
		if err := write(filepath.Join(dir, "scripts", "run"), []byte("#!/bin/sh\n"+h.Command+"\n")); err != nil {
			return err
		}
	}
	return write(file, []byte(text))
}

// WriteFiles writes the files of the project.
func (h Hook) WriteFiles(project string) error {
	for name, text := range h.Files {
		if err := write(filepath.Join(project, filepath.FromSlash(name)), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// Acted reports whether the hook did what it does itself.
func (h Hook) Acted(project, home string) bool {
	if h.Acts == nil {
		return false
	}
	path := filepath.Join(project, filepath.FromSlash(h.Acts.Path))
	if rest, ok := strings.CutPrefix(h.Acts.Path, "~/"); ok {
		path = filepath.Join(home, filepath.FromSlash(rest))
	}
	b, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(b), h.Acts.Text)
}

// Needs are the programs required to run the hook.
func (h Hook) Needs() []string {
	text := h.Command
	_ = fs.WalkDir(folders, "hooks/"+h.Name, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "entry.json" {
			b, _ := folders.ReadFile(p)
			text += string(b)
		}
		return err
	})
	var needs []string
	for _, program := range []string{"jq", "node", "python3", "bash"} {
		if strings.Contains(text, program+" ") || strings.Contains(text, program+"\n") {
			needs = append(needs, program)
		}
	}
	return needs
}

// write writes a file; files below scripts are executable.
func write(name string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if filepath.Base(filepath.Dir(name)) == "scripts" {
		mode = 0o755
	}
	if err := os.WriteFile(name, b, mode); err != nil {
		return err
	}
	return os.Chmod(name, mode)
}

// Describe is the description in its HOOK.md.
func (h Hook) Describe() string { return h.matter("description") }

// Trigger is the event in its HOOK.md.
func (h Hook) Trigger() string { return h.matter("trigger") }

func (h Hook) matter(key string) string {
	b, _ := folders.ReadFile("hooks/" + h.Name + "/HOOK.md")
	_, rest, _ := strings.Cut(string(b), "\n"+key+": ")
	text, _, _ := strings.Cut(rest, "\n")
	return text
}
