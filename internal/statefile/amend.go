package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// amendTries bounds how often a file is read again that others keep changing, or that they have open
// where such a file cannot be replaced, after a pause.
const (
	amendTries = 50
	openPause  = 40 * time.Millisecond
	openMost   = 250 * time.Millisecond // how long somebody who has the replaced file open, or is within a line, is waited for
	lineRecent = 100 * time.Millisecond // a line without an end that was written so lately is not over
)

// Amend is [Store.UpdateDurable] for a file that people and other programs change as well, who know
// nothing of its lock: what they append while change computes stands below what it returns, and
// if they changed what was read, change is asked again, with what stands there now.
//
// Whoever opened the file before it was replaced writes into the old one: that is looked at until the
// new name is on the disk and, where that can be told, they have closed it, if they do so at once.
// Windows replaces no file that is open, so there it need not be.
func (s Store) Amend(path string, wait time.Duration, change func(old []byte) ([]byte, error)) error {
	unlock, err := s.lock(path, wait)
	if err != nil {
		return err
	}
	defer unlock()
	for range amendTries {
		if done, err := s.amend(path, wait, change); done || err != nil {
			return err
		}
	}
	return fmt.Errorf("%s: others keep changing it", path)
}

func (s Store) amend(path string, wait time.Duration, change func(old []byte) ([]byte, error)) (done bool, err error) {
	w, err := s.watch(path)
	if err != nil {
		return false, err
	}
	defer w.close()
	content, err := change(w.said)
	if err != nil || content == nil || w.said != nil && bytes.Equal(w.said, content) {
		return true, err
	}
	temp, err := s.beside(path, true, content)
	if err != nil {
		return false, err
	}
	if same, err := w.carryLines(temp); !same || err != nil {
		s.in.Remove(temp)
		return false, err
	}
	if !replacesOpen {
		w.close()
		wait = 0 // who has it open may write, so it is read again
	}
	if err := s.rename(temp, path, wait); err != nil {
		s.in.Remove(temp)
		if openElsewhere(err) {
			time.Sleep(openPause)
			err = nil
		}
		return false, err
	}
	return true, errors.Join(w.late(path, false), s.syncDir(filepath.Dir(path)), w.last(path))
}

// A watched file is one that was read, and that others may change.
type watched struct {
	Store
	path string
	f    *os.File // kept open: what is written into it after it was replaced is seen there; nil: there was none
	said []byte   // what was read
	seen int64    // how much of it was carried over
	at   time.Time
	open bool // what was carried over last ends within a line
}

func (s Store) watch(path string) (*watched, error) {
	w := &watched{Store: s, path: path}
	f, err := s.in.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return w, nil
	}
	if err != nil {
		return nil, err
	}
	w.f = f
	err = retry(openMost, func() (done bool, err error) {
		info, err := f.Stat()
		if err != nil {
			return false, err
		}
		w.at = info.ModTime()
		w.said, err = s.Read(path)
		return len(w.said) == 0 || w.said[len(w.said)-1] == '\n' || !w.recent(), err
	})
	if err != nil && !errors.Is(err, errNotYet) {
		w.close()
		return nil, err
	}
	if w.said == nil { // removed since it was opened
		w.close()
	}
	w.took(w.said)
	return w, nil
}

func (w *watched) close() {
	if w.f != nil {
		w.f.Close()
		w.f = nil
	}
}

func (w *watched) took(b []byte) {
	if len(b) > 0 {
		w.seen, w.open = w.seen+int64(len(b)), b[len(b)-1] != '\n'
	}
}

// recent reports whether whoever wrote last may still be at it.
func (w *watched) recent() bool { return time.Since(w.at).Abs() < lineRecent }

// carryLines is carry that waits for the end of a line that is being written. One that gets none
// from anybody ends here: what the next one appends is a line of its own.
func (w *watched) carryLines(to string) (same bool, err error) {
	err = retry(openMost, func() (done bool, err error) {
		same, err = w.carry(to)
		return !same || !w.open || !w.recent(), err
	})
	if errors.Is(err, errNotYet) {
		err = nil
	}
	if err != nil || !same || !w.open || hasWriters(w.f) {
		return same, err
	}
	f, err := w.in.OpenFile(to, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return false, err
	}
	_, open, err := openEnd(f)
	if w.open = false; open && err == nil {
		_, err = f.WriteString("\n")
	}
	return true, errors.Join(err, f.Close())
}

// carry appends to a file what was appended to the watched one since; same is false if that is no
// longer what was read.
func (w *watched) carry(to string) (same bool, err error) {
	for range amendTries {
		is, err := w.in.Stat(w.path)
		if w.f == nil || errors.Is(err, fs.ErrNotExist) {
			return w.f == nil && errors.Is(err, fs.ErrNotExist), nil
		}
		if err != nil {
			return false, err
		}
		was, err := w.f.Stat()
		switch {
		case err != nil || !os.SameFile(is, was):
			return false, err
		case was.Size() == w.seen && was.ModTime().Equal(w.at):
			return true, nil
		}
		now := make([]byte, was.Size())
		if n, err := w.f.ReadAt(now, 0); err != nil {
			if err == io.EOF && n < len(now) {
				err = nil // it was cut
			}
			return false, err
		}
		if w.at = was.ModTime(); int64(len(now)) < w.seen || !bytes.HasPrefix(now, w.said) {
			return false, nil
		}
		more := now[w.seen:]
		if err := w.put(to, more); err != nil {
			return false, err
		}
		w.took(more)
	}
	return true, nil // they write faster than this reads: the rest is late
}

// late appends to the file that took the place of the watched one what somebody wrote into that one,
// since they had it open: whole lines, or all of it.
func (w *watched) late(to string, all bool) error {
	if w.f == nil {
		return nil
	}
	info, err := w.f.Stat()
	if err != nil || info.Size() <= w.seen {
		return err
	}
	more := make([]byte, info.Size()-w.seen)
	n, err := w.f.ReadAt(more, w.seen)
	if err != nil && err != io.EOF {
		return err
	}
	if more = more[:n]; !all {
		more = more[:bytes.LastIndexByte(more, '\n')+1]
	}
	err = w.put(to, more)
	w.took(more)
	return err
}

// last is late once those who have the replaced file open have closed it. One who keeps it open, as an
// editor or a pipe may, is not waited for.
func (w *watched) last(to string) error {
	if w.f == nil {
		return nil
	}
	retry(openMost, func() (bool, error) { return !hasWriters(w.f), nil })
	return w.late(to, true)
}

// put appends a part of the watched file. It begins a line where it began one there.
func (w *watched) put(to string, more []byte) error {
	if len(more) == 0 {
		return nil
	}
	f, err := w.in.OpenFile(to, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	if _, open, err := openEnd(f); err == nil && open && !w.open {
		more = append([]byte{'\n'}, more...)
	}
	_, err = f.Write(more)
	return errors.Join(err, f.Close())
}
