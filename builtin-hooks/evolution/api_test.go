package evolution_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What goes over the wire is what the published server takes.
func TestScopeOfAMessage(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "global", "global": "global", "ws_a-b_C9": "ws_a-b_C9", "my-app": "ws_my-app", "@acme/app": "ws__acme_app",
		"github.com/a/b": "ws_github_com_a_b", "订单": "ws_______", "ws_": "ws_ws_", "git_1x2y": "ws_git_1x2y", "GLOBAL": "ws_GLOBAL", "azAZ09": "ws_azAZ09",
		strings.Repeat("x", 200): "ws_" + strings.Repeat("x", 77),
	} {
		t.Run(fmt.Sprintf("%.80q", in), func(t *testing.T) {
			got := api.Scope(in)
			if got != want || !api.ValidScope(got) || api.Scope(got) != got {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
	for _, bad := range []string{"", "x", "ws_", "ws_a/b", "ws_a b", "Global", "ws_" + strings.Repeat("x", 100)} {
		t.Run(fmt.Sprintf("%.80q", bad), func(t *testing.T) {
			if api.ValidScope(bad) {
				t.Errorf("%q is valid", bad)
			}
		})
	}
}

// Signals are texts or objects; rows have their lists as JSON in a text;
// times are numbers or dates.
func TestOriginalSpellings(t *testing.T) {
	t.Parallel()
	var row api.Row
	const text = `{"id":"g","strategySteps":"[\"a\",\"b\"]","signalsMatch":["error:oom",{"type":"error:timeout","techStack":"go"}],"preconditions":null,"constraints":"{\"max_retries\":3}","lastUsedAt":"2026-01-02T03:04:05.000Z","qualityScore":0.5}`
	must.Do(t, json.Unmarshal([]byte(text), &row))
	if !reflect.DeepEqual([]string(row.StrategySteps), []string{"a", "b"}) || row.SignalsMatch[0].Type != "error:oom" || row.SignalsMatch[1].TechStack != "go" || row.Constraints["max_retries"] != 3.0 || row.LastUsedAt != 1767323045000 {
		t.Errorf("%+v", row)
	}
	b, err := json.Marshal(row)
	if err != nil || !strings.Contains(string(b), `"strategySteps":"[\"a\",\"b\"]"`) {
		t.Errorf("%s, %v", b, err)
	}
	var again api.Row
	if err := json.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(again.SignalsMatch, row.SignalsMatch) {
		t.Errorf("%+v, %v", again, err)
	}
	for in, want := range map[string]string{"success": "success", "failed": "failed", "failure": "failed", "ok": ""} {
		t.Run(in, func(t *testing.T) {
			if api.Known(in) != want {
				t.Errorf("%q", in)
			}
		})
	}
}
