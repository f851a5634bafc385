package builtin

import (
	"context"
	"errors"
	"fmt"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// guarded runs a shell line as an agent would: the pre-tool-call hooks judge it
// first, and may change it. If they cannot be asked, it does not run.
func guarded(ctx context.Context, program, dir string, env []string, session, line string) (exit int, said string, err error) {
	if program == "" {
		return -1, "", errNoProgram
	}
	if line, err = judged(ctx, program, dir, env, session, line); err != nil {
		return -1, "", err
	}
	return runner.Line(ctx, line, dir, env, []string{program, runner.ShellVerb})
}

// judged is the line as the hooks leave it.
func judged(ctx context.Context, program, dir string, env []string, session, line string) (string, error) {
	var ev, input protocol.Object
	input.SetText("command", line)
	ev.SetText("event_type", string(protocol.PreToolCall))
	ev.SetText("session_id", session)
	ev.SetText("work_dir", dir)
	ev.SetText("tool_name", protocol.Shell)
	ev.Set("tool_input", input.Raw())
	out, err := runner.Output(ctx, []string{program, "run"}, dir, env, ev.Raw())
	if left, ok := errors.AsType[*runner.ExitError](err); ok && left.Code == 2 {
		return "", fmt.Errorf("a hook blocked it: %s", left.Said)
	}
	if err != nil {
		return "", fmt.Errorf("asking the hooks about it: %w", err)
	}
	answer, err := protocol.ParseAnswer(out)
	switch {
	case err != nil:
		return "", fmt.Errorf("asking the hooks about it: %w", err)
	case answer.Decision == protocol.Block || answer.Decision == protocol.Ask:
		return "", fmt.Errorf("a hook blocked it: %s", answer.Reason)
	}
	if changed := answer.ModifiedInput.Text("command"); changed != "" {
		line = changed
	}
	return line, nil
}
