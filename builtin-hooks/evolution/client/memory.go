package client

import (
	"context"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

const (
	memoryFile = "remote-memory.json"
	// memoryMost is how many of its characters are shown.
	memoryMost = 4000
)

// A kept memory is what was pulled last, in case the server is slow.
type keptMemory struct {
	Server  string `json:"server"`
	Scope   string `json:"scope"`
	Content string `json:"content"`
}

// Memory pulls the person's notes for the scope as a text to read: nobody has to follow
// it, and it is not merged with what is remembered here. If the server does not answer
// in time, the last text is used.
func (s *Sync) Memory(ctx context.Context, r *Result) {
	file := filepath.Join(s.Dir, memoryFile)
	var data struct {
		Content string `json:"content"`
	}
	scope := s.wire()
	err := s.Client.Call(ctx, memoryLimit, http.MethodGet, "/api/im/memory/load", url.Values{"scope": {scope}, "path": {"MEMORY.md"}}, nil, &data)
	if err != nil {
		s.problem(r, "memory", err)
		if last, err := readJSON[keptMemory](file); err == nil && last.Server == s.Client.Base && last.Scope == scope {
			data.Content = last.Content
		}
	} else {
		s.problem(r, "memory", changeJSON(file, func(m *keptMemory) { *m = keptMemory{s.Client.Base, scope, data.Content} }))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Memory = fenced(data.Content)
}

// fenced puts a note between fences that nothing in it can close, and cuts it at the
// end of a line. "" stays "".
func fenced(note string) string {
	note = strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return -1
		}
		return c
	}, note))
	if note == "" {
		return ""
	}
	if utf8.RuneCountInString(note) > memoryMost {
		note = text.Head(note, memoryMost)
		if i := strings.LastIndexByte(note, '\n'); i > 0 {
			note = note[:i]
		}
		note += "\n…"
	}
	fence := "```"
	for strings.Contains(note, fence) {
		fence += "`"
	}
	return fence + "text\n" + note + "\n" + fence
}
