//go:build unix

package beneath

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The short way to a stamp finds what the long one does, of whatever lies there.
func TestAStampIsTheSameByBothWays(t *testing.T) {
	t.Parallel()
	dir, _ := project(t)
	long := strings.Repeat("x", 255)
	for _, folder := range []string{"plain", long, "é b"} {
		must.Do(t, os.MkdirAll(filepath.Join(dir, folder), 0o700))
		must.Do(t, os.WriteFile(filepath.Join(dir, folder, "HOOK.md"), []byte(folder), 0o600))
		must.Do(t, os.WriteFile(filepath.Join(dir, folder, long), nil, 0o600))
	}
	must.Do(t, os.Symlink("HOOK.md", filepath.Join(dir, "plain", "link")))
	must.Do(t, os.Mkdir(filepath.Join(dir, "plain", "folder"), 0o700))
	d, err := At(dir).Folder(dir)
	must.Do(t, err)
	defer d.Close()
	regular := 0
	for _, folder := range []string{"plain", long, "é b", "none", "a\x00b"} {
		for _, file := range []string{"HOOK.md", "link", "folder", "none", long, "HOOK.md/x", "HOOK.md\x00"} {
			for _, flags := range []int{0, unix.AT_SYMLINK_NOFOLLOW} {
				s, is := d.look(folder, file, flags)
				want, wanted := d.lookLong(folder, file, flags)
				if s != want || is != wanted {
					t.Errorf("%.20q %.20q %d: %v, %t, want %v, %t", folder, file, flags, s, is, want, wanted)
				}
				if is {
					regular++
				}
			}
		}
	}
	if regular != 13 {
		t.Errorf("%d regular files were found", regular)
	}
}

func BenchmarkStamp(b *testing.B) {
	dir := b.TempDir()
	must.Write(b, filepath.Join(dir, "hook-0001", "HOOK.md"), "")
	d, err := (*Root)(nil).Folder(dir)
	must.Do(b, err)
	defer d.Close()
	b.Run("short", func(b *testing.B) {
		for b.Loop() {
			if d.Stamp("hook-0001", "HOOK.md", true) == (Stamp{}) {
				b.Fatal("no stamp")
			}
		}
	})
	b.Run("long", func(b *testing.B) {
		for b.Loop() {
			d.lookLong("hook-0001", "HOOK.md", 0)
		}
	})
}
