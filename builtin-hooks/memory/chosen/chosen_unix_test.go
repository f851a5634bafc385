//go:build unix

package chosen

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// That an endpoint was late is recorded whatever stands in the file's place, without a wait for a pipe.
// BM-FND-11, BM-FND-12.
func TestAMarkIsMadeInPlaceOfAnything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, old, none := filepath.Join(dir, "pipe"), filepath.Join(dir, "old"), filepath.Join(dir, "none")
	must.Do(t, syscall.Mkfifo(Late(pipe), 0o600))
	must.Write(t, Late(old), "")
	for _, file := range []string{pipe, old} {
		must.Do(t, os.Chtimes(Late(file), time.Unix(1, 0), time.Unix(1, 0)))
	}
	for _, file := range []string{pipe, old, none} {
		if Resting(file, false) {
			t.Errorf("%s: it rests already", file)
		}
		must.Do(t, Mark(Late(file)))
		if !Resting(file, false) {
			t.Errorf("%s: it does not rest", file)
		}
	}
}
