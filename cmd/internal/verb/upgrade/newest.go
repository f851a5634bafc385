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

// askLimit is how long a server may take, and mostAnswer how much it may say.
const (
	askLimit   = 10 * time.Second
	mostAnswer = 1 << 20
)

// A release is one that somebody may install.
type release struct {
	Version string `json:"version"`
	Page    string `json:"page"`
}

// ask gets the newest release. env is the environment whose proxies count. Nothing
// about this machine is sent except what every request contains.
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
	// The version goes into lines that a person copies into a shell.
	if keep.Version(said.Tag) == nil || strings.Trim(said.Tag, "0123456789.-+abcdefghijklmnopqrstuvwxyz") != "" {
		return r, fmt.Errorf("%s: %q is not a version", address, said.Tag)
	}
	if !strings.HasPrefix(said.Page, "https://") {
		said.Page = releases
	}
	return release{said.Tag, said.Page}, nil
}

// preview reports whether a version comes before a release, or is a build in between.
func preview(version string) bool {
	version, _, _ = strings.Cut(version, "+")
	return strings.Contains(version, "-")
}

func sameNumbers(a, b string) bool { return slices.Equal(keep.Version(a), keep.Version(b)) }
