package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
)

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A line is what the script says: of the person, the model or a tool.
type line struct {
	Begin, Session, Prompt, Compact, End string
	Say, Result, Failure                 string
	Calls                                []struct {
		ID, Name string
		Input    json.RawMessage
	}
	Yes bool
}

// A task is the input of the tool that starts a subagent.
type task struct {
	Prompt string
	Kind   string `json:"subagent_type"`
}

// A script is what the agent has in place of a model, of tools and of a person: each line
// that it writes says what it does, and the next one that it reads what comes of it.
// docs/adopt.md has all lines.
type script struct {
	in  *bufio.Scanner
	out *json.Encoder
}

func newScript(in io.Reader, out io.Writer) script {
	s := script{bufio.NewScanner(in), json.NewEncoder(out)}
	s.in.Buffer(nil, 64<<20)
	s.out.SetEscapeHTML(false)
	return s
}

// show says what happens.
func (s script) show(what string, value any) {
	if err := s.out.Encode(map[string]any{what: value}); err != nil {
		log.Fatal(err)
	}
}

// next is what comes of it. The script's end is the session's.
func (s script) next() (l line) {
	if !s.in.Scan() {
		return line{End: "end"}
	}
	if err := json.Unmarshal(s.in.Bytes(), &l); err != nil {
		log.Fatal(fmt.Errorf("script: %w", err))
	}
	return l
}

// tool calls a tool.
func (s script) tool(name string, input json.RawMessage) (string, error) {
	s.show("tool", map[string]any{"name": name, "input": input})
	l := s.next()
	if l.Failure != "" {
		return "", errors.New(l.Failure)
	}
	return l.Result, nil
}
