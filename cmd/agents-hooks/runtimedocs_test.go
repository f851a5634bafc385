package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// The programs of docs/runtime.md do as they say, as they stand there: what hooks allow
// is run, what they changed is run as changed, and what they block or ask about is not.
func TestProgramsOfTheRuntimePageHold(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("they give a line to sh")
	}
	page := must.Read(t, "../../docs/runtime.md")
	home := t.TempDir()
	hook := func(name, command, script string) {
		t.Helper()
		dir := filepath.Join(home, ".config", "agents", "hooks", name)
		must.Do(t, os.MkdirAll(filepath.Join(dir, "scripts"), 0o755))
		head := "---\nname: " + name + "\ndescription: d.\ntrigger: pre-tool-call\nmatcher:\n  command: '" + command + "'\n---\n"
		for file, text := range map[string]string{"HOOK.md": head, "scripts/run": "#!/bin/sh\n" + script + "\n"} {
			must.Script(t, filepath.Join(dir, file), text)
		}
	}
	hook("guard", "forbidden", `echo "not that" >&2; exit 2`)
	hook("rewrite", "old", `echo '{"modified_input": {"command": "echo new"}}'`)
	hook("unsure", "perhaps", `echo '{"decision": "ask", "reason": "sure?"}'`)

	programs := regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```").FindAllStringSubmatch(page, -1)
	if len(programs) != 3 {
		t.Fatalf("%d programs in the page, want 3", len(programs))
	}
	for _, p := range programs {
		if !slowtest.Among(p[1], "python") {
			continue
		}
		t.Run(p[1], func(t *testing.T) {
			t.Parallel()
			argv := sample(t, p[1], p[2])
			for _, c := range []struct{ name, command, out, errs string }{
				{"runs what no hook minds", "echo 'it is fine'", "it is fine\n", ""},
				{"does not run what one forbids", "echo forbidden", "", "[guard] not that"},
				{"runs what one made of it", "echo old", "new\n", ""},
				{"does not run what one would ask about", "echo perhaps", "", "[unsure] sure?"},
			} {
				t.Run(c.name, func(t *testing.T) {
					cmd := exec.CommandContext(t.Context(), argv[0], append(slices.Clone(argv[1:]), c.command)...)
					cmd.Dir = t.TempDir()
					cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CONFIG_DIRS="+home, "XDG_STATE_HOME=")
					var out, errs strings.Builder
					cmd.Stdout, cmd.Stderr = &out, &errs
					err := cmd.Run()
					if out.String() != c.out || !strings.Contains(errs.String(), c.errs) || c.errs == "" && (err != nil || errs.Len() > 0) {
						t.Errorf("%v, %q and %q, want %q and %q", err, &out, &errs, c.out, c.errs)
					}
				})
			}
		})
	}
}

// sample is how a program of the page is started.
func sample(t *testing.T, language, text string) []string {
	t.Helper()
	tool, name := "python3", "ask.py"
	switch language {
	case "typescript":
		// What only a compiler reads is taken out: not every node does that by itself.
		tool, name, text = "node", "ask.mjs", strings.ReplaceAll(text, ": object", "")
	case "go":
		tool, name = "go", "ask.go"
	}
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skip("there is no " + tool)
	}
	file := filepath.Join(t.TempDir(), name)
	must.Write(t, file, text)
	if language != "go" {
		return []string{path, file}
	}
	program := filepath.Join(filepath.Dir(file), "ask")
	if out, err := exec.CommandContext(t.Context(), path, "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{program}
}
