package runner

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A hook of a program that denies a call where a hook fails blocks where it fails, but not
// at its time limit, on another event, or where somebody decided otherwise.
func TestAHookOfAProgramThatFailsClosed(t *testing.T) {
	tongue := &protocol.Tongue{Name: "Shut", Shuts: []protocol.EventType{protocol.PreToolCall}}
	for _, c := range []struct {
		rule    string
		verdict Verdict
		on      protocol.EventType
		tongue  *protocol.Tongue
		onError discovery.OnError
		blocks  bool
	}{
		{"it failed", Failed, protocol.PreToolCall, tongue, "", true},
		{"it did not start", NotStarted, protocol.PreToolCall, tongue, "", true},
		{"its time was over", TimedOut, protocol.PreToolCall, tongue, "", false},
		{"its answer was none", BadOutput, protocol.PreToolCall, tongue, "", false},
		{"another event", Failed, protocol.PreAgentTurn, tongue, "", false},
		{"another program", Failed, protocol.PreToolCall, &protocol.Tongue{}, "", false},
		{"no program", Failed, protocol.PreToolCall, nil, "", false},
		{"somebody lets it", Failed, protocol.PreToolCall, tongue, discovery.OnErrorAllow, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r := Result{Hook: &discovery.Hook{Name: "h", Tongue: c.tongue, OnError: c.onError}, Verdict: c.verdict, Warning: "w"}
			r.applyPolicy(c.on, "")
			if blocks := r.Outcome.Decision == protocol.Block; blocks != c.blocks || blocks && r.Outcome.Reason != "w; its failure blocks (as in Shut)" {
				t.Errorf("blocks %v, %q", blocks, r.Outcome.Reason)
			}
		})
	}
}
