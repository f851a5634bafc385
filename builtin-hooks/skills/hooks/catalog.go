package hooks

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Found is a skill, and whose it is.
type Found struct {
	skills.Skill
	Project bool
}

// TrustName is what the prompts of a project's skill are called in the record of
// approvals.
func TrustName(skill string) string { return "skills/" + skill }

// ProjectDirs are the folders in which a project's skills lie; none if the
// project is the person's home directory, where they are the person's.
func ProjectDirs(project, home string) (dirs []string) {
	if !filepath.IsAbs(project) || sameFolder(project, home) {
		return nil
	}
	for _, place := range compat.SkillPlaces {
		dirs = append(dirs, filepath.Join(project, filepath.FromSlash(place)))
	}
	return dirs
}

// UserDirs are the folders in which a person's own skills lie.
func UserDirs(config, home string) (dirs []string) {
	if config != "" {
		dirs = append(dirs, filepath.Join(config, "skills"))
	}
	if home != "" {
		for _, place := range compat.SkillPlaces {
			dirs = append(dirs, filepath.Join(home, filepath.FromSlash(place)))
		}
	}
	return dirs
}

func sameFolder(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	if filepath.Base(a) != filepath.Base(b) {
		return false
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// All lists the skills of a project and of a person, a project's first.
// open is how what lies below the project is opened.
func All(project, config, home string, open func(dir string) *beneath.Root) (list []Found) {
	var in *beneath.Root
	if project != "" {
		in = open(project)
	}
	for i, dirs := range [][]string{ProjectDirs(project, home), UserDirs(config, home)} {
		found, _ := skills.FindIn(in, dirs...)
		in = nil // the person's
		for _, s := range found {
			list = append(list, Found{s, i == 0})
		}
	}
	return list
}

// Choose leaves the skills that count: of two with one name the first, the
// enabled ones in their order if there are any names. A skill without prompts
// overrides nothing, or a folder of that name in a project would take away what
// its person wrote; nor does one of the project whose prompts nobody approved:
// untrusted are those.
func Choose(list []Found, enabled []string, trusted func(Found) (approved Found, ok bool)) (chosen, untrusted []Found) {
	for _, f := range list {
		if len(enabled) > 0 && !slices.Contains(enabled, f.Name) || slices.ContainsFunc(chosen, func(c Found) bool { return c.Name == f.Name }) || !f.HasHooks() {
			continue
		}
		if f.Project {
			approved, ok := trusted(f)
			if !ok {
				untrusted = append(untrusted, f)
				continue
			}
			f = approved
		}
		chosen = append(chosen, f)
	}
	if len(enabled) > 0 {
		order.By(chosen, func(a, b Found) int { return slices.Index(enabled, a.Name) - slices.Index(enabled, b.Name) })
	}
	return chosen, untrusted
}

// A catalog is the skills of one call.
type catalog struct {
	chosen    []Found
	untrusted []Found
}

// projectOf is where skills of a project are looked for; "" if nothing of it
// counts.
func projectOf(c *behaviour.Call) string {
	if c.Runtime.NoProject {
		return ""
	}
	return c.Project()
}

// Approved reports of a project's skill whether its prompts were approved as they
// are: it is then the skill whose prompts are the approved bytes. What was approved
// is looked up once, when it is asked for first.
func Approved(w *behaviour.Runtime, workDir string) func(Found) (Found, bool) {
	var vouches func(name, dir string) (from string, ok bool)
	return func(f Found) (Found, bool) {
		if vouches == nil && w.Approved != nil {
			vouches = w.Approved(workDir)
		}
		if vouches == nil {
			return f, false
		}
		from, ok := vouches(TrustName(f.Name), f.HooksDir())
		f.Skill = f.From(from)
		return f, ok
	}
}

// open looks which skills are there.
func open(c *behaviour.Call) *catalog {
	s := &catalog{}
	s.chosen, s.untrusted = Choose(All(projectOf(c), c.Runtime.Config, c.Runtime.Home, c.Below), c.Settings.Of("skills").List, Approved(c.Runtime, c.WorkDir()))
	return s
}

// hooks are the wanted prompts of all chosen skills.
func (s *catalog) hooks(want func(*skills.Hook) bool) (list []skills.Hook) {
	for _, f := range s.chosen {
		hooks, _ := f.Hooks(want) // what is wrong with them is told by validate
		list = append(list, hooks...)
	}
	return list
}
