package runner

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// confinedFiles are hooks in several languages that try the same, and say on
// stderr what worked.
func confinedFiles() map[string]string {
	return map[string]string{
		"confined-sh": `#!/bin/sh
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then printf '%s ' "$name" >&2; fi; }
try ssh cat "$HOME/.ssh/id"
try config cat "$HOME/.config/agents/hooks.toml"
try home sh -c ': >"$HOME/new"'
try project-write sh -c ': >"$AGENTS_HOOKS_PROJECT_DIR/new"'
try link sh -c 'ln -sf "$HOME/.ssh/id" "$AGENTS_HOOKS_STATE_DIR/l" && cat "$AGENTS_HOOKS_STATE_DIR/l"'
try kill kill -0 "$NEIGHBOUR"
try project cat "$AGENTS_HOOKS_PROJECT_DIR/file"
try state sh -c 'echo x >"$AGENTS_HOOKS_STATE_DIR/x"'
try tmp sh -c 'echo x >"$TMPDIR/x.$$"'
exit 2
`,
		"confined-python": `#!/usr/bin/env python3
import os, socket, sys, tempfile, json
env = os.environ
def attempt(name, f):
    try:
        f()
        sys.stderr.write(name + " ")
    except Exception:
        pass
def connect():
    host, port = env["TCP"].split(":")
    socket.create_connection((host, int(port)), 5).close()
attempt("ssh", lambda: open(env["HOME"] + "/.ssh/id").read())
attempt("config", lambda: open(env["HOME"] + "/.config/agents/hooks.toml").read())
attempt("home", lambda: open(env["HOME"] + "/new", "w"))
attempt("project-write", lambda: open(env["AGENTS_HOOKS_PROJECT_DIR"] + "/new", "w"))
attempt("socket", connect)
attempt("kill", lambda: os.kill(int(env["NEIGHBOUR"]), 0))
attempt("stdin", lambda: json.load(sys.stdin)["event_type"])
attempt("project", lambda: open(env["AGENTS_HOOKS_PROJECT_DIR"] + "/file").read())
attempt("state", lambda: open(env["AGENTS_HOOKS_STATE_DIR"] + "/y", "w").write("x"))
attempt("tmp", lambda: tempfile.NamedTemporaryFile().write(b"x"))
sys.exit(2)
`,
		"confined-node": `#!/usr/bin/env node
const fs = require("fs"), os = require("os"), net = require("net"), child = require("child_process"), env = process.env
const attempt = (name, f) => { try { f(); process.stderr.write(name + " ") } catch (e) {} }
attempt("ssh", () => fs.readFileSync(env.HOME + "/.ssh/id"))
attempt("config", () => fs.readFileSync(env.HOME + "/.config/agents/hooks.toml"))
attempt("home", () => fs.writeFileSync(env.HOME + "/new", ""))
attempt("project-write", () => fs.writeFileSync(env.AGENTS_HOOKS_PROJECT_DIR + "/new", ""))
attempt("kill", () => process.kill(Number(env.NEIGHBOUR), 0))
attempt("stdin", () => JSON.parse(fs.readFileSync(0, "utf8")).event_type)
attempt("project", () => fs.readFileSync(env.AGENTS_HOOKS_PROJECT_DIR + "/file"))
attempt("child", () => child.execFileSync("true"))
attempt("state", () => fs.writeFileSync(env.AGENTS_HOOKS_STATE_DIR + "/z", "x"))
attempt("tmp", () => fs.mkdtempSync(os.tmpdir() + "/x"))
const [host, port] = env.TCP.split(":")
const c = net.connect(Number(port), host, () => { process.stderr.write("socket "); process.exit(2) })
c.on("error", () => process.exit(2))
`,
		"confined-async":  "#!/bin/sh\ncat \"$HOME/.ssh/id\" >\"$AGENTS_HOOKS_STATE_DIR/stolen\" 2>/dev/null || echo kept\n",
		"confined-etc":    "#!/bin/sh\nfor f in /etc/passwd /etc/shadow /etc/gshadow /etc/ssh/*key; do cat \"$f\" >/dev/null 2>&1 && printf '%s ' \"$f\" >&2; done\nexit 2\n",
		"confined-hang":   "#!/bin/sh\necho $$ >\"$AGENTS_HOOKS_STATE_DIR/pid\"\nexec sleep 600\n",
		"confined-litter": "#!/bin/sh\nmkdir \"$TMPDIR/d\" && : >\"$TMPDIR/d/f\" && echo \"$TMPDIR\" >&2\nexit 2\n",
		"confined-git":    "#!/bin/sh\n{ git status --short && git diff && git log --oneline -1; } >&2\nexit 2\n",
		"confined-asdf":   "#!/usr/bin/env asdf-runtime\necho ran >&2\nexit 2\n",
		"confined-tool":   "#!/usr/bin/env tool-runtime\necho ran >&2\nexit 2\n",
		"confined-only":   "#!/bin/sh\nfor f in src/a other link/id; do cat \"$AGENTS_HOOKS_PROJECT_DIR/$f\" >/dev/null 2>&1 && printf '%s ' \"$f\" >&2; done\nexit 2\n",
		"confined-none":   "#!/bin/sh\n(: >\"$AGENTS_HOOKS_STATE_DIR/new\") 2>/dev/null && printf 'state ' >&2\nprintf '%s' \"tmp=$TMPDIR\" >&2\nexit 2\n",
		"confined-stdin":  "#!/bin/sh\nwc -c >&2\nexit 2\n",
	}
}

