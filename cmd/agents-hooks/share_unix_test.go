//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A colleague is a person with a home and a project that is no repository.
type colleague struct {
	t             *testing.T
	home, project string
	env           []string
}

// say runs our program as its person would, or with what an agent sets.
func (c *colleague) say(stdin string, more []string, args ...string) (out string, exit int) {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "agents-hooks", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.project, append(c.env, more...), strings.NewReader(stdin)
	b, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

func (c *colleague) want(part string, args ...string) {
	c.t.Helper()
	if out, exit := c.say("", nil, args...); exit != 0 || !strings.Contains(out, part) {
		c.t.Errorf("agents-hooks %s: exit %d, wants %q\n%s", strings.Join(args, " "), exit, part, out)
	}
}

// event is an event as an agent tells it.
func (c *colleague) event(doc string) string {
	c.t.Helper()
	out, _ := c.say(doc, nil, "run")
	return out
}

// becomes waits until a command, which looks at what a process does that nobody waits for,
// says something.
func (c *colleague) becomes(part string, args ...string) {
	c.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; {
		out, _ := c.say("", nil, args...)
		if strings.Contains(out, part) {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("agents-hooks %s never says %q:\n%s", strings.Join(args, " "), part, out)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// A service of a team, and colleagues in its room "app".
type office struct {
	t     *testing.T
	store string
	url   string
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{t: t, store: filepath.Join(t.TempDir(), "team.sqlite")}
	o.run("room", "create", "app", "--store", o.store)
	cmd := exec.Command("agents-hooks-server", "--listen", "127.0.0.1:0", "--store", o.store)
	log, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Do(t, err)
	lines := bufio.NewScanner(log)
	if !lines.Scan() {
		t.Fatal("the service did not begin")
	}
	o.url = "http://" + regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(lines.Text())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines.Scan() {
		}
	}()
	t.Cleanup(func() { cmd.Process.Kill(); <-done; cmd.Wait() })
	return o
}

func (o *office) run(args ...string) string {
	o.t.Helper()
	cmd := exec.Command("agents-hooks-server", args...)
	cmd.Env = append(os.Environ(), "HOME="+o.t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		o.t.Fatalf("agents-hooks-server %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// hire makes a colleague who has a key, is in the room, and has memory on.
func (o *office) hire(name, role string) *colleague {
	o.t.Helper()
	home := o.t.TempDir()
	must.Leave(o.t, home) // a sync that a session's end left behind may write a moment longer
	c := &colleague{o.t, home, filepath.Join(home, "app"), []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}}
	key := strings.TrimSpace(o.run("key", "create", "--person", name, "--store", o.store))
	o.run("room", "add", "app", "--person", name, "--role", role, "--store", o.store)
	must.Write(o.t, filepath.Join(home, ".config", "agents", "hooks.toml"), "[builtin.memory]\nenabled = true\nteam_url = \""+o.url+"\"\nteam_key = \""+key+"\"\n")
	must.Do(o.t, os.MkdirAll(filepath.Join(c.project, ".agents"), 0o700))
	return c
}

const (
	teamBegins = `{"event_type": "pre-session", "timestamp": "2026-11-22T00:00:00Z", "session_id": "ID", "source": "startup"}`
	teamAsks   = `{"event_type": "pre-agent-turn", "timestamp": "2026-11-22T00:00:00Z", "session_id": "ID", "prompt": "which port does the staging gateway listen on?"}`
	teamEnds   = `{"event_type": "post-session", "timestamp": "2026-11-22T00:00:00Z", "session_id": "ID", "exit_reason": "exit"}`
)

// A person switches sharing on, once and in their own terminal; from then on the hooks
// send as a session ends and fetch as one begins, wait for nobody, and tell whose it is.
// BM-SHR-01, BM-SHR-08.
func TestMemoryIsSharedByItsHooks(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "two persons and a server; TestSharedMemoryIsNeitherLostNorDoubled shares without processes")
	o := newOffice(t)
	ada, bob := o.hire("ada", "member"), o.hire("bob", "reviewer")

	// A project cannot switch it on, nor name a server; an agent cannot either.
	must.Write(t, filepath.Join(bob.project, ".agents", "hooks.toml"), "[builtin.memory]\nteam_url = \"http://127.0.0.1:1\"\nteam_key = \"sk-prismer-evil\"\nteam_room = \"app\"\n")
	bob.want("is not shared", "memory", "share", "status")
	for _, marker := range []string{"AGENTS_HOOKS_EVENT=pre-session", "CLAUDECODE=1"} {
		for _, args := range [][]string{{"memory", "share", "on", "--yes"}, {"memory", "share", "off"}, {"memory", "delete", "--team", "team-000000000000000000000000"}} {
			if out, exit := bob.say("", []string{marker}, args...); exit == 0 || !strings.Contains(out, "refused") {
				t.Errorf("%s %v: exit %d\n%s", marker, args, exit, out)
			}
		}
	}
	bob.want("is not shared", "memory", "sync")
	if out, exit := bob.say("", nil, "memory", "share", "on"); exit == 0 || !strings.Contains(out, "no terminal to ask on") {
		t.Errorf("exit %d\n%s", exit, out)
	}
	bob.want("as reviewer", "memory", "share", "on", "--yes")

	ada.want("ok", "memory", "save", "The staging gateway listens on port 8080")
	ada.want("ok", "memory", "save", "--type", "O", "I like my answers short and plain")
	ada.want("1 entry of app would go to "+o.url, "memory", "share", "on", "--yes", "--room", "app")
	bob.want("[]", "memory", "list", "--json")

	// Nobody waits: what the begin of a session fetches the prompts of it have.
	bob.event(strings.ReplaceAll(teamBegins, "ID", "s1"))
	bob.becomes("by ada, shared", "memory", "list")
	told := bob.event(strings.ReplaceAll(teamAsks, "ID", "s1"))
	if !strings.Contains(told, "<from-repository>") || !strings.Contains(told, "> - [W]") || !strings.Contains(told, "port 8080") || !strings.Contains(told, "by ada, shared)") {
		t.Errorf("a prompt is told %s", told)
	}
	if told = bob.event(strings.ReplaceAll(teamBegins, "ID", "s2")); !strings.Contains(told, "From this repository or its team") || !strings.Contains(told, "by ada, shared)") || strings.Contains(told, "short and plain") {
		t.Errorf("a session begins with %s", told)
	}

	// The end of a session sends; where the server is away it waits, and doctor says so.
	bob.want("ok", "memory", "save", "Invoices are drained by a worker called Heron")
	bob.event(strings.ReplaceAll(teamEnds, "ID", "s2"))
	bob.becomes(`"waiting":0`, "memory", "share", "status", "--json")
	ada.want("1 came", "memory", "sync")
	ada.want("by bob, shared", "memory", "search", "--text", "who drains invoices")
	config := filepath.Join(ada.home, ".config", "agents", "hooks.toml")
	b := must.Read(t, config)
	must.Write(t, config, strings.ReplaceAll(b, o.url, "http://127.0.0.1:1"))
	ada.want("ok", "memory", "save", "The vault is behind the lighthouse")
	if out, exit := ada.say("", nil, "memory", "sync"); exit != 1 || !strings.Contains(out, "was given for "+o.url) {
		t.Errorf("another server: exit %d\n%s", exit, out)
	}
	ada.want("warn  team", "memory", "doctor")
	must.Write(t, config, b)

	// What is somebody else's is neither edited nor promoted; a reviewer ends it for all.
	var list struct {
		Entries []struct{ ID, Content, Origin string }
	}
	out, _ := bob.say("", nil, "memory", "list", "--json")
	must.Do(t, json.Unmarshal([]byte(out), &list))
	theirs := ""
	for _, e := range list.Entries {
		if e.Origin == "ada, shared" {
			theirs = e.ID
		}
	}
	for _, args := range [][]string{{"memory", "edit", theirs, "--content", "x y"}, {"memory", "promote", theirs}} {
		if out, exit := bob.say("", nil, args...); exit != 1 || !strings.Contains(out, "somebody else's") {
			t.Errorf("%v: exit %d\n%s", args, exit, out)
		}
	}
	bob.want("ok", "memory", "delete", theirs, "--team")
	bob.want("deleted", "memory", "sync") // this, or what the end of the session left behind
	ada.want("was taken out of the room", "memory", "sync")
	if out, _ := ada.say("", nil, "memory", "list"); strings.Contains(out, "8080") {
		t.Errorf("ada still has it:\n%s", out)
	}

	// Off: what others shared goes; with --withdraw what one shared oneself as well.
	ada.want("1 fact of yours deleted in the room\nthe memory of", "memory", "share", "off", "--withdraw")
	if out, _ := ada.say("", nil, "memory", "list"); strings.Contains(out, "Heron") || !strings.Contains(out, "lighthouse") {
		t.Errorf("%s", out)
	}
	bob.want("sent 0 facts", "memory", "sync")
	if out, _ := bob.say("", nil, "memory", "list"); strings.Contains(out, "ada") {
		t.Errorf("what was withdrawn is still there:\n%s", out)
	}
}
