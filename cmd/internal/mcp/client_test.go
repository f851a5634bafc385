package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// hello begins a session in a version.
func hello(version string) string {
	return `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{"roots":{}},"clientInfo":{"name":"x","version":"1"}}}`
}

// inMeta is what each request of the stateless protocol contains.
func inMeta(version string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{}}`
}

// A heard is a message from the server.
type heard struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *fault
}

// told is a message in short: its id, and its code or result.
func (s heard) told() string {
	switch {
	case s.Error != nil:
		b, _ := json.Marshal(s.Error.Code)
		return string(s.ID) + " " + string(b)
	case s.Method != "":
		return s.Method
	}
	return string(s.ID) + " " + string(s.Result)
}

func config(sets ...Set) Config {
	return Config{Name: "x", Version: "1", Most: 1000, Dir: "/p", Log: io.Discard, Sets: sets}
}

// answers are what a server answers to lines, sorted by text.
func answers(t *testing.T, c Config, lines ...string) (list []heard) {
	t.Helper()
	var out strings.Builder
	must.Do(t, New(c).Serve(t.Context(), strings.NewReader(strings.Join(lines, "\n")), &out))
	texts := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(texts)
	for _, text := range texts {
		var s heard
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatalf("%.200q: %v", text, err)
		}
		list = append(list, s)
	}
	return list
}

// A client is a hand-made one: it writes lines, and waits for them.
type client struct {
	t   *testing.T
	in  *io.PipeWriter
	out *bufio.Reader
	end chan error
}

func byHand(t *testing.T, c Config) client {
	in, to := io.Pipe()
	from, out := io.Pipe()
	cl := client{t, to, bufio.NewReader(from), make(chan error, 1)}
	go func() {
		cl.end <- New(c).Serve(t.Context(), in, out)
		out.Close()
	}()
	return cl
}

func (c client) say(lines ...string) {
	for _, l := range lines {
		must.Do(c.t, must.Err(io.WriteString(c.in, l+"\n")))
	}
}

func (c client) hear() (s heard) {
	c.t.Helper()
	line, err := c.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &s)
	}
	if err != nil {
		c.t.Fatalf("%.200s: %v", line, err)
	}
	return s
}

// slow is a set with one tool, which reports that it began, and continues when
// allowed to.
func slow() (s Set, began, gate chan struct{}) {
	began, gate = make(chan struct{}, 9), make(chan struct{})
	return Set{Set: op.Set{Name: "slow", Ops: []op.Op{{Name: "slow", Core: true, Do: func(ctx context.Context, _ op.Call) (any, error) {
		began <- struct{}{}
		<-gate
		return map[string]any{"done": true}, ctx.Err()
	}}}}}, began, gate
}
