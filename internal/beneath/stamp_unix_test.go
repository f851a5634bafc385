//go:build unix

package beneath

import (
	"os"
	"path/filepath"
	"slices"
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

// In the person's own folders a link has the stamp of what it leads to; in a project neither
// it nor what lies behind it has one.
func TestAStampOfALink(t *testing.T) {
	t.Parallel()
	dir, _ := project(t)
	must.Do(t, os.Symlink("file", filepath.Join(dir, "store", "link")))
	must.Do(t, os.Symlink("store", filepath.Join(dir, "folder")))
	for name, c := range map[string]struct {
		root *Root
		want string // which of the paths have the stamp of the file
	}{
		"a person's own": {nil, "store/file store/link folder/file"},
		"a project's":    {At(dir), "store/file"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := c.root.Folder(dir)
			must.Do(t, err)
			defer d.Close()
			var got []string
			for _, path := range []string{"store/file", "store/link", "store/none", "folder/file", "store"} {
				folder, file, _ := strings.Cut(path, "/")
				s := d.Stamp(folder, file, false)
				if s == (Stamp{}) {
					continue
				}
				if got = append(got, path); s != d.Stamp("store", "file", true) {
					t.Errorf("%s has another stamp", path)
				}
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("stamps of %s, want %s", got, c.want)
			}
		})
	}
}

// Folders and links are listed by their names to the byte, without files and what is hidden.
func TestChildren(t *testing.T) {
	t.Parallel()
	dir, _ := project(t)
	long := strings.Repeat("x", 255)
	for _, name := range []string{"a", "bcdefgh", "é b", long} {
		must.Do(t, os.Mkdir(filepath.Join(dir, "store", name), 0o700))
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "store", ".hidden"), 0o700))
	must.Do(t, os.Symlink("file", filepath.Join(dir, "store", "link")))
	d, err := At(dir).Folder(filepath.Join(dir, "store"))
	must.Do(t, err)
	defer d.Close()
	list, err := d.Children()
	must.Do(t, err)
	slices.SortFunc(list, func(a, b Child) int { return strings.Compare(a.Name, b.Name) })
	if want := []Child{{"a", false}, {"bcdefgh", false}, {"link", true}, {long, false}, {"é b", false}}; !slices.Equal(list, want) {
		t.Errorf("%+v", list)
	}
}

// A folder that cannot be asked counts as one that is not on this machine.
func TestAFolderThatIsGoneIsNotLocal(t *testing.T) {
	t.Parallel()
	if (&Folder{fd: -1}).Local() {
		t.Error("it is local")
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
