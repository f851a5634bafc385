package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/runner"
)

// The guards that README and docs show are what people copy. Each is taken from
// its page as it stands there, and tried on every line of a file of
// testdata/samples: spellings of the deed that have to be refused, and harmless
// calls that have to pass (what gives a permission has to give none for the first,
// and one for the second). Those of examples are tried in the same way. A line is
// one for a shell (⏎ is a line break), or a tool's name and its input; the id of
// an agent in front makes it a tool of that agent.

func TestGuardsOfThePagesHold(t *testing.T) {
	t.Parallel()
	writing := page(t, "docs/writing-hooks.md")
	refuse := block(t, writing, "sh", "exit 2")
	for _, g := range []struct {
		name, list string
		about      string // of the list, what this guard is about: an expression
		but        string // and what it is not
		dir        func(t *testing.T) string
	}{
		{name: "README.md", list: "no-force-push", dir: func(t *testing.T) string { return typed(t, "README.md") }},
		{name: "README.zh.md", list: "no-force-push", dir: func(t *testing.T) string { return typed(t, "README.zh.md") }},
		{name: "writing-hooks.md", list: "no-force-push", dir: func(t *testing.T) string {
			return folder(t, block(t, writing, "yaml", "name: no-force-push"), "run", refuse)
		}},
		{name: "writing-hooks.md, Python", list: "deploy", dir: func(t *testing.T) string {
			if _, err := exec.LookPath("python3"); err != nil {
				t.Skip("no python here")
			}
			return folder(t, "---\nname: no-force-push\ndescription: x\ntrigger: pre-tool-call\n---\n", "run.py", block(t, writing, "python", "Deploy through"))
		}},
		{name: "matchers.md, command", list: "no-force-push", dir: func(t *testing.T) string { return matcherOf(t, "command", refuse) }},
		{name: "matchers.md, path", list: "protected-paths", about: `\.env\b`, but: `example"`, dir: func(t *testing.T) string { return matcherOf(t, "path", refuse) }},
		{name: "matchers.md, content", list: "no-secrets", about: "AKIA", but: "EXAMPLE", dir: func(t *testing.T) string { return matcherOf(t, "content", refuse) }},
	} {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			refused, passes := spellings(t, g.list)
			about, but := regexp.MustCompile(g.about), regexp.MustCompile(g.but)
			if g.about != "" {
				refused = slices.DeleteFunc(refused, func(line string) bool { return !about.MatchString(line) })
				passes = slices.DeleteFunc(passes, but.MatchString)
			}
			holds(t, g.dir(t), refused, passes)
		})
	}
}

// Each guard of examples holds, and every line of a list is of some use: a guard
// that refuses everything, or nothing, fails.
func TestGuardsOfTheExamplesHold(t *testing.T) {
	t.Parallel()
	for _, dir := range exampleFolders(t) {
		name := filepath.Base(dir)
		if _, err := os.Stat(filepath.Join("testdata", "samples", name+".txt")); err != nil {
			if strings.HasPrefix(name, "no-") || strings.HasPrefix(name, "allow-") || strings.HasPrefix(name, "protected-") {
				t.Errorf("%s has no list of spellings", name)
			}
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused, passes := spellings(t, name)
			holds(t, dir, refused, passes)
		})
	}
}

func exampleFolders(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "*", "HOOK.md"))
	if err != nil || len(files) < 10 {
		t.Fatal("examples:", files, err)
	}
	var dirs []string
	for _, file := range files {
		dirs = append(dirs, filepath.Dir(file))
	}
	return dirs
}

