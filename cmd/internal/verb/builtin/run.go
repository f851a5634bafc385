package builtin

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func runCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "run a built-in hook: the event on stdin, the answer on stdout",
		ArgsUsage: "NAME",
		Hidden:    true,
		Action: func(c *cli.Context) error {
			words, err := shell.Args(c, 1, 1, "the name of a built-in hook")
			if err != nil {
				return err
			}
			return run(c.Context, sh.Host, words[0], sh.In, sh.Out, sh.Err)
		},
	}
}

// run runs a built-in hook for another runner, as a process that follows the format. A bug of
// ours exits with 1, never with the 2 of a Go panic, which would block.
func run(ctx context.Context, machine host.Host, name string, in io.Reader, out, errs io.Writer) (err error) {
	b, h, ok := machine.Behaviours().Find(name)
	if !ok {
		return shell.WithHint(fmt.Errorf("builtin run: no built-in hook %q", name), "agents-hooks builtin list")
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("builtin run: %s: internal error: %v", h.Name, p)
		}
	}()
	stdin, err := io.ReadAll(io.LimitReader(in, 64<<20))
	if err != nil {
		return fmt.Errorf("builtin run: the event cannot be read: %w", err)
	}
	ev, _ := protocol.ParseObject(stdin)
	dir := cmp.Or(ev.Text("work_dir"), machine.WorkDir)
	project, root := discovery.FindProject(dir, machine.Home)
	if _, off := builtin.Off(machine, b.Name, project, root); off {
		return nil
	}
	world, finish := waiting(builtin.Standalone(machine))
	defer finish(ctx)
	hooked, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	code := builtinhooks.Main(b, h, world)(hooked, hookEnv(machine, root), stdin, out, errs)
	if code == 0 {
		return nil
	}
	return shell.ExitCode(code)
}

// waiting makes a runtime whose hooks leave no process behind, since another runner decides
// what happens to its hooks. Work that ours would do in a detached process is started by finish
// instead, after the hook has answered, and waited for.
func waiting(w *builtinhooks.Runtime) (_ *builtinhooks.Runtime, finish func(context.Context)) {
	var later []func(context.Context)
	w.Detach = func(dir string, env []string, args ...string) error {
		later = append(later, func(ctx context.Context) {
			// Its output is not read, as with a detached process.
			_, _ = w.Tool(ctx, dir, env, nil, args...)
		})
		return nil
	}
	return w, func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, workerLimit)
		defer cancel()
		for _, work := range later {
			work(ctx)
		}
	}
}

// hookEnv is the environment of a built-in hook that another runner started, which may not set
// our variables.
func hookEnv(h host.Host, root string) []string {
	env := h.Env
	if h.Getenv("AGENTS_HOOKS_PROJECT_DIR") == "" {
		env = append(env[:len(env):len(env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	}
	return env
}
