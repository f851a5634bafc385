package ops

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var shanghai = time.FixedZone("CST", 8*3600)

// A stage is a machine with a project, and the time in hand.
type stage struct {
	testing.TB
	*Operator
	home, project string
	now           time.Time
	count         uint64
}

func newStage(t testing.TB) *stage {
	t.Helper()
	s := &stage{TB: t, home: t.TempDir(), project: t.TempDir(), now: time.Date(2026, 1, 2, 12, 0, 0, 0, shanghai)}
	s.Operator = &Operator{
		Place:   workspace.Find(s.home, filepath.Join(s.home, "data"), "", shanghai, func(string) string { return "" }),
		Project: s.project, Home: s.home, State: filepath.Join(s.home, "state"), Program: "agents-hooks",
		Now:    func() time.Time { return s.now },
		Random: func() uint64 { s.count += 7919; return s.count },
		Env:    os.Environ(),
	}
	return s
}

// call does an operation that works.
func (s *stage) call(name string, kv ...any) protocol.Object {
	s.Helper()
	o, err := s.Call(context.Background(), name, object(kv...))
	if err != nil {
		s.Fatalf("%s %v: %v", name, kv, err)
	}
	return o
}

// refused does one that is refused, and returns the code.
func (s *stage) refused(code, name string, kv ...any) *op.Error {
	s.Helper()
	o, err := s.Call(context.Background(), name, object(kv...))
	var e *op.Error
	if !errors.As(err, &e) || e.Code != code {
		s.Fatalf("%s %v: have %v %s, want %s", name, kv, err, o.Raw(), code)
	}
	if strings.TrimSpace(e.Message) == "" {
		s.Errorf("%s %v: %s says nothing", name, kv, code)
	}
	return e
}

// init makes a workspace and starts its root.
func (s *stage) init() string {
	s.Helper()
	id := s.call("workspace_init", "name", "重构认证", "goal", "用 JWT 替换 session").Text("workspaceId")
	s.call("node_transition", "workspaceId", id, "nodeId", "root", "action", "start")
	return id
}

// add adds a node, and returns its id.
func (s *stage) add(ws, parent, kind, title string, kv ...any) string {
	s.Helper()
	kv = append([]any{"workspaceId", ws, "parentId", parent, "type", kind, "title", title, "requirement", "do " + title}, kv...)
	return s.call("node_create", kv...).Text("nodeId")
}

func (s *stage) open(ws string) *workspace.Store {
	s.Helper()
	st, err := s.Place.Open(ws)
	must.Do(s, err)
	return st
}

// force puts a node into a state, past all guards.
func (s *stage) force(ws, node, status string) {
	s.Helper()
	err := s.Place.Change(ws, s.now, func(st *workspace.Store) error {
		st.Graph.Node(node).SetText("status", status)
		return st.SaveGraph()
	})
	must.Do(s, err)
}

func (s *stage) status(ws, node string) string { return s.open(ws).Graph.Node(node).Status() }

func (s *stage) file(path string) string {
	s.Helper()
	return must.Read(s, path)
}

// original lays out the store of the original in the stage.
func (s *stage) original() {
	s.Helper()
	a, err := txtar.ParseFile(filepath.Join("..", "testdata", "store.txtar"))
	must.Do(s, err)
	for _, f := range a.Files {
		name := strings.Replace(strings.Replace(f.Name, "HOME", s.home, 1), "PROJECT", s.project, 1)
		data := strings.ReplaceAll(string(f.Data), `"PROJECT"`, string(protocol.Quote(s.project)))
		if filepath.Ext(name) == ".json" {
			data = strings.TrimSuffix(data, "\n") // which the original does not write
		}
		must.Write(s, name, data)
	}
	s.Place = workspace.Find(s.home, filepath.Join(s.home, "data"), "", shanghai, func(string) string { return "" })
}
