package beneath

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// errNotPlain is that of a path with a link on the way, or of a kernel that cannot
// see to it: then the long way is gone.
var errNotPlain = errors.New("a link on the way")

// openPlain opens what lies below an open folder with no link on the way, in one
// call of the kernel, which sees to that itself.
func openPlain(dir int, rest string, flag int, perm fs.FileMode) (int, error) {
	how := unix.OpenHow{Flags: uint64(flag | unix.O_CLOEXEC), Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS}
	if flag&unix.O_CREAT != 0 {
		how.Mode = uint64(perm.Perm())
	}
	for {
		fd, err := unix.Openat2(dir, rest, &how)
		switch err {
		case unix.EINTR:
		case nil, unix.ENOENT, unix.ENOTDIR, unix.EACCES, unix.EISDIR, unix.ENXIO, unix.EEXIST:
			return fd, err
		default:
			return fd, errNotPlain
		}
	}
}

// plain opens what lies below the folder with no link on the way; done is false
// where the long way has to be gone.
func (r *Root) plain(path, rest string, flag int, perm fs.FileMode) (f *os.File, done bool, err error) {
	dir, err := r.folder()
	if err != nil {
		return nil, true, err
	}
	rest = cmp.Or(rest, ".")
	fd, err := openPlain(int(dir.Fd()), rest, flag, perm)
	runtime.KeepAlive(dir)
	switch {
	case err == errNotPlain:
		return nil, false, nil
	case err != nil:
		return nil, true, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), true, nil
}

// folder is the folder itself, opened when it is first asked for, and kept.
func (r *Root) folder() (*os.File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dir != nil {
		return r.dir, nil
	}
	var err error
	if r.top != nil {
		r.dir, err = r.top.openAny(r.Dir, unix.O_PATH|unix.O_DIRECTORY, 0, false)
	} else {
		r.dir, err = os.OpenFile(r.Dir, unix.O_PATH|unix.O_DIRECTORY, 0)
	}
	return r.dir, err
}

// plainInfo is what lies below the folder with no link on the way; links says that
// the last element may be one, which is then what is told of.
func (r *Root) plainInfo(path, rest string, links bool) (info fs.FileInfo, done bool, err error) {
	flag := unix.O_PATH
	if links {
		flag |= unix.O_NOFOLLOW
	}
	f, done, err := r.plain(path, rest, flag, 0)
	if !done || err != nil {
		return nil, done, err
	}
	defer f.Close()
	info, err = f.Stat()
	return info, true, err
}
