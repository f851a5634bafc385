package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

const wait = 30 * time.Second // a hang guard, never what a test waits for

func TestUpdate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "state.json")
	set := func(content string) func([]byte) ([]byte, error) {
		return func([]byte) ([]byte, error) { return []byte(content), nil }
	}
	must.Do(t, Update(path, wait, func(old []byte) ([]byte, error) {
		if old != nil {
			t.Errorf("old content of a new file is %q, want nil", old)
		}
		return []byte("one"), nil
	}))
	want(t, path, "one")
	must.Do(t, UpdateDurable(path, wait, func(old []byte) ([]byte, error) { return append(old, " two"...), nil }))
	want(t, path, "one two")

	t.Run("nil leaves the file", func(t *testing.T) {
		must.Do(t, Update(path, wait, func([]byte) ([]byte, error) { return nil, nil }))
		want(t, path, "one two")
	})
	t.Run("the same content is not written again", func(t *testing.T) {
		before := stat(t, path)
		must.Do(t, Update(path, wait, set("one two")))
		if !os.SameFile(before, stat(t, path)) {
			t.Error("the file was replaced")
		}
	})
	t.Run("an error of change is returned as it is and writes nothing", func(t *testing.T) {
		mine := errors.New("mine")
		if err := Update(path, wait, func([]byte) ([]byte, error) { return []byte("x"), mine }); err != mine {
			t.Errorf("error %v, want %v", err, mine)
		}
		want(t, path, "one two")
	})
	t.Run("empty content empties the file", func(t *testing.T) {
		must.Do(t, Update(path, wait, func([]byte) ([]byte, error) { return []byte{}, nil }))
		want(t, path, "")
	})
	t.Run("nothing but the file and its lock stays", func(t *testing.T) {
		if names := list(t, filepath.Dir(path)); names != "state.json state.json.lock" {
			t.Errorf("directory holds %s", names)
		}
	})
	if runtime.GOOS == "windows" {
		return
	}
	t.Run("modes are 0700 and 0600", func(t *testing.T) {
		for name, mode := range map[string]fs.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + ".lock": 0o600} {
			t.Run(filepath.Base(name), func(t *testing.T) {
				if got := stat(t, name).Mode().Perm(); got != mode {
					t.Errorf("%s has mode %o, want %o", name, got, mode)
				}
			})
		}
	})
}

func TestReadAbsent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if b, err := Read(filepath.Join(dir, "none")); b != nil || err != nil {
		t.Errorf("Read of nothing = %q, %v", b, err)
	}
	if _, err := Read(dir); err == nil {
		t.Error("Read of a directory is no error")
	}
	if names := list(t, dir); names != "" {
		t.Errorf("Read made %s", names)
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log", "day.jsonl")
	must.Do(t, Append(path, wait, []byte("one")))
	must.Do(t, Append(path, wait, []byte("two\n")))
	want(t, path, "one\ntwo\n")
	for _, lines := range []string{"a\nb", "\nb", "a\n\n"} {
		if err := Append(path, wait, []byte(lines)); err == nil {
			t.Errorf("two lines in one are no error: %q", lines)
		}
	}
	want(t, path, "one\ntwo\n")
	line := []byte("threexxxx")[:5:9]
	must.Do(t, Append(path, wait, line))
	if string(line[:9]) != "threexxxx" {
		t.Errorf("the caller's memory was written: %q", line[:9])
	}
}

func TestAppendCutsOffUnfinishedLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	for name, torn := range map[string][2]string{
		"short":         {"one\n", "tw"},
		"long":          {"one\n", long},
		"only line":     {"", "tw"},
		"only, long":    {"", long},
		"long before":   {long + "\n", "tw"},
		"block borders": {strings.Repeat("y", 4095) + "\n", strings.Repeat("z", 4096)},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			must.Do(t, os.WriteFile(path, []byte(torn[0]+torn[1]), 0o600))
			must.Do(t, Append(path, wait, []byte("next")))
			want(t, path, torn[0]+"next\n")
		})
	}
}

