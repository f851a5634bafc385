package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/api"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/pagecache"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Without a key there is no network at all, whatever the address. EV-SHR-01.
func TestWithoutAKeyNoNetwork(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	defer l.Close()
	came := make(chan struct{}, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			came <- struct{}{}
			c.Close()
		}
	}()
	for _, key := range []string{"", "sk-other-123", "sk-prismer-", "SK-PRISMER-1", " sk-prismer-1"} {
		t.Run(fmt.Sprintf("%q", key), func(t *testing.T) {
			if c, err := New("http://"+l.Addr().String(), key, "", http.DefaultTransport); !errors.Is(err, ErrNoKey) {
				t.Errorf("%q: %v, %v", key, c, err)
			}
		})
	}
	select {
	case <-came:
		t.Error("somebody was asked")
	default:
	}
}

// The address of the server: the slash at its end goes; a key goes over
// TLS except to this machine.
func TestAddressOfTheServer(t *testing.T) {
	t.Parallel()
	key := api.KeyPrefix + "x"
	for base, want := range map[string]string{
		"https://team.example.com/": "https://team.example.com", "https://h.example.com/base//": "https://h.example.com/base", "http://127.0.0.1:80": "http://127.0.0.1:80",
		"http://localhost:1/": "http://localhost:1", "http://[::1]:8": "http://[::1]:8",
		"http://team.example.com": "", "http://127.0.0.1.example.com": "", "http://localhost.example.com": "", "ftp://x": "", "team.example.com": "", "": "", "https://u:p@x": "", "https://": "", "https://x/?a=b": "", "http://10.0.0.1": "",
	} {
		t.Run(fmt.Sprintf("%q", base), func(t *testing.T) {
			c, err := New(base, key, "", http.DefaultTransport)
			if (err == nil) != (want != "") || err == nil && c.Base != want {
				t.Errorf("%q: %v, %v", base, c, err)
			}
			if err != nil && strings.Contains(err.Error(), ":p@") {
				t.Errorf("the error tells a password: %v", err)
			}
		})
	}
}

// A key goes to its server and nowhere else: a redirect is an error. EV-SHR-04.
func TestKeyDoesNotFollowRedirects(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked, with %q", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		first := httptest.NewServer(http.RedirectHandler(other.URL, status))
		c, err := New(first.URL, api.KeyPrefix+"x", "", http.DefaultTransport)
		must.Do(t, err)
		for _, method := range []string{"GET", "POST"} {
			err := c.Call(t.Context(), time.Minute, method, "/x", nil, nil, nil)
			if f, ok := errors.AsType[*server.Failure](err); !ok || f.Status != status {
				t.Errorf("%s %d: %v", method, status, err)
			}
		}
		first.Close()
	}
}

// A page goes to the server only if its host is public in fact.
func TestNamesOfPrivateHosts(t *testing.T) {
	t.Parallel()
	v := newTeam(t)
	s := machine(t, v.url, v.key(t, "ada"))
	names := map[string][]string{"public.dev": {"8.8.8.8", "2606:4700::1"}, "inside.dev": {"10.0.0.1"}, "mixed.dev": {"8.8.8.8", "127.0.0.1"}, "mapped.dev": {"::ffff:192.168.1.1"}, "meta.dev": {"169.254.169.254"}, "six.dev": {"fd00::1"}, "none.dev": {}}
	lookup := func(_ context.Context, host string) (out []net.IPAddr, err error) {
		list, ok := names[host]
		if !ok {
			return nil, errors.New("no such host")
		}
		for _, n := range list {
			out = append(out, net.IPAddr{IP: net.ParseIP(n)})
		}
		return out, nil
	}
	text := strings.Repeat("a page of words. ", 20)
	for address, ok := range map[string]bool{"https://public.dev/x": true, "https://8.8.4.4/": true, "https://inside.dev/": false, "https://mixed.dev/": false, "https://mapped.dev/": false, "https://meta.dev/": false, "https://six.dev/": false, "https://none.dev/": false, "https://unknown.dev/": false, "http://localhost/": false, "https://public.dev/?token=ghp_abcdefghijklmnopqrstuvwxyz0123456789": false} {
		t.Run(address, func(t *testing.T) {
			before := v.calls("/context/save")
			err := s.Client.SavePage(t.Context(), lookup, pagecache.Page{URL: address, Text: text, Saved: time.Now()})
			if (err == nil) != ok || (v.calls("/context/save") > before) != ok {
				t.Error(err)
			}
		})
	}
	p, ok, err := s.Client.LoadPage(t.Context(), "https://public.dev/x", time.Now())
	if err != nil || !ok || p.Text != text {
		t.Errorf("%v %v %v", p, ok, err)
	}
	if _, ok, err := s.Client.LoadPage(t.Context(), "https://public.dev/other", time.Now()); ok || err != nil {
		t.Errorf("a miss: %v %v", ok, err)
	}
	if _, _, err := s.Client.LoadPage(t.Context(), "http://10.0.0.1/", time.Now()); err == nil {
		t.Error("a private address was asked for")
	}
}
