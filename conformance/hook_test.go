package conformance

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// folders writes hook folders before any process is started.
func folders(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		mode := os.FileMode(0o644)
		if filepath.Base(filepath.Dir(path)) == "scripts" {
			mode = 0o755
		}
		must.Do(t, os.WriteFile(path, []byte(text), mode))
	}
	return dir
}

func hookMD(name string) string {
	return "---\nname: " + name + "\ndescription: A hook of a test.\ntrigger: pre-tool-call\nmatcher:\n  tool: ^Shell$\ntimeout: 5000\n---\n"
}

const (
	forcePush = `{"event_type": "pre-tool-call", "session_id": "s", "work_dir": "@PROJECT@", "tool_name": "Shell", "tool_input": {"command": "git push --force"}, "tool_use_id": "t"}`
	blocks    = "title: refuses a forced push\n-- event.json --\n" + forcePush + "\n-- want --\nexit: 2\nstderr-has: force\n"
	allows    = "title: lets others through\n-- event.json --\n{\"event_type\": \"pre-tool-call\", \"work_dir\": \"@PROJECT@\", \"tool_name\": \"Shell\", \"tool_input\": {\"command\": \"ls\"}}\n-- want --\nexit: 0\nstdout: empty\n"
)

// checkedHooks are hooks with their tests, one without a fault and one with each.
func checkedHooks(t *testing.T) string {
	t.Helper()
	return folders(t, map[string]string{
		"good/HOOK.md":            strings.Replace(hookMD("good"), "tool: ^Shell$", `command: '^git push\b.*( -[a-z]*f|--force| \+)'`, 1),
		"good/scripts/run":        "#!/bin/sh\necho 'not with force' >&2\nexit 2\n",
		"good/tests/blocks.txtar": blocks,
		"good/tests/allows.txtar": allows,

		"half/HOOK.md":            hookMD("half"),
		"half/scripts/run":        "#!/bin/sh\nif tr -d ' \\n' | grep -q 'push--force'; then echo 'not with force' >&2; exit 2; fi\n",
		"half/tests/blocks.txtar": blocks,
		"half/tests/allows.txtar": allows,

		"never/HOOK.md":            strings.Replace(hookMD("never"), "^Shell$", "^WriteFile$", 1),
		"never/scripts/run":        "#!/bin/sh\nexit 2\n",
		"never/tests/allows.txtar": allows,

		"idle/HOOK.md":            hookMD("idle"),
		"idle/scripts/run":        "#!/bin/sh\nif grep -q 'git push --force'; then exit 2; fi\n",
		"idle/tests/allows.txtar": allows,

		"names/HOOK.md":            strings.Replace(hookMD("names"), "tool: ^Shell$", `tool: ^(WriteFile|EditFile)$`, 1),
		"names/scripts/run":        "#!/bin/sh\nif grep -q '\"\\(content\\|new_string\\)\": \"[^\"]*SECRET'; then echo 'a secret' >&2; exit 2; fi\n",
		"names/tests/blocks.txtar": strings.Replace(strings.Replace(blocks, forcePush, `{"event_type": "pre-tool-call", "session_id": "s", "work_dir": "@PROJECT@", "tool_name": "WriteFile", "tool_input": {"file_path": "@PROJECT@/a.md", "content": "SECRET"}, "tool_use_id": "t"}`, 1), "has: force", "has: secret", 1),

		"fragile/HOOK.md":            hookMD("fragile"),
		"fragile/scripts/run":        "#!/bin/sh\nif grep -q '\"command\": \"git push --force'; then echo 'not with force' >&2; exit 2; fi\n",
		"fragile/tests/blocks.txtar": blocks,

		"wrong/HOOK.md":            hookMD("wrong"),
		"wrong/scripts/run":        "#!/bin/sh\ncat >/dev/null\n",
		"wrong/tests/blocks.txtar": blocks,

		"invalid/HOOK.md":     strings.Replace(hookMD("invalid"), "name: invalid", "name: other", 1),
		"invalid/scripts/run": "#!/bin/sh\ncat >/dev/null\n",

		"leaky/HOOK.md":            hookMD("leaky"),
		"leaky/scripts/run":        "#!/bin/sh\ncat >/dev/null\nsleep 7 >/dev/null 2>&1 &\nexit 0\n",
		"leaky/tests/allows.txtar": allows,

		"broken/HOOK.md":     strings.Replace(hookMD("broken"), "^Shell$", "'('", 1),
		"broken/scripts/run": "#!/bin/sh\nexit 0\n",

		"typo/HOOK.md":          hookMD("typo"),
		"typo/scripts/run":      "#!/bin/sh\nexit 0\n",
		"typo/tests/typo.txtar": strings.Replace(blocks, "exit: 2", "exits: 2", 1),
	})
}

// checkHook checks a hook for agents, in every hostile trial.
func checkHook(t *testing.T, dir string, agents ...string) *HookReport {
	t.Helper()
	r, err := CheckHook(context.Background(), ourProgram(t), dir, HookOptions{Agents: agents, Hostile: true})
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return r
}

// fails reports whether a check that is about something failed.
func (r *HookReport) fails(what string) bool {
	return slices.ContainsFunc(r.Checks, func(c HookCheck) bool { return c.Result == Failed && strings.Contains(c.Check+" "+c.Detail, what) })
}

