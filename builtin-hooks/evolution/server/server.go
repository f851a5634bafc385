package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
)

// Limits bound what one caller may ask for; see [DefaultLimits]. A Rate of 0 means
// unlimited.
type Limits struct {
	Body    int64         // bytes of a request
	Rate    float64       // sustained requests per second and key
	Burst   int           // requests that a key may make at once
	Request time.Duration // for one request
}

// DefaultLimits are the default: generous for a team of people and their agents.
func DefaultLimits() Limits {
	return Limits{Body: 2 << 20, Rate: 20, Burst: 200, Request: 15 * time.Second}
}

// A Server answers the contract from a store.
type Server struct {
	store  *Store
	limits Limits
	hosts  Hosts
	log    *slog.Logger
	rate   rates
	meters meters
	calls  map[string]string // the scope that a key must have, by pattern; "": it depends
	mux    *http.ServeMux
}

// New is a server that answers to hosts. It logs one line of JSON per request, without
// keys, query strings or contents.
func New(store *Store, limits Limits, hosts Hosts, log io.Writer) *Server {
	s := &Server{store: store, limits: limits, hosts: hosts, log: slog.New(slog.NewJSONHandler(log, nil)), rate: rates{now: store.now, rate: limits.Rate, burst: limits.Burst, of: map[string]*rate.Limiter{}}, calls: map[string]string{}, mux: http.NewServeMux()}
	for pattern, h := range map[string]http.HandlerFunc{"GET /healthz": s.alive, "GET /readyz": s.ready} {
		s.handle("", pattern, h)
	}
	s.handle(Measure, "GET /metrics", s.measured)
	s.im(Read, "GET /api/im/me", s.whoami)
	s.im("", "POST /api/im/evolution/sync", s.sync)
	s.im(Read, "GET /api/im/evolution/sync/snapshot", s.snapshot)
	s.im(Read, "POST /api/im/evolution/analyze", s.analyze)
	s.im(Write, "POST /api/im/evolution/record", s.record)
	s.im(Write, "POST /api/im/evolution/genes", s.createGene)
	s.im(Write, "DELETE /api/im/evolution/genes/{id}", s.deleteGene)
	s.im(Write, "POST /api/im/evolution/genes/{id}/publish", s.publishGene)
	s.im(Decide, "POST /api/im/evolution/genes/{id}/review", s.review)
	s.im(Read, "GET /api/im/evolution/genes/{id}/proof", s.proof)
	s.im(Decide, "GET /api/im/evolution/review", s.reviewList)
	s.im(Decide, "GET /api/im/audit", s.auditLog)
	s.im(Write, "POST /api/im/evolution/report", s.takeReport)
	s.im(Read, "GET /api/im/evolution/public/hot", s.hot)
	s.im(Read, "GET /api/im/memory/load", s.memoryLoad)
	s.im(Read, "GET /api/im/memory/files", s.memoryFiles)
	s.im(Write, "POST /api/im/memory/files", s.memorySave)
	s.im(Read, "GET /api/im/workspace", s.workspace)
	s.im(Read, "GET /api/im/skills/installed", s.skillsInstalled)
	s.im(Read, "GET /api/im/skills/{slug}/content", s.skillContent)
	s.im(Write, "POST /api/im/skills/import", s.skillsImport)
	s.im(Read, "GET "+room.RoomsPath, s.teamRooms)
	s.im("", "POST "+room.SyncPath, s.teamSync)
	s.context(Read, "POST /api/context/load", s.contextLoad)
	s.context(Write, "POST /api/context/save", s.contextSave)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		respond(w, http.StatusNotFound, envelope(nil, failure{Code: "NOT_FOUND", Message: "no such path"}))
	})
	return s
}

// A request is a call with a valid key.
type request struct {
	*http.Request
	caller
	body []byte
}

// An answer is the response to it: data and the status, or an error.
type answer struct {
	status int
	data   any
	meta   any
}

