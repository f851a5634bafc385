package runlog

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"time"

	"github.com/agents-hooks/agents-hooks/runner"
)

// A Place is how far each day of the log was read, in bytes. An event is logged in
// the file of the day on which it began, so the previous day's may still grow.
type Place map[string]int64

// An Entry is a line and its end.
type Entry struct {
	runner.LogLine
	Day string
	End int64
}

// End is the place after all complete lines.
func End(stateDir string) Place {
	at := Place{}
	days, _ := files(stateDir)
	for _, d := range days {
		file, size, err := d.open()
		if err != nil {
			continue
		}
		buf := make([]byte, min(size, chunk))
		if n, _ := file.ReadAt(buf, size-int64(len(buf))); n == len(buf) {
			size -= int64(len(buf) - 1 - bytes.LastIndexByte(buf, '\n'))
		}
		at[d.name] = size
		file.Close()
	}
	return at
}

// After are the lines after a place, which advances with them: it is always after the
// line that is handed over. A file that was truncated or replaced is read from its
// beginning.
func After(stateDir string, at Place) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		days, err := files(stateDir)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		there := map[string]bool{}
		for _, d := range days {
			there[d.name] = true
			if !d.after(at, yield) {
				return
			}
		}
		maps.DeleteFunc(at, func(day string, _ int64) bool { return !there[day] })
	}
}

func (d dayFile) after(at Place, yield func(Entry, error) bool) (on bool) {
	if info, err := os.Stat(d.path); err == nil && info.Mode().IsRegular() && info.Size() == at[d.name] {
		return true
	}
	file, size, err := d.open()
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return yield(Entry{}, err)
	}
	defer file.Close()
	if at[d.name] < 0 || size < at[d.name] {
		at[d.name] = 0
	}
	on, next, err := fromStart(file, at[d.name], size, func(text []byte, end int64) bool {
		l, ok := runner.ParseLogLine(text)
		if !ok {
			return true
		}
		at[d.name] = end
		return yield(Entry{l, d.name, end}, nil)
	})
	at[d.name] = next
	if err != nil {
		return yield(Entry{}, err)
	}
	return on
}

// Before is the place for a start time: after the lines of earlier days, and after
// those of its own day that were written before it.
func Before(stateDir string, at time.Time) Place {
	place := Place{}
	days, _ := files(stateDir)
	for _, d := range days {
		if !d.day.Before(at) {
			continue
		}
		file, size, err := d.open()
		if err != nil {
			continue
		}
		if d.day.AddDate(0, 0, 1).After(at) {
			begin := int64(0)
			_, _, _ = fromStart(file, 0, size, func(text []byte, end int64) bool {
				l, ok := runner.ParseLogLine(text)
				if ok && !l.Time.Before(at) {
					return false
				}
				begin = end
				return true
			})
			size = begin
		}
		place[d.name] = size
		file.Close()
	}
	return place
}
