package ops

import (
	"context"
	"math/rand/v2"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/scope"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// A Place is evolution as seen from where something is done: what its hooks know there.
type Place struct {
	Dir      string // for genes, journals, the queue
	Scope    string // the name under which the project learns
	Project  string // the name of its folder
	Language string // en, zh
	Account  evolution.Account
	Settings setting.Values
}

// Find is the place of a call.
func Find(w *behaviour.Runtime, c op.Call) Place {
	set := setting.Reader{Behaviour: "evolution", Table: evolution.Settings(), Files: w.Settings}.For(c.Dir, c.Env)
	return Place{
		Dir: evolution.Dir(w.Data), Scope: scope.Of(c.Dir, set.Of("scope").Text), Project: filepath.Base(c.Project),
		Language: string(locale.Of(set.Of("language").Text, c.Getenv)), Account: evolution.AccountOf(set, w.Home), Settings: set,
	}
}

// At is the operator for a call. Its Remember is left nil.
func At(w *behaviour.Runtime, c op.Call) *Operator {
	p := Find(w, c)
	d := &Operator{
		Dir: p.Dir, Now: w.Now, Creativity: p.Settings.Of("creativity").Number, Scope: p.Scope, Project: p.Project,
		HoldOut: p.Settings.Of("hold_out").Bool, Session: c.Session, Agent: c.Agent, Language: p.Language,
		Signals: func(text string) (out []string) {
			for _, k := range signal.Of("", text) {
				out = append(out, string(k))
			}
			return out
		},
	}
	if p.Settings.Of("selector").Text != "greedy" {
		d.Random = rand.New(rand.NewPCG(w.Random(), w.Random()))
	}
	return d
}

// offer lists possible values of an argument, from the source that its declaration
// names. It does not create a store.
func (d *Operator) offer(from string) (list []op.Word) {
	ctx := context.Background()
	if from != genes || !store.Exists(d.Dir) {
		return nil
	}
	s, err := store.Open(ctx, d.Dir)
	if err != nil {
		return nil
	}
	defer s.Close()
	rows, err := s.List(ctx, store.Filter{})
	if err != nil {
		return nil
	}
	for i := range rows {
		list = append(list, op.Word{Word: rows[i].ID, Text: rows[i].In(d.Language).Title})
	}
	return list
}
