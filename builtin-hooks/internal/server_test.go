package internal_test

import (
	"errors"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A server that gives no answer is named, with the reason in plain words, and not in those of
// the library.
func TestAServerThatGivesNoAnswerIsNamed(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	nobody := "http://" + closed.Addr().String()
	closed.Close()
	cuts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			c.Close()
		}
	}))
	defer cuts.Close()
	never := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-never }))
	defer slow.Close()
	defer close(never)
	for _, c := range []struct {
		name, base, why string
		limit           time.Duration
	}{
		{"nobody is there", nobody, "no server answers on this port", time.Minute},
		{"the connection is cut", cuts.URL, "the connection was cut", time.Minute},
		{"it takes too long", slow.URL, "no answer within 50ms", 50 * time.Millisecond},
		{"its name is none", "https://no-such-machine.invalid", "no-such-machine.invalid", time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, err := server.New(c.base, "sk-prismer-test", "", http.DefaultTransport)
			must.Do(t, err)
			err = client.Call(t.Context(), c.limit, http.MethodGet, "/x", nil, nil, nil)
			if _, ok := errors.AsType[*server.Unreached](err); !ok || !strings.HasPrefix(err.Error(), c.base+" cannot be reached: ") || !strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "dial") {
				t.Errorf("%v", err)
			}
		})
	}
}
