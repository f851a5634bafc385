package runlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/agents-hooks/agents-hooks/runner"
)

// Lines are the lines that f selects, the oldest first. An error is about one file,
// or all of them; whatever can be read is still returned.
func Lines(stateDir string, f Filter) iter.Seq2[runner.LogLine, error] {
	return eachDay(stateDir, f, false)
}

// Backward are the same lines, the newest first. It reads from the end.
func Backward(stateDir string, f Filter) iter.Seq2[runner.LogLine, error] {
	return eachDay(stateDir, f, true)
}

// Newest are the newest lines that f selects, at most n, the oldest of them first;
// more says that there are others. The error is about files that could not be read.
func Newest(stateDir string, f Filter, n int) (lines []runner.LogLine, more bool, err error) {
	var errs []error
	for l, err := range Backward(stateDir, f) {
		switch {
		case err != nil:
			errs = append(errs, err)
			continue
		case len(lines) >= n:
			more = true
		default:
			lines = append(lines, l)
			continue
		}
		break
	}
	slices.Reverse(lines)
	return lines, more, errors.Join(errs...)
}

func eachDay(stateDir string, f Filter, backward bool) iter.Seq2[runner.LogLine, error] {
	return func(yield func(runner.LogLine, error) bool) {
		days, err := files(stateDir)
		if err != nil {
			yield(runner.LogLine{}, err)
			return
		}
		if backward {
			slices.Reverse(days)
		}
		for _, d := range days {
			if f.holds(d.day) && !d.each(f, backward, yield) {
				return
			}
		}
	}
}

// each hands over the lines of a day that f selects, until yield has enough.
func (d dayFile) each(f Filter, backward bool, yield func(runner.LogLine, error) bool) (on bool) {
	needles, quick := f.needles(), brief{}
	take := func(text []byte) bool {
		if !holdsAll(text, needles) {
			return true
		}
		if l, ok := quick.read(text); !ok || !f.Picks(l) {
			return true
		}
		l, _ := runner.ParseLogLine(text)
		return yield(l, nil)
	}
	fail := func(err error) bool { return yield(runner.LogLine{}, err) }
	file, size, err := d.open()
	if errors.Is(err, fs.ErrNotExist) { // deleted in the meantime
		return true
	}
	if err != nil {
		return fail(err)
	}
	defer file.Close()
	if backward {
		on, err = fromEnd(file, size, take)
	} else {
		on, _, err = fromStart(file, 0, size, func(text []byte, _ int64) bool { return take(text) })
	}
	if err != nil {
		return fail(err)
	}
	return on
}

// fromStart hands over complete lines between two offsets of a file, each with its
// end. next is the end of the last one that was read.
func fromStart(file *os.File, from, to int64, take func(text []byte, end int64) bool) (on bool, next int64, err error) {
	r := bufio.NewReaderSize(io.NewSectionReader(file, from, to-from), chunk)
	next = from
	var long []byte
	for at := from; ; {
		piece, err := r.ReadSlice('\n')
		at += int64(len(piece))
		switch {
		case err == bufio.ErrBufferFull || err == nil && long != nil:
			if room := MaxLine + 1 - len(long); len(piece) > room {
				piece = piece[:room]
			}
			long = append(long, piece...)
			if err != nil {
				continue
			}
			piece = long
		case err == io.EOF:
			return true, next, nil
		case err != nil:
			return true, next, err
		}
		next, long = at, nil
		if len(piece) <= MaxLine && !take(piece, at) {
			return false, next, nil
		}
	}
}

// fromEnd hands over complete lines of a file, the last one first.
func fromEnd(file *os.File, size int64, take func([]byte) bool) (on bool, err error) {
	var tail []byte // the end of a line whose beginning has not been read yet
	whole := false  // whether the tail's own end was seen, and it is not too long
	buf := make([]byte, chunk)
	for at := size; at > 0; {
		n := min(at, chunk)
		at -= n
		if _, err := file.ReadAt(buf[:n], at); err != nil && err != io.EOF {
			return true, err
		}
		b := buf[:n]
		for {
			i := bytes.LastIndexByte(b, '\n')
			if i < 0 {
				break
			}
			if text := b[i+1:]; whole && len(text)+len(tail) <= MaxLine {
				if len(tail) > 0 {
					text = append(slices.Clone(text), tail...)
				}
				if !take(text) {
					return false, nil
				}
			}
			b, tail, whole = b[:i], nil, true
		}
		if whole = whole && len(b)+len(tail) <= MaxLine; whole {
			tail = append(slices.Clone(b), tail...)
		} else if len(tail) > 0 || len(b) > 0 {
			tail = nil
		}
	}
	return !whole || take(tail), nil
}
