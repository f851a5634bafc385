package dispatch

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// Stdin is a pipe of the agent's that can be waited for, or any other reader.
func TestStdinIsReadToItsEndAndWaitedForNoLongerThanALimit(t *testing.T) {
	for name, open := range map[string]func() (io.Reader, io.WriteCloser){
		"a pipe of the system": func() (io.Reader, io.WriteCloser) {
			r, w, err := os.Pipe()
			must.Do(t, err)
			t.Cleanup(func() { r.Close(); w.Close() })
			return r, w
		},
		"another reader": func() (io.Reader, io.WriteCloser) { r, w := io.Pipe(); return r, w },
	} {
		t.Run(name, func(t *testing.T) {
			r, w := open()
			read := inTime(r)
			if n, err := read(make([]byte, 8), time.Millisecond); n != 0 || err != errLate {
				t.Errorf("of a silent agent: %d bytes, %v", n, err)
			}
			w.Close()

			r, w = open()
			event := []byte(`{"text": "` + strings.Repeat("long ", 100_000) + `"}`)
			go func() {
				for piece := range bytes.SplitAfterSeq(event, []byte("g l")) {
					if _, err := w.Write(piece); err != nil {
						t.Error(err)
						break
					}
				}
				w.Close()
			}()
			if got, err := readInput(r); err != nil || !bytes.Equal(got, event) {
				t.Errorf("%d bytes of %d, %v", len(got), len(event), err)
			}

			r, w = open()
			w.Close()
			if got, err := readInput(r); err != errEmpty {
				t.Errorf("of an agent that says nothing: %q, %v", got, err)
			}

			// Which reader it is makes no difference to the limit: both with -slow.
			if !slowtest.Among(name, "a pipe of the system") {
				return
			}
			r, w = open()
			wrote := make(chan error)
			go func() {
				_, err := io.Copy(w, io.LimitReader(spaces{}, maxInput+1<<20))
				w.Close()
				wrote <- err
			}()
			if got, err := readInput(r); err == nil || !strings.HasSuffix(err.Error(), "more than 64 MiB") || len(got) > maxInput*3/2 {
				t.Errorf("of too much: %d bytes, %v", len(got), err)
			}
			if err := <-wrote; err != nil {
				t.Errorf("the agent could not write all that it had to say: %v", err)
			}
		})
	}
}

// spaces is an endless text.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