// What in /etc is for root alone is not for root's hooks in a sandbox either.
func TestSecretsOfTheSystemAreNotRead(t *testing.T) {
	t.Parallel()
	p := newSpot(t)
	r := p.runner(t)
	h := hook("confined-etc")
	if _, said := p.run(t, r, h, nil); os.Geteuid() == 0 && !strings.Contains(said, "/etc/shadow") {
		t.Errorf("without a sandbox: %q", said)
	}
	if _, said := p.run(t, r, h, &discovery.Sandbox{}); said != "/etc/passwd" {
		t.Errorf("in a sandbox: %q", said)
	}
	for path, want := range map[string]bool{"/etc/passwd": true, "/etc/shadow": false, "/etc": false} {
		t.Run(path, func(t *testing.T) {
			if slices.Contains(systemOf(0), path) != want {
				t.Errorf("%s is given to root: %t", path, !want)
			}
		})
	}
	if !slices.Contains(systemOf(1), "/etc") {
		t.Error("/etc is kept from others than root")
	}
}

// Real hooks, in each language, do what they may and nothing else; without a
// sandbox they do all of it.
func TestConfinedHooks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, program, free, held string }{
		{"sh", "sh", "ssh config home project-write link kill project state tmp", "project state tmp"},
		{"python", "python3", "ssh config home project-write socket kill stdin project state tmp", "stdin project state tmp"},
		{"node", "node", "ssh config home project-write kill stdin project child state tmp socket", "stdin project child state tmp"},
		{"go", "", "ssh config home project-write socket kill stdin project state tmp", "stdin project state tmp"},
	} {
		if !slowtest.Among(tt.language, "sh", "go") {
			continue
		}
		t.Run(tt.language, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(tt.program); tt.program != "" && err != nil {
				t.Skip(err)
			}
			p := newSpot(t)
			r := p.runner(t)
			h := hook("confined-" + tt.language)
			var more []string // the person's word about where the program lies
			if tt.program == "" {
				h = entryHook(self)
				r.Env = append(r.Env, "RUNNER_TEST_ROLE=confined")
			} else {
				more = interpreterOf(tt.program)
			}
			if _, said := p.run(t, r, h, nil); said != tt.free {
				t.Errorf("free: %q, want %q", said, tt.free)
			}
			os.Remove(filepath.Join(p.home, "new"))
			os.Remove(filepath.Join(p.project, "new"))
			rep, said := p.run(t, r, h, &discovery.Sandbox{Read: more})
			if said != tt.held || len(rep.Warnings) > 0 {
				t.Errorf("held: %q, want %q; %v", said, tt.held, rep.Warnings)
			}
			if tt.program == "python3" || tt.program == "" {
				if _, said := p.run(t, r, h, &discovery.Sandbox{Network: true, Read: more}); !strings.Contains(said, "socket") || strings.Contains(said, "ssh") {
					t.Errorf("with the network: %q", said)
				}
			}
		})
	}
}

// interpreterOf is the folder that a program lies in, links followed, if a person
// has to name it: this test's home directory is not the one that it lies below.
func interpreterOf(program string) []string {
	path, _ := exec.LookPath(program)
	real, err := filepath.EvalSymlinks(path)
	home, herr := os.UserHomeDir()
	if err != nil || herr != nil || !strings.HasPrefix(real, home+"/") {
		return nil
	}
	below, _, _ := strings.Cut(strings.TrimPrefix(real, home+"/"), "/")
	return []string{filepath.Join(home, below)}
}

// confinedRoles are what the test binary does here beside its other roles.
func confinedRoles() map[string]func() int {
	return map[string]func() int{"confined": confinedRole, "kernel-less": kernelLess, "inherits": inherits}
}

