package tools

import (
	"context"
	"encoding/json"
	"errors"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/mcp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// workspaceTools are the operations on workspaces, from the table that the
// commands are made of too (WS-24). That table checks their arguments: a session
// that is bound need not say what to.
func workspaceTools(sh *shell.Shell) []mcp.Tool {
	var list []mcp.Tool
	for _, op := range desk.Tools() {
		list = append(list, mcp.Tool{
			Name: op.Name, Description: op.Text(false), Input: json.RawMessage(op.Schema(false).Raw()), Command: "workspace " + op.Command,
			Core: op.Core, ReadOnly: op.ReadOnly, Destructive: op.Destructive, Idempotent: op.Idempotent,
			Call: func(ctx context.Context, c mcp.Call) (any, error) {
				answer, err := workspaceIn(sh, ctx, c.Dir, c.Session).Call(ctx, op.Name, c.Args)
				var refused *desk.Error
				if errors.As(err, &refused) {
					return nil, mcp.Fail(refused.Code, refused.Fix, "%s", refused.Message)
				}
				if err != nil {
					return nil, err
				}
				return json.RawMessage(answer.Raw()), nil
			},
		})
	}
	return list
}

// workspaceIn is the desk for workspaces from a folder, for a session of an
// agent, "" if nobody knows it.
func workspaceIn(sh *shell.Shell, ctx context.Context, from, session string) *desk.Desk {
	project, root := discovery.FindProject(from, sh.Host.Home)
	if project != "" {
		root = project
	}
	env := append(sh.Host.Env[:len(sh.Host.Env):len(sh.Host.Env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	d, _ := builtinhooks.WorkspaceOf(ctx, builtin.Standalone(sh.Host), env, from)
	d.Session = session
	return d
}
