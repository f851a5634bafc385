package runner

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// ReadLogFrom returns the lines that were added to one file of the run log from
// a place on, those that f picks, and the place to go on from. A line that is
// not at its end yet is left for the next time. A file that is not there yet has
// no lines.
func ReadLogFrom(path string, offset int64, f LogFilter) ([]LogLine, int64, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, offset, nil
	}
	if err != nil {
		return nil, offset, err
	}
	defer file.Close()
	b, err := io.ReadAll(io.NewSectionReader(file, offset, 1<<62))
	if err != nil {
		return nil, offset, err
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	var lines []LogLine
	for text := range bytes.Lines(b) {
		if l, ok := parseLogLine(text); ok && f.picks(&l) {
			lines = append(lines, l)
		}
	}
	return lines, offset + int64(len(b)), nil
}
