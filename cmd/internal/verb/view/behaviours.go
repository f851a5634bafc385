package view

import (
	"context"
	"fmt"
	"time"

	evolutionops "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	evolutionview "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/view"
	workspaceops "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	workspaceview "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

// begun is a part of a behaviour, with a text for users who have none of its data yet.
func begun(p page.Part, english, chinese string) page.Part {
	p.Docs, p.Count = nil, 0
	p.BeginEnglish, p.BeginChinese = english, chinese
	return p
}

// seeWorkspaces collects the workspaces of the project, or all if it has none.
func seeWorkspaces(_ context.Context, sh *shell.Shell, l lookOptions) (page.Part, error) {
	kind := workspaceview.Page{}.Part()
	if l.may.live {
		kind = workspaceview.Page{}.Editor()
	}
	part := begun(kind, "A workspace is a task as a tree, with its state, logs and rules. To switch them on: “agents-hooks enable workspace”", "工作区把任务组织成树，带有状态、日志和规则。启用：“agents-hooks enable workspace”")
	call := builtin.Call(sh.Host, l.dir)
	call.Person = sh.Person()
	d := workspaceops.At(builtin.Standalone(sh.Host), call)
	index, err := d.Place.Index()
	if err != nil {
		return part, fmt.Errorf("workspaces: %w", err)
	}
	tried := map[string]bool{} // those of this project, if none of them can be shown
	for _, here := range []bool{true, false} {
		for _, e := range index {
			if len(part.Docs) >= maxWorkspaces || here && e.ProjectRoot != call.Project || tried[e.ID] {
				continue
			}
			tried[e.ID] = true
			p, _, err := webpage.Workspace(sh, d, e.ID)
			if err != nil {
				sh.Say("view: workspace %s: %v", shell.Plain(e.ID), err)
				continue
			}
			p.Made = ""
			if p.May = l.may.why; !l.may.live {
				p = p.Still()
			}
			part.Docs = append(part.Docs, p)
		}
		if len(part.Docs) > 0 {
			break
		}
	}
	part.Count = len(part.Docs)
	return part, nil
}

// maxWorkspaces bounds how many are shown: the index may have those of years.
const maxWorkspaces = 40

// seeEvolution collects what was learned, without creating a store.
func seeEvolution(ctx context.Context, sh *shell.Shell, l lookOptions) (page.Part, error) {
	kind := evolutionview.Page{}.Part()
	if l.may.live {
		kind = evolutionview.Page{}.Editor()
	}
	part := begun(kind, "Evolution is what agents learn from failures: what helped is suggested again. To switch it on: “agents-hooks enable evolution”", "进化是智能体从失败中学到的东西：有效的方法会再次被建议。启用：“agents-hooks enable evolution”")
	e := evolutionops.Find(builtin.Standalone(sh.Host), builtin.Call(sh.Host, l.dir))
	if !store.Exists(e.Dir) {
		return part, nil
	}
	p, err := webpage.Evolution(ctx, sh, e, sh.Host.Now().Truncate(time.Hour))
	if err != nil {
		return part, fmt.Errorf("evolution: %w", err)
	}
	p.Made = ""
	if l.may.live {
		p.Edit = &evolutionview.Editing{May: l.may.why == "", Why: l.may.why}
	}
	part.Docs, part.Count = []any{p}, len(p.Suggestions)
	return part, nil
}
