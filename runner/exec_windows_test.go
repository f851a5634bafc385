package runner

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/windows"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A machine is a person's machine: hooks below user, programs in bin, which is the PATH.
type machine struct {
	user, bin string
	r         *Runner
}

// newMachine has every character in its path that Windows allows and cmd.exe or a shell
// takes for its own.
func newMachine(t *testing.T) *machine {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a b&c%PATH%d^e'é日本 (x)!;,=")
	p := &machine{filepath.Join(root, "user"), filepath.Join(root, "bin"), nil}
	for _, dir := range []string{p.user, p.bin} {
		must.Do(t, os.MkdirAll(dir, 0o700))
	}
	env := []string{`PATH="` + p.bin + `"`} // a ; would end it
	for _, name := range []string{"SystemRoot", "TEMP", "TMP", "ComSpec", "PATHEXT", "USERPROFILE"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	p.r = &Runner{Env: env, State: filepath.Join(root, "state"), Self: filepath.Join(p.bin, "self.exe"), Grace: 100 * time.Millisecond}
	return p
}

// copied puts a copy of the test binary somewhere.
func copied(t *testing.T, path string) {
	t.Helper()
	self, err := os.Executable()
	must.Do(t, err)
	b, err := os.ReadFile(self)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, b, 0o700)
	}
	must.Do(t, err)
}

