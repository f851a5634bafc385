package view

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"html"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
)

// Limits of requests. An open page seldom sends one.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	writeTime  = 30 * time.Second
	idleTime   = time.Minute
	maxHeader  = 16 << 10
	maxBody    = 64 << 10
	maxConns   = 512
	maxStreams = 16
)

// A server is one run of ui.
type server struct {
	sh       *shell.Shell
	options  lookOptions
	watch    *watch
	streams  atomic.Int32
	deciding sync.Mutex
}

// serve serves the page until it is told to end.
func serve(ctx context.Context, sh *shell.Shell, o uiOptions) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	listeners, port, err := listen()
	if err != nil {
		return fmt.Errorf("ui: %w", err)
	}
	token := newToken()
	address := fmt.Sprintf("http://127.0.0.1:%d/%s/", port, token)
	s := &server{sh: sh, options: o.lookOptions}
	s.watch = newWatch(func(ctx context.Context) map[string][]byte { return told(parts(ctx, sh, o.lookOptions)) })
	g := &guests{most: cmp.Or(o.mostGuests, maxConns)}
	d := door{want: sha256.Sum256([]byte(token)), known: g.known, in: s.handler()}
	for _, name := range []string{"127.0.0.1", "localhost", "[::1]"} {
		d.hosts = append(d.hosts, fmt.Sprintf("%s:%d", name, port))
	}
	web := &http.Server{
		Handler: d, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(io.Discard, "", 0), BaseContext: func(net.Listener) context.Context { return ctx },
		ConnState: g.changed, ConnContext: withConn,
	}
	failed := make(chan error, len(listeners))
	for _, l := range listeners {
		go func() { failed <- web.Serve(l) }()
	}
	if err := say(sh, o, address); err != nil {
		web.Close()
		return err
	}
	if o.open {
		remove, err := open(sh, address)
		defer remove()
		if err != nil {
			sh.Say("ui: opening a browser: %v", err)
			sh.Hints([]string{"open the address in one yourself"})
		}
	}
	select {
	case <-ctx.Done():
	case err := <-failed:
		web.Close()
		return fmt.Errorf("ui: %w", err)
	}
	end, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if web.Shutdown(end) != nil {
		web.Close()
	}
	return nil
}

// listen listens on this machine only: on a free port of 127.0.0.1, and on the same port of ::1
// if that address exists and the port is free.
func listen() (list []net.Listener, port int, err error) {
	four, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, 0, err
	}
	port = four.Addr().(*net.TCPAddr).Port
	list = append(list, four)
	if six, err := net.Listen("tcp6", fmt.Sprintf("[::1]:%d", port)); err == nil {
		list = append(list, six)
	}
	return list, port, nil
}

// say prints the address, once.
func say(sh *shell.Shell, o uiOptions, address string) error {
	if o.json {
		return sh.Line(map[string]any{"schema": 1, "address": address, "approvals": o.may.why == ""})
	}
	sh.Printf("%s\n", address)
	if o.may.why != "" {
		sh.Say("ui: nothing can be approved or changed on that page: %s", o.may.why)
	}
	sh.Say("ui: only this machine can open it, at this address; Ctrl-C stops it")
	return nil
}

// open shows an address in the browser. Programs are started with a file that redirects there
// and that only the user can read: others on this machine can see the arguments of programs,
// and the address is the key.
func open(sh *shell.Shell, address string) (remove func(), err error) {
	folder := filepath.Join(sh.Host.Cache, "ui")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return func() {}, err
	}
	file, err := webpage.Temp(folder, "open")
	if err != nil {
		return func() {}, err
	}
	remove = func() { os.Remove(file) }
	text := strings.ReplaceAll(opener, "{{address}}", html.EscapeString(address))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return remove, err
	}
	return remove, webpage.Show(file)
}

const opener = `<!doctype html><html lang="en"><meta charset="utf-8"><title>agents-hooks</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={{address}}"><p><a href="{{address}}">agents-hooks</a></p></html>
`

// handler is what the door protects.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /live", s.live)
	mux.HandleFunc("POST /decide", s.decide)
	mux.HandleFunc("POST /memory", s.memory)
	mux.HandleFunc("POST /workspace", s.workspace)
	mux.HandleFunc("POST /evolution", s.genes)
	return mux
}

// page is the page in its present state.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	k := see(r.Context(), s.sh, s.options)
	var b bytes.Buffer
	if err := k.document(s.sh, s.options).Write(&b); err != nil {
		refuse(w, http.StatusInternalServerError, "the page could not be made: "+err.Error())
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	// The rest of the policy is in the page; these directives have no effect there.
	h.Set("Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	_, _ = w.Write(b.Bytes())
}
