package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// Help is the tool that lists what there is, and loads more of it.
const Help = "agents_hooks_help"

// A setHelp is what Help says about a set.
type setHelp struct {
	Set    string   `json:"set"`
	About  string   `json:"about"`
	On     bool     `json:"on"`
	Why    string   `json:"why_off,omitempty"`
	Tools  []string `json:"tools"`           // offered
	Loads  []string `json:"loads,omitempty"` // with load
	Enable string   `json:"enable,omitempty"`
}

// A toolHelp is what Help says about a tool.
type toolHelp struct {
	Tool        string          `json:"tool"`
	Set         string          `json:"set"`
	Description string          `json:"description"`
	Arguments   json.RawMessage `json:"arguments"`
	Offered     bool            `json:"offered"`
	Command     string          `json:"command,omitempty"`
}

// helpTool reveals what is not offered at first: as a list of names, then tool by
// tool, and permanently if the model wants it.
func (s *Server) helpTool() *op.Op {
	return &op.Op{
		Name: Help, ReadOnly: true, Idempotent: true, Core: true,
		Model: op.Text{English: "What agents-hooks can do here: its sets of tools, and which are offered now. " +
			"topic names a set or a tool to read more of; load makes all tools of a set available.", Chinese: "agents-hooks 在此能做什么：各组工具，以及现在提供哪些。topic 为要了解的组或工具；load 提供一组的全部工具。"},
		Args: []op.Arg{
			{Name: "topic", Model: op.Text{English: "name of a set or of a tool", Chinese: "组或工具的名称"}},
			{Name: "load", Model: op.Text{English: "name of a set whose remaining tools are to be offered from now on", Chinese: "从现在起要提供其余工具的组"}},
		},
		Do: func(_ context.Context, c op.Call) (any, error) {
			return s.help(c.Dir, c.Args.Text("topic"), c.Args.Text("load"))
		},
	}
}

func (s *Server) help(dir, topic, load string) (any, error) {
	var names []string
	for i := range s.Sets {
		names = append(names, s.Sets[i].Name)
	}
	if load != "" {
		i := slices.Index(names, load)
		if i < 0 {
			return nil, op.Fail("NOT_FOUND", "call "+Help+" without arguments for the sets", "no such set: %q", load)
		}
		if why := s.off(i, dir); why != "" {
			return nil, op.Fail("OFF", "a person can switch it on: agents-hooks enable "+load, "%s is off here: %s", load, why)
		}
		s.mu.Lock()
		s.full[load] = true
		s.mu.Unlock()
		s.offer(dir)
		return s.setHelp(i, dir), nil
	}
	if topic == "" {
		sets := []setHelp{}
		for i := range s.Sets {
			sets = append(sets, s.setHelp(i, dir))
		}
		return map[string]any{"project": dir, "sets": sets}, nil
	}
	if i := slices.Index(names, topic); i >= 0 {
		tools := []toolHelp{}
		for k := range s.Sets[i].Ops {
			tools = append(tools, s.toolHelp(&s.Sets[i], &s.Sets[i].Ops[k]))
		}
		return map[string]any{"set": s.setHelp(i, dir), "tools": tools}, nil
	}
	if set, t := s.tool(topic); t != nil {
		return s.toolHelp(set, t), nil
	}
	return nil, op.Fail("NOT_FOUND", "call "+Help+" without arguments for the sets", "no such set or tool: %q", topic)
}

func (s *Server) off(i int, dir string) string {
	if s.Sets[i].Off == nil {
		return ""
	}
	return s.Sets[i].Off(dir)
}

func (s *Server) setHelp(i int, dir string) setHelp {
	set := &s.Sets[i]
	h := setHelp{Set: set.Name, About: set.About, Tools: []string{}, Why: s.off(i, dir)}
	h.On = h.Why == ""
	if !h.On {
		h.Enable = "agents-hooks enable " + set.Name
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range set.Ops {
		if name := set.Ops[k].Name; s.offered[name] {
			h.Tools = append(h.Tools, name)
		} else {
			h.Loads = append(h.Loads, name)
		}
	}
	return h
}

func (s *Server) toolHelp(set *Set, t *op.Op) toolHelp {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := toolHelp{Tool: t.Name, Set: set.Name, Description: t.Model.In(false), Arguments: json.RawMessage(t.Schema(false).Raw()), Offered: s.offered[t.Name]}
	if command := set.Command(t); command != "" {
		h.Command = "agents-hooks " + command
	}
	return h
}
