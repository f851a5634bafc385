package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/texts"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// placeOptions say which folder a command is about, and how it answers.
type placeOptions struct {
	dir  string
	json bool
}

func readPlace(sh *shell.Shell, c *cli.Context) (o placeOptions, err error) {
	o.json = c.Bool("json")
	o.dir, err = hookset.LookFrom(sh, c)
	return o, err
}

func (o placeOptions) operator(sh *shell.Shell) *ops.Operator {
	call := builtin.Call(sh.Host, o.dir)
	call.Person = sh.Person()
	call.Session = sh.Host.Getenv("AGENTS_HOOKS_SESSION_ID")
	d := ops.At(builtin.Standalone(sh.Host), call)
	d.Commands = true
	return d
}

// do calls an operation, and fills in what a user need not type.
func do(ctx context.Context, sh *shell.Shell, p placeOptions, o op.Op, given op.Object) (op.Object, error) {
	d := p.operator(sh)
	if o.Name == "log_append" && !given.Has("operator") {
		given.SetText("operator", operator(d))
	}
	if err := onlyWorkspace(d, o, &given); err != nil {
		return nil, err
	}
	if o.Name == "workspace_list" && !given.Has("cwd") {
		given.SetText("cwd", d.Project)
	}
	if strings.HasPrefix(o.Name, "workspace_import") && !given.Has("type") {
		given.SetText("type", "openspec")
	}
	answer, err := d.Call(ctx, o.Name, given)
	if n := len(d.Place.Foreign.Waiting); n > 0 {
		sh.Say("not written on this machine, so no agent is told until you approve: %s of this workspace: agents-hooks trust, or agents-hooks workspace accept", text.Count(n, "text"))
	}
	return answer, err
}

// acceptCommand accepts what waits as the user's own.
func acceptCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "accept", Usage: "take what waits in the workspaces here as yours",
		Description: "What agents-hooks did not write on this machine is told to no agent before\n" +
			"you have looked at it: what others wrote, what you wrote by hand, what an\n" +
			"earlier version wrote, and what other programs write. This shows it, asks,\n" +
			"and takes it as your own. What others wrote is better let in by agents-hooks\n" +
			"trust: it is then told as the repository's.",
		Flags: texts.Flags(),
		Action: func(c *cli.Context) error {
			o, err := readPlace(sh, c)
			if err != nil {
				return err
			}
			items, err := o.operator(sh).Texts()
			if err != nil {
				return fmt.Errorf("workspace accept: %w", err)
			}
			return texts.Accept(sh, c, "workspace accept", items)
		},
	}
}

// operator is who writes into a log: the user at a terminal, or a program.
func operator(d *ops.Operator) string {
	if d.Person {
		return workspace.Human
	}
	return workspace.AI
}

// onlyWorkspace replaces a workspace's name by its id. If neither is given, it adds the id of the
// session's workspace, or else of the only active one here. Binding a session never guesses.
func onlyWorkspace(d *ops.Operator, o op.Op, given *op.Object) error {
	_, ok := o.Arg("workspaceId")
	if ok && given.Has("workspaceId") {
		id, err := d.Space(given.Text("workspaceId"))
		if err == nil {
			given.SetText("workspaceId", id)
		}
		return err
	}
	if !ok || o.Name == "session_bind" || o.Name == "get_pending_changes" {
		return nil
	}
	if b, bound := d.Place.Binding(cmp.Or(given.Text("sessionId"), d.Session), d.Now()); bound {
		given.SetText("workspaceId", b.Workspace)
		return nil
	}
	here := d.Place.At(d.Project)
	if here == nil { // opening an unreadable index gives a better error
		if _, err := d.Place.Index(); err != nil {
			return err
		}
	}
	if len(here) == 1 {
		given.SetText("workspaceId", here[0].ID)
		return nil
	}
	switch n := len(d.Place.StraysAt(d.Project)); {
	case len(here) == 0 && n > 0:
		return op.Fail(noWorkspace, "agents-hooks workspace adopt says what it waits for", "there is no active workspace here; %s in this project is not taken up yet", text.Count(n, "workspace"))
	case len(here) == 0:
		return op.Fail(noWorkspace, "agents-hooks workspace init NAME --goal TEXT makes one; workspace list --status all shows those that are archived or elsewhere", "there is no active workspace here")
	}
	var ids []string
	for _, e := range here {
		ids = append(ids, "--workspace-id "+e.ID+"  "+shell.Plain(e.Name))
	}
	return op.Fail(op.BadArgument, strings.Join(ids, "\n"), "there are %d active workspaces here: want --workspace-id", len(here))
}

