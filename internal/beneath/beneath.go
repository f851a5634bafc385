// Package beneath opens, lists and changes files below a folder that may come from a
// stranger, such as a freshly cloned project. All access to such files goes through it;
// a test searches the code for any other.
//
//	in := beneath.Root{Dir: project, Ctx: event}
//	b, err := in.Read(filepath.Join(project, ".agents", "x.md"), 0)
//
// What it guarantees:
//
//   - Nothing outside the folder is reached. A link may lead to another place of the
//     project, which is common; one that leads out of it, or into its .git, is refused
//     with a message that names the link. Files are opened through [os.Root], so a link
//     that is created between the check and the opening leads nowhere either.
//   - Nothing is written through a link in place of the file, nor into a file that has a
//     second name (a hard link), which may be anywhere. Such a file may be read, since
//     git carries no hard links.
//   - Only regular files, opened without waiting: a pipe, a device, a socket or a folder
//     in place of a file is an error.
//   - Limits: the bytes of a file, the bytes in total, the entries of a folder, and the
//     context, which is checked before and while a file is read.
//
// A nil *Root is for the user's own folders, which may be links to anywhere: only
// regular files, without waiting, and with the caller's limit.
//
// Paths are absolute, so that errors name the place. A refusal is an error that wraps
// [ErrRefused], and is also reported to Root.Refused, so that the user learns of it
// even if the caller ignores unreadable files.
package beneath

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// ErrRefused is wrapped by the error for what is there but is not opened, and
// ErrNowhere as well by that for a link that leads to nothing, or in a round.
var (
	ErrRefused = errors.New("refused")
	ErrNowhere = errors.New("leads nowhere")
)

// The bounds of a Root.
const (
	MaxFile    = 64 << 20  // bytes of one file
	MaxTotal   = 256 << 20 // bytes of all files that one Root reads
	MaxEntries = 10_000    // of one folder
)

// At is a Root with neither an end nor anybody who is told.
func At(dir string) *Root { return &Root{Dir: filepath.Clean(dir)} }

// A Root is a folder, nothing outside of which is reached.
type Root struct {
	Dir string // absolute and clean
	// Ctx ends what is read; nil: nothing does.
	Ctx context.Context
	// Refused is told of each refusal; nil: nobody is.
	Refused func(error)
	// Touched is told each path before it is opened, listed or changed, so that a
	// test knows them all; nil: nobody is.
	Touched func(path string)

	top  *Root // what Dir is opened in, nil: it is opened as it is
	read atomic.Int64

	// The folder is opened once, where [keeps] allows it: as what changes are made in, and as what files are
	// opened in. Both are closed with the process, or where nobody has the Root any
	// more, as an [os.File] is.
	mu   sync.Mutex
	root *os.Root
	dir  *os.File
}

// Sub is the Root of a folder below, for what must not leave that one either; of a
// nil Root it is one of its own.
func (r *Root) Sub(dir string) *Root {
	if r == nil {
		return At(dir)
	}
	return &Root{Dir: dir, Ctx: r.Ctx, Refused: r.Refused, Touched: r.Touched, top: r}
}

// Why is the reason of an error of this package without the path that it is about,
// for whoever names that already; that of another error as it is.
func Why(err error) string {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.why
	}
	return safefile.Reason(err)
}

// A refusal is why something that is there is not opened.
type refusal struct {
	path, why string
	cause     error
}

func (r *refusal) Error() string {
	path := r.path
	if strings.ContainsFunc(path, func(c rune) bool { return !strconv.IsPrint(c) }) {
		path = strconv.Quote(path)
	}
	return path + ": " + r.why
}

func (r *refusal) Unwrap() []error { return []error{ErrRefused, r.cause} }

func (r *Root) refuse(path string, cause error, format string, args ...any) error {
	err := &refusal{path, fmt.Sprintf(format, args...), cause}
	if r != nil && r.Refused != nil {
		r.Refused(err)
	}
	return err
}

// LeaveOut reports a file that the caller does not read, like one that is refused.
func (r *Root) LeaveOut(path, format string, args ...any) {
	_ = r.refuse(path, safefile.ErrIrregular, format, args...)
}

// Open opens a regular file for reading.
func (r *Root) Open(path string) (*os.File, error) { return r.OpenFile(path, os.O_RDONLY, 0) }

// OpenFile opens a regular file as [os.OpenFile] does, but for writing not
// through a link.
func (r *Root) OpenFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	f, _, err := r.openRegular(path, flag, perm)
	return f, err
}

// openRegular is OpenFile, and what was opened.
func (r *Root) openRegular(path string, flag int, perm fs.FileMode) (f *os.File, info fs.FileInfo, err error) {
	writes := flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE) != 0
	if f, err = r.openAny(path, flag|atOnce, perm, writes); err != nil {
		return nil, nil, err
	}
	info, err = f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = r.refuse(path, safefile.ErrIrregular, "not a regular file but %s: put a file there, or remove it", safefile.Kind(info.Mode()))
	case flag&os.O_APPEND != 0 && r != nil && info.Size() > MaxFile:
		err = r.refuse(path, safefile.ErrIrregular, "%d bytes, over the limit of %d: nothing more is added", info.Size(), MaxFile)
	case flag&(os.O_APPEND|os.O_WRONLY) != 0 && r != nil && ManyNames(info):
		err = r.refuse(path, safefile.ErrIrregular, "has a second name (a hard link), which would be written too: put a copy in its place")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// OpenFolder opens a folder, for what can be done with it as a whole.
