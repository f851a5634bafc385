//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/replay"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

var payloadNumber = regexp.MustCompile(`-\d+$`)

// A sent is a payload of an agent from the testdata of its dialect.
type sent struct {
	file, native string
	payload      []byte
	root         string // of the project that it is about
}

// sentBy are payloads of a dialect, one of each of its events that are ones of
// the format.
func sentBy(t *testing.T, d *protocol.Dialect, home string) (list []sent) {
	t.Helper()
	pkg, _, _ := strings.Cut(strings.TrimPrefix(runtime.FuncForPC(reflect.ValueOf(d.Decode).Pointer()).Name(), module+"/"), ".")
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "testdata", "payloads", "*", "*.json"))
	must.Do(t, err)
	count := map[string]int{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		must.Do(t, err)
		o, err := protocol.ParseObject(b)
		if err != nil {
			continue
		}
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		s := sent{file: f, native: payloadNumber.ReplaceAllString(name, ""), payload: b}
		events, err := d.Decode(protocol.Input{Payload: o, Event: s.native, WorkDir: home, Now: time.Now()})
		if err != nil || len(events) == 0 || events[0].WorkDir == "" {
			continue
		}
		if key := events[0].NativeEvent; count[key] == 0 {
			count[key]++
			_, s.root = discovery.FindProject(events[0].WorkDir, home)
			list = append(list, s)
		}
	}
	return list
}

// What each agent was seen to send is recorded, and replayed the answers are the
// same: what is blotted out keeps a payload what it was.
func TestReplayEachAgent(t *testing.T) {
	tool := shelltest.New(t)
	h := tool.Host
	hooks := filepath.Join(h.Config, "hooks")
	for name, trigger := range map[string]string{"guard": "pre-tool-call", "gate": "pre-agent-turn-stop", "start": "pre-session"} {
		must.Write(t, filepath.Join(hooks, name, "HOOK.md"), "---\nname: "+name+"\ndescription: a hook\ntrigger: "+trigger+"\n---\n")
		script := filepath.Join(hooks, name, "scripts", "run")
		must.Write(t, script, "#!/bin/sh\nsed 's/.*\"event_type\": \"\\([a-z-]*\\)\".*/no \\1/' >&2\nexit 2\n")
		must.Do(t, os.Chmod(script, 0o755))
	}
	store := record.Store{State: h.State}
	var played []*protocol.Dialect
	for i, d := range agents.All() {
		if !slowtest.Part(i, 3) {
			continue
		}
		played = append(played, d)
		list := sentBy(t, d, h.Home)
		if len(list) == 0 {
			t.Errorf("%s: no payload", d.ID)
		}
		for _, s := range list {
			must.Do(t, store.Start(s.root, time.Now()))
			var out, errs strings.Builder
			run(h, append([]string{"run", "--agent=" + d.ID, "--event=" + s.native}, h.Entry().Args()...), strings.NewReader(string(s.payload)), &out, &errs)
		}
	}
	projects, err := store.Projects()
	must.Do(t, err)
	args := []string{"replay", "--json"}
	seen := map[string]bool{}
	for _, p := range projects {
		for _, s := range p.Sessions {
			args = append(args, s.Path)
			agent, _, _ := strings.Cut(filepath.Base(s.Path), ".")
			seen[agent] = true
		}
	}
	var out, errs strings.Builder
	exit := run(h, args, strings.NewReader(""), &out, &errs)
	var done replay.Result
	if err := json.Unmarshal([]byte(out.String()), &done); err != nil {
		t.Fatalf("exit %d, %v, %s", exit, err, errs.String())
	}
	for _, f := range done.Files {
		for _, e := range f.Events {
			if e.Result != replay.Same {
				t.Errorf("%s:%d: %s %s: %s %s %v\n recorded %+v\n now %+v", f.File, e.Line, e.Agent, e.Native, e.Result, e.Why, e.Changed, e.Recorded, e.Now)
			}
		}
	}
	blocked := strings.Count(out.String(), `"decision": "block"`)
	for _, d := range played {
		if !seen[d.ID] {
			t.Errorf("%s: nothing was recorded", d.ID)
		}
	}
	t.Logf("%d events of %d agents, %d answers block", done.Same, len(seen), blocked)
	if exit != shell.ExitDone || done.Same < 5*len(seen) || blocked < len(seen) {
		t.Errorf("exit %d, %d same, %d blocked", exit, done.Same, blocked)
	}
}
