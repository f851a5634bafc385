package dispatch

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// What is lost is known before the answer is put together: it stands in the one
// answer that is encoded, also where the person is told of it in that answer, and
// where one native event becomes several.
func TestAnAnswerIsEncodedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "asks", "trigger: pre-agent-turn-stop", `echo '{"decision": "ask", "reason": "sure?"}'`)
	w.hook(w.userHooks(), "fails", "trigger: post-agent-turn", "exit 3")
	known, _ := agents.Lookup("claude-code")
	var outcomes []protocol.Outcome
	counting := *known
	counting.Encode = func(ev *protocol.Event, o protocol.Outcome) protocol.Reply {
		outcomes = append(outcomes, o)
		return known.Encode(ev, o)
	}
	h := host.New([]string{"HOME=" + w.home, "PATH=/usr/bin:/bin"}, runtime.GOOS, w.project, testBinary(t), time.Now)
	payload, err := protocol.ParseObject([]byte(w.claude("Stop", `,"stop_hook_active":false`)))
	if err != nil {
		t.Fatal(err)
	}
	events, err := known.Decode(protocol.Input{Payload: payload, Now: time.Now()})
	if err != nil || len(events) < 3 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	played := Play(context.Background(), h, &counting, events, false)
	if len(outcomes) != 1 {
		t.Fatalf("encoded %d times", len(outcomes))
	}
	if want := "cannot ask on pre-agent-turn-stop"; !strings.Contains(outcomes[0].UserMessage, want) || !strings.Contains(played.Answer.Stdout, want) {
		t.Errorf("nobody is told %q: %s", want, played.Answer.Stdout)
	}
}
