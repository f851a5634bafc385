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

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// ErrClear means that keys would cross a network unencrypted.
var ErrClear = errors.New("is reached by other machines, and keys would go there in the clear")

// Listen opens the address of a service. An address reachable by other machines needs
// TLS, since keys cross it, unless plain says that a proxy terminates it.
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

// A certificates is a service's pair of certificate files, and what was loaded from
// them.
type certificates struct {
	certificate, key string
	now              atomic.Pointer[tls.Certificate]
}

// mostPEM limits a file of certificates, or of a key: a device would be read for ever.
const mostPEM = 1 << 20

func (c *certificates) load() error {
	cert, err := safefile.Read(c.certificate, mostPEM)
	if err != nil {
		return fmt.Errorf("the certificate %q: %s", c.certificate, safefile.Reason(err))
	}
	key, err := safefile.Read(c.key, mostPEM)
	if err != nil {
		return fmt.Errorf("the key %q: %s", c.key, safefile.Reason(err))
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("the certificate: %w", err)
	}
	c.now.Store(&pair)
	return nil
}

func (c *certificates) get(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now.Load(), nil }

// A secure listener can reload its certificate.
type secure struct {
	net.Listener
	files *certificates
}

// Reload reads the certificate of a listener again, for new connections. If it cannot
// be read, the previous one stays. Without TLS there is nothing to do, and again is
// false.
func Reload(l net.Listener) (again bool, err error) {
	s, ok := l.(secure)
	if !ok {
		return false, nil
	}
	return true, s.files.load()
}

// Run serves l until ctx ends; requests in progress are then finished within grace.
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
