package otlp

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/wake"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/runner"
)

// A collector stores the names of spans by their ids, and how often each arrived.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	answer func(body string) int // nil: 200
	spans  map[string]string
	times  map[string]int
	bodies []string
	header http.Header
}

func newCollector(t *testing.T) *collector {
	c := &collector{spans: map[string]string{}, times: map[string]int{}}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	z, err := gzip.NewReader(r.Body)
	if err != nil || r.URL.Path != "/v1/traces" {
		w.WriteHeader(404)
		return
	}
	b, _ := io.ReadAll(z)
	c.header = r.Header
	if c.answer != nil {
		if code := c.answer(string(b)); code != 200 {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(code)
			return
		}
	}
	c.bodies = append(c.bodies, string(b))
	var d struct {
		ResourceSpans []struct {
			ScopeSpans []struct{ Spans []wireSpanIn }
		}
	}
	if json.Unmarshal(b, &d) != nil {
		w.WriteHeader(400)
		return
	}
	for _, s := range d.ResourceSpans[0].ScopeSpans[0].Spans {
		c.spans[s.SpanID] = s.Name
		c.times[s.SpanID]++
	}
}

type wireSpanIn struct{ TraceID, SpanID, ParentSpanID, Name string }

func (c *collector) answers(f func(body string) int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = f
}

func (c *collector) count() (spans, doubles int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.times {
		doubles += n - 1
	}
	return len(c.spans), doubles
}

func noEnv(string) string { return "" }

func newWorker(t *testing.T, c *collector) *Worker {
	return &Worker{State: t.TempDir(), Now: time.Now, Target: Target{Address: c.URL, Env: noEnv, Version: "test"}}
}

// session logs one: a prompt, calls, the last of them blocked, and its end. It makes
// 3 spans and 2 for each call.
func session(t *testing.T, state, id string, calls int, at time.Time) {
	t.Helper()
	n := 0
	log := func(event string, change func(l *runner.LogLine)) {
		n++
		l := runner.LogLine{V: 1, ID: fmt.Sprintf("%s-%d", id, n), Time: at.Add(time.Duration(n) * time.Millisecond), Agent: "claude-code", Event: event, Session: id, Project: "/home/me/api", Decision: "none"}
		if change != nil {
			change(&l)
		}
		must.Do(t, runner.AppendLog(state, &l))
	}
	log("pre-session", nil)
	log("pre-agent-turn", nil)
	for i := range calls {
		call := fmt.Sprint("call-", i)
		block := i == calls-1
		log("pre-tool-call", func(l *runner.LogLine) {
			l.Tool, l.NativeTool, l.CallID = "Shell", "Bash", call
			h := runner.LogHook{Name: "guard", Layer: "user", Result: runner.OK, Duration: time.Millisecond}
			if block {
				h.Result, h.Exit, h.Reason, l.Decision = runner.Blocked, 2, "because of the reason", "block"
			}
			l.Hooks = []runner.LogHook{h}
		})
		if !block {
			log("post-tool-call", func(l *runner.LogLine) { l.Tool, l.NativeTool, l.CallID = "Shell", "Bash", call })
		}
	}
	log("post-agent-turn", nil)
	log("post-session", func(l *runner.LogLine) {
		l.Hooks = []runner.LogHook{{Name: "tidy", Layer: "user", Result: runner.TimedOut, Exit: -1, Duration: time.Second}}
	})
}

const sessionSpans = 3 // besides those of calls: the session, its turn, the hook at its end

