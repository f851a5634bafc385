package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var noon = time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC)

// Stored with a kind and an expiry, at most one of a kind, delivered once,
// removed when delivered or expired.
func TestDeferredTextsAreTakenOnce(t *testing.T) {
	t.Parallel()
	d := At(filepath.Join(t.TempDir(), "s"))
	if d.Waiting() {
		t.Error("something waits in a new session")
	}
	for _, item := range []Item{
		{"flush", "first", noon.Add(time.Hour)}, {"flush", "second", noon.Add(time.Hour)},
		{"review", "of yesterday", noon.Add(-time.Minute)}, {"plan", "a\nb", noon.Add(time.Minute)},
	} {
		must.Do(t, d.Defer(item))
	}
	if got, err := d.Take(noon, "flush"); err != nil || len(got) != 1 || got[0].Text != "second" {
		t.Fatalf("%v, %v", got, err)
	}
	if got, _ := d.Take(noon); len(got) != 1 || got[0].Text != "a\nb" {
		t.Fatalf("%v", got)
	}
	if got, _ := d.Take(noon); got != nil || d.Waiting() {
		t.Fatalf("delivered twice: %v", got)
	}
	must.Do(t, d.Defer(Item{"flush", "x", noon.Add(time.Hour)}))
	if err := errors.Join(d.Drop("flush")); err != nil || d.Waiting() {
		t.Error("dropped items wait", err)
	}
}

// Of two events that come at once, one delivers.
func TestOneOfManyDelivers(t *testing.T) {
	t.Parallel()
	d := At(t.TempDir())
	must.Do(t, d.Defer(Item{"flush", "x", noon.Add(time.Hour)}))
	var mu sync.Mutex
	var all sync.WaitGroup
	n := 0
	for range 20 {
		all.Go(func() {
			items, _ := d.Take(noon)
			mu.Lock()
			n += len(items)
			mu.Unlock()
		})
	}
	all.Wait()
	if n != 1 {
		t.Errorf("delivered %d times", n)
	}
}

// The same event within two seconds is handled once, and answered twice.
func TestOnce(t *testing.T) {
	t.Parallel()
	d := At(filepath.Join(t.TempDir(), "s"))
	ran := 0
	run := func(digest string, at time.Time) string {
		answer, err := d.Once("hook", digest, at, 2*time.Second, func() []byte {
			ran++
			return []byte{byte('0' + ran)}
		})
		must.Do(t, err)
		return string(answer)
	}
	for _, c := range []struct {
		name, digest string
		after        time.Duration
		want         string
	}{
		{"the first is run", "a", 0, "1"}, {"the same event within the time is not", "a", 1900 * time.Millisecond, "1"}, {"another event is", "b", 1900 * time.Millisecond, "2"},
		{"nor that one again", "b", 3800 * time.Millisecond, "2"}, {"it is when the time is over", "b", 3900 * time.Millisecond, "3"}, {"and later", "b", time.Hour, "4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run(c.digest, noon.Add(c.after)); got != c.want {
				t.Errorf("%s after %v: %s, want %s", c.digest, c.after, got, c.want)
			}
		})
	}
	// Two at once: the second waits for the first one's answer.
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, _ := d.Once("hook", "c", noon, 2*time.Second, func() []byte { ran++; return []byte("c") }); string(got) != "c" {
				t.Errorf("%q", got)
			}
		})
	}
	all.Wait()
	if ran != 5 {
		t.Errorf("ran %d times, want 5", ran)
	}
}

// Where nothing can be kept, hooks run all the same.
func TestOnceWithoutADirectory(t *testing.T) {
	t.Parallel()
	blocked := filepath.Join(t.TempDir(), "file")
	must.Write(t, blocked, "")
	for _, d := range []Dir{{}, At(filepath.Join(blocked, "s"))} {
		ran := 0
		if got, _ := d.Once("h", "x", noon, time.Second, func() []byte { ran++; return []byte("y") }); string(got) != "y" || ran != 1 {
			t.Errorf("%q, ran %d times", got, ran)
		}
		if d.Waiting() || d.Read("x") != nil || d.Spooled("x") != nil {
			t.Error("something is there")
		}
	}
	var none Dir
	if err := errors.Join(none.Defer(Item{}), none.Spool("m", "1", nil), none.Drain("m", nil), none.Drop("x")); err != nil {
		t.Error(err)
	}
}

