package discovery

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A memo is not behind an edit that has neither another length nor, as far as the clock
// of the file system tells, another time than what was read.
func TestAMemoIsNotBehindAnEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(UserLayer, "h", preTool, "priority: 100")
	file := filepath.Join(w.user, "hooks", "h", "HOOK.md")
	w.src.Memo = new(Memo)
	for i := range 500 {
		want := 100 + i%7
		must.Write(t, file, fmt.Appendf(nil, "---\nname: h\ndescription: test\ntrigger: pre-tool-call\npriority: %d\n---\n", want))
		for range 2 {
			if got := w.event(protocol.PreToolCall).Hooks[0].Priority; got != want {
				t.Fatalf("edit %d: priority %d, want %d", i, got, want)
			}
		}
	}
}

// What lies still is kept, so that the test above says something, and within a bound.
func TestAMemoKeepsWhatLiesStill(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file has no stamp there")
	}
	w := newWorld(t)
	w.hook(UserLayer, "plain", preTool)
	w.hook(UserLayer, "odd", preTool, "colour: red") // a problem: read each time
	w.src.Memo = new(Memo)
	memo, dir := w.src.Memo, filepath.Join(w.user, "hooks", "plain")
	kept := w.kept(dir)
	w.event(protocol.PreToolCall)
	if memo.fronts[dir] != kept || len(memo.fronts) != 1 {
		t.Errorf("what was read once is read again, or what is odd is kept: %d kept", len(memo.fronts))
	}
	memo.size = maxMemo
	delete(memo.fronts, dir)
	memo.fronts["elsewhere"] = kept
	w.event(protocol.PreToolCall)
	if len(memo.fronts) != 1 || memo.fronts[dir] == nil || memo.size > maxMemo {
		t.Errorf("over its bound a memo begins anew: %d kept, %d bytes", len(memo.fronts), memo.size)
	}
}

// kept reads hooks until the memo keeps what one says: until its last change is old
// enough.
func (w *world) kept(dir string) *memorized {
	for w.src.Memo.fronts[dir] == nil {
		w.event(protocol.PreToolCall)
	}
	return w.src.Memo.fronts[dir]
}

// The file is the same in each respect, and so are its times; the way to it leads out
// of the project now.
func TestAMemoGoesByNoLink(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file has no stamp there")
	}
	for what, swap := range map[string]func(dir, away string){
		"folder": func(dir, away string) { _ = os.Rename(dir, away); _ = os.Symlink(away, dir) },
		"file": func(dir, away string) {
			file := filepath.Join(dir, "HOOK.md")
			_ = os.Rename(file, away)
			_ = os.Symlink(away, file)
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.src.TrustAlways, w.src.Memo = true, new(Memo)
			dir := w.hook(ProjectLayer, "h", preTool)
			w.kept(dir)
			swap(dir, filepath.Join(w.root, "away"))
			got := w.event(protocol.PreToolCall)
			w.src.Memo = nil
			want := w.event(protocol.PreToolCall)
			if len(got.Ready(protocol.PreToolCall)) != 0 || fmt.Sprint(got.Problems, got.Hooks[0].Problems) != fmt.Sprint(want.Problems, want.Hooks[0].Problems) {
				t.Errorf("with what was kept: %v\nwithout: %v", got.Hooks[0].Problems, want.Hooks[0].Problems)
			}
		})
	}
}
