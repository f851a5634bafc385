//go:build unix

package dispatch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a stream keeps of files between two events changes no answer: whatever is edited
// in between, at once or within a tick of the clock, by whatever means, it answers as a
// process does that has read nothing before. Hooks of both layers are rewritten with the
// same length and the old time, swapped, linked, approved anew and taken away.
func TestAStreamSeesWhatAProcessSees(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dirs := []string{w.userHooks(), w.projectHooks()}
	var names []string
	for i, dir := range dirs {
		for k := range 4 {
			name := fmt.Sprintf("h-%d%d", i, k)
			names = append(names, filepath.Join(dir, name))
			w.hook(dir, name, "trigger: pre-tool-call\nmatcher:\n  pattern: none", `echo "$AGENTS_HOOKS_HOOK_NAME" >>"$HOME/ran"`)
		}
	}
	away := filepath.Join(filepath.Dir(w.project), "away")
	w.file(filepath.Join(away, "made"), "", 0o644)
	w.approve()
	e := &editor{w: w, rnd: rand.New(rand.NewPCG(7, 14)), hooks: names, away: away}
	l := w.talk(t)
	hits := 0
	rounds := slowtest.Count(25, 90)
	for i := range rounds {
		var did []string
		for range e.rnd.IntN(4) {
			did = append(did, e.edit())
		}
		line := strings.Replace(w.specEvent("pre-tool-call", shell), `"s-1"`, fmt.Sprintf(`"%%s-%d"`, i), 1)
		streamed := w.told(l.ask(fmt.Sprintf(line, "stream")))
		alone := w.told(w.run(fmt.Sprintf(line, "process"), "--json").stdout)
		if streamed != alone {
			t.Fatalf("round %d, after %q:\nstream  %s\nprocess %s", i, did, streamed, alone)
		}
		if strings.Contains(alone, "ran h-") {
			hits++
		}
	}
	if hits < rounds/5 {
		t.Errorf("a hook ran in %d rounds only: the edits say nothing", hits)
	}
}

// told is an answer without what only a stream says, and which hooks ran.
func (w *world) told(answer string) string {
	w.t.Helper()
	o, err := protocol.ParseObject([]byte(answer))
	if err != nil {
		w.t.Fatalf("%v: %q", err, answer)
	}
	o.Delete("line")
	file := filepath.Join(w.home, "ran")
	ran, _ := os.ReadFile(file)
	_ = os.Remove(file)
	return string(o.Raw()) + " ran " + strings.ReplaceAll(string(ran), "\n", " ")
}

// An editor does things to folders of hooks.
type editor struct {
	w     *world
	rnd   *rand.Rand
	hooks []string
	away  string // a folder outside of all layers
}

func (e *editor) one() string { return e.hooks[e.rnd.IntN(len(e.hooks))] }

// edit does one thing, and says which. What cannot be done just now is passed over.
func (e *editor) edit() string {
	dir := e.one()
	file := filepath.Join(dir, "HOOK.md")
	text := func(pattern string) []byte {
		return fmt.Appendf(nil, "---\nname: %s\ndescription: test\ntrigger: pre-tool-call\nmatcher:\n  pattern: %s\n---\n", filepath.Base(dir), pattern)
	}
	pattern := []string{"none", `"ls"`, "'ls'", "some"}[e.rnd.IntN(4)]
	write := func() {
		if info, err := os.Stat(file); err != nil || info.Mode().IsRegular() { // a pipe would be waited for
			_ = os.WriteFile(file, text(pattern), 0o644)
		}
	}
	switch what := e.rnd.IntN(12); what {
	case 0, 1, 2, 3: // of the same length, in place
		write()
		return "write " + pattern + " to " + file
	case 4: // and with the times that it had
		if info, err := os.Stat(file); err == nil {
			write()
			_ = os.Chtimes(file, info.ModTime(), info.ModTime())
		}
		return "write with the old time " + pattern + " to " + file
	case 5:
		_ = os.WriteFile(file+".new", text(pattern), 0o644)
		_ = os.Rename(file+".new", file)
		return "put " + pattern + " over " + file
	case 6: // the files keep all of their times
		_ = os.Rename(dir, dir+".x")
		other := e.one()
		_ = os.Rename(other, dir)
		_ = os.Rename(dir+".x", other)
		return "swap " + dir + " and " + other
	case 7:
		_ = os.Rename(file, filepath.Join(dir, "hook.md"))
		return "rename to hook.md in " + dir
	case 8:
		_ = os.Rename(filepath.Join(dir, "hook.md"), file)
		return "rename to HOOK.md in " + dir
	case 9: // a link in its place, to itself elsewhere: the file is the same in every respect
		if e.rnd.IntN(2) == 0 {
			away := filepath.Join(e.away, filepath.Base(dir))
			_ = os.Rename(dir, away)
			_ = os.Symlink(away, dir)
			return "away, and a link: " + dir
		}
		_ = os.Rename(file, file+".old")
		_ = os.Symlink("HOOK.md.old", file)
		return "a link in the place of " + file
	case 10: // what was there comes back, or a pipe
		if away, err := os.Readlink(dir); err == nil {
			_ = os.Remove(dir)
			_ = os.Rename(away, dir)
			return "back: " + dir
		}
		_ = os.Remove(file)
		if e.rnd.IntN(3) == 0 {
			_ = syscall.Mkfifo(file, 0o644)
			return "a pipe: " + file
		}
		_ = os.Rename(file+".old", file)
		return "back: " + file
	default:
		if e.rnd.IntN(2) == 0 {
			e.w.approve()
			return "approve"
		}
		settings := e.w.settings()
		_ = os.WriteFile(settings, fmt.Appendf(nil, "[[hooks.disable]]\nname = %q\n", filepath.Base(e.one())), 0o644)
		return "disable one"
	}
}
