// Package endpoint gets vectors from a model behind an OpenAI-compatible URL: Ollama, LM
// Studio, llama.cpp, vLLM, or a hosted one. It is not linked into the program that runs on
// every event.
//
//	e := endpoint.Endpoint{URL: url, Model: model, File: file, …}
//	e.Fill(ctx, entries)          memories, when there is time: a session's end, rebuild-index
//	v, err := e.Vectors(ctx, q)   a query, within [Endpoint.Query]; after that, words and the lexicon
//	list := endpoint.Local(ctx)   those that answer on this machine
//
// A search never waits for vectors of memories: entries without one are compared by the
// lexicon. An endpoint that failed, or was late, is not used for a while
// ([chosen.Rest]), so that only one search in that time is slow. A prompt has less time
// than a command, and a separate file records that ([chosen.Slow]).
package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/fill"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
)

// An Endpoint is a model at an address.
type Endpoint struct {
	URL   string // base, such as http://localhost:11434/v1
	Model string
	Key   string // sent as a bearer token, if it is not empty
	// Query is how long to wait for the answer to a query in total.
	Query  time.Duration
	Client *http.Client
	// Withheld says why nothing is sent there; nil: texts are sent.
	Withheld error
	// File stores the vectors of memories.
	File string
}

// id is the model and its address: another server may have a different model with the same
// name.
func (e Endpoint) id() string { return e.Model + "@" + strings.TrimRight(e.URL, "/") }

// answerMax limits an endpoint's answer for one text: a vector of 4,096 numbers as text, with
// its surroundings.
const answerMax = 160 << 10

// StoreWait is how long to wait for a batch when memories are stored.
const StoreWait = 30 * time.Second

// batch is how many texts an endpoint is sent at once.
const batch = 64

// ErrResting says that the endpoint failed recently, and is not asked.
var ErrResting = errors.New("the embedding endpoint failed or was late a moment ago, and is not asked")

func (e Endpoint) forPrompt() bool { return e.Query <= chosen.PromptWait }

// wasLate records that there was no answer in time. That a prompt had too little time only
// concerns prompts.
func (e Endpoint) wasLate() {
	mark := chosen.Late(e.File)
	if e.forPrompt() {
		mark = chosen.Slow(e.File)
	}
	_ = chosen.Mark(mark) // if that fails, the next one waits, too
}

// Vectors are what a query is compared with: its own vector, and the stored ones; nil if there
// are none.
func (e Endpoint) Vectors(ctx context.Context, query string) (*search.Vectors, error) {
	kept := search.OpenKept(e.File, e.id())
	if kept == nil {
		return nil, nil
	}
	if chosen.Resting(e.File, e.forPrompt()) {
		kept.Close()
		return nil, ErrResting
	}
	v, err := e.ask(ctx, []string{query}, e.Query)
	if err == nil && len(v[0]) != kept.Dims() {
		err = fmt.Errorf("the embedding endpoint %q has another model now: its vectors have %d numbers, and those that are kept %d: agents-hooks memory rebuild-index", e.URL, len(v[0]), kept.Dims())
	}
	if err != nil {
		kept.Close()
		e.wasLate()
		return nil, err
	}
	return &search.Vectors{Query: v[0], Kept: kept}, nil
}

// Fill asks for the vectors that are not stored yet, and removes those of texts that no longer
// exist. What arrived before a failure is stored. The time of one answer decides whether
// prompts ask.
func (e Endpoint) Fill(ctx context.Context, entries []search.Entry) (made int, err error) {
	made, err = fill.Fill(e.File, e.id(), entries, batch, func(texts []string) ([][]float32, error) {
		return e.ask(ctx, texts, StoreWait)
	})
	if err != nil {
		_ = chosen.Mark(chosen.Late(e.File))
		return made, err
	}
	_ = os.Remove(chosen.Late(e.File))
	if _, slow := e.ask(ctx, fill.Background()[:1], chosen.PromptWait); slow != nil {
		_ = chosen.Mark(chosen.Slow(e.File))
	} else {
		_ = os.Remove(chosen.Slow(e.File))
	}
	return made, nil
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
	client := *h.Client
	// Memories are sent to the user's server, and not to where a server redirects.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking the embedding endpoint: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, int64(len(texts))*answerMax))
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
	out, says := make([][]float32, n), false
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= n || len(d.Embedding) == 0 {
			return nil, fmt.Errorf("the embedding endpoint's answer: no vector at %d", d.Index)
		}
		for _, x := range d.Embedding {
			if math.IsNaN(float64(x)) || math.Abs(float64(x)) > math.MaxFloat32/1e6 {
				return nil, fmt.Errorf("the embedding endpoint's answer: the number %v in vector %d", x, d.Index)
			}
			says = says || x != 0
		}
		out[d.Index] = search.Unit(d.Embedding)
	}
	for i, v := range out {
		if v == nil || len(v) != len(out[0]) {
			return nil, fmt.Errorf("the embedding endpoint's answer: want %d vectors of one length, number %d is missing or another", n, i)
		}
	}
	if !says {
		return nil, fmt.Errorf("the embedding endpoint's answer: nothing but zeros")
	}
	return out, nil
}
