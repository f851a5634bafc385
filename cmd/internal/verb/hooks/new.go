package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func newCommand(sh *shell.Shell) *cli.Command {
	langs := langWords()
	return &cli.Command{
		Name:      "new",
		Usage:     "write the folder of a new hook",
		ArgsUsage: "NAME",
		Description: "Writes HOOK.md, an entry and tests. On an event that can be blocked the entry\n" +
			"is a guard: it refuses what the matcher found, or without one an example, and\n" +
			"what it cannot read. A folder that is there is never touched.",
		Flags: []cli.Flag{
			cli.Offer(&cli.StringFlag{Name: "trigger", Value: string(protocol.PreToolCall), Usage: "the `EVENT` it waits for"}, eventarg.Words),
			cli.Offer(&cli.StringFlag{Name: "tool", Usage: "`RE` that the name of the tool has to match"}, eventarg.ToolWords),
			&cli.StringFlag{Name: "pattern", Usage: "`RE` that a text of the input has to match"},
			&cli.StringFlag{Name: "command", Usage: "`RE` that a command it runs has to match"},
			&cli.StringFlag{Name: "path", Usage: "`RE` that the path of a file it changes has to match"},
			&cli.StringFlag{Name: "content", Usage: "`RE` that what it writes has to match"},
			&cli.StringFlag{Name: "description", Usage: "one `SENTENCE` for people"},
			cli.Offer(&cli.StringFlag{Name: "lang", Usage: "`LANG`: " + strings.Join(langs, ", ")}, shell.Fixed(langs...)),
			&cli.BoolFlag{Name: "user", Usage: "for you, in all projects (default)"},
			&cli.BoolFlag{Name: "project", Usage: "for everybody who works on this project"},
			cli.Offer(&cli.StringFlag{Name: "dir", Usage: "into the hooks folder `DIR`"}, shell.Folders),
		},
		Action: func(c *cli.Context) error {
			o, err := readNew(sh, c)
			if err != nil {
				return err
			}
			files, err := newHook(sh, o)
			if err != nil {
				return err
			}
			hook := hookset.HookAt(sh.Host, o.dir())
			for _, p := range append(hook.Problems, habits.Of(sh.Host, hook, false)...) {
				sh.Problem(p)
			}
			printNew(sh, o, files)
			return nil
		},
	}
}

type newOptions struct {
	skeleton
	lang    lang
	folder  string // the hooks folder that it goes into
	project bool   // whether that is the project's
}

func (o newOptions) dir() string { return filepath.Join(o.folder, o.Name) }

// readNew checks the request before anything is written.
func readNew(sh *shell.Shell, c *cli.Context) (o newOptions, err error) {
	words, err := shell.Args(c, 1, 1, "the name of the new hook")
	if err != nil {
		return o, err
	}
	o.project = c.Bool("project")
	o.skeleton = skeleton{
		Name: words[0], Description: shell.Plain(c.String("description")),
		Trigger: protocol.EventType(c.String("trigger")),
		Matcher: discovery.Matcher{Tool: c.String("tool"), Pattern: c.String("pattern"), Command: c.String("command"), Path: c.String("path"), Content: c.String("content")},
	}
	if err := o.complete(); err != nil {
		return o, err
	}
	if o.lang, err = langOf(sh.Host.GOOS, c.String("lang")); err != nil {
		return o, err
	}
	given := 0
	for _, flag := range []string{"user", "project", "dir"} {
		if c.IsSet(flag) {
			given++
		}
	}
	switch {
	case given > 1:
		return o, shell.Usagef("new: want at most one of --user, --project and --dir")
	case c.IsSet("dir"):
		o.folder, err = sh.Abs(c.String("dir"))
		return o, err
	case !o.project:
		o.folder = filepath.Join(sh.Host.Config, "hooks")
	case sh.Host.WorkDir == "":
		return o, fmt.Errorf("new: --project: %w", host.ErrGone)
	default:
		o.folder = filepath.Join(setup.Project(sh.Host), ".agents", "hooks")
	}
	return o, nil
}

