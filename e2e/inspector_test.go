//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// TestInspector: the protocol's own inspector lists our tools and calls them, as
// a stranger who knows nothing but the protocol.
func TestInspector(t *testing.T) {
	if bench.Missing != "" {
		missing(t, bench.Missing)
	}
	if bench.Inspect.Why != "" {
		missing(t, bench.Inspect.Why)
	}
	home, project := t.TempDir(), t.TempDir()
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir = project
		cmd.Env = append([]string{"HOME=" + home, "PATH=" + filepath.Dir(bench.Node) + ":/usr/bin:/bin", "LANG=C.UTF-8"}, bench.quiet()...)
		return cmd
	}
	if out, err := command(bench.Binary, "enable", "memory").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	inspect := func(into any, args ...string) (stdout string, err error) {
		t.Helper()
		cmd := command(bench.Node, append([]string{bench.Inspect.program(&inspector), "--cli", bench.Binary, "mcp", "--method"}, args...)...)
		out, err := cmd.Output()
		if into != nil {
			if jerr := json.Unmarshal(out, into); jerr != nil {
				t.Fatalf("%q: %v, %v\n%s", args, err, jerr, out)
			}
		}
		return string(out), err
	}
	var list struct {
		Tools []struct {
			Name, Description string
			InputSchema       struct{ Type string }
			Annotations       map[string]any
		}
	}
	must.Do(t, must.Err(inspect(&list, "tools/list")))
	names := map[string]bool{}
	for _, tool := range list.Tools {
		names[tool.Name] = true
		if tool.Description == "" || tool.InputSchema.Type != "object" || tool.Annotations["readOnlyHint"] == nil {
			t.Errorf("%+v", tool)
		}
	}
	for _, name := range []string{"memory_search", "memory_timeline", "memory_get", "memory_save", "memory_summary", "memory_forget", "memory_distill", "hooks_list", "hooks_explain"} {
		if !names[name] {
			t.Errorf("%s is not listed", name)
		}
	}
	var saved struct{ StructuredContent struct{ Status, ID string } }
	if _, err := inspect(&saved, "tools/call", "--tool-name", "memory_save", "--tool-arg", "content=the inspector was here", "confidence=0.8"); err != nil || saved.StructuredContent.Status != "ok" {
		t.Errorf("save: %v %+v", err, saved)
	}
	if out, err := inspect(nil, "tools/call", "--tool-name", "memory_get", "--tool-arg", "ids="+saved.StructuredContent.ID); err != nil || !strings.Contains(out, "the inspector was here") {
		t.Errorf("get: %v %s", err, out)
	}
	if out, err := inspect(nil, "tools/call", "--tool-name", "memory_get", "--tool-arg", "ids=log-none"); err == nil || !strings.Contains(out, "NOT_FOUND: ") {
		t.Errorf("an error: %v %s", err, out)
	}
}