// confinedRole is the hook in Go.
func confinedRole() int {
	home, project, state := os.Getenv("HOME"), os.Getenv("AGENTS_HOOKS_PROJECT_DIR"), os.Getenv("AGENTS_HOOKS_STATE_DIR")
	attempt := func(name string, err error) {
		if err == nil {
			fmt.Fprint(os.Stderr, name, " ")
		}
	}
	read := func(path string) error { _, err := os.ReadFile(path); return err }
	attempt("ssh", read(filepath.Join(home, ".ssh", "id")))
	attempt("config", read(filepath.Join(home, ".config", "agents", "hooks.toml")))
	attempt("home", os.WriteFile(filepath.Join(home, "new"), nil, 0o600))
	attempt("project-write", os.WriteFile(filepath.Join(project, "new"), nil, 0o600))
	c, err := net.Dial("tcp", os.Getenv("TCP"))
	attempt("socket", err)
	if err == nil {
		c.Close()
	}
	attempt("kill", syscall.Kill(number(protocol.Raw(os.Getenv("NEIGHBOUR"))), 0))
	attempt("stdin", read("/dev/stdin"))
	attempt("project", read(filepath.Join(project, "file")))
	attempt("state", os.WriteFile(filepath.Join(state, "g"), nil, 0o600))
	_, err = os.MkdirTemp("", "")
	attempt("tmp", err)
	return 2
}

// Async hooks are confined by the supervisor.
func TestConfinedAsync(t *testing.T) {
	t.Parallel()
	p := newSpot(t)
	r := p.runner(t)
	h := async(hook("confined-async"))
	h.Sandbox = &discovery.Sandbox{Only: []string{}, Read: []string{"/x"}}
	ev := event(protocol.PreToolCall)
	ev.WorkDir = p.project
	if ws := r.Start([]Launch{{Hook: h, Event: ev, Ref: "x"}}, set()); len(ws) > 0 {
		t.Fatal(ws)
	}
	line := linesOf(t, r.State, 1)["confined-async"]
	if said := strings.TrimSpace(line.Hooks[0].Stdout); said != "kept" {
		t.Errorf("%q, %v", said, line.Warnings)
	}
	box := &discovery.Sandbox{Network: true, Required: true, Only: []string{"a"}, NoState: true, NoTemp: true, Read: []string{"/r"}, Write: []string{"/w"}}
	if got := parseSandbox(protocol.ObjectOf(appendSandbox(box))); fmt.Sprint(*got) != fmt.Sprint(*box) {
		t.Errorf("%+v is handed over as %+v", box, got)
	}
}

// What metadata takes away is taken away; a link does not lead out of what is left.
func TestConfinedToLess(t *testing.T) {
	t.Parallel()
	p := newSpot(t)
	write(filepath.Join(p.project, "src", "a"), "a", 0o644)
	write(filepath.Join(p.project, "other"), "b", 0o644)
	must.Do(t, os.Symlink(filepath.Join(p.home, ".ssh"), filepath.Join(p.project, "link")))
	r := p.runner(t)
	for _, tt := range []struct {
		box  *discovery.Sandbox
		want string
	}{
		{nil, "src/a other link/id"},
		{&discovery.Sandbox{}, "src/a other"},
		{&discovery.Sandbox{Only: []string{"src", "link"}}, "src/a"},
		{&discovery.Sandbox{Only: []string{}}, ""},
		{&discovery.Sandbox{Only: []string{}, Read: []string{"other", "link"}}, "other"},
	} {
		t.Run(fmt.Sprintf("sees %q", tt.want), func(t *testing.T) {
			if _, said := p.run(t, r, hook("confined-only"), tt.box); said != tt.want && !(tt.want == "" && strings.Contains(said, "blocked")) {
				t.Errorf("%+v: %q, want %q", tt.box, said, tt.want)
			}
		})
	}
	if _, said := p.run(t, r, hook("confined-none"), &discovery.Sandbox{NoState: true, NoTemp: true}); said != "tmp=" {
		t.Errorf("with nothing to write: %q", said)
	}
	if _, said := p.run(t, r, hook("confined-none"), &discovery.Sandbox{}); !strings.HasPrefix(said, "state tmp=/") {
		t.Errorf("as usual: %q", said)
	}
}

