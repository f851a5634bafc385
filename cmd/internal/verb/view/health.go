package view

import (
	"context"
	_ "embed"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/checkup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

//go:embed health.js
var healthScript string

// An Examiner says how guards stand in a folder: the room of doctor does.
type Examiner func(ctx context.Context, sh *shell.Shell, dir string) (checkup.Health, error)

// healthEvery is how old an examination may be that a live page shows: it reads the
// settings of all agents, and says how long ago things happened.
const healthEvery = 30 * time.Second

// kept is an Examiner that answers what it said a moment ago.
func (look Examiner) kept() Examiner {
	var mu sync.Mutex
	var at time.Time
	var last checkup.Health
	return func(ctx context.Context, sh *shell.Shell, dir string) (checkup.Health, error) {
		mu.Lock()
		defer mu.Unlock()
		if !at.IsZero() && time.Since(at) < healthEvery {
			return last, nil
		}
		h, err := look(ctx, sh, dir)
		if err == nil {
			at, last = time.Now(), h
		}
		return h, err
	}
}

// seeHealth looks at which agents are here, whether guards hold in them, and what to
// do where they do not.
func seeHealth(ctx context.Context, sh *shell.Shell, l lookOptions) (page.Part, error) {
	doc := struct {
		Name    string          `json:"name"`
		Dir     string          `json:"dir"`
		Guards  checkup.Check   `json:"guards"`
		Agents  []checkup.Agent `json:"agents"`
		Machine []checkup.Check `json:"machine"`
	}{Name: "agents", Dir: sh.Short(l.dir), Agents: []checkup.Agent{}, Machine: []checkup.Check{}}
	h, err := l.examine(ctx, sh, l.dir)
	doc.Guards, doc.Agents, doc.Machine = h.Guards, append(doc.Agents, h.Agents...), append(doc.Machine, h.Machine...)
	return page.Part{Name: "agents", English: "Agents", Chinese: "智能体", Count: len(doc.Agents), Style: activityStyle + hooksStyle, Script: healthScript, Docs: []any{doc}}, err
}
