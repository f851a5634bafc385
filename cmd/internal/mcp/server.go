package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// Config is how a server is set up.
type Config struct {
	Name, Version string
	Instructions  string // what the model is told of the server as a whole
	Sets          []Set
	Full          map[string]bool // of the sets, by name: all tools from the start, not the core ones only

	Dir   string // the project's folder, if the command line named it
	Start string // where the server was started
	// Call is a call from a folder, before it has arguments; nil: the folder is all
	// that is known.
	Call func(dir string) op.Call

	Most int       // characters of an answer
	Log  io.Writer // what went wrong, for people
}

// A Server serves one client.
type Server struct {
	Config
	sdk  *sdk.Server
	rest rest

	mu      sync.Mutex
	full    map[string]bool // sets that were loaded whole
	offered map[string]bool // tools that the library knows
	roots   []string        // of the client
	asked   bool            // the client for its roots
}

// New makes a server.
func New(c Config) *Server {
	s := &Server{Config: c, full: map[string]bool{}, offered: map[string]bool{}}
	if s.Call == nil {
		s.Call = func(dir string) op.Call { return op.Call{Dir: dir, Project: dir} }
	}
	for name, full := range c.Full {
		s.full[name] = full
	}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: c.Name, Title: c.Name, Version: c.Version}, &sdk.ServerOptions{
		Instructions: c.Instructions,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
		//lint:ignore SA1019 see roots.go
		RootsListChangedHandler: func(context.Context, *sdk.RootsListChangedRequest) { s.forgetRoots() },
	})
	s.sdk.AddReceivingMiddleware(s.current)
	s.add(s.helpTool())
	s.add(s.moreTool())
	return s
}

// Serve answers one client until it ends its input or ctx is done. Calls that
// are under way then are finished. A line that is no message is answered with an
// error, and the server goes on.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	to := &oneAtATime{WriteCloser: out}
	return s.serve(ctx, &sdk.IOTransport{Reader: wholeLines(in, to), Writer: to})
}

func (s *Server) serve(ctx context.Context, over sdk.Transport) error {
	err := s.sdk.Run(ctx, draining{over})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// current brings the tools that are offered up to date before they are listed or
// called: a behaviour may have been switched on or off meanwhile.
func (s *Server) current(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if method == "tools/list" || method == "tools/call" {
			ss, _ := req.GetSession().(*sdk.ServerSession)
			s.offer(s.dir(ctx, ss))
		}
		return next(ctx, method, req)
	}
}

// offer makes the library know the tools that are to be offered in a folder, and
// no other.
func (s *Server) offer(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var gone []string
	for i := range s.Sets {
		set := &s.Sets[i]
		on := set.Off == nil || set.Off(dir) == ""
		for k := range set.Ops {
			t := &set.Ops[k]
			switch want := on && (t.Core || s.full[set.Name]); {
			case want && !s.offered[t.Name]:
				s.offered[t.Name] = true
				s.add(t)
			case !want && s.offered[t.Name]:
				delete(s.offered, t.Name)
				gone = append(gone, t.Name)
			}
		}
	}
	if gone != nil {
		s.sdk.RemoveTools(gone...)
	}
}

func (s *Server) add(t *op.Op) {
	destructive, open := t.Destructive, t.Needs.Has(op.Network)
	s.sdk.AddTool(&sdk.Tool{
		Name: t.Name, Description: t.Model.In(false), InputSchema: json.RawMessage(t.Schema(false).Raw()),
		Annotations: &sdk.ToolAnnotations{
			ReadOnlyHint: t.ReadOnly, DestructiveHint: &destructive, IdempotentHint: t.Idempotent || t.ReadOnly, OpenWorldHint: &open,
		},
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		// A client that hangs up does not stop half-way what it began.
		return s.call(context.WithoutCancel(ctx), t, s.dir(ctx, req.Session), req.Params.Arguments), nil
	})
}

// call calls a tool, and makes an answer of whatever comes of it.
func (s *Server) call(ctx context.Context, t *op.Op, dir string, raw json.RawMessage) (res *sdk.CallToolResult) {
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
	if whole, ok := result.(*sdk.CallToolResult); ok {
		return whole
	}
	return s.answer(result)
}

// command is how a person or a shell does the same.
func (s *Server) command(t *op.Op) string {
	if set, _ := s.tool(t.Name); set != nil {
		if command := set.Command(t); command != "" {
			return command
		}
	}
	return "--help"
}

// tool finds a tool of any set by its name.
func (s *Server) tool(name string) (*Set, *op.Op) {
	for i := range s.Sets {
		set := &s.Sets[i]
		if k := slices.IndexFunc(set.Ops, func(o op.Op) bool { return o.Name == name }); k >= 0 {
			return set, &set.Ops[k]
		}
	}
	return nil, nil
}
