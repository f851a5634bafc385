package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

// HTTP is an embedder behind an OpenAI-compatible endpoint: Ollama, llama.cpp,
// vLLM, or a hosted one.
type HTTP struct {
	URL   string // base, such as http://localhost:11434/v1
	Model string
	Key   string // sent as a bearer token, if it is not empty
	// Query is how long the answer to a query is waited for; without one in time
	// the text leg stands alone. Storing may take longer.
	Query  time.Duration
	Client *http.Client
	// Withheld is why nothing is sent there; nil: it is.
	Withheld error
}

// ID is the model and where it answers: another server may have another model
// under the same name.
func (h HTTP) ID() string { return "http/" + h.Model + "@" + strings.TrimRight(h.URL, "/") }

// answerMax is the most that an endpoint may answer: 64 vectors of 4,096 numbers
// as text.
const answerMax = 16 << 20

// storeWait is how long a batch is waited for when memories are stored.
const storeWait = 30 * time.Second

// Embed asks the endpoint. One text is a query.
func (h HTTP) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if h.Withheld != nil {
		return nil, fmt.Errorf("the embedding endpoint: %w", h.Withheld)
	}
	wait := storeWait
	if len(texts) == 1 && h.Query > 0 {
		wait = h.Query
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	body, err := json.Marshal(map[string]any{"model": h.Model, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(h.URL, "/")+"/embeddings", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("the embedding endpoint %q: %w", h.URL, err)
	}
	req.Header.Set("Content-Type", "application/json")
	if h.Key != "" {
		req.Header.Set("Authorization", "Bearer "+h.Key)
	}
	resp, err := h.Client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking the embedding endpoint: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, answerMax))
	if err != nil {
		return nil, fmt.Errorf("reading the embedding endpoint's answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the embedding endpoint answered %s: %.200q", resp.Status, answer)
	}
	return vectorsOf(answer, len(texts))
}

func vectorsOf(answer []byte, n int) ([][]float32, error) {
	var got struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, fmt.Errorf("the embedding endpoint's answer: %w", err)
	}
	out := make([][]float32, n)
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= n || len(d.Embedding) == 0 {
			return nil, fmt.Errorf("the embedding endpoint's answer: no vector at %d", d.Index)
		}
		out[d.Index] = find.Unit(d.Embedding)
	}
	for i, v := range out {
		if v == nil || len(v) != len(out[0]) {
			return nil, fmt.Errorf("the embedding endpoint's answer: want %d vectors of one length, number %d is missing or another", n, i)
		}
	}
	return out, nil
}
