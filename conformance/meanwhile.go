package conformance

import (
	"errors"
	"os"
	"sync"
	"time"
)

// meanwhile does what goes on while the subject runs: paths change places, files
// grow. stop ends it, with everything at its place.
func (p place) meanwhile(d Do) (stop func() error) {
	done := make(chan struct{})
	var all sync.WaitGroup
	errs := make([]error, len(d.Swap)+len(d.Grow))
	for i, pair := range d.Swap {
		all.Go(func() { errs[i] = swap(p.at(pair[0]), p.at(pair[1]), done) })
	}
	for i, rel := range d.Grow {
		all.Go(func() { errs[len(d.Swap)+i] = grow(p.at(rel), done) })
	}
	return func() error {
		close(done)
		all.Wait()
		return errors.Join(errs...)
	}
}

// swap lets two paths change places until done.
func swap(a, b string, done <-chan struct{}) error {
	beside := a + ".beside"
	for turn := 0; ; turn++ {
		select {
		case <-done:
			if turn%2 == 0 {
				return nil
			}
		default:
		}
		if err := errors.Join(os.Rename(a, beside), os.Rename(b, a), os.Rename(beside, b)); err != nil {
			return err
		}
	}
}

// grow adds to a file until done, at most so much that no disk is filled.
func grow(path string, done <-chan struct{}) error {
	const most = 64 << 20
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	block := make([]byte, 64<<10)
	for size := 0; ; {
		select {
		case <-done:
			return nil
		default:
		}
		if size >= most {
			time.Sleep(time.Millisecond)
			continue
		}
		n, err := f.Write(block)
		if err != nil {
			return err
		}
		size += n
	}
}
