package internal_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
	"github.com/agents-hooks/agents-hooks/internal/must"
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

// What a request says: the key, who asks and for whom, the query, and a body where there is one.
func TestWhatAServerIsAsked(t *testing.T) {
	t.Parallel()
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		asked = append(asked, fmt.Sprintf("%s %s %s %s %q %s %s", r.Method, r.URL, r.Header.Get("Authorization"), r.UserAgent(), r.Header["X-Im-Agent"], r.Header.Get("Content-Type"), b))
		io.WriteString(w, "{}")
	}))
	defer s.Close()
	for _, agent := range []string{"", "claude"} {
		client, err := server.New(s.URL, "sk-prismer-test", agent, http.DefaultTransport)
		must.Do(t, err)
		must.Do(t, client.Call(t.Context(), time.Minute, http.MethodPost, "/x", nil, map[string]int{"a": 1}, nil))
		must.Do(t, client.Call(t.Context(), time.Minute, http.MethodGet, "/y", url.Values{"q": {"a b"}}, nil, nil))
	}
	const head = "Bearer sk-prismer-test agents-hooks"
	want := []string{
		"POST /x " + head + ` [] application/json {"a":1}`, "GET /y?q=a+b " + head + " [] application/json ",
		"POST /x " + head + ` ["claude"] application/json {"a":1}`, `GET /y?q=a+b ` + head + ` ["claude"] application/json `,
	}
	if strings.Join(asked, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
}

// An answer is its data, with an envelope or without; none of success is an error with what the
// server said, in one line.
func TestWhatAServerAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 400)
	for _, c := range []struct {
		status     int
		body, want string
		err        string
	}{
		{200, `{"ok": true, "data": {"A": 1}}`, "{1}", ""},
		{200, `{"success": true, "data": {"A": 1}}`, "{1}", ""},
		{201, `{"A": 1}`, "{1}", ""},
		{299, `{"data": {"A": 1}}`, "{1}", ""},
		{200, `{"ok": false, "error": {"code": "NO", "message": "not\nyours"}}`, "{0}", "the server answered 200: not yours"},
		{200, `{"success": false, "error": "not yours"}`, "{0}", "the server answered 200: not yours"},
		{200, `{"ok": false}`, "{0}", "the server answered 200"},
		{400, `{"A": 1}`, "{0}", "the server answered 400"},
		{500, `<html>`, "{0}", "the server answered 500"},
		{400, `<html>`, "{0}", "the server answered 400"},
		{300, `<html>`, "{0}", "the server answered 300: a redirect, which is not followed"},
		{399, ``, "{0}", "the server answered 399: a redirect, which is not followed"},
		{400, `{"error": "` + long + `"}`, "{0}", "the server answered 400: " + long[:299]},
		{200, `<html>`, "{0}", "the server's answer is not JSON"},
		{200, `{"data": {"A": "x"}}`, "{0}", "the server's answer: json"},
	} {
		t.Run(fmt.Sprintf("%d %.60s", c.status, c.body), func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			}))
			defer s.Close()
			client, err := server.New(s.URL, "sk-prismer-test", "", http.DefaultTransport)
			must.Do(t, err)
			var data struct{ A int }
			err = client.Call(t.Context(), time.Minute, http.MethodGet, "/", nil, nil, &data)
			if (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) || strings.HasSuffix(c.err, fmt.Sprint(c.status)) && err.Error() != c.err || fmt.Sprint(data) != c.want && c.err == "" {
				t.Errorf("%+v %v", data, err)
			}
		})
	}
}

// A key goes to a host alone, over https or to this machine, and is a key.
func TestAKeyIsForAServer(t *testing.T) {
	t.Parallel()
	const key = "sk-prismer-test"
	for _, c := range []struct {
		base, key string
		ok        bool
	}{
		{"https://a.example", key, true}, {"https://a.example/sub/", key, true}, {"http://localhost:3000", key, true}, {"http://127.0.0.1", key, true}, {"http://[::1]:80", key, true},
		{"http://a.example", key, false}, {"ftp://a.example", key, false}, {"a.example", key, false}, {"", key, false}, {"https://", key, false},
		{"https://me@a.example", key, false}, {"https://a.example?x", key, false}, {"https://a.example?x=y", key, false}, {"https://a.example#x", key, false}, {"https://a.example:x", key, false},
		{"https://a.example", "", false}, {"https://a.example", "sk-prismer-", false}, {"https://a.example", "secret", false}, {"https://a.example", key + "\n", false}, {"https://a.example", key + "é", false},
	} {
		t.Run(fmt.Sprintf("%s %q", c.base, c.key), func(t *testing.T) {
			if _, err := server.New(c.base, c.key, "", http.DefaultTransport); (err == nil) != c.ok {
				t.Errorf("%v", err)
			}
		})
	}
}
