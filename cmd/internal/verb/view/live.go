package view

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

// How often an open page gets events and changed parts, and a sign that the connection is
// alive.
const (
	eventsEvery = 300 * time.Millisecond
	partsEvery  = 2 * time.Second
	aliveEvery  = 20 * time.Second
	mostAtOnce  = 500 // events in one message
)

// told are parts by name, as they are sent to pages.
func told(list []page.Part) map[string][]byte {
	out := map[string][]byte{}
	for _, p := range list {
		if b, err := p.JSON(); err == nil {
			out[p.Name] = b
		}
	}
	return out
}

// A watch collects the parts for all open pages, and nothing while no page is open.
type watch struct {
	look func(context.Context) map[string][]byte

	mu   sync.Mutex
	at   time.Time
	last map[string][]byte
}

func newWatch(look func(context.Context) map[string][]byte) *watch { return &watch{look: look} }

// now are the parts, at most partsEvery old.
func (w *watch) now(ctx context.Context) map[string][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if time.Since(w.at) >= partsEvery {
		if seen := w.look(ctx); ctx.Err() == nil {
			w.last, w.at = seen, time.Now()
		}
	}
	return w.last
}

// stale makes the next call of now collect them again.
func (w *watch) stale() {
	w.mu.Lock()
	w.at = time.Time{}
	w.mu.Unlock()
}

// A stream is an open page.
type stream struct {
	to *http.ResponseController
	w  http.ResponseWriter
}

func (s stream) send(kind, id string, data []byte) error {
	if err := s.to.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	// JSON has no line breaks.
	if _, err := fmt.Fprintf(s.w, "event: %s\n%sdata: %s\n\n", kind, id, data); err != nil {
		return err
	}
	return s.to.Flush()
}

// live sends a page new events, and parts that have changed, until either ends.
func (s *server) live(w http.ResponseWriter, r *http.Request) {
	if s.streams.Add(1) > maxStreams {
		s.streams.Add(-1)
		refuse(w, http.StatusServiceUnavailable, "too many pages are open")
		return
	}
	defer s.streams.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	out := stream{http.NewResponseController(w), w}
	after := r.Header.Get("Last-Event-ID")
	if after == "" {
		after = r.URL.Query().Get("after")
	}
	at, known := placed(after)
	if !known {
		at = runlog.End(s.sh.Host.State)
	}
	_ = out.to.SetReadDeadline(time.Time{}) // the client sends nothing more, but stays connected
	if out.send("hello", "", []byte("{}")) != nil {
		return
	}
	sent := s.watch.now(r.Context())
	events, parts, alive := time.NewTicker(eventsEvery), time.NewTicker(partsEvery), time.NewTicker(aliveEvery)
	defer events.Stop()
	defer parts.Stop()
	defer alive.Stop()
	for {
		var err error
		select {
		case <-r.Context().Done():
			// A page that is told this stops asking.
			_ = out.send("over", "", []byte("{}"))
			return
		case <-events.C:
			err = s.tellEvents(out, at)
		case <-parts.C:
			now := s.watch.now(r.Context())
			for name, b := range now {
				if err == nil && string(sent[name]) != string(b) {
					err = out.send("part", "", b)
				}
			}
			sent = now
		case <-alive.C:
			err = out.send("alive", "", []byte("{}"))
		}
		if err != nil {
			return
		}
	}
}

// tellEvents sends the events after a position, and advances it.
func (s *server) tellEvents(out stream, at runlog.Place) error {
	for {
		var list []event
		for e, err := range runlog.After(s.sh.Host.State, at) {
			if err == nil && s.options.filter.Picks(&e.LogLine) {
				list = append(list, eventOf(s.sh, e.LogLine))
			}
			if len(list) == mostAtOnce {
				break
			}
		}
		if len(list) == 0 {
			return nil
		}
		b, err := page.JSON(list)
		if err == nil {
			err = out.send("events", spell(at), b)
		}
		if err != nil || len(list) < mostAtOnce {
			return err
		}
	}
}

// placed decodes what [spell] encoded; ok is false for anything else.
func placed(text string) (at runlog.Place, ok bool) {
	at = runlog.Place{}
	if text == "" {
		return at, false
	}
	for _, word := range strings.Split(text, ",") {
		day, size, _ := strings.Cut(word, ":")
		n, err := strconv.ParseInt(size, 10, 64)
		if _, bad := time.Parse(time.DateOnly, day); bad != nil || err != nil || n < 0 {
			return at, false
		}
		at[day] = n
	}
	return at, true
}
