package runlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/runner"
)

// MaxLine is the maximum length of a line, in bytes: longer than any that is written.
const MaxLine = 1 << 20

const chunk = 256 << 10

// A dayFile is the log of one day.
type dayFile struct {
	name string // 2026-11-23
	day  time.Time
	path string
}

// files are the days of the log, the oldest first. A missing log is not an error.
func files(stateDir string) (list []dayFile, err error) {
	dir := filepath.Dir(runner.LogPath(stateDir, time.Time{}))
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if day, err := time.Parse(time.DateOnly, name); ok && err == nil {
			list = append(list, dayFile{name, day, filepath.Join(dir, e.Name())})
		}
	}
	return list, nil
}

// First is the first day of the log, in UTC; zero if there is none.
func First(stateDir string) time.Time {
	list, err := files(stateDir)
	if err != nil || len(list) == 0 {
		return time.Time{}
	}
	return list[0].day
}

// open opens the file and returns its length.
func (d dayFile) open() (f *os.File, size int64, err error) {
	if f, err = safefile.Open(d.path); err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = safefile.Irregular(info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, 0, fmt.Errorf("%s: %w", d.path, err)
	}
	return f, info.Size(), nil
}
