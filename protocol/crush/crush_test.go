package crush_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/crush"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, crush.Dialect, nil) }

// Every answer is printed on exit 0 (crush/5) and never says allow (crush/1).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, crush.Dialect, nil) {
		if len(a.Reply.Stdout) == 0 {
			continue
		}
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if word := o.Text("decision"); err != nil || word != "" && word != "deny" && (word != "allow" || a.Outcome.Decision != protocol.Allow) || o.Has("halt") {
			t.Errorf("%s: crush/1, crush/5: %v, %s", a.Kind, err, a.Reply.Stdout)
		}
	}
}

func TestQuirks(t *testing.T) {
	const base = `{"event": "PreToolUse", "session_id": "s", "cwd": "/p", `
	if len(crush.Dialect.NativeEvents) != 1 || crush.Dialect.NativeEvents[0].Name != "PreToolUse" {
		t.Errorf("crush/2: registers %v", crush.Dialect.NativeEvents)
	}
	for _, later := range []string{"PostToolUse", "SessionStart", "TurnEnd"} {
		t.Run(later, func(t *testing.T) {
			if events := dialecttest.Decode(t, crush.Dialect, dialecttest.Object(t, `{"event": "`+later+`", "session_id": "s", "cwd": "/p"}`), nil); len(events) != 0 {
				t.Errorf("crush/2: %s is %s", later, events[0].Type)
			}
		})
	}
	ev := dialecttest.First(t, crush.Dialect, base+`"tool_name": "bash", "tool_input": {"command": "ls"}}`)
	if ev.Call.ID != "" || ev.Fields.Text("tool_use_id") == "" {
		t.Errorf("crush/3: id %q, own %q", ev.Fields.Text("tool_use_id"), ev.Call.ID)
	}
	dialecttest.Check(t, "crush/4", dialecttest.Told(t, crush.Dialect, base+`"tool_name": "bash", "tool_input": {"command": "rm", "timeout": 60000}}`,
		protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`), AdditionalContext: "c"}),
		`{"updated_input": {"command": "ls", "timeout": 60000}, "context": "c"}`)
	ev = dialecttest.First(t, crush.Dialect, base+`"tool_name": "mcp_git_hub_list", "tool_input": {}}`)
	dialecttest.Check(t, "crush/6", strings.Join(ev.Call.Names(), " "), "mcp__git__hub_list mcp_git_hub_list mcp__git_hub__list")
	if crush.Dialect.Config.Windows != protocol.QuoteSh {
		t.Errorf("crush/7: quoted for %s", crush.Dialect.Config.Windows)
	}
}

// The configuration's folder can be named; our entry never goes into a script that
// Crush reads beside it (crush/8).
func TestFolder(t *testing.T) {
	for name, want := range map[string]string{"": "/h/.config/crush", "CRUSH_GLOBAL_CONFIG": "/x", "XDG_CONFIG_HOME": "/x/crush"} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			site := protocol.Site{Scope: protocol.UserScope, GOOS: "linux", Home: "/h", Env: func(n string) string {
				if n == name {
					return "/x"
				}
				return ""
			}}
			if got := crush.Dialect.Config.File(site); got != want+"/crush.json" {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
}
