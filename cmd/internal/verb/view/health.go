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

// An Examiner says whether guards work, seen from a folder; doctor provides it.
type Examiner func(ctx context.Context, sh *shell.Shell, dir string) (checkup.Health, error)

// healthEvery is how old an examination on a live page may be: it reads the settings of all
// agents, and says how long ago things happened.
const healthEvery = 30 * time.Second

// kept is an Examiner that repeats its recent answer.
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

// seeHealth collects the agents here, whether guards work in them, and what to do if they do
// not.
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
