package model

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// maxBody is the largest request body that is read, in bytes.
const maxBody = 64 << 20

// A Server is a running model.
type Server struct {
	URL string // "http://127.0.0.1:PORT"

	http *http.Server

	mu       sync.Mutex
	log      io.Writer
	script   Script
	requests []*Request
	others   []string
	relay    *authority
}

// Start listens on a free port of the loopback interface and answers according to the
// script. Each model request goes to log as one line of JSON.
func Start(script Script, log io.Writer) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the scripted model: %w", err)
	}
	s := &Server{URL: "http://" + l.Addr().String(), script: script, log: log}
	s.http = &http.Server{Handler: s}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

// Begin starts over with a new script: the requests so far are forgotten (but stay in
// the log), and numbering begins at 0.
func (s *Server) Begin(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.requests, s.others = script, nil, nil
}

// Close ends the server and all its connections.
func (s *Server) Close() error { return s.http.Close() }

// Requests are the model requests so far, in order.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Turns are the requests that offer tools: those of the agent's own conversation,
// without its side requests.
func (s *Server) Turns() []*Request {
	var out []*Request
	for _, r := range s.Requests() {
		if len(r.Tools) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// First is the index in [Server.Turns] of the first request that contains text, -1 if
// none does.
func (s *Server) First(text string) int {
	for i, r := range s.Turns() {
		if r.Says(text) {
			return i
		}
	}
	return -1
}

// Others lists, as "METHOD PATH", the requests that were not model requests.
func (s *Server) Others() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.others...)
}

// ServeHTTP answers one request of an agent.
func (s *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodConnect {
		s.connect(w, req)
		return
	}
	p, ok := protocolOf(req)
	if !ok {
		s.other(w, req)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r, err := newRequest(p.wire, req.URL.Path, body)
	if err != nil {
		s.note("unreadable " + req.Method + " " + req.URL.Path + ": " + err.Error())
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if p.wire == Gemini {
		r.Model, r.Stream = geminiPath(req.URL.Path)
	}
	turn := s.take(r)
	if turn.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(turn.Status)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"scripted_error","code":"scripted_error","message":"the scripted model answers %d"}}`, turn.Status)
		return
	}
	p.answer(w, r, turn)
}

// take records a request and asks the script for its answer.
func (s *Server) take(r *Request) Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Seq = len(s.requests)
	s.requests = append(s.requests, r)
	if line, err := json.Marshal(r); err == nil {
		_, _ = s.log.Write(append(line, '\n'))
	}
	return s.script(r)
}

func (s *Server) note(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.others = append(s.others, what)
}

// other answers what agents ask besides the model: the list of models, a token count, a
// health check.
func (s *Server) other(w http.ResponseWriter, req *http.Request) {
	s.note(req.Method + " " + req.URL.Path)
	path := req.URL.Path
	if otherAugment(w, path) || otherAccount(w, req) {
		return
	}
	switch {
	case strings.HasSuffix(path, "/count_tokens"):
		reply(w, map[string]any{"input_tokens": 10})
	case strings.HasSuffix(path, ":countTokens"):
		reply(w, map[string]any{"totalTokens": 10})
	case strings.HasSuffix(path, "/models"):
		reply(w, map[string]any{"object": "list", "data": []any{
			map[string]any{"id": "fake-model", "object": "model", "type": "model", "display_name": "Fake", "owned_by": "nobody", "created": 0, "created_at": "2026-01-01T00:00:00Z"},
		}})
	case path == "/":
		w.WriteHeader(http.StatusOK)
	default:
		http.Error(w, `{"error":{"message":"not scripted","type":"not_found"}}`, http.StatusNotFound)
	}
}

type protocol struct {
	wire   Wire
	answer func(http.ResponseWriter, *Request, Turn)
}

func protocolOf(req *http.Request) (protocol, bool) {
	path := req.URL.Path
	switch {
	case req.Method != http.MethodPost:
		return protocol{}, false
	case strings.HasSuffix(path, "/messages"):
		return protocol{Anthropic, answerAnthropic}, true
	case strings.HasSuffix(path, "/responses"):
		return protocol{Responses, answerResponses}, true
	case strings.HasSuffix(path, "/chat/completions"):
		return protocol{Chat, answerChat}, true
	case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
		return protocol{Gemini, answerGemini}, true
	case strings.HasSuffix(path, "/chat-stream"):
		return protocol{Augment, answerAugment}, true
	}
	return protocol{}, false
}

// reply sends one JSON document.
func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// A stream sends server-sent events.
type stream struct{ w http.ResponseWriter }

func startStream(w http.ResponseWriter) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return stream{w}
}

// send writes one event; name may be empty.
func (s stream) send(name string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // the values are our own
	}
	if name != "" {
		fmt.Fprintf(s.w, "event: %s\n", name)
	}
	fmt.Fprintf(s.w, "data: %s\n\n", data)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

// object is a JSON object to send.
type object = map[string]any

func (t Turn) inputTokens() int {
	if t.InputTokens > 0 {
		return t.InputTokens
	}
	return 12
}

// arguments are the call's arguments as JSON text.
func (c Call) arguments() string {
	if c.Args == nil {
		return "{}"
	}
	data, err := json.Marshal(c.Args)
	if err != nil {
		panic(err) // a script's own values
	}
	return string(data)
}

// id identifies the i-th call in the answer to r: the same script gives the same ids,
// and no two calls of a run share one.
func (r *Request) id(prefix string, i int) string {
	return fmt.Sprintf("%s_%04d_%d", prefix, r.Seq, i)
}
