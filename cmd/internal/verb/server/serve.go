package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/server"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// options say how the service runs.
type options struct {
	listen           string
	certificate, key string // files
	plain            bool
	hosts            []string // its names, besides its address
	limits           server.Limits
	grace            time.Duration
}

func (o options) check() error {
	if (o.certificate == "") != (o.key == "") {
		return shell.Usagef("--tls-cert and --tls-key go together")
	}
	if o.limits.Rate < 0 || o.limits.Burst < 1 || o.limits.Body < 1 {
		return shell.Usagef("--rate, --burst and --body: want numbers above 0")
	}
	return nil
}

// answer serves from a database until a signal ends it; requests in progress are completed.
// Events are written to out as lines of JSON.
func answer(ctx context.Context, store database, o options, out io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	hosts, err := server.HostsOf(o.listen, o.hosts)
	if err != nil {
		return shell.Usagef("--host-name: %v", err)
	}
	return store.with(ctx, func(st *server.Store) error {
		l, err := server.Listen(o.listen, o.certificate, o.key, o.plain)
		if errors.Is(err, server.ErrClear) {
			return shell.WithHint(err, "give --tls-cert and --tls-key, or --plain behind something that ends TLS")
		}
		if err != nil {
			return err
		}
		log := slog.New(slog.NewJSONHandler(out, nil))
		log.Info("listening", "address", l.Addr().String(), "tls", o.certificate != "")
		if keys, err := st.Keys(ctx); err == nil && len(keys) == 0 {
			log.Warn("nobody has a key", "hint", Name+" key create --person NAME")
		}
		again := make(chan os.Signal, 1)
		signal.Notify(again, syscall.SIGHUP)
		defer signal.Stop(again)
		go reload(ctx, again, l, log)
		return server.New(st, o.limits, hosts, out).Run(ctx, l, o.grace)
	})
}

// reload reads the certificate again at each signal. If it cannot be read, that is logged, and
// the previous one stays in use.
func reload(ctx context.Context, again <-chan os.Signal, l net.Listener, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
		}
		switch is, err := server.Reload(l); {
		case err != nil:
			log.Error("reload", "error", err.Error())
		case is:
			log.Info("reload", "what", "certificate")
		default:
			log.Info("reload", "what", "nothing: there is no certificate")
		}
	}
}
