package otlp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/wake"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

const (
	// settle is how long a worker waits for more before it sends: a working agent has
	// an event every second or so.
	settle = 2 * time.Second
	// workFor is how long a worker works; the next event starts another one.
	workFor = 5 * time.Minute
	// batch is how many lines are sent at once.
	batch = 400
	// The first time, so much of the log is sent.
	firstTime = 24 * time.Hour
	// Pauses after failures: doubled up to the longest.
	shortest, longest = 5 * time.Second, 5 * time.Minute
	// A collector that asks for a longer pause gets it, up to this.
	mostWait = time.Hour
)

// A State is what one worker passes on to the next.
type State struct {
	Place    runlog.Place `json:"place"`
	Fold     Fold         `json:"open"`
	Spans    int          `json:"spans"`    // that were accepted
	Rejected int          `json:"rejected"` // spans that a collector rejected while it accepted others
	Dropped  int          `json:"dropped"`  // lines that no collector would accept
	LastOK   time.Time    `json:"last_ok"`
	Tries    int          `json:"tries"` // consecutive failures
	Failing  time.Time    `json:"failing_since"`
	Error    string       `json:"error"`
	NextTry  time.Time    `json:"next_try"`
	To       string       `json:"to"` // the collector that this is about
}

// forget forgets what went wrong at another collector: it says nothing about this
// one.
func (s *State) forget(to string) {
	if s.To != to {
		s.Tries, s.Failing, s.Error, s.NextTry = 0, time.Time{}, "", time.Time{}
	}
}

// Soon lets the next event start a worker, whenever the last one meant to try again.
func Soon(stateDir string, now time.Time) error { return wake.At(stateDir, now) }

func stateFile(stateDir string) string { return filepath.Join(wake.Dir(stateDir), "state.json") }

// Load reads the state. An unreadable file counts as none: ids reveal what is sent
// twice.
func Load(stateDir string, now time.Time) (*State, error) {
	b, err := statefile.Read(stateFile(stateDir))
	if err != nil {
		return nil, err
	}
	s := &State{}
	if len(b) > 0 && json.Unmarshal(b, s) != nil {
		s = &State{}
	}
	if s.Fold.Sessions == nil {
		s.Fold.Sessions = map[string]*Session{}
	}
	maps.DeleteFunc(s.Fold.Sessions, func(_ string, s *Session) bool { return s == nil })
	if s.Place == nil {
		s.Place = runlog.Before(stateDir, now.Add(-firstTime))
	}
	return s, nil
}

// copy is a deep copy.
func (s *State) copy() *State {
	b, _ := json.Marshal(s) // of our own types
	c := &State{}
	_ = json.Unmarshal(b, c)
	c.Fold.Contents = s.Fold.Contents
	if c.Fold.Sessions == nil {
		c.Fold.Sessions = map[string]*Session{}
	}
	return c
}

// A Worker sends the run log to a collector.
type Worker struct {
	State  string // the state directory
	Target Target
	Now    func() time.Time
	client *client
}

// ErrBusy says that another worker is active.
var ErrBusy = errors.New("another process is sending right now")

// Work waits a moment for more to come, sends everything there is, and lets events
// start the next worker. It is what an event starts: errors go into the state.
func (w *Worker) Work(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, workFor)
	defer cancel()
	release, err := w.hold(0)
	if err != nil {
		return nil // whoever has the lock sends what this one would
	}
	defer release()
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(settle):
	}
	for {
		if err := w.sendAll(ctx, true); err != nil {
			return nil
		}
		// From here on events start workers again, and an event that began before has
		// its line in the log by the time of another look: so one more look misses
		// none.
		if err := wake.At(w.State, w.Now()); err != nil {
			return nil
		}
		if more, err := w.waiting(1); err != nil || more == 0 || ctx.Err() != nil {
			return nil
		}
	}
}

// Once sends everything there is, whenever the next try was due.
func (w *Worker) Once(ctx context.Context) error {
	release, err := w.hold(15 * time.Second)
	if err != nil {
		return ErrBusy
	}
	defer release()
	err = w.sendAll(ctx, false)
	if err == nil {
		err = wake.At(w.State, w.Now())
	}
	return err
}

func (w *Worker) hold(wait time.Duration) (release func(), err error) {
	return statefile.Hold(filepath.Join(wake.Dir(w.State), "worker"), wait)
}

// waiting is how many lines have not been sent yet, at most so many.
func (w *Worker) waiting(most int) (n int, err error) {
	s, err := Load(w.State, w.Now())
	if err != nil {
		return 0, err
	}
	return Waiting(w.State, s, most)
}

