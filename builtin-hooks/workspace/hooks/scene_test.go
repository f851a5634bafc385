package hooks

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the store of testdata holds: a workspace, its focused node, and the
// session that is bound to it.
const (
	wsID   = "ws-mjb65az5-0wcjuu"
	nodeID = "node-mjb6mj4h-a60yht"
	planID = "node-mjb6a000-plan01"
	bySelf = "abc123"
	wsDir  = ".tanmi-workspace/重构认证模块_mjb65az5"
	nodeAt = wsDir + "/nodes/实现 token 验证_mjb6mj4h"
)

var shanghai = time.FixedZone("CST", 8*3600)

// A scene is a store as the original writes it, a world, and sessions that
// events happen in.
type scene struct {
	t             testing.TB
	home, project string
	world         *behaviour.Runtime
	now           time.Time
	settings      map[string]any
	env           []string
	strange       bool // what stands in the store is not the person's
}

func newScene(t *testing.T) *scene {
	t.Helper()
	return sceneOf(t, t.TempDir())
}

func sceneOf(t testing.TB, dir string) *scene {
	t.Helper()
	s := &scene{
		t: t, home: filepath.Join(dir, "ho me"), project: filepath.Join(dir, "pro ject"),
		now: time.Date(2025, 12, 18, 15, 0, 0, 0, shanghai), settings: map[string]any{"language": "en"},
	}
	a, err := txtar.ParseFile(filepath.Join("..", "testdata", "store.txtar"))
	must.Do(t, err)
	for _, f := range a.Files {
		name := strings.Replace(strings.Replace(f.Name, "HOME", s.home, 1), "PROJECT", s.project, 1)
		s.put(name, strings.ReplaceAll(string(f.Data), `"PROJECT"`, string(protocol.Quote(s.project))))
	}
	s.world = &behaviour.Runtime{
		Home: s.home, State: filepath.Join(dir, "state"), Data: filepath.Join(dir, "data"),
		Session:  func(id string) string { return filepath.Join(dir, "state", "sessions", id) },
		Now:      func() time.Time { return s.now },
		Random:   func() uint64 { return 7 },
		Settings: func(string, string) map[string]any { return s.settings },
		Program:  func() string { return "/opt/agents-hooks" },
		Tool: func(context.Context, string, []string, []byte, ...string) ([]byte, error) {
			return nil, errors.New("no tool")
		},
		Detach: func(string, []string, ...string) error { return errors.New("no tool") },
	}
	return s
}

func (s *scene) place() workspace.Place {
	return workspace.Find(s.home, s.world.Data, "", shanghai, func(string) string { return "" })
}

// mine says that what stands in the store is the person's own.
func (s *scene) mine() {
	s.t.Helper()
	p := s.place()
	p.Known = s.world.Ledger(s.project, nil)
	for _, e := range p.At(s.project) {
		files, err := p.Unapproved(e)
		if err != nil {
			continue // a damaged one, which nobody is told of
		}
		if keys := ledger.Keys(files); keys != nil {
			must.Do(s.t, p.Known(e.ProjectRoot).Let(ledger.Own, keys))
		}
	}
}

func (s *scene) put(path, text string) {
	s.t.Helper()
	must.Write(s.t, path, text)
}

func (s *scene) file(name string) string { return filepath.Join(s.project, filepath.FromSlash(name)) }

func (s *scene) read(name string) string {
	s.t.Helper()
	return must.Read(s.t, s.file(name))
}

// edit changes one place of a file, which must be there.
func (s *scene) edit(name, old, new string) {
	s.t.Helper()
	text := s.read(name)
	if strings.Count(text, old) != 1 {
		s.t.Fatalf("%s: %q stands there %d times", name, old, strings.Count(text, old))
	}
	s.put(s.file(name), strings.Replace(text, old, new, 1))
}

