package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A FileError names a file of an agent that we will not touch, and the place in it
// that is the reason.
type FileError struct {
	Path      string
	Line, Col int
	Msg       string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Col, e.Msg)
}

// at is a FileError at an offset of a file's bytes.
func at(path string, b []byte, offset int, format string, args ...any) error {
	offset = min(max(offset, 0), len(b))
	line := 1 + bytes.Count(b[:offset], []byte{'\n'})
	col := 1 + offset - (bytes.LastIndexByte(b[:offset], '\n') + 1)
	return &FileError{path, line, col, fmt.Sprintf(format, args...)}
}

// read reads a file of the site; nil if it does not exist.
func read(s protocol.Site, path string) ([]byte, error) {
	b, err := s.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	if b == nil {
		b = []byte{}
	}
	return b, nil
}

// change is the edit that turns before into after; none if they are equal.
func change(path string, before, after []byte) []protocol.Edit {
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return nil
	}
	return []protocol.Edit{{Path: path, Before: before, After: after}}
}
