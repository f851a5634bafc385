//go:build unix

package beneath

import (
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"
)

// A Stamp tells one state of a file from all others: whatever is written to a file, or
// put into its place, changes it, unless within one tick of the clock that files are
// stamped by. The zero value is of nothing.
type Stamp struct {
	dev, ino         uint64
	size             int64
	changed, written moment
}

// A moment is a time as files have it.
type moment struct{ sec, nsec int64 }

func momentOf(t unix.Timespec) moment { return moment{int64(t.Sec), int64(t.Nsec)} }

func stampOf(st *unix.Stat_t) Stamp {
	return Stamp{uint64(st.Dev), st.Ino, st.Size, momentOf(st.Ctim), momentOf(st.Mtim)}
}

// Settled reports whether what is written to the file after now will change the stamp:
// its last change is longer ago than any tick. A time without a fraction is of a file
// system that counts in seconds, and never settles.
func (s Stamp) Settled(now time.Time) bool {
	const tick = 100 * time.Millisecond
	return s.changed.nsec != 0 && now.Sub(time.Unix(s.changed.sec, s.changed.nsec)) > tick
}

// Beside reports whether two stamps are of one device.
func (s Stamp) Beside(other Stamp) bool { return s.dev == other.dev }

// StampSize is how long a stamp is in bytes.
const StampSize = 7 * 8

// Append adds the stamp to b, for whoever keeps it: the zero value as zeros.
func (s Stamp) Append(b []byte) []byte {
	for _, n := range [...]uint64{s.dev, s.ino, uint64(s.size), uint64(s.changed.sec), uint64(s.changed.nsec), uint64(s.written.sec), uint64(s.written.nsec)} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// Is reports whether kept is what Append made of the stamp. Nothing is the stamp of
// nothing.
func (s Stamp) Is(kept string) bool {
	var b [StampSize]byte
	return s != Stamp{} && string(s.Append(b[:0])) == kept
}

// Stamp is that of a file which [Folder.ReadStart] would read now; the zero value where
// it would not, or would have to go by a link that a stranger may have put there. known
// says that the folder is no link, which then is not asked.
func (d *Folder) Stamp(folder, file string, known bool) Stamp {
	var st unix.Stat_t
	flags := 0
	if d.in != nil {
		flags = unix.AT_SYMLINK_NOFOLLOW
		if !known && (unix.Fstatat(d.fd, folder, &st, flags) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR) {
			return Stamp{}
		}
	}
	s, regular := d.look(folder, file, flags)
	if !regular {
		return Stamp{}
	}
	return s
}

// Written is the size of a regular file in the folder, and when it was written, in nanoseconds,
// at the price of one system call: it is not opened. ok is false for anything else, such as
// a link in a project: [Root.Stat] then tells.
func (d *Folder) Written(file string) (size, at int64, ok bool) {
	flags := 0
	if d.in != nil {
		flags = unix.AT_SYMLINK_NOFOLLOW
		if d.in.alive(d.Path) != nil {
			return 0, 0, false
		}
	}
	s, regular := d.look(".", file, flags)
	return s.size, s.written.sec*int64(time.Second) + s.written.nsec, regular
}

// lookLong is the stamp of a file in a folder of this one, and whether it is a regular one.
func (d *Folder) lookLong(folder, file string, flags int) (s Stamp, regular bool) {
	var st unix.Stat_t
	if unix.Fstatat(d.fd, folder+"/"+file, &st, flags) != nil {
		return Stamp{}, false
	}
	return stampOf(&st), st.Mode&unix.S_IFMT == unix.S_IFREG
}

// Own is the stamp of the folder itself: of which names are in it, and what they lead
// to.
func (d *Folder) Own() Stamp {
	var st unix.Stat_t
	if unix.Fstat(d.fd, &st) != nil {
		return Stamp{}
	}
	return stampOf(&st)
}

// StampAt is the stamp of what lies at a path; the zero value where nothing does.
func StampAt(path string) Stamp {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil {
		return Stamp{}
	}
	return stampOf(&st)
}
