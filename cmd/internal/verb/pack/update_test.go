package pack

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Who asks for JSON is told that the single pack cannot be updated, not that nothing changed.
func TestAnUpdateThatFailsIsNoEmptyAnswer(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	dir := filepath.Join(sh.Host.Home, "one")
	must.Write(t, filepath.Join(dir, "guard", "HOOK.md"), "---\nname: guard\ndescription: d\ntrigger: pre-tool-call\n---\n")
	must.Script(t, filepath.Join(dir, "guard", "scripts", "run"), "#!/bin/sh\n")
	run := func(words ...string) (int, string) {
		var out, errs strings.Builder
		sh := shell.New("agents-hooks", sh.Host, strings.NewReader(""), &out, &errs)
		exit := sh.Run([]shell.CommandGroup{{Words: "add verify remove update", Command: Command}}, words)
		t.Log(errs.String())
		return exit, out.String()
	}
	if exit, _ := run("add", dir, "--user", "--yes", "--no-test"); exit != 0 {
		t.Fatalf("add: exit %d", exit)
	}
	must.Do(t, os.RemoveAll(dir))
	exit, out := run("update", "one", "--user", "--json")
	var doc struct {
		Packs []any
		Error struct{ Code, Message string }
	}
	must.Do(t, json.Unmarshal([]byte(out), &doc))
	if exit != 1 || doc.Packs != nil || doc.Error.Code != shell.CodeFailed || !strings.HasPrefix(doc.Error.Message, "update one: ") {
		t.Errorf("exit %d: %s", exit, out)
	}
}
