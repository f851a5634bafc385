//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The folder with which docs/import.md calls a hook of git keeps an agent going while that fails,
// tells it why, and lets it stop when it passes.
func TestAHookOfGitFromAHookFolder(t *testing.T) {
	t.Parallel()
	home := shelltest.New(t).Host.Home
	project := filepath.Join(home, "w")
	bin := filepath.Join(home, "bin")
	stage := shelltest.Host(home, project, "PATH="+bin+":/bin:/usr/bin")
	_, section, _ := strings.Cut(page(t, "docs/import.md"), "## Hooks of git")
	_, block, _ := strings.Cut(section, "```yaml\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatal("docs/import.md has no folder for hooks of git")
	}
	must.Write(t, filepath.Join(stage.Config, "hooks", "git-checks", "HOOK.md"), block)
	must.Write(t, filepath.Join(project, "a"), "")
	must.Script(t, filepath.Join(bin, "lefthook"), "#!/bin/sh\necho \"asked for $*\"; test -e passes\n")
	stop := func() (int, string) {
		var out, errs strings.Builder
		exit := run(stage, []string{"run"}, strings.NewReader(`{"event_type": "pre-agent-turn-stop", "work_dir": "`+project+`"}`), &out, &errs)
		return exit, out.String() + errs.String()
	}
	if exit, said := stop(); exit != 2 || said != "[git-checks] asked for run pre-commit --all-files\n" {
		t.Errorf("exit %d: %q", exit, said)
	}
	must.Write(t, filepath.Join(project, "passes"), "")
	if exit, said := stop(); exit != 0 || said != "" {
		t.Errorf("exit %d: %q", exit, said)
	}
}
