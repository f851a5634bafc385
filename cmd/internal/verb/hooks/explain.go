package hooks

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func explainCommand(sh *shell.Shell) *cli.Command {
	row := operation(sh, "hooks_explain")
	c := opcli.Command(sh, row, row.Command, append(eventarg.Flags(),
		&cli.BoolFlag{Name: "last", Usage: "the last event of the log; --last N: the Nth last"},
		&cli.BoolFlag{Name: "blocked", Usage: "with --last: of those that were blocked"}, hookset.DirFlag(), shell.JSONFlag()), nil)
	c.Complete = shell.First(eventarg.Words)
	c.Description = "Takes an event from --input or stdin, in the format's own form or as an\n" +
		"agent sends it; with an EVENT such as pre-tool-call and no --input, a\n" +
		"sample of it. With --last [N] it is an event of the run log, of those that\n" +
		"--agent, --event and --blocked say. Runs nothing."
	c.Action = func(c *cli.Context) error { // the event may be in an agent's form
		o, err := readExplain(sh, c)
		if err != nil {
			return err
		}
		look := explain
		if o.last > 0 {
			look = explainLast
		}
		x, err := look(sh, o)
		if err != nil {
			return err
		}
		for _, p := range x.problems {
			sh.Problem(p)
		}
		if o.json {
			return sh.JSON(struct {
				*hookset.Explanation
				Last *loggedEvent `json:"last,omitempty"`
			}{x.Explanation, x.last})
		}
		printExplanation(sh, x)
		return nil
	}
	return c
}

type explainOptions struct {
	event protocol.EventType // "" for whatever is read
	input eventarg.Options
	from  string // the folder, if the event does not say where it happened
	moved bool   // --dir was given: it takes precedence over the event
	last  int    // which event of the log, counted from the end; 0: none of them
	of    runlog.Filter
	json  bool
}

func readExplain(sh *shell.Shell, c *cli.Context) (explainOptions, error) {
	o := explainOptions{input: eventarg.OptionsOf(c), moved: c.IsSet("dir"), json: c.Bool("json")}
	words, err := shell.Args(c, 0, 1, "at most one event")
	if err != nil {
		return o, err
	}
	if c.Bool("last") {
		if o.last, err = lastOf(words); err != nil {
			return o, err
		}
		if o.input.Given {
			return o, shell.Usagef("explain: --last and --input cannot be used together: each names an event")
		}
		if o.of, err = ofLog(c.Bool("blocked"), c.String("agent"), c.String("event")); err != nil {
			return o, err
		}
		words = nil
	} else if c.Bool("blocked") {
		return o, shell.WithHint(shell.Usagef("explain: --blocked needs --last: it picks an event from the log"), "agents-hooks explain --last --blocked")
	}
	if o.from, err = hookset.LookFrom(sh, c); err != nil {
		return o, err
	}
	if len(words) > 0 {
		if o.event = protocol.EventType(words[0]); !o.event.Known() {
			if words[0] == "last" {
				return o, shell.WithHint(shell.Usagef("explain: no such event: %q", words[0]), "agents-hooks explain --last")
			}
			if h := hookset.HookNamed(hookset.All(sh.Host, o.from), words[0]); h != nil && h.Trigger.Known() {
				return o, shell.WithHint(shell.Usagef("explain: no such event: %q, which is a hook's name", words[0]), "agents-hooks explain "+string(h.Trigger)+": what would run on its event", "agents-hooks log --hook "+words[0]+": what it did")
			}
			if strings.Contains(strings.TrimSpace(words[0]), " ") {
				return o, shell.WithHint(shell.Usagef("explain: no such event: %q", words[0]), "of a command: echo "+sh.Word(callOf(words[0]))+" | agents-hooks explain --input -")
			}
			return o, eventarg.Unknown("explain", words[0])
		}
	}
	return o, nil
}

// callOf is the event of a call that runs a command.
func callOf(command string) string {
	b, _ := json.Marshal(command) // of a text
	return `{"event_type": "pre-tool-call", "tool_name": "Shell", "tool_input": {"command": ` + string(b) + `}}`
}

// An explained event, with what would happen to it.
type explained struct {
	*hookset.Explanation
	event    *protocol.Event
	sample   bool
	last     *loggedEvent        // what the log says about it; nil if it is not from the log
	also     []string            // what else the same native event maps to
	problems []discovery.Problem // problems outside the hooks themselves
}

func explain(sh *shell.Shell, o explainOptions) (x explained, err error) {
	x.sample = o.event != "" && !o.input.Given
	if x.sample {
		x.event, err = sampleOf(sh.Host, o)
	} else {
		x.event, x.also, err = readEvent(sh, o)
	}
	if err != nil {
		return x, err
	}
	if x.event.WorkDir == "" || o.moved {
		x.event.WorkDir = o.from
	}
	set := hookset.OfEvent(sh.Host, x.event)
	x.problems, x.Explanation = set.Problems, hookset.Explain(set, x.event)
	doubt(sh.Host, set, x.Explanation.Hooks)
	return x, nil
}

// doubt adds to hooks that would run why that would come to nothing: an interpreter that is not
// here, a script that never refuses.
func doubt(h host.Host, set *discovery.Set, hooks []hookset.ExplainedHook) {
	for i := range hooks {
		for _, k := range set.Hooks {
			if !hooks[i].Runs || hooks[i].Detail != "" || k.Name != hooks[i].Name || k.Layer != hooks[i].Layer {
				continue
			}
			for _, p := range habits.Untrue(h, k) {
				hooks[i].Detail = p.Message
			}
		}
	}
}

// sampleOf is a sample of the event, in an agent's form if one is given.
func sampleOf(h host.Host, o explainOptions) (*protocol.Event, error) {
	ev, err := sample.Event(h, o.event, o.from)
	if err != nil || o.input.Agent == "" {
		return ev, err
	}
	d, err := agentarg.Lookup(o.input.Agent)
	if err != nil {
		return nil, err
	}
	there, ok := translate.Event(d, ev)
	if !ok {
		return nil, shell.WithHint(fmt.Errorf("explain: %s never happens on %s", ev.Type, d.Name), "agents-hooks agents "+d.ID)
	}
	return there, nil
}

// readEvent reads the event in question, and names the others that came with it.
func readEvent(sh *shell.Shell, o explainOptions) (ev *protocol.Event, also []string, err error) {
	events, err := o.input.Read(sh, string(o.event))
	if err != nil {
		return nil, nil, err
	}
	for _, e := range events {
		if ev == nil && (o.event == "" || e.Type == o.event) {
			ev = e
		} else {
			also = append(also, string(e.Type))
		}
	}
	if ev == nil {
		return nil, nil, fmt.Errorf("explain: the event is %s, not %s", strings.Join(also, ", "), o.event)
	}
	return ev, also, nil
}