// Where an answer can no longer be kept, what gave it is not run again.
func TestOnceRunsOnceThoughNothingIsKept(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a directory in use cannot be removed")
	}
	for _, answer := range [][]byte{nil, []byte("y")} {
		t.Run(string(answer), func(t *testing.T) {
			dir, ran := filepath.Join(t.TempDir(), "s"), 0
			got, err := At(dir).Once("h", "x", noon, time.Second, func() []byte {
				ran++
				must.Do(t, os.RemoveAll(dir))
				return answer
			})
			if err == nil || string(got) != string(answer) || ran != 1 {
				t.Errorf("%q, ran %d times: %v", got, ran, err)
			}
		})
	}
}

// Readers bear absence, truncation and unknown members; files are 0600,
// directories 0700.
func TestDamagedFilesCountAsNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "s")
	d := At(dir)
	set := func(o protocol.Object) protocol.Object { o.SetText("mine", "1"); return o }
	must.Do(t, d.Update("state", func(protocol.Object) protocol.Object {
		return protocol.Object{{Name: "theirs", Value: protocol.Raw("7")}}
	}))
	if err := d.Update("state", set); err != nil || string(d.Read("state").Get("theirs")) != "7" {
		t.Error("an unknown member is gone", err)
	}
	info, _ := os.Stat(dir)
	file, _ := os.Stat(filepath.Join(dir, "state.json"))
	if runtime.GOOS != "windows" && (info.Mode().Perm() != 0o700 || file.Mode().Perm() != 0o600) {
		t.Errorf("directory %v, file %v", info.Mode(), file.Mode())
	}
	for _, damage := range []string{"", "{", "{\"a\": ", "[]", "\x00\x00", strings.Repeat("{", 1000)} {
		t.Run(fmt.Sprintf("%.80q", damage), func(t *testing.T) {
			for _, name := range []string{"state.json", "deferred.json", "m.spool", "once-h.json"} {
				must.Write(t, filepath.Join(dir, name), damage)
			}
			if d.Read("state") != nil || len(d.Spooled("m")) != 0 {
				t.Errorf("%q was read as something", damage)
			}
			if items, err := d.Take(noon); err != nil || items != nil {
				t.Errorf("%q: %v, %v", damage, items, err)
			}
			if err := d.Update("state", set); err != nil || d.Read("state").Text("mine") != "1" {
				t.Errorf("%q stays in the way: %v", damage, err)
			}
			if got, err := d.Once("h", "x", noon, time.Second, func() []byte { return []byte("y") }); err != nil || string(got) != "y" {
				t.Errorf("%q: %q, %v", damage, got, err)
			}
			if err := errors.Join(d.Spool("m", "1", nil), d.Defer(Item{"k", "t", noon.Add(time.Hour)})); err != nil || len(d.Spooled("m")) != 1 {
				t.Errorf("%q: %v", damage, err)
			}
			_, _ = d.Take(noon)
		})
	}
}

// performance.md 5: a spool hands each record out until it was used, each id
// once, and takes new ones meanwhile.
func TestSpoolDrains(t *testing.T) {
	t.Parallel()
	d := At(t.TempDir())
	put := func(id, text string) {
		t.Helper()
		must.Do(t, d.Spool("m", id, protocol.Object{{Name: "t", Value: protocol.Quote(text)}}))
	}
	drain := func(use func([]protocol.Object) error) (got string, err error) {
		err = d.Drain("m", func(list []protocol.Object) error {
			for _, o := range list {
				got += o.Text("t")
			}
			return use(list)
		})
		return got, err
	}
	put("1", "a")
	put("2", "b")
	put("1", "again")
	broken := errors.New("no database")
	if got, err := drain(func([]protocol.Object) error { put("3", "c"); return broken }); got != "ab" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
	if n := len(d.Spooled("m")); n != 3 {
		t.Errorf("%d records are there, want 3", n)
	}
	fine := func([]protocol.Object) error { return nil }
	for _, want := range []string{"ab", "c", ""} {
		if got, err := drain(fine); got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}
