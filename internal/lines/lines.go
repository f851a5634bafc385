// Package lines reads what comes line by line from a program that may send too much: a
// line over a bound costs that line, and no more memory than the bound.
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
