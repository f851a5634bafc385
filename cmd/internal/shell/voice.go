// Package shell is the base of every command: the process as a value, messages and hints,
// exit codes, help, colour, questions to the user, and completion. It knows no command.
//
//   - stdout carries the answer of a command and nothing else; with --json it is
//     one document with "schema": 1.
//   - Everything else goes to stderr, as "agents-hooks: what: why" with the
//     program's name, lower case, no full stop, followed by "hint: …" lines that
//     name a command or an edit.
//   - A terminal never gets control characters: those of [protocol.Odd] are escaped in an
//     answer ([Shell.Printf]) and in JSON, and removed from messages. Names and short
//     texts lose them before ([Plain]); a diff shows them ([UnifiedDiff]).
//   - Colour only on a terminal, never with NO_COLOR.
//   - Help is as wide as the terminal, between 40 and 100 columns, and 79 where there
//     is none ([Shell.Columns]); each command has an example in it (package examples).
//   - One kind of error has one exit code, whatever the command: docs/exit-codes.md. A
//     file system error says in words what is wrong with which path ([Shell.Wrong]).
//
// A group of commands is a package cmd/internal/verb/NAME that exports
// Command(*Shell) *cli.Command. Inside, a verb is a function of options that returns rows or
// an error and does not use cli.Context; printing is separate.
package shell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Shell is one run of the command line: the process as a value.
type Shell struct {
	Name string // the program's name
	Host host.Host
	In   io.Reader
	Out  io.Writer
	Err  io.Writer
	// Alone is the command that an empty command line means; "": the help.
	Alone string
	// Meant are words of other tools and our words for them, for users who type
	// those.
	Meant map[string]string

	failed  *error       // why the answer could not be written; nil if nobody wants to know
	typed   []string     // the command line, and
	words   []string     // all commands, for messages about it
	running string       // the command that was begun, as in "agents-hooks record on"
	parsed  *cli.Context // the command line of it, nil if that was not read to its end

	interrupted bool // at a question
	answered    bool // a document was printed, or a part of one
	oneLine     bool // what goes wrong is answered by one line of JSON, but for a person

	groups  []CommandGroup // all commands, to find those that texts name
	carried []carriedFlag
}

// Say prints one message to stderr.
func (sh *Shell) Say(format string, args ...any) {
	fmt.Fprintf(sh.Err, "%s: %s\n", sh.Name, said(fmt.Sprintf(format, args...)))
}

// said is a text in the form of a message: if something in it, such as an argument,
// breaks it into lines, only the first begins where our lines do.
func said(s string) string {
	return strings.ReplaceAll(strings.TrimRight(protocol.Plain(s), "\n"), "\n", "\n  ")
}

// Hints says what to do about the previous message: one line each.
func (sh *Shell) Hints(hints []string) {
	for _, h := range hints {
		if h == "" {
			continue
		}
		fmt.Fprintf(sh.Err, "hint: %s\n", said(sh.Carried(h)))
	}
}

// Printf prints a part of the answer to stdout. Whatever it contains, a terminal gets
// only text, and the colours of [Shell.Paint].
func (sh *Shell) Printf(format string, args ...any) { fmt.Fprintf(sh.Screen(), format, args...) }

// Screen is stdout for text that people read: what a terminal would obey, or would
// not show, is escaped.
func (sh *Shell) Screen() io.Writer { return screen{sh.Out, sh.Colour(sh.Out), sh.failed} }

// emoji removes the joiners and selectors of emoji, which are common in honest texts:
// a heart remains a heart. In a diff they have been escaped before.
var emoji = strings.NewReplacer("\u200d", "", "\ufe0e", "", "\ufe0f", "")

type screen struct {
	to     io.Writer
	colour bool
	failed *error
}

// Write takes complete texts: each Write from package fmt is one.
func (s screen) Write(b []byte) (int, error) {
	text := emoji.Replace(string(b))
	var out strings.Builder
	for s.colour {
		at := colours.FindStringIndex(text)
		if at == nil {
			break
		}
		out.WriteString(protocol.Visible(text[:at[0]]) + text[at[0]:at[1]])
		text = text[at[1]:]
	}
	out.WriteString(protocol.Visible(text))
	if _, err := io.WriteString(s.to, out.String()); err != nil {
		if s.failed != nil && *s.failed == nil {
			*s.failed = err
		}
		return 0, err
	}
	return len(b), nil
}

// written is a command's error, or else the error that its answer could not be
// written: an answer that nobody gets is not one.
func (sh *Shell) written(err error) error {
	if err == nil && sh.failed != nil && *sh.failed != nil {
		return fmt.Errorf("the answer could not be written: %w", *sh.failed)
	}
	return err
}

// JSON prints a document to stdout.
func (sh *Shell) JSON(doc any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	return sh.RawJSON(b.Bytes())
}

// Answer prints the answer of a command: the document with --json, else what print
// prints.
func (sh *Shell) Answer(asJSON bool, doc any, print func()) error {
	if asJSON {
		return sh.JSON(doc)
	}
	print()
	return nil
}

// RawJSON prints a part of a document to stdout unchanged.
func (sh *Shell) RawJSON(part []byte) error {
	sh.answered = true
	_, err := sh.Out.Write(escaped(part))
	return err
}

// Line prints a document to stdout, on one line: for an agent.
func (sh *Shell) Line(doc any) error {
	b, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	return sh.RawJSON(append(b, '\n'))
}

// escaped is a JSON text in which the characters of [protocol.Odd] are written as
// \uXXXX: it means the same, and a terminal that shows it has nothing to obey.
func escaped(b []byte) []byte {
	if bytes.IndexFunc(b, protocol.Odd) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case !protocol.Odd(r):
			out = append(out, b[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out
}
