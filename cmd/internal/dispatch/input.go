package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

var sprintf = fmt.Sprintf

// Limits of stdin (RULINGS 1). A limit refuses; it never cuts, because a cut
// event would be one that its guards cannot read.
const (
	maxInput   = 64 << 20
	firstByte  = 10 * time.Second // an agent that starts us and then says nothing
	wholeInput = 5 * time.Second  // from the first byte to the end
)

var errEmpty = errors.New("nothing on stdin")

// readInput reads stdin to its end, or refuses. The reader is left behind
// blocked if its time is over; the process is about to end.
func readInput(r io.Reader) ([]byte, error) {
	first := make(chan error, 1)
	done := make(chan error, 1)
	var buf bytes.Buffer
	go func() {
		chunk := make([]byte, 16<<10)
		n, err := r.Read(chunk)
		for n == 0 && err == nil {
			n, err = r.Read(chunk)
		}
		buf.Write(chunk[:n])
		first <- err
		if err == nil {
			_, err = buf.ReadFrom(io.LimitReader(r, maxInput+1-int64(n)))
			if buf.Len() > maxInput {
				// Read on, so that the agent does not meet a broken pipe.
				_, err = io.Copy(io.Discard, r)
			}
		}
		done <- err
	}()
	select {
	case err := <-first:
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading stdin: %v", err)
		}
	case <-time.After(firstByte):
		return nil, fmt.Errorf("reading stdin: nothing came for %s", firstByte)
	}
	select {
	case err := <-done:
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading stdin: %v", err)
		}
	case <-time.After(wholeInput):
		return nil, fmt.Errorf("reading stdin: not at its end %s after its first byte", wholeInput)
	}
	if buf.Len() > maxInput {
		return nil, fmt.Errorf("reading stdin: more than %d MiB", maxInput>>20)
	}
	if len(bytes.TrimSpace(buf.Bytes())) == 0 {
		return nil, errEmpty
	}
	return buf.Bytes(), nil
}
