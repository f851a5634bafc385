package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// A Skill is a folder below a folder of skills.
type Skill struct {
	Name string // of the folder
	Dir  string

	in   *beneath.Root // what Dir lies in; nil: it is the person's own
	from string        // where the prompts are read; "" is HooksDir
}

// From is a skill whose prompts are read in a folder of the person's own: a copy of
// what was approved of them.
func (s Skill) From(dir string) Skill {
	if dir != s.HooksDir() {
		s.from = dir
	}
	return s
}

// HooksDir is where the prompts of a skill lie.
func (s Skill) HooksDir() string { return filepath.Join(s.Dir, "hooks") }

// HasHooks reports whether a skill has a hooks.json.
func (s Skill) HasHooks() bool {
	_, err := s.in.Lstat(filepath.Join(s.HooksDir(), "hooks.json"))
	return err == nil
}

// Find lists the skills of some folders, by folder and name. Of two with one
// name the first counts. A folder that is not there has none; files, and what
// begins with a dot, are no skills.
func Find(dirs ...string) (list []Skill, problems []Problem) { return FindIn(nil, dirs...) }

// FindIn is Find for folders of a project, nothing outside of which is read; nil:
// the folders are the person's own.
func FindIn(in *beneath.Root, dirs ...string) (list []Skill, problems []Problem) {
	seen := map[string]bool{}
	for _, dir := range dirs {
		entries, err := in.List(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, Problem{File: dir, Severity: Warning, Message: "its skills cannot be listed: " + reason(err)})
		}
		for _, e := range entries {
			name := e.Name()
			if name[0] == '.' || seen[name] || !e.IsDir() && e.Type()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
				continue
			}
			s := Skill{Name: name, Dir: filepath.Join(dir, name), in: in}
			if !e.IsDir() {
				if info, err := in.Stat(s.Dir); err != nil || !info.IsDir() {
					continue
				}
			}
			seen[name] = true
			list = append(list, s)
		}
	}
	return list, problems
}

// Enabled puts skills into the order of some names, those of no name out. A name
// that no skill has is a problem, a warning.
func Enabled(all []Skill, names []string) (list []Skill, problems []Problem) {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		k := slices.IndexFunc(all, func(s Skill) bool { return s.Name == name })
		if k < 0 {
			problems = append(problems, Problem{File: name, Severity: Warning, Value: name, Message: fmt.Sprintf("no skill %q is there", name)})
			continue
		}
		list = append(list, all[k])
	}
	return list, problems
}

// Scan reads the prompts of the enabled skills below some folders: in the order
// of enabled, and in each skill in that of its hooks.json. A nil enabled is all
// skills that are there. It never fails as a whole: what cannot be used is left
// out and told.
func Scan(enabled []string, dirs ...string) ([]Hook, []Problem) {
	list, problems := Find(dirs...)
	if enabled != nil {
		var missing []Problem
		list, missing = Enabled(list, enabled)
		problems = append(problems, missing...)
	}
	hooks := []Hook{}
	for _, s := range list {
		more, wrong := s.Hooks(nil)
		hooks, problems = append(hooks, more...), append(problems, wrong...)
	}
	return hooks, problems
}