func TestASessionBecomesATrace(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	w := newWorker(t, c)
	w.Target.Headers = map[string]string{"X-Whose": "the file"}
	w.Target.Env = func(name string) string {
		return map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "x-whose=env,x-team=a%20b", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "x-kind=traces"}[name]
	}
	session(t, w.State, "s1", 3, time.Now())
	must.Do(t, w.Once(context.Background()))
	names := map[string]int{}
	for _, name := range c.spans {
		names[name]++
	}
	for name, want := range map[string]int{"session claude-code": 1, "invoke_agent claude-code": 1, "execute_tool Bash": 3, "execute_hook guard": 3, "execute_hook tidy": 1} {
		t.Run(name, func(t *testing.T) {
			if names[name] != want {
				t.Errorf("%d spans %q, want %d", names[name], name, want)
			}
		})
	}
	var d struct {
		ResourceSpans []struct {
			ScopeSpans []struct{ Spans []wireSpanIn }
		}
	}
	body := c.bodies[0]
	if err := json.Unmarshal([]byte(body), &d); err != nil || len(c.bodies) != 1 {
		t.Fatal(err, len(c.bodies))
	}
	roots := 0
	for _, s := range d.ResourceSpans[0].ScopeSpans[0].Spans {
		parent := c.spans[s.ParentSpanID]
		ok := map[string]string{"session": "", "invoke_agent": "session claude-code", "execute_tool": "invoke_agent claude-code", "execute_hook": "execute_tool Bash"}[strings.Fields(s.Name)[0]] == parent
		if !ok && s.Name != "execute_hook tidy" || len(s.TraceID) != 32 || len(s.SpanID) != 16 || s.TraceID != d.ResourceSpans[0].ScopeSpans[0].Spans[0].TraceID {
			t.Errorf("%+v below %q", s, parent)
		}
		if s.ParentSpanID == "" {
			roots++
		}
	}
	if roots != 1 {
		t.Errorf("%d roots", roots)
	}
	for _, want := range []string{SchemaURL, `"gen_ai.conversation.id"`, `"stringValue":"block"`, `"error.type","value":{"stringValue":"timeout"}`, `"stringValue":"api"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if strings.Contains(body, "reason") || strings.Contains(body, "/home/me") {
		t.Errorf("contents go along unasked: %s", body)
	}
	if h := c.header; h.Get("X-Whose") != "the file" || h.Get("X-Team") != "a b" || h.Get("X-Kind") != "traces" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", h)
	}
	c.bodies = nil
	if err := w.Once(context.Background()); err != nil || len(c.bodies) != 0 {
		t.Errorf("the same once more: %v, %d requests", err, len(c.bodies))
	}
	w.Target.Contents = true
	session(t, w.State, "s2", 1, time.Now())
	if err := w.Once(context.Background()); err != nil || !strings.Contains(c.bodies[0], "because of the reason") || !strings.Contains(c.bodies[0], "/home/me/api") {
		t.Errorf("contents are asked for: %v, %v", err, c.bodies)
	}
}

// A collector that is down, or answers with anything but success, costs attempts and
// no line; the next attempt sends them all, and what came in the meantime.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	w := newWorker(t, c)
	at := time.Now().Add(-20 * time.Hour)
	w.Now = func() time.Time { return at }
	last := time.Time{}
	for i, code := range []int{500, 503, 429, 401, 403, 404, 301, 307, 302, 418} {
		c.answers(func(string) int { return code })
		session(t, w.State, fmt.Sprint("s", i), 2, at)
		at = at.Add(2 * time.Hour)
		w.client = nil
		err := w.Once(context.Background())
		if err == nil {
			t.Fatalf("%d counts as taken", code)
		}
		s, lerr := Load(w.State, at)
		if lerr != nil || s.Tries != i+1 || s.Error == "" || s.NextTry.Sub(at) > longest || !s.NextTry.After(last) || s.Spans != 0 {
			t.Fatalf("%d: %+v, %v", code, s, lerr)
		}
		if wake.Due(w.State, at.Add(time.Second)) {
			t.Errorf("%d: an event would start a worker at once", code)
		}
		last = s.NextTry
	}
	if s, err := Look(w.State, w.Target.Shown(), at); err != nil || s.Error == "" || s.FailingSince == nil {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := Look(w.State, "http://another.example:4318/v1/traces", at); err != nil || s.Error != "" || s.FailingSince != nil || s.NextTry != nil || s.Waiting == 0 {
		t.Errorf("another collector: %+v, %v", s, err)
	}
	c.answers(nil)
	must.Do(t, w.Once(context.Background()))
	if spans, doubles := c.count(); spans != 10*(sessionSpans+4) || doubles != 0 {
		t.Errorf("%d spans, %d came twice", spans, doubles)
	}
	if s, err := Load(w.State, at); err != nil || s.Tries != 0 || s.Error != "" || !s.Failing.IsZero() || len(s.Fold.Sessions) != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if !wake.Due(w.State, at) {
		t.Error("no event starts the next worker")
	}
}

// A worker that is killed between the collector's answer and recording it sends the
// same spans again, with the same ids.
func TestKilledInBetween(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	w := newWorker(t, c)
	session(t, w.State, "s1", 5, time.Now())
	must.Do(t, os.MkdirAll(wake.Dir(w.State), 0o700))
	if err := os.Mkdir(stateFile(w.State), 0o700); err != nil { // where the record goes
		t.Fatal(err)
	}
	s := &State{Fold: Fold{Sessions: map[string]*Session{}}, Place: map[string]int64{}}
	if _, err := w.sendBatch(context.Background(), &s); err == nil {
		t.Fatal("the note was kept")
	}
	must.Do(t, os.Remove(stateFile(w.State)))
	must.Do(t, w.Once(context.Background()))
	if spans, doubles := c.count(); spans != sessionSpans+10 || doubles != spans {
		t.Errorf("%d spans, %d of them twice", spans, doubles)
	}
}

// Only what a collector rejects for its content is left out, and counted.
func TestOneBadLine(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	w := newWorker(t, c)
	c.answers(func(body string) int {
		if strings.Contains(body, `"call-7"`) {
			return 400
		}
		return 200
	})
	session(t, w.State, "s1", 20, time.Now())
	must.Do(t, w.Once(context.Background()))
	s, err := Load(w.State, time.Now())
	if spans, doubles := c.count(); err != nil || s.Dropped != 1 || spans != sessionSpans+40-1 || doubles != 0 {
		t.Errorf("%d spans, %d twice, %+v, %v", spans, doubles, s, err)
	}
}

// Of many concurrent workers one sends; each line is sent once.
func TestManyWindows(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	w := newWorker(t, c)
	var wait sync.WaitGroup
	for i := range 6 {
		session(t, w.State, fmt.Sprint("s", i), 3, time.Now())
		wait.Go(func() {
			other := &Worker{State: w.State, Now: time.Now, Target: w.Target}
			if err := other.Once(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	must.Do(t, w.Once(context.Background()))
	if spans, doubles := c.count(); spans != 6*(sessionSpans+6) || doubles != 0 {
		t.Errorf("%d spans, %d twice", spans, doubles)
	}
}

// What is open is limited, and what never ends is eventually closed.
func TestWhatNeverEnds(t *testing.T) {
	t.Parallel()
	f := &Fold{Sessions: map[string]*Session{}}
	at := time.Now()
	spans := 0
	for i := range mostSessions + 10 {
		for j := range mostTools + 5 {
			spans += len(f.Add(&runner.LogLine{ID: fmt.Sprint(i, "-", j), Time: at.Add(time.Duration(i) * time.Second), Agent: "a", Session: fmt.Sprint(i), Event: "pre-tool-call", Tool: "Shell"}))
		}
	}
	if len(f.Sessions) != mostSessions {
		t.Errorf("%d sessions are open", len(f.Sessions))
	}
	spans += len(f.EndIdle(at.Add(2 * idleFor)))
	if want := (mostSessions + 10) * (mostTools + 5 + 1); len(f.Sessions) != 0 || spans != want {
		t.Errorf("%d sessions are open, %d spans, want %d", len(f.Sessions), spans, want)
	}
	// A session that continues after that is another one in the same trace; a clock
	// that is set back makes no span that ends before it began.
	a := f.Add(&runner.LogLine{ID: "1", Time: at, Agent: "a", Session: "s", Event: "pre-agent-turn", Duration: time.Second})
	a = append(a, f.Add(&runner.LogLine{ID: "2", Time: at.Add(-time.Hour), Agent: "a", Session: "s", Event: "post-session"})...)
	a = append(a, f.Add(&runner.LogLine{ID: "3", Time: at, Agent: "a", Session: "s", Event: "post-session"})...)
	ids := map[ID8]bool{}
	for _, s := range a {
		ids[s.ID] = true
		if s.End.Before(s.Start) || s.Trace != a[0].Trace {
			t.Errorf("%+v", s)
		}
	}
	if len(ids) != 3 {
		t.Errorf("%d spans: %+v", len(ids), a)
	}
}

// A state file that is broken, or somebody else's, costs no more than spans that are
// sent twice.
func TestBrokenState(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"cut": `{"place": {"20`, "other": `[1, 2]`, "wrong": `{"place": {"2026-11-23": -5}, "open": {"sessions": {"a s": null}}}`, "far": `{"next_try": "2999-01-01T00:00:00Z", "place": {}}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCollector(t)
			w := newWorker(t, c)
			session(t, w.State, "s1", 1, time.Now())
			must.Do(t, os.MkdirAll(wake.Dir(w.State), 0o700))
			must.Write(t, stateFile(w.State), text)
			if err := w.Work(context.Background()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if spans, _ := c.count(); spans != sessionSpans+2 {
				t.Errorf("%s: %d spans", name, spans)
			}
		})
	}
}

