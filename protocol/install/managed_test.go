package install

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// What an administrator's file says of hooks is read in each agent that has a switch
// for it, comments and all; a file that cannot be read is told.
func TestRulesOfAnAdministrator(t *testing.T) {
	for _, tt := range []struct{ agent, path, text, off, bad string }{
		{"claude-code", "/etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": true}`, "allowManagedHooksOnly", ""},
		{"claude-code", "/etc/claude-code/managed-settings.d/10-x.json", `{"disableAllHooks": true}`, "disableAllHooks", ""},
		{"claude-code", "/etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": false}`, "", ""},
		{"claude-code", "/etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": tru`, "", "not JSON"},
		{"claude-code", "/etc/claude-code/managed-settings.json", `{"allowManagedHooksOnly": true, "disableAllHooks": true}`, "disableAllHooks", ""},
		{"codex", "/etc/codex/requirements.toml", "allow_managed_hooks_only = true # ours", "allow_managed_hooks_only", ""},
		{"codex", "/etc/codex/requirements.toml", "[features]\nhooks = false", "[features] hooks is false", ""},
		{"codex", "/etc/codex/requirements.toml", "[features\n", "", "close table"},
		{"gemini-cli", "/etc/gemini-cli/settings.json", `{"hooksConfig": {"enabled": false}} // no`, "hooksConfig.enabled", ""},
		{"qwen-code", "/etc/qwen-code/settings.json", `{"disableAllHooks": true}`, "disableAllHooks", ""},
		{"droid", "/etc/factory/settings.json", `{"allowManagedHooksOnly": true}`, "allowManagedHooksOnly", ""},
	} {
		t.Run(fmt.Sprintf("%s, %s, %s", tt.agent, tt.path, tt.text), func(t *testing.T) {
			d, ok := agents.Lookup(tt.agent)
			if !ok {
				t.Fatalf("no agent %s", tt.agent)
			}
			dir, name := tt.path[:strings.LastIndex(tt.path, "/")], tt.path[strings.LastIndex(tt.path, "/")+1:]
			s := protocol.Site{GOOS: "linux", Home: "/home/x"}
			s.Read = func(path string) ([]byte, error) {
				if path == tt.path {
					return []byte(tt.text), nil
				}
				return nil, fs.ErrNotExist
			}
			s.List = func(d string) []string {
				if d == dir {
					return []string{name}
				}
				return nil
			}
			rules := Rules(d, s)
			if only := strings.Contains(tt.off, "anaged"); only != (len(rules) == 1 && rules[0].Only) {
				t.Errorf("%s %q: the administrator's own hooks run: %+v", tt.agent, tt.text, rules)
			}
			if len(rules) != 1 || rules[0].File != tt.path || !strings.Contains(rules[0].Off, tt.off) || (tt.off == "") != (rules[0].Off == "") || !strings.Contains(rules[0].Bad, tt.bad) || (tt.bad == "") != (rules[0].Bad == "") {
				t.Errorf("%s %q: %+v", tt.agent, tt.text, rules)
			}
		})
	}
}
