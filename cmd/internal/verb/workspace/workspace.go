// Package workspace is the workspace command: a task as a tree of nodes, each of its
// operations a command, the tree drawn, and the page that shows it.
package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/desk"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is workspaces for people and for agents. The operations of
// package desk are commands as they are tools of the MCP server, from one table;
// each can be called by the name of its tool too.
func Command(sh *shell.Shell) *cli.Command {
	c := &cli.Command{
		Name: "workspace", Aliases: []string{"ws"}, Usage: "tasks as trees of nodes, with logs, problems and rules",
		Description: "A workspace is a goal, rules that hold, and a tree of planning and execution\n" +
			"nodes, in plain files of the project. A session of an agent is bound to one only\n" +
			"by: agents-hooks workspace session bind. Where one workspace is meant and none is\n" +
			"named, it is the one of the session, or the only active one of the project.\n\n" +
			"The hooks that use it are off until: agents-hooks enable workspace",
	}
	groups := map[string]*cli.Command{}
	var hidden []*cli.Command
	for _, op := range desk.Tools() {
		alias := workspaceVerb(sh, op, op.Name)
		alias.Hidden, alias.Aliases = true, []string{strings.ReplaceAll(op.Name, "_", "-")}
		hidden = append(hidden, alias)
		group, verb, ok := strings.Cut(op.Command, " ")
		if !ok {
			c.Subcommands = append(c.Subcommands, workspaceVerb(sh, op, op.Command))
			continue
		}
		if groups[group] == nil {
			groups[group] = &cli.Command{Name: group, Usage: workspaceGroups[group]}
			c.Subcommands = append(c.Subcommands, groups[group])
		}
		groups[group].Subcommands = append(groups[group].Subcommands, workspaceVerb(sh, op, verb))
	}
	transition, _ := desk.Find("node_transition")
	for _, action := range desk.Actions() {
		groups["node"].Subcommands = append(groups["node"].Subcommands, workspaceAction(sh, transition, action))
	}
	groups["import"].Subcommands = append(groups["import"].Subcommands, workspaceImport(sh))
	c.Subcommands = append(c.Subcommands, workspaceTree(sh), workspaceView(sh))
	c.Subcommands = append(c.Subcommands, hidden...)
	return c
}

var workspaceGroups = map[string]string{
	"node": "the nodes of the tree", "log": "what was done", "problem": "what holds work up",
	"context": "what is needed to work on a node", "memo": "drafts beside the tree",
	"session": "which session works on what", "dispatch": "hand nodes to subagents",
	"config": "what is set for all workspaces", "import": "take a specified change over",
	"capability": "what is worth finding out first",
}

var workspaceUsage = map[string]string{
	"workspace_init": "make a workspace", "workspace_list": "list workspaces", "workspace_get": "show a workspace whole",
	"workspace_delete": "delete a workspace with its files", "workspace_status": "show how far it is", "workspace_update_rules": "add, remove or replace rules",
	"workspace_archive": "put it into the archive", "workspace_restore": "bring it back from there",
	"node_create": "add a node", "node_get": "show a node whole", "node_list": "show the tree", "node_update": "change title, requirement, note, conclusion",
	"node_move": "hang it elsewhere", "node_delete": "delete it with all below", "node_transition": "start, submit, complete, fail, retry, reopen, cancel",
	"log_append": "note what was done", "problem_update": "note a problem and the next step", "problem_clear": "note that it is solved",
	"context_get": "goal, rules, the way to a node, references", "context_focus": "make a node the one that is worked on",
	"node_isolate": "cut it off from the nodes above", "node_reference": "tie documents, nodes and memos to it",
	"memo_create": "keep a draft", "memo_list": "list them", "memo_get": "show one", "memo_update": "change one", "memo_delete": "delete one",
	"session_bind": "bind a session to a workspace", "session_unbind": "take that back", "session_status": "what it is bound to, or could be",
	"get_pending_changes": "what people changed by hand", "node_dispatch": "start a node for a subagent", "node_dispatch_complete": "take what it brought",
	"dispatch_enable": "allow it", "dispatch_disable": "show what waits to come home", "dispatch_disable_execute": "bring it home, and end",
	"dispatch_cleanup": "remove branches that are left", "config_get": "show it", "config_set": "change it",
	"tanmi_help": "how workspaces are used", "tanmi_prompt": "texts for people, to be filled in",
	"workspace_import_guide": "what to read, and how to import", "workspace_import_list": "list what could be imported",
	"capability_list": "list it, by kind of task", "capability_select": "make nodes for what was chosen", "plugin_path": "where program and data are",
}

