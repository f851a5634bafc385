// Package server connects to a server for which the user has a key: the one that a team
// runs, or the original's. Behaviours share data through it.
//
//	c, err := server.New("https://team.example.com", key, agent, transport)
//	err = c.Call(ctx, time.Second, http.MethodGet, "/api/…", nil, nil, &data)
//
// A key is sent only to the server that it was given for: over TLS unless the server is
// this machine, and never when following a redirect. The size of an answer is limited,
// and so is the part of it in an error.
package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// ErrNoKey says that there is no key, and so nothing leaves the machine.
var ErrNoKey = errors.New("there is no key, so nothing leaves this machine")

// answerMax is the most that a server may answer.
const answerMax = 16 << 20

// A Client talks to one server for one key.
type Client struct {
	Base  string // its address, without a slash at its end
	key   string
	agent string
	http  *http.Client
}

// New is a client of the server at base. transport is the way to the network,
// with the proxies of the person; agent names the agent that speaks, for people.
func New(base, key, agent string, transport http.RoundTripper) (*Client, error) {
	if !strings.HasPrefix(key, compat.KeyPrefix) || len(key) == len(compat.KeyPrefix) {
		return nil, ErrNoKey
	}
	if strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return nil, errors.New("the key contains a character that no key can have")
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("the server's address %q: want https://host", redacted(base))
	case u.Scheme == "http" && !Loopback(u.Hostname()):
		return nil, fmt.Errorf("the server's address %q: a key is sent over https only, except to this machine", base)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the server's address %q: want https://host", base)
	}
	return &Client{Base: strings.TrimRight(base, "/"), key: key, agent: agent, http: &http.Client{
		Transport: transport,
		// The key is for this server, wherever that points to.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func redacted(base string) string {
	if u, err := url.Parse(base); err == nil {
		return u.Redacted()
	}
	return "…"
}

// Loopback reports whether a host is this machine.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// A Failure is an answer that is none of success.
type Failure struct {
	Status  int
	Code    string
	Message string
}

func (f *Failure) Error() string {
	if f.Message == "" {
		return fmt.Sprintf("the server answered %d", f.Status)
	}
	return fmt.Sprintf("the server answered %d: %s", f.Status, f.Message)
}

// Unreached is a server that gave no answer.
type Unreached struct {
	Server, Why string
	cause       error
}

func (u *Unreached) Error() string { return u.Server + " cannot be reached: " + u.Why }
func (u *Unreached) Unwrap() error { return u.cause }

// What Windows says in place of the errors that are called so elsewhere.
const (
	wsaNoNetwork = syscall.Errno(10051)
	wsaReset     = syscall.Errno(10054)
	wsaRefused   = syscall.Errno(10061)
	wsaNoHost    = syscall.Errno(10065)
)

// why is why a server gave no answer, in plain words where it is one of the usual reasons.
func why(err error) string {
	var name *net.DNSError
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return "nobody knows a machine of the name " + name.Name
	case errors.As(err, &name):
		return "the name " + name.Name + " could not be looked up, as without a network"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, wsaRefused):
		return "the machine is there, but no server answers on this port"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, wsaNoNetwork), errors.Is(err, wsaNoHost):
		return "there is no way to it from here, as without a network"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, wsaReset), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was cut"
	}
	var dialled *net.OpError
	var u *url.Error
	switch {
	case errors.As(err, &dialled):
		return dialled.Err.Error()
	case errors.As(err, &u):
		return u.Err.Error()
	}
	return err.Error()
}

// Call asks for a path; body nil is none. What it answers is read into data,
// which is the "data" of an answer that has one, else the whole of it.
func (c *Client) Call(ctx context.Context, limit time.Duration, method, path string, query url.Values, body, data any) error {
	outer := ctx
	ctx, cancel := context.WithTimeout(outer, limit)
	defer cancel()
	// The limit of one call says nothing of how long the caller has.
	failed := func(err error) error {
		switch {
		case outer.Err() != nil:
			return fmt.Errorf("asking %s: %w", c.Base, outer.Err())
		case ctx.Err() != nil:
			return &Unreached{c.Base, fmt.Sprintf("no answer within %v", limit), err}
		}
		return &Unreached{c.Base, why(err), err}
	}
	var reader io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		reader = bytes.NewReader(b)
	}
	address := c.Base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return fmt.Errorf("asking the server: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "agents-hooks")
	if c.agent != "" {
		req.Header.Set("X-IM-Agent", c.agent)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return failed(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, answerMax+1))
	if err != nil {
		return failed(err)
	}
	if len(b) > answerMax {
		return fmt.Errorf("the server's answer is larger than %d bytes", answerMax)
	}
	return read(resp.StatusCode, b, data)
}

// read takes an answer apart: {ok, data, error} or {success, …}.
func read(status int, b []byte, data any) error {
	var doc struct {
		OK      *bool           `json:"ok"`
		Success *bool           `json:"success"`
		Data    json.RawMessage `json:"data"`
		Error   json.RawMessage `json:"error"`
	}
	bad := json.Unmarshal(b, &doc)
	if status < 200 || status > 299 || doc.OK != nil && !*doc.OK || doc.Success != nil && !*doc.Success {
		f := &Failure{Status: status}
		var about struct{ Code, Message string }
		if json.Unmarshal(doc.Error, &about) == nil {
			f.Code, f.Message = about.Code, about.Message
		} else if json.Unmarshal(doc.Error, &f.Message) != nil && status >= 300 && status < 400 {
			f.Message = "a redirect, which is not followed"
		}
		f.Message = text.Clip(text.OneLine(protocol.Plain(f.Message)), 300)
		return f
	}
	if bad != nil {
		return fmt.Errorf("the server's answer is not JSON: %w", bad)
	}
	if data == nil {
		return nil
	}
	if doc.Data != nil {
		b = doc.Data
	}
	if err := json.Unmarshal(b, data); err != nil {
		return fmt.Errorf("the server's answer: %w", err)
	}
	return nil
}
