package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A HookTest is the result of one of a hook's own tests.
type HookTest struct {
	ID     string
	Title  string
	Result string   // Passed, Failed, Skipped, Broken
	Detail []string // what was not as wanted, or why it was not played
	Events []HookEvent
}

// A HookEvent is one event of a test, and what became of a hook on it.
type HookEvent struct {
	Event    []byte // as it was sent
	Ran      bool
	Result   string // the hook's verdict by the run log, "" if it did not run
	Exit     int
	Decision string // about the event
}

// PlayHookTests plays the cases of a hook through the program, and reads in the
// log of its runs what became of the hook of that name.
func PlayHookTests(ctx context.Context, program, hook string, cases []Case) ([]HookTest, error) {
	if len(cases) == 0 {
		return nil, nil
	}
	r, err := Run(ctx, Subject{Name: "agents-hooks", Run: []string{program, "run"}}, cases, Options{logged: true})
	if err != nil {
		return nil, err
	}
	var tests []HookTest
	for i := range r.Cases {
		c := &r.Cases[i]
		t := HookTest{ID: c.ID, Title: c.Title, Result: c.Result}
		if c.Reason != "" {
			t.Detail = append(t.Detail, c.Reason)
		}
		for _, p := range c.Problems {
			t.Detail = append(t.Detail, fmt.Sprintf("%s: wanted %s, got %s", p.What, p.Want, p.Got))
		}
		for _, played := range c.played {
			t.Events = append(t.Events, played.of(hook))
		}
		tests = append(tests, t)
	}
	return tests, nil
}

// A played event is what was sent in a step, and what the run log says of it.
type played struct {
	stdin []byte
	log   []string
}

// of is what became of a hook.
func (p played) of(hook string) HookEvent {
	ev := HookEvent{Event: p.stdin}
	for _, line := range p.log {
		var l struct {
			Decision string
			Hooks    []struct {
				Name, Result string
				Exit         int
			}
		}
		if json.Unmarshal([]byte(line), &l) != nil {
			continue
		}
		for _, h := range l.Hooks {
			if h.Name == hook {
				ev.Ran, ev.Result, ev.Exit, ev.Decision = true, h.Result, h.Exit, l.Decision
			}
		}
	}
	return ev
}

// Plant makes the tree of a case below a directory that is new, and returns its
// events as they would be sent there.
func (c *Case) Plant(root string) (events [][]byte, err error) {
	p := place{root: root}
	if err := p.plant(c); err != nil {
		return nil, err
	}
	for _, s := range c.Steps {
		events = append(events, []byte(p.expand(string(s.Stdin), insideJSON)))
	}
	return events, nil
}

// testsFolder is where a hook keeps its own cases.
const testsFolder = "tests"

// HookTests reads the cases in a hook's folder. Their form is that of the suite, except
// for the header, which needs only a title: the hook is this one, in the user's layer,
// and the profile is runner.
func HookTests(dir string) ([]Case, error) {
	names, err := filepath.Glob(filepath.Join(dir, testsFolder, "*.txtar"))
	if err != nil {
		return nil, err
	}
	files, err := hookFiles(dir)
	if err != nil {
		return nil, err
	}
	var cases []Case
	var errs []error
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c := Case{ID: strings.TrimSuffix(filepath.Base(name), ".txtar"), Profile: Runner}
		if err := c.parse(data); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		if err := c.strays(filepath.Base(dir)); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
			continue
		}
		c.Steps[0].Files = append(slices.Clone(files), c.Steps[0].Files...)
		cases = append(cases, c)
	}
	return cases, errors.Join(errs...)
}

// strays is an error for a file of a layer that belongs to no hook there: whoever
// writes project/main.go means a file of the project, which would lie among its hooks.
// own is the folder of the hook that is tested.
func (c *Case) strays(own string) error {
	hooks := map[string]bool{layers["user"] + "/" + own: true}
	var files []file
	for _, s := range c.Steps {
		files = append(files, s.Files...)
	}
	for _, f := range files {
		if name := path.Base(f.path); strings.EqualFold(name, "HOOK.md") || f.kind != regular {
			hooks[path.Dir(f.path)], hooks[f.path] = true, true
		}
	}
	for _, layer := range [...]string{"user", "system", "project"} {
		for _, f := range files {
			rest, in := strings.CutPrefix(f.path, layers[layer]+"/")
			folder, _, _ := strings.Cut(rest, "/")
			if !in || f.kind != regular || hooks[layers[layer]+"/"+folder] {
				continue
			}
			where := "tree/home/project/" + rest
			if layer != "project" {
				where = "tree/" + rest
			}
			return fmt.Errorf("%s/%s is among the hooks of that layer (%s) but part of none; write %s for a file beside them", layer, rest, f.path, where)
		}
	}
	return nil
}

// hookFiles is a hook folder as it will lie in the user's layer.
func hookFiles(dir string) ([]file, error) {
	base := layers["user"] + "/" + filepath.Base(dir)
	var files []file
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		f := file{path: base + "/" + filepath.ToSlash(rel), raw: true}
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch mode := info.Mode(); {
		case mode.IsDir():
			f.kind, f.mode = folder, mode.Perm()|0o700
		case mode&fs.ModeSymlink != 0:
			f.kind = link
			f.target, err = os.Readlink(path)
		case mode.IsRegular():
			f.mode = mode.Perm()
			f.data, err = os.ReadFile(path)
		default:
			return fmt.Errorf("%s is not a file, folder or link", path)
		}
		files = append(files, f)
		return err
	})
	return files, err
}

// FirstTest is a test for a new hook that allows everything: event is one that
// it waits for, as JSON.
func FirstTest(event []byte) []byte {
	return fmt.Appendf(nil, `title: has no opinion on an ordinary event
note: agents-hooks test FOLDER plays the files of tests; docs/conformance.md explains them
-- event.json --
%s
-- want --
exit: 0
stdout: empty
`, strings.TrimSpace(string(event)))
}

// RefusingTest is a test that a hook blocks an event, given as JSON, with a reason
// that has a text.
func RefusingTest(event []byte, reason string) []byte {
	return fmt.Appendf(nil, `title: refuses this
note: agents-hooks test FOLDER plays the files of tests; docs/conformance.md explains them
-- event.json --
%s
-- want --
exit: 2
stderr-has: %s
`, strings.TrimSpace(string(event)), reason)
}
