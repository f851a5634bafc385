package session

import (
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// Once calls f and returns what it returns, unless a call with the same digest
// began less than apart ago: then it is that one's answer. A second call
// waits while the first is still at it; if the first was killed, the second runs.
// An error says that the guard itself could not be kept. f has run then, or runs
// now: it runs in any case.
func (d Dir) Once(name, digest string, now time.Time, apart time.Duration, f func() []byte) ([]byte, error) {
	if d.path == "" {
		return f(), nil
	}
	var answer []byte
	ran := false
	err := statefile.Update(d.file("once-"+name+".json"), wait, func(old []byte) ([]byte, error) {
		o := parse(old)
		at, err := strconv.ParseInt(string(o.Get("at")), 10, 64)
		if since := now.Sub(time.UnixMilli(at)); err == nil && o.Text("digest") == digest && since < apart && since > -apart {
			answer = []byte(o.Text("answer"))
			return nil, nil
		}
		answer, ran = f(), true
		o.SetText("digest", digest)
		o.Set("at", strconv.AppendInt(nil, now.UnixMilli(), 10))
		o.SetText("answer", string(answer))
		return append(o.Append(nil), '\n'), nil
	})
	if err != nil && !ran && answer == nil {
		answer = f()
	}
	return answer, err
}
