package dispatch

import (
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/dirs"
	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// variablesRead are the names of all variables that this module's code has as a
// text: whoever reads one has its name there.
func variablesRead(t *testing.T) []string {
	t.Helper()
	name := regexp.MustCompile(`"\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|HOME|PATH|USERPROFILE|AppData|LocalAppData|ProgramData|LANG|LANGUAGE|TZ|PWD|KILO|TERM|SHELL|TMPDIR)[="]`)
	found := map[string]bool{}
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"testdata", ".git", "bench", "e2e", "conformance"}, d.Name()) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		b, err := os.ReadFile(path)
		for _, m := range name.FindAllStringSubmatch(string(b), -1) {
			found[m[1]] = true
		}
		return err
	})
	must.Do(t, err)
	for _, known := range []string{"XDG_CONFIG_DIRS", "AGENTS_HOOKS_DISABLE", "MEMORY_DATA_DIR", "PRISMER_BASE_URL", "AGENTS_HOOKS_TICKET", "CURSOR_VERSION", "HOME"} {
		if !found[known] {
			t.Fatalf("%s is not found in the code: this test looks in the wrong place", known)
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// A hostile world: a person with a guard, a locked guard and memory switched on,
// in a clone that holds whatever a variable could lead to.
func hostileWorld(t *testing.T, w *world) (values func(address string) []string) {
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "cat > /dev/null; echo the guard says no >&2; exit 2")
	w.file(w.settings(), "[builtin.memory]\nenabled = true\nembedding = \"http\"\nembedding_url = \"http://127.0.0.1:1/v1\"\nrecall = 3\n"+
		"[builtin.evolution]\nenabled = true\napi_key = \"sk-prismer-person\"\n[builtin.workspace]\nenabled = true\n", 0o600)
	evil := filepath.Join(w.project, "evil")
	allow := "echo ran >> " + "canary-ran"
	for _, dir := range []string{filepath.Join(evil, "agents", "hooks"), filepath.Join(evil, ".config", "agents", "hooks"), filepath.Join(evil, "hooks")} {
		w.hook(dir, "guard", "trigger: pre-tool-call", allow)
		w.hook(dir, "added", "trigger: pre-tool-call\npriority: 1000", allow)
	}
	for _, file := range []string{"MEMORY.md", "memory-data/MEMORY.md", ".local/share/agents-hooks/memory/MEMORY.md", ".agents/memory-data/MEMORY.md"} {
		w.file(filepath.Join(evil, filepath.FromSlash(file)), "# Memory\n\nCANARY of the clone\n", 0o644)
	}
	for _, program := range []string{"git", "cat", "sh", "agents-hooks"} {
		w.file(filepath.Join(evil, "bin", program), "#!/bin/sh\n"+allow+"\n", 0o755)
	}
	return func(address string) []string {
		return []string{"1", "0", "9", "99-1-0", evil, filepath.Join(evil, ".config"), "/proc/self/cwd/evil", "./evil", ".", "always", "off", "guard", "http://" + address, "sk-prismer-evil", "fifo:" + evil}
	}
}

// hostile finds each variable of a list, as %q has it, that leads into the clone
// or to its server.
func hostile(address string) *regexp.Regexp {
	return regexp.MustCompile(`"([A-Za-z_]+)=[^"]*(?:/evil|sk-prismer-evil|` + regexp.QuoteMeta(address) + `)`)
}

// together sets all names at once, to each value.
func together(names, values []string) (sets [][]string) {
	for _, v := range values {
		var all []string
		for _, n := range names {
			if n != "DISPATCH_TEST_ROLE" && !ofTheSystem(n) {
				all = append(all, n+"="+v)
			}
		}
		sets = append(sets, all)
	}
	return sets
}

// apart sets a few names at a time, to one of the values: what one hides another may
// open.
func apart(names, values []string) [][]string {
	var one []string
	for i, n := range names {
		if !ofTheSystem(n) {
			one = append(one, n+"="+values[i%6])
		}
	}
	return slices.Collect(slices.Chunk(one, 4))
}

// ofTheSystem reports whether the system's loader obeys a variable: each program of a
// hook would say so on stderr.
func ofTheSystem(name string) bool {
	return name == "PATH" || strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_")
}

// Each variable that any code reads is set to each hostile value, to an entry of
// each form: the person's guard blocks, in the words of the agent that the entry
// names; nothing of the clone's runs or is told to the model; nothing is sent.
func TestNoVariableOpensAgentForm(t *testing.T) {
	if testing.Short() {
		t.Skip("starts hundreds of processes")
	}
	t.Parallel()
	w := newWorld(t)
	w.role = "commands" // which [keepCommand] keeps: those of ours are not in this program
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	address := server.Listener.Addr().(*net.TCPAddr).String()
	values := hostileWorld(t, w)(address)
	names := variablesRead(t)
	config := w.config()
	forms := [][]string{
		{"--agent=claude-code", "--config=" + config, "--state=" + w.state()}, // as older installs wrote it
		{"--agent=claude-code", "--home=" + w.home},
	}
	sets := append(together(names, values), apart(names, values)...)
	// What the person's guard starts is no program of the clone, wherever the PATH
	// leads first.
	for _, first := range []string{filepath.Join(w.project, "evil", "bin"), "/proc/self/cwd/evil/bin", "evil/bin", w.project + "/./evil/../evil/bin/"} {
		sets = append(sets, []string{"PATH=" + first + ":" + os.Getenv("PATH")})
	}
	n := 0
	for i, set := range sets {
		if i >= len(values) && !slowtest.Part(i, 24) {
			continue // all names at once with each value, and some by themselves
		}
		args := forms[i%2]
		cmd := w.command(nil, strings.NewReader(fmt.Sprintf(`{"session_id":"s-%d","transcript_path":"/t.jsonl","cwd":%q,"prompt_id":"p","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push --force"},"tool_use_id":"toolu_%d"}`, i, w.project, i)))
		cmd.Args = append(cmd.Args[:2:2], args...)
		cmd.Env = append(cmd.Env, set...)
		r := w.finish(cmd)
		// The loader of the hook's own programs may complain of LD_PRELOAD first.
		if r.exit != 0 || !strings.Contains(r.stdout, `"permissionDecision": "deny", "permissionDecisionReason": "`) || !strings.Contains(r.stdout, `the guard says no"`) {
			t.Errorf("%.200q, %s: exit %d, %s%s", set, args, r.exit, r.stdout, r.stderr)
			if n++; n > 5 {
				t.Fatal("and so on")
			}
		}
	}
	for i, set := range sets[4:len(values)] {
		for _, event := range []string{`"SessionStart","source":"startup"`, `"UserPromptSubmit","prompt":"what do we remember of the canary of the clone?"`, `"Stop","stop_hook_active":false`} {
			cmd := w.command(nil, strings.NewReader(fmt.Sprintf(`{"session_id":"t-%d","transcript_path":"/t.jsonl","cwd":%q,"prompt_id":"p","permission_mode":"default","hook_event_name":%s}`, i, w.project, event)))
			cmd.Args = append(cmd.Args[:2:2], forms[i%2]...)
			cmd.Env = append(cmd.Env, set...)
			if r := w.finish(cmd); strings.Contains(r.stdout, "CANARY") {
				t.Errorf("%.200q, %s: %s", set, event, r.stdout)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(w.project, "canary-ran")); err == nil {
		t.Error("a hook of the clone ran")
	}
	// The commands that the built-in hooks started were given the person's places,
	// and nothing of what was set but what tunes.
	b, err := os.ReadFile(filepath.Join(w.home, "commands"))
	if err != nil {
		t.Fatalf("no command of ours was started: %v", err)
	}
	for line := range strings.Lines(string(b)) {
		for _, kv := range hostile(address).FindAllStringSubmatch(line, -1) {
			if !host.CountsForAgent(kv[1]) {
				t.Errorf("a command of ours was given %s", kv[0])
			}
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the server of the environment was asked %d times", n)
	}
}

// What was set and does not count is said once, and names what to do.
func TestUnreadVariableIsSaidOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "quiet", "trigger: pre-tool-call", "exit 0")
	w.env = []string{"AGENTS_HOOKS_DISABLE=1", "PRISMER_API_KEY=k", "MEMORY_FACTS_LIMIT=3", "XDG_STATE_HOME=" + filepath.Dir(w.state())}
	first := w.run(w.claude("PreToolUse", bash), "--agent=claude-code")
	has(t, "first", first.stdout, "AGENTS_HOOKS_DISABLE, PRISMER_API_KEY: set in the environment and not read", "agents-hooks disable", "hooks.toml")
	hasNot(t, "first", first.stdout, "MEMORY_FACTS_LIMIT", "XDG_STATE_HOME")
	if second := w.run(strings.Replace(w.claude("PreToolUse", bash), "toolu_1", "toolu_2", 1), "--agent=claude-code"); second.stdout != "" {
		t.Errorf("said again: %s", second.stdout)
	}
}

// Nesting is counted by tickets: a number that anybody can set silences nothing,
// dispatchers that really stand inside one another are counted, and a locked hook
// judges beyond the limit too.
func TestNestingIsCountedByTickets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	payload := w.claude("PreToolUse", bash)
	w.file(filepath.Join(w.home, "event.json"), strings.Replace(payload, `"Bash"`, `"Read"`, 1), 0o644)
	w.file(w.settings(), "[[hooks.lock]]\nname = \"locked\"\n", 0o644)
	// Each call of Read starts a dispatcher inside this one, with another id.
	w.hook(w.userHooks(), "nests", "trigger: pre-tool-call\nmatcher:\n  tool: ReadFile|Read", "")
	script := filepath.Join(w.userHooks(), "nests", "scripts", "run")
	w.file(script, `#!/bin/sh
cat > /dev/null
echo "$AGENTS_HOOKS_DEPTH" >> "$HOME/depths"
read -r event < "$HOME/event.json"
printf '%s\n' "${event%%toolu_1*}toolu_n$AGENTS_HOOKS_DEPTH${event#*toolu_1}" | "$AGENTS_HOOKS_BIN" run --agent=claude-code "--home=$HOME" > /dev/null
exit 0
`, 0o755)
	w.hook(w.userHooks(), "locked", "trigger: pre-tool-call\npriority: 1000", `cat > /dev/null; echo x >> "$HOME/locked-ran"; exit 0`)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\npriority: 1\nmatcher:\n  tool: Shell", "echo no >&2; exit 2")
	for _, forged := range []string{"AGENTS_HOOKS_DEPTH=9", "AGENTS_HOOKS_TICKET=9-1-00112233445566778899aabbccddeeff", "AGENTS_HOOKS_TICKET=9", "AGENTS_HOOKS_TICKET=9-1-"} {
		w.env = []string{forged}
		has(t, forged, w.run(strings.Replace(payload, "s-1", "s-"+forged, 1), "--agent=claude-code").stdout, `"deny"`)
	}
	w.env = nil
	w.file(filepath.Join(w.home, "locked-ran"), "", 0o644)
	w.run(strings.Replace(payload, `"Bash"`, `"Read"`, 1), "--agent=claude-code")
	depths, _ := os.ReadFile(filepath.Join(w.home, "depths"))
	if got := string(depths); got != "1\n2\n3\n4\n" {
		t.Errorf("nested to %q, want 4 levels", got)
	}
	ran, _ := os.ReadFile(filepath.Join(w.home, "locked-ran"))
	if got := string(ran); got != "x\nx\nx\nx\nx\n" {
		t.Errorf("the locked hook ran %d times, want 5: once beyond the limit", len(got)/2)
	}
	has(t, "log", w.log(), "stand inside one another")
}

// The variables of a session are written into a file of that session and nowhere
// else: not into one that a repository's variable names.
func TestSessionVariablesGoIntoAFileOfTheSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const id = "0d3f1c52-7b1e-4c8a-9d55-6a2f4f3c1b77"
	w.hook(w.userHooks(), "names", "trigger: pre-session", `printf '{"env": {"COLOUR": "red"}}'`)
	claude := filepath.Join(w.home, ".claude", "session-env")
	elsewhere := filepath.Join(w.home, "moved", "session-env", id)
	rc := filepath.Join(w.home, ".bashrc")
	for _, dir := range []string{filepath.Join(claude, id), elsewhere, filepath.Join(w.project, id)} {
		must.Do(t, os.MkdirAll(dir, 0o700))
	}
	w.file(rc, "# mine\n", 0o600)
	w.file(filepath.Join(w.home, "second"), "# mine\n", 0o600)
	for path, to := range map[string]string{
		filepath.Join(claude, id, "link.sh"):   rc,
		filepath.Join(claude, "out"):           w.home,
		filepath.Join(w.home, "to-project"):    filepath.Join(w.project, id),
		filepath.Join(w.project, "to-session"): filepath.Join(claude, id),
	} {
		linktest.Make(t, to, path)
	}
	must.Do(t, os.Link(filepath.Join(w.home, "second"), filepath.Join(claude, id, "hard.sh")))
	for file, written := range map[string]bool{
		filepath.Join(claude, id, "hook-0.sh"):        true,
		filepath.Join(elsewhere, "sessionstart-0.sh"): true,
		rc: false,
		filepath.Join(claude, "..", "..", ".bashrc"):      false,
		filepath.Join(w.project, "env"):                   false,
		filepath.Join(w.project, id, "env"):               false,
		filepath.Join(w.home, "to-project", "env"):        false,
		filepath.Join(claude, "out", ".bashrc"):           false,
		filepath.Join(claude, id, "link.sh"):              false,
		filepath.Join(claude, id, "hard.sh"):              false,
		filepath.Join(w.project, "to-session", "2.sh"):    true, // where it leads is the session's
		"/proc/self/cwd/" + id + "/env":                   false,
		"/dev/full":                                       false,
		".bashrc":                                         false,
		filepath.Join(w.home, "no such folder", "hook-0"): false,
	} {
		t.Run(strings.TrimPrefix(file, filepath.Dir(w.home)), func(t *testing.T) {
			w.env = []string{"CLAUDE_ENV_FILE=" + file}
			r := w.run(strings.Replace(w.claude("SessionStart", `,"source":"startup"`), "s-1", id, 1), "--agent=claude-code")
			if strings.Contains(r.stdout, "export") {
				t.Errorf("%s: %s", file, r.stdout)
			}
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				if written {
					t.Errorf("%s: not written", file)
				}
				return
			}
			if b, _ := os.ReadFile(file); strings.Contains(string(b), "COLOUR='red'") != written {
				t.Errorf("%s: want it written %t, it has %q", file, written, b)
			}
		})
	}
	for _, file := range []string{rc, filepath.Join(w.home, "second")} {
		if b, _ := os.ReadFile(file); string(b) != "# mine\n" {
			t.Errorf("%s has %q", file, b)
		}
	}
	has(t, "log", w.log(), "for the variables of this session", "nothing is written to it")
}

