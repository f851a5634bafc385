package builtinhooks

import (
	"context"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/scope"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/lang"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Evolution is what its commands know of a working directory: the same that its
// hooks know.
type Evolution struct {
	Dir      string // of genes, journals, the queue
	Scope    string // of the project (EVO-4)
	Project  string // its name, as its folder is called
	Language string // en, zh
	Account  evolution.Account
	Settings setting.Values
}

// EvolutionOf is evolution for a working directory.
func EvolutionOf(ctx context.Context, w *World, env []string, dir string) Evolution {
	b := behaviour.Behaviour{Name: "evolution", Settings: evolution.Settings}
	var ev protocol.Object
	ev.SetText("event_type", string(protocol.PreSession))
	ev.SetText("work_dir", dir)
	c := behaviour.NewCall(ctx, &b, w, env, ev)
	return Evolution{
		Dir: evolution.Dir(w.Data), Scope: scope.Of(dir, c.Settings.Of("scope").Text), Project: filepath.Base(c.Project()),
		Language: string(lang.Of(c.Settings.Of("language").Text, c.Getenv)), Account: evolution.AccountOf(c.Settings, w.Home), Settings: c.Settings,
	}
}