// hook writes a hook; the content of a file that is "EXE" is this program.
func (p *machine) hook(t *testing.T, name, front string, files map[string]string) {
	t.Helper()
	dir := filepath.Join(p.user, "hooks", name)
	text := "---\nname: " + name + "\ndescription: a test\ntrigger: pre-tool-call\n" + front + "---\n"
	must.Do(t, os.MkdirAll(filepath.Join(dir, "scripts"), 0o700))
	must.Write(t, filepath.Join(dir, "HOOK.md"), text)
	for file, content := range files {
		if content == "EXE" {
			copied(t, filepath.Join(dir, "scripts", file))
		} else if err := os.WriteFile(filepath.Join(dir, "scripts", file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// run loads the hooks as a dispatcher does, and runs them.
func (p *machine) run(t *testing.T) Report {
	t.Helper()
	ev := event(protocol.PreToolCall)
	ev.WorkDir = p.bin
	set := discovery.LoadEvent(discovery.Sources{User: p.user, State: p.r.State, Home: p.user, GOOS: "windows"}, ev.Type, "")
	done := make(chan Report, 1)
	go func() { done <- p.r.Run(context.Background(), ev, set) }()
	select {
	case rep := <-done:
		return rep
	case <-time.After(2 * time.Minute):
		t.Fatal("hangs")
		panic("unreachable")
	}
}

// The entries that are of Windows, each in a folder whose path is hard to quote.
func TestEntriesOfWindows(t *testing.T) {
	const refuse = "@echo off\r\necho no>&2\r\nexit /b 2\r\n"
	for _, tt := range []struct {
		name, front string
		files       map[string]string
		programs    []string // on the PATH
		own, none   bool     // the dispatcher has a sh; the person wants none
		role        string
		want        string // the block's reason, the context, or the warning; the hook's folder is HOOK
	}{
		{name: "run.exe", files: map[string]string{"run.exe": "EXE"}, role: "block", want: "read "},
		{name: "run.cmd", files: map[string]string{"run.cmd": refuse}, want: "no"},
		{name: "run.cmd before run.sh", files: map[string]string{"run.cmd": refuse, "run.sh": "#!/bin/sh\n"}, programs: []string{"sh"}, want: "no"},
		{name: "run.cmd with line ends of Unix", files: map[string]string{"run.cmd": "@echo off\necho no>&2\nexit /b 2\n"}, want: "no"},
		{name: "run.cmd that reads", files: map[string]string{"run.cmd": "@echo off\r\nset /p event=\r\nif defined event exit /b 0\r\nexit /b 2\r\n"}, want: ""},
		{name: "run.sh", files: map[string]string{"run.sh": "x"}, programs: []string{"sh"}, want: "sh HOOK/scripts/run.sh"},
		{name: "run of sh", files: map[string]string{"run": "#!/bin/sh\n"}, programs: []string{"sh"}, want: "sh HOOK/scripts/run"},
		{name: "run of sh with an option and line ends of Windows", files: map[string]string{"run": "#!/bin/sh -e\r\n"}, programs: []string{"sh"}, want: "sh -e|HOOK/scripts/run"},
		{name: "run of env bash", files: map[string]string{"run": "#!/usr/bin/env bash\n"}, programs: []string{"bash"}, want: "bash HOOK/scripts/run"},
		{name: "run of env -S", files: map[string]string{"run": "#!/usr/bin/env -S node --no-warnings\n"}, programs: []string{"node"}, want: "node --no-warnings|HOOK/scripts/run"},
		{name: "run.py", files: map[string]string{"run.py": "x"}, programs: []string{"python"}, want: "python HOOK/scripts/run.py"},
		{name: "run.py of python3", files: map[string]string{"run.py": "#!/usr/bin/env python3\n"}, programs: []string{"python"}, want: "python HOOK/scripts/run.py"},
		{name: "no sh at all", files: map[string]string{"run.sh": "x"}, want: `interpreter "sh" was not found`},
		{name: "the dispatcher's own sh", files: map[string]string{"run": "#!/bin/sh\n"}, own: true, want: "ownHOOK/scripts/run"},
		{name: "its own for bash", files: map[string]string{"run": "#!/usr/bin/env bash\n"}, own: true, want: "ownHOOK/scripts/run"},
		{name: "its own for a line", front: "metadata:\n  command: echo x\n", own: true, want: "own-c|echo x"},
		{name: "no sh of its own, as the person wants it", files: map[string]string{"run.sh": "x"}, own: true, none: true, want: `interpreter "sh" was not found`},
		{name: "a sh of the PATH before its own", files: map[string]string{"run.sh": "x"}, own: true, programs: []string{"sh"}, want: "sh HOOK/scripts/run.sh"},
		{name: "no python, whatever sh", files: map[string]string{"run.py": "x"}, own: true, want: `interpreter "python" was not found`},
		{name: "a command of a script of the hook", front: "metadata:\n  command: [scripts/check, --all]\n", files: map[string]string{"check": "#!/bin/sh\n"}, programs: []string{"sh"}, want: "sh HOOK/scripts/check|--all"},
		{name: "a command of a batch file", front: "metadata:\n  command: [scripts/check.cmd, 'a&b', '|x', 'c:\\']\n",
			files: map[string]string{"check.cmd": "@echo off\r\necho \"%~1\" \"%~2\">&2\r\nexit /b 2\r\n"}, want: `"a&b" "|x"`},
		{name: "a command of a batch file that is given variables", front: "metadata:\n  command: [scripts/check.cmd, '100%', '%PATH%']\n",
			files: map[string]string{"check.cmd": "@echo off\r\necho \"%~1\" \"%~2\">&2\r\nexit /b 2\r\n"}, want: `"100%" "%PATH%"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if wine := windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version"); strings.Contains(tt.name, "variables") && wine.Find() == nil {
				t.Skip("the cmd.exe of Wine has no substring of nothing, by which a % is kept")
			}
			p := newMachine(t)
			copied(t, p.r.Self)
			for _, name := range tt.programs {
				copied(t, filepath.Join(p.bin, name+".exe"))
			}
			if tt.own {
				p.r.Shell = []string{p.r.Self, "__own"}
			}
			if tt.role != "" {
				p.r.Env = append(p.r.Env, "RUNNER_TEST_ROLE="+tt.role)
			}
			if tt.none {
				must.Write(t, filepath.Join(p.user, "hooks.toml"), "[hooks]\nshell = \"none\"\n")
			}
			p.hook(t, "one", tt.front, tt.files)
			rep := p.run(t)
			said := rep.Outcome.Reason + rep.Outcome.AdditionalContext
			for _, w := range rep.Warnings {
				said += w.Text
			}
			home := strings.ReplaceAll(filepath.Join(p.user, "hooks", "one"), `\`, "/")
			want := strings.ReplaceAll(tt.want, "HOOK", home)
			if said = strings.ReplaceAll(said, `\`, "/"); !strings.Contains(said, want) || want == "" && said != "" {
				t.Errorf("said %q, want %q", said, want)
			}
		})
	}
}

// PowerShell is a part of Windows, not of everything that runs its programs.
func TestPowerShellEntry(t *testing.T) {
	p := newMachine(t)
	p.r.Env = os.Environ()
	p.hook(t, "one", "", map[string]string{"run.ps1": "$e = [Console]::In.ReadToEnd() | ConvertFrom-Json\r\n[Console]::Error.WriteLine(\"no \" + $e.tool_name)\r\nexit 2\r\n"})
	var exit *exec.ExitError
	if err := exec.Command("powershell", "-NoProfile", "-Command", "exit 7").Run(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Skip("there is no PowerShell here: that of Wine does nothing")
	}
	rep := p.run(t)
	if rep.Outcome.Decision != protocol.Block || !strings.Contains(rep.Outcome.Reason, "no Shell") {
		t.Errorf("%+v, %v", rep.Outcome, rep.Warnings)
	}
}

// A file that a process has open cannot be removed: those of a tree that has ended can.
func TestAJobEndsTheWholeTree(t *testing.T) {
	p, dir := newMachine(t), t.TempDir()
	p.r.Env = append(p.r.Env, "RUNNER_TEST_ROLE=tree", "RUNNER_TEST_DIR="+dir)
	p.hook(t, "one", "timeout: 6000\n", map[string]string{"run.exe": "EXE"})
	rep := p.run(t)
	if len(rep.Results) != 1 || rep.Results[0].Verdict != TimedOut {
		t.Fatalf("%+v", rep.Results)
	}
	for _, role := range []string{"tree", "child", "leaf"} {
		t.Run(role, func(t *testing.T) {
			var err error
			for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				if err = os.Remove(filepath.Join(dir, role)); err == nil {
					break
				}
			}
			if err != nil {
				t.Errorf("%s is alive: %v", role, err)
			}
		})
	}
}

// What a hook leaves behind when it ends by itself is left alone, as elsewhere: it may
// be a server that was meant to stay. Nobody waits for it, though it has the pipes.
func TestWhatAHookLeavesBehindIsNotWaitedFor(t *testing.T) {
	p, dir := newMachine(t), t.TempDir()
	p.r.Env = append(p.r.Env, "RUNNER_TEST_ROLE=orphan", "RUNNER_TEST_DIR="+dir)
	p.hook(t, "one", "timeout: 60000\n", map[string]string{"run.exe": "EXE"})
	rep := p.run(t)
	if len(rep.Results) != 1 || rep.Results[0].Verdict != OK {
		t.Errorf("%+v", rep.Results)
	}
	leaf := filepath.Join(dir, "leaf")
	if err := os.Remove(leaf); err == nil {
		t.Error("what it left behind was ended")
	}
	must.Write(t, filepath.Join(dir, "stop"), "")
	for os.Remove(leaf) != nil {
		time.Sleep(20 * time.Millisecond)
	}
}

func TestProgramsAreFoundAsWindowsFindsThem(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"tool.EXE", "tool", "only", "odd.1.cmd", "batch.bat"} {
		must.Write(t, filepath.Join(dir, name), "")
	}
	linux := filepath.Join(dir, "system32") // where the bash lies that starts one
	must.Do(t, os.Mkdir(linux, 0o700))
	must.Write(t, filepath.Join(linux, "bash.exe"), "")
	env := []string{"Path=" + `relative;` + dir + ";" + linux, "PATHEXT=.COM;.EXE;.BAT;.CMD"}
	for name, want := range map[string]string{"tool": "tool.EXE", "TOOL": "TOOL.EXE", "only": "", "odd.1": "odd.1.CMD", "batch": "batch.BAT", "batch.bat": "batch.bat", "none": "", "bash": ""} {
		t.Run(name, func(t *testing.T) {
			got := lookPath(name, env)
			if got != "" {
				got = filepath.Base(got)
			}
			if got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		})
	}
}

// Paths of more than 260 characters: a script there is run, and so is a hook whose
// working directory is there; what Windows cannot start is told.
func TestLongPaths(t *testing.T) {
	p := newMachine(t)
	copied(t, p.r.Self)
	copied(t, filepath.Join(p.bin, "sh.exe"))
	far := filepath.Join(p.user, strings.Repeat("a", 90), strings.Repeat("é", 90), strings.Repeat("日", 90))
	p.user = far
	p.hook(t, "one", "", map[string]string{"run.sh": "x"})
	p.hook(t, "two", "", map[string]string{"run.cmd": "@exit /b 2\r\n"})
	ev := event(protocol.PreToolCall)
	ev.WorkDir = far
	rep := p.r.Run(context.Background(), ev, discovery.LoadEvent(discovery.Sources{User: p.user, State: p.r.State, Home: p.user, GOOS: "windows"}, ev.Type, ""))
	said := strings.ReplaceAll(rep.Outcome.AdditionalContext, `\`, "/")
	if want := "sh " + strings.ReplaceAll(filepath.Join(far, "hooks", "one", "scripts", "run.sh"), `\`, "/"); !strings.Contains(said, want) {
		t.Errorf("said %q, want %q; %v", said, want, rep.Warnings)
	}
	if len(rep.Warnings) != 1 || !strings.Contains(rep.Warnings[0].Text, "more characters than the 258 that cmd.exe takes of a path") {
		t.Errorf("%v", rep.Warnings)
	}
	if got := startable(far); tooLong(got) || !strings.HasPrefix(far, got) {
		t.Errorf("it is started in %q", got)
	}
}

// What a program of Windows prints in a code page is told as text, and the block holds.
func TestCodePages(t *testing.T) {
	for name, said := range map[string]string{"UTF-8": "no 不行", "GBK": "no \xb2\xbb\xd0\xd0.", "Windows-1252": "no caf\xe9", "UTF-16": "n\x00o\x00 \x00\xff\xd8", "cut": "no 不\xe8\xa1"} {
		t.Run(name, func(t *testing.T) {
			p := newMachine(t)
			copied(t, p.r.Self)
			p.r.Env = append(p.r.Env, "RUNNER_TEST_ROLE=say", "RUNNER_TEST_SAYS="+hex.EncodeToString([]byte(said)))
			p.hook(t, "one", "", map[string]string{"run.exe": "EXE"})
			rep := p.run(t)
			reason := rep.Outcome.Reason
			if rep.Outcome.Decision != protocol.Block || !strings.Contains(reason, "n") || !utf8.ValidString(reason) || strings.Contains(reason, "\uFFFD") && name != "UTF-16" {
				t.Errorf("%+q, %v", reason, rep.Warnings)
			}
		})
	}
	for _, tt := range []struct {
		page       uint32
		said, want string
	}{
		{936, "no \xb2\xbb\xd0\xd0.", "no 不行."}, {932, "\x83\x81\x83\x82", "メモ"}, {1252, "caf\xe9", "café"}, {437, "caf\x82", "café"},
		{utf8Page, "caf\xe9", "caf\xe9"}, {99999, "caf\xe9", "caf\xe9"},
	} {
		t.Run(fmt.Sprintf("page %d, %q", tt.page, tt.said), func(t *testing.T) {
			if got := string(fromPage(tt.page, []byte(tt.said))); got != tt.want {
				t.Errorf("%d: %q, want %q", tt.page, got, tt.want)
			}
		})
	}
	if got := readable([]byte("不\xe8\xa1"), true); string(got) != "不\xe8\xa1" {
		t.Errorf("cut in a letter: %q", got)
	}
}

// The words of a batch file come to it as they are, and none of them is a command.
func TestBatchLine(t *testing.T) {
	for want, words := range map[string][]string{
		`C:\cmd.exe /e:ON /v:OFF /d /c ""C:\R&D\x.cmd""`:                    {`C:\R&D\x.cmd`},
		`C:\cmd.exe /e:ON /v:OFF /d /c ""x.cmd" "a b" "q""q" "s\\""`:        {"x.cmd", "a b", `q"q`, `s\`},
		`C:\cmd.exe /e:ON /v:OFF /d /c ""x.cmd" "%%cd:~,%PATH%%cd:~,%" """`: {"x.cmd", "%PATH%", ""},
	} {
		t.Run(want, func(t *testing.T) {
			if got, err := batchLine(`C:\cmd.exe`, words); err != nil || got != want {
				t.Errorf("%q, %v; want %q", got, err, want)
			}
		})
	}
	if got, err := batchLine("cmd.exe", []string{"x.cmd", "a\r\ndel b"}); err == nil {
		t.Errorf("a line break came through: %q", got)
	}
}
