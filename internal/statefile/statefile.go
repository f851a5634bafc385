package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// ErrLocked is wrapped by the error for a lock that somebody else kept for as
// long as the caller wanted to wait.
var ErrLocked = errors.New("locked by another process")

// tempMark stands in the name of every temporary file.
const tempMark = ".tmp-"

// A Store is where files lie: below a project, nothing outside of which is
// reached, or anywhere. The functions of the package are those of anywhere.
type Store struct{ in *beneath.Root }

// In is the Store below a folder; nil: anywhere.
func In(r *beneath.Root) Store { return Store{r} }

// Read returns the content of path, nil if there is no such file. It takes no
// lock: an updated file is always whole, a file of lines may end in a line that
// is just being written.
func (s Store) Read(path string) ([]byte, error) {
	b, err := s.readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// Update replaces the content of path by what change makes of the old one,
// which is nil if there is no file yet. If change returns nil, or the content
// that is there already, nothing is written; if it returns an error, nothing is
// written and Update returns that error. wait bounds the waiting for the lock.
// change must not update the same path itself.
func (s Store) Update(path string, wait time.Duration, change func(old []byte) ([]byte, error)) error {
	return s.update(path, wait, false, change)
}

// UpdateDurable is Update for what must survive a power failure: the new
// content is on the disk before it gets its name, the name before the return.
func (s Store) UpdateDurable(path string, wait time.Duration, change func(old []byte) ([]byte, error)) error {
	return s.update(path, wait, true, change)
}

func (s Store) update(path string, wait time.Duration, durable bool, change func(old []byte) ([]byte, error)) error {
	unlock, err := s.lock(path, wait)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := s.Read(path)
	if err != nil {
		return err
	}
	content, err := change(old)
	if err != nil {
		return err
	}
	if content == nil || old != nil && bytes.Equal(old, content) {
		return nil
	}
	return s.replace(path, wait, durable, content)
}

// ReplaceHeld replaces the content of path for a caller that keeps others off the
// file by a lock of its own, see [Hold]. durable is what [UpdateDurable] promises.
func (s Store) ReplaceHeld(path string, durable bool, content []byte) error {
	if err := s.makeDir(filepath.Dir(path)); err != nil {
		return err
	}
	return s.replace(path, 2*time.Second, durable, content)
}

// replace writes content beside path and renames it over path.
func (s Store) replace(path string, wait time.Duration, durable bool, content []byte) error {
	temp, err := s.beside(path, durable, content)
	if err != nil {
		return err
	}
	if err := s.rename(temp, path, wait); err != nil {
		s.in.Remove(temp)
		return err
	}
	if durable {
		return s.syncDir(filepath.Dir(path))
	}
	return nil
}

// beside writes content into a new file beside path, for the holder of its lock.
func (s Store) beside(path string, durable bool, content []byte) (temp string, err error) {
	// The one who holds the lock is the only one who writes this name: what lies
	// there is of somebody who was killed.
	temp = path + tempMark + "next"
	err = s.writeNew(temp, durable, content)
	if errors.Is(err, fs.ErrExist) {
		if s.in.Remove(temp) != nil {
			temp = path + tempMark + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatUint(rand.Uint64(), 36)
		}
		err = s.writeNew(temp, durable, content)
	}
	if err != nil {
		s.in.Remove(temp)
	}
	return temp, err
}

func (s Store) writeNew(path string, durable bool, content []byte) error {
	f, err := s.in.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && durable {
		err = f.Sync()
	}
	// Some file systems report a full disk only here.
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Append adds one line to a file of lines, with a final newline if line has
// none. A line with a newline inside is an error. If the line cannot be written
// whole, nothing of it stays.
func (s Store) Append(path string, wait time.Duration, line []byte) error {
	unlock, err := s.lock(path, wait)
	if err != nil {
		return err
	}
	defer unlock()
	return s.AppendHeld(path, line)
}

// Add is Append for a file that people edit as well: a last line that has no end
// is what somebody typed, and gets one. Readers of such a file pass over a line
// that a killed process left unfinished.
func (s Store) Add(path string, wait time.Duration, line []byte) error {
	unlock, err := s.lock(path, wait)
	if err != nil {
		return err
	}
	defer unlock()
	return s.AddHeld(path, line)
}

// AppendHeld is Append for a caller that keeps others off the file by a lock of
// its own, see [Hold].
func (s Store) AppendHeld(path string, line []byte) error {
	return s.append(path, [][]byte{line}, false, s.whole(path))
}

// AppendDurableHeld is AppendHeld for what must survive a power failure: the line is on
// the disk before it returns.
func (s Store) AppendDurableHeld(path string, line []byte) error {
	return s.append(path, [][]byte{line}, true, s.whole(path))
}

func (s Store) whole(path string) func(*os.File) (int64, bool, error) {
	return func(f *os.File) (int64, bool, error) {
		end, err := s.wholeLines(f, path)
		return end, false, err
	}
}

// AddHeld is Add for a caller that keeps others off the file by a lock of its own; several
// lines are written at once.
func (s Store) AddHeld(path string, lines ...[]byte) error {
	return s.append(path, lines, false, openEnd)
}

// openEnd is the size of f, and whether its last line has no end.
func openEnd(f *os.File) (size int64, open bool, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, false, err
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return info.Size(), last[0] != '\n', err
}

// append adds lines where end says that the file ends, and whether a line stands
// open there.
func (s Store) append(path string, lines [][]byte, durable bool, end func(*os.File) (int64, bool, error)) error {
	var text []byte
	for _, line := range lines {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if bytes.IndexByte(line, '\n') >= 0 {
			return fmt.Errorf("append to %s: the line contains a newline", path)
		}
		text = append(append(text, line...), '\n')
	}
	f, err := s.in.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	size, open, err := end(f)
	if err == nil {
		if open {
			text = append([]byte{'\n'}, text...)
		}
		_, err = f.Write(text)
		if err == nil && durable {
			err = f.Sync()
		}
		if err != nil {
			// Best effort: the next Append cuts the rest off as well.
			s.truncate(path, size)
		}
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && durable && size == 0 {
		err = s.syncDir(filepath.Dir(path))
	}
	return err
}

// wholeLines returns the size of f, after cutting off a last line that has no
// end: whoever wrote it was killed, or met a full disk.
func (s Store) wholeLines(f *os.File, path string) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size()
	end := size
	var block [4096]byte
	for end > 0 {
		n := min(end, int64(len(block)))
		if end == size {
			n = 1 // nearly always the newline stands where it should
		}
		if _, err := f.ReadAt(block[:n], end-n); err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			end = end - n + int64(i) + 1
			break
		}
		end -= n
	}
	if end == size {
		return size, nil
	}
	return end, s.truncate(path, end)
}

// truncate opens the file anew: one that was opened to append can elsewhere not be
// shortened.
func (s Store) truncate(path string, end int64) error {
	f, err := s.in.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(end), f.Close())
}