// A collector's request to wait is honoured, in seconds and as a date, up to an hour;
// a page for people is not a collector's answer; a permanent rejection delays
// nothing.
func TestAnswers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		status      int
		header, say string
		wait        time.Duration
		fails       bool
	}{
		"taken":                    {status: 200, say: "{}"},
		"taken, and nothing said":  {status: 204},
		"a page":                   {status: 200, header: "Content-Type: text/html; charset=utf-8", say: "hello", fails: true},
		"a page that says no type": {status: 200, say: "\n <!doctype html>", fails: true},
		"in seconds":               {status: 429, header: "Retry-After: 1200", wait: 20 * time.Minute, fails: true},
		"for days":                 {status: 503, header: "Retry-After: 999999999", wait: time.Hour, fails: true},
		"until a date":             {status: 503, header: "Retry-After: Mon, 23 Nov 2026 05:40:00 GMT", wait: 40 * time.Minute, fails: true},
		"until long ago":           {status: 503, header: "Retry-After: Mon, 23 Nov 2020 05:40:00 GMT", fails: true},
		"until some day":           {status: 503, header: "Retry-After: soon", fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.Header{}
			if k, v, ok := strings.Cut(c.header, ": "); ok {
				h.Set(k, v)
			}
			_, err := verdict(&http.Response{StatusCode: c.status, Header: h}, []byte(c.say), now)
			var later *laterError
			if (err != nil) != c.fails || errors.As(err, &later) != (c.wait > 0) || later != nil && later.wait != c.wait {
				t.Errorf("%v, %+v", err, later)
			}
		})
	}
}

// The end of a session that a collector rejects is left out, and counted: the next
// lines are sent.
func TestARefusedEndKeepsNobody(t *testing.T) {
	t.Parallel()
	c := newCollector(t)
	state, at := t.TempDir(), time.Now().Add(-time.Minute)
	w := &Worker{State: state, Now: time.Now, Target: Target{Address: c.URL, Env: func(string) string { return "" }}}
	write := func(id, session string) {
		must.Do(t, runner.AppendLog(state, &runner.LogLine{ID: id, Time: at, Agent: "a", Session: session, Event: "pre-agent-turn", Decision: "none"}))
	}
	write("1", "one")
	must.Do(t, w.Once(t.Context()))
	c.answer = func(string) int { return 400 }
	w.Now = func() time.Time { return time.Now().Add(2 * idleFor) }
	must.Do(t, w.Once(t.Context()))
	s, err := Load(state, time.Now())
	if err != nil || s.Dropped != 1 || len(s.Fold.Sessions) != 0 || !strings.Contains(s.Error, "left out") {
		t.Errorf("%v: %+v", err, s)
	}
}
