package record

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/recorded"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func recordCommand(sh *shell.Shell) *cli.Command {
	about := func(name, usage, description string, action func(*cli.Context) error, flags ...cli.Flag) *cli.Command {
		flags = append(flags, shell.Offer(&cli.StringFlag{Name: "project", Usage: "the project that `DIR` is in, not this one"}, shell.Folders), shell.JSONFlag())
		return &cli.Command{Name: name, Usage: usage, Description: description, Flags: flags, Action: action}
	}
	return &cli.Command{
		Name:  "record",
		Usage: "keep what agents send and are told, for replay",
		Description: "Off until you say on, for one project at a time. What agents send in it\n" +
			"and what they are answered is then kept in your state directory, never in the\n" +
			"repository: prompts, commands, file contents. What looks like a secret is\n" +
			"blotted out first; look before you give a recording to anybody.",
		Subcommands: []*cli.Command{
			about("on", "begin to record the sessions of this project", "", func(c *cli.Context) error { return recordOn(sh, c) }),
			about("off", "stop; what was recorded stays", "", func(c *cli.Context) error { return recordOff(sh, c) }),
			about("status", "is it on, and what is there", "Names each recorded session, as replay takes it.", func(c *cli.Context) error { return recordStatus(sh, c) }),
			about("clear", "delete what was recorded", "", func(c *cli.Context) error { return recordClear(sh, c) }, &cli.BoolFlag{Name: "all", Usage: "of all projects"}),
		},
	}
}

// recordRoot is the root of the project that a record command is about.
func recordRoot(sh *shell.Shell, c *cli.Context) (string, error) {
	if _, err := shell.Args(c, 0, 0, "flags only"); err != nil {
		return "", err
	}
	dir := sh.Host.WorkDir
	if c.IsSet("project") {
		var err error
		if dir, err = sh.Abs(c.String("project")); err != nil {
			return "", err
		}
		if !shell.IsFolder(dir) {
			return "", shell.Usagef("record %s: --project: no folder %s", c.Command.Name, dir)
		}
	}
	_, root := discovery.FindProject(dir, sh.Host.Home)
	if root == "" {
		return "", fmt.Errorf("record %s: the working directory is gone; name a project with --project", c.Command.Name)
	}
	return root, nil
}

func recordOn(sh *shell.Shell, c *cli.Context) error {
	root, err := recordRoot(sh, c)
	if err != nil {
		return err
	}
	if err := recorded.Recordings(sh).Start(root, sh.Host.Now()); err != nil {
		return fmt.Errorf("record on: %w", err)
	}
	return showRecording(sh, c, root)
}

func recordOff(sh *shell.Shell, c *cli.Context) error {
	root, err := recordRoot(sh, c)
	if err != nil {
		return err
	}
	if err := recorded.Recordings(sh).Stop(root); err != nil {
		return fmt.Errorf("record off: %w", err)
	}
	return showRecording(sh, c, root)
}

func recordStatus(sh *shell.Shell, c *cli.Context) error {
	root, err := recordRoot(sh, c)
	if err != nil {
		return err
	}
	return showRecording(sh, c, root)
}

func recordClear(sh *shell.Shell, c *cli.Context) error {
	root, err := recordRoot(sh, c)
	if err != nil {
		return err
	}
	roots := []string{root}
	if c.Bool("all") {
		if c.IsSet("project") {
			return shell.Usagef("record clear: --all and --project at once")
		}
		list, err := recorded.Recordings(sh).Projects()
		if err != nil {
			return fmt.Errorf("record clear: %w", err)
		}
		roots = nil
		for _, p := range list {
			roots = append(roots, p.Root)
		}
	}
	deleted := 0
	for _, r := range roots {
		n, err := recorded.Recordings(sh).Clear(r)
		if err != nil {
			return fmt.Errorf("record clear: %w", err)
		}
		deleted += n
	}
	if !c.Bool("json") {
		sh.Printf("deleted: %s\n", shell.Count(deleted, "session"))
	}
	return showRecording(sh, c, root)
}

// A recordedProject is one project as record prints it.
type recordedProject struct {
	Project   string            `json:"project"`
	Recording bool              `json:"recording"`
	Since     string            `json:"since"` // ISO 8601, "" if it is off
	Dir       string            `json:"dir"`
	Bytes     int64             `json:"bytes"`
	Sessions  []recordedSession `json:"sessions"`
}

type recordedSession struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	Last  string `json:"last"` // when it was last written to
}

type recordLimits struct {
	Event   int `json:"event_bytes"`
	Text    int `json:"text_bytes"`
	Session int `json:"session_bytes"`
	Total   int `json:"total_bytes"`
}

func recordedProjectOf(p record.Project) recordedProject {
	r := recordedProject{Project: p.Root, Recording: p.On, Dir: p.Dir, Bytes: p.Bytes(), Sessions: []recordedSession{}}
	if !p.Since.IsZero() {
		r.Since = p.Since.UTC().Format(time.RFC3339)
	}
	for _, s := range p.Sessions {
		r.Sessions = append(r.Sessions, recordedSession{s.Path, s.Bytes, s.Last.UTC().Format(time.RFC3339)})
	}
	return r
}

// showRecording tells of one project, and of what is recorded elsewhere.
func showRecording(sh *shell.Shell, c *cli.Context, root string) error {
	store := recorded.Recordings(sh)
	p, err := store.Project(root)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	all, err := store.Projects()
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	others := []recordedProject{}
	for _, o := range all {
		if o.Root != root {
			others = append(others, recordedProjectOf(o))
		}
	}
	if c.Bool("json") {
		return sh.JSON(struct {
			Schema int `json:"schema"`
			recordedProject
			Others []recordedProject `json:"others"`
			Limits recordLimits      `json:"limits"`
		}{1, recordedProjectOf(p), others, recordLimits{record.MaxLine, record.MaxText, record.MaxSession, record.MaxTotal}})
	}
	printRecording(sh, p, all)
	return nil
}

func printRecording(sh *shell.Shell, p record.Project, all []record.Project) {
	word := "off"
	if p.On {
		word = sh.Paint(shell.Yellow, "on") + ", since " + p.Since.Local().Format(time.DateTime)
	}
	sh.Printf("recording of %s: %s\n", shell.Plain(sh.Short(p.Root)), word)
	for _, s := range p.Sessions {
		sh.Printf("  %s  %9s  %s\n", s.Last.Local().Format(time.DateTime), recorded.BytesText(s.Bytes), sh.Shown(s.Path))
	}
	for _, o := range all {
		if o.Root == p.Root || !o.On && len(o.Sessions) == 0 {
			continue
		}
		word := "off"
		if o.On {
			word = sh.Paint(shell.Yellow, "on")
		}
		sh.Printf("also %s: %s, %s, %s\n", shell.Plain(sh.Short(o.Root)), word, shell.Count(len(o.Sessions), "session"), recorded.BytesText(o.Bytes()))
	}
	switch {
	case p.On && len(p.Sessions) == 0:
		sh.Hints([]string{
			"each event of an agent in this project is kept from now on, in " + sh.Short(p.Dir),
			"agents-hooks record off stops it",
		})
	case p.On:
		sh.Hints([]string{"agents-hooks replay FILE plays one through the hooks that are there now", "agents-hooks record off stops it"})
	case len(p.Sessions) > 0:
		sh.Hints([]string{"agents-hooks replay FILE plays one through the hooks that are there now", "agents-hooks record clear deletes them"})
	default:
		sh.Hints([]string{"agents-hooks record on begins"})
	}
}
