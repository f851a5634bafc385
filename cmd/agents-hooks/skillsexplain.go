package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) skillsExplain() *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "say of prompts when an agent gets them, and how well that works", ArgsUsage: "[SKILL[/PROMPT]...]",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "agent", Usage: "only for the agent `ID`; repeats"},
			dirFlag(), jsonFlag(),
		},
		Action: t.explainSkills,
	}
}

// An explainedPrompt is one prompt and what becomes of it in coding agents.
type explainedPrompt struct {
	ID     string `json:"id"`
	Layer  string `json:"layer"`
	Gives  bool   `json:"gives"`
	Detail string `json:"detail"` // why it is not given
	listedPrompt
	Events   []protocol.EventType `json:"events"` // that can carry it
	Scope    string               `json:"scope"`
	Fidelity []agentFidelity      `json:"fidelity"`
	Text     string               `json:"text"`
}

type agentFidelity struct {
	Agent    string `json:"agent"`
	Fidelity string `json:"fidelity"`
	Detail   string `json:"detail"`
}

// promptEvents are the events that give the prompts of a timing.
func promptEvents(p skills.Timing) []protocol.EventType {
	switch p {
	case skills.AfterToolCall:
		return []protocol.EventType{protocol.PostToolCall, protocol.PostToolCallFailure}
	case skills.BeforeEachAgent:
		return []protocol.EventType{protocol.PreAgentTurn, protocol.PostToolCall, protocol.PostToolCallFailure}
	}
	return []protocol.EventType{protocol.PreAgentTurn}
}

// promptScope is in what a prompt is given once.
func promptScope(p listedPrompt) string {
	scope := map[skills.Timing]string{
		skills.AfterUserInput: "a request of the person", skills.BeforePlanning: "a prompt in plan mode", skills.BeforeFirstAgent: "a turn",
		skills.BeforeEachAgent: "a step", skills.AfterToolCall: "the result of a tool",
	}[p.Timing]
	if p.Persistent {
		scope += ", and again after a compaction or a resume"
	}
	return scope
}

func (t *tool) explainSkills(c *cli.Context) error {
	from, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	list, err := chosen(words2(c.StringSlice("agent")))
	if err != nil {
		return err
	}
	if len(list) == 0 {
		list = installable()
	}
	shelf := t.skillsFrom(from)
	prompts := []explainedPrompt{}
	asked := map[string]bool{}
	for _, word := range c.Args().Slice() {
		asked[strings.TrimSuffix(word, "/")] = false
	}
	for _, s := range shelf.skills {
		for _, h := range s.Hooks {
			id := s.Name + "/" + h.Name
			_, bySkill := asked[s.Name]
			_, byName := asked[id]
			if len(asked) > 0 && !bySkill && !byName {
				continue
			}
			for _, name := range []string{s.Name, id} {
				if _, is := asked[name]; is {
					asked[name] = true
				}
			}
			prompts = append(prompts, explainPrompt(shelf, s, h, list))
		}
	}
	for _, word := range c.Args().Slice() {
		if !asked[strings.TrimSuffix(word, "/")] {
			return withHint(fmt.Errorf("skills explain: no prompts of %q here", word), "agents-hooks skills list")
		}
	}
	if c.Bool("json") {
		return t.json(map[string]any{"schema": 1, "enabled": shelf.on, "prompts": prompts})
	}
	for i, p := range prompts {
		if i > 0 {
			t.printf("\n")
		}
		t.printExplainedPrompt(p)
	}
	if len(prompts) == 0 {
		t.printf("no skill here has prompts\n")
	}
	return nil
}

func explainPrompt(shelf skillShelf, s listedSkill, h listedPrompt, list []*protocol.Dialect) explainedPrompt {
	p := explainedPrompt{
		ID: s.Name + "/" + h.Name, Layer: s.Layer, listedPrompt: h, Events: promptEvents(h.Timing), Scope: promptScope(h), Text: h.text,
		Gives: shelf.on && s.Status == discovery.Ready, Detail: s.Detail, Fidelity: []agentFidelity{},
	}
	if !shelf.on && p.Detail == "" {
		p.Detail = "the prompts of skills are off: agents-hooks enable skills"
	}
	for _, d := range list {
		f := fidelityAt(d, h.Timing)
		p.Fidelity = append(p.Fidelity, agentFidelity{d.ID, f.Fidelity, f.Detail})
	}
	return p
}

func (t *tool) printExplainedPrompt(p explainedPrompt) {
	t.printf("%s\n", t.paint(bold, plain(p.ID)))
	if p.Gives {
		t.printf("  is given    %s\n", plain(orElse(p.conditions(), "always")))
	} else {
		t.printf("  %s   %s\n", t.paint(yellow, "not given"), plain(p.Detail))
		if cond := p.conditions(); cond != "" {
			t.printf("  else        %s\n", plain(cond))
		}
	}
	var events []string
	for _, e := range p.Events {
		events = append(events, string(e))
	}
	t.printf("  timing      %s, by %s\n", p.Timing, strings.Join(events, ", "))
	t.printf("  once for    %s\n", p.Scope)
	for _, word := range []string{"good", "approximate", "partial", "none"} {
		var names []string
		for _, f := range p.Fidelity {
			if f.Fidelity == word {
				names = append(names, f.Agent)
			}
		}
		if len(names) > 0 {
			t.printf("  %-11s %s\n", word, wrap(strings.Join(names, ", "), 65, strings.Repeat(" ", 14)))
		}
	}
	t.printf("  text        %s\n", plain(t.short(p.File)))
	for line := range strings.Lines(p.Text) {
		t.printf("    %s\n", plain(strings.TrimRight(line, "\n")))
	}
}
