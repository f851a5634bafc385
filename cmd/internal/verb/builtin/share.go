package builtin

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	hooks "github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// The answers to the question whether memory goes into commits.
const (
	commitMemory = "commit"
	ignoreMemory = "ignore"
)

// shareMemory decides once, when memory is switched on, whether what agents remember goes into
// commits: as the command line says, else as the user answers; without a user, it does not.
func shareMemory(sh *shell.Shell, o switchOptions, said string) error {
	if !slices.Contains(o.names, "memory") {
		if said != "" {
			return shell.Usagef("enable: --git needs memory among the names")
		}
		return nil
	}
	set := hookset.All(sh.Host, o.dir)
	if _, settled := set.Settings.Builtin["memory"]["git"]; settled && said == "" {
		return nil
	}
	asked := said == ""
	place := ops.At(hooks.Standalone(sh.Host), hooks.Call(sh.Host, o.dir)).Place
	if asked {
		said = ignoreMemory
		if sh.Person() && shell.IsTerminal(sh.In) {
			said = askMemory(sh)
		} else if !place.Committed() { // of one that is, more is said below
			sh.Say("memory stays out of commits; for a team: agents-hooks enable memory --git commit")
		}
	}
	file, err := setup.OpenConfig(setup.SettingsFile(sh.Host, set, o.project), setup.SettingsProject(set, o.project))
	if err != nil {
		return fmt.Errorf("enable: %w", err)
	}
	content, err := discovery.SetBuiltin(file.Content, "memory", "git", said)
	if err == nil {
		_, err = file.Write(content)
	}
	if err != nil {
		return fmt.Errorf("enable: %s: %w", sh.Short(file.Real), err)
	}
	theirs := said == ignoreMemory && place.Committed()
	if theirs && asked {
		sh.Say("the memory of this repository stays in its commits, as those who work on it decided")
		return nil
	}
	place.Git = said
	if err := place.Share(); err != nil {
		sh.Say("memory: %v", err)
	} else if theirs {
		sh.Say("the .gitignore of this memory is in the repository: commit it, and nothing new of it is committed by anybody")
	}
	if by := place.IgnoredBy(); by != "" && said == commitMemory {
		sh.Say("memory: git ignores it, because of %s: nothing of it is committed until that line is gone", by)
	}
	return nil
}

// askMemory asks the user whether memory goes into commits. Without an answer, it does not.
func askMemory(sh *shell.Shell) string {
	question := "what agents remember of a project: commit it with the project, for a team, or let git ignore it? What you ask them is never committed."
	answer, err := sh.Asked(question, commitMemory+"/IGNORE", "--git")
	if err != nil {
		return ignoreMemory
	}
	switch answer {
	case commitMemory, "c", "y", "yes":
		return commitMemory
	case ignoreMemory, "i", "n", "no", "":
	default:
		sh.Say("%q is neither commit nor ignore: memory stays out of commits; for a team: agents-hooks enable memory --git commit", answer)
	}
	return ignoreMemory
}
