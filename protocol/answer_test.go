package protocol_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A result that a hook sets is never empty, never longer than the limit, and never
// cut inside a character.
func TestOutputIsBoundedAndNeverEmpty(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "[removed by a hook]"},
		{"white space", " \n\t", "[removed by a hook]"},
		{"a text", " a\n", " a\n"},
		{"as long as may be", strings.Repeat("a", protocol.MaxOutput), strings.Repeat("a", protocol.MaxOutput)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := protocol.Output(c.text); got != c.want {
				t.Errorf("got %.60q", got)
			}
		})
	}
	for shift := range 4 {
		long := strings.Repeat("a", shift) + strings.Repeat("語", protocol.MaxOutput/3)
		got := protocol.Output(long + "end")
		kept, _, cut := strings.Cut(got, "\n[cut here by agents-hooks")
		if !cut || len(got) > protocol.MaxOutput || len(got) < protocol.MaxOutput-4 || !utf8.ValidString(got) || !strings.HasPrefix(long, kept) {
			t.Errorf("shifted by %d: %d bytes, valid: %v", shift, len(got), utf8.ValidString(got))
		}
	}
}

// Where an agent keeps our server, and what its model calls the server's tools.
func TestWhereTheServerStands(t *testing.T) {
	t.Parallel()
	m := &protocol.MCP{}
	if got := m.Holder(protocol.Site{}); len(got) != 1 || got[0] != "mcpServers" {
		t.Errorf("without a path: %q", got)
	}
	if got := m.Tool(); got != "TOOL (MCP server agents-hooks)" {
		t.Errorf("without a spelling: %q", got)
	}
	m = &protocol.MCP{Path: func(protocol.Site) []string { return []string{"mcp", "servers"} }, Spelling: "mcp__agents-hooks__TOOL"}
	if got := m.Holder(protocol.Site{}); len(got) != 2 || got[1] != "servers" {
		t.Errorf("with a path: %q", got)
	}
	if got := m.Tool(); got != m.Spelling {
		t.Errorf("with a spelling: %q", got)
	}
}

// A permission is for the input that was allowed: if the agent would run another one,
// there is none.
func TestNoPermissionForAnotherInput(t *testing.T) {
	t.Parallel()
	native := func(given protocol.Object, left ...string) func(*protocol.Call, protocol.Object) (protocol.Object, []string) {
		return func(*protocol.Call, protocol.Object) (protocol.Object, []string) { return given, left }
	}
	command := protocol.Object{{Name: "command", Value: protocol.Raw(`"ls"`)}}
	more := append(command.Clone(), protocol.Member{Name: "shell", Value: protocol.Raw("true")})
	for _, c := range []struct {
		name    string
		dialect protocol.Dialect
		call    *protocol.Call
		want    protocol.Decision
	}{
		{"the same", protocol.Dialect{Input: native(command)}, &protocol.Call{}, protocol.Allow},
		{"a member that nobody allowed", protocol.Dialect{Input: native(more)}, &protocol.Call{}, protocol.NoOpinion},
		{"a member that is left out", protocol.Dialect{Input: native(command, "x")}, &protocol.Call{}, protocol.NoOpinion},
		{"none at all", protocol.Dialect{Input: native(nil)}, &protocol.Call{}, protocol.NoOpinion},
		{"no call", protocol.Dialect{Input: native(command)}, nil, protocol.NoOpinion},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := &protocol.Event{Type: protocol.PreToolCall, Call: c.call, Can: protocol.CanAllow | protocol.CanModify}
			o, losses := c.dialect.Fit(ev, protocol.Outcome{Decision: protocol.Allow, Reason: "r", ModifiedInput: command}, protocol.Policy{})
			if o.Decision != c.want || c.want == protocol.NoOpinion && (o.Reason != "" || len(losses) == 0) {
				t.Errorf("%v %q, lost %v", o.Decision, o.Reason, losses)
			}
		})
	}
}
