//go:build unix

package trust

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A folder that a group may write to is a user's own where the group holds nobody else.
func TestGroupsThatHoldAUserAlone(t *testing.T) {
	t.Parallel()
	const accounts = "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\nada2:x:1000:1000::/:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\neve:x:1002:50::/:/bin/sh\nbroken\n"
	const group = "root:x:0:\nada:x:1000:\nbob:x:1001:ada\nstaff:x:50:\nboth:x:60:ada,ada2\nmany:x:61:ada,bob\nshort:x:62\n"
	for _, c := range []struct {
		name, gid string
		alone     bool
	}{
		{"their own, without members", "1000", true},
		{"one in which both names are theirs", "60", true},
		{"one with somebody else", "61", false},
		{"the first group of somebody else", "50", false},
		{"the first group of somebody else, with them in it", "1001", false},
		{"one that the lists do not have", "999", false},
		{"one that is no line of the list", "62", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := holdsAlone("1000", c.gid, strings.Split(accounts, "\n"), strings.Split(group, "\n")); got != c.alone {
				t.Errorf("alone: %v", got)
			}
		})
	}
}

func TestWhoElseMayChangeAFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		mode  fs.FileMode
		other bool
	}{
		{"for the user alone", 0o600, false},
		{"run by everybody", 0o711, false},
		{"read by everybody", 0o744, false},
		{"written by everybody", 0o602, true},
		{"written and run by everybody", 0o703, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "file")
			if why := new(owners).others(moded(t, file, c.mode, -1)); (why != nil) != c.other {
				t.Error(why)
			}
		})
	}
}

// A file is somebody else's to change if its own mode or that of a folder around it in the
// project says so, and a folder if one around it does.
func TestWhoElseMayChangeWhatIsInAProject(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	file := filepath.Join(project, "a", "b", "file")
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must.Write(t, file, "x")
	for _, open := range []string{"", file, filepath.Dir(file), filepath.Dir(filepath.Dir(file)), project} {
		t.Run("everybody may write to "+open, func(t *testing.T) {
			if open != "" {
				was, err := os.Stat(open)
				must.Do(t, err)
				must.Do(t, os.Chmod(open, was.Mode()|0o002))
				defer os.Chmod(open, was.Mode())
			}
			ofFile := Others(project, file)
			ofFolder, err := Contained(context.Background(), project, filepath.Dir(file))
			must.Do(t, err)
			for _, why := range []error{ofFile, ofFolder} {
				if (why != nil) != (open != "") || why != nil && !strings.HasPrefix(why.Error(), open+": everybody may write to it") {
					t.Errorf("%v", why)
				}
			}
		})
	}
}

// Only root can give a folder to a group that it is not in.
func TestWhoElseMayReplaceWhatIsInAFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("root alone gives a folder away")
	}
	for _, c := range []struct {
		name  string
		mode  fs.FileMode
		group int
		other bool
	}{
		{"a group reads it", 0o755, 54321, false},
		{"a group writes to it", 0o775, 54321, true},
		{"a group writes to it, and nobody removes what is not theirs", 0o775 | fs.ModeSticky, 54321, false},
		{"root's group writes to it", 0o775, 0, false},
		{"everybody writes to it", 0o757, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if why := new(owners).steer(moded(t, filepath.Join(t.TempDir(), "file"), c.mode, c.group)); (why != nil) != c.other {
				t.Error(why)
			}
		})
	}
}

// moded makes a file with a mode, of a group or of the user's own if that is -1.
func moded(t *testing.T, path string, mode fs.FileMode, group int) fs.FileInfo {
	t.Helper()
	err := os.WriteFile(path, nil, 0o600)
	if err == nil && group >= 0 {
		err = os.Chown(path, -1, group)
	}
	if err == nil {
		err = os.Chmod(path, mode)
	}
	info, serr := os.Lstat(path)
	if err != nil || serr != nil {
		t.Fatal(err, serr)
	}
	return info
}
