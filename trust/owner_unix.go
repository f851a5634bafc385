//go:build unix

package trust

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// owners tells whether others than this user may change a file.
type owners struct {
	private map[uint32]bool // groups that hold nobody else, as far as they were asked for
}

// others is why somebody else may change a file, nil if nobody may. A group that
// contains only this user, as most systems make one for each, counts as the user.
func (o *owners) others(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode(); {
	case !ok:
		return fmt.Errorf("its owner is unknown")
	case int(st.Uid) != os.Geteuid():
		return fmt.Errorf("it belongs to another user (%d)", st.Uid)
	case mode&fs.ModeSymlink != 0:
		return nil // the modes of links mean nothing
	case mode.Perm()&0o002 != 0:
		return fmt.Errorf("everybody may write to it (mode %04o)", mode.Perm())
	case mode.Perm()&0o020 != 0 && !o.own(st.Gid):
		return fmt.Errorf("a group may write to it (mode %04o)", mode.Perm())
	}
	return nil
}

// Steered says why somebody else can decide the contents of one of this user's
// directories, nil if nobody can: the owner of it or of a folder above it, and anyone
// who can write there, can replace it. Root is ignored, and in a folder such as /tmp
// (sticky) nobody can remove what is not theirs. A directory that does not exist yet
// will be created in its nearest existing ancestor.
func Steered(dir string) error {
	var o owners
	at := dir
	real, err := filepath.EvalSymlinks(at)
	for ; err != nil && at != filepath.Dir(at); real, err = filepath.EvalSymlinks(at) {
		at = filepath.Dir(at)
	}
	for up := real; err == nil; up = filepath.Dir(up) {
		info, lerr := os.Lstat(up)
		if lerr != nil {
			return nil // gone again
		}
		if why := o.steer(info); why != nil {
			return fmt.Errorf("%s: %w", up, why)
		}
		if up == filepath.Dir(up) {
			return nil
		}
	}
	return nil
}

// steer is why others than this user and root could replace what is in a folder.
func (o *owners) steer(info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch mode := info.Mode(); {
	case !ok || int(st.Uid) != os.Geteuid() && st.Uid != 0: // mutant: where tests run as root, both are the same
		return o.others(info)
	case mode&fs.ModeSticky != 0:
		return nil
	case mode.Perm()&0o002 != 0, mode.Perm()&0o020 != 0 && st.Gid != 0 && !o.own(st.Gid):
		return fmt.Errorf("others may write to it (mode %04o)", mode.Perm())
	}
	return nil
}

// own reports whether a group holds this user and nobody else.
func (o *owners) own(gid uint32) bool {
	own, known := o.private[gid]
	if !known {
		own = holdsAlone(strconv.Itoa(os.Geteuid()), strconv.Itoa(int(gid)), lines("/etc/passwd"), lines("/etc/group"))
		if o.private == nil {
			o.private = map[uint32]bool{}
		}
		o.private[gid] = own
	}
	return own
}

// holdsAlone reports whether a group has one user and nobody else, by the system's own
// lists. A group that is defined elsewhere counts as one of others.
func holdsAlone(uid, gid string, passwd, group []string) bool {
	names := map[string]bool{"": true} // the user's
	for _, line := range passwd {      // name:password:uid:gid:…
		f := strings.Split(line, ":")
		switch {
		case len(f) < 4:
		case f[2] == uid:
			names[f[0]] = true
		case f[3] == gid:
			return false
		}
	}
	for _, line := range group { // name:password:gid:members
		if f := strings.Split(line, ":"); len(f) == 4 && f[2] == gid {
			return !slices.ContainsFunc(strings.Split(f[3], ","), func(member string) bool { return !names[member] })
		}
	}
	return false
}

func lines(file string) []string {
	b, err := safefile.Read(file, 4<<20)
	if err != nil {
		return nil
	}
	return strings.Split(string(b), "\n")
}
