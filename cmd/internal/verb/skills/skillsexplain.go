package skills

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/fidelity"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/skillset"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func skillsExplain(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "say of prompts when an agent gets them, and how well that works", ArgsUsage: "[SKILL[/PROMPT]...]",
		BashComplete: shell.Arguments(shell.Each(skillset.Names(sh))),
		Flags: []cli.Flag{
			shell.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "only for the agent `ID`; repeats"}, agentarg.Words),
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return explainSkills(sh, c) },
	}
}

// An explainedPrompt is one prompt and what becomes of it in coding agents.
type explainedPrompt struct {
	ID     string `json:"id"`
	Layer  string `json:"layer"`
	Gives  bool   `json:"gives"`
	Detail string `json:"detail"` // why it is not given
	skillset.ListedPrompt
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
func promptScope(p skillset.ListedPrompt) string {
	scope := map[skills.Timing]string{
		skills.AfterUserInput: "a request of the person", skills.BeforePlanning: "a prompt in plan mode", skills.BeforeFirstAgent: "a turn",
		skills.BeforeEachAgent: "a step", skills.AfterToolCall: "the result of a tool",
	}[p.Timing]
	if p.Persistent {
		scope += ", and again after a compaction or a resume"
	}
	return scope
}

func explainSkills(sh *shell.Shell, c *cli.Context) error {
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	list, err := agentarg.LookupAll(shell.SplitCommas(c.StringSlice("agent")))
	if err != nil {
		return err
	}
	if len(list) == 0 {
		list = agentarg.Installable()
	}
	shelf := skillset.SkillsFrom(sh, from)
	prompts := []explainedPrompt{}
	asked := map[string]bool{}
	for _, word := range c.Args().Slice() {
		asked[strings.TrimSuffix(word, "/")] = false
	}
	for _, s := range shelf.Skills {
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
			return shell.WithHint(fmt.Errorf("skills explain: no prompts of %q here", word), "agents-hooks skills list")
		}
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "enabled": shelf.On, "prompts": prompts})
	}
	for i, p := range prompts {
		if i > 0 {
			sh.Printf("\n")
		}
		printExplainedPrompt(sh, p)
	}
	if len(prompts) == 0 {
		sh.Printf("no skill here has prompts\n")
	}
	return nil
}

func explainPrompt(shelf skillset.SkillShelf, s skillset.ListedSkill, h skillset.ListedPrompt, list []*protocol.Dialect) explainedPrompt {
	p := explainedPrompt{
		ID: s.Name + "/" + h.Name, Layer: s.Layer, ListedPrompt: h, Events: promptEvents(h.Timing), Scope: promptScope(h), Text: h.Text,
		Gives: shelf.On && s.Status == discovery.Ready, Detail: s.Detail, Fidelity: []agentFidelity{},
	}
	if !shelf.On && p.Detail == "" {
		p.Detail = "the prompts of skills are off: agents-hooks enable skills"
	}
	for _, d := range list {
		f := fidelity.FidelityAt(d, h.Timing)
		p.Fidelity = append(p.Fidelity, agentFidelity{d.ID, f.Fidelity, f.Detail})
	}
	return p
}

func printExplainedPrompt(sh *shell.Shell, p explainedPrompt) {
	sh.Printf("%s\n", sh.Paint(shell.Bold, shell.Plain(p.ID)))
	if p.Gives {
		sh.Printf("  is given    %s\n", shell.Plain(setup.OrElse(p.Conditions(), "always")))
	} else {
		sh.Printf("  %s   %s\n", sh.Paint(shell.Yellow, "not given"), shell.Plain(p.Detail))
		if cond := p.Conditions(); cond != "" {
			sh.Printf("  else        %s\n", shell.Plain(cond))
		}
	}
	var events []string
	for _, e := range p.Events {
		events = append(events, string(e))
	}
	sh.Printf("  timing      %s, by %s\n", p.Timing, strings.Join(events, ", "))
	sh.Printf("  once for    %s\n", p.Scope)
	for _, word := range []string{"good", "approximate", "partial", "none"} {
		var names []string
		for _, f := range p.Fidelity {
			if f.Fidelity == word {
				names = append(names, f.Agent)
			}
		}
		if len(names) > 0 {
			sh.Printf("  %-11s %s\n", word, shell.Wrap(strings.Join(names, ", "), 65, strings.Repeat(" ", 14)))
		}
	}
	sh.Printf("  text        %s\n", shell.Plain(sh.Short(p.File)))
	for line := range strings.Lines(p.Text) {
		sh.Printf("    %s\n", shell.Plain(strings.TrimRight(line, "\n")))
	}
}
