// Package lines reads lines from a program that may send too much: an overlong line is
// skipped, and needs no more memory than the limit.
package lines

import (
	"bufio"
	"bytes"
	"errors"
)

// ErrLong is the error of a line that is longer than it may be.
var ErrLong = errors.New("the line is too long")

// Read reads one line, without its end. Of one that is longer than most bytes it
// returns the beginning, and [ErrLong]; the next call reads the next line. The last
// line may lack its end; behind it is [io.EOF].
func Read(r *bufio.Reader, most int) (line []byte, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if room := most + 1 - len(line); len(piece) > room {
			piece = piece[:room]
		}
		line = append(line, piece...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > most {
			return line, ErrLong
		}
		if len(line) > 0 {
			err = nil
		}
		return line, err
	}
}
