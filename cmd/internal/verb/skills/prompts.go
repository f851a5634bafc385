package skills

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// sourceOptions say which skills' prompts to use.
type sourceOptions struct {
	enabled []string // names, in this order; nil: all
	folders []string // folders that contain skills; nil: those found from dir
	dir     string
}

// prompts are the prompts of the enabled skills, and the problems with them, which stop nothing
// but should be reported.
func prompts(sh *shell.Shell, from sourceOptions) (hooks []skills.Hook, problems []skills.Problem) {
	if from.folders != nil {
		hooks, problems = skills.Scan(from.enabled, from.folders...)
		for i := range problems {
			if p := &problems[i]; p.Fix == "" && p.Value != "" && p.File == p.Value && slices.Contains(from.enabled, p.Value) {
				p.Fix = "looked for in " + strings.Join(from.folders, ", ")
			}
		}
		return hooks, problems
	}
	all := list(sh, from.dir)
	var ready []skills.Skill
	for _, s := range all.Skills {
		if s.Status == ops.Ready {
			ready = append(ready, s.Where)
		} else if s.Status == ops.Untrusted && (from.enabled == nil || slices.Contains(from.enabled, s.Name)) {
			problems = append(problems, skills.Problem{
				File: s.Dir, Severity: skills.Warning, Value: s.Name,
				Message: fmt.Sprintf("skill %q is left out: nobody has approved its prompts as they are", s.Name),
				Fix:     "run `agents-hooks trust` in " + all.Project,
			})
		}
	}
	if from.enabled != nil {
		var missing []skills.Problem
		ready, missing = skills.Enabled(ready, from.enabled)
		problems = append(problems, explained(missing, all)...)
	}
	for _, s := range ready {
		more, wrong := s.Hooks(nil)
		hooks, problems = append(hooks, more...), append(problems, wrong...)
	}
	return hooks, problems
}

// explained says why named skills are not ready, and where else to look.
func explained(missing []skills.Problem, all ops.Catalog) (problems []skills.Problem) {
	for _, p := range missing {
		at := slices.IndexFunc(all.Skills, func(s ops.Skill) bool { return s.Name == p.Value })
		switch {
		case at < 0:
			p.Message = fmt.Sprintf("no skill %q with prompts is there", p.Value)
			p.Fix = "`agents-hooks skills list` shows those that are"
		case all.Skills[at].Status == ops.Untrusted:
			continue // already reported
		default:
			s := all.Skills[at]
			p.File, p.Message = s.Dir, fmt.Sprintf("skill %q is left out, it is %s: %s", s.Name, s.Status, s.Detail)
		}
		problems = append(problems, p)
	}
	return problems
}
