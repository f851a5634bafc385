package hooks

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

func explainCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "explain",
		Usage:        "say what would run for an event, and why not the rest",
		ArgsUsage:    "[EVENT]",
		BashComplete: shell.Arguments(shell.First(hookset.Events)),
		Description: "Takes an event from --input or stdin, in the format's own form or as an\n" +
			"agent sends it; with an EVENT such as pre-tool-call and no --input, a\n" +
			"sample of it. Runs nothing.",
		Flags: []cli.Flag{
			shell.Offer(&cli.StringFlag{Name: "input", Usage: "the event, from `FILE` (- for stdin)"}, shell.Files),
			hookset.AgentFlag(), hookset.NativeFlag(), hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return explain(sh, c) },
	}
}

func explain(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 0, 1, "at most one event")
	if err != nil {
		return err
	}
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	name := ""
	if len(words) > 0 {
		name = words[0]
		if !protocol.EventType(name).Known() {
			return hookset.NoSuchEvent("explain", name)
		}
	}
	x := &hookset.Explanation{Schema: 1}
	if err := explainEvent(sh, c, x, name, from); err != nil {
		return err
	}
	src := sh.Host.Sources()
	if hookset.AgentForm(x.Ev) {
		// As the dispatcher does: an agent's environment grants no trust.
		src.TrustAlways = false
	}
	if x.Ev.WorkDir == "" || c.IsSet("dir") {
		x.Ev.WorkDir = from
	}
	set := hookset.Load(sh, src, x.Ev.WorkDir, !hookset.AgentForm(x.Ev))
	x.Fill(hookset.WithoutIdle(set))
	for _, p := range set.Problems {
		sh.Problem(p)
	}
	if c.Bool("json") {
		return sh.JSON(x)
	}
	printExplanation(sh, x, set)
	return nil
}

// explainEvent finds the event that is asked about.
func explainEvent(sh *shell.Shell, c *cli.Context, x *hookset.Explanation, name, from string) error {
	if name != "" && !c.IsSet("input") {
		x.Sample = true
		ev, err := hookset.SpecEvent(sh, hookset.Sample(sh, protocol.EventType(name), from))
		if err != nil {
			return err
		}
		x.Ev = ev
		return asAgent(sh, c, x)
	}
	events, err := hookset.ReadEvents(sh, c, name)
	if err != nil {
		return err
	}
	for _, ev := range events {
		if x.Ev == nil && (name == "" || string(ev.Type) == name) {
			x.Ev = ev
		} else {
			x.Also = append(x.Also, string(ev.Type))
		}
	}
	if x.Ev == nil {
		return fmt.Errorf("explain: the event is %s, not %s", strings.Join(x.Also, ", "), name)
	}
	return nil
}

// asAgent turns a sample into what an agent would send, where one is named.
func asAgent(sh *shell.Shell, c *cli.Context, x *hookset.Explanation) error {
	id := c.String("agent")
	if id == "" {
		return nil
	}
	d, ok := agents.Lookup(id)
	if !ok || d.Config == nil {
		var err error
		if d, err = hookset.LookupAgent(id); err != nil {
			return err
		}
	}
	ev, ok := hookset.EventFor(d, x.Ev)
	if !ok {
		return shell.WithHint(fmt.Errorf("explain: %s never happens on %s", x.Ev.Type, d.Name), "agents-hooks agents "+d.ID)
	}
	x.Ev = ev
	return nil
}
