package build

import (
	"debug/buildinfo"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The build found in a program is the one that Go's own reader finds.
func TestBuildIsReadAsGoReadsIt(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must.Do(t, err)
	info, err := buildinfo.ReadFile(self)
	must.Do(t, err)
	if got, err := Of(self); err != nil || got != from(info) {
		t.Errorf("%+v, %v; want %+v", got, err, from(info))
	}
	if _, err := Of(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A mark without a record, as this program has among its texts, is skipped, wherever
// the real one begins; a truncated file has none.
func TestBuildIsFoundWhereverItLies(t *testing.T) {
	t.Parallel()
	text := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	mark := "\xff Go buildinf:"
	build := text([]byte(mark+"\x00\x02"+strings.Repeat("\x00", 16)), "go1.26.8")
	build = text(build, strings.Repeat("<", 16)+"path\tp\nmod\texample.com/p\tv1.2.3\th1:\nbuild\tvcs.revision=abc\n"+strings.Repeat(">", 16))
	dir := t.TempDir()
	for _, at := range []int{0, 64, 1 << 16, 1<<20 - 16, 1 << 20, 3<<20 - 48} {
		b := []byte(strings.Repeat("\x00", at))
		if at >= 64 {
			copy(b[3:], build)                                       // not at a multiple of 16
			copy(b[at-32:], mark+"\x00\x00"+strings.Repeat("x", 16)) // the form of Go 1.17
		}
		path := filepath.Join(dir, "program")
		must.Write(t, path, append(b, build...))
		if got, err := Of(path); err != nil || got.version != "v1.2.3" || got.Commit != "abc" {
			t.Errorf("at %d: %+v, %v", at, got, err)
		}
		must.Do(t, os.Truncate(path, int64(len(b)+len(build)-1)))
		if got, err := Of(path); err == nil {
			t.Errorf("cut off at %d: %+v", at, got)
		}
	}
}
