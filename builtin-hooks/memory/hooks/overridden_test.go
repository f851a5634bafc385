package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A session tells its person once that an edit of theirs was overridden by a later one on another
// machine, and of each that comes after; no more once they settled it.
// BM-SHR-28.
func TestASessionNamesOnceWhatALaterEditTookThePlaceOf(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	line := func(id, more string) protocol.Object {
		o, err := protocol.ParseObject([]byte(`{"id": "` + id + `", "type": "fact", "memory_type": "W", "content": "The ferry leaves at ten", "entities": [], "confidence": 0.9, "timestamp": "2026-11-20T09:00:00Z",
			"source": {"session": "", "own": "log-1", "author": "ann", "version": 3}, "earlier": [{"content": "The ferry leaves at nine", "at": "2026-11-20T10:00:00Z", "unsent": "2026-11-20T12:00:00Z"}]` + more + `}`))
		must.Do(t, err)
		return o
	}
	says := func(when string, want bool) {
		t.Helper()
		r.now = r.now.Add(time.Minute)
		if _, person := r.begin(); strings.Contains(person, "another machine") != want {
			t.Errorf("%s: the person is told %q", when, person)
		}
	}
	keep := func(list ...protocol.Object) {
		t.Helper()
		must.Do(t, r.place().KeepShared(memory.SharedFile("2026-11-20"), list, nil))
	}
	says("nothing shared", false)
	keep(line("team-a", ""))
	says("one", true)
	says("one, again", false)
	keep(line("team-b", ""))
	says("two", true)
	keep(line("team-a", `, "confirmed_at": "2026-11-20T13:00:00Z"`), line("team-b", `, "deleted_at": "2026-11-20T13:00:00Z"`))
	says("both settled", false)
}
