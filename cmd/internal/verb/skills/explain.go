package skills

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func explainCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "explain", Usage: "say when an agent gets prompts, and how well that works", ArgsUsage: "[SKILL[/PROMPT]...]",
		Complete: shell.Each(names(sh)),
		Flags: []cli.Flag{
			cli.Offer(&cli.StringSliceFlag{Name: "agent", Usage: "only for the agent `ID`; repeats"}, agentarg.Words),
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readExplain(sh, c)
			if err != nil {
				return err
			}
			catalog := list(sh, o.dir)
			prompts, err := explain(catalog, o)
			if err != nil {
				return err
			}
			return sh.Answer(o.json, map[string]any{"schema": 1, "enabled": catalog.On, "prompts": prompts}, func() { printPrompts(sh, prompts) })
		},
	}
}

type explainOptions struct {
	dir    string
	agents []*protocol.Dialect
	wanted []string // SKILL or SKILL/PROMPT; none: all
	json   bool
}

func readExplain(sh *shell.Shell, c *cli.Context) (o explainOptions, err error) {
	if o.dir, err = hookset.LookFrom(sh, c); err != nil {
		return o, err
	}
	if o.agents, err = agentarg.LookupAll(shell.SplitCommas(c.StringSlice("agent"))); len(o.agents) == 0 {
		o.agents = agentarg.Installable()
	}
	o.wanted, o.json = c.Args(), c.Bool("json")
	return o, err
}

// explain explains the requested prompts.
func explain(catalog ops.Catalog, o explainOptions) ([]explainedPrompt, error) {
	prompts := []explainedPrompt{}
	found := make([]bool, len(o.wanted))
	for _, s := range catalog.Skills {
		for _, h := range s.Hooks {
			wanted := len(o.wanted) == 0
			for i, word := range o.wanted {
				if word = strings.TrimSuffix(word, "/"); word == s.Name || word == s.Name+"/"+h.Name {
					found[i], wanted = true, true
				}
			}
			if wanted {
				prompts = append(prompts, explainPrompt(catalog, s, h, o.agents))
			}
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return nil, shell.WithHint(fmt.Errorf("skills explain: %q has no prompts here", o.wanted[i]), "agents-hooks skills list")
	}
	return prompts, nil
}

// An explainedPrompt is a prompt, with what happens to it in coding agents.
type explainedPrompt struct {
	ID     string `json:"id"`
	Layer  string `json:"layer"`
	Gives  bool   `json:"gives"`
	Detail string `json:"detail"` // why it is not given
	ops.Prompt
	Events   []protocol.EventType `json:"events"` // those that can carry it
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

// promptScope says for what a prompt is given once.
func promptScope(p ops.Prompt) string {
	scope := map[skills.Timing]string{
		skills.AfterUserInput: "a request of the user", skills.BeforePlanning: "a prompt in plan mode", skills.BeforeFirstAgent: "a turn",
		skills.BeforeEachAgent: "a step", skills.AfterToolCall: "the result of a tool",
	}[p.Timing]
	if p.Persistent {
		scope += ", and again after a compaction or a resume"
	}
	return scope
}

func explainPrompt(catalog ops.Catalog, s ops.Skill, h ops.Prompt, list []*protocol.Dialect) explainedPrompt {
	p := explainedPrompt{
		ID: s.Name + "/" + h.Name, Layer: s.Layer, Prompt: h, Events: promptEvents(h.Timing), Scope: promptScope(h), Text: h.Text,
		Gives: catalog.On && s.Status == ops.Ready, Detail: s.Detail, Fidelity: []agentFidelity{},
	}
	if !catalog.On && p.Detail == "" {
		p.Detail = "the prompts of skills are off: agents-hooks enable skills"
	}
	for _, d := range list {
		f := ops.FidelityAt(d, h.Timing)
		p.Fidelity = append(p.Fidelity, agentFidelity{d.ID, f.Fidelity, f.Detail})
	}
	return p
}

func printPrompts(sh *shell.Shell, prompts []explainedPrompt) {
	for i, p := range prompts {
		if i > 0 {
			sh.Printf("\n")
		}
		printPrompt(sh, p)
	}
	if len(prompts) == 0 {
		sh.Printf("no skill here has prompts\n")
	}
}

func printPrompt(sh *shell.Shell, p explainedPrompt) {
	sh.Printf("%s\n", sh.Paint(shell.Bold, shell.Plain(p.ID)))
	if p.Gives {
		sh.Printf("  is given    %s\n", shell.Plain(cmp.Or(p.Conditions(), "always")))
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
			sh.Printf("  %-11s %s\n", word, text.Wrap(strings.Join(names, ", "), sh.Columns()-14, strings.Repeat(" ", 14)))
		}
	}
	sh.Printf("  text        %s\n", shell.Plain(sh.Short(p.File)))
	for line := range strings.Lines(p.Text) {
		sh.Printf("    %s\n", shell.Plain(strings.TrimRight(line, "\n")))
	}
}
