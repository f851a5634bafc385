package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// alive answers as long as the process runs, whatever the state of the database:
// restarting the service would not fix that.
func (s *Server) alive(w http.ResponseWriter, _ *http.Request) {
	respond(w, http.StatusOK, envelope(map[string]any{"status": "ok"}, nil))
}

// ready answers whether requests may come: the database answers, and its schema is the
// one of this program.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	have, err := s.store.schema(ctx)
	switch {
	case err != nil || s.store.there() != nil:
		respond(w, http.StatusServiceUnavailable, envelope(nil, failure{Code: "DATABASE", Message: "the database does not answer"}))
	case have != len(migrations):
		respond(w, http.StatusServiceUnavailable, envelope(nil, failure{Code: "SCHEMA", Message: fmt.Sprintf("the database has schema %d, this program %d: it was upgraded by another instance", have, len(migrations))}))
	default:
		respond(w, http.StatusOK, envelope(map[string]any{"status": "ok", "schema": have}, nil))
	}
}

func (s *Store) schema(ctx context.Context) (n int, err error) {
	return n, s.db.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) FROM schema_migrations`).Scan(&n)
}

// plainAddress reports whether a URL contains nothing but text.
func plainAddress(r *http.Request) bool {
	text := r.URL.Path
	for name, list := range r.URL.Query() {
		text += name + strings.Join(list, "")
	}
	return utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// bounds are the bounds of a histogram's buckets, in seconds.
var bounds = [...]float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

// meters count the answers of the instance.
type meters struct {
	mu   sync.Mutex
	of   map[string]*meter
	jobs map[string]int64 // failed background jobs, by name
}

type meter struct {
	status  map[int]int64
	buckets [len(bounds)]int64
	sum     float64
	count   int64
}

func (m *meters) note(pattern string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = map[string]*meter{}
	}
	x := m.of[pattern]
	if x == nil {
		x = &meter{status: map[int]int64{}}
		m.of[pattern] = x
	}
	x.status[status]++
	x.sum += took.Seconds()
	x.count++
	for i, b := range bounds {
		if took.Seconds() <= b {
			x.buckets[i]++
		}
	}
}

func (m *meters) failed(job string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jobs == nil {
		m.jobs = map[string]int64{}
	}
	m.jobs[job]++
}

// label is the value of a label in Prometheus' text format.
func label(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// write writes the counts in Prometheus' text format.
func (m *meters) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p("# HELP agents_hooks_requests_total Requests that were answered.\n# TYPE agents_hooks_requests_total counter\n")
	for _, name := range slices.Sorted(maps.Keys(m.of)) {
		for _, status := range slices.Sorted(maps.Keys(m.of[name].status)) {
			p("agents_hooks_requests_total{call=%s,status=\"%d\"} %d\n", label(name), status, m.of[name].status[status])
		}
	}
	p("# HELP agents_hooks_request_seconds How long answers took.\n# TYPE agents_hooks_request_seconds histogram\n")
	for _, name := range slices.Sorted(maps.Keys(m.of)) {
		x := m.of[name]
		for i, b := range bounds {
			p("agents_hooks_request_seconds_bucket{call=%s,le=\"%s\"} %d\n", label(name), strconv.FormatFloat(b, 'g', -1, 64), x.buckets[i])
		}
		p("agents_hooks_request_seconds_bucket{call=%s,le=\"+Inf\"} %d\n", label(name), x.count)
		p("agents_hooks_request_seconds_sum{call=%s} %g\nagents_hooks_request_seconds_count{call=%s} %d\n", label(name), x.sum, label(name), x.count)
	}
	p("# HELP agents_hooks_background_failures_total Duties beside requests that failed.\n# TYPE agents_hooks_background_failures_total counter\n")
	for _, name := range slices.Sorted(maps.Keys(m.jobs)) {
		p("agents_hooks_background_failures_total{duty=%s} %d\n", label(name), m.jobs[name])
	}
}

// measured answers what Prometheus reads: to this machine, and to a key that may be
// used for it. A request through a proxy does not count as from this machine.
func (s *Server) measured(w http.ResponseWriter, r *http.Request) {
	if !local(r) {
		who, err := s.store.who(r.Context(), strings.TrimSpace(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
		if err != nil || who.may(Measure) != nil {
			var f failure
			if !errors.As(s.unknown(w, r), &f) {
				f = failure{http.StatusUnauthorized, "UNAUTHORIZED", "want a key"}
			}
			respond(w, f.status, envelope(nil, f))
			return
		}
	}
	var b strings.Builder
	s.meters.write(&b)
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	s.gauges(ctx, &b)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, b.String())
}

func local(r *http.Request) bool {
	if r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" || r.Header.Get("X-Real-Ip") != "" {
		return false
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// gauges write how much the database contains, and whether it answers.
func (s *Server) gauges(ctx context.Context, w io.Writer) {
	up := 1
	for _, g := range []struct{ name, help, query string }{
		{"genes", "Genes.", `SELECT count(*) FROM genes`},
		{"genes_held", "Genes that wait for a reviewer.", `SELECT count(*) FROM genes WHERE visibility = 'held'`},
		{"outcomes", "Outcomes.", `SELECT count(*) FROM observations`},
		{"persons", "Persons.", `SELECT count(*) FROM persons`},
		{"facts", "Facts in rooms.", `SELECT count(*) FROM facts WHERE deleter = ''`},
	} {
		var n int64
		if err := s.store.db.QueryRowContext(ctx, g.query).Scan(&n); err != nil {
			up = 0
			continue
		}
		fmt.Fprintf(w, "# HELP agents_hooks_%s %s\n# TYPE agents_hooks_%s gauge\nagents_hooks_%s %d\n", g.name, g.help, g.name, g.name, n)
	}
	st := s.store.db.Stats()
	fmt.Fprintf(w, "# HELP agents_hooks_database_up Whether the database answers.\n# TYPE agents_hooks_database_up gauge\nagents_hooks_database_up %d\n", up)
	fmt.Fprintf(w, "# HELP agents_hooks_database_connections Connections in use.\n# TYPE agents_hooks_database_connections gauge\nagents_hooks_database_connections %d\n", st.InUse)
	fmt.Fprintf(w, "# HELP agents_hooks_database_waits_total Requests that waited for a connection.\n# TYPE agents_hooks_database_waits_total counter\nagents_hooks_database_waits_total %d\n", st.WaitCount)
}

// tend does the background jobs until ctx ends.
func (s *Server) tend(ctx context.Context) {
	const pause = time.Minute
	for {
		for name, do := range map[string]func(context.Context) error{"weights": s.store.refresh, "audit": s.store.trim, "statistics": s.store.statistics} {
			if err := do(ctx); err != nil && ctx.Err() == nil {
				s.meters.failed(name)
				s.log.Error("background", "duty", name, "error", err.Error())
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