// holds asks a hook about each call, as a runner does.
func holds(t *testing.T, dir string, refused, passes []string) {
	t.Helper()
	if len(refused) < 25 || len(passes) < 15 {
		t.Fatalf("%d spellings and %d harmless calls; want 25 and 15", len(refused), len(passes))
	}
	dir, err := filepath.Abs(dir)
	must.Do(t, err)
	home := t.TempDir()
	h := host.New([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_CONFIG_DIRS=" + filepath.Join(home, "etc")}, runtime.GOOS, home, "/bin/agents-hooks", time.Now)
	hook := hookset.HookAt(h, dir)
	if hook.Status != discovery.Ready {
		t.Fatalf("%s: %s %v", dir, hook.Status, hook.Problems)
	}
	r := runner.Runner{Env: h.Env, State: filepath.Join(home, "state"), Self: h.Self, Home: home}
	if runtime.GOOS == "windows" {
		r.Shell = []string{os.Args[0], runner.ShellVerb}
	}
	part := 12
	if _, err = os.Stat(filepath.Join(dir, "scripts", "run.py")); err == nil {
		part = 24 // Python takes a tenth of a second to start
	}
	for i, line := range append(slices.Clone(refused), passes...) {
		if !slowtest.Part(i, part) {
			continue
		}
		ev := callOf(t, line)
		ev.Type = hook.Trigger
		rep := r.Run(context.Background(), ev, &discovery.Set{Hooks: []*discovery.Hook{hook}, Root: home})
		if hook.Trigger == protocol.PermissionRequest {
			if permits, want := rep.Outcome.Decision == protocol.Allow, slices.Contains(passes, line); permits != want {
				t.Errorf("%s\n\tpermitted %v, want %v: %v", line, permits, want, rep.Warnings)
			}
			continue
		}
		for _, w := range rep.Warnings {
			t.Errorf("%s: %s", line, w.Text)
		}
		if blocked, want := rep.Outcome.Decision == protocol.Block, slices.Contains(refused, line); blocked != want {
			t.Errorf("%s\n\tblocked %v, want %v", line, blocked, want)
		}
	}
}

// spellings reads a list.
func spellings(t *testing.T, name string) (refused, passes []string) {
	t.Helper()
	b := must.Read(t, filepath.Join("testdata", "samples", name+".txt"))
	var to *[]string
	for line := range strings.Lines(b) {
		switch line = strings.TrimRight(line, "\n"); line {
		case "":
		case "# refused":
			to = &refused
		case "# passes":
			to = &passes
		default:
			if slices.Contains(refused, line) || slices.Contains(passes, line) {
				t.Errorf("%s: %q stands there twice", name, line)
			}
			*to = append(*to, line)
		}
	}
	return refused, passes
}

var toolLine = regexp.MustCompile(`^(?:([a-z-]+) )?([\w-]+) (\{".*\})$`)

// callOf is the event before the call of a line.
func callOf(t *testing.T, line string) *protocol.Event {
	t.Helper()
	ev := &protocol.Event{Type: protocol.PreToolCall, SessionID: "s", WorkDir: "/p"}
	if m := toolLine.FindStringSubmatch(line); m != nil {
		var tools protocol.Tools
		if m[1] != "" {
			d, ok := agents.Lookup(m[1])
			if !ok {
				t.Fatalf("%s: no agent %q", line, m[1])
			}
			tools = d.Tools
		}
		if protocol.ValidValue([]byte(m[3])) != nil {
			t.Fatalf("%s: no JSON", line)
		}
		ev.Call = tools.NewCall(m[2], protocol.Raw(m[3]))
	} else {
		command := protocol.Quote(strings.ReplaceAll(line, "⏎", "\n"))
		ev.Call = protocol.Tools(nil).NewCall(protocol.Shell, protocol.Object{{Name: "command", Value: command}}.Raw())
	}
	ev.Fields.SetText("tool_name", ev.Call.Name)
	ev.Fields.Set("tool_input", ev.Call.Input.Raw())
	return ev
}

func page(t *testing.T, name string) string {
	t.Helper()
	return must.Read(t, filepath.Join("..", "..", filepath.FromSlash(name)))
}

// block is the one fenced block of a page in a language that has a text in it;
// of several the first.
func block(t *testing.T, page, language, has string) string {
	t.Helper()
	for _, part := range strings.Split(page, "```"+language+"\n")[1:] {
		if text, _, ok := strings.Cut(part, "```"); ok && strings.Contains(text, has) {
			return text
		}
	}
	t.Fatalf("no block of %s has %q", language, has)
	return ""
}

// typed is the hook that a person has who types what a README says.
func typed(t *testing.T, name string) (dir string) {
	t.Helper()
	home := t.TempDir()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here, for which the page is written")
	}
	text := page(t, name)
	_, commands, ok := strings.Cut(block(t, text, "sh", "cat > HOOK.md"), "\nmkdir ")
	if !ok {
		t.Fatal("nothing is made there")
	}
	said := inShell(t, home, "mkdir "+commands+"\n"+block(t, text, "sh", "agents-hooks run"))
	var want []string
	for line := range strings.Lines(block(t, text, "sh", "agents-hooks run")) {
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			want = append(want, comment)
		}
	}
	if said != strings.Join(want, "") {
		t.Errorf("%s says\n%s\nand what happens is\n%s", name, strings.Join(want, ""), said)
	}
	return filepath.Join(home, ".config", "agents", "hooks", "first-guard")
}