// What the checks of a hook find, and what they let pass.
func TestCheckHook(t *testing.T) {
	dir, program := checkedHooks(t), ourProgram(t)
	every := []string{"claude-code"}
	if slowtest.On() {
		every = []string{"all"}
	}
	good := checkHook(t, filepath.Join(dir, "good"), every...)
	if err := good.Err(); err != nil {
		t.Errorf("good: %v %+v", err, good.Checks)
	}
	if i := slices.IndexFunc(good.Agents, func(a HookAgent) bool { return a.ID == "claude-code" }); i < 0 || len(good.Agents[i].Native) == 0 || len(good.Agents[i].Without) > 0 || good.Agents[i].Calls == 0 {
		t.Errorf("good, agents: %+v", good.Agents)
	}
	var b bytes.Buffer
	if good.Text(&b, false); bytes.Count(b.Bytes(), []byte("\n")) > 24 {
		t.Errorf("does not fit a screen:\n%s", b.String())
	}
	for name, what := range map[string]string{
		"never": "none of the events of its tests reaches it: matcher.tool 0 of 1", "idle": "none of the events of its tests was blocked", "half": "-u in the same word, last",
		"fragile": "hole", "wrong": "refuses a forced push", "invalid": "name", "leaky": "left", "broken": "does not run",
	} {
		t.Run(name, func(t *testing.T) {
			if !slowtest.Among(name, "wrong") {
				return
			}
			if r := checkHook(t, filepath.Join(dir, name)); !r.fails(what) {
				var b bytes.Buffer
				r.Text(&b, true)
				t.Errorf("%s: want a failure about %q, have\n%s", name, what, b.String())
			}
		})
	}
	if _, err := CheckHook(context.Background(), program, filepath.Join(dir, "typo"), HookOptions{}); err == nil || !strings.Contains(err.Error(), "exits: unknown key") {
		t.Errorf("a test with an unknown key: %v", err)
	}
	if _, err := CheckHook(context.Background(), program, filepath.Join(dir, "good"), HookOptions{Agents: []string{"no-such-agent"}}); err == nil {
		t.Error("an agent that there is not: no error")
	}
	if _, err := CheckHook(context.Background(), program, filepath.Join(dir, "nothing"), HookOptions{}); err == nil {
		t.Error("a folder that there is not: no error")
	}
}

// What fails in many agents and spellings is a failure of one cause, which has the change
// that mends it.
func TestCheckHookTellsCauses(t *testing.T) {
	needsMinutes(t)
	dir := checkedHooks(t)
	missed := func(r *HookReport, agent, tool string) bool {
		return slices.ContainsFunc(r.Agents, func(a HookAgent) bool { return a.ID == agent && slices.Contains(a.Missed, tool) })
	}
	var b bytes.Buffer
	// A guard that reads the keys of one agent is not the guard of another one.
	names := checkHook(t, filepath.Join(dir, "names"), "all")
	if !names.fails("holds change scripts/run: read changes[]") || !missed(names, "codex", "apply_patch") || !missed(names, "claude-code", "mcp__fs__edit_file") {
		t.Errorf("names: %+v %+v", names.Checks, names.Agents)
	}
	// What fails alike in many agents and spellings is one failure, with the change first.
	causes, tellers := 0, 0
	for _, c := range names.Checks {
		if c.Check == "holds" {
			causes++
			tellers += strings.Count(c.Detail, ", ")
			if !strings.HasPrefix(c.Detail, "change ") || strings.Count(c.Detail, "agents-hooks test ") != 1 {
				t.Errorf("names: %s", c.Detail)
			}
		}
	}
	names.Text(&b, false)
	if said := b.String(); causes == 0 || causes > 4 || tellers < 15 || strings.Count(said, "\n") > 40 || strings.Index(said, "  fail") > strings.Index(said, "  pass") {
		t.Errorf("names: %d causes in\n%s", causes, said)
	}
	if few := checkHook(t, filepath.Join(dir, "names"), "codex", "claude-code"); len(few.Agents) != 2 {
		t.Errorf("agents: %+v", few.Agents)
	}
}

// The first test of a new hook is one.
func TestFirstTest(t *testing.T) {
	c := Case{Profile: Runner}
	must.Do(t, c.parse(FirstTest([]byte(forcePush))))
	if len(c.Steps) != 1 || c.Steps[0].Want.Stdout == nil {
		t.Errorf("%+v", c.Steps)
	}
}

// A file that lies among the hooks of a layer and is part of none is no file of the
// project, as its author thinks: that is said, with where it belongs.
func TestStraysOfAHooksTestAreTold(t *testing.T) {
	t.Parallel()
	const rest = "\n-- event.json --\n{}\n-- want --\nran: none\n"
	other := "\n-- project/other/HOOK.md --\n---\nname: other\n---\n-- project/other/scripts/run --\n#use allow\n-- project/other/data.txt --\nx"
	for files, want := range map[string]string{
		"\n-- project/main.go --\nx":                                "write tree/home/project/main.go",
		"\n-- project/src/main.go --\nx":                            "write tree/home/project/src/main.go",
		"\n-- 2/project/src/main.go --\nx\n-- 2/want --\nran: none": "write tree/home/project/src/main.go",
		"\n-- user/notes.txt --\nx":                                 "write tree/notes.txt",
		"\n-- tree/home/project/main.go --\nx":                      "",
		"\n-- project/guard/data.txt --\nx":                         "write tree/home/project/guard/data.txt",
		"\n-- user/guard/data.txt --\nx":                            "",
		other:                                                       "",
	} {
		t.Run(fmt.Sprintf("%q", files), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "guard")
			for name, text := range map[string]string{"HOOK.md": "---\nname: guard\n---\n", "scripts/run": "#!/bin/sh\n", "tests/a.txtar": "title: a" + files + rest} {
				must.Script(t, filepath.Join(dir, name), text)
			}
			_, err := HookTests(dir)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %q", files, err, want)
			}
		})
	}
}
