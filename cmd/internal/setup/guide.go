package setup

import (
	"path/filepath"
	"slices"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Guide is what an agent is told about one behaviour: a skill of its own among
// the agent's skills, agents-hooks-NAME/SKILL.md.
type Guide struct {
	Behaviour string
	Text      []byte // nil for a behaviour that is off
}

// GuideFile is where a behaviour's guide lies in an agent's skills.
func GuideFile(skills, behaviour string) string {
	return filepath.Join(skills, builtinhooks.GuideName(behaviour), "SKILL.md")
}

// A shelf of guides is what of them stands in one agent's skills.
type GuideShelf struct {
	Edits    []protocol.Edit
	Standing []string // files that are right already
	Notes    []string
}

// Share notes one more entry that needs a file which is right already.
func (r *Receipts) Share(path, by string) error {
	f, err := OpenConfig(path)
	if err != nil {
		return err
	}
	rec := r.Files[f.Real]
	if rec == nil {
		rec = &receipt{Mixed: true, Left: HashOf(f.Content)}
		r.Files[f.Real] = rec
	}
	if !slices.Contains(rec.By, by) {
		rec.By = append(rec.By, by)
	}
	return nil
}
