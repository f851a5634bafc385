package builtin

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func builtinCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "builtin",
		Usage: "show or export the hooks that come with the program",
		Subcommands: []*cli.Command{
			{
				Name:        "list",
				Usage:       "show the built-in hooks and which of them are on",
				Description: "enable NAME switches a behaviour on, disable NAME off; both with --project.",
				Flags:       []cli.Flag{hookset.DirFlag(), shell.JSONFlag()},
				Action:      func(c *cli.Context) error { return listBuiltin(sh, c) },
			},
			{
				Name:      "export",
				Usage:     "write a built-in hook as a folder for any runner",
				ArgsUsage: "NAME FOLDER",
				Description: "Writes FOLDER/NAME with a HOOK.md and a script that calls this program, so\n" +
					"that the hook works under every runner of the format. NAME is a hook, or a\n" +
					"behaviour for all of its hooks.",
				Flags:  []cli.Flag{shell.JSONFlag()},
				Action: func(c *cli.Context) error { return exportBuiltin(sh, c) },
			},
			{
				Name:      "run",
				Usage:     "be a built-in hook: the event on stdin, the answer on stdout",
				ArgsUsage: "NAME",
				Hidden:    true,
				Action:    func(c *cli.Context) error { return runBuiltin(sh, c) },
			},
			workerCommand(sh),
		},
	}
}

// A listedBuiltin is one behaviour of builtin list --json.
type listedBuiltin struct {
	Name    string           `json:"name"`
	Purpose string           `json:"purpose"`
	Enabled bool             `json:"enabled"`
	By      string           `json:"disabled_by"` // what switches it off, "" if nobody switched it on
	Hooks   []listedBehavior `json:"hooks"`
}

type listedBehavior struct {
	Name        string             `json:"name"`
	Description string             `json:"description"`
	Trigger     protocol.EventType `json:"trigger"`
	Timeout     int64              `json:"timeout_ms"`
	Priority    int                `json:"priority"`
	Status      discovery.Status   `json:"status"`
}

func listBuiltin(sh *shell.Shell, c *cli.Context) error {
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	set := hookset.All(sh.Host, from)
	rows := []listedBuiltin{}
	for _, b := range sh.Host.Behaviours() {
		row := listedBuiltin{Name: b.Name, Purpose: b.Purpose, Hooks: []listedBehavior{}}
		for _, h := range b.Hooks {
			l := listedBehavior{h.Name, h.Description, h.Trigger, h.Timeout.Milliseconds(), h.Priority, ""}
			for _, have := range set.Hooks {
				if have.Layer == discovery.BuiltinLayer && have.Name == h.Name {
					l.Status = have.Status
					row.Enabled = row.Enabled || have.Status != discovery.Disabled
					row.By = have.DisabledBy
				}
			}
			row.Hooks = append(row.Hooks, l)
		}
		if row.Enabled {
			row.By = ""
		}
		rows = append(rows, row)
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "behaviours": rows})
	}
	for _, row := range rows {
		state := "off: agents-hooks enable " + row.Name
		if row.By != "" {
			state = "off, by " + sh.Short(row.By)
		}
		if row.Enabled {
			state = "on"
		}
		sh.Printf("%s: %s (%s)\n", row.Name, row.Purpose, state)
		for _, h := range row.Hooks {
			sh.Printf("  %-22s %-20s %s\n", h.Name, h.Trigger, h.Status)
		}
	}
	return nil
}

func exportBuiltin(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 2, 2, "the name of a built-in hook, and a folder")
	if err != nil {
		return err
	}
	dir, err := sh.Abs(words[1])
	if err != nil {
		return err
	}
	bin := builtin.Program(sh.Host)
	folders := []string{}
	for _, b := range sh.Host.Behaviours() {
		for _, h := range b.Hooks {
			if words[0] != h.Name && words[0] != b.Name {
				continue
			}
			folder, err := builtinhooks.Export(&b, &h, dir, bin, builtinTest(&h))
			if err != nil {
				return fmt.Errorf("builtin export: %s: %w", h.Name, err)
			}
			folders = append(folders, folder)
		}
	}
	if len(folders) == 0 {
		err := fmt.Errorf("builtin export: no built-in hook %q", words[0])
		if near := shell.Nearest(words[0], builtinNames(sh.Host.Behaviours())); near != "" {
			return shell.WithHint(err, "agents-hooks builtin export "+near+" "+sh.Shown(dir))
		}
		return shell.WithHint(err, "agents-hooks builtin list")
	}
	if c.Bool("json") {
		return sh.JSON(map[string]any{"schema": 1, "folders": folders})
	}
	for _, f := range folders {
		sh.Printf("%s\n", sh.Shown(f))
	}
	return nil
}