// workspaceVerb is one operation as a command.
func workspaceVerb(sh *shell.Shell, op desk.Tool, name string) *cli.Command {
	c := &cli.Command{Name: name, Usage: workspaceUsage[op.Name], Description: op.English}
	var names []string
	for _, w := range op.Words {
		a, _ := op.Arg(w)
		names = append(names, "["+strings.ToUpper(strings.TrimSuffix(a.Flag(), "-id"))+"]")
	}
	c.ArgsUsage = strings.Join(names, " ")
	c.BashComplete = shell.Arguments(positionalWords(sh, op, op.Words))
	for _, a := range op.Args {
		c.Flags = append(c.Flags, shell.Offer(workspaceFlag(a), words(sh, a)))
	}
	c.Flags = append(c.Flags, hookset.DirFlag(), shell.JSONFlag())
	c.Action = func(c *cli.Context) error { return workspaceCall(sh, c, op) }
	return c
}

// workspaceAction is one action on a node as a command of its own: node start ID.
func workspaceAction(sh *shell.Shell, op desk.Tool, action string) *cli.Command {
	op.Words = op.Words[:1]
	c := workspaceVerb(sh, op, action)
	c.Usage = "node transition with the action " + action
	c.Flags = slices.DeleteFunc(c.Flags, func(f cli.Flag) bool { return f.Names()[0] == "action" })
	c.Action = func(c *cli.Context) error {
		given, err := workspaceArgs(sh, c, op)
		if err != nil {
			return err
		}
		given.SetText("action", action)
		return workspaceDo(sh, c, op, given)
	}
	return c
}

// workspaceFlag is an argument of an operation as a flag: workspaceId is
// --workspace-id, --workspace, and --workspaceId for who knows the tool.
func workspaceFlag(a desk.Arg) cli.Flag {
	name := a.Flag()
	var aliases []string
	if short := strings.TrimSuffix(name, "-id"); short != name {
		aliases = append(aliases, short)
	}
	if name == "target-id-or-path" {
		aliases = append(aliases, "target")
	}
	if name != a.Name {
		aliases = append(aliases, a.Name)
	}
	help := a.English
	if a.Words != nil {
		help += " (" + strings.Join(a.Words, ", ") + ")"
	}
	switch a.Kind {
	case desk.Bool:
		return &cli.BoolFlag{Name: name, Aliases: aliases, Usage: help}
	case desk.Int:
		return &cli.IntFlag{Name: name, Aliases: aliases, Usage: help}
	case desk.Texts:
		return &cli.GenericFlag{Name: name, Aliases: aliases, Usage: help + "; repeats", Value: &shell.List{}}
	case desk.Docs:
		return &cli.GenericFlag{Name: name, Aliases: aliases, Usage: help + " (`PATH=TEXT`); repeats", Value: &shell.List{}}
	case desk.Cases:
		return &cli.GenericFlag{Name: name, Aliases: aliases, Usage: help + " (`WHEN=>THEN`); repeats", Value: &shell.List{}}
	case desk.Confirm:
		return &cli.StringFlag{Name: name, Aliases: aliases, Usage: help + " (`TOKEN=ANSWER`)"}
	case desk.Free:
		return &cli.GenericFlag{Name: name, Aliases: aliases, Usage: help + " (`NAME=TEXT`); repeats", Value: &shell.List{}}
	}
	return &cli.StringFlag{Name: name, Aliases: aliases, Usage: help}
}

// workspaceArgs are the arguments of an operation, from flags and words.
func workspaceArgs(sh *shell.Shell, c *cli.Context, op desk.Tool) (protocol.Object, error) {
	var out protocol.Object
	for _, a := range op.Args {
		if !c.IsSet(a.Flag()) {
			continue
		}
		raw, err := workspaceValue(sh, c, a)
		if err != nil {
			return nil, shell.Usagef("%s: --%s: %v", c.Command.Name, a.Flag(), err)
		}
		out.Set(a.Name, raw)
	}
	free := []string{}
	for _, w := range op.Words {
		if !out.Has(w) {
			free = append(free, w)
		}
	}
	what := "flags only"
	if len(free) > 0 {
		what = "at most " + strings.Join(free, ", ")
	}
	list, err := shell.Args(c, 0, len(free), what)
	for i, word := range list {
		if word == "-" {
			if word, err = stdinText(sh); err != nil {
				return nil, err
			}
		}
		out.SetText(free[i], word)
	}
	return out, err
}

