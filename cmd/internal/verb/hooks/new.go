package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func newCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "new",
		Usage:     "write the folder of a new hook",
		ArgsUsage: "NAME",
		Description: "Writes HOOK.md and an entry that reads the event and allows everything, with\n" +
			"comments that say how to do more. A folder that is there is never touched.",
		Flags: []cli.Flag{
			shell.Offer(&cli.StringFlag{Name: "trigger", Value: string(protocol.PreToolCall), Usage: "the `EVENT` it waits for"}, hookset.Events),
			shell.Offer(&cli.StringFlag{Name: "tool", Usage: "`RE` that the name of the tool has to match"}, hookset.Tools),
			&cli.StringFlag{Name: "pattern", Usage: "`RE` that a text of the input has to match"},
			&cli.StringFlag{Name: "description", Usage: "one `SENTENCE` for people"},
			shell.Offer(&cli.StringFlag{Name: "lang", Usage: "`LANG`: " + strings.Join(langWords(), ", ")}, shell.Fixed(langWords()...)),
			&cli.BoolFlag{Name: "user", Usage: "for you, in all projects (default)"},
			&cli.BoolFlag{Name: "project", Usage: "for everybody who works on this project"},
			shell.Offer(&cli.StringFlag{Name: "dir", Usage: "into the hooks folder `DIR`"}, shell.Folders),
		},
		Action: func(c *cli.Context) error { return new(sh, c) },
	}
}

func new(sh *shell.Shell, c *cli.Context) error {
	words, err := shell.Args(c, 1, 1, "the name of the new hook")
	if err != nil {
		return err
	}
	n, err := newHookOf(c, words[0])
	if err != nil {
		return err
	}
	l, err := langOf(sh, c.String("lang"))
	if err != nil {
		return err
	}
	folder, err := newPlace(sh, c)
	if err != nil {
		return err
	}
	dir := filepath.Join(folder, n.Name)
	entry := filepath.Join("scripts", l.entry(sh.Host.GOOS))
	written := []writtenFile{
		{"HOOK.md", n.skeleton("HOOK.md"), 0o644},
		{entry, n.skeleton(string(l)), 0o755},
		{filepath.Join("tests", "first.txtar"), n.firstTest(), 0o644},
	}
	if err := writeFolder(dir, written); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return shell.WithHint(fmt.Errorf("new: %s exists already; nothing was written", sh.Short(dir)), "choose another name, or remove it first")
		}
		return fmt.Errorf("new: %w", err)
	}
	for _, f := range written {
		sh.Printf("%s\n", filepath.Join(dir, f.name))
	}
	nextSteps(sh, c, dir, entry)
	return nil
}

// newHookOf checks what was asked for, before anything is written.
func newHookOf(c *cli.Context, name string) (newHook, error) {
	n := newHook{Name: name, Trigger: protocol.EventType(c.String("trigger")), Tool: c.String("tool"), Pattern: c.String("pattern")}
	if !protocol.ValidName(name) {
		err := shell.Usagef("new: %q cannot name a hook: want 1 to 64 lower case letters and digits, in groups joined by single hyphens", name)
		if better := validName(name); better != "" {
			return n, shell.WithHint(err, "agents-hooks new "+better)
		}
		return n, err
	}
	if !n.Trigger.Known() {
		return n, hookset.NoSuchEvent("new", string(n.Trigger))
	}
	if (n.Tool != "" || n.Pattern != "") && !n.Trigger.IsTool() {
		return n, shell.Usagef("new: --tool and --pattern are for the three tool events; %s has no tool", n.Trigger)
	}
	for flag, re := range map[string]string{"--tool": n.Tool, "--pattern": n.Pattern} {
		if strings.ContainsFunc(re, unicode.IsControl) {
			return n, shell.Usagef("new: %s %q holds a control character; write it as an escape of the expression, such as \\n", flag, re)
		}
		if wrong := expressionProblem(re); wrong != "" {
			return n, shell.Usagef("new: %s %q is no regular expression: %s", flag, re, wrong)
		}
	}
	n.moment = momentOf(n.Trigger)
	n.Description = shell.Plain(c.String("description"))
	if n.Description == "" {
		n.Description = "Runs when " + n.When + "; say here what it is for"
	}
	if utf8.RuneCountInString(n.Description) > 1024 {
		return n, shell.Usagef("new: --description has more than 1024 characters")
	}
	return n, nil
}

// expressionProblem is what keeps an expression from being one, "" if nothing:
// what a matcher says that has it.
func expressionProblem(expression string) string {
	h := discovery.Hook{Trigger: protocol.PreToolCall, Status: discovery.Ready, Matcher: discovery.Matcher{Pattern: expression}}
	ev := &protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Input: protocol.Object{{Name: "x", Value: protocol.Quote("x")}}}}
	h.Match(ev, &discovery.Budget{}, false)
	if h.Status != discovery.Broken || len(h.Problems) == 0 {
		return ""
	}
	return h.Problems[0].Message
}

// validName is what a name may have been meant as, "" if nothing is left of it.
func validName(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r < '0' || r > '9' && r < 'a' || r > 'z'
	})
	s := strings.Join(words, "-")
	if !protocol.ValidName(s) {
		return ""
	}
	return s
}

func langOf(sh *shell.Shell, name string) (lang, error) {
	l := lang(name)
	if l == "" {
		if sh.Host.GOOS == "windows" {
			return "powershell", nil
		}
		return "sh", nil
	}
	for _, known := range langs() {
		if l != known {
			continue
		}
		if l.entry(sh.Host.GOOS) == "" {
			return "", shell.Usagef("new: --lang %s: Windows does not start it as an entry by itself; write scripts/run.cmd that does", l)
		}
		return l, nil
	}
	return "", shell.WithHint(shell.Usagef("new: no skeleton for --lang %q", name), "one of "+strings.Join(langWords(), ", ")+"; any executable scripts/run will do")
}

// newPlace is the hooks folder that a new hook goes into.
func newPlace(sh *shell.Shell, c *cli.Context) (string, error) {
	given := 0
	for _, flag := range []string{"user", "project", "dir"} {
		if c.IsSet(flag) {
			given++
		}
	}
	switch {
	case given > 1:
		return "", shell.Usagef("new: more than one of --user, --project and --dir")
	case c.IsSet("dir"):
		return sh.Abs(c.String("dir"))
	case c.Bool("project"):
		if sh.Host.WorkDir == "" {
			return "", errors.New("new: the working directory is gone; there is no project here")
		}
		return filepath.Join(setup.Project(sh), ".agents", "hooks"), nil
	}
	return filepath.Join(sh.Host.Config, "hooks"), nil
}

// nextSteps says what is left to do until the hook runs.
func nextSteps(sh *shell.Shell, c *cli.Context, dir, entry string) {
	steps := []string{
		"edit " + sh.Shown(filepath.Join(dir, entry)) + " and say in HOOK.md what it is for",
		"agents-hooks test " + sh.Shown(dir),
	}
	if c.Bool("project") {
		steps = append(steps, "agents-hooks trust")
	}
	sh.Hints(append(steps, "agents-hooks list shows whether it is ready"))
}

// A writtenFile is a file of a new folder.
type writtenFile struct {
	name    string
	content string
	mode    fs.FileMode
}

// writeFolder makes a folder that is not there yet, whole or not at all.
func writeFolder(dir string, list []writtenFile) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	for _, f := range list {
		path := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(f.content), f.mode); err != nil {
			return err
		}
	}
	return nil
}
