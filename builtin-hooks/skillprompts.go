package builtinhooks

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/originals"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/hooks"
)

// A FoundSkill is a skill, and whether it is a project's.
type FoundSkill = skills.Found

// SkillsOf lists the skills of a project and of a person, a project's first.
func SkillsOf(project, config, home string) []FoundSkill { return skills.All(project, config, home) }

// SkillTrustName is what the prompts of a project's skill are called in the
// record of approvals.
func SkillTrustName(skill string) string { return skills.TrustName(skill) }

// ChooseSkills leaves the skills that count for a project: of two with one name
// the first, the enabled ones in their order. untrusted are those of the project
// that nobody approved, which override nothing.
func ChooseSkills(list []FoundSkill, enabled []string, trusted func(FoundSkill) bool) (chosen, untrusted []FoundSkill) {
	return skills.Choose(list, enabled, trusted)
}

// SkillNames are the skills whose prompts the settings want, in their order; none
// is all. files is [builtin.skills] as the hooks.toml files say it.
func SkillNames(getenv func(string) string, files map[string]any) []string {
	b := skills.Behaviour()
	return setting.Resolve(b.Settings(), setting.Sources{Env: getenv, Files: files}).Of("skills").List
}

// SkillPlaces are the folders in which skills are looked for, in a project and in
// the home directory.
func SkillPlaces() []string { return originals.SkillPlaces[:] }
