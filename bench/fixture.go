package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A lab is a temporary folder with the programs and the homes.
type lab struct {
	dir   string
	bin   string // agents-hooks
	lean  string // agents-hooks-run, "" if there is none
	naive string
	empty string
	floor string // reads an event and checks for a folder
	inC   string // the same in C, "" without a compiler
	get   bool   // missing peers are installed
}

// ourRoot is the root of this repository.
func ourRoot() (string, error) {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("looking for the repository: %w", err)
	}
	return filepath.Dir(strings.TrimSpace(string(mod))), nil
}

func newLab() (l *lab, err error) {
	dir, err := os.MkdirTemp("", "agents-hooks-bench")
	if err != nil {
		return nil, err
	}
	l = &lab{dir: dir}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	root, err := ourRoot()
	if err != nil {
		return nil, err
	}
	for _, p := range []struct {
		dst *string
		pkg string
	}{{&l.bin, "cmd/agents-hooks"}, {&l.lean, "cmd/agents-hooks-run"}, {&l.naive, "bench/naive"}, {&l.empty, "bench/empty"}, {&l.floor, "bench/floor"}} {
		*p.dst = filepath.Join(dir, "bin", filepath.Base(p.pkg))
		// The second tag is for naive: its library would cost it 0.4 ms more.
		cmd := exec.Command("go", "build", "-tags", "nethttpomithttp2,urfave_cli_no_docs", "-trimpath", "-ldflags", "-s -w", "-o", *p.dst, ".")
		cmd.Dir = filepath.Join(root, p.pkg) // naive is a separate module
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s: %v\n%s", p.pkg, err, out)
		}
	}
	if cc, err := exec.LookPath("cc"); err == nil {
		l.inC = filepath.Join(dir, "bin", "floor-c")
		if out, err := exec.Command(cc, "-O2", "-o", l.inC, filepath.Join(root, "bench", "testdata", "floor.c")).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building floor.c: %v\n%s", err, out)
		}
	}
	return l, nil
}

func (l *lab) remove() { _ = os.RemoveAll(l.dir) }

// A site is one home with hooks, an installed entry and an event.
type site struct {
	home, project string
	entry         []string // the command that install wrote, split by a shell
	event         string   // file
	tool          string   // the shell command in the event
	calls         int      // how many events were written
	hook          string   // the one matching hook's script, "" if there is none
}

// A captured event, except for its folder.
const payload = `{"session_id":"268b11ae-675a-4d8d-b0fe-8b8ece59f0a8","transcript_path":"/home/dev/.claude/projects/p/268b11ae.jsonl","cwd":%q,"prompt_id":"634b4b3b-3888-48d5-a013-0d99cf0773dc","permission_mode":"default","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q,"description":"scripted command"},"tool_use_id":"toolu_%d"}`

// script is D: a typical hook, which reads its event and answers.
const script = "#!/bin/sh\nread -r event\nprintf '{\"decision\": \"allow\"}\\n'\n"

// newSite makes a home with n hooks, half of them the user's and half the
// project's, all approved. If match is set, one of the user's matches the event.
func (l *lab) newSite(name string, n int, match bool, body string) (*site, error) {
	s := &site{home: filepath.Join(l.dir, name, "home"), project: filepath.Join(l.dir, name, "project")}
	if err := os.MkdirAll(filepath.Join(s.project, ".git"), 0o755); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(s.home, ".claude"), 0o755); err != nil {
		return nil, err
	}
	for i := range n {
		root := filepath.Join(s.home, ".config", "agents", "hooks")
		if i%2 == 1 {
			root = filepath.Join(s.project, ".agents", "hooks")
		}
		dir := filepath.Join(root, fmt.Sprintf("hook-%04d", i))
		tool := "WriteFile|EditFile"
		trigger := "pre-tool-call"
		if i%4 >= 2 {
			trigger = "post-tool-call"
		}
		if i == 0 && match {
			tool, s.hook = "Shell|Bash", filepath.Join(dir, "scripts", "run")
		}
		if err := writeHook(dir, trigger, tool, body); err != nil {
			return nil, err
		}
	}
	s.event, s.tool = filepath.Join(s.home, "event.json"), "echo hello-from-tool"
	if err := s.freshEvent(); err != nil {
		return nil, err
	}
	if n > 1 {
		if err := l.tool(s, "trust", "--yes", "--dir", s.project); err != nil {
			return nil, err
		}
	}
	return s, l.install(s)
}

// freshEvent writes the event with a new call id: the same id within two seconds means
// the same call registered twice, and is answered without running anything.
func (s *site) freshEvent() error {
	s.calls++
	return os.WriteFile(s.event, fmt.Appendf(nil, payload, s.project, s.tool, s.calls), 0o644)
}

// writeHook writes a folder of a realistic size, about 1.3 KB.
func writeHook(dir, trigger, tool, body string) error {
	if err := os.MkdirAll(filepath.Join(dir, "scripts"), 0o755); err != nil {
		return err
	}
	text := fmt.Sprintf("---\nname: %s\ndescription: Looks at one kind of call before it happens and says so if it does not like it\ntrigger: %s\nmatcher:\n  tool: %s\ntimeout: 5000\nasync: false\npriority: 100\nmetadata:\n  author: somebody\n  version: 1.2.0\n---\n\n# Notes\n\n%s\n",
		filepath.Base(dir), trigger, tool, strings.Repeat("What this hook is for, in the words of the person who wrote it.\n", 16))
	if err := os.WriteFile(filepath.Join(dir, "HOOK.md"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "scripts", "run"), []byte(body), 0o755)
}

func (l *lab) env(s *site) []string {
	return []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
}

func (l *lab) tool(s *site, args ...string) error {
	cmd := exec.Command(l.bin, args...)
	cmd.Env, cmd.Dir = l.env(s), s.project
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("agents-hooks %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

var commandLine = regexp.MustCompile(`"command": *"((?:[^"\\]|\\.)*)"`)

// install lets the program write its entry and reads the command back, to measure what
// an agent would run. It leaves out the shell that runs the command, which only checks
// that the program exists and becomes the program.
func (l *lab) install(s *site) error {
	if err := l.tool(s, "install", "claude-code"); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(s.home, ".claude", "settings.json"))
	if err != nil {
		return err
	}
	m := commandLine.FindSubmatch(b)
	if m == nil {
		return fmt.Errorf("no command in %s", b)
	}
	words := strings.Fields(strings.NewReplacer(`\"`, `"`, `'`, "").Replace(string(m[1])))
	from, to := slices.Index(words, "exec")+1, slices.Index(words, ";")
	if from == 0 || to < from {
		return fmt.Errorf("an entry that executes nothing: %s", m[1])
	}
	s.entry = words[from:to]
	return nil
}

// through is the command that passes the event to the dispatcher.
func (l *lab) through(name string, s *site) *command {
	return &command{name: name, argv: s.entry, stdin: s.event, env: l.env(s), dir: s.project, fresh: s.freshEvent}
}

// least is a program that only reads the event and checks for a folder.
func (l *lab) least(name, program string, s *site) *command {
	return &command{name: name, argv: []string{program}, stdin: s.event, env: l.env(s), dir: s.project}
}

// direct is the command that starts the hook without a dispatcher.
func (l *lab) direct(name string, s *site) *command {
	return &command{name: name, argv: []string{s.hook}, stdin: s.event, env: l.env(s), dir: s.project}
}
