package ops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/hooks"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// What becomes of a skill; the words are those of hooks.
const (
	Ready      = "ready"
	Untrusted  = "untrusted"
	Overridden = "overridden"
	Disabled   = "disabled"
)

// A Skill is one skill with prompts, as --json prints it.
type Skill struct {
	Name     string           `json:"name"`
	Layer    string           `json:"layer"` // project, user
	Dir      string           `json:"dir"`
	Status   string           `json:"status"` // ready, untrusted, overridden, disabled
	Detail   string           `json:"detail"` // why it is not ready
	Hooks    []Prompt         `json:"hooks"`
	Problems []skills.Problem `json:"problems"`

	Where skills.Skill `json:"-"` // its prompts as they count: what was approved of them
}

// A Prompt is one prompt of a skill.
type Prompt struct {
	Name       string        `json:"name"`
	Timing     skills.Timing `json:"timing"`
	Role       skills.Role   `json:"role"`
	Persistent bool          `json:"persistent"`
	Tools      []string      `json:"tool_filter"`
	When       string        `json:"when"` // always, invoked
	Match      string        `json:"match"`
	MaxCopies  int           `json:"max_copies"`
	File       string        `json:"file"`

	Text string `json:"-"`
}

// A Catalog is what the skills that count in a folder are.
type Catalog struct {
	On      bool // the built-in hooks give their prompts
	Project string
	Skills  []Skill
	Without int // skills that have no prompts
}

// Members are those of its JSON form.
func (s Catalog) Members() map[string]any {
	return map[string]any{"enabled": s.On, "project": s.Project, "skills": s.Skills, "without": s.Without}
}

// List finds the skills that an event in a folder would find. Those that count
// come first, in the order in which they count.
func List(w *behaviour.Runtime, c op.Call) Catalog {
	b := hooks.Behaviour()
	catalog := Catalog{On: w.On != nil && w.On(b.Name, c.Dir), Project: c.Project, Skills: []Skill{}}
	all := hooks.All(c.Project, w.Config, w.Home, w.Below(context.Background(), nil))
	chosen, untrusted := hooks.Choose(all, b.Reader(w).For(c.Dir, c.Env).Of("skills").List, hooks.Approved(w, c.Dir))
	seen := map[string]bool{}
	for _, f := range append(slices.Clone(chosen), all...) {
		if seen[f.Dir] {
			continue
		}
		if seen[f.Dir] = true; !f.HasHooks() {
			catalog.Without++
			continue
		}
		s := skill(f)
		switch {
		case slices.Contains(chosen, f):
			s.Status = Ready
		case slices.Contains(untrusted, f):
			s.Status, s.Detail = Untrusted, "nobody has approved its prompts as they are: agents-hooks trust"
		case slices.ContainsFunc(chosen, func(o hooks.Found) bool { return o.Name == f.Name }):
			s.Status, s.Detail = Overridden, "a skill of that name comes before it"
		default:
			s.Status, s.Detail = Disabled, "the setting skills does not name it"
		}
		catalog.Skills = append(catalog.Skills, s)
	}
	return catalog
}

func skill(f hooks.Found) Skill {
	s := Skill{Name: f.Name, Layer: "user", Dir: f.Dir, Hooks: []Prompt{}, Problems: []skills.Problem{}, Where: f.Skill}
	if f.Project {
		s.Layer = "project"
	}
	list, problems := f.Hooks(nil)
	for _, h := range list {
		p := Prompt{h.Name, h.Timing, h.Role, h.Persistent, append([]string{}, h.Tools...), "always", h.Match, h.MaxCopies, h.File, h.Content}
		if h.Invoked {
			p.When = "invoked"
		}
		s.Hooks = append(s.Hooks, p)
	}
	s.Problems = append(s.Problems, problems...)
	return s
}

// Conditions says in a few words what a prompt waits for beside its timing.
func (p Prompt) Conditions() string {
	var parts []string
	if len(p.Tools) > 0 {
		parts = append(parts, "of "+strings.Join(p.Tools, ", "))
	}
	if p.When == "invoked" {
		parts = append(parts, "once invoked")
	}
	if p.Match != "" {
		parts = append(parts, "if the request has /"+p.Match+"/")
	}
	if p.Persistent {
		parts = append(parts, "persistent")
	}
	if p.MaxCopies > 0 {
		parts = append(parts, fmt.Sprintf("at most %d", p.MaxCopies))
	}
	return strings.Join(parts, ", ")
}

// Ops tell a model which skills bring prompts. The prompts come by themselves.
func Ops(w *behaviour.Runtime) []op.Op {
	return []op.Op{{
		Name: "skills_list", Command: "list", ReadOnly: true, Core: true, Near: "skills list --json", Needs: op.Project,
		People: op.Text{English: "show the skills with prompts, and which of them count here", Chinese: "列出带提示的技能，以及在此生效的有哪些"},
		Model:  op.Text{English: "The skills that bring prompts of their own, when each is given, and which of them count in this project.", Chinese: "自带提示的技能、各自的时机，以及在此项目中生效的有哪些。"},
		Do: func(_ context.Context, c op.Call) (any, error) {
			return List(w, c).Members(), nil
		},
	}}
}

// Places are the folders in which skills are looked for, in a project and in the
// home directory.
func Places() []string { return compat.SkillPlaces[:] }

// ToTrust are the prompts of a project's skills: their folders, by the name that
// they have in the record of approvals. Of two skills with one name the first
// place counts.
func ToTrust(project, config, home string) map[string]string {
	items := map[string]string{}
	for _, s := range hooks.All(project, config, home, beneath.At) {
		name := hooks.TrustName(s.Name)
		if s.Project && s.HasHooks() && items[name] == "" {
			items[name] = s.HooksDir()
		}
	}
	return items
}