// Programs that run other programs are found below the home directory, through
// their shims; another place has to be named, which the answer says.
func TestConfinedRuntimes(t *testing.T) {
	t.Parallel()
	p := newSpot(t)
	sh := must.Read(t, "/bin/sh")
	write(filepath.Join(p.home, ".asdf", "installs", "runtime"), sh, 0o755)
	write(filepath.Join(p.home, ".asdf", "shims", "asdf-runtime"), "#!/bin/sh\nread version <\"$HOME/.tool-versions\"\nexec \"$HOME/.asdf/installs/$version\" \"$@\"\n", 0o755)
	write(filepath.Join(p.home, ".tool-versions"), "runtime\n", 0o644)
	write(filepath.Join(p.home, "tools", "tool-runtime"), sh, 0o755)
	r := p.runner(t)
	for i, kv := range r.Env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			r.Env[i] = "PATH=" + filepath.Join(p.home, ".asdf", "shims") + ":" + filepath.Join(p.home, "tools") + ":" + path
		}
	}
	if rep, said := p.run(t, r, hook("confined-asdf"), &discovery.Sandbox{}); said != "ran" {
		t.Errorf("through a shim: %q %v", said, rep.Warnings)
	}
	through, said := p.run(t, r, hook("confined-tool"), &discovery.Sandbox{})
	if w := through.Results[0].Warning; said == "ran" || !strings.Contains(w, "sandbox_read") || !strings.Contains(w, "tools/tool-runtime") {
		t.Errorf("of a program that lies where nothing may be read: %q %q", said, w)
	}
	direct := hook("confined-tool")
	direct.Entry.Argv = []string{"tool-runtime", direct.Entry.Path}
	rep, _ := p.run(t, r, direct, &discovery.Sandbox{})
	if w := rep.Results[0].Warning; !strings.Contains(w, "sandbox_read") || rep.Results[0].Verdict != NotStarted {
		t.Errorf("%s: %q", rep.Results[0].Verdict, w)
	}
	if _, said := p.run(t, r, direct, &discovery.Sandbox{Read: []string{filepath.Join(p.home, "tools")}}); said != "ran" {
		t.Errorf("where it was named: %q", said)
	}
}

// Where the kernel has no Landlock, or keeps the calls from us, a hook that
// requires its sandbox does not run; another one runs, as far as can be held, and
// it is told.
func TestWithoutTheKernel(t *testing.T) {
	t.Parallel()
	p := newSpot(t)
	for without, want := range map[string]string{
		"landlock":         `files "not_started" "ssh config home project-write kill stdin project state tmp" this kernel has no Landlock`,
		"seccomp":          `network, processes "not_started" "stdin project state tmp" are not kept back`,
		"landlock,seccomp": `neither "not_started" "ssh config home project-write socket kill stdin project state tmp" this kernel has neither`,
		"restriction":      `its sandbox is required, and the system refused it "not_started" "ssh config home project-write socket kill stdin project state tmp" the system refused it: enforcing Landlock`,
	} {
		t.Run(without, func(t *testing.T) {
			said := inRole(t, "kernel-less", append(p.env, "WITHOUT="+without, "WHERE="+p.home)...)
			for word := range strings.SplitSeq(want, `"`) {
				if !strings.Contains(said, strings.TrimSpace(word)) && word != "" {
					t.Errorf("without %s: %s\nwant %q", without, said, word)
				}
			}
			os.Remove(filepath.Join(p.home, "new"))
			os.Remove(filepath.Join(p.project, "new"))
		})
	}
}

// kernelLess runs a hook where some system calls do not exist.
func kernelLess() int {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		fmt.Println(err)
		return 1
	}
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}}
	hide := func(nr uint32) {
		filter = append(filter, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: nr, Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)})
	}
	if strings.Contains(os.Getenv("WITHOUT"), "landlock") {
		hide(unix.SYS_LANDLOCK_CREATE_RULESET)
	}
	if strings.Contains(os.Getenv("WITHOUT"), "restriction") {
		hide(unix.SYS_LANDLOCK_RESTRICT_SELF)
	}
	if strings.Contains(os.Getenv("WITHOUT"), "seccomp") {
		hide(unix.SYS_SECCOMP)
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		fmt.Println(errno)
		return 1
	}
	home := os.Getenv("WHERE")
	project := filepath.Join(home, "code", "project")
	os.Setenv("RUNNER_TEST_ROLE", "confined")
	os.Setenv("HOME", home)
	r := &Runner{Env: os.Environ(), State: filepath.Join(home, "state"), Self: self, Home: home}
	for _, required := range []bool{true, false} {
		h := entryHook(os.Args[0])
		h.Sandbox = &discovery.Sandbox{Required: required}
		s := set(h, h)
		s.Project, s.Root = project, project
		ev := event(protocol.PreToolCall)
		ev.WorkDir = project
		rep := r.Run(context.Background(), ev, s)
		for _, res := range rep.Results {
			fmt.Printf("%q %q %s\n", res.Verdict, strings.TrimSpace(res.Stderr), res.Warning)
		}
		fmt.Println(rep.Warnings)
	}
	return 0
}
