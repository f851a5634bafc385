package workspace

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/plan"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// planMost is the longest plan.
const planMost = 4 << 20

// fromFlag is --from of commands that also take a plan.
func fromFlag() cli.Flag {
	return &cli.StringFlag{Name: "from", Usage: "make all nodes of a plan in Markdown or JSON (`FILE`; - is stdin)"}
}

// readPlan is the text of a plan.
func readPlan(sh *shell.Shell, file string) (string, error) {
	in := sh.In
	if file != "-" {
		path, err := sh.Abs(file)
		if err != nil {
			return "", err
		}
		f, err := os.Open(path)
		if err != nil {
			return "", shell.WithHint(fmt.Errorf("workspace: the plan: %w", err), "--from - reads it from stdin")
		}
		defer f.Close()
		in = f
	}
	b, err := shell.ReadAll(in, planMost)
	if err != nil {
		return "", fmt.Errorf("workspace: the plan: %w", err)
	}
	return string(b), nil
}

// createFrom makes the nodes of a plan: create --from, and node create --from.
func createFrom(ctx context.Context, sh *shell.Shell, p placeOptions, file string, given op.Object) error {
	text, err := readPlan(sh, file)
	if err != nil {
		return err
	}
	o := operation(sh, "plan_create")
	var args op.Object
	for _, m := range given {
		if _, ok := o.Arg(m.Name); ok {
			args.Set(m.Name, m.Value)
		}
	}
	args.SetText("plan", text)
	answer, err := do(ctx, sh, p, o, args)
	return tell(sh, o, p.json, answer, err)
}

// initFrom makes a workspace with the nodes of a plan, and with its name and goal unless others
// are given.
func initFrom(ctx context.Context, sh *shell.Shell, p placeOptions, file string, given op.Object) error {
	text, err := readPlan(sh, file)
	if err != nil {
		return err
	}
	o, create := operation(sh, "workspace_init"), operation(sh, "plan_create")
	read, err := plan.Parse([]byte(text), nil)
	if err != nil { // an unreadable plan makes nothing
		return refusedPlan(sh, p, create, err)
	}
	if !given.Has("name") && read.Name != "" {
		given.SetText("name", ops.NameOf(read.Name))
	}
	if !given.Has("goal") && (read.Goal != "" || given.Has("name")) {
		given.SetText("goal", cmp.Or(read.Goal, given.Text("name")))
	}
	answer, err := do(ctx, sh, p, o, given)
	if err != nil {
		return tell(sh, o, p.json, answer, err)
	}
	var args op.Object
	args.SetText("workspaceId", answer.Text("workspaceId"))
	args.SetText("plan", text)
	made, err := do(ctx, sh, p, create, args)
	if err != nil {
		return tell(sh, create, p.json, made, err)
	}
	all := op.Object{{Name: "workspaceId", Value: answer.Get("workspaceId")}, {Name: "path", Value: answer.Get("path")}}
	return tell(sh, create, p.json, append(all, made...), nil)
}

// refusedPlan reports a plan that cannot be read, as the operation does.
func refusedPlan(sh *shell.Shell, p placeOptions, create op.Op, err error) error {
	e := &op.Error{Code: "INVALID_PLAN", Message: err.Error()}
	if place, ok := err.(*plan.Error); ok {
		e.Fix = place.Fix
	}
	return tell(sh, create, p.json, nil, e)
}
