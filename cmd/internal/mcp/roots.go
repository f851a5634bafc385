package mcp

//lint:file-ignore SA1019 agents speak protocols that have roots, for years to come

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// rootsWait is how long the client may take to tell its roots.
const rootsWait = 3 * time.Second

// dir is where the project is looked for.
func (s *Server) dir(ctx context.Context, ss *sdk.ServerSession) string {
	if s.Dir != "" {
		return s.Dir
	}
	for _, r := range s.rootsOf(ctx, ss) {
		return r
	}
	return s.Start
}

// rootsOf are the client's roots, asked for once and again after they changed. A
// client that has none, or does not answer, has none.
func (s *Server) rootsOf(ctx context.Context, ss *sdk.ServerSession) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked || ss == nil {
		return s.roots
	}
	p := ss.InitializeParams()
	if p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, rootsWait)
	defer cancel()
	s.asked, s.roots = true, nil
	list, err := ss.ListRoots(ctx, nil)
	if err != nil {
		return nil
	}
	for _, r := range list.Roots {
		if dir := rootDir(r.URI, runtime.GOOS); dir != "" {
			s.roots = append(s.roots, dir)
		}
	}
	return s.roots
}

func (s *Server) forgetRoots() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = false
}

// rootDir is the folder of a root, "" if it is none of this machine.
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
