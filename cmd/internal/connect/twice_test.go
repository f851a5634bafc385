package connect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Which agent runs whose entries, by scope; and agents whose files others read are
// installed before those.
func TestAgentsThatReadTogether(t *testing.T) {
	t.Parallel()
	one := &protocol.Dialect{ID: "one"}
	two := &protocol.Dialect{ID: "two", AlsoReads: []string{"one/project"}}
	three := &protocol.Dialect{ID: "three", AlsoReads: []string{"one", "two/user"}}
	for _, tc := range []struct {
		d     *protocol.Dialect
		id    string
		scope protocol.Scope
		want  bool
	}{
		{one, "one", protocol.UserScope, true}, {one, "two", protocol.UserScope, false},
		{two, "one", protocol.UserScope, false}, {two, "one", protocol.ProjectScope, true}, {two, "one", "", true},
		{three, "one", protocol.UserScope, true}, {three, "one", protocol.ProjectScope, true},
		{three, "two", protocol.UserScope, true}, {three, "two", protocol.ProjectScope, false}, {three, "four", "", false},
	} {
		t.Run(fmt.Sprintf("%s for %s, scope %q", tc.id, tc.d.ID, tc.scope), func(t *testing.T) {
			if got := tc.d.Reads(tc.id, tc.scope); got != tc.want {
				t.Errorf("%s reads %s of %q: %t, want %t", tc.d.ID, tc.id, tc.scope, got, tc.want)
			}
		})
	}
	for _, list := range [][]*protocol.Dialect{{one, two, three}, {three, two, one}, {two, three, one}, {three, one, two}} {
		got := ""
		for _, d := range readFirst(list) {
			got += d.ID + " "
		}
		if got != "one two three " {
			t.Errorf("the order is %s", got)
		}
	}
	for _, d := range agents.All() {
		for _, id := range d.AlsoReads {
			id, _, _ := strings.Cut(id, "/")
			if _, err := agentarg.Lookup(id); err != nil || id == d.ID {
				t.Errorf("%s also reads %q, which nobody knows", d.ID, id)
			}
		}
	}
}
