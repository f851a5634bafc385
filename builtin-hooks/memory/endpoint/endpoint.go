// Package endpoint asks a model behind an OpenAI-compatible address for vectors:
// Ollama, llama.cpp, vLLM, or a hosted one. It is not linked into the program that
// runs on every event.
//
//	e := endpoint.Endpoint{URL: url, Model: model, File: file, …}
//	e.Fill(ctx, texts)            what is remembered, when there is time: a session's end, rebuild-index
//	v, err := e.Vectors(ctx, q)   a query, within [Endpoint.Query]; then there are words and the lexicon
//
// A search never waits for what is remembered: entries without a vector yet are
// compared by the lexicon. An endpoint that failed, or was late, is left alone for
// a while ([rest]), so that only one search in that time pays for it.
package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

// An Endpoint is a model that answers at an address.
type Endpoint struct {
	URL   string // base, such as http://localhost:11434/v1
	Model string
	Key   string // sent as a bearer token, if it is not empty
	// Query is how long the answer to a query is waited for, all in all.
	Query  time.Duration
	Client *http.Client
	// Withheld is why nothing is sent there; nil: it is.
	Withheld error
	// File keeps the vectors of what is remembered.
	File string
}

// id is the model and where it answers: another server may have another model
// under the same name.
func (e Endpoint) id() string { return e.Model + "@" + strings.TrimRight(e.URL, "/") }

// answerMax is the most that an endpoint may answer: 64 vectors of 4,096 numbers
// as text.
const answerMax = 16 << 20

// storeWait is how long a batch is waited for when memories are stored.
const storeWait = 30 * time.Second

// batch is how many texts an endpoint is given at once.
const batch = 64

// rest is how long an endpoint is left alone that failed or was late.
const rest = time.Minute

// ErrResting is that the endpoint failed a moment ago, and is not asked.
var ErrResting = errors.New("the embedding endpoint failed or was late less than a minute ago, and is not asked")

func (e Endpoint) mark() string { return e.File + ".late" }

// resting reports whether the endpoint is left alone.
func (e Endpoint) resting() bool {
	info, err := os.Stat(e.mark())
	return err == nil && time.Since(info.ModTime()) < rest
}

// Vectors are what a query is compared by: its own vector, and those that are
// kept.
func (e Endpoint) Vectors(ctx context.Context, query string) (*find.Vectors, error) {
	kept, err := readKept(e.File, e.id())
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	if e.resting() {
		return nil, ErrResting
	}
	v, err := e.ask(ctx, []string{query}, e.Query)
	if err != nil {
		_ = os.WriteFile(e.mark(), nil, 0o600) // else the next one waits, too
		return nil, err
	}
	return &find.Vectors{Query: v[0], Of: kept.of}, nil
}

// Fill asks for the vectors that are not kept yet, and forgets those of texts that
// are there no more. What came before a failure is kept.
func (e Endpoint) Fill(ctx context.Context, texts []string) (made int, err error) {
	before, err := readKept(e.File, e.id())
	if err != nil {
		return 0, err
	}
	now := kept{}
	var missing []string
	for _, t := range texts {
		if v := before.of(t); v != nil {
			now[key(t)] = v
		} else if _, twice := now[key(t)]; !twice {
			now[key(t)] = nil
			missing = append(missing, t)
		}
	}
	for len(missing) > 0 && err == nil {
		part := missing[:min(batch, len(missing))]
		missing = missing[len(part):]
		var vs [][]float32
		if vs, err = e.ask(ctx, part, storeWait); err == nil {
			for i, v := range vs {
				now[key(part[i])] = find.Pack(v)
				made++
			}
		}
	}
	if err != nil {
		_ = os.WriteFile(e.mark(), nil, 0o600)
	} else {
		_ = os.Remove(e.mark())
	}
	if made == 0 && len(now) == len(before) {
		return made, err
	}
	return made, errors.Join(err, now.write(e.File, e.id()))
}

func (e Endpoint) ask(ctx context.Context, texts []string, wait time.Duration) ([][]float32, error) {
	h := e
	if h.Withheld != nil {
		return nil, fmt.Errorf("the embedding endpoint: %w", h.Withheld)
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
