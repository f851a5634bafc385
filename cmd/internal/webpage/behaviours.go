package webpage

import (
	"context"
	"time"

	evolutionops "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	evolution "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/view"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	memory "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/view"
	tasks "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	workspace "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Memory is the page of a memory: a project's, or the user's own.
func Memory(sh *shell.Shell, m ops.Memory, user bool) (memory.Page, error) {
	p, err := memory.Of(m.Keeper)
	p.Language, p.Dir, p.Name = memory.Language(m.Settings.Of("language").Text, sh.Host.Getenv), sh.Short(m.Dir), m.Name()
	if user {
		p.Name = "~"
	}
	return p, err
}

// Workspace is the page of a workspace, and its folder.
func Workspace(sh *shell.Shell, d *tasks.Operator, id string) (workspace.Page, string, error) {
	s, err := d.Place.Open(id)
	if err != nil {
		return workspace.Page{}, "", err
	}
	s.Now = d.Now()
	p := workspace.Of(s)
	p.Dir, p.Language = sh.Short(s.Dir), "en"
	if d.Chinese {
		p.Language = "zh"
	}
	for _, w := range d.Waits(s) {
		p.Waits = append(p.Waits, workspace.Wait{Kind: w.Kind, Node: w.Node, Token: w.Token, Ways: w.Ways})
	}
	return p, s.Dir, nil
}

// Evolution is the page of what was learned.
func Evolution(ctx context.Context, sh *shell.Shell, e evolutionops.Place, now time.Time) (evolution.Page, error) {
	st, err := store.Open(ctx, e.Dir)
	if err != nil {
		return evolution.Page{}, err
	}
	defer st.Close()
	p, err := evolution.Of(ctx, st, e.Dir, now)
	p.Language, p.Dir, p.Name = e.Language, sh.Short(e.Dir), e.Scope
	return p, err
}