func stdinText(sh *shell.Shell) (string, error) {
	b, err := shell.ReadAll(sh.In, 1<<20)
	if err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	return strings.TrimRight(string(b), "\n"), nil
}

func workspaceValue(sh *shell.Shell, c *cli.Context, a desk.Arg) (protocol.Raw, error) {
	name := a.Flag()
	switch a.Kind {
	case desk.Bool:
		return strconv.AppendBool(nil, c.Bool(name)), nil
	case desk.Int:
		return strconv.AppendInt(nil, int64(c.Int(name)), 10), nil
	case desk.Texts:
		return protocol.TextList(c.Generic(name).(*shell.List).List), nil
	case desk.Docs:
		return pairs(c.Generic(name).(*shell.List).List, "=", "path", "description")
	case desk.Cases:
		return pairs(c.Generic(name).(*shell.List).List, "=>", "when", "then")
	case desk.Free:
		return freeObject(c.Generic(name).(*shell.List).List)
	}
	text := c.String(name)
	if a.Kind == desk.Confirm {
		token, answer, ok := strings.Cut(text, "=")
		if !ok {
			return nil, errors.New("want TOKEN=ANSWER")
		}
		return protocol.Object{{Name: "token", Value: protocol.Quote(token)}, {Name: "userInput", Value: protocol.Quote(answer)}}.Raw(), nil
	}
	if text == "-" && a.Words == nil {
		var err error
		if text, err = stdinText(sh); err != nil {
			return nil, err
		}
	}
	return protocol.Quote(text), nil
}

// pairs reads values such as docs/a.md=what it is; one that is a JSON array is
// taken as it stands.
func pairs(list []string, mark, first, second string) (protocol.Raw, error) {
	if len(list) == 1 && strings.HasPrefix(strings.TrimSpace(list[0]), "[") {
		return protocol.Raw(strings.TrimSpace(list[0])), protocol.ValidValue([]byte(list[0]))
	}
	raw := protocol.Raw{'['}
	for i, item := range list {
		if i > 0 {
			raw = append(raw, ',')
		}
		a, b, _ := strings.Cut(item, mark)
		raw = protocol.Object{{Name: first, Value: protocol.Quote(strings.TrimSpace(a))}, {Name: second, Value: protocol.Quote(strings.TrimSpace(b))}}.Append(raw)
	}
	return append(raw, ']'), nil
}

// freeObject reads NAME=TEXT; a name that stands twice is a list.
func freeObject(list []string) (protocol.Raw, error) {
	if len(list) == 1 && strings.HasPrefix(strings.TrimSpace(list[0]), "{") {
		return protocol.Raw(strings.TrimSpace(list[0])), protocol.ValidValue([]byte(list[0]))
	}
	values := map[string][]string{}
	var o protocol.Object
	for _, item := range list {
		name, text, ok := strings.Cut(item, "=")
		if !ok {
			return nil, fmt.Errorf("%q: want NAME=TEXT", item)
		}
		if values[name] = append(values[name], text); len(values[name]) > 1 {
			o.Set(name, protocol.TextList(values[name]))
		} else {
			o.SetText(name, text)
		}
	}
	return o.Raw(), nil
}

