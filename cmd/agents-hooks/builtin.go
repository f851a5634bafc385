package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) builtinCommand() *cli.Command {
	return &cli.Command{
		Name:  "builtin",
		Usage: "show or export the hooks that come with the program",
		Subcommands: []*cli.Command{
			{
				Name:        "list",
				Usage:       "show the built-in hooks and which of them are on",
				Description: "enable NAME switches a behaviour on, disable NAME off; both with --project.",
				Flags:       []cli.Flag{dirFlag(), jsonFlag()},
				Action:      t.listBuiltin,
			},
			{
				Name:      "export",
				Usage:     "write a built-in hook as a folder for any runner",
				ArgsUsage: "NAME FOLDER",
				Description: "Writes FOLDER/NAME with a HOOK.md and a script that calls this program, so\n" +
					"that the hook works under every runner of the format. NAME is a hook, or a\n" +
					"behaviour for all of its hooks.",
				Flags:  []cli.Flag{jsonFlag()},
				Action: t.exportBuiltin,
			},
			{
				Name:      "run",
				Usage:     "be a built-in hook: the event on stdin, the answer on stdout",
				ArgsUsage: "NAME",
				Hidden:    true,
				Action:    t.runBuiltin,
			},
			t.workerCommand(),
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

func (t *tool) listBuiltin(c *cli.Context) error {
	from, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	set := t.all(from)
	rows := []listedBuiltin{}
	for _, b := range builtinhooks.Behaviours() {
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
		return t.json(map[string]any{"schema": 1, "behaviours": rows})
	}
	for _, row := range rows {
		state := "off: agents-hooks enable " + row.Name
		if row.By != "" {
			state = "off, by " + t.short(row.By)
		}
		if row.Enabled {
			state = "on"
		}
		t.printf("%s: %s (%s)\n", row.Name, row.Purpose, state)
		for _, h := range row.Hooks {
			t.printf("  %-22s %-20s %s\n", h.Name, h.Trigger, h.Status)
		}
	}
	return nil
}

func (t *tool) exportBuiltin(c *cli.Context) error {
	words, err := args(c, 2, 2, "the name of a built-in hook, and a folder")
	if err != nil {
		return err
	}
	dir, err := t.abs(words[1])
	if err != nil {
		return err
	}
	bin := builtin.Program(t.host)
	folders := []string{}
	for _, b := range builtinhooks.Behaviours() {
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
		if near := nearest(words[0], builtinNames()); near != "" {
			return withHint(err, "agents-hooks builtin export "+near+" "+t.shown(dir))
		}
		return withHint(err, "agents-hooks builtin list")
	}
	if c.Bool("json") {
		return t.json(map[string]any{"schema": 1, "folders": folders})
	}
	for _, f := range folders {
		t.printf("%s\n", t.shown(f))
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

func builtinNames() []string {
	var names []string
	for _, b := range builtinhooks.Behaviours() {
		names = append(names, b.Name)
		for _, h := range b.Hooks {
			names = append(names, h.Name)
		}
	}
	return names
}

// runBuiltin is a built-in hook for another runner: a process with its contract.
// A bug of ours leaves with 1, never with the 2 of a Go panic, which would block.
func (t *tool) runBuiltin(c *cli.Context) (err error) {
	words, err := args(c, 1, 1, "the name of a built-in hook")
	if err != nil {
		return err
	}
	b, h, ok := builtinhooks.Find(words[0])
	if !ok {
		return withHint(fmt.Errorf("builtin run: no built-in hook %q", words[0]), "agents-hooks builtin list")
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("builtin run: %s: internal error: %v", h.Name, p)
		}
	}()
	stdin, err := io.ReadAll(io.LimitReader(t.in, 64<<20))
	if err != nil {
		return fmt.Errorf("builtin run: the event cannot be read: %w", err)
	}
	ev, _ := protocol.ParseObject(stdin)
	dir := ev.Text("work_dir")
	if dir == "" {
		dir = t.host.WorkDir
	}
	project, root := discovery.FindProject(dir, t.host.Home)
	if _, off := builtin.Off(t.host, b.Name, project, root); off {
		return nil
	}
	ctx, cancel := context.WithTimeout(c.Context, h.Timeout)
	defer cancel()
	world := t.world()
	// Another runner decides what becomes of its hooks: what ours would leave to
	// a process of its own is done here, and nothing is left behind.
	var later [][]string
	world.Detach = func(_ string, _ []string, args ...string) error {
		later = append(later, args)
		return nil
	}
	defer func() {
		for _, args := range later {
			run(t.host, args, strings.NewReader(""), io.Discard, io.Discard)
		}
	}()
	code := builtinhooks.Main(b, h, world)(ctx, t.hookEnv(root), stdin, t.out, t.err)
	if code == 0 {
		return nil
	}
	return exitCode(code)
}

// hookEnv is the environment of a built-in hook that another runner started: it
// may not know what ours are told.
func (t *tool) hookEnv(root string) []string {
	env := t.host.Env
	if t.host.Getenv("AGENTS_HOOKS_PROJECT_DIR") == "" {
		env = append(env[:len(env):len(env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	}
	return env
}

// world is that of built-in hooks which run outside the dispatcher: their
// settings are read for the folder that they work in.
func (t *tool) world() *builtinhooks.World {
	src := t.host.Sources()
	w := builtin.World(t.host, t.host.State, builtin.Settings(src))
	w.Vouch = func(workDir, name, dir string) bool {
		return discovery.LoadEvent(src, protocol.PostSession, workDir).Vouches(name, dir)
	}
	return w
}

// workerCommand is what built-in hooks start for what takes time: hidden, and
// bounded, because nobody waits for it.
func (t *tool) workerCommand() *cli.Command {
	return &cli.Command{
		Name: "worker", Hidden: true, Usage: "finish a session of memory", ArgsUsage: "memory",
		Flags: []cli.Flag{
			dirFlag(),
			&cli.StringFlag{Name: "session"}, &cli.StringFlag{Name: "reason"},
			&cli.Int64Flag{Name: "duration-ms"}, &cli.StringFlag{Name: "error"},
		},
		Action: t.worker,
	}
}

// workerLimit is how long a worker may take.
const workerLimit = 2 * time.Minute

func (t *tool) worker(c *cli.Context) error {
	if _, err := args(c, 1, 1, "memory"); err != nil {
		return err
	}
	if c.Args().First() != "memory" {
		return usagef("builtin worker: no worker %q", c.Args().First())
	}
	from, err := t.lookFrom(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context, workerLimit)
	defer cancel()
	return builtinhooks.EndSession(ctx, t.world(), t.hookEnv(from), builtinhooks.SessionEnd{
		Dir: from, Session: c.String("session"), Reason: c.String("reason"), Error: c.String("error"), DurationMS: c.Int64("duration-ms"),
	}, func(place memory.Place) error {
		s, err := t.memoryOf(c)
		if err != nil {
			return err
		}
		s.Dir = place.Dir
		_, err = t.syncIndex(ctx, s)
		return err
	})
}
