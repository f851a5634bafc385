package dispatch

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/must"
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
	h := host.New(w.command(nil, nil).Env, runtime.GOOS, w.project, testBinary, time.Now)
	payload, err := protocol.ParseObject([]byte(w.claude("Stop", `,"stop_hook_active":false`)))
	must.Do(t, err)
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

// A second mistake is told although the first one of its kind was, and of hundreds
// no more than a few, in lines that are not endless.
func TestNoticesDoNotHideEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "quiet", "trigger: pre-tool-call", "exit 0")
	toml := w.settings()
	say := func(id int, text string) string {
		w.file(toml, text, 0o644)
		return w.run(w.claude("PreToolUse", strings.Replace(bash, "toolu_1", fmt.Sprintf("toolu_%d", id), 1)), "--agent=claude-code").stdout
	}
	has(t, "the first mistake", say(1, "[hooks]\nonerror = \"block\"\n"), "onerror")
	has(t, "another one", say(2, "[hooks]\nprder = \"layer\"\n"), "prder")
	if out := say(3, "[hooks]\nprder = \"layer\"\n"); strings.Contains(out, "prder") {
		t.Errorf("told twice: %s", out)
	}
	many := "[hooks]\n"
	for i := range 300 {
		many += fmt.Sprintf("odd%d_%s = 1\n", i, strings.Repeat("x", 1000))
	}
	out := say(4, many)
	has(t, "a flood", out, "more of this kind: run `agents-hooks log`")
	if len(out) > 8<<10 {
		t.Errorf("%d bytes for a person to read", len(out))
	}
	if out := say(5, many+"odd_again = 1\n"); strings.Contains(out, "odd") || strings.Contains(out, "more of this kind") {
		t.Errorf("the flood goes on: %.500s", out)
	}
}