// Keep saves content that its owner cannot read under a name of its own beside
// path, path with ".corrupt-" and the time added, and returns that name. It is
// meant to be called inside an Update that then starts anew, and does not touch
// path itself.
func (s Store) Keep(path string, at time.Time, content []byte) (string, error) {
	if err := s.makeDir(filepath.Dir(path)); err != nil {
		return "", err
	}
	base := path + ".corrupt-" + at.UTC().Format("20060102T150405Z")
	for i := 1; ; i++ {
		kept := base
		if i > 1 {
			kept += "-" + strconv.Itoa(i)
		}
		err := s.writeNew(kept, true, content)
		if errors.Is(err, fs.ErrExist) && i < 100 {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep a copy of %s: %w", path, err)
		}
		return kept, nil
	}
}

// Hold takes the lock of path for a change of more than one file: path is then
// what they have in common, a folder or a name of its own. release gives it back,
// and so does the end of the process.
func (s Store) Hold(path string, wait time.Duration) (release func(), err error) {
	return s.lock(path, wait)
}

// lock takes the lock of path, making its directory if need be, and returns
// what gives it back.
func (s Store) lock(path string, wait time.Duration) (unlock func(), err error) {
	name := path + ".lock"
	f, err := s.in.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.makeDir(filepath.Dir(path)); err != nil {
			return nil, err
		}
		f, err = s.in.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err != nil {
		return nil, err
	}
	err = retry(wait, func() (bool, error) { return TryLock(f) })
	if err != nil {
		f.Close()
		if errors.Is(err, errNotYet) {
			err = fmt.Errorf("%w for more than %v", ErrLocked, wait)
		}
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	// Closing gives the lock back, and so does the end of the process.
	return func() { f.Close() }, nil
}

func (s Store) makeDir(dir string) error {
	return s.in.MkdirAll(dir, 0o700)
}

var errNotYet = errors.New("not yet")

// retry calls try until it is done or fails, or wait is over, which is
// errNotYet. The pauses grow and differ, so that many processes do not march in
// step.
func retry(wait time.Duration, try func() (done bool, err error)) error {
	pause := 100 * time.Microsecond
	var deadline time.Time
	for {
		done, err := try()
		if done || err != nil {
			return err
		}
		now := time.Now()
		if deadline.IsZero() {
			deadline = now.Add(wait)
		}
		left := deadline.Sub(now)
		if left <= 0 {
			return errNotYet
		}
		time.Sleep(min(left, pause/2+rand.N(pause)))
		pause = min(2*pause, 8*time.Millisecond)
	}
}

// Move gives a file of lines another name, once no Append is at it: an Append
// that comes later starts a new file. It is an error if there is no such file;
// what is at the new name is replaced.
func (s Store) Move(from, to string, wait time.Duration) error {
	unlock, err := s.lock(from, wait)
	if err != nil {
		return err
	}
	defer unlock()
	return s.rename(from, to, wait)
}

// The functions below are those of a [Store] that lies anywhere: in a folder of
// the person's own, whose links are theirs.

// Read is [Store.Read].
func Read(path string) ([]byte, error) { return Store{}.Read(path) }

// Update is [Store.Update].
func Update(path string, wait time.Duration, change func(old []byte) ([]byte, error)) error {
	return Store{}.Update(path, wait, change)
}

// UpdateDurable is [Store.UpdateDurable].
func UpdateDurable(path string, wait time.Duration, change func(old []byte) ([]byte, error)) error {
	return Store{}.UpdateDurable(path, wait, change)
}

// ReplaceHeld is [Store.ReplaceHeld].
func ReplaceHeld(path string, durable bool, content []byte) error {
	return Store{}.ReplaceHeld(path, durable, content)
}

// Append is [Store.Append].
func Append(path string, wait time.Duration, line []byte) error {
	return Store{}.Append(path, wait, line)
}

// AppendHeld is [Store.AppendHeld].
func AppendHeld(path string, line []byte) error { return Store{}.AppendHeld(path, line) }

// AppendDurableHeld is [Store.AppendDurableHeld].
func AppendDurableHeld(path string, line []byte) error {
	return Store{}.AppendDurableHeld(path, line)
}

// AddHeld is [Store.AddHeld].
func AddHeld(path string, lines ...[]byte) error { return Store{}.AddHeld(path, lines...) }

// Keep is [Store.Keep].
func Keep(path string, at time.Time, content []byte) (string, error) {
	return Store{}.Keep(path, at, content)
}

// Hold is [Store.Hold].
func Hold(path string, wait time.Duration) (release func(), err error) {
	return Store{}.Hold(path, wait)
}

// Move is [Store.Move].
func Move(from, to string, wait time.Duration) error { return Store{}.Move(from, to, wait) }
