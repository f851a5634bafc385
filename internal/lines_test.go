package internal_test

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/agents-hooks/agents-hooks/internal/lines"
)

// Every line is read as it is, at the bound and over it, however the pieces come; one
// that is too long costs itself alone.
func TestLinesAreRead(t *testing.T) {
	long := strings.Repeat("x", 100)
	for name, from := range map[string]func(io.Reader) io.Reader{
		"at once":    func(r io.Reader) io.Reader { return r },
		"by letters": iotest.OneByteReader,
		"by halves":  iotest.HalfReader,
	} {
		t.Run(name, func(t *testing.T) {
			r := bufio.NewReaderSize(from(strings.NewReader("a\n\n"+long+"\n"+long+"y\n"+long+long+"\nb\r\nlast")), 16)
			for i, want := range []string{"a", "", long, "!" + long + "y", "!" + long + "x", "b\r", "last"} {
				line, err := lines.Read(r, 100)
				got := string(line)
				if errors.Is(err, lines.ErrLong) {
					got, err = "!"+got, nil
				}
				if got != want || err != nil {
					t.Errorf("%s: line %d is %q, %v", name, i, got, err)
				}
			}
			if line, err := lines.Read(r, 100); len(line) > 0 || err != io.EOF {
				t.Errorf("%s: behind the last: %q, %v", name, line, err)
			}
		})
	}
}