// inShell types lines into a shell on a machine that has nothing but us.
func inShell(t *testing.T, home, lines string) string {
	t.Helper()
	cmd := exec.Command("sh")
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_CONFIG_DIRS=" + filepath.Join(home, "etc")}
	cmd.Stdin = strings.NewReader(lines)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// folder is a hook's folder.
func folder(t *testing.T, head, entry, script string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "no-force-push")
	must.Write(t, filepath.Join(dir, "HOOK.md"), head)
	must.Script(t, filepath.Join(dir, "scripts", entry), script)
	return dir
}

// matcherOf is a hook with the expression that matchers.md shows for a key.
func matcherOf(t *testing.T, key, script string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^    (` + key + `: '[^'\n]+')`).FindStringSubmatch(page(t, "docs/matchers.md"))
	if m == nil {
		t.Fatalf("matchers.md shows no %s", key)
	}
	return folder(t, fmt.Sprintf("---\nname: no-force-push\ndescription: x\ntrigger: pre-tool-call\nmatcher:\n  %s\n---\n", m[1]), "run", script)
}

// The recipe for scripts without a JSON parser finds the files that a call changed
// in the captured events of every agent, before the call and after it.
func TestRecipeFindsTheChangedFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("sed")
	}
	recipe := block(t, page(t, "docs/writing-hooks.md"), "sh", "sed -n")
	goldens, err := filepath.Glob(filepath.Join("..", "..", "protocol", "*", "testdata", "events", "*.jsonl"))
	must.Do(t, err)
	var all, want bytes.Buffer
	lines, after := 0, 0
	for _, golden := range goldens {
		for line := range strings.Lines(must.Read(t, golden)) {
			o, err := protocol.ParseObject([]byte(line))
			if err != nil || !o.Has("changes") || strings.Contains(string(o.Get("changes")), `\\`) {
				continue
			}
			lines++
			if o.Text("event_type") != string(protocol.PreToolCall) {
				after++
			}
			all.WriteString(strings.TrimRight(line, "\n") + "\n")
			for _, e := range protocol.ElementsOf(o.Get("changes")) {
				for _, name := range []string{"path", "to"} {
					if p := protocol.ObjectOf(e).Text(name); p != "" {
						fmt.Fprintln(&want, p)
					}
				}
			}
		}
	}
	if lines < 60 || after < 5 {
		t.Fatalf("%d events, %d of them after a call", lines, after)
	}
	cmd := exec.Command("sh", "-c", recipe)
	cmd.Stdin = &all
	got, err := cmd.Output()
	if err != nil || string(got) != want.String() {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want.String())
	}
}
