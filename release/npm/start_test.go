package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The launcher finds the program in whatever way a package manager lays packages out, and
// gives it arguments, stdin and signals, and its exit code to the caller.
func TestTheLauncherFindsTheProgram(t *testing.T) {
	t.Parallel()
	node, system := nodeHere(t)
	if runtime.GOOS == "windows" {
		t.Skip("the program that stands in is one of sh")
	}
	for name, lay := range map[string]func(root string) (start string){
		"beside each other": func(root string) string {
			lay(t, filepath.Join(root, "node_modules", scope, "cli"), filepath.Join(root, "node_modules", scope, system))
			return filepath.Join(root, "node_modules", scope, "cli", "start.js")
		},
		"below each other": func(root string) string {
			cli := filepath.Join(root, "lib", "node_modules", scope, "cli")
			lay(t, cli, filepath.Join(cli, "node_modules", scope, system))
			return filepath.Join(cli, "start.js")
		},
		"npm -g: a link in bin": func(root string) string {
			cli := filepath.Join(root, "lib", "node_modules", scope, "cli")
			lay(t, cli, filepath.Join(cli, "node_modules", scope, system))
			return link(t, filepath.Join(cli, "start.js"), filepath.Join(root, "bin", "agents-hooks"))
		},
		"pnpm: links into a store": func(root string) string {
			store := filepath.Join(root, "node_modules", ".pnpm")
			inner := filepath.Join(store, "@agents-hooks+cli@1.0.0", "node_modules", scope)
			other := filepath.Join(store, "@agents-hooks+"+system+"@1.0.0", "node_modules", scope, system)
			lay(t, filepath.Join(inner, "cli"), other)
			link(t, other, filepath.Join(inner, system))
			return filepath.Join(link(t, filepath.Join(inner, "cli"), filepath.Join(root, "node_modules", scope, "cli")), "start.js")
		},
		"npm link: a link to a folder elsewhere": func(root string) string {
			cli := filepath.Join(root, "somewhere else", "cli")
			lay(t, cli, filepath.Join(root, "somewhere else", "node_modules", scope, system))
			return filepath.Join(link(t, cli, filepath.Join(root, "p", "node_modules", scope, "cli")), "start.js")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(t.TempDir(), "it's $HOME")
			cmd := exec.Command(node, lay(root), "a b", "*", "")
			cmd.Stdin = strings.NewReader("from stdin")
			said, _ := cmd.Output()
			if got := string(said); got != "[a b][*][]from stdin" || cmd.ProcessState.ExitCode() != 42 {
				t.Errorf("%q, exit code %d", got, cmd.ProcessState.ExitCode())
			}
		})
	}
}

// Where there is no program, one line says which, and the next what to do.
func TestTheLauncherSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	node, system := nodeHere(t)
	for name, c := range map[string]struct {
		preload string
		spoil   func(t *testing.T, program string)
		says    []string
	}{
		"left out": {spoil: func(t *testing.T, program string) { check(t, os.RemoveAll(filepath.Dir(filepath.Dir(program)))) },
			says: []string{system + ", which has the program for this system, is not installed", "--omit=optional", "npm install -g @agents-hooks/cli@1.0.0 --include=optional"}},
		"another system": {preload: `Object.defineProperty(process, "platform", { value: "sunos" })`,
			says: []string{"no program for sunos on ", "go install github.com/agents-hooks/agents-hooks/cmd/agents-hooks@v1.0.0 "}},
		"another processor": {preload: `Object.defineProperty(process, "arch", { value: "riscv64" })`, says: []string{"on riscv64 comes with npm", "go install "}},
		"not to be started": {spoil: func(t *testing.T, program string) {
			check(t, os.WriteFile(program, []byte("no program"), 0o644)) // which Windows goes by
			check(t, os.Chmod(program, 0o644))
		},
			says: []string{"does not start: ", "--force brings it anew"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			start := filepath.Join(root, "node_modules", scope, "cli", "start.js")
			program := lay(t, filepath.Dir(start), filepath.Join(root, "node_modules", scope, system))
			if c.spoil != nil {
				c.spoil(t, program)
			}
			preload := filepath.Join(root, "preload.js")
			check(t, os.WriteFile(preload, []byte(c.preload), 0o600))
			said, err := exec.Command(node, "-r", preload, start).CombinedOutput()
			if err == nil || strings.Contains(string(said), "    at ") {
				t.Errorf("%v: %s", err, said)
			}
			for _, want := range c.says {
				if !strings.Contains(string(said), want) {
					t.Errorf("%q is missing in %s", want, said)
				}
			}
		})
	}
}

// A signal for the launcher is one for the program, whose end is the launcher's.
func TestTheLauncherPassesSignalsOn(t *testing.T) {
	t.Parallel()
	node, system := nodeHere(t)
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals")
	}
	root := t.TempDir()
	cli := filepath.Join(root, "node_modules", scope, "cli")
	program := lay(t, cli, filepath.Join(root, "node_modules", scope, system))
	check(t, os.WriteFile(program, []byte("#!/bin/sh\ntrap 'echo told; exit 7' TERM\necho up\nwhile :; do sleep 0.05; done\n"), 0o755))
	cmd := exec.Command(node, filepath.Join(cli, "start.js"))
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	b := make([]byte, 3)
	_, err = out.Read(b)
	check(t, err)
	check(t, cmd.Process.Signal(os.Interrupt)) // its terminal would have told the program
	time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	check(t, cmd.Process.Signal(syscall.SIGTERM))
	cmd.Wait() //nolint:errcheck // its exit code is looked at
	if got := cmd.ProcessState.ExitCode(); got != 7 {
		t.Errorf("exit code %d", got)
	}
}

// nodeHere is node, and the package for its system.
func nodeHere(t *testing.T) (node, system string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here")
	}
	said, err := exec.Command(node, "-p", `"cli-" + process.platform + "-" + process.arch`).Output()
	check(t, err)
	system = strings.TrimSpace(string(said))
	if !slices.Contains([]string{"cli-linux-x64", "cli-linux-arm64", "cli-darwin-x64", "cli-darwin-arm64", "cli-win32-x64", "cli-win32-arm64"}, system) {
		t.Skipf("no package for %s", system)
	}
	return node, system
}

// lay writes the two packages with a program that stands in, and gives its path.
func lay(t *testing.T, cli, system string) string {
	t.Helper()
	m := newManifest("cli")
	m.Version, m.Options = "1.0.0", map[string]string{scope + filepath.Base(system): "1.0.0"}
	check(t, write(cli, m, nil))
	check(t, os.WriteFile(filepath.Join(cli, "start.js"), launcher, 0o755))
	check(t, write(system, newManifest(filepath.Base(system)), nil))
	program := filepath.Join(system, "bin", "agents-hooks")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	check(t, os.MkdirAll(filepath.Dir(program), 0o755))
	check(t, os.WriteFile(program, []byte("#!/bin/sh\nprintf '[%s]' \"$@\"\ncat\nexit 42\n"), 0o755))
	return program
}

func link(t *testing.T, to, at string) string {
	t.Helper()
	check(t, os.MkdirAll(filepath.Dir(at), 0o755))
	check(t, os.Symlink(to, at))
	return at
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
