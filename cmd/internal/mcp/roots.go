package mcp

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// rootsWait is how long the client may take to report its roots.
const rootsWait = 3 * time.Second

// dir is where the project is searched for.
func (c *session) dir(ctx context.Context) string {
	if c.server.Dir != "" {
		return c.server.Dir
	}
	for _, r := range c.rootsOf(ctx) {
		return r
	}
	return c.server.Start
}

// rootsOf are the client's roots, requested once and again after they changed. A
// client that has none, or does not answer, counts as having none.
func (c *session) rootsOf(ctx context.Context) []string {
	c.asking.Lock()
	defer c.asking.Unlock()
	c.mu.Lock()
	roots, enough := c.roots, c.known || !c.hasRoots
	c.known = true
	c.mu.Unlock()
	if enough {
		return roots
	}
	roots = nil
	list, err := c.ask(ctx, "roots/list", rootsWait)
	if err != nil {
		list = nil
	}
	for _, r := range protocol.ElementsOf(list.Get("roots")) {
		if dir := rootDir(protocol.ObjectOf(r).Text("uri"), runtime.GOOS); dir != "" {
			roots = append(roots, dir)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.roots = roots
	return roots
}

// forgetRoots makes them be requested again. It does not block: whoever requests them
// waits for the client's next line.
func (c *session) forgetRoots() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = false
}

// rootDir is a root's folder, "" if it is not on this machine.
func rootDir(uri, goos string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	path := u.Path
	if goos == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}
