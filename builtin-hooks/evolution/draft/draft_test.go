package draft

import (
	"reflect"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

const failed = "- bash: `npx tsc` (10:00) [FAILED]\n  - signal:error:typescript (count: 1, at: 10:00)\n  - failure: aaaa kind=k1 exit=1 text=Type 'a' is not assignable to type 'b'\n"

// Where another command of the same kind ended a failure, the last one that succeeded is the
// proof; and what is listed are files and commands that may have helped, each once, six at most.
func TestWhatADraftIsMadeOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, then, proof string
		changed           []string
	}{
		{"the same command", "- edit: `a.ts` (10:01)\n- bash: `npx tsc` (10:02)\n- bash: `go test ./...` (10:03)\n", "npx tsc", []string{"a.ts"}},
		{"one of its kind", "- edit: `a.ts` (10:01)\n- bash: `npm run generate` (10:02)\n- bash: `npm run typecheck` (10:03)\n", "npm run typecheck", []string{"a.ts", "npm run generate"}},
		{"one that shows the same to be over", "- bash: `npm run generate` (10:01)\n- bash: `npm run build` (10:02)\n- edit: `a.ts` (10:03)\n", "npm run build", []string{"npm run generate", "npm run build", "a.ts"}},
		{"what only looks, failed or came before", "- bash: `ls` (10:01)\n- edit: `a.ts` (10:01)\n- edit: `a.ts` (10:01)\n- bash: `make x` (10:02) [FAILED]\n  - signal:error:build_failure (count: 1, at: 10:02)\n- bash: `npx tsc` (10:03)\n", "npx tsc", []string{"a.ts"}},
		{"many", "- edit: `1` (10:01)\n- edit: `2` (10:01)\n- edit: `3` (10:01)\n- edit: `4` (10:01)\n- edit: `5` (10:01)\n- edit: `6` (10:01)\n- edit: `7` (10:01)\n- bash: `npx tsc` (10:02)\n", "npx tsc", []string{"1", "2", "3", "4", "5", "6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := journal.Parse("# Session Journal\n\n" + failed + "- edit: `before.ts` (10:00)\n" + failed + c.then)
			list := Of(&j, "s", now)
			want := []Draft{{Session: "s", At: now, Failed: "npx tsc", Times: 2, Message: "Type 'a' is not assignable to type 'b'", Signals: []string{"error:typescript"}, Changed: c.changed, Proof: c.proof}}
			if !reflect.DeepEqual(list, want) {
				t.Errorf("%+v\nwant %+v", list, want)
			}
		})
	}
}

// A draft is read as it was written, also what came often.
func TestADraftStaysAsItWas(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := Draft{Session: "s", At: now, Failed: "x", Times: 112, Message: "m", Signals: []string{"error:oom"}, Changed: []string{"a", "b"}, Proof: "y"}
	must.Do(t, Keep(dir, "scope", []Draft{d}))
	list, err := List(dir, "scope", now)
	if err != nil || len(list) != 1 || !list[0].At.Equal(now) {
		t.Fatalf("%+v %v", list, err)
	}
	list[0].At = now
	if !reflect.DeepEqual(list[0], d) {
		t.Errorf("%+v\nwant %+v", list[0], d)
	}
	for n, want := range []int{1, 2} {
		if told, ok, err := Tell(dir, "scope", now); err != nil || !ok || told.Told != want || told.Session != "s" {
			t.Errorf("telling %d: %+v %v %v", n, told, ok, err)
		}
	}
	if _, ok, err := Tell(dir, "scope", now); ok || err != nil {
		t.Errorf("told a third time: %v", err)
	}
}
