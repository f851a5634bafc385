package upgrade

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
)

const (
	repository    = "github.com/agents-hooks/agents-hooks"
	releases      = "https://" + repository + "/releases"
	newestRelease = "https://api.github.com/repos/agents-hooks/agents-hooks/releases/latest"
)

// askLimit is the server's time limit, and mostAnswer the longest answer.
const (
	askLimit   = 10 * time.Second
	mostAnswer = 1 << 20
)

// A release that users can install.
type release struct {
	Version string `json:"version"`
	Page    string `json:"page"`
}

// ask gets the newest release, through the proxies in env. Nothing about this machine is sent
// except what every request contains.
func ask(ctx context.Context, address string, env func(string) string) (r release, err error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	transport, err := outbound.Transport("", "", env)
	if err != nil {
		return r, err
	}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return r, err
	}
	request.Header.Set("User-Agent", "agents-hooks")
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return r, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return r, errors.New("there is no release yet")
	}
	if response.StatusCode != http.StatusOK {
		return r, fmt.Errorf("%s answers %s", address, response.Status)
	}
	var said struct {
		Tag  string `json:"tag_name"`
		Page string `json:"html_url"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, mostAnswer)).Decode(&said); err != nil {
		return r, fmt.Errorf("%s: its answer is not a release: %w", address, err)
	}
	// The version becomes part of lines that users copy into a shell.
	if keep.Version(said.Tag) == nil || strings.Trim(said.Tag, "0123456789.-+abcdefghijklmnopqrstuvwxyz") != "" {
		return r, fmt.Errorf("%s: %q is not a version", address, said.Tag)
	}
	if !strings.HasPrefix(said.Page, "https://") {
		said.Page = releases
	}
	return release{said.Tag, said.Page}, nil
}

// preview reports whether a version precedes a release, or is a build between releases.
func preview(version string) bool {
	version, _, _ = strings.Cut(version, "+")
	return strings.Contains(version, "-")
}

func sameNumbers(a, b string) bool { return slices.Equal(keep.Version(a), keep.Version(b)) }