// A failure is an error as the caller sees it.
type failure struct {
	status  int
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (f failure) Error() string { return f.Message }

func refuse(status int, code, format string, args ...any) error {
	return failure{status, code, fmt.Sprintf(format, args...)}
}

// bad is the failure for an invalid request.
func bad(format string, args ...any) error {
	return refuse(http.StatusBadRequest, "INVALID_INPUT", format, args...)
}

// envelope is the form of all answers below /api/im.
func envelope(data any, err error) map[string]any {
	if err != nil {
		return map[string]any{"ok": false, "error": err}
	}
	return map[string]any{"ok": true, "data": data}
}

// handle adds a path.
func (s *Server) handle(scope, pattern string, h http.HandlerFunc) {
	s.calls[pattern] = scope
	s.mux.HandleFunc(pattern, h)
}

// im adds a path with answers {ok, data, error?, meta?}, for keys with a scope.
func (s *Server) im(scope, pattern string, h func(request) (answer, error)) {
	s.handle(scope, pattern, s.guarded(scope, h, func(a answer, err error) any {
		doc := envelope(a.data, err)
		if a.meta != nil {
			doc["meta"] = a.meta
		}
		return doc
	}))
}

// context adds a path with answers {success, …}.
func (s *Server) context(scope, pattern string, h func(request) (answer, error)) {
	s.handle(scope, pattern, s.guarded(scope, h, func(a answer, err error) any {
		if err != nil {
			return map[string]any{"success": false, "error": err}
		}
		return a.data
	}))
}

// guarded requires a key, enforces the limits, and turns errors into answers.
func (s *Server) guarded(scope string, h func(request) (answer, error), form func(answer, error) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), s.limits.Request)
		defer cancel()
		a, err := s.answer(w, r.WithContext(ctx), scope, h)
		if err == nil {
			respond(w, a.status, form(a, nil))
			return
		}
		var f failure
		if !errors.As(err, &f) {
			// Internal errors are for the log, not for the caller.
			s.log.Error("request", "error", err.Error())
			f = failure{http.StatusInternalServerError, "INTERNAL", "the service could not answer"}
			if errors.Is(err, context.DeadlineExceeded) {
				f = failure{http.StatusServiceUnavailable, "TIMEOUT", "the service was too slow"}
			} else if !s.store.answers() {
				f = failure{http.StatusServiceUnavailable, "DATABASE", "the database does not answer"}
			}
		}
		respond(w, f.status, form(answer{}, f))
	}
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, scope string, h func(request) (answer, error)) (answer, error) {
	if err := s.store.there(); err != nil {
		s.log.Error("request", "error", err.Error())
		return answer{}, err
	}
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return answer{}, s.unknown(w, r)
	}
	who, err := s.store.who(r.Context(), strings.TrimSpace(key))
	if errors.Is(err, errNoKey) {
		return answer{}, s.unknown(w, r)
	}
	if err != nil {
		return answer{}, err
	}
	if note, ok := w.(*noting); ok {
		note.key = who.key
	}
	if wait, ok := s.rate.take("key " + who.key); !ok {
		return answer{}, tooMany(w, wait)
	}
	if err := who.may(scope); err != nil {
		return answer{}, err
	}
	if !plainAddress(r) {
		return answer{}, bad("the address holds what is no text")
	}
	who.agent = oneLine(r.Header.Get("X-IM-Agent"), 100)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.limits.Body))
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return answer{}, refuse(http.StatusRequestEntityTooLarge, "TOO_LARGE", "at most %d bytes", large.Limit)
	}
	if err != nil {
		return answer{}, bad("the body could not be read")
	}
	return h(request{r, who, body})
}

// unknown answers somebody without a valid key, and not too often.
func (s *Server) unknown(w http.ResponseWriter, r *http.Request) error {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if wait, ok := s.rate.take("host " + host); !ok {
		return tooMany(w, wait)
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	return refuse(http.StatusUnauthorized, "UNAUTHORIZED", "want Authorization: Bearer with a key that is known, and neither revoked nor over")
}

func tooMany(w http.ResponseWriter, wait time.Duration) error {
	w.Header().Set("Retry-After", fmt.Sprint(max(1, int(wait.Seconds()+0.999))))
	return refuse(http.StatusTooManyRequests, "RATE_LIMITED", "too many requests")
}

func respond(w http.ResponseWriter, status int, doc any) {
	b, err := json.Marshal(doc)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"ok":false,"error":{"code":"INTERNAL","message":"the answer could not be written"}}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A caller who is gone is not our error.
	_, _ = w.Write(append(b, '\n'))
}

// A noting writer records what the log needs.
type noting struct {
	http.ResponseWriter
	status int
	bytes  int
	key    string
}

func (n *noting) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}

func (n *noting) Write(b []byte) (int, error) {
	n.bytes += len(b)
	return n.ResponseWriter.Write(b)
}

// Unwrap lets the standard library find what the writer can do.
func (n *noting) Unwrap() http.ResponseWriter { return n.ResponseWriter }

// ServeHTTP answers one request and logs it. A panic in a handler becomes an answer and
// a line in the log; the service goes on.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := s.store.now()
	n := &noting{ResponseWriter: w, status: http.StatusOK}
	id := s.store.random()[:16]
	w.Header().Set("X-Request-Id", id)
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("panic", "what", fmt.Sprint(p), "stack", string(debug.Stack()))
			if n.bytes == 0 {
				respond(n, http.StatusInternalServerError, envelope(nil, failure{Code: "INTERNAL", Message: "the service could not answer"}))
			}
		}
		_, pattern := s.mux.Handler(r)
		took := s.store.now().Sub(begin)
		s.meters.note(pattern, n.status, took)
		s.log.Info("request", "id", id, "pattern", pattern, "status", n.status, "ms", took.Milliseconds(), "bytes", n.bytes, "key", n.key)
	}()
	if !s.hosts.answers(r.Host) {
		misdirected(n)
		return
	}
	s.mux.ServeHTTP(n, r)
}

// rates limit how often each caller may ask: one limiter for each recent caller.
type rates struct {
	mu    sync.Mutex
	now   func() time.Time
	rate  float64
	burst int
	of    map[string]*rate.Limiter
}

// take takes one request from a caller's budget, or says how long to wait.
func (r *rates) take(who string) (wait time.Duration, ok bool) {
	if r.rate <= 0 {
		return 0, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if len(r.of) > 10_000 { // a limiter that is full again is as good as a new one
		maps.DeleteFunc(r.of, func(_ string, l *rate.Limiter) bool { return l.TokensAt(now) >= float64(r.burst) })
	}
	l := r.of[who]
	if l == nil {
		l = rate.NewLimiter(rate.Limit(r.rate), r.burst)
		r.of[who] = l
	}
	request := l.ReserveN(now, 1)
	if wait = request.DelayFrom(now); wait > 0 {
		request.CancelAt(now)
	}
	return wait, wait == 0
}
