package opcli

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/tables"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Groups adds a group for each behaviour that has operations but no group of its own
// yet.
func Groups(groups []shell.CommandGroup, behaviours builtinhooks.List) []shell.CommandGroup {
	for _, b := range behaviours {
		if b.Ops == nil || slices.ContainsFunc(groups, func(r shell.CommandGroup) bool { return slices.Contains(strings.Fields(r.Words), b.Name) }) {
			continue
		}
		groups = append(groups, shell.CommandGroup{Topic: shell.Behaviours, Words: b.Name, Command: func(sh *shell.Shell) *cli.Command {
			sets := tables.Of(builtinhooks.List{b}, builtin.Standalone(sh.Host))
			if len(sets) == 0 {
				return shell.Group()
			}
			return CommandGroup(sh, sets[0], b.Purpose)
		}})
	}
	return groups
}

// CommandGroup is a group with a command for each operation of a behaviour, or
// nothing if there is none. about is the help's description of the behaviour.
func CommandGroup(sh *shell.Shell, set op.Set, about string) *cli.Command {
	parent := &cli.Command{
		Name: set.Name, Usage: about,
		Description: "The hooks that use it are off until: agents-hooks enable " + set.Name,
	}
	groups := map[string]*cli.Command{}
	for _, o := range set.Ops {
		group, verb, deep := strings.Cut(o.Command, " ")
		switch {
		case o.Command == "":
			continue
		case !deep:
			group, verb = "", group
		case groups[group] == nil:
			groups[group] = &cli.Command{Name: group, Usage: group}
			parent.Subcommands = append(parent.Subcommands, groups[group])
		}
		c := Command(sh, o, verb, []cli.Flag{hookset.DirFlag(), shell.JSONFlag()}, func(c *cli.Context, given op.Object) error {
			from, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			call := builtin.Call(sh.Host, from)
			call.Session, call.Agent, call.Args = sh.Host.Getenv("AGENTS_HOOKS_SESSION_ID"), sh.Host.Getenv("AGENTS_HOOKS_AGENT"), given
			answer, err := o.Run(c.Context, call)
			if err != nil {
				return Failed(set.Name+" "+o.Command, err)
			}
			return printed(sh, answer, c.Bool("json"))
		})
		if deep {
			groups[group].Subcommands = append(groups[group].Subcommands, c)
		} else {
			parent.Subcommands = append(parent.Subcommands, c)
		}
	}
	if len(parent.Subcommands) == 0 {
		return shell.Group()
	}
	return parent
}

// Failed is an operation's error in the command line's words.
func Failed(command string, err error) error {
	var fault *op.Fault
	var wrong *op.Wrong
	var e *op.Error
	switch {
	case errors.As(err, &fault):
		return shell.Usagef("%s: %s", command, Fault(fault))
	case errors.As(err, &wrong):
		return shell.Usagef("%s: --%s %s: want %s", command, op.Kebab(wrong.Name), wrong.Value, wrong.Want)
	case !errors.As(err, &e):
		return fmt.Errorf("%s: %w", command, err)
	}
	out := fmt.Errorf("%s: %s", command, e.Message)
	if e.Usage() {
		out = shell.Usagef("%s: %s", command, e.Message)
	}
	if e.Fix != "" {
		return shell.WithHint(out, asCommands(e.Fix))
	}
	return out
}

// asCommands is a text in which the names of tools are replaced by commands.
func asCommands(text string) string {
	tool := regexp.MustCompile(`\b(memory|workspace|evolution|skills)_[a-z_]+\b`)
	return tool.ReplaceAllStringFunc(text, func(name string) string {
		return "agents-hooks " + op.Kebab(strings.Replace(name, "_", " ", 1))
	})
}

// Fault says for people what is wrong with an argument.
func Fault(f *op.Fault) string {
	switch {
	case f.Arg == nil:
		return f.Error()
	case f.Missing != nil:
		return fmt.Sprintf("%s is missing: %s", f.Name, f.Arg.Model.English)
	case f.Arg.Words != nil:
		return fmt.Sprintf("%s is %s: want %s", f.Name, f.Value, strings.Join(f.Arg.Words, ", "))
	}
	return fmt.Sprintf("%s is %.60s: want %s", f.Name, f.Value, f.Arg.Want())
}

// printed prints an answer that has no form of its own.
func printed(sh *shell.Shell, answer any, asJSON bool) error {
	raw, err := json.Marshal(answer)
	if o, ok := answer.(op.Object); ok {
		raw, err = o.Raw(), nil
	}
	if err != nil {
		return err
	}
	if asJSON {
		return sh.JSON(json.RawMessage(raw))
	}
	Print(sh, "", op.Raw(raw), "")
	return nil
}
