// Package memory is the memory command: saving, searching and editing what agents remember
// about a project. The requests of its hooks name save and summary, so these answer with JSON
// on one line. builtin-hooks/memory/ops does the work.
package memory

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the memory command, for users and for agents.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "memory",
		Usage: "what agents remember of a project: save, search, edit",
		Description: "Memory is plain files in the project (.agents/memory-data, or where the\n" +
			"original keeps them) and, with --user, in a folder of your own. The hooks\n" +
			"that use it are off until: agents-hooks enable memory",
		Subcommands: []*cli.Command{
			answers(saveCommand(sh)), answers(summaryCommand(sh)), answers(searchCommand(sh)), listCommand(sh), statsCommand(sh),
			acceptCommand(sh), answers(editCommand(sh)), answers(deleteCommand(sh)), answers(restoreCommand(sh)), answers(cleanupCommand(sh)),
			reviewCommand(sh), answers(confirmCommand(sh)), answers(promoteCommand(sh)), answers(mergeCommand(sh)), answers(separateCommand(sh)),
			shareCommand(sh), syncCommand(sh),
			exportCommand(sh), answers(importCommand(sh)), answers(distillCommand(sh)), answers(rebuildCommand(sh)), modelCommand(sh), doctorCommand(sh), configCommand(sh), viewCommand(sh),
		},
	}
}

// answers is a command that programs get one line of JSON from: also where what they typed cannot be read.
func answers(c *cli.Command) *cli.Command {
	c.AnswersJSON = true
	return c
}

// flags are the flags of most memory commands. Those that answer agents print JSON anyway, and
// accept --json so that nobody has to know which they are.
func flags(more ...cli.Flag) []cli.Flag {
	return ofProject(append(more, &cli.BoolFlag{Name: "user", Usage: "your own memory, for all projects"})...)
}

// ofProject are the flags of commands that mean the memory of a project only.
func ofProject(more ...cli.Flag) []cli.Flag {
	return append(more, hookset.DirFlag(), shell.JSONFlag())
}

// textFlag is that of commands that show something: search prints JSON where no person reads, and what
// is asked of one may be asked of all.
func textFlag() cli.Flag {
	return &cli.BoolFlag{Name: "text", Usage: "lines for people"}
}

func confirmFlag() cli.Flag {
	return &cli.BoolFlag{Name: "confirm", Usage: "do it, not only list it"}
}

// failed turns an error into one of the command line: a mistake in what was typed, or a
// failure.
func failed(command string, err error) error {
	var wrong *op.Wrong
	var unsure ops.Unconfirmed
	var refused store.Refused
	switch {
	case errors.As(err, &refused) && refused.Fix != "":
		return shell.WithHint(fmt.Errorf("memory %s: %s", command, refused.Reason), refused.Fix)
	case errors.As(err, &unsure):
		return shell.WithHint(shell.Usagef("memory %s: %v", command, unsure), "agents-hooks memory export > backup.json keeps a copy")
	case errors.As(err, &wrong):
		return opcli.Failed("memory "+command, err)
	case strings.HasPrefix(err.Error(), "memory "+command+": "): // from a question
		return err
	case errors.Is(err, store.ErrNoEntry):
		ids := "agents-hooks memory list -n 0 shows the ids"
		if command == "restore" {
			ids = "agents-hooks memory list --deleted -n 0 shows the ids"
		}
		return shell.WithHint(fmt.Errorf("memory %s: %w", command, err), ids)
	}
	return fmt.Errorf("memory %s: %w", command, err)
}

// answerPage answers that MEMORY.md was rewritten: users see what changed as lines.
func answerPage(sh *shell.Shell, command string, json bool, d store.Distilled, doc map[string]any, err error) error {
	if err != nil || json || !sh.Person() {
		doc["before"], doc["diff"] = d.Before, d.Changes
		return answer(sh, command, doc, err)
	}
	sh.Printf("%s", shell.PaintDiff(sh, d.Changes))
	switch undo, _ := doc["undo"].(string); {
	case d.Before != "":
		sh.Hints([]string{"agents-hooks memory restore " + d.Before + " brings the page before back"})
	case undo != "":
		sh.Hints([]string{undo + " undoes it"})
	}
	return nil
}