// complete checks what the user gave for a new hook, and adds what is missing.
func (s *skeleton) complete() error {
	if !discovery.ValidName(s.Name) {
		err := shell.Usagef("new: %q cannot name a hook: want 1 to 64 small letters and digits, in groups joined by single hyphens", s.Name)
		if better := validName(s.Name); better != "" {
			return shell.WithHint(err, "agents-hooks new "+better)
		}
		return err
	}
	if !s.Trigger.Known() {
		return eventarg.Unknown("new", string(s.Trigger))
	}
	if s.Matcher != (discovery.Matcher{}) && !s.Trigger.IsTool() {
		return shell.Usagef("new: --%s is for the three tool events; %s has no tool", s.keys()[0].key, s.Trigger)
	}
	for _, k := range s.keys() {
		if strings.ContainsFunc(k.expression, unicode.IsControl) {
			return shell.Usagef("new: --%s %q contains a control character; write it as an escape, such as \\n", k.key, k.expression)
		}
		if wrong := expressionProblem(k.expression); wrong != "" {
			return shell.Usagef("new: --%s %q is not a regular expression: %s", k.key, k.expression, wrong)
		}
	}
	s.moment = momentOf(s.Trigger)
	if s.described = s.Description != ""; !s.described {
		s.Description = "Runs when " + s.When + "; say here what it is for"
	}
	if utf8.RuneCountInString(s.Description) > 1024 {
		return shell.Usagef("new: --description has more than 1024 characters")
	}
	return nil
}

// expressionProblem is the problem of a matcher that has this expression, "" if none.
func expressionProblem(expression string) string {
	h := discovery.Hook{Trigger: protocol.PreToolCall, Status: discovery.Ready, Matcher: discovery.Matcher{Pattern: expression}}
	ev := &protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Input: protocol.Object{{Name: "x", Value: protocol.Quote("x")}}}}
	h.Match(ev, &discovery.Budget{}, false)
	if h.Status != discovery.Broken || len(h.Problems) == 0 {
		return ""
	}
	return h.Problems[0].Message
}

// validName is the name that may have been meant, "" if nothing is left of it.
func validName(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	s := strings.Join(words, "-")
	if !discovery.ValidName(s) {
		return ""
	}
	return s
}

// newHook writes a new hook's folder, and returns its files.
func newHook(sh *shell.Shell, o newOptions) (files []newFile, err error) {
	files = o.files(sh.Host, o.lang)
	err = writeFolder(hookset.In(o.dir()), o.dir(), files)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, shell.WithHint(fmt.Errorf("new: %s exists already; nothing was written", sh.Short(o.dir())), "choose another name, or remove it first")
	case err != nil:
		return nil, fmt.Errorf("new: %w", err)
	}
	return files, nil
}

// writeFolder makes a folder that does not exist yet, completely or not at all.
func writeFolder(in *beneath.Root, dir string, list []newFile) (err error) {
	if err := in.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if err := in.Mkdir(dir, 0o755); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.RemoveAll(dir))
		}
	}()
	for _, f := range list {
		path := filepath.Join(dir, f.name)
		if err := in.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := in.Write(path, []byte(f.content), f.mode); err != nil {
			return err
		}
	}
	return nil
}

// printNew lists the files, and says what is left to do until the hook runs.
func printNew(sh *shell.Shell, o newOptions, files []newFile) {
	for _, f := range files {
		sh.Printf("%s\n", filepath.Join(o.dir(), f.name))
	}
	edit := "edit " + sh.Shown(filepath.Join(o.dir(), o.lang.entry(sh.Host.GOOS)))
	if !o.described {
		edit += " and say in HOOK.md what it is for"
	}
	steps := []string{
		edit,
		"agents-hooks test " + sh.Shown(o.dir()),
	}
	if !slices.ContainsFunc(files, func(f newFile) bool { return f.name == filepath.Join("tests", o.proof()) }) {
		steps = append(steps, "no call was made up that the matcher finds: write one into "+sh.Shown(filepath.Join(o.dir(), "tests", o.proof())))
	}
	if o.project {
		steps = append(steps, "agents-hooks trust")
	}
	sh.Hints(append(steps, "agents-hooks list shows whether it is ready"))
}
