package main

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

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) newCommand() *cli.Command {
	return &cli.Command{
		Name:      "new",
		Usage:     "write the folder of a new hook",
		ArgsUsage: "NAME",
		Description: "Writes HOOK.md and an entry that reads the event and allows everything, with\n" +
			"comments that say how to do more. A folder that is there is never touched.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "trigger", Value: string(protocol.PreToolCall), Usage: "the `EVENT` it waits for"},
			&cli.StringFlag{Name: "tool", Usage: "`RE` that the name of the tool has to match"},
			&cli.StringFlag{Name: "pattern", Usage: "`RE` that a text of the input has to match"},
			&cli.StringFlag{Name: "description", Usage: "one `SENTENCE` for people"},
			&cli.StringFlag{Name: "lang", Usage: "`LANG`: " + strings.Join(langWords(), ", ")},
			&cli.BoolFlag{Name: "user", Usage: "for you, in all projects (default)"},
			&cli.BoolFlag{Name: "project", Usage: "for everybody who works on this project"},
			&cli.StringFlag{Name: "dir", Usage: "into the hooks folder `DIR`"},
		},
		Action: t.new,
	}
}

func (t *tool) new(c *cli.Context) error {
	words, err := args(c, 1, 1, "the name of the new hook")
	if err != nil {
		return err
	}
	n, err := newHookOf(c, words[0])
	if err != nil {
		return err
	}
	l, err := t.langOf(c.String("lang"))
	if err != nil {
		return err
	}
	folder, err := t.newPlace(c)
	if err != nil {
		return err
	}
	dir := filepath.Join(folder, n.Name)
	entry := filepath.Join("scripts", l.entry(t.host.GOOS))
	written := []writtenFile{
		{"HOOK.md", n.skeleton("HOOK.md"), 0o644},
		{entry, n.skeleton(string(l)), 0o755},
		{filepath.Join("tests", "first.txtar"), n.firstTest(), 0o644},
	}
	if err := writeFolder(dir, written); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return withHint(fmt.Errorf("new: %s exists already; nothing was written", t.short(dir)), "choose another name, or remove it first")
		}
		return fmt.Errorf("new: %w", err)
	}
	for _, f := range written {
		t.printf("%s\n", filepath.Join(dir, f.name))
	}
	t.nextSteps(c, dir, entry)
	return nil
}

// newHookOf checks what was asked for, before anything is written.
func newHookOf(c *cli.Context, name string) (newHook, error) {
	n := newHook{Name: name, Trigger: protocol.EventType(c.String("trigger")), Tool: c.String("tool"), Pattern: c.String("pattern")}
	if !protocol.ValidName(name) {
		err := usagef("new: %q cannot name a hook: want 1 to 64 lower case letters and digits, in groups joined by single hyphens", name)
		if better := validName(name); better != "" {
			return n, withHint(err, "agents-hooks new "+better)
		}
		return n, err
	}
	if !n.Trigger.Known() {
		return n, noSuchEvent("new", string(n.Trigger))
	}
	if (n.Tool != "" || n.Pattern != "") && !n.Trigger.IsTool() {
		return n, usagef("new: --tool and --pattern are for the three tool events; %s has no tool", n.Trigger)
	}
	for flag, re := range map[string]string{"--tool": n.Tool, "--pattern": n.Pattern} {
		if strings.ContainsFunc(re, unicode.IsControl) {
			return n, usagef("new: %s %q holds a control character; write it as an escape of the expression, such as \\n", flag, re)
		}
		if wrong := expressionProblem(re); wrong != "" {
			return n, usagef("new: %s %q is no regular expression: %s", flag, re, wrong)
		}
	}
	n.moment = momentOf(n.Trigger)
	n.Description = plain(c.String("description"))
	if n.Description == "" {
		n.Description = "Runs when " + n.When + "; say here what it is for"
	}
	if utf8.RuneCountInString(n.Description) > 1024 {
		return n, usagef("new: --description has more than 1024 characters")
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

// noSuchEvent is the answer to a word that is no event, with the nearest one.
func noSuchEvent(command, word string) error {
	var names []string
	for _, e := range protocol.EventTypes() {
		names = append(names, string(e))
	}
	err := usagef("%s: no such event: %q", command, word)
	if near := nearest(word, names); near != "" {
		return withHint(err, "did you mean "+near+"?", "agents-hooks spec lists the 13 events")
	}
	return withHint(err, "the events are "+strings.Join(names, ", "))
}

func (t *tool) langOf(name string) (lang, error) {
	l := lang(name)
	if l == "" {
		if t.host.GOOS == "windows" {
			return "powershell", nil
		}
		return "sh", nil
	}
	for _, known := range langs() {
		if l != known {
			continue
		}
		if l.entry(t.host.GOOS) == "" {
			return "", usagef("new: --lang %s: Windows does not start it as an entry by itself; write scripts/run.cmd that does", l)
		}
		return l, nil
	}
	return "", withHint(usagef("new: no skeleton for --lang %q", name), "one of "+strings.Join(langWords(), ", ")+"; any executable scripts/run will do")
}

// newPlace is the hooks folder that a new hook goes into.
func (t *tool) newPlace(c *cli.Context) (string, error) {
	given := 0
	for _, flag := range []string{"user", "project", "dir"} {
		if c.IsSet(flag) {
			given++
		}
	}
	switch {
	case given > 1:
		return "", usagef("new: more than one of --user, --project and --dir")
	case c.IsSet("dir"):
		return t.abs(c.String("dir"))
	case c.Bool("project"):
		if t.host.WorkDir == "" {
			return "", errors.New("new: the working directory is gone; there is no project here")
		}
		return filepath.Join(t.project(), ".agents", "hooks"), nil
	}
	return filepath.Join(t.host.Config, "hooks"), nil
}

// nextSteps says what is left to do until the hook runs.
func (t *tool) nextSteps(c *cli.Context, dir, entry string) {
	steps := []string{
		"edit " + t.shown(filepath.Join(dir, entry)) + " and say in HOOK.md what it is for",
		"agents-hooks test " + t.shown(dir),
	}
	if c.Bool("project") {
		steps = append(steps, "agents-hooks trust")
	}
	t.hints(append(steps, "agents-hooks list shows whether it is ready"))
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
