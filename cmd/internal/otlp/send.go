package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/outbound"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Target is a collector.
type Target struct {
	Address  string            // of its receiver: …/v1/traces is appended if missing
	Headers  map[string]string // from the settings, overriding those of the environment
	Contents bool
	Proxy    string
	CAFile   string
	Env      func(name string) string // the variables that count: none of an agent's
	Version  string                   // this program's
}

// The headers that OpenTelemetry's own programs take from the environment, the one
// with precedence last.
var headerVariables = [...]string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"}

const (
	sendTime  = 10 * time.Second
	mostReply = 64 << 10
)

// A refusal is a collector's answer that sending the same again will not change: the
// fault is in what was sent.
type refusal struct{ status string }

func (r *refusal) Error() string { return "the collector refuses it: " + r.status }

// A later is an answer that asks us to wait.
type laterError struct {
	error
	wait time.Duration
}

// A client sends to a collector.
type client struct {
	http    *http.Client
	url     string
	headers http.Header
	version string
}

// URL is the address that spans go to.
func (t Target) URL() (string, error) {
	u, err := url.Parse(t.Address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("[export] otlp is not a collector's address: want http://host:4318")
	}
	if !strings.HasSuffix(u.Path, "/v1/traces") {
		u.Path = strings.TrimSuffix(u.Path, "/") + "/v1/traces"
	}
	return u.String(), nil
}

// Shown is the address for people, without a password.
func (t Target) Shown() string {
	u, err := url.Parse(t.Address)
	if err != nil {
		return "…"
	}
	u.RawQuery = ""
	return protocol.Plain(u.Redacted())
}

// EnvHeaders are the headers in an environment, by names in lower case.
func EnvHeaders(env func(name string) string) map[string]string {
	out := map[string]string{}
	for _, name := range headerVariables {
		for _, pair := range strings.Split(env(name), ",") {
			k, v, ok := strings.Cut(strings.TrimSpace(pair), "=")
			if v, err := url.PathUnescape(strings.TrimSpace(v)); ok && err == nil {
				out[strings.ToLower(strings.TrimSpace(k))] = v
			}
		}
	}
	return out
}

// HeaderVariables are the variables that contain them.
func HeaderVariables(env func(name string) string) (names []string) {
	for _, name := range headerVariables {
		if env(name) != "" {
			names = append(names, name)
		}
	}
	return names
}

func (t Target) client() (*client, error) {
	address, err := t.URL()
	if err != nil {
		return nil, err
	}
	way, err := outbound.Transport(t.Proxy, t.CAFile, t.Env)
	if err != nil {
		return nil, err
	}
	c := &client{url: address, headers: http.Header{}, version: t.Version, http: &http.Client{
		Transport: way, Timeout: sendTime,
		// Redirects are not followed: whoever answers at an address does not get to
		// send data elsewhere that is meant for it.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for k, v := range EnvHeaders(t.Env) {
		c.headers.Set(k, v)
	}
	for k, v := range t.Headers {
		c.headers.Set(k, v)
	}
	return c, nil
}

// send sends spans. rejected is how many of them the collector rejected.
func (c *client) send(ctx context.Context, spans []Span) (rejected int, err error) {
	body, err := request(spans, c.version)
	if err != nil {
		return 0, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(body); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, &packed)
	if err != nil {
		return 0, err
	}
	req.Header = c.headers.Clone()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Content-Encoding", "gzip")
	req.Header.Set("User-Agent", "agents-hooks/"+c.version)
	resp, err := c.http.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // the rest is the address, including what may be secret in it
		}
		return 0, err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(io.LimitReader(resp.Body, mostReply))
	if err != nil {
		return 0, fmt.Errorf("reading the answer: %w", err)
	}
	return verdict(resp, reply, time.Now())
}

// verdict is what an answer means.
func verdict(resp *http.Response, reply []byte, now time.Time) (rejected int, err error) {
	status := fmt.Sprintf("it answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	switch code := resp.StatusCode; {
	case code >= 200 && code < 300 && isPage(resp, reply):
		return 0, fmt.Errorf("%s, with a web page: that is not a collector", status)
	case code >= 200 && code < 300:
		var said struct {
			Partial struct {
				Rejected json.RawMessage `json:"rejectedSpans"`
			} `json:"partialSuccess"`
		}
		_ = json.Unmarshal(reply, &said) // an empty answer is one
		n, _ := strconv.Atoi(strings.Trim(string(said.Partial.Rejected), `"`))
		return max(0, n), nil
	case code >= 300 && code < 400:
		return 0, fmt.Errorf("%s, to another address, which is not followed: write that address into [export] otlp", status)
	case code == http.StatusBadRequest || code == http.StatusRequestEntityTooLarge || code == http.StatusUnprocessableEntity:
		return 0, &refusal{status}
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return 0, fmt.Errorf("%s: the collector refused the headers: they are in [export.headers]", status)
	case code == http.StatusNotFound || code == http.StatusMethodNotAllowed || code == http.StatusUnsupportedMediaType:
		return 0, fmt.Errorf("%s: is it the OTLP receiver for HTTP, usually on port 4318?", status)
	}
	if wait := retryAfter(resp.Header.Get("Retry-After"), now); wait > 0 {
		return 0, &laterError{errors.New(status), min(wait, mostWait)}
	}
	return 0, errors.New(status)
}

// isPage reports whether an answer is meant for people: from a portal, or another
// server at that address. Whatever it claims to have accepted, no collector has.
func isPage(resp *http.Response, reply []byte) bool {
	return strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || bytes.HasPrefix(bytes.TrimSpace(reply), []byte("<"))
}

// retryAfter is how long an answer asks to wait: in seconds, or until a date.
func retryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(min(n, int(mostWait.Seconds()))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now)
	}
	return 0
}
