package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/reminder"
)

// BW-TEL-18: what the texts tell an agent to call exists: the tool, the command that
// stands for it, its arguments, and all that it demands.
func TestCallsExist(t *testing.T) {
	t.Parallel()
	tools := map[string]op.Op{}
	for _, tool := range ops.Ops(nil) {
		tools[tool.Name] = tool
		if want := "workspace " + tool.Command; command(tool.Name) != want {
			t.Errorf("%s: the texts say %q, the command is %q", tool.Name, command(tool.Name), want)
		}
	}
	seen := map[string]bool{}
	texts := reminder.Texts{Lang: locale.English, Session: "s", Call: func(name string, args ...string) string {
		tool, ok := tools[name]
		if !ok {
			t.Errorf("there is no tool %q", name)
			return ""
		}
		seen[name] = true
		given := map[string]string{}
		for i := 0; i < len(args); i += 2 {
			given[args[i]] = args[i+1]
			if a, ok := tool.Arg(args[i]); !ok || a.Words != nil && !slices.Contains(a.Words, args[i+1]) {
				t.Errorf("%s takes no %s %q", name, args[i], args[i+1])
			}
		}
		for _, a := range tool.Args {
			if _, ok := given[a.Name]; a.Required && !ok {
				t.Errorf("%s lacks %s", name, a.Name)
			}
		}
		return "CALL"
	}}
	for _, w := range []reminder.Workspace{{ID: "ws", Name: "w"}, {ID: "ws", Name: "w", Node: reminder.Node{ID: "n", Status: "pending"}}} {
		texts.Info()
		texts.Keyword()
		texts.Context(w, reminder.Whole(), "")
		texts.Edited(w)
		texts.ShellFailed("x", w)
		texts.Stopped("x", w)
		for _, k := range reminder.Kinds() {
			if w.Node.ID != "" { // without a focus there is none (BW-TEL-12)
				texts.Smart(k, w)
			}
		}
		more(texts, w)
	}
	if len(seen) < 9 {
		t.Errorf("only %d tools are named: %v", len(seen), seen)
	}
}

// What is told as a session begins takes ten seconds at most, and with a prompt five: an
// agent waits for either.
func TestTheHooksThatAreWaitedForEndSoon(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"workspace-context": "timeout: 10000\n", "workspace-reminder": "timeout: 5000\n"} {
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(name, "HOOK.md"))
			if err != nil || !strings.Contains(string(b), "\n"+want) {
				t.Errorf("want %q in\n%s%v", want, b, err)
			}
		})
	}
}
