package main

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// BW-CMD-02: bind, work, conclude; the core tools at first, all on request.
func TestMCPWorkspace(t *testing.T) {
	t.Parallel()
	h := newMCPHome(t, "workspace")
	s := h.serve(t, "--tools", "workspace")
	count := func() (n int) {
		for tool, err := range s.Tools(t.Context(), nil) {
			must.Do(t, err)
			if !strings.HasPrefix(tool.Name, "agents_hooks_") {
				n++
			}
		}
		return n
	}
	core := count()
	ask(t, s, "agents_hooks_help", map[string]any{"load": "workspace"}, &struct{}{})
	if all := count(); core >= all || core < 10 || all != 56 {
		t.Errorf("%d tools at first, %d on request", core, all)
	}
	var made struct{ WorkspaceID string }
	ask(t, s, "workspace_init", map[string]any{"name": "shop", "goal": "sell things", "scenario": "feature"}, &made)
	if made.WorkspaceID == "" {
		t.Fatal("no workspace")
	}
	var status struct {
		Bound               bool
		AvailableWorkspaces []struct{ ID string }
		Workspace           struct{ ID, Name, Goal string }
	}
	ask(t, s, "session_status", map[string]any{"sessionId": "s-1"}, &status)
	if status.Bound || len(status.AvailableWorkspaces) != 1 {
		t.Errorf("before: %+v", status)
	}
	var bound struct {
		Success bool
		Binding struct{ SessionID, WorkspaceID string }
	}
	ask(t, s, "session_bind", map[string]any{"sessionId": "s-1", "workspaceId": made.WorkspaceID}, &bound)
	if !bound.Success || bound.Binding.WorkspaceID != made.WorkspaceID {
		t.Errorf("bind: %+v", bound)
	}
	ask(t, s, "session_status", map[string]any{"sessionId": "s-1"}, &status)
	if !status.Bound || status.Workspace.Goal != "sell things" {
		t.Errorf("after: %+v", status)
	}
	if got := ask(t, s, "session_bind", map[string]any{"sessionId": "s-1", "workspaceId": "ws-none"}, nil); !strings.Contains(got, ": ") || strings.HasPrefix(got, "FAILED") {
		t.Errorf("a workspace that is none: %s", got)
	}
	if got := ask(t, s, "node_create", map[string]any{"type": "execution"}, nil); !strings.HasPrefix(got, "INVALID_PARAMS: ") {
		t.Errorf("arguments that are missing: %s", got)
	}
}
