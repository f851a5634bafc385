package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// ErrClear is that keys would go over a network in the clear.
var ErrClear = errors.New("is reached by other machines, and keys would go there in the clear")

// Listen opens where a service is reached. An address that other machines reach
// wants TLS, since keys go over it, unless plain says that somebody else ends it.
func Listen(address, certificate, key string, plain bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("the address %q: %w", address, err)
	}
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	if certificate == "" && !local && !plain {
		return nil, fmt.Errorf("the address %q %w", address, ErrClear)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if certificate == "" {
		return l, nil
	}
	c := &certificates{certificate: certificate, key: key}
	if err := c.load(); err != nil {
		l.Close()
		return nil, err
	}
	return secure{tls.NewListener(l, &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}), c}, nil
}

// A certificates is the pair of files that a service shows, and what they held.
type certificates struct {
	certificate, key string
	now              atomic.Pointer[tls.Certificate]
}

func (c *certificates) load() error {
	pair, err := tls.LoadX509KeyPair(c.certificate, c.key)
	if err != nil {
		return fmt.Errorf("the certificate: %w", err)
	}
	c.now.Store(&pair)
	return nil
}

func (c *certificates) get(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil }

// A secure listener can read its certificate anew.
type secure struct {
	net.Listener
	files *certificates
}

// Reload reads the certificate of a listener anew, for connections from then on. One
// that cannot be read leaves that which was there. Without TLS there is nothing to do,
// and again is false.
func Reload(l net.Listener) (again bool, err error) {
	s, ok := l.(secure)
	if !ok {
		return false, nil
	}
	return true, s.files.load()
}

// Run answers on l until ctx ends; what is being answered then is answered, for
// as long as grace.
func (s *Server) Run(ctx context.Context, l net.Listener, grace time.Duration) error {
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       s.limits.Request + 5*time.Second,
		WriteTimeout:      2*s.limits.Request + 10*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	beside, stop := context.WithCancel(ctx)
	var duties sync.WaitGroup
	duties.Go(func() { s.tend(beside) })
	defer duties.Wait()
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.log.Info("ending", "grace_ms", grace.Milliseconds())
	last, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := h.Shutdown(last)
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close()
	}
	if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}
