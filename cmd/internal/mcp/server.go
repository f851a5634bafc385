package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// Config is how a server is set up.
type Config struct {
	Name, Version string
	Instructions  string // what the model is told about the server as a whole
	Sets          []Set
	Full          map[string]bool // of the sets, by name: all tools from the start, not only the core ones

	Dir   string // the project's folder, if the command line named it
	Start string // where the server was started
	// Call is a call from a folder, before it has arguments; nil: only the folder is
	// known.
	Call func(dir string) op.Call

	Most int       // characters of an answer
	Log  io.Writer // reports errors to people
}

// A Server serves one client.
type Server struct {
	Config
	rest   rest
	always []*op.Op // tools of no set

	mu      sync.Mutex
	full    map[string]bool // sets that were loaded completely
	offered map[string]bool // tools of sets
}

// New makes a server.
func New(c Config) *Server {
	s := &Server{Config: c, full: map[string]bool{}, offered: map[string]bool{}}
	if s.Call == nil {
		s.Call = func(dir string) op.Call { return op.Call{Dir: dir, Project: dir} }
	}
	maps.Copy(s.full, c.Full)
	s.always = []*op.Op{s.helpTool(), s.moreTool()}
	return s
}

// offer are the tools to offer in a folder now, by name.
func (s *Server) offer(dir string) []*op.Op {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.always)
	clear(s.offered)
	for i := range s.Sets {
		set := &s.Sets[i]
		on := set.Off == nil || set.Off(dir) == ""
		for k := range set.Ops {
			if t := &set.Ops[k]; on && (t.Core || s.full[set.Name]) {
				s.offered[t.Name] = true
				list = append(list, t)
			}
		}
	}
	order.By(list, func(a, b *op.Op) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// call calls a tool, and makes an answer from any result.
func (s *Server) call(ctx context.Context, t *op.Op, dir string, raw json.RawMessage) (res *answered) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(s.Log, "agents-hooks: mcp: %s: panic: %v\n%s", t.Name, p, debug.Stack())
			res = s.failed(op.Fail("INTERNAL", "this is a bug of agents-hooks; try the command instead: agents-hooks "+s.command(t), "%s failed: %v", t.Name, p))
		}
	}()
	result, err := do(ctx, t, s.Call(dir), raw)
	if err != nil {
		return s.failed(err)
	}
	if whole, ok := result.(*answered); ok {
		return whole
	}
	a := s.answer(result)
	if t.Once {
		a.Structured = nil
	}
	return a
}

// command is how a user or a shell does the same.
func (s *Server) command(t *op.Op) string {
	if set, _ := s.tool(t.Name); set != nil {
		if command := set.Command(t); command != "" {
			return command
		}
	}
	return "--help"
}

// tool finds a tool by its name in any set.
func (s *Server) tool(name string) (*Set, *op.Op) {
	for i := range s.Sets {
		set := &s.Sets[i]
		if k := slices.IndexFunc(set.Ops, func(o op.Op) bool { return o.Name == name }); k >= 0 {
			return set, &set.Ops[k]
		}
	}
	return nil, nil
}