func (r *Root) OpenFolder(path string) (*os.File, error) {
	return r.openAny(path, os.O_RDONLY|folderOnly|atOnce, 0, false)
}

// openAny opens whatever path is.
func (r *Root) openAny(path string, flag int, perm fs.FileMode, writes bool) (f *os.File, err error) {
	if r == nil {
		f, err = os.OpenFile(path, flag, perm)
		return f, r.unwaited(path, err)
	}
	rest, err := r.rest(path)
	if err != nil {
		return nil, err
	}
	if f, done, err := r.plain(path, rest, flag, perm); done {
		return f, r.unwaited(path, err)
	}
	err = r.within(path, rest, writes, func(root *os.Root, rel string) (err error) {
		f, err = root.OpenFile(rel, flag, perm)
		return r.unwaited(path, err)
	})
	return f, err
}

// Read reads a whole regular file of at most max bytes; 0 is MaxFile.
func (r *Root) Read(path string, max int) ([]byte, error) {
	f, info, err := r.openRegular(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	switch {
	case max > 0:
	case r == nil:
		max = math.MaxInt
	default:
		max = MaxFile
	}
	if info.Size() > int64(max) {
		return nil, r.refuse(path, safefile.ErrIrregular, "%d bytes, over the limit of %d", info.Size(), max)
	}
	buf := make([]byte, 0, info.Size()+512)
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, len(buf))
		}
		// A part at a time, so that the end of the context is an end.
		n, err := f.Read(buf[len(buf):min(cap(buf), len(buf)+1<<20)])
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, err
		case len(buf) > max:
			return nil, r.refuse(path, safefile.ErrIrregular, "over the limit of %d bytes", max)
		}
		if err := r.spend(path, n); err != nil {
			return nil, err
		}
	}
}

// spend counts bytes, and looks whether there is time left.
func (r *Root) spend(path string, n int) error {
	if r == nil {
		return nil
	}
	if r.read.Add(int64(n)) > MaxTotal {
		return r.refuse(path, safefile.ErrIrregular, "not read: over %d bytes were read of this project", MaxTotal)
	}
	return r.alive(path)
}

func (r *Root) alive(path string) error {
	if r == nil || r.Ctx == nil || r.Ctx.Err() == nil {
		return nil
	}
	err := fmt.Errorf("%s: not read: the event has run out of time: %w", path, r.Ctx.Err())
	if r.Refused != nil {
		r.Refused(err)
	}
	return err // no refusal: the file is what it should be
}

// Stat is what path is, at the end of its links.
func (r *Root) Stat(path string) (info fs.FileInfo, err error) {
	if r == nil {
		return os.Stat(path)
	}
	rest, err := r.rest(path)
	if err != nil {
		return nil, err
	}
	if info, done, err := r.plainInfo(path, rest, false); done {
		return info, err
	}
	err = r.within(path, rest, false, func(root *os.Root, rel string) (err error) {
		info, err = root.Stat(rel)
		return err
	})
	return info, err
}

// Lstat is what path is, be it a link.
func (r *Root) Lstat(path string) (info fs.FileInfo, err error) {
	if r == nil {
		return os.Lstat(path)
	}
	rest, err := r.rest(path)
	if err != nil {
		return nil, err
	}
	if info, done, err := r.plainInfo(path, rest, true); done {
		return info, err
	}
	err = r.beside(path, func(root *os.Root, rel string) (err error) {
		info, err = root.Lstat(rel)
		return err
	})
	return info, err
}

// List is what lies in a folder, by name, at most [MaxEntries] of it: what is
// beyond is an error, beside the first of them.
func (r *Root) List(path string) ([]fs.DirEntry, error) {
	if r == nil {
		return os.ReadDir(path)
	}
	f, err := r.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []fs.DirEntry
	for {
		some, err := f.ReadDir(1000)
		all = append(all, some...)
		if err == nil && len(all) > MaxEntries {
			all, err = all[:MaxEntries], r.refuse(path, safefile.ErrIrregular, "more than %d entries: the others are passed over", MaxEntries)
		}
		if err == nil {
			err = r.alive(path)
		}
		if err != nil {
			order.By(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			if err == io.EOF {
				err = nil
			}
			return all, err
		}
	}
}

// Walk calls do for each file and folder below dir, as [filepath.WalkDir] does: by
// name, and through no link.
func (r *Root) Walk(dir string, do fs.WalkDirFunc) error {
	info, err := r.Lstat(dir)
	if err != nil {
		err = do(dir, nil, err)
	} else {
		err = r.walk(dir, fs.FileInfoToDirEntry(info), do)
	}
	if err == filepath.SkipDir || err == filepath.SkipAll {
		return nil
	}
	return err
}

func (r *Root) walk(path string, e fs.DirEntry, do fs.WalkDirFunc) error {
	if err := do(path, e, nil); err != nil || !e.IsDir() {
		if err == filepath.SkipDir && e.IsDir() {
			err = nil
		}
		return err
	}
	list, err := r.List(path)
	if err != nil {
		if err = do(path, e, err); err != nil {
			if err == filepath.SkipDir {
				err = nil
			}
			return err
		}
	}
	for _, one := range list {
		if err := r.walk(filepath.Join(path, one.Name()), one, do); err != nil {
			if err == filepath.SkipDir {
				break
			}
			return err
		}
	}
	return nil
}
