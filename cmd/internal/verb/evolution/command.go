// Package evolution is the evolution command: what agents learn from failures. The operations
// of builtin-hooks/evolution/ops are commands here and tools of the MCP server; this package
// adds commands about other people's genes, and those that show something.
package evolution

import (
	"context"
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/tables"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the evolution command, for users and for agents.
func Command(sh *shell.Shell) *cli.Command {
	room := &cli.Command{
		Name: "evolution", Aliases: []string{"evolve"},
		Usage: "what agents learn from failures: genes, outcomes, suggestions",
		Description: "A gene is a way to solve a problem that was seen before: signals and steps.\n" +
			"Genes and their outcomes lie in a store of your own; no account is needed.\n" +
			"The hooks that use them are off until: agents-hooks enable evolution",
	}
	for _, o := range tables.Genes(builtin.Standalone(sh.Host)) {
		room.Subcommands = append(room.Subcommands, verb(sh, o))
	}
	room.Subcommands = append(room.Subcommands, syncCommand(sh), webLoadCommand(sh), webSaveCommand(sh), doctorCommand(sh), serveCommand(sh), viewCommand(sh))
	return room
}

// placeOptions say which folder a command is about, and how it answers.
type placeOptions struct {
	dir, scope string
	json       bool
}

func readPlace(sh *shell.Shell, c *cli.Context) (o placeOptions, err error) {
	o.scope, o.json = c.String("scope"), c.Bool("json")
	o.dir, err = hookset.LookFrom(sh, c)
	return o, err
}

// call is a call from that folder, by the agent that the command runs in.
func (o placeOptions) call(sh *shell.Shell) op.Call {
	call := builtin.Call(sh.Host, o.dir)
	call.Session, call.Agent = sh.Host.Getenv("AGENTS_HOOKS_SESSION_ID"), sh.Host.Getenv("AGENTS_HOOKS_AGENT")
	return call
}

// operator is the operator of a command: the user's store, the project's scope.
func (o placeOptions) operator(ctx context.Context, sh *shell.Shell) *ops.Operator {
	return tables.Evolution(ctx, builtin.Standalone(sh.Host), o.call(sh))
}

func (o placeOptions) place(sh *shell.Shell) ops.Place {
	p := ops.Find(builtin.Standalone(sh.Host), o.call(sh))
	if o.scope != "" {
		p.Scope = o.scope
	}
	return p
}

// flags are the flags of commands that are not operations.
func flags(more ...cli.Flag) []cli.Flag {
	return append(more, &cli.StringFlag{Name: "scope", Usage: "`NAME` under which the project learns; default: as the hooks do"}, hookset.DirFlag(), shell.JSONFlag())
}

// failed turns an operation's error into one of the command line.
func failed(verb string, err error) error {
	var fault *op.Fault
	var e *op.Error
	switch {
	case errors.As(err, &fault):
		return shell.Usagef("evolution %s: %s", verb, opcli.Fault(fault))
	case !errors.As(err, &e):
		return err
	case e.Cause != nil:
		return fmt.Errorf("evolution %s: %w", verb, e.Cause)
	}
	out := errors.New("evolution " + verb + ": " + e.Message)
	if e.Usage() {
		out = shell.Usagef("evolution %s: %s", verb, e.Message)
	}
	if e.Fix != "" {
		return shell.WithHint(out, e.Fix)
	}
	return out
}