// It does not run beside other tests: a process that one of them forks has our lock, which is
// given back, until it starts its program.
func TestLockWaitIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	held := make(chan struct{})
	done := make(chan error, 1)
	release := make(chan struct{})
	go func() {
		done <- Update(path, wait, func([]byte) ([]byte, error) {
			close(held)
			<-release
			return []byte("holder"), nil
		})
	}()
	<-held
	for name, err := range map[string]error{
		"Update": Update(path, 20*time.Millisecond, func([]byte) ([]byte, error) {
			t.Error("change ran without the lock")
			return nil, nil
		}),
		"Append":       Append(path, 20*time.Millisecond, []byte("x")),
		"no wait":      Append(path, 0, []byte("x")),
		"negative one": Append(path, -time.Second, []byte("x")),
	} {
		t.Run(name, func(t *testing.T) {
			if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path+".lock") {
				t.Errorf("error %v, want ErrLocked that names the lock", err)
			}
		})
	}
	close(release)
	must.Do(t, <-done)
	must.Do(t, Update(path, 0, func(old []byte) ([]byte, error) { return append(old, '!'), nil }))
	want(t, path, "holder!")
}

func TestKeep(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "trust.json")
	at := time.Date(2026, 11, 21, 4, 5, 6, 0, time.FixedZone("", 3600))
	for _, suffix := range []string{".corrupt-20261121T030506Z", ".corrupt-20261121T030506Z-2"} {
		kept, err := Keep(path, at, []byte("{broken"+suffix))
		must.Do(t, err)
		if kept != path+suffix {
			t.Errorf("kept as %s, want %s", kept, path+suffix)
		}
		want(t, kept, "{broken"+suffix)
	}
}

// What a killed writer left beside a file is gone with the next write of it, and
// nothing else is; what cannot be removed is in nobody's way.
func TestTheNextWriterClearsAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	put := func(name string) {
		t.Helper()
		must.Write(t, filepath.Join(dir, name), "half")
	}
	put("a.tmp-next")
	put("a.tmp-mine")
	put("b.tmp-next")
	write := func(text string) {
		t.Helper()
		must.Do(t, Update(path, time.Second, func([]byte) ([]byte, error) { return []byte(text), nil }))
		if b, err := os.ReadFile(path); string(b) != text || err != nil {
			t.Errorf("%q, %v", b, err)
		}
	}
	write("one")
	left := func() (names []string) {
		list, err := os.ReadDir(dir)
		must.Do(t, err)
		for _, e := range list {
			names = append(names, e.Name())
		}
		return names
	}
	if have := left(); !slices.Equal(have, []string{"a", "a.lock", "a.tmp-mine", "b.tmp-next"}) {
		t.Errorf("left %q", have)
	}
	must.Do(t, os.MkdirAll(filepath.Join(dir, "a.tmp-next", "full"), 0o700))
	write("two")
	if have := left(); len(have) != 5 {
		t.Errorf("left %q", have)
	}
}

func BenchmarkAppend(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log")
	for b.Loop() {
		must.Do(b, Append(path, wait, []byte(`{"v":1}`)))
	}
}

func BenchmarkUpdate(b *testing.B) {
	path := filepath.Join(b.TempDir(), "state")
	n := byte(0)
	for b.Loop() {
		n++
		must.Do(b, Update(path, wait, func([]byte) ([]byte, error) { return []byte{n}, nil }))
	}
}

func want(t *testing.T, path, content string) {
	t.Helper()
	b, err := Read(path)
	must.Do(t, err)
	if string(b) != content {
		t.Errorf("%s holds %q, want %q", path, b, content)
	}
}

func stat(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	must.Do(t, err)
	return info
}

func list(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.Do(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestReplaceHeld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "file")
	for _, text := range []string{"one", "two"} {
		must.Do(t, ReplaceHeld(path, text == "two", []byte(text)))
		want(t, path, text)
	}
	if names := list(t, filepath.Dir(path)); names != "file" {
		t.Errorf("directory holds %s", names)
	}
}

// What cannot be put in its place is not left beside it.
func TestNothingIsLeftBesideWhatCannotBeReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(dir, "file", "in it"), 0o700))
	if err := ReplaceHeld(filepath.Join(dir, "file"), false, []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if names := list(t, dir); names != "file" {
		t.Errorf("directory holds %s", names)
	}
}

// In a file that people edit, a last line without an end is what somebody typed.
// BM-HND-01.
func TestAddKeepsALineThatHasNoEnd(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	must.Do(t, Store{}.Add(path, wait, []byte("one")))
	must.Do(t, os.WriteFile(path, []byte("one\ntyped by hand"), 0o600))
	must.Do(t, Store{}.Add(path, wait, []byte("two")))
	must.Do(t, AddHeld(path, []byte("three")))
	want(t, path, "one\ntyped by hand\ntwo\nthree\n")
}
