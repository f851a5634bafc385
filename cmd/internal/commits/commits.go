// Package commits settles, where memory is switched on, whether what agents remember of a
// project goes into its commits.
//
//	err := commits.Settle(sh, commits.Options{Command: "install", Names: []string{"memory"}, Dir: dir})
package commits

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
	Commit = "commit"
	Ignore = "ignore"
)

// Options are what a command that switches behaviours on was told.
type Options struct {
	Command string   // the word that the user typed
	Names   []string // what is switched on
	Dir     string   // where
	Project bool     // in the project's own settings
	Said    string   // the answer, "" if it was not given
}

// Settle decides once, when memory is switched on, whether what agents remember goes into
// commits: as the command line says, else as the user answers; without a user, it does not.
func Settle(sh *shell.Shell, o Options) error {
	said := o.Said
	if !slices.Contains(o.Names, "memory") {
		if said != "" {
			return shell.Usagef("%s: --git needs memory among the names", o.Command)
		}
		return nil
	}
	set := hookset.All(sh.Host, o.Dir)
	if _, settled := set.Settings.Builtin["memory"]["git"]; settled && said == "" {
		return nil
	}
	asked := said == ""
	place := ops.At(hooks.Standalone(sh.Host), hooks.Call(sh.Host, o.Dir)).Place
	if asked {
		said = Ignore
		if sh.Person() && shell.IsTerminal(sh.In) {
			said = ask(sh)
		} else if !place.Committed() { // of one that is, more is said below
			sh.Say("memory stays out of commits; for a team: agents-hooks enable memory --git commit")
		}
	}
	file, err := setup.OpenConfig(setup.SettingsFile(sh.Host, set, o.Project), setup.SettingsProject(set, o.Project))
	if err != nil {
		return fmt.Errorf("%s: %w", o.Command, err)
	}
	content, err := discovery.SetBuiltin(file.Content, "memory", "git", said)
	if err == nil {
		_, err = file.Write(content)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", o.Command, sh.Short(file.Real), err)
	}
	theirs := said == Ignore && place.Committed()
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
	if by := place.IgnoredBy(); by != "" && said == Commit {
		sh.Say("memory: git ignores it, because of %s: nothing of it is committed until that line is gone", by)
	}
	return nil
}

// ask asks the user whether memory goes into commits. Without an answer, it does not.
func ask(sh *shell.Shell) string {
	question := "what agents remember of a project: commit it with the project, for a team, or let git ignore it? What you ask them is never committed."
	answer, err := sh.Asked(question, Commit+"/IGNORE", "--git")
	if err != nil {
		return Ignore
	}
	switch answer {
	case Commit, "c", "y", "yes":
		return Commit
	case Ignore, "i", "n", "no", "":
	default:
		sh.Say("%q is neither commit nor ignore: memory stays out of commits; for a team: agents-hooks enable memory --git commit", answer)
	}
	return Ignore
}
