package team

import (
	"context"
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/packs"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/team"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// addPacks adds the packs that the project lacks, one after another: each completely or not at
// all, and a failure does not affect the others. The repository says where they come from, so
// the user is asked before anything is fetched, and again after it was shown.
func addPacks(ctx context.Context, sh *shell.Shell, o options, m *team.Manifest) (did []string, failed error) {
	if o.json && !o.yes {
		return nil, nil // nobody is asked: they are among the remaining steps
	}
	for _, p := range team.LackingPacks(sh.Host, m) {
		if o.dry {
			did = append(did, "would fetch "+shell.Plain(p.Pack.Source)+", show it, and ask to add it")
			continue
		}
		n, err := addPack(ctx, sh, o, m, p)
		switch {
		case err != nil && (ctx.Err() != nil || errors.Is(err, shell.ErrInterrupted)):
			return did, fmt.Errorf("setup: %w", shell.ErrStopped)
		case errors.Is(err, shell.ErrDeclined):
		case err != nil:
			failed = shell.ErrReported
			sh.Say("setup: %v", err)
			if h, ok := errors.AsType[shell.Hinted](err); ok {
				sh.Hints(h.Hints)
			}
		default:
			did = append(did, "added "+text.Count(n, "hook")+" of "+shell.Plain(p.Pack.Source))
		}
	}
	return did, failed
}

// addPack adds a pack that the manifest names, as add does. n is the number of its hooks.
func addPack(ctx context.Context, sh *shell.Shell, o options, m *team.Manifest, p team.Lacking) (n int, err error) {
	typed := shell.Plain(p.Pack.Source)
	if err := sh.Confirm(o.yes, fmt.Sprintf("fetch %s, which %s names, and look at it?", typed, sh.Short(p.At)), typed); err != nil {
		return 0, err
	}
	place := packs.InProject(sh, m.Project, m.Project)
	plan, err := packs.Add(ctx, sh, packs.AddOptions{PlaceOptions: place, Request: packs.Request{At: p.Source}, HowOptions: packs.HowOptions{Yes: o.yes, JSON: o.json}, Typed: p.Pack.Source})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", typed, err)
	}
	return len(plan.Hooks), nil
}
