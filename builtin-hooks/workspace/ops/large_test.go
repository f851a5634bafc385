package ops

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// large makes a workspace of many nodes, with rows in the log of the last one.
func (s *stage) large(nodes, rows int) (ws, node string) {
	s.Helper()
	ws = s.init()
	err := s.Place.Change(ws, s.now, func(st *workspace.Store) error {
		c := &call{Operator: s.Operator, now: s.now}
		parent := st.Graph.Root()
		for i := range nodes {
			kind := workspace.Execution
			if i%10 == 0 {
				kind, parent = workspace.Planning, st.Graph.Root()
			}
			n, err := c.newNode(st, parent, kind, workspace.Info{Title: fmt.Sprint("节点 ", i), Requirement: strings.Repeat("需求 ", 50)})
			if err != nil {
				return err
			}
			if kind == workspace.Planning {
				parent = n
			}
			node = n.ID()
		}
		if err := st.SaveGraph(); err != nil {
			return err
		}
		text := s.file(filepath.Join(st.NodeDir(st.Graph.Node(node)), "Log.md"))
		text += strings.Repeat("| 2025-12-18 14:45:10 | AI | 做了一些事情，写在这里 |\n", rows)
		return os.WriteFile(filepath.Join(st.NodeDir(st.Graph.Node(node)), "Log.md"), []byte(text), 0o600)
	})
	must.Do(s, err)
	return ws, node
}

// A row in the log of a workspace of 500 nodes, and what a bound session costs to
// be read.
func BenchmarkLarge(b *testing.B) {
	for name, do := range map[string]func(s *stage, ws, node string){
		"log_append": func(s *stage, ws, node string) {
			must.Do(b, must.Err(s.Call(context.Background(), "log_append", object("workspaceId", ws, "nodeId", node, "operator", "AI", "event", "e"))))
		},
		"context_get": func(s *stage, ws, node string) {
			must.Do(b, must.Err(s.Call(context.Background(), "context_get", object("workspaceId", ws, "nodeId", node))))
		},
		"bound": func(s *stage, ws, node string) {
			if _, ok, err := s.Place.Bound("s", s.now); !ok || err != nil {
				b.Fatal(ok, err)
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			s := newStage(b)
			ws, node := s.large(500, 5000)
			s.call("session_bind", "sessionId", "s", "workspaceId", ws, "nodeId", node)
			for b.Loop() {
				do(s, ws, node)
			}
		})
	}
}

// Every tool that a text names exists.
func TestTextsNameTools(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`\b(workspace|node|log|problem|context|memo|session|dispatch|config|capability|tanmi)_[a-z_]+\b`)
	other := map[string]bool{"dispatch_test": true, "dispatch_task": true, "tanmi_workspace": true, "node_modules": true}
	set := token.NewFileSet()
	files, err := filepath.Glob("*.go")
	must.Do(t, err)
	named := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		must.Do(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(lit.Value)
			for _, w := range word.FindAllString(text, -1) {
				if _, ok := op.Find(Ops(nil), w); !ok && !other[w] {
					t.Errorf("%s names %s, which is no tool", set.Position(lit.Pos()), w)
				}
				named++
			}
			return true
		})
	}
	if named < 100 {
		t.Errorf("found only %d names", named)
	}
}