// Who is answered, and how, is told by the payload and the entry: the variables of
// all agents together change no byte of what any agent is told.
func TestNoVariableSaysWhoCalls(t *testing.T) {
	t.Parallel()
	var foreign []string
	for _, d := range agents.All() {
		for _, name := range slices.Concat(d.Markers, d.Tells) {
			foreign = append(foreign, strings.ReplaceAll(name, "*", "X"))
		}
	}
	if len(foreign) < len(agents.All()) {
		t.Fatalf("%d variables of %d agents: this test looks in the wrong place", len(foreign), len(agents.All()))
	}
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo 'the guard says no' >&2; exit 2")
	for at, d := range agents.All() {
		native, payload := toolCallOf(t, d)
		if payload == "" || !slowtest.Part(at, 3) {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			for _, args := range [][]string{{"--agent=" + d.ID, "--event=" + native}, {"--event=" + native}} {
				var want ended
				for i, value := range []string{"", "1", "2.1.329", "claude-code", w.project} {
					if !slowtest.On() && i > 0 && at%4+1 != i {
						continue // one of four values for each agent
					}
					// A state of its own: no answer is one that was given before.
					cmd := w.command(append(args, fmt.Sprintf("--state=%s/%s-%d-%d", w.home, d.ID, len(args), i)), strings.NewReader(payload))
					for _, name := range foreign {
						if value != "" && !slices.Contains(d.Tells, name) {
							cmd.Env = append(cmd.Env, name+"="+value)
						}
					}
					have := w.finish(cmd)
					have.took = 0
					if i == 0 {
						want = have
					}
					if have != want {
						t.Errorf("%s, all variables %q: %+v, want %+v", args, value, have, want)
					}
				}
				if len(args) > 1 && !strings.Contains(want.stdout+want.stderr, "the guard says no") {
					t.Errorf("%+v", want)
				}
			}
		})
	}
}

