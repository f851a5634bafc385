package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A Server is a program on this machine that runs models, with those that make vectors.
type Server struct {
	Name   string   `json:"name"`
	URL    string   `json:"url"`
	Models []string `json:"models"`
}

// usual are common programs, with their default addresses.
func usual() []Server {
	return []Server{
		{Name: "Ollama", URL: "http://127.0.0.1:11434/v1"},
		{Name: "LM Studio", URL: "http://127.0.0.1:1234/v1"},
		{Name: "llama.cpp", URL: "http://127.0.0.1:8080/v1"},
	}
}

// Direct uses no proxy, and follows no redirects: a program on this machine needs neither.
func Direct() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{Proxy: nil, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// IsLocal reports whether an address is on this machine, by number or as localhost.
func IsLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// Local are the usual programs that answer now and have a model for vectors, or the one at an
// address.
func Local(ctx context.Context, address string) (out []Server, err error) {
	list := usual()
	if address != "" {
		list = []Server{{Name: "endpoint", URL: strings.TrimRight(address, "/")}}
	}
	for _, s := range list {
		models, wrong := listed(ctx, s.URL)
		if wrong != nil {
			if address != "" {
				return nil, wrong
			}
			continue
		}
		for _, m := range models {
			if address != "" || embeds(m) {
				s.Models = append(s.Models, m)
			}
		}
		if len(s.Models) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// embeds reports whether a model makes vectors, judging by its name: lists of models do not
// say.
func embeds(model string) bool {
	name := strings.ToLower(model)
	for _, part := range [...]string{"embed", "bge-", "bge_", "e5-", "gte-", "minilm", "arctic", "mxbai", "jina", "stella", "paraphrase"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// lookWait is how long to wait for a program that may not be there.
const lookWait = 2 * time.Second

func listed(ctx context.Context, address string) (models []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/models", nil)
	if err != nil {
		return nil, err
	}
	resp, err := Direct().Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking %q for its models: %w", address, err)
	}
	defer resp.Body.Close()
	const most = 1 << 20
	b, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("asking %q for its models: it answered %s", address, resp.Status)
	}
	var got struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(b, &got); err != nil {
		return nil, fmt.Errorf("asking %q for its models: %w", address, err)
	}
	for _, m := range got.Data {
		if m.ID != "" && len(m.ID) <= 200 {
			models = append(models, m.ID)
		}
	}
	return models, nil
}

// Try asks for two vectors, as a memory would, and returns their length and the time it took.
func (e Endpoint) Try(ctx context.Context, wait time.Duration) (dims int, took time.Duration, err error) {
	start := time.Now()
	v, err := e.ask(ctx, []string{"agents-hooks", "memory"}, wait)
	if err != nil {
		return 0, 0, err
	}
	return len(v[0]), time.Since(start), nil
}