// answerWithPage is answer for a change of facts: it names the lines of MEMORY.md that no longer
// hold because of it.
func answerWithPage(sh *shell.Shell, command string, m ops.Memory, ids []string, doc map[string]any, err error) error {
	if err == nil && len(ids) > 0 {
		if lines, _ := m.Strays(ids); len(lines) > 0 { // it is done even if the page cannot be read
			doc["page"] = carried(sh, lines)
		}
	}
	return answer(sh, command, doc, err)
}

// carried are lines of MEMORY.md with their commands for the folder that is meant.
func carried(sh *shell.Shell, lines []store.PageLine) []store.PageLine {
	for _, l := range lines {
		for i, p := range l.Proposed {
			l.Proposed[i] = sh.Carried(p)
		}
	}
	return lines
}

// placeOptions say which memory is meant, and how to answer.
type placeOptions struct {
	dir              string
	session          string // whose project is meant, if no folder is named
	user, json, text bool
}

func readPlace(sh *shell.Shell, c *cli.Context) (o placeOptions, err error) {
	o.user, o.json, o.text = c.Bool("user"), c.Bool("json"), c.Bool("text")
	if o.json && o.text {
		return o, shell.Usagef("memory %s: --json and --text cannot be used together", c.Command.Name)
	}
	if o.user {
		sh.Carry("user", "--user")
	}
	if !c.IsSet("dir") {
		o.session = c.String("session")
	}
	o.dir, err = hookset.LookFrom(sh, c)
	return o, err
}

func (o placeOptions) memory(sh *shell.Shell) (ops.Memory, error) {
	call := builtin.Call(sh.Host, o.dir)
	call.Person = sh.Person()
	world := builtin.Standalone(sh.Host)
	m := ops.At(world, ops.OfSession(world, call, o.session))
	if o.user {
		return m.OfPerson()
	}
	return m, nil
}

// readMemory reads which memory is meant, and returns it.
func readMemory(sh *shell.Shell, c *cli.Context) (o placeOptions, m ops.Memory, err error) {
	if o, err = readPlace(sh, c); err == nil {
		m, err = o.memory(sh)
	}
	return o, m, err
}

// operation is a memory operation by its name.
func operation(sh *shell.Shell, name string) op.Op {
	o, _ := op.Find(ops.Ops(builtin.Standalone(sh.Host)), name)
	return o
}

// verb is an operation as a command; more are flags that it has besides.
func verb(sh *shell.Shell, name string, act func(*cli.Context, op.Call) error, more ...cli.Flag) *cli.Command {
	o := operation(sh, name)
	return opcli.Command(sh, o, o.Command, append(more, hookset.DirFlag(), shell.JSONFlag()), func(c *cli.Context, given op.Object) error {
		debug.SetGCPercent(patientPercent)
		return act(c, op.Call{Args: given})
	})
}

// patientPercent is how much garbage a command may make before it is collected, in percent of
// the memory in use: commands end within milliseconds, and collecting would take a tenth of
// that.
const patientPercent = 400

// document prints what a command found: on one line, but for a person, who reads it.
func document(sh *shell.Shell, doc any) error {
	if sh.Person() {
		return sh.JSON(doc)
	}
	return sh.Line(doc)
}

// answer prints one line of JSON for an agent. A refusal is also an answer, with exit 1; any
// other error says which command failed.
func answer(sh *shell.Shell, command string, doc map[string]any, err error) error {
	var refused store.Refused
	if errors.As(err, &refused) {
		doc = sh.ErrorDoc(shell.CodeFailed, refused.Reason, []string{cmp.Or(refused.Fix, "agents-hooks memory "+command+" --help says what it takes")})
		doc["status"], doc["reason"] = "error", refused.Error()
	} else if err != nil {
		return failed(command, err)
	}
	doc["schema"] = 1
	if bad := sh.Line(doc); bad != nil || err == nil {
		return bad
	}
	return shell.ErrReported
}
