//go:build unix

package runner

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What a hook wrote before it ended is read, though the time to wait for the ends of its
// pipes is over before anybody had a processor to read with, and somebody whom the hook
// left behind holds them open.
func TestWhatIsInThePipeIsRead(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("not with force\n", 4000) // nearly what a pipe holds
	for range 100 {
		r, w, err := os.Pipe()
		must.Do(t, err)
		must.Do(t, must.Err(w.WriteString(text)))
		if got := collect(r, 1<<20).take(time.Now().Add(-time.Second)); string(got.data) != text {
			t.Fatalf("%d of %d bytes", len(got.data), len(text))
		}
		w.Close()
	}
}

// A last byte by itself is part of what was written.
func TestASingleByteIsRead(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	must.Do(t, err)
	c := collect(r, 1<<20)
	must.Do(t, must.Err(w.WriteString("x")))
	w.Close()
	<-c.done
	if got := c.take(time.Now().Add(time.Minute)); string(got.data) != "x" {
		t.Errorf("%q", got.data)
	}
}
