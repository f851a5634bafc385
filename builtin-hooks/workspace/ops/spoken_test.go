package ops

import (
	"context"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What advice calls a tool is the command for whoever calls commands; other words, and
// what somebody wrote, stay.
// BW-CMD-12.
func TestAdviceNamesCommands(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"workspace_list shows the ids":                           "agents-hooks ws list shows the ids",
		`first: node_transition(nodeId="root", action=start).`:   "first: agents-hooks ws node transition --node-id root --action start.",
		"name it with nodeId; node_next says what is at work":    "name it with --node-id; agents-hooks ws next says what is at work",
		"用 node_update（after）去掉依赖":                               "用 agents-hooks ws node update（after）去掉依赖",
		"node_begin(what it is) and some_other_word, no_docs":    "agents-hooks ws begin(what it is) and some_other_word, no_docs",
		"the role info_collection; rulesHash of workspace_get":   "the role info_collection; --rules-hash of agents-hooks ws get",
		"workspace_delete with force; get_pending_changes; JSON": "agents-hooks ws delete with force; agents-hooks ws changes; JSON",
		"dispatch_disable_execute with skip ends it":             "agents-hooks ws dispatch finish with skip ends it",
	} {
		t.Run(said, func(t *testing.T) {
			if is := spoken(said); is != want {
				t.Errorf("%s\n is %s\nnot %s", said, is, want)
			}
		})
	}
	s := newStage(t)
	s.Commands = true
	ws := s.init()
	n := s.add(ws, "root", "execution", "node_begin is broken")
	for _, o := range []protocol.Object{
		s.call("node_next", "workspaceId", ws), s.call("node_begin", "workspaceId", ws), s.call("node_done", "workspaceId", ws, "conclusion", "log_append works"),
		s.call("node_get", "workspaceId", ws, "nodeId", n), s.call("workspace_init", "name", "x", "goal", "g"), s.call("session_bind", "sessionId", "s", "workspaceId", ws),
	} {
		for _, m := range o {
			if m.Name == "next" && !strings.Contains(string(m.Value), `"node_begin is broken"`) {
				t.Errorf("a title was changed: %s", m.Value)
			}
			if name := string(m.Value); (m.Name == "hint" || m.Name == "with") && (strings.Contains(name, "_bind") || strings.Contains(name, "_archive") || strings.Contains(name, "node_") || strings.Contains(name, "plan_")) {
				t.Errorf("%s: %s", m.Name, name)
			}
		}
	}
	if title := s.open(ws).Title(s.open(ws).Graph.Node(n)); title != "node_begin is broken" {
		t.Error(title)
	}
	if e := s.refused("NODE_NOT_FOUND", "node_get", "workspaceId", ws, "nodeId", "none"); !strings.Contains(e.Fix, "agents-hooks ws node list") {
		t.Error(e.Fix)
	}
	s.Commands = false
	if e := s.refused("NODE_NOT_FOUND", "node_get", "workspaceId", ws, "nodeId", "none"); !strings.Contains(e.Fix, "node_list") {
		t.Error(e.Fix)
	}
	if o, err := s.Call(context.Background(), "workspace_init", object("name", "y", "goal", "g")); err != nil || !strings.Contains(o.Text("hint"), "session_bind") {
		t.Error(o.Text("hint"), err)
	}
}
