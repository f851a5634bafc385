package runlog

import (
	"errors"
	"io/fs"
	"iter"
	"os"

	"github.com/agents-hooks/agents-hooks/runner"
)

// partSize is how much of a day's file one part holds, in bytes. Whatever a log of a
// month is spread over, one day or thirty, its parts are as long as each other.
const partSize = 8 << 20

// Parts are pieces of the log that may have lines that f picks, in any number, for
// whoever counts them side by side. A line stands until the next one of its part, and
// has what is counted: no id, no call, of hooks and warnings none of the texts that
// people wrote, and no input.
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

// part hands over the lines that f picks of those that begin in one part.
func (d dayFile) part(f Filter, from int64, yield func(*runner.LogLine, error) bool) {
	file, size, err := d.open()
	if errors.Is(err, fs.ErrNotExist) { // cleared away in the meantime
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
		case begin < from: // the rest of a line of the part before
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
