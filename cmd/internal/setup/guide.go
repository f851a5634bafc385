package setup

import (
	"path/filepath"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
)

// GuideFile is the path of a behaviour's guide in an agent's skills: a skill of its
// own, agents-hooks-NAME/SKILL.md.
func GuideFile(skills, behaviour string) string {
	return filepath.Join(skills, builtinhooks.GuideName(behaviour), "SKILL.md")
}
