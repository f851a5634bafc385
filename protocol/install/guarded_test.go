package install_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

const gone = "agents-hooks: its program is gone."

// Each agent's shell runs its entry as written: it starts the program, whatever its
// path, and without the program it answers with no opinion, and at a session's start
// with a notice.
func TestAnEntryWhoseProgramIsGone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("shells of Unix")
	}
	dir := filepath.Join(t.TempDir(), "o'dd $HOME `x` \"y\" 中文 \\n")
	must.Do(t, os.Mkdir(dir, 0o700))
	here, absent := filepath.Join(dir, "agents-hooks-run"), filepath.Join(dir, "not here", "agents-hooks-run")
	must.Do(t, os.WriteFile(here, []byte("#!/bin/sh\ncat > /dev/null\necho \"started $2\"\nexit 2\n"), 0o700))
	for _, d := range agents.All() {
		if d.Config.Shape == protocol.Plugin || d.Config.Direct {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			for _, program := range []string{here, absent} {
				site := protocol.Site{
					Scope: protocol.UserScope, GOOS: "linux", Home: "/home/u", Env: func(string) string { return "" },
					Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
				}
				edits, err := install.Add(d, site, protocol.Entry{Argv: []string{program, "run", "--agent=" + d.ID}, Gone: gone})
				must.Do(t, err)
				files := map[string][]byte{}
				for _, e := range edits {
					files[e.Path] = e.After
				}
				site.Read = func(path string) ([]byte, error) {
					if b, ok := files[path]; ok {
						return b, nil
					}
					return nil, fs.ErrNotExist
				}
				found, err := install.Inspect(d, site)
				if err != nil || len(found.Entries) == 0 {
					t.Fatalf("nothing of ours is found in what was written: %v", err)
				}
				told := false
				for i, e := range found.Entries {
					says := slices.Contains(install.Tells(d), e.Event)
					if i > 0 && !says {
						continue // one of each kind
					}
					if e.Argv[0] != program {
						t.Fatalf("the program of %s is %q", e.Command, e.Argv[0])
					}
					argv := d.Config.Starting(site, e)
					cmd := exec.Command(argv[0], argv[1:]...)
					cmd.Stdin, cmd.Env = strings.NewReader("{}"), []string{"PATH=/usr/bin:/bin", "HOME=/nowhere"}
					var stdout, stderr bytes.Buffer
					cmd.Stdout, cmd.Stderr = &stdout, &stderr
					_ = cmd.Run()
					out, exit := strings.TrimSpace(stdout.String()), cmd.ProcessState.ExitCode()
					switch {
					case program == here && (out != "started --agent="+d.ID || exit != 2):
						t.Errorf("%s: the program was not started: %q, %d, %s", e.Event, out, exit, &stderr)
					case program == here:
					case exit != 0 || stderr.Len() > 0:
						t.Errorf("%s: it ended with %d and said %s", e.Event, exit, &stderr)
					case says && !strings.Contains(out, gone):
						t.Errorf("%s: the person is told %q", e.Event, out)
					case !says && out != strings.TrimSpace(string(d.NoOpinion(e.Event).Stdout)):
						t.Errorf("%s: no opinion is %q here", e.Event, out)
					}
					told = told || says
				}
				if told != (len(install.Tells(d)) > 0) {
					t.Error("no event was looked at that tells")
				}
			}
		})
	}
}

// On Windows an entry can be parsed again, whatever its shell, and is removed
// completely.
func TestGuardedEntriesAreKnownOnWindows(t *testing.T) {
	t.Parallel()
	for _, d := range agents.All() {
		if d.Config.Shape == protocol.Plugin {
			continue
		}
		for _, program := range []string{`C:\Users\u\bin\agents-hooks-run.exe`, `C:\Users\A (b) & 'c'\bin\agents-hooks-run.exe`} {
			files := map[string][]byte{}
			site := protocol.Site{
				Scope: protocol.UserScope, GOOS: "windows", Home: `C:\Users\u`, Env: func(string) string { return "" },
				Read: func(path string) ([]byte, error) {
					if b, ok := files[path]; ok {
						return b, nil
					}
					return nil, fs.ErrNotExist
				},
			}
			entry := protocol.Entry{Argv: []string{program, "run", "--agent=" + d.ID}, Gone: gone}
			edits, err := install.Add(d, site, entry)
			if err != nil {
				t.Errorf("%s: %v", d.ID, err)
				continue
			}
			for _, e := range edits {
				files[e.Path] = e.After
			}
			found, err := install.Inspect(d, site)
			if err != nil || len(found.Entries) == 0 || found.Entries[0].Argv[0] != program {
				t.Errorf("%s: found %+v, %v", d.ID, found.Entries, err)
			}
			if again, err := install.Add(d, site, entry); err != nil || len(again) > 0 {
				t.Errorf("%s: a second install changes %d files, %v", d.ID, len(again), err)
			}
			edits, err = install.Remove(d, site)
			if err != nil {
				t.Errorf("%s: %v", d.ID, err)
			}
			for _, e := range edits {
				files[e.Path] = e.After
			}
			for path, b := range files {
				if bytes.Contains(b, []byte("agents-hooks-run")) {
					t.Errorf("%s: %s keeps %s", d.ID, path, b)
				}
			}
		}
	}
}

