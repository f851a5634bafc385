package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/server"
)

// ErrNoKey says that there is no key, so nothing leaves the machine.
var ErrNoKey = server.ErrNoKey

// A Client talks to one server with one key.
type Client struct{ *server.Client }

// New is a client of the server at base. transport is the way to the network, with the
// user's proxies; agent names the calling agent, for people.
func New(base, key, agent string, transport http.RoundTripper) (*Client, error) {
	c, err := server.New(base, key, agent, transport)
	if err != nil {
		return nil, err
	}
	return &Client{c}, nil
}

// final reports that sending the same again would give the same answer.
func final(err error) bool {
	var f *server.Failure
	return errors.As(err, &f) && (f.Status == http.StatusBadRequest || f.Status == http.StatusForbidden || f.Status == http.StatusNotFound)
}

// badScope reports that a server does not accept a scope.
func badScope(err error) bool {
	var f *server.Failure
	return errors.As(err, &f) && f.Status == http.StatusBadRequest && strings.Contains(strings.ToLower(f.Message), "invalid scope")
}

// Ask checks whether the server answers and accepts the key.
func (c *Client) Ask(ctx context.Context) error {
	return c.Call(ctx, endLimit, http.MethodGet, "/api/im/evolution/public/hot", url.Values{"limit": {"1"}}, nil, nil)
}
