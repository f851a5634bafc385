package view

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/team"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/page"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A hook is a row of list, as the page has it.
type hook struct {
	Name         string             `json:"name"`
	Description  string             `json:"description"`
	Layer        string             `json:"layer"`
	Dir          string             `json:"dir"`
	Trigger      protocol.EventType `json:"trigger"`
	Matcher      hookset.RowMatcher `json:"matcher"`
	Priority     int                `json:"priority"`
	Timeout      int64              `json:"timeout_ms"`
	Async        bool               `json:"async"`
	Status       discovery.Status   `json:"status"`
	Refused      string             `json:"refused"`
	Place        int                `json:"place"` // in the order of its event, 0 if it does not run
	OverriddenBy string             `json:"overridden_by"`
	DisabledBy   string             `json:"disabled_by"`
	Held         string             `json:"held_text"`
	IsHeld       bool               `json:"held"`
	Sandbox      *hookset.Sandbox   `json:"sandbox"`
	Dialect      string             `json:"dialect"`
	Runs         string             `json:"runs"`
	MayAllow     bool               `json:"may_allow"`
	Problems     []string           `json:"problems"`
}

// seeHooks collects the hooks that apply, in the order of their events.
func seeHooks(sh *shell.Shell, l lookOptions) page.Part {
	set := hookset.Set(sh.Host, l.dir)
	for _, h := range set.Hooks {
		h.Problems = append(h.Problems, habits.Untrue(sh.Host, h)...)
	}
	doc := struct {
		Name     string   `json:"name"`
		Dir      string   `json:"dir"`
		Hooks    []hook   `json:"hooks"`
		Problems []string `json:"problems"`
	}{"hooks", sh.Short(l.dir), []hook{}, []string{}}
	rows := hookset.Rows(set.Hooks)
	for _, e := range append(protocol.EventTypes(), "") {
		place := 0
		for _, r := range rows {
			if r.Trigger != e && (e != "" || r.Trigger.Known()) {
				continue
			}
			h := hookOf(sh, r)
			if r.Status == discovery.Ready {
				place++
				h.Place = place
			}
			doc.Hooks = append(doc.Hooks, h)
		}
	}
	for _, p := range append(set.Problems, team.Disabled(sh.Host, l.dir, set)...) {
		doc.Problems = append(doc.Problems, sh.ProblemText(p))
	}
	return page.Part{Name: "hooks", English: "Hooks", Chinese: "钩子", Count: len(doc.Hooks), Style: activityStyle + hooksStyle, Script: hooksScript, Docs: []any{doc}}
}

func hookOf(sh *shell.Shell, r hookset.Row) hook {
	h := hook{
		Name: r.Name, Description: r.Description, Layer: string(r.Layer), Dir: sh.Short(r.Dir), Trigger: r.Trigger, Matcher: r.Matcher, Priority: r.Priority, Timeout: r.Timeout,
		Async: r.Async, Status: r.Status, Refused: r.Refused, OverriddenBy: sh.Tidy(r.OverriddenBy), DisabledBy: sh.Tidy(r.DisabledBy), Sandbox: r.Sandbox, Dialect: r.Dialect, MayAllow: r.MayAllow,
		Problems: []string{},
	}
	if r.Held != nil {
		h.IsHeld, h.Held = true, sh.Tidy(r.Held.Text())
	}
	if r.Command.Given() {
		h.Runs = sh.Tidy(r.Command.String())
	}
	for _, p := range r.Problems {
		h.Problems = append(h.Problems, sh.ProblemText(p))
	}
	return h
}
