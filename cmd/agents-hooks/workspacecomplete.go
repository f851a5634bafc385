package main

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
)

// workspaceOp is the operation of a command line, if it is one.
func workspaceOp(line commandLine) (desk.Tool, bool) {
	name, ok := strings.CutPrefix(line.path, "workspace ")
	if !ok {
		return desk.Tool{}, false
	}
	if name == "tree" {
		name = "node list"
	}
	if action, ok := strings.CutPrefix(name, "node "); ok && slices.Contains(desk.Actions(), action) {
		name = "node transition"
	}
	for _, op := range desk.Tools() {
		if op.Command == name || op.Name == name {
			return op, true
		}
	}
	return desk.Tool{}, false
}

// workspaceFlagWords are the values that a flag of an operation may have; ok is
// false if the flag is not one of its own.
func (t *tool) workspaceFlagWords(line commandLine, flag string) (list []suggestion, ok bool) {
	op, ok := workspaceOp(line)
	if !ok {
		return nil, false
	}
	for _, a := range op.Args {
		for _, name := range workspaceFlag(a).Names() {
			if name == flag {
				return t.workspaceArgWords(line, a), true
			}
		}
	}
	return nil, false
}

// workspaceArgumentWords are what the next argument of an operation may be.
func (t *tool) workspaceArgumentWords(line commandLine) []suggestion {
	op, ok := workspaceOp(line)
	if op.Name == "node_list" {
		op.Words = []string{"workspaceId"} // of tree
	}
	if !ok || len(line.args) >= len(op.Words) {
		return nil
	}
	a, _ := op.Arg(op.Words[len(line.args)])
	return t.workspaceArgWords(line, a)
}

func (t *tool) workspaceArgWords(line commandLine, a desk.Arg) []suggestion {
	place := workspace.Find(t.host.Home, t.host.Data, t.host.Getenv("AGENTS_HOOKS_WORKSPACE_DIR"), t.host.Now().Location(), t.host.Getenv)
	switch {
	case a.Words != nil:
		return plainWords(a.Words)
	case a.Name == "topic":
		return plainWords(desk.TopicIDs())
	case a.Name == "workspaceId":
		entries, _ := place.Index()
		var list []suggestion
		for _, e := range entries {
			list = append(list, suggestion{e.ID, plain(e.Name)})
		}
		return list
	case strings.HasSuffix(a.Name, "odeId") || a.Name == "parentId" || a.Name == "newParentId" || a.Name == "rootId":
		return t.nodeWords(line, place)
	case a.Name == "sessionId":
		var list []suggestion
		for _, b := range place.Bindings() {
			list = append(list, suggestion{b.Session, b.Workspace})
		}
		return list
	}
	return nil
}

// nodeWords are the nodes of the workspace that is named, or of the only one here.
func (t *tool) nodeWords(line commandLine, place workspace.Place) []suggestion {
	id := ""
	for _, name := range []string{"workspace-id", "workspace", "workspaceId"} {
		if line.flags[name] != "" {
			id = line.flags[name]
		}
	}
	if here := place.At(t.host.WorkDir); id == "" && len(here) == 1 {
		id = here[0].ID
	}
	s, err := place.Open(id)
	if err != nil {
		return nil
	}
	var list []suggestion
	for _, n := range s.Graph.Nodes() {
		list = append(list, suggestion{n.ID(), n.Status() + ": " + plain(s.Title(n))})
	}
	return list
}
