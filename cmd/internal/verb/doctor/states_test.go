//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/connect"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A machineState is what may have become of a machine on which all agents are.
type machineState struct {
	name    string
	without bool // nothing of ours is installed
	unnamed bool // doctor is given no agent
	make    func(t *testing.T, m *stateMachine)
	// holds is whether an agent then calls our entry; nil: each does.
	holds func(m *stateMachine, a *protocol.Dialect) bool
	first string // what the first row has to say
}

type stateMachine struct {
	sh     *shell.Shell
	agents []*protocol.Dialect
	bin    string // what entries start, which is a file of this machine
}

func never(*stateMachine, *protocol.Dialect) bool { return false }

// TestDoctorContradictsItselfNowhere looks at all agents in each state: what the first
// row says of an agent is what its rows say, what is known of the state is what doctor
// says, and no two rows say opposite things.
func TestDoctorContradictsItselfNowhere(t *testing.T) {
	t.Parallel()
	set := newStateMachine(t, false) // each state but the last three puts it back
	for _, state := range []machineState{
		{name: "nothing set up", without: true, holds: never, first: "^guards hold nowhere: not in "},
		{name: "no agent", without: true, unnamed: true, make: noAgent, holds: never, first: "no agent was found on this machine$"},
		{name: "installed", first: "^guards hold in Claude Code, "},
		{name: "entries of an older version, which name the program itself", make: olderEntries, holds: notApproved, first: "^guards hold in Claude Code, "},
		{name: "a project that nobody approved", make: untrusted, first: "1 hook of this project waits for your approval$"},
		{name: "a hook that lost its executable bit", make: lostBit, first: "^no guard holds here: .* is broken "},
		{name: "no hook at all", make: noHook, first: "^there is no guard here yet; Claude Code"},
		{name: "hooks switched off", make: switchedOff, first: "all hooks are switched off$"},
		{name: "an administrator allows their own hooks only", make: managedOnly, holds: notRuled, first: "its administrator's settings keep our entry from running"},
		{name: "the program is gone", make: programGone, holds: never, first: "^guards hold nowhere: not in "},
		{name: "another program in its place", make: otherProgram, holds: never, first: "^guards hold nowhere: not in "},
		{name: "configurations that cannot be read", make: brokenConfig, holds: never, first: "^guards hold nowhere: not in "},
	} {
		t.Run(state.name, func(t *testing.T) {
			m := set
			if state.without {
				m = newStateMachine(t, true)
			}
			if state.make != nil {
				state.make(t, m)
			}
			dir := m.sh.Host.WorkDir
			p := placeAt(m.sh.Host, dir)
			o := doctorOptions{dir: dir}
			if !state.unnamed {
				o.agents = m.agents
			}
			checks, err := examine(m.sh, p, o)
			must.Do(t, err)
			if !state.unnamed {
				checks = slices.Concat(checks[:1], general(p, dir, memoryops.At(builtin.Standalone(p.Host), builtin.Call(p.Host, dir))), checks[1:])
			}
			if !regexp.MustCompile(state.first).MatchString(checks[0].Message) {
				t.Errorf("the first row says %q, want %s", checks[0].Message, state.first)
			}
			for _, a := range m.agents {
				want := state.holds == nil || state.holds(m, a)
				if h := holdingOf(a, checks); h.here && h.holds != want {
					t.Errorf("%s: holds %v (%s), want %v", a.ID, h.holds, h.why, want)
				}
			}
			contradictions(t, m, checks)
		})
	}
}