// solved takes the problem away that the store begins with.
func (s *scene) solved() { s.edit(nodeAt+"/Problem.md", "测试环境没有公钥", "（暂无）") }

// logged is the time of the node's last log.
func (s *scene) logged(ago time.Duration) {
	s.edit(nodeAt+"/Log.md", "2025-12-18 14:52:00", s.now.Add(-ago).Format("2006-01-02 15:04:05"))
}

// started is when the node was started.
func (s *scene) started(ago time.Duration) {
	text := s.read(wsDir + "/graph.json")
	i := strings.Index(text, `"node-mjb6mj4h-a60yht": {`)
	text = text[:i] + strings.Replace(text[i:], `"createdAt"`, `"startedAt": "`+workspace.Stamp(s.now.Add(-ago))+`", "createdAt"`, 1)
	s.put(s.file(wsDir+"/graph.json"), text)
}

// event calls a hook with an event of its trigger, of the session that is given
// as "session" or the bound one. can is what the agent can carry, "" for the
// format's own form. Members are given as name, JSON.
func (s *scene) event(name, can string, members ...string) protocol.HookAnswer {
	s.t.Helper()
	a := s.raw(name, can, members...)
	if len(a.Log) > 0 {
		s.t.Errorf("%s: %s", name, a.Log)
	}
	return a
}

func (s *scene) raw(name, can string, members ...string) protocol.HookAnswer {
	s.t.Helper()
	if !s.strange {
		s.mine()
	}
	b := Behaviour()
	i := slices.IndexFunc(b.Hooks, func(h behaviour.Hook) bool { return h.Name == name })
	var ev, about protocol.Object
	ev.SetText("event_type", string(b.Hooks[i].Trigger))
	ev.SetText("session_id", bySelf)
	ev.SetText("work_dir", filepath.Join(s.project, "src"))
	if can != "" {
		words := strings.Fields(can)
		if can == "nothing" {
			words = nil
		}
		about.Set("can", protocol.TextList(words))
	}
	for i := 0; i+1 < len(members); i += 2 {
		if members[i] == "agent" {
			about.Set("agent", protocol.Raw(members[i+1]))
			continue
		}
		ev.Set(members[i], protocol.Raw(members[i+1]))
	}
	if about != nil {
		ev.Set("context", about.Raw())
	}
	s.world.TextBudget = behaviour.DefaultTextBudget
	var out, errs bytes.Buffer
	env := append([]string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, s.env...)
	if exit := behaviour.Main(&b, &b.Hooks[i], s.world)(context.Background(), env, ev.Raw(), &out, &errs); exit != 0 || errs.Len() > 0 {
		s.t.Errorf("%s: exit %d, stderr %q", name, exit, &errs)
	}
	a, err := protocol.ParseAnswer(out.Bytes())
	if err != nil {
		s.t.Fatalf("%s: %q: %v", name, &out, err)
	}
	return a
}

// prompt is a prompt of the bound session, and what is said to it.
func (s *scene) prompt(text string, members ...string) string {
	s.t.Helper()
	return s.event("workspace-reminder", "context", append([]string{"prompt", string(protocol.Quote(text)), "source", `"user"`}, members...)...).AdditionalContext
}

// begin is the begin of the bound session.
func (s *scene) begin(members ...string) string {
	s.t.Helper()
	return s.event("workspace-context", "context", append([]string{"source", `"startup"`}, members...)...).AdditionalContext
}

// tick lets time pass.
func (s *scene) tick(d time.Duration) *scene {
	s.now = s.now.Add(d)
	return s
}

func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	at := 0
	for _, p := range parts {
		i := strings.Index(text[at:], p)
		if i < 0 {
			t.Errorf("%q is missing, or not in its place, in:\n%s", p, text)
			return
		}
		at += i + len(p)
	}
}

func silent(t *testing.T, what, text string) {
	t.Helper()
	if text != "" {
		t.Errorf("%s: said\n%s", what, text)
	}
}

const other = `"another"`
