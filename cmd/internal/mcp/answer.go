package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// More is the tool that returns the rest of a long answer.
const More = "agents_hooks_more"

// kept is how many long answers are stored for More.
const kept = 16

// rest is what was cut off long answers.
type rest struct {
	mu    sync.Mutex
	last  int
	parts map[int][]rune
}

// keep stores a rest, and names it.
func (r *rest) keep(text []rune) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.parts == nil {
		r.parts = map[int][]rune{}
	}
	r.last++
	r.parts[r.last] = text
	delete(r.parts, r.last-kept)
	return strconv.Itoa(r.last)
}

func (r *rest) find(name string) ([]rune, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, _ := strconv.Atoi(name)
	text, ok := r.parts[n]
	return text, ok
}

// A cut is the structured form of an answer that was too long.
type cut struct {
	Truncated bool   `json:"truncated"`
	Shown     int    `json:"shown"` // characters
	Left      int    `json:"left"`
	Next      string `json:"next"` // argument of More
}

// answer is a result for the model: as a structure, and as the same text.
func (s *Server) answer(result any) *answered {
	text, err := spell(result)
	if err != nil {
		return s.failed(fmt.Errorf("the answer cannot be encoded: %w", err))
	}
	if runes := []rune(text); len(runes) > s.Most {
		return s.part(runes)
	}
	return &answered{Content: said(text), Structured: json.RawMessage(text)}
}

// part is the beginning of a text, and how to get the rest. It ends at the end of a
// line or a value if there is one nearby.
func (s *Server) part(text []rune) *answered {
	if len(text) <= s.Most {
		return &answered{Content: said(string(text)), Structured: cut{Shown: len(text)}}
	}
	end := s.Most
	for i := end; i > end-end/5; i-- {
		if text[i-1] == '\n' || text[i-1] == ',' {
			end = i
			break
		}
	}
	c := cut{Truncated: true, Shown: end, Left: len(text) - end, Next: s.rest.keep(text[end:])}
	note := fmt.Sprintf("\n[%d characters more: call %s with next %q]", c.Left, More, c.Next)
	return &answered{Content: said(string(text[:end]) + note), Structured: c}
}

// spell is a result as JSON on one line.
func spell(result any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(result); err != nil {
		return "", err
	}
	text := bytes.TrimRight(b.Bytes(), "\n")
	if len(text) == 0 || text[0] != '{' {
		return `{"result": ` + string(text) + `}`, nil
	}
	return string(text), nil
}

// failed is an answer about an error: the text for the model, the structure for a
// program.
func (s *Server) failed(err error) *answered {
	e := &op.Error{Code: "FAILED", Message: err.Error()}
	if known, ok := errors.AsType[*op.Error](err); ok {
		e = known
	}
	text := e.Code + ": " + e.Message
	doc := map[string]any{"code": e.Code, "message": e.Message}
	if e.Fix != "" {
		text += "\nfix: " + e.Fix
		doc["fix"] = e.Fix
	}
	return &answered{IsError: true, Content: said(text), Structured: map[string]any{"error": doc}}
}

// moreTool returns the rest of an answer. It builds its own answer, not one from a
// value.
func (s *Server) moreTool() *op.Op {
	return &op.Op{
		Name: More, ReadOnly: true, Core: true,
		Model: op.Text{English: "The rest of an answer that was too long: pass the \"next\" that stands at its end.", Chinese: "过长答案的其余部分：传入其末尾的 \"next\"。"},
		Args:  []op.Arg{{Name: "next", Required: true, Empty: true, Model: op.Text{English: "from the end of the answer", Chinese: "答案末尾给出的值"}}},
		Do: func(_ context.Context, c op.Call) (any, error) {
			text, ok := s.rest.find(c.Args.Text("next"))
			if !ok {
				return nil, op.Fail("NOT_FOUND", "call the tool again, for less", "the rest %q is no longer kept", c.Args.Text("next"))
			}
			return s.part(text), nil
		},
	}
}
