package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stuckIn plays the seed's walk-through in a folder with the real dispatcher: the same
// failure twice, then the third attempt. It returns what the agent is told of it.
func (d *desktop) stuckIn(dir, session string) (context string) {
	d.t.Helper()
	event := func(kind, call string, more string) string {
		cmd := d.command("run")
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"event_type": %q, "session_id": %q, "work_dir": %s, "tool_name": "Shell", "tool_use_id": %q, "tool_input": {"command": "./serve --all"}%s}`, kind, session, protocol.Quote(dir), call, more))
		out, err := cmd.Output()
		if err != nil {
			d.t.Fatalf("%v: %s", err, out)
		}
		o, _ := protocol.ParseObject(out)
		return o.Text("additional_context")
	}
	for i := range 2 {
		context += event("post-tool-call", fmt.Sprint("c", i), `, "tool_response": "listen tcp :8080: bind: address already in use\n"`)
	}
	return context + event("pre-tool-call", "c2", "")
}

// stuckUntil plays it in one session after another, until what a test is about is seen in
// one: a server tries another gene than the best now and then, and where nobody has a
// processor the time of a hook is over before it has run.
func (d *desktop) stuckUntil(dir string, seen func(context string) bool) (context, session string) {
	d.t.Helper()
	for range 20 {
		d.sessions++
		session = fmt.Sprint("s", d.sessions)
		if context = d.stuckIn(dir, session); seen(context) {
			break
		}
	}
	return context, session
}

// unlearn deletes the genes about the failure of [desktop.stuckIn], and switches
// evolution on.
func (d *desktop) unlearn() {
	d.t.Helper()
	conf := filepath.Join(d.dir, "config", "agents")
	must.Write(d.t, filepath.Join(conf, "hooks.toml"), "[builtin.evolution]\nenabled = true\nlanguage = \"en\"\n")
	args := []string{"evolution", "delete"}
	for _, g := range d.json("", "evolution", "list", "--signal", "error:port_in_use")["genes"].([]any) {
		args = append(args, fmt.Sprint(g.(map[string]any)["id"]))
	}
	d.json("", args...)
}

// The store of here is asked first, then the server; its gene is shown like
// any other, and its outcome is kept and pushed. Without a key nobody is
// asked.
func TestStuckAsksTheServer(t *testing.T) {
	t.Parallel()
	host := newDesktop(t)
	store := filepath.Join(host.dir, "serve.sqlite")
	key := host.newKey(store, "ada")
	s := host.serveAt(store, "127.0.0.1:0")
	account := []string{"PRISMER_API_KEY=" + key, "PRISMER_BASE_URL=http://" + s.address}
	a, b := newDesktop(t, account...), newDesktop(t, account...)
	none := newDesktop(t, account[1])
	id := fmt.Sprint(a.json("", "evolution", "create", "--category", "repair", "--signals-match", "error:port_in_use", "--title", "Ask who listens", "--strategy", "Look which process has the port")["gene_id"])
	a.json("", "evolution", "publish", id, "--skip-canary")
	if r := a.json("", "evolution", "sync"); r["done"] != true {
		t.Fatalf("%v", r)
	}
	b.unlearn()
	text, session := b.stuckUntil(b.dir, func(text string) bool { return strings.Contains(text, id) })
	for _, part := range []string{"error:port_in_use", "Ask who listens", "1. Look which process has the port", id} {
		if !strings.Contains(text, part) {
			t.Fatalf("%q is missing in %q", part, text)
		}
	}
	b.json("", "evolution", "record", id, "--signals", "error:port_in_use", "--outcome", "success", "--summary", "it was the old one", "--session", session)
	if r := b.json("", "evolution", "sync"); r["pushed"] != 1.0 {
		t.Errorf("%v", r)
	}
	none.unlearn()
	told := func(text string) bool { return strings.Contains(text, "error:port_in_use") }
	if text, _ := none.stuckUntil(none.dir, told); strings.Contains(text, "Ask who listens") || !told(text) {
		t.Errorf("without a key: %q", text)
	}
}

// A server that hangs, fails or answers nonsense costs nothing but its
// suggestion; the hook answers in its time. A local gene asks nobody. Without -slow it
// hangs.
func TestServerInTrouble(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	for name, answer := range map[string]http.HandlerFunc{
		"hangs":   func(w http.ResponseWriter, r *http.Request) { <-over },
		"fails":   func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"garbage": func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("<html>{")) },
		"a gene without steps": func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte(`{"ok": true, "data": {"action": "apply_gene", "gene_id": "g", "gene": {"id": "g", "title": "T", "category": "repair", "strategy": []}}}`))
		},
		"a gene that holds a hook": func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte(`{"ok": true, "data": {"action": "apply_gene", "gene_id": "g", "gene": {"id": "g", "title": "T", "category": "repair", "signals_match": [{"type": "error:port_in_use"}], "strategy": ["{\"hooks\": {\"PreToolUse\": []}}"]}}}`))
		},
	} {
		if !slowtest.Among(name, "hangs") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/analyze") {
					asked.Add(1)
				}
				answer(w, r)
			}))
			t.Cleanup(h.Close)
			if name == "hangs" {
				t.Cleanup(func() { close(over) })
			}
			d := newDesktop(t, "PRISMER_API_KEY=sk-prismer-0123", "PRISMER_BASE_URL="+h.URL)
			d.unlearn()
			times := int32(0)
			text, _ := d.stuckUntil(d.dir, func(text string) bool {
				times = asked.Swap(0)
				return times > 0 && text != ""
			})
			if !strings.Contains(text, "error:port_in_use") || strings.Contains(text, "\n") || times != 1 {
				t.Errorf("%q, asked %d times", text, times)
			}
			if name == "fails" {
				d.json("", "evolution", "create", "--category", "repair", "--signals-match", "error:port_in_use", "--title", "Address already in use", "--strategy", "Look which process has the port")
				text, _ := d.stuckUntil(d.dir, func(text string) bool { return text != "" })
				if !strings.Contains(text, "Address already in use") || asked.Load() != 0 {
					t.Errorf("%q, asked %d times", text, asked.Load())
				}
			}
		})
	}
}

// A project whose settings are trusted names neither the server nor the key: in the
// dispatcher, and in the command that its hook calls.
func TestProjectNamesNoServer(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "TestEntryBeatsTheEnvironment counts who asks whom too")
	var theirs, mine atomic.Int32
	count := func(n *atomic.Int32) string {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			n.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
		}))
		t.Cleanup(h.Close)
		return h.URL
	}
	their, my := count(&theirs), count(&mine)
	d := newDesktop(t, "AGENTS_HOOKS_TRUST=always")
	d.unlearn()
	project := filepath.Join(d.dir, "project")
	must.Do(t, os.MkdirAll(filepath.Join(project, ".agents"), 0o700))
	account := func(file, base, more string) {
		text := fmt.Sprintf("[builtin.evolution]\nenabled = true\napi_key = \"sk-prismer-%d\"\nbase_url = %q\n%s", len(base), base, more)
		must.Write(t, file, text)
	}
	account(filepath.Join(project, ".agents", "hooks.toml"), their, "stuck = true\n")
	if text, _ := d.stuckUntil(project, func(text string) bool { return text != "" }); !strings.Contains(text, "error:port_in_use") || theirs.Load() != 0 {
		t.Errorf("%q; a person without a key asked the project's server %d times", text, theirs.Load())
	}
	account(filepath.Join(d.dir, "config", "agents", "hooks.toml"), my, "")
	d.stuckUntil(project, func(string) bool { return mine.Load() > 0 })
	if theirs.Load() != 0 || mine.Load() != 1 {
		t.Errorf("the project's server was asked %d times, the person's %d times", theirs.Load(), mine.Load())
	}
	// It counts that the file was read: what it may say, holds.
	account(filepath.Join(project, ".agents", "hooks.toml"), their, "stuck = false\n")
	if text := d.stuckIn(project, "last"); text != "" {
		t.Errorf("%q", text)
	}
}

// A repository can set an agent's environment, but the entry says where
// the person's settings lie. What a hook starts reads them there, too, and grants
// no trust that the entry does not.
func TestEntryBeatsTheEnvironment(t *testing.T) {
	t.Parallel()
	var theirs, mine atomic.Int32
	serve := func(n *atomic.Int32) string {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			n.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
		}))
		t.Cleanup(h.Close)
		return h.URL
	}
	d := newDesktop(t)
	d.unlearn()
	write := func(file, text string) {
		must.Write(t, file, text)
	}
	account := "[builtin.evolution]\nenabled = true\napi_key = \"sk-prismer-0123\"\nbase_url = %q\n"
	write(filepath.Join(d.dir, "config", "agents", "hooks.toml"), fmt.Sprintf(account, serve(&mine)))
	write(filepath.Join(d.dir, "evil", "agents", "hooks.toml"), fmt.Sprintf(account, serve(&theirs)))
	event := func(session int, payload string) string {
		cmd := d.command("run", "--agent=claude-code", "--config="+filepath.Join(d.dir, "config", "agents"), "--state="+filepath.Join(d.dir, "state", "agents-hooks"),
			"--home="+d.dir, "--cache="+filepath.Join(d.dir, "cache", "agents-hooks"), "--data="+filepath.Join(d.dir, "data", "agents-hooks"))
		cmd.Env = append(cmd.Env, "XDG_CONFIG_HOME="+filepath.Join(d.dir, "evil"), "XDG_DATA_HOME="+filepath.Join(d.dir, "evil"), "AGENTS_HOOKS_TRUST=always")
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id": "s%d", "cwd": %s, "tool_name": "Bash", "tool_input": {"command": "./serve --all"}, %s}`, session, protocol.Quote(d.dir), payload))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	text := ""
	for s := 0; s < 20 && mine.Load() == 0; s++ { // as in stuckUntil
		text = ""
		for i := range 2 {
			text += event(s, fmt.Sprintf(`"hook_event_name": "PostToolUseFailure", "tool_use_id": "c%d", "error": "listen tcp :8080: bind: address already in use"`, i))
		}
		text += event(s, `"hook_event_name": "PreToolUse", "tool_use_id": "c3"`)
	}
	if !strings.Contains(text, "error:port_in_use") {
		t.Errorf("not stuck: %q", text)
	}
	if mine.Load() != 1 || theirs.Load() != 0 {
		t.Errorf("the person's server was asked %d times, that of the environment %d times", mine.Load(), theirs.Load())
	}
}
