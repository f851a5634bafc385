package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func (t *tool) recordCommand() *cli.Command {
	about := func(name, usage, description string, action func(*cli.Context) error, flags ...cli.Flag) *cli.Command {
		flags = append(flags, &cli.StringFlag{Name: "project", Usage: "the project that `DIR` is in, not this one"}, jsonFlag())
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
			about("on", "begin to record the sessions of this project", "", t.recordOn),
			about("off", "stop; what was recorded stays", "", t.recordOff),
			about("status", "is it on, and what is there", "Names each recorded session, as replay takes it.", t.recordStatus),
			about("clear", "delete what was recorded", "", t.recordClear, &cli.BoolFlag{Name: "all", Usage: "of all projects"}),
		},
	}
}

func (t *tool) recordings() record.Store { return record.Store{State: t.host.State} }

// recordRoot is the root of the project that a record command is about.
func (t *tool) recordRoot(c *cli.Context) (string, error) {
	if _, err := args(c, 0, 0, "flags only"); err != nil {
		return "", err
	}
	dir := t.host.WorkDir
	if c.IsSet("project") {
		var err error
		if dir, err = t.abs(c.String("project")); err != nil {
			return "", err
		}
		if !isFolder(dir) {
			return "", usagef("record %s: --project: no folder %s", c.Command.Name, dir)
		}
	}
	_, root := discovery.FindProject(dir, t.host.Home)
	if root == "" {
		return "", fmt.Errorf("record %s: the working directory is gone; name a project with --project", c.Command.Name)
	}
	return root, nil
}

func (t *tool) recordOn(c *cli.Context) error {
	root, err := t.recordRoot(c)
	if err != nil {
		return err
	}
	if err := t.recordings().Start(root, t.host.Now()); err != nil {
		return fmt.Errorf("record on: %w", err)
	}
	return t.showRecording(c, root)
}

func (t *tool) recordOff(c *cli.Context) error {
	root, err := t.recordRoot(c)
	if err != nil {
		return err
	}
	if err := t.recordings().Stop(root); err != nil {
		return fmt.Errorf("record off: %w", err)
	}
	return t.showRecording(c, root)
}

func (t *tool) recordStatus(c *cli.Context) error {
	root, err := t.recordRoot(c)
	if err != nil {
		return err
	}
	return t.showRecording(c, root)
}

func (t *tool) recordClear(c *cli.Context) error {
	root, err := t.recordRoot(c)
	if err != nil {
		return err
	}
	roots := []string{root}
	if c.Bool("all") {
		if c.IsSet("project") {
			return usagef("record clear: --all and --project at once")
		}
		list, err := t.recordings().Projects()
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
		n, err := t.recordings().Clear(r)
		if err != nil {
			return fmt.Errorf("record clear: %w", err)
		}
		deleted += n
	}
	if !c.Bool("json") {
		t.printf("deleted: %s\n", count(deleted, "session"))
	}
	return t.showRecording(c, root)
}

// count is a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
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
func (t *tool) showRecording(c *cli.Context, root string) error {
	store := t.recordings()
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
		return t.json(struct {
			Schema int `json:"schema"`
			recordedProject
			Others []recordedProject `json:"others"`
			Limits recordLimits      `json:"limits"`
		}{1, recordedProjectOf(p), others, recordLimits{record.MaxLine, record.MaxText, record.MaxSession, record.MaxTotal}})
	}
	t.printRecording(p, all)
	return nil
}

func (t *tool) printRecording(p record.Project, all []record.Project) {
	word := "off"
	if p.On {
		word = t.paint(yellow, "on") + ", since " + p.Since.Local().Format(time.DateTime)
	}
	t.printf("recording of %s: %s\n", plain(t.short(p.Root)), word)
	for _, s := range p.Sessions {
		t.printf("  %s  %9s  %s\n", s.Last.Local().Format(time.DateTime), bytesText(s.Bytes), t.shown(s.Path))
	}
	for _, o := range all {
		if o.Root == p.Root || !o.On && len(o.Sessions) == 0 {
			continue
		}
		word := "off"
		if o.On {
			word = t.paint(yellow, "on")
		}
		t.printf("also %s: %s, %s, %s\n", plain(t.short(o.Root)), word, count(len(o.Sessions), "session"), bytesText(o.Bytes()))
	}
	switch {
	case p.On && len(p.Sessions) == 0:
		t.hints([]string{
			"each event of an agent in this project is kept from now on, in " + t.short(p.Dir),
			"agents-hooks record off stops it",
		})
	case p.On:
		t.hints([]string{"agents-hooks replay FILE plays one through the hooks that are there now", "agents-hooks record off stops it"})
	case len(p.Sessions) > 0:
		t.hints([]string{"agents-hooks replay FILE plays one through the hooks that are there now", "agents-hooks record clear deletes them"})
	default:
		t.hints([]string{"agents-hooks record on begins"})
	}
}

// bytesText is a size for a person.
func bytesText(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// recordingNote says that recording is on where list looks, "" if it is not:
// whoever asks what happens to an event should know.
func (t *tool) recordingNote(c *cli.Context, folders []string) string {
	dir, err := t.lookFrom(c)
	if err != nil || len(folders) > 0 {
		return ""
	}
	_, root := discovery.FindProject(dir, t.host.Home)
	if !t.recordings().On(root) {
		return ""
	}
	return "what agents send in " + t.short(root) + " is being recorded"
}

// recordedFiles completes the argument of replay.
func (t *tool) recordedFiles() []suggestion {
	_, root := discovery.FindProject(t.host.WorkDir, t.host.Home)
	p, err := t.recordings().Project(root)
	if err != nil {
		return nil
	}
	var list []suggestion
	for _, s := range p.Sessions {
		name := strings.TrimSuffix(filepath.Base(s.Path), ".jsonl")
		list = append(list, suggestion{s.Path, name + ", " + s.Last.Local().Format(time.DateTime)})
	}
	return list
}

// recording tells where events are being recorded.
func (d *doctor) recording() {
	all, err := d.recordings().Projects()
	if err != nil {
		d.add("record", checkWarn, "", "recordings cannot be read: %v", err)
		return
	}
	kept, size := 0, int64(0)
	for _, p := range all {
		kept += len(p.Sessions)
		size += p.Bytes()
		if p.On {
			d.add("record", checkWarn, "agents-hooks record off --project "+d.shown(p.Root), "what agents send in %s is being recorded, since %s: %s, %s",
				d.short(p.Root), p.Since.Local().Format(time.DateTime), count(len(p.Sessions), "session"), bytesText(p.Bytes()))
		}
	}
	if kept > 0 {
		d.add("record", checkOK, "", "recordings kept: %s, %s", count(kept, "session"), bytesText(size))
	}
}
