package tools

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/desk"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/memories"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// DeskIn is the desk in a folder, for a session of an agent, "" if there is none.
func DeskIn(sh *shell.Shell, ctx context.Context, from, session, agent string) *desk.Desk {
	e := EvolutionIn(sh, ctx, from)
	d := &desk.Desk{
		Dir: e.Dir, Now: sh.Host.Now, Creativity: e.Settings.Of("creativity").Number, Scope: e.Scope, Project: e.Project,
		Session: session, Agent: agent, Language: e.Language,
		Signals: func(text string) (out []string) {
			for _, k := range signal.Of("", text) {
				out = append(out, string(k))
			}
			return out
		},
		Remember: func(text string) error { return remember(sh, ctx, from, session, text) },
	}
	if e.Settings.Of("selector").Text != "greedy" {
		d.Random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	return d
}

// EvolutionIn is evolution in a folder.
func EvolutionIn(sh *shell.Shell, ctx context.Context, from string) builtinhooks.Evolution {
	project, root := discovery.FindProject(from, sh.Host.Home)
	if project != "" {
		root = project
	}
	env := append(sh.Host.Env[:len(sh.Host.Env):len(sh.Host.Env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	return builtinhooks.EvolutionOf(ctx, builtin.Standalone(sh.Host), env, from)
}

// errNoMemory says that nobody wants notes.
var errNoMemory = errors.New("memory is off")

// remember keeps a note in the project's memory, if memory is on.
func remember(sh *shell.Shell, ctx context.Context, from, session, text string) error {
	on := false
	for _, h := range hookset.Set(sh.Host, from).Hooks {
		on = on || h.Layer == discovery.BuiltinLayer && strings.HasPrefix(h.Name, "memory-") && h.Status == discovery.Ready
	}
	if !on {
		return errNoMemory
	}
	s, err := memories.ShelfOf(sh, ctx, from, false)
	if err != nil {
		return err
	}
	var refused keeper.Refused
	_, err = s.Save(memory.Fact{Kind: "B", Content: text, Entities: []string{"evolution"}, Confidence: 0.8, Session: session}, "")
	if errors.As(err, &refused) {
		return refused
	}
	return err
}
