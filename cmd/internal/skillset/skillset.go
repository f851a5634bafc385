// Package skillset finds the skills that have prompts in a folder, and which of them
// count there: for the commands about skills, doctor, trust and the MCP server.
package skillset

import (
	"fmt"
	"slices"
	"strings"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// SkillsToTrust are the prompts of a project's skills: their folders, by the name
// that they have in the record of approvals. Of two skills with one name the
// first place counts.
func SkillsToTrust(sh *shell.Shell, project string) map[string]string {
	items := map[string]string{}
	for _, s := range builtinhooks.SkillsOf(project, sh.Host.Config, sh.Host.Home) {
		name := builtinhooks.SkillTrustName(s.Name)
		if s.Project && s.HasHooks() && items[name] == "" {
			items[name] = s.HooksDir()
		}
	}
	return items
}

// A ListedSkill is one skill with prompts, as --json prints it.
type ListedSkill struct {
	Name     string           `json:"name"`
	Layer    string           `json:"layer"` // project, user
	Dir      string           `json:"dir"`
	Status   discovery.Status `json:"status"` // ready, untrusted, overridden, disabled
	Detail   string           `json:"detail"` // why it is not ready
	Hooks    []ListedPrompt   `json:"hooks"`
	Problems []skills.Problem `json:"problems"`
}

type ListedPrompt struct {
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

// A SkillShelf is what the skills that count in a folder are.
type SkillShelf struct {
	On      bool // the built-in hooks give their prompts
	Project string
	Skills  []ListedSkill
	Without int // skills that have no prompts
}

// SkillsFrom finds the skills that an event in a folder would find.
func SkillsFrom(sh *shell.Shell, dir string) SkillShelf {
	set := hookset.All(sh.Host, dir)
	shelf := SkillShelf{Project: set.Project, Skills: []ListedSkill{}}
	if shelf.Project == "" {
		shelf.Project = set.Root
	}
	for _, h := range hookset.BehaviourHooks(set, "skills") {
		shelf.On = shelf.On || h.Status == discovery.Ready
	}
	all := builtinhooks.SkillsOf(shelf.Project, sh.Host.Config, sh.Host.Home)
	names := builtinhooks.SkillNames(sh.Host.Getenv, set.Settings.Builtin["skills"])
	chosen, untrusted := builtinhooks.ChooseSkills(all, names, func(f builtinhooks.FoundSkill) bool {
		return set.Vouches(builtinhooks.SkillTrustName(f.Name), f.HooksDir())
	})
	// Those that count come first, in the order in which they count.
	seen := map[string]bool{}
	for _, f := range append(slices.Clone(chosen), all...) {
		if seen[f.Dir] {
			continue
		}
		if seen[f.Dir] = true; !f.HasHooks() {
			shelf.Without++
			continue
		}
		s := listSkill(f)
		switch {
		case slices.Contains(chosen, f):
			s.Status = discovery.Ready
		case slices.Contains(untrusted, f):
			s.Status, s.Detail = discovery.Untrusted, "nobody has approved its prompts as they are: agents-hooks trust"
		case slices.ContainsFunc(chosen, func(c builtinhooks.FoundSkill) bool { return c.Name == f.Name }):
			s.Status, s.Detail = discovery.Overridden, "a skill of that name comes before it"
		default:
			s.Status, s.Detail = discovery.Disabled, "the setting skills does not name it"
		}
		shelf.Skills = append(shelf.Skills, s)
	}
	return shelf
}

func listSkill(f builtinhooks.FoundSkill) ListedSkill {
	s := ListedSkill{Name: f.Name, Layer: "user", Dir: f.Dir, Hooks: []ListedPrompt{}, Problems: []skills.Problem{}}
	if f.Project {
		s.Layer = "project"
	}
	hooks, problems := f.Hooks(nil)
	for _, h := range hooks {
		p := ListedPrompt{h.Name, h.Timing, h.Role, h.Persistent, h.Tools, "always", h.Match, h.MaxCopies, h.File, h.Content}
		if p.Tools == nil {
			p.Tools = []string{}
		}
		if h.Invoked {
			p.When = "invoked"
		}
		s.Hooks = append(s.Hooks, p)
	}
	s.Problems = append(s.Problems, problems...)
	return s
}

// Conditions says in a few words what a prompt waits for beside its timing.
func (p ListedPrompt) Conditions() string {
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

// Names completes the name of a skill that has prompts here.
func Names(sh *shell.Shell) shell.Words {
	return func(shell.Line) (list []shell.Suggestion, kind shell.Kind) {
		for _, s := range SkillsFrom(sh, sh.Host.WorkDir).Skills {
			list = append(list, shell.Suggestion{Word: s.Name, Text: shell.Count(len(s.Hooks), "prompt")})
		}
		return list, ""
	}
}