// workspaceDesk is the desk of a command.
func workspaceDesk(sh *shell.Shell, c *cli.Context) (*desk.Desk, error) {
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return nil, err
	}
	project, root := discovery.FindProject(from, sh.Host.Home)
	if project != "" {
		root = project
	}
	env := append(sh.Host.Env[:len(sh.Host.Env):len(sh.Host.Env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	d, _ := builtinhooks.WorkspaceOf(c.Context, builtin.Standalone(sh.Host), env, from)
	d.Env = sh.Host.Env
	d.Session = sh.Host.Getenv("AGENTS_HOOKS_SESSION_ID")
	return d, nil
}

// workspaceCall does an operation and prints its answer.
func workspaceCall(sh *shell.Shell, c *cli.Context, op desk.Tool) error {
	given, err := workspaceArgs(sh, c, op)
	if err != nil {
		return err
	}
	return workspaceDo(sh, c, op, given)
}

func workspaceDo(sh *shell.Shell, c *cli.Context, op desk.Tool, given protocol.Object) error {
	d, err := workspaceDesk(sh, c)
	if err != nil {
		return err
	}
	if op.Name == "log_append" && !given.Has("operator") {
		given.SetText("operator", operator(sh))
	}
	if err := onlyWorkspace(sh, c, d, op, &given); err != nil {
		return err
	}
	if op.Name == "workspace_list" && !given.Has("cwd") {
		given.SetText("cwd", d.Project)
	}
	if strings.HasPrefix(op.Name, "workspace_import") && !given.Has("type") {
		given.SetText("type", "openspec")
	}
	answer, err := d.Call(c.Context, op.Name, given)
	return workspaceAnswer(sh, c, op, answer, err)
}

// operator is who writes into a log: a person at a terminal, or a program.
func operator(sh *shell.Shell) string {
	if shell.IsTerminal(sh.In) && shell.IsTerminal(sh.Out) {
		return workspace.Human
	}
	return workspace.AI
}

// onlyWorkspace adds the workspace that is meant where none is named: that of the
// session, or else the only active one here. What binds is never guessed (WS-1).
func onlyWorkspace(sh *shell.Shell, c *cli.Context, d *desk.Desk, op desk.Tool, given *protocol.Object) error {
	a, ok := op.Arg("workspaceId")
	if !ok || !a.Required || given.Has("workspaceId") || op.Name == "session_bind" {
		return nil
	}
	session := given.Text("sessionId")
	if session == "" {
		session = d.Session
	}
	if b, bound := d.Place.Binding(session, sh.Host.Now()); bound {
		given.SetText("workspaceId", b.Workspace)
		return nil
	}
	here := d.Place.At(d.Project)
	if len(here) == 1 {
		given.SetText("workspaceId", here[0].ID)
		return nil
	}
	hints := []string{"agents-hooks workspace list"}
	for _, e := range here {
		hints = append(hints, "--workspace-id "+e.ID+"  "+shell.Plain(e.Name))
	}
	if len(here) == 0 {
		return shell.WithHint(shell.Usagef("workspace: there is no active workspace here: want --workspace-id"), hints...)
	}
	return shell.WithHint(shell.Usagef("workspace: there are %d active workspaces here: want --workspace-id", len(here)), hints...)
}

// workspaceAnswer prints an answer, or what was refused.
func workspaceAnswer(sh *shell.Shell, c *cli.Context, op desk.Tool, answer protocol.Object, err error) error {
	var e *desk.Error
	if errors.As(err, &e) && c.Bool("json") {
		doc := map[string]any{"schema": 1, "error": map[string]string{"code": e.Code, "message": e.Message, "fix": e.Fix}}
		if err := sh.JSON(doc); err != nil {
			return err
		}
		return shell.ErrReported
	}
	if err != nil {
		return workspaceError(op, e, err)
	}
	if c.Bool("json") {
		return sh.JSON(json.RawMessage(append(protocol.Object{{Name: "schema", Value: protocol.Raw("1")}}, answer...).Raw()))
	}
	return printWorkspace(sh, op, answer)
}

// workspaceError is an error of the desk in the voice of the command line.
func workspaceError(op desk.Tool, e *desk.Error, err error) error {
	if e == nil {
		return fmt.Errorf("workspace %s: %w", op.Command, err)
	}
	out := fmt.Errorf("workspace %s: %s: %s", op.Command, e.Code, e.Message)
	if e.Code == "INVALID_PARAMS" {
		out = shell.Usagef("workspace %s: %s", op.Command, e.Message)
	}
	if e.Fix != "" {
		return shell.WithHint(out, e.Fix)
	}
	return out
}

// workspaceImport makes a workspace of a change; guide names this command.
func workspaceImport(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "make a workspace of a change", ArgsUsage: "PATH CHANGE",
		Description: "PATH is the folder of OpenSpec, CHANGE one of its changes. Each part of its\n" +
			"tasks.md becomes a planning node, each task a node below it.",
		Flags: []cli.Flag{&cli.StringFlag{Name: "project-root", Usage: "root of the project (`DIR`); default: the one here"}, hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			list, err := shell.Args(c, 2, 2, "the folder of OpenSpec and the name of a change")
			if err != nil {
				return err
			}
			d, err := workspaceDesk(sh, c)
			if err != nil {
				return err
			}
			path, err := sh.Abs(list[0])
			if err != nil {
				return err
			}
			root := d.Project
			if given := c.String("project-root"); given != "" {
				if root, err = sh.Abs(given); err != nil {
					return err
				}
			}
			answer, err := d.Import(path, list[1], root)
			return workspaceAnswer(sh, c, desk.Tool{Command: "import run"}, answer, err)
		},
	}
}