// contradictions are what no state may have doctor say.
func contradictions(t *testing.T, m *stateMachine, checks []check) {
	t.Helper()
	for _, a := range m.agents {
		has := map[string]bool{}
		for _, c := range checks {
			if c.Agent != a.ID {
				continue
			}
			has[c.ID+" "+string(c.Status)] = true
			if c.Status == checkError && c.Fix == "" {
				t.Errorf("%s: an error without a fix: %s", a.ID, c.Message)
			}
		}
		if has["entry ok"] && has["entry off"] {
			t.Errorf("%s: an entry is there and is not", a.ID)
		}
	}
	var all strings.Builder
	for _, c := range checks {
		all.WriteString(c.Message + "\n")
		if c.ID == "trust" && c.Status != checkOK && strings.Contains(c.Message, "not approved") && slices.ContainsFunc(checks, func(d check) bool {
			return d.ID == "hook" && strings.Contains(d.Message, "executable")
		}) {
			t.Errorf("a lost executable bit is told as a missing approval: %s", c.Message)
		}
	}
	for _, what := range []string{"the decision ask", "modified_input"} {
		if strings.Contains(all.String(), what+" has no place on pre-tool-call") && strings.Contains(all.String(), "dropped") && strings.Contains(all.String(), "blocked instead") {
			t.Errorf("%s is dropped in one line and blocked in another", what)
		}
	}
}

// newStateMachine has every agent, a guard of the person's, and entries of ours.
func newStateMachine(t *testing.T, without bool) *stateMachine {
	t.Helper()
	m := &stateMachine{agents: agentarg.Installable()}
	home := t.TempDir()
	m.bin = filepath.Join(home, "bin", "agents-hooks")
	own, err := os.Executable()
	must.Do(t, err)
	must.Write(t, filepath.Join(home, "w", ".git", "HEAD"), "ref: refs/heads/main\n")
	for _, bin := range []string{m.bin, filepath.Join(home, "other", "agents-hooks")} {
		must.Do(t, os.MkdirAll(filepath.Dir(bin), 0o755))
		if err := os.Link(own, bin); err != nil {
			must.Do(t, os.Symlink(own, bin))
		}
	}
	m.sh = shell.New("agents-hooks", stateHost(home, m.bin), strings.NewReader(""), &strings.Builder{}, &strings.Builder{})
	writeGuard(t, filepath.Join(m.sh.Host.Config, "hooks", "a-guard"))
	for _, a := range m.agents {
		if dir := folderOf(m, a); dir != "" {
			must.Do(t, os.MkdirAll(dir, 0o755))
		}
	}
	if without {
		return m
	}
	done, err := connect.Install(m.sh, connect.InstallOptions{Options: connect.Options{Agents: m.agents, Scope: protocol.UserScope}})
	must.Do(t, err)
	for _, a := range done.Agents {
		if a.Error != "" {
			t.Fatalf("%s: %s", a.Agent, a.Error)
		}
	}
	return m
}

func stateHost(home, self string) host.Host {
	h := shelltest.Host(home, filepath.Join(home, "w"))
	h.Self = self
	return h
}

func folderOf(m *stateMachine, a *protocol.Dialect) string {
	if a.Folder == nil {
		return ""
	}
	return a.Folder(setup.Site(m.sh.Host, protocol.UserScope, ""))
}

