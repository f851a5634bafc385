package builtinhooks

import (
	"context"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/lang"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// WorkspaceOf is the desk for operations on workspaces from a working directory,
// and how workspaces are set there: the same for commands and the MCP server as
// for the hooks. The caller sets Session if it knows that of the agent.
func WorkspaceOf(ctx context.Context, w *World, env []string, dir string) (*desk.Desk, setting.Values) {
	b := behaviour.Behaviour{Name: "workspace", Settings: workspace.Settings}
	var ev protocol.Object
	ev.SetText("event_type", string(protocol.PreSession))
	ev.SetText("work_dir", dir)
	c := behaviour.NewCall(ctx, &b, w, env, ev)
	return &desk.Desk{
		Place:   workspace.Find(w.Home, w.Data, c.Settings.Of("data_dir").Text, c.Now.Location(), c.Getenv),
		Project: c.Project(), State: filepath.Join(w.State, "workspace"), Program: w.Program(),
		Chinese: lang.Of(c.Settings.Of("language").Text, c.Getenv) == lang.Chinese,
		Now:     w.Now, Random: w.Random, Env: env,
	}, c.Settings
}