const noWorkspace = "NO_WORKSPACE"

// tell prints an answer, or what was refused.
func tell(sh *shell.Shell, o op.Op, asJSON bool, answer op.Object, err error) error {
	var e *op.Error
	switch {
	case errors.As(err, &e) && asJSON:
		if err := sh.JSON(sh.ErrorDoc(e.Code, e.Message, []string{e.Fix})); err != nil {
			return err
		}
		if e.Usage() {
			return shell.ExitCode(shell.ExitUsage)
		}
		return shell.ErrReported
	case err != nil:
		return failed(o, e, err)
	case asJSON:
		return sh.JSON(json.RawMessage(append(op.Object{{Name: "schema", Value: protocol.Raw("1")}}, answer...).Raw()))
	}
	printAnswer(sh, o, answer)
	return nil
}

// failed turns an operator's error into one of the command line, unless it is one already.
func failed(o op.Op, e *op.Error, err error) error {
	var hinted shell.Hinted
	if e == nil && errors.As(err, &hinted) {
		return err
	}
	if e == nil {
		return fmt.Errorf("workspace %s: %w", o.Command, err)
	}
	out := fmt.Errorf("workspace %s: %s: %s", o.Command, e.Code, e.Message)
	if e.Usage() {
		out = shell.Usagef("workspace %s: %s", o.Command, e.Message)
	}
	if e.Fix != "" {
		return shell.WithHint(out, e.Fix)
	}
	return out
}

// importCommand makes a workspace from a change; guide names this command.
func importCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "make a workspace from another program's data", ArgsUsage: "PATH [PART]",
		Description: "PATH is a folder of OpenSpec, Backlog.md, beads, Task Master or an agent's own\n" +
			"tasks, or one of their files, or any Markdown list of tasks; what it is is seen\n" +
			"by itself. PART is a change of OpenSpec, or a tag of Task Master. Each group\n" +
			"becomes a planning node, each task a node below it, with its dependencies; what\n" +
			"is done there is done here. Nothing of theirs is changed.",
		Flags: []cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "type", Usage: "what it is, where that is not seen (`KIND`)"}, shell.Fixed(ops.ImportKinds()...)),
			&cli.StringFlag{Name: "project-root", Usage: "root of the project (`DIR`); default: the one here"}, hookset.DirFlag(), shell.JSONFlag(),
		},
		Complete: shell.First(shell.Files),
		Action: func(c *cli.Context) error {
			o, err := readImport(sh, c)
			if err != nil {
				return err
			}
			d := o.operator(sh)
			o.root = cmp.Or(o.root, d.Project)
			answer, err := d.Import(o.kind, o.path, o.part, o.root)
			return tell(sh, op.Op{Command: "import run"}, o.json, answer, err)
		},
	}
}

type importOptions struct {
	placeOptions
	kind, path, part string
	root             string // the project's, "" for the one here
}

func readImport(sh *shell.Shell, c *cli.Context) (o importOptions, err error) {
	list, err := shell.Args(c, 1, 2, "a folder or a file, and maybe the name of a change or tag")
	if err != nil {
		return o, err
	}
	if o.placeOptions, err = readPlace(sh, c); err != nil {
		return o, err
	}
	if o.path, err = sh.Abs(list[0]); err != nil {
		return o, err
	}
	if len(list) == 2 {
		o.part = list[1]
	}
	if o.kind = c.String("type"); o.kind != "" && !slices.Contains(ops.ImportKinds(), o.kind) {
		return o, shell.Usagef("workspace import run: --type %q: want one of %s", o.kind, strings.Join(ops.ImportKinds(), ", "))
	}
	if given := c.String("project-root"); given != "" {
		o.root, err = sh.Abs(given)
	}
	return o, err
}
