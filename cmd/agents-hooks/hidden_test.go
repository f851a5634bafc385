package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// hidden is what a text of a repository does to a terminal, or hides in it: one of
// each kind.
const hidden = "\x1b]52;c;cHduZWQ=\x07\x1b[2J\u009b31m\u202e\u2066\u200b\u2060\ufeff\u061c\u180e\u3164\u115f\ufff9\U000e0041\ufe0e\u2028\x7f\b"

// Whatever stands in the files of a repository, no command that shows them gives a
// terminal anything but text, in JSON neither.
func TestNothingHiddenReachesTheTerminal(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	quoted := string(protocol.Quote("x" + hidden + "y"))
	// The front matter of a hook is YAML, whose double quotes want escapes.
	var yaml strings.Builder
	for _, r := range "x" + hidden + "y" {
		fmt.Fprintf(&yaml, `\U%08x`, r)
	}
	files := map[string]string{
		".git/HEAD":                                 "ref: refs/heads/main\n",
		".agents/hooks/guard/HOOK.md":               "---\nname: guard\ndescription: \"" + yaml.String() + "\"\ntrigger: pre-tool-call\nmatcher:\n  tool: \"" + yaml.String() + "\"\n" + "odd" + hidden + ": 1\n---\n" + hidden,
		".agents/hooks/said/HOOK.md":                "---\nname: said\ndescription: \"" + yaml.String() + "\"\ntrigger: pre-tool-call\n---\n" + hidden,
		".agents/hooks/said/scripts/run":            "#!/bin/sh\n# " + hidden + "\nexit 0\n",
		".agents/hooks.toml":                        "[hooks]\n\"odd" + strings.ReplaceAll(strings.Trim(quoted, `"`), `\`, `\\`) + "\" = 1\n[[hooks.disable]]\nname = \"no such " + "\u202e\u200b" + "\"\n",
		".agents/memory-data/MEMORY.md":             "# Memory\n\n- [2026-01-01] a fact " + hidden + " of words\n",
		".agents/memory-data/NOTES.md":              "- a note " + hidden + " of words\n",
		".agents/skills/dark/SKILL.md":              "---\nname: dark\ndescription: \"" + yaml.String() + "\"\n---\n" + hidden,
		".agents/skills/dark/hooks/hooks.json":      `{"hooks": [{"name": ` + quoted + `, "timing": ` + quoted + `, "prompt": ` + quoted + `}], ` + quoted + `: 1}`,
		".agents/skills/dark/hooks/broken.json":     hidden,
		".tanmi-workspace/index.json":               `{"workspaces": [{"id": "ws-1", "name": ` + quoted + `, "status": "active"}]}`,
		".agents/hooks/odd" + "\u202e" + "/HOOK.md": "---\nname: x\n---\n",
	}
	if runtime.GOOS != "windows" {
		files[".agents/hooks/guard/\u202e\u200bname\x1b[2J"] = "x"
	}
	for name, content := range files {
		path := filepath.Join(project, filepath.FromSlash(name))
		must.Script(t, path, content)
	}
	run := func(stdin string, words ...string) (stdout, stderr string) {
		cmd := exec.Command("agents-hooks", words...)
		cmd.Dir = project
		cmd.Stdin = strings.NewReader(stdin)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USERPROFILE=" + home, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "XDG_CONFIG_DIRS=" + filepath.Join(home, "etc"), "AGENTS_HOOKS_TRUST=always"}
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		_ = cmd.Run() // whether there is anything to show is not the question
		return out.String(), errs.String()
	}
	for _, behaviour := range []string{"memory", "workspace", "skills", "evolution"} {
		run("", "enable", behaviour)
	}
	run("", "memory", "save", "a saved fact "+strings.ReplaceAll(hidden, "\x00", ""))
	run(`{"name": `+quoted+`, "goal": `+quoted+`}`, "workspace", "init")
	run(`{"event_type": "pre-tool-call", "session_id": "s`+"\u202e"+`", "work_dir": `+string(protocol.Quote(project))+`, "tool_name": `+quoted+`, "tool_input": {}, "tool_use_id": "1"}`, "run")
	run(`{`+quoted+`: 1`, "run", "--agent=claude-code", "--odd"+"\u202e")

	shown := 0
	for i, words := range []string{
		"list", "explain pre-tool-call", "explain pre-tool-call --tool Bash", "validate", "validate .agents/hooks/guard", "doctor", "trust --show", "log", "agents",
		"memory list", "memory search words --text", "memory search fact", "memory show", "memory doctor",
		"workspace tree", "workspace list", "workspace doctor", "skills list", "skills validate", "skills explain", "builtin list",
		"evolution list", "evolution doctor", "mcp --list", "record list", "no\u202ecommand", "list --no\u202eflag", "validate no\u202efolder",
	} {
		for j, form := range []string{"", "--json"} {
			if !slowtest.Part(i+2*j, 4) {
				continue // each in one of the two forms, every second in none; -slow plays all
			}
			args := append(strings.Fields(words), strings.Fields(form)...)
			stdout, stderr := run("", args...)
			for stream, text := range map[string]string{"stdout": stdout, "stderr": stderr} {
				for i, r := range text {
					if protocol.Odd(r) {
						t.Errorf("%q: %s has %U: …%q…", args, stream, r, text[max(0, i-60):min(len(text), i+20)])
						break
					}
				}
			}
			if form != "" && json.Valid([]byte(stdout)) && strings.Contains(stdout, `\u202e`) || form == "" && strings.Contains(stdout, `\u{202e}`) {
				shown++
			}
		}
	}
	if shown < slowtest.Count(2, 5) {
		t.Errorf("%d answers show what was planted: the test looks at nothing", shown)
	}
}

// Nor is a line of ours faked by a text that breaks off into one: a description, a
// name, a value, an argument, the name of a file or of the project itself.
func TestNoLineOfOursIsFaked(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such names of files")
	}
	const fake = "\nagents-hooks: planted\r\nhint: planted\vhint: planted\fhint: planted\u0085hint: planted\u2029hint: planted\n"
	home, project := t.TempDir(), filepath.Join(t.TempDir(), "x"+fake+"y")
	quoted := string(protocol.Quote("x" + fake + "y"))
	files := map[string]string{
		".git/HEAD":                             "ref: refs/heads/main\n",
		".agents/hooks/guard/HOOK.md":           "---\nname: guard\ndescription: " + quoted + "\ntrigger: pre-tool-call\nmatcher:\n  tool: " + quoted + "\n? " + quoted + "\n: 1\n---\n",
		".agents/hooks/said/HOOK.md":            "---\nname: said\ndescription: " + quoted + "\ntrigger: pre-tool-call\n---\n",
		".agents/hooks/said/scripts/run":        "#!/bin/sh\nprintf 'no\\nagents-hooks: planted\\nhint: planted\\n' >&2\nexit 1\n",
		".agents/hooks/odd" + fake + "/HOOK.md": "---\nname: " + quoted + "\n---\n",
		".agents/hooks.toml":                    "[hooks]\n" + quoted + " = 1\n[[hooks.disable]]\nname = " + quoted + "\n",
		".agents/skills/dark/SKILL.md":          "---\nname: " + quoted + "\ndescription: " + quoted + "\n---\n",
		".agents/skills/dark/hooks/hooks.json":  `{"hooks": [{"name": ` + quoted + `, "timing": ` + quoted + `, "prompt": ` + quoted + `}], ` + quoted + `: 1}`,
		".tanmi-workspace/index.json":           `{"workspaces": [{"id": "ws-1", "name": ` + quoted + `, "status": "active"}]}`,
	}
	for name, content := range files {
		path := filepath.Join(project, filepath.FromSlash(name))
		must.Script(t, path, content)
	}
	run := func(stdin string, words ...string) (said string) {
		cmd := exec.Command("agents-hooks", words...)
		cmd.Dir = project
		cmd.Stdin = strings.NewReader(stdin)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_DIRS=" + filepath.Join(home, "etc"), "PRISMER_SCOPE=x" + fake, "PRISMER_BASE_URL=x" + fake, "AGENTS_HOOKS_TRUST=always"}
		b, _ := cmd.CombinedOutput() // whether there is anything to show is not the question
		return string(b)
	}
	run("", "enable", "memory", "workspace", "skills", "evolution")
	run(`{"name": `+quoted+`, "goal": `+quoted+`}`, "workspace", "init")
	events := []string{"run"}
	planted := 0
	for i, words := range [][]string{
		{"list"}, {"explain", "pre-tool-call"}, {"explain", "pre-tool-call", "--tool", "x" + fake}, {"explain", "x" + fake}, {"validate"}, {"validate", "x" + fake}, {"validate", ".agents/hooks/odd" + fake},
		{"doctor"}, {"trust", "--show"}, {"trust"}, {"trust", "x" + fake}, {"untrust"}, {"log"}, {"agents", "x" + fake}, {"install", "x" + fake}, {"install", "claude-code", "--dry-run"}, {"install", "claude-code", "--project", "--dry-run"},
		{"enable", "x" + fake}, {"disable", "x" + fake}, {"enable", "evolution"}, {"enable", "evolution", "--take-over"}, {"builtin", "list"}, {"builtin", "x" + fake}, {"memory", "search", "x" + fake, "--text"}, {"memory", "save", "x", "--type", "x" + fake}, {"memory", "doctor"},
		{"memory", "x" + fake}, {"workspace", "list"}, {"workspace", "tree"}, {"workspace", "doctor"}, {"skills", "list"}, {"skills", "validate"}, {"skills", "explain"}, {"evolution", "list"}, {"evolution", "sync"}, {"evolution", "doctor"},
		{"mcp", "--tools", "x" + fake}, {"record", "list"}, {"new", "x" + fake}, {"test", ".agents/hooks/said"}, {"test", "x" + fake}, {"x" + fake}, {"list", "--x" + fake}, {"--x" + fake}, {"replay", "x" + fake}, {"prompt", "x" + fake},
		{"completion", "x" + fake}, {"__complete", "enable", ""}, {"__complete", "trust", ""}, {"__complete", "validate", "--dir", ""}, {"__complete", "explain", ""}, {"mcp", "--list"}, {"conformance", "hook", "x" + fake}, events,
	} {
		if !slowtest.Part(i, 3) {
			continue
		}
		stdin := ""
		if len(words) == 1 && words[0] == "run" {
			stdin = `{"event_type": "pre-tool-call", "session_id": ` + quoted + `, "work_dir": ` + string(protocol.Quote(project)) + `, "tool_name": ` + quoted + `, "tool_input": {}, "tool_use_id": "1"}`
		}
		said := run(stdin, words...)
		planted += strings.Count(said, "planted")
		for line := range strings.FieldsFuncSeq(said, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
			if strings.HasPrefix(line, "agents-hooks: planted") || strings.HasPrefix(line, "hint: planted") {
				t.Errorf("%q: a line begins %q:\n%s", words, line, said)
				break
			}
		}
	}
	if planted < slowtest.Count(10, 20) {
		t.Errorf("what was planted is shown %d times: the test looks at nothing", planted)
	}
}
