package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/pagecache"
)

const (
	savePage = 8 * time.Second
	loadPage = time.Second
)

// A Lookup finds the IP addresses of a name, like net.DefaultResolver.LookupIPAddr.
type Lookup func(ctx context.Context, host string) ([]net.IPAddr, error)

// reachable checks that a page's address is really public: its host is a public IP
// address, or a name all of whose addresses are. A name that leads nowhere, or that
// could not be looked up in time, is an error.
func reachable(ctx context.Context, lookup Lookup, address string) error {
	a, err := pagecache.Public(address)
	if err != nil || a.IP {
		return err
	}
	list, err := lookup(ctx, a.Host)
	if err != nil {
		return fmt.Errorf("the host %q: %w", a.Host, err)
	}
	if len(list) == 0 {
		return fmt.Errorf("the host %q leads nowhere", a.Host)
	}
	for _, n := range list {
		ip := []byte(n.IP)
		if v4 := n.IP.To4(); v4 != nil {
			ip = v4
		}
		if n.Zone != "" || !pagecache.PublicIP(ip) {
			return fmt.Errorf("the host %q leads to %s, which is not public", a.Host, n.IP)
		}
	}
	return nil
}

// SavePage sends a page to the server, for the person's own use. The page is cleaned
// first, and not fetched again.
func (c *Client) SavePage(ctx context.Context, lookup Lookup, p pagecache.Page) error {
	p, err := pagecache.Clean(p)
	if err != nil {
		return err
	}
	if !p.Search() {
		if err := reachable(ctx, lookup, p.URL); err != nil {
			return err
		}
	}
	return c.Call(ctx, savePage, http.MethodPost, "/api/context/save", nil, map[string]any{"url": p.URL, "hqcc": p.Text, "visibility": "private"}, nil)
}

// LoadPage asks the server for a page; ok is false if it has none. A
// server may charge for a page that it has to fetch.
func (c *Client) LoadPage(ctx context.Context, address string, now time.Time) (p pagecache.Page, ok bool, err error) {
	a, err := pagecache.Public(address)
	if err != nil {
		return p, false, err
	}
	if (pagecache.Page{URL: a.String()}).Secret() {
		return p, false, errors.New("the address holds a secret")
	}
	var doc struct {
		Result struct {
			HQCC     string `json:"hqcc"`
			CachedAt any    `json:"cachedAt"`
		} `json:"result"`
	}
	if err := c.Call(ctx, loadPage, http.MethodPost, "/api/context/load", nil, map[string]any{"input": a.String()}, &doc); err != nil {
		return p, false, err
	}
	p = pagecache.Page{URL: a.String(), Text: doc.Result.HQCC, Saved: now}
	switch at := doc.Result.CachedAt.(type) {
	case float64:
		p.Saved = time.UnixMilli(int64(at))
	case string:
		if t, err := time.Parse(time.RFC3339, at); err == nil {
			p.Saved = t
		}
	}
	return p, p.Text != "", nil
}
