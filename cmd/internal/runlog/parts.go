package runlog

import (
	"errors"
	"io/fs"
	"iter"
	"os"

	"github.com/agents-hooks/agents-hooks/runner"
)

// partSize is the size of a part of a day's file, in bytes. Whether a month's log is
// in one day or thirty, its parts have the same size.
const partSize = 8 << 20

// Parts are any number of pieces of the log that may have lines which f selects, for
// counting them in parallel. A line is valid until the next one of its part, and has
// only what is counted: no id, no call, no input, and of hooks and warnings no text
// that people wrote.
func Parts(stateDir string, f Filter) (list []iter.Seq2[*runner.LogLine, error], err error) {
	days, err := files(stateDir)
	for _, d := range days {
		if !f.holds(d.day) {
			continue
		}
		size := int64(0)
		if info, err := os.Stat(d.path); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		for from := int64(0); from == 0 || from < size; from += partSize {
			list = append(list, func(yield func(*runner.LogLine, error) bool) { d.part(f, from, yield) })
		}
	}
	return list, err
}

// part hands over the lines that f selects among those that begin in one part.
func (d dayFile) part(f Filter, from int64, yield func(*runner.LogLine, error) bool) {
	file, size, err := d.open()
	if errors.Is(err, fs.ErrNotExist) { // deleted in the meantime
		return
	}
	if err != nil {
		yield(nil, err)
		return
	}
	defer file.Close()
	needles, reader := f.needles(), brief{}
	to := from + partSize
	take := func(text []byte, end int64) bool {
		switch begin := end - int64(len(text)); {
		case begin < from: // the rest of a line of the previous part
			return true
		case begin >= to:
			return false
		case !holdsAll(text, needles):
			return true
		}
		l, ok := reader.read(text)
		return !ok || !f.Picks(l) || yield(l, nil)
	}
	if _, _, err := fromStart(file, max(from-1, 0), min(size, to+MaxLine), take); err != nil {
		yield(nil, err)
	}
}