// Waiting is how many lines a state has not sent yet, at most so many.
func Waiting(stateDir string, s *State, most int) (n int, err error) {
	for _, err := range runlog.After(stateDir, maps.Clone(s.Place)) {
		if err != nil {
			continue
		}
		if n++; n >= most {
			break
		}
	}
	return n, nil
}

// sendAll sends batch after batch. A failure is recorded, with the time of the next
// try.
func (w *Worker) sendAll(ctx context.Context, held bool) error {
	s, err := Load(w.State, w.Now())
	if err != nil {
		return err
	}
	s.forget(w.Target.Shown())
	s.Fold.Contents = w.Target.Contents
	if held && w.Now().Before(s.NextTry) && s.NextTry.Sub(w.Now()) <= mostWait {
		return errors.New("it is too early to try again")
	}
	for err == nil {
		if held {
			_ = wake.At(w.State, w.Now().Add(wake.Held))
		}
		var more bool
		if more, err = w.sendBatch(ctx, &s); err == nil && !more {
			return nil
		}
	}
	w.failed(s, err)
	return err
}

// sendBatch sends the next lines, or closes what is over; more says whether there was
// anything.
func (w *Worker) sendBatch(ctx context.Context, s **State) (more bool, err error) {
	place := maps.Clone((*s).Place)
	var entries []runlog.Entry
	for e, err := range runlog.After(w.State, place) {
		if err != nil {
			continue // an unreadable file does not keep the others from being sent
		}
		if entries = append(entries, e); len(entries) == batch {
			break
		}
	}
	if len(entries) > 0 {
		return true, w.sendEntries(ctx, s, entries)
	}
	next := (*s).copy()
	next.Place = place
	spans := next.Fold.EndIdle(w.Now())
	err = w.deliver(ctx, next, spans)
	var refused *refusal
	if errors.As(err, &refused) { // there is no line to find: these ends are left out
		next.Dropped, next.Error, err = next.Dropped+1, "the end of a session was left out: "+err.Error(), nil
	}
	if err != nil {
		return false, err
	}
	if len(spans) > 0 || !maps.Equal(place, (*s).Place) || next.Tries > 0 {
		err = w.keep(next)
	}
	*s = next
	return false, err
}

// sendEntries sends the spans of lines. If a collector rejects them for their
// content, they are halved until the line that it does not accept is found.
func (w *Worker) sendEntries(ctx context.Context, s **State, entries []runlog.Entry) error {
	next := (*s).copy()
	var spans []Span
	for i := range entries {
		spans = append(spans, next.Fold.Add(&entries[i].LogLine)...)
		next.Place[entries[i].Day] = entries[i].End
	}
	err := w.deliver(ctx, next, spans)
	if _, ok := errors.AsType[*refusal](err); ok {
		if half := len(entries) / 2; half > 0 {
			if err := w.sendEntries(ctx, s, entries[:half]); err != nil {
				return err
			}
			return w.sendEntries(ctx, s, entries[half:])
		}
		next.Dropped++
		next.Error, err = "a line of the log was left out: "+err.Error(), nil
	}
	if err != nil {
		return err
	}
	if err := w.keep(next); err != nil {
		return err
	}
	*s = next
	return nil
}

// deliver sends spans and counts them in the new state.
func (w *Worker) deliver(ctx context.Context, next *State, spans []Span) error {
	if len(spans) == 0 {
		return nil
	}
	if w.client == nil {
		c, err := w.Target.client()
		if err != nil {
			return err
		}
		w.client = c
	}
	rejected, err := w.client.send(ctx, spans)
	if err != nil {
		return err
	}
	next.Spans, next.Rejected = next.Spans+len(spans)-rejected, next.Rejected+rejected
	next.LastOK, next.Tries, next.Failing, next.Error, next.NextTry = w.Now(), 0, time.Time{}, "", time.Time{}
	return nil
}

// failed records a failed try, and postpones the next one.
func (w *Worker) failed(s *State, err error) {
	pause := min(longest, shortest<<min(s.Tries, 10))
	if wait, ok := errors.AsType[*laterError](err); ok {
		pause = max(pause, wait.wait)
	}
	s.Tries++
	s.Error, s.NextTry = err.Error(), w.Now().Add(pause)
	if s.Failing.IsZero() {
		s.Failing = w.Now()
	}
	_ = w.keep(s) // then the next try is as early as the last one intended
	_ = wake.At(w.State, s.NextTry)
}

func (w *Worker) keep(s *State) error {
	s.To = w.Target.Shown()
	err := statefile.Update(stateFile(w.State), 5*time.Second, func([]byte) ([]byte, error) { return json.Marshal(s) })
	if err != nil {
		return fmt.Errorf("recording how far the log was sent: %w", err)
	}
	return nil
}
