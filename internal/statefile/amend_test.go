package statefile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must.Do(t, err)
	_, err = f.WriteString(text)
	must.Do(t, err)
	must.Do(t, f.Close())
}

func TestAmendCarriesOverWhatOthersWriteMeanwhile(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name      string
		was       string
		meanwhile func(t *testing.T, path string)
		asked     int
		want      string
	}{
		{"nothing", "a\nb\n", func(*testing.T, string) {}, 1, "A\nB\n"},
		{"a line is appended", "a\nb\n", func(t *testing.T, path string) { add(t, path, "c\n") }, 1, "A\nB\nc\n"},
		{"a line without an end is appended", "a\n", func(t *testing.T, path string) { add(t, path, "c") }, 1, "A\nc\n"},
		{"an unfinished line is finished", "a\nb", func(t *testing.T, path string) { add(t, path, "c\nd\n") }, 1, "A\nBc\nd\n"},
		{"a line is appended to an empty file", "", func(t *testing.T, path string) { add(t, path, "c\n") }, 1, "c\n"},
		{"a line is changed in place", "a\nb\n", func(t *testing.T, path string) { must.Do(t, os.WriteFile(path, []byte("a\nx\n"), 0o600)) }, 2, "A\nX\n"},
		{"a line is taken out", "a\nb\n", func(t *testing.T, path string) { must.Do(t, os.WriteFile(path, []byte("a\n"), 0o600)) }, 2, "A\n"},
		{"an editor puts another file there", "a\nb\n", func(t *testing.T, path string) {
			must.Do(t, os.WriteFile(path+"~", []byte("a\nb\nc\n"), 0o600))
			must.Do(t, os.Rename(path+"~", path))
		}, 2, "A\nB\nC\n"},
		{"the file is removed", "a\nb\n", func(t *testing.T, path string) { must.Do(t, os.Remove(path)) }, 2, "NEW\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lines")
			must.Do(t, os.WriteFile(path, []byte(row.was), 0o600))
			asked := 0
			must.Do(t, Store{}.Amend(path, wait, func(old []byte) ([]byte, error) {
				if asked++; asked == 1 {
					row.meanwhile(t, path)
				}
				if old == nil {
					old = []byte("new\n")
				}
				return []byte(strings.ToUpper(string(old))), nil
			}))
			if row.was != "" { // else nothing is written
				want(t, path, row.want)
			}
			if asked != row.asked {
				t.Errorf("asked %d times, want %d", asked, row.asked)
			}
			if left, err := filepath.Glob(path + tempMark + "*"); err != nil || len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func TestAmendFindsWhatIsWrittenIntoTheFileThatItReplaced(t *testing.T) {
	t.Parallel()
	if !replacesOpen {
		t.Skip("a file that is open is not replaced here")
	}
	path := filepath.Join(t.TempDir(), "lines")
	must.Do(t, os.WriteFile(path, []byte("a\nb"), 0o600))
	hand, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must.Do(t, err)
	defer hand.Close()
	w, err := Store{}.watch(path)
	must.Do(t, err)
	defer w.close()
	must.Do(t, os.WriteFile(path+"~", []byte("A\nB"), 0o600))
	must.Do(t, os.Rename(path+"~", path))
	for _, part := range []string{"c\n", "d\n"} {
		_, err = hand.WriteString(part)
		must.Do(t, err)
		must.Do(t, w.late(path, true))
		must.Do(t, w.late(path, true))
	}
	want(t, path, "A\nBc\nd\n")
	add(t, path, "e") // into the new one, without an end
	_, err = hand.WriteString("f\n")
	must.Do(t, err)
	must.Do(t, w.late(path, true))
	want(t, path, "A\nBc\nd\ne\nf\n")
}

func TestNoAppendedLineIsLostWhileAFileIsAmended(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lines")
	must.Do(t, os.WriteFile(path, []byte("0\n"), 0o600))
	done := make(chan bool)
	const lines = 2000
	go func() {
		defer close(done)
		for i := range lines {
			add(t, path, fmt.Sprintf("line %d\n", i))
		}
	}()
	changes := 0
	for going := true; going; changes++ {
		select {
		case <-done:
			going = false
		default:
		}
		must.Do(t, Store{}.Amend(path, wait, func(old []byte) ([]byte, error) {
			_, rest, _ := strings.Cut(string(old), "\n")
			return []byte(fmt.Sprintf("%d\n", changes+1) + rest), nil
		}))
	}
	b, err := os.ReadFile(path)
	must.Do(t, err)
	for i := range lines {
		if line := fmt.Sprintf("\nline %d\n", i); strings.Count(string(b), line) != 1 {
			t.Errorf("line %d stands there %d times", i, strings.Count(string(b), line))
		}
	}
	if first, _, _ := strings.Cut(string(b), "\n"); first != fmt.Sprint(changes) {
		t.Errorf("the first line is %q after %d changes", first, changes)
	}
}

// A line that comes in two writes is whole, whoever else appends and whatever is changed meanwhile.
func TestAmendWaitsForTheEndOfALineThatIsBeingWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lines")
	must.Do(t, os.WriteFile(path, []byte("0\n"), 0o600))
	done := make(chan bool)
	const lines = 60
	go func() {
		defer close(done)
		for i := range lines {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			must.Do(t, err)
			_, err = fmt.Fprintf(f, "line %d ", i)
			must.Do(t, err)
			time.Sleep(2 * time.Millisecond)
			_, err = fmt.Fprintf(f, "ends %d\n", i)
			must.Do(t, err)
			must.Do(t, f.Close())
		}
	}()
	for going, changes := true, 1; going; changes++ {
		select {
		case <-done:
			going = false
		default:
		}
		must.Do(t, Store{}.Amend(path, wait, func(old []byte) ([]byte, error) {
			_, rest, _ := strings.Cut(string(old), "\n")
			return []byte(fmt.Sprintf("%d\n", changes) + rest), nil
		}))
	}
	b, err := os.ReadFile(path)
	must.Do(t, err)
	for i := range lines {
		if line := fmt.Sprintf("\nline %d ends %d\n", i, i); strings.Count(string(b), line) != 1 {
			t.Errorf("line %d stands there %d times", i, strings.Count(string(b), line))
		}
	}
}
