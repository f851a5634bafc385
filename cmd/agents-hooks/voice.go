package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The rules of output (DESIGN 8):
//
//   - stdout carries the answer of a command and nothing else; with --json it is
//     one document with "schema": 1.
//   - Everything else goes to stderr, as "agents-hooks: what: why", lower case,
//     no full stop, followed by "hint: …" lines that name a command or an edit.
//   - Names and texts from a repository lose control characters first (plain).
//   - Colour only on a terminal, never with NO_COLOR.
//   - Help is at most 79 columns wide; a test holds that.

// A tool is one run of the command line: the process as a value.
type tool struct {
	host host.Host
	in   io.Reader
	out  io.Writer
	err  io.Writer
}

// say prints one message to stderr.
func (t *tool) say(format string, args ...any) {
	fmt.Fprintf(t.err, "agents-hooks: %s\n", protocol.Plain(fmt.Sprintf(format, args...)))
}

func (t *tool) hints(hints []string) {
	for _, h := range hints {
		fmt.Fprintf(t.err, "hint: %s\n", protocol.Plain(h))
	}
}

// printf prints a part of the answer to stdout.
func (t *tool) printf(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// json prints a document to stdout.
func (t *tool) json(doc any) error {
	enc := json.NewEncoder(t.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

// terminal reports whether a stream is a terminal that wants colour.
func (t *tool) colour(w io.Writer) bool {
	if t.host.Getenv("NO_COLOR") != "" || t.host.Getenv("TERM") == "dumb" {
		return false
	}
	return isTerminal(w)
}

// isTerminal reports whether a stream is a terminal. Other character devices,
// /dev/null among them, are none.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is how many places a line of a terminal has, 0 if the stream is
// none.
func terminalWidth(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// plain is text from a repository made safe to show, on one line.
func plain(s string) string {
	return strings.Join(strings.Fields(protocol.Plain(s)), " ")
}

// short is a path as a person writes it: ~ for the home directory.
func (t *tool) short(path string) string {
	if rest, ok := strings.CutPrefix(path, t.host.Home); ok && t.host.Home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}