// Guards in shell and Python judge whatever the environment would have their
// interpreters run, read or obey.
func TestNoVariableSteersAGuard(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"bash":   "#!/usr/bin/env bash\necho the guard says no >&2; exit 2\n",
		"python": "#!/usr/bin/env python3\nimport sys, json\nsys.stderr.write('the guard says no')\nsys.exit(2)\n",
		"posix":  "#!/bin/sh\n[ -f ~/list ] || exit 0\necho the guard says no >&2; exit 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			program, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(script, "#!/usr/bin/env "), "#!/bin/"), "\n")
			if _, err := exec.LookPath(program); err != nil {
				return
			}
			w := newWorld(t)
			evil, ran := filepath.Join(w.project, "evil"), filepath.Join(w.home, "ran")
			w.file(filepath.Join(evil, "allow.sh"), "touch '"+ran+"'; exit 0\n", 0o644)
			w.file(filepath.Join(evil, "json.py"), "import os; os._exit(0)\n", 0o644)
			w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "")
			w.file(filepath.Join(w.userHooks(), "guard", "scripts", "run"), script, 0o755)
			w.file(filepath.Join(w.home, "list"), "", 0o644)
			w.env = []string{"BASH_ENV=" + evil + "/allow.sh", "ENV=" + evil + "/allow.sh", "SHELLOPTS=noexec", "PYTHONPATH=" + evil, "PYTHONHOME=" + evil, "PYTHONUTF8=no", "LD_PRELOAD=" + evil, "HOME=" + evil}
			if r := w.run(w.claude("PreToolUse", bash), "--agent=claude-code", "--home="+w.home); !strings.Contains(r.stdout, `"permissionDecision": "deny", "permissionDecisionReason": "[guard] the guard says no"`) {
				t.Errorf("%s: %s%s", name, r.stdout, r.stderr)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Errorf("%s: a script of the clone ran", name)
			}
		})
	}
}

// Where an entry names no home, the account's hooks count, whatever HOME says; who has
// another HOME is told, since explain, list and all other commands look there.
func TestAnotherHomeIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 2")
	said := "the home is " + dirs.Account() + " here, not " + w.home + " as HOME says"
	for name, c := range map[string]struct {
		args []string
		told bool
	}{
		"no home":          {nil, true},
		"a home":           {[]string{"--home=" + w.home}, false},
		"a home by config": {[]string{"--config=" + w.config()}, false},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := w.command(append(c.args, "--agent=claude-code", "--state="+t.TempDir(), "--cache="+t.TempDir()), strings.NewReader(w.claude("PreToolUse", bash)))
			cmd.Args = slices.Delete(cmd.Args, 2, 3) // the home of an entry
			if r := w.finish(cmd); strings.Contains(r.stdout, said) != c.told {
				t.Errorf("told %v, want %v: %+v", !c.told, c.told, r)
			}
		})
	}
}
