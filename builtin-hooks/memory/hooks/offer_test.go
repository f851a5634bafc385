package hooks

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Of several sessions that nobody summarised each is offered, the newest three first, and each
// twice. BM-FBK-06.
func TestEachSessionIsOffered(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, id := range []string{"a", "b", "c", "d"} {
		s.event("memory-recall", "context", "prompt", `"job `+id+`"`, "source", `"user"`, "session_id", strconv.Quote(id))
		s.event("memory-nudge", "context", "tool_name", `"WriteFile"`, "tool_input", `{"file_path": "`+id+`.go"}`, "tool_use_id", strconv.Quote(id), "session_id", strconv.Quote(id))
		must.Do(t, Work(s.callOf(id), memory.End{Session: id, Reason: "other"}, nil))
		s.now = s.now.Add(time.Minute)
	}
	for i, want := range []string{"dcb", "dcb", "a", "a", ""} {
		got := s.event("memory-load", "context", "source", `"startup"`, "session_id", strconv.Quote("next-"+strconv.Itoa(i))).AdditionalContext
		asked := ""
		for _, line := range strings.Split(got, "\n") {
			if _, id, ok := strings.Cut(line, "--session "); ok && strings.Contains(line, "memory summary") {
				asked += id
			}
		}
		if asked != want || strings.Contains(got, "only noted automatically") != (want != "") {
			t.Errorf("start %d asks for %q, want %q:\n%s", i, asked, want, got)
		}
	}
}