// builtinTest is the first test of an exported hook: it lets an ordinary event
// pass, and has nothing to say in an empty project, unless a context is about to
// be lost.
func builtinTest(h *builtinhooks.Hook) string {
	ev := protocol.Sample(h.Trigger)
	ev.SetText("work_dir", "@PROJECT@")
	said := "empty"
	if h.Trigger == protocol.PreContextCompact {
		said = "any"
	}
	return "title: lets an ordinary event pass\n-- event.json --\n" + string(ev.Raw()) + "\n-- want --\nexit: 0\nstdout: " + said + "\n"
}

func builtinNames(list builtinhooks.List) []string {
	var names []string
	for _, b := range list {
		names = append(names, b.Name)
		for _, h := range b.Hooks {
			names = append(names, h.Name)
		}
	}
	return names
}

// runBuiltin is a built-in hook for another runner: a process with its contract.
// A bug of ours leaves with 1, never with the 2 of a Go panic, which would block.
func runBuiltin(sh *shell.Shell, c *cli.Context) (err error) {
	words, err := shell.Args(c, 1, 1, "the name of a built-in hook")
	if err != nil {
		return err
	}
	b, h, ok := sh.Host.Behaviours().Find(words[0])
	if !ok {
		return shell.WithHint(fmt.Errorf("builtin run: no built-in hook %q", words[0]), "agents-hooks builtin list")
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("builtin run: %s: internal error: %v", h.Name, p)
		}
	}()
	stdin, err := io.ReadAll(io.LimitReader(sh.In, 64<<20))
	if err != nil {
		return fmt.Errorf("builtin run: the event cannot be read: %w", err)
	}
	ev, _ := protocol.ParseObject(stdin)
	dir := ev.Text("work_dir")
	if dir == "" {
		dir = sh.Host.WorkDir
	}
	project, root := discovery.FindProject(dir, sh.Host.Home)
	if _, off := builtin.Off(sh.Host, b.Name, project, root); off {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.Context, h.Timeout)
	defer cancel()
	world := builtin.Standalone(sh.Host)
	// Another runner decides what becomes of its hooks: what ours would leave to
	// a process of its own is done here, and nothing is left behind.
	var later [][]string
	world.Detach = func(_ string, _ []string, args ...string) error {
		later = append(later, args)
		return nil
	}
	defer func() {
		for _, args := range later {
			sh.Again(args)
		}
	}()
	code := builtinhooks.Main(b, h, world)(ctx, hookEnv(sh, root), stdin, sh.Out, sh.Err)
	if code == 0 {
		return nil
	}
	return shell.ExitCode(code)
}

// hookEnv is the environment of a built-in hook that another runner started: it
// may not know what ours are told.
func hookEnv(sh *shell.Shell, root string) []string {
	env := sh.Host.Env
	if sh.Host.Getenv("AGENTS_HOOKS_PROJECT_DIR") == "" {
		env = append(env[:len(env):len(env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	}
	return env
}

// workerCommand is what built-in hooks start for what takes time: hidden, and
// bounded, because nobody waits for it.
func workerCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "worker", Hidden: true, Usage: "finish a session of memory", ArgsUsage: "memory",
		Flags: []cli.Flag{
			hookset.DirFlag(),
			&cli.StringFlag{Name: "session"}, &cli.StringFlag{Name: "reason"},
			&cli.Int64Flag{Name: "duration-ms"}, &cli.StringFlag{Name: "error"},
		},
		Action: func(c *cli.Context) error { return worker(sh, c) },
	}
}

// workerLimit is how long a worker may take.
const workerLimit = 2 * time.Minute

func worker(sh *shell.Shell, c *cli.Context) error {
	if _, err := shell.Args(c, 1, 1, "memory"); err != nil {
		return err
	}
	if c.Args().First() != "memory" {
		return shell.Usagef("builtin worker: no worker %q", c.Args().First())
	}
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context, workerLimit)
	defer cancel()
	return builtinhooks.EndSession(ctx, builtin.Standalone(sh.Host), hookEnv(sh, from), builtinhooks.SessionEnd{
		Dir: from, Session: c.String("session"), Reason: c.String("reason"), Error: c.String("error"), DurationMS: c.Int64("duration-ms"),
	}, func(place memory.Place) error {
		m := memoryops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, from))
		m.Dir = place.Dir
		_, err := m.Sync(ctx)
		return err
	})
}