func writeGuard(t *testing.T, dir string) {
	t.Helper()
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: "+filepath.Base(dir)+"\ndescription: a guard\ntrigger: pre-tool-call\n---\n")
	must.Script(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\necho no >&2\nexit 2\n")
}

// olderEntries has each entry start the program where it lies, as entries did before there
// was a copy of it.
func olderEntries(t *testing.T, m *stateMachine) {
	site := setup.Site(m.sh.Host, protocol.UserScope, "")
	copies := m.started(t)
	for _, a := range m.agents {
		found, err := install.Inspect(a, site)
		must.Do(t, err)
		for _, e := range found.Entries {
			raw, err := os.ReadFile(e.File)
			must.Do(t, err)
			now := string(raw)
			for _, path := range copies {
				now = strings.ReplaceAll(now, path, m.bin)
			}
			if now == string(raw) {
				continue
			}
			info, err := os.Stat(e.File)
			must.Do(t, err)
			must.Put(t, e.File, now, info.Mode())
			t.Cleanup(func() { must.Do(t, os.WriteFile(e.File, raw, info.Mode())) })
		}
	}
}

// notApproved are the agents that keep no record of what they approved: to the others, an
// entry that was edited by hand is another one.
func notApproved(_ *stateMachine, a *protocol.Dialect) bool { return a.Config.Ledger == nil }

func untrusted(t *testing.T, m *stateMachine) {
	writeGuard(t, filepath.Join(m.sh.Host.WorkDir, ".agents", "hooks", "of-project"))
	t.Cleanup(func() { must.Do(t, os.RemoveAll(filepath.Join(m.sh.Host.WorkDir, ".agents"))) })
}

func lostBit(t *testing.T, m *stateMachine) {
	script := filepath.Join(m.sh.Host.Config, "hooks", "a-guard", "scripts", "run")
	must.Do(t, os.Chmod(script, 0o644))
	t.Cleanup(func() { must.Do(t, os.Chmod(script, 0o755)) })
}

func noHook(t *testing.T, m *stateMachine) {
	guard := filepath.Join(m.sh.Host.Config, "hooks", "a-guard")
	must.Do(t, os.RemoveAll(guard))
	t.Cleanup(func() { writeGuard(t, guard) })
}

func switchedOff(t *testing.T, m *stateMachine) {
	file := filepath.Join(m.sh.Host.Config, "hooks.toml")
	must.Write(t, file, "[hooks]\nenabled = false\n")
	t.Cleanup(func() { must.Do(t, os.Remove(file)) })
}

// started are the files that the entries of all agents start.
func (m *stateMachine) started(t *testing.T) (files []string) {
	t.Helper()
	for _, a := range m.agents {
		found, err := install.Inspect(a, setup.Site(m.sh.Host, protocol.UserScope, ""))
		must.Do(t, err)
		for _, e := range found.Entries {
			if len(e.Argv) > 0 && !slices.Contains(files, e.Argv[0]) {
				files = append(files, e.Argv[0])
			}
		}
	}
	if len(files) == 0 {
		t.Fatal("no entry starts anything")
	}
	return files
}

func programGone(t *testing.T, m *stateMachine) {
	for _, f := range m.started(t) {
		must.Do(t, os.Remove(f))
	}
	m.sh.Host = stateHost(m.sh.Host.Home, filepath.Join(m.sh.Host.Home, "other", "agents-hooks"))
}

func otherProgram(t *testing.T, m *stateMachine) {
	for _, f := range m.started(t) {
		must.Script(t, f, "#!/bin/sh\n")
	}
}

// managedOnly has every administrator that can forbid a person's hooks forbid them.
func managedOnly(t *testing.T, m *stateMachine) {
	etc, all := t.TempDir(), slices.Clone(m.agents)
	t.Cleanup(func() { m.agents = all })
	for i, a := range m.agents {
		if a.Managed == nil {
			continue
		}
		ruled, managed := *a, *a.Managed
		file := filepath.Join(etc, a.ID)
		text := `{"disableAllHooks": true, "allowManagedHooksOnly": true, "hooksConfig": {"enabled": false}}`
		if managed.TOML {
			text = "allow_managed_hooks_only = true\n"
		}
		must.Write(t, file, text)
		managed.Linux = []string{file}
		ruled.Managed = &managed
		m.agents[i] = &ruled
	}
}

// notRuled are the agents that no administrator can forbid our entry in by a file.
func notRuled(_ *stateMachine, a *protocol.Dialect) bool {
	return a.Managed == nil || a.Managed.Off == nil
}

// brokenConfig writes what nobody can read where the entries are.
func brokenConfig(t *testing.T, m *stateMachine) {
	site := setup.Site(m.sh.Host, protocol.UserScope, "")
	for _, a := range m.agents {
		found, err := install.Inspect(a, site)
		must.Do(t, err)
		for _, e := range found.Entries {
			must.Do(t, os.RemoveAll(e.File))
			must.Do(t, os.MkdirAll(e.File, 0o755)) // a folder in the place of a file
		}
	}
}

func noAgent(t *testing.T, m *stateMachine) {
	for _, a := range m.agents {
		if dir := folderOf(m, a); dir != "" {
			must.Do(t, os.RemoveAll(dir))
		}
	}
}