// An entry of an older install is replaced in place, a wrapper with what its user
// added to it.
func TestOlderEntriesAreCarriedOver(t *testing.T) {
	t.Parallel()
	for _, d := range agents.All() {
		if d.Config.Shape == protocol.Plugin {
			continue
		}
		files := map[string][]byte{}
		site := protocol.Site{
			Scope: protocol.UserScope, GOOS: "linux", Home: "/home/u", Env: func(string) string { return "" },
			Read: func(path string) ([]byte, error) {
				if b, ok := files[path]; ok {
					return b, nil
				}
				return nil, fs.ErrNotExist
			},
		}
		keep := func(e protocol.Entry) {
			edits, err := install.Add(d, site, e)
			if err != nil {
				t.Fatalf("%s: %v", d.ID, err)
			}
			for _, e := range edits {
				files[e.Path] = e.After
			}
		}
		keep(protocol.Entry{Argv: []string{"/opt/agents-hooks", "run", "--agent=" + d.ID}})
		if d.Config.Shape == protocol.Wrappers {
			for path := range files {
				files[path] = append(files[path], "# mine\n"...)
			}
		}
		keep(protocol.Entry{Argv: []string{"/data/bin/agents-hooks-run", "run", "--agent=" + d.ID}, Gone: gone})
		for path, b := range files {
			if bytes.Contains(b, []byte("/opt/")) || !bytes.Contains(b, []byte("/data/bin/agents-hooks-run")) && d.Config.Ledger == nil {
				t.Errorf("%s: %s is %s", d.ID, path, b)
			}
			if d.Config.Shape == protocol.Wrappers && !bytes.HasSuffix(b, []byte("\n# mine\n")) {
				t.Errorf("%s: what its person added is gone: %s", d.ID, b)
			}
		}
	}
}

// An entry whose failure is to block says so to an agent that supports it, also if it
// replaces an older one, and does not answer for a missing program. What its user
// wrote there stays.
func TestClosedEntries(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("shells of Unix")
	}
	program := filepath.Join(t.TempDir(), "not here", "agents-hooks-run")
	for _, d := range agents.All() {
		if d.Config.Closed == "" {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			var file []byte
			site := protocol.Site{
				Scope: protocol.UserScope, GOOS: "linux", Home: "/home/u", Env: func(string) string { return "" },
				Read: func(string) ([]byte, error) {
					if file == nil {
						return nil, fs.ErrNotExist
					}
					return file, nil
				},
			}
			add := func(closed ...string) map[string]protocol.Registered {
				t.Helper()
				edits, err := install.Add(d, site, protocol.Entry{Argv: []string{program, "run", "--agent=" + d.ID}, Gone: "it is gone", Closed: closed})
				must.Do(t, err)
				for _, e := range edits {
					file = e.After
				}
				found, err := install.Inspect(d, site)
				must.Do(t, err)
				entries := map[string]protocol.Registered{}
				for _, e := range found.Entries {
					entries[e.Event] = e
				}
				return entries
			}
			ends := func(e protocol.Registered) int {
				argv := d.Config.Starting(site, e)
				cmd := exec.Command(argv[0], argv[1:]...)
				cmd.Stdin = strings.NewReader("{}")
				_ = cmd.Run()
				return cmd.ProcessState.ExitCode()
			}
			open := add()["PreToolUse"]
			if open.Closed || ends(open) != 0 {
				t.Errorf("one that nobody asked to block does, or ends with %d: %s", ends(open), file)
			}
			entries := add("PreToolUse")
			if e := entries["PreToolUse"]; !e.Closed || ends(e) == 0 || e.Argv[0] != program {
				t.Errorf("its failure does not block (it ends with %d): %s", ends(e), file)
			}
			if entries["SessionStart"].Closed || ends(entries["SessionStart"]) != 0 {
				t.Errorf("another event has become so too: %s", file)
			}
			before := slices.Clone(file)
			if add("PreToolUse"); !bytes.Equal(before, file) {
				t.Errorf("a second time changes it: %s", file)
			}
			file = bytes.Replace(file, []byte(`"onFailure": "block"`), []byte(`"onFailure": "continue"`), 1)
			if add("PreToolUse"); !bytes.Contains(file, []byte(`"onFailure": "continue"`)) {
				t.Errorf("what its user wrote is gone: %s", file)
			}
		})
	}
}
