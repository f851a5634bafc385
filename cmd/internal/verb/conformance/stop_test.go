package conformance

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Ctrl-C ends the suite and the check of a hook as it ends any other command.
func TestCtrlCEndsTheSuite(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := judge(ctx, sh, runnerOptions{command: []string{os.Args[0]}}); !errors.Is(err, shell.ErrStopped) {
		t.Errorf("runner: %v", err)
	}
	dir := filepath.Join(sh.Host.Home, "guard")
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\n---\n")
	if _, err := checkHooks(ctx, sh, hookOptions{folders: []string{dir}}); !errors.Is(err, shell.ErrStopped) {
		t.Errorf("hook: %v", err)
	}
}
