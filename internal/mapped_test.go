package internal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/mapped"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

func TestAFileIsReadAsItLies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := strings.Repeat("0123456789abcdef", 1000)
	for name, content := range map[string]string{"some": want, "none": ""} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			must.Write(t, path, content)
			f, err := mapped.Open(path, 1<<20)
			if err != nil || string(f.Bytes) != content {
				t.Fatalf("%s: %d bytes, %v", name, len(f.Bytes), err)
			}
			f.Close()
			f.Close()
			if err := os.Remove(path); err != nil {
				t.Errorf("%s is still held: %v", name, err)
			}
		})
	}
	var none *mapped.File
	none.Close()
}

func TestWhatIsNoFileOrTooLargeIsNotMapped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := mapped.Open(dir, 10); !errors.Is(err, safefile.ErrIrregular) {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(dir, "large")
	must.Write(t, path, make([]byte, 11))
	if _, err := mapped.Open(path, 10); err == nil || !strings.Contains(err.Error(), "over the limit of 10") {
		t.Errorf("a large file: %v", err)
	}
	f, err := mapped.Open(path, 11)
	must.Do(t, err)
	if len(f.Bytes) != 11 {
		t.Errorf("as large as may be: %d bytes", len(f.Bytes))
	}
	f.Close()
	if _, err := mapped.Open(filepath.Join(dir, "no"), 10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
}
