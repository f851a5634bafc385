package internal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol/internal/mcpname"
)

func TestMCPNamesAreSplit(t *testing.T) {
	for name, want := range map[string][2]string{
		"my-server_search": {"mcp__my-server__search", "mcp__search__my-server"},
		"a_b_c":            {"mcp__a__b_c mcp__a_b__c", "mcp__c__a_b mcp__b_c__a"},
		"plain":            {"", ""},
		"_x":               {"", ""},
		"x_":               {"", ""},
		"":                 {"", ""},
	} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			if got := strings.Join(mcpname.ServerFirst(name), " "); got != want[0] {
				t.Errorf("server first, %q: %q, want %q", name, got, want[0])
			}
			if got := strings.Join(mcpname.ToolFirst(name), " "); got != want[1] {
				t.Errorf("tool first, %q: %q, want %q", name, got, want[1])
			}
		})
	}
}
