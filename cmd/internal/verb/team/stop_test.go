package team

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// After Ctrl-C while a pack is fetched nothing else is shown for approval, let alone approved.
func TestCtrlCEndsSetupBeforeTheApproval(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	project := filepath.Join(sh.Host.Home, "w")
	hook := func(dir, name string) {
		must.Write(t, filepath.Join(dir, name, "HOOK.md"), "---\nname: "+name+"\ndescription: d\ntrigger: pre-tool-call\n---\n")
		must.Script(t, filepath.Join(dir, name, "scripts", "run"), "#!/bin/sh\n")
	}
	hook(filepath.Join(project, "theirs"), "of-pack")
	hook(filepath.Join(project, ".agents", "hooks"), "waits")
	must.Write(t, filepath.Join(project, ".agents", "agents-hooks.toml"), "[[pack]]\nsource = \"./theirs\"\n")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out strings.Builder
	sh.Out = &out
	err := run(ctx, sh, options{dir: project, yes: true})
	if !errors.Is(err, shell.ErrStopped) || errors.Is(err, shell.ErrReported) || strings.Contains(out.String(), "approved 1") || !strings.Contains(out.String(), "waits waits for an approval") {
		t.Errorf("%v: %s", err, out.String())
	}
}
