package discovery

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/order"
	texts "github.com/agents-hooks/agents-hooks/internal/text"
)

// A Severity is the severity of a problem.
type Severity string

const (
	Error   Severity = "error"   // the hook does not run, or validate fails
	Warning Severity = "warning" // the hook runs
)

// A Problem is one problem at a place in a file, in JSON as in
// spec/problems.schema.json. Its texts may quote the file unchanged: remove control
// characters (protocol.Plain) before showing them to a terminal or an agent.
type Problem struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`   // from 1; 0 if the place is the whole file
	Column   int      `json:"column"` // from 1, in characters
	Field    string   `json:"field"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Value    string   `json:"value"`
	Fix      string   `json:"fix"`
	// Fatal marks an error that keeps the hook from running; other errors only fail
	// validate.
	Fatal bool `json:"-"`
}

// String is "file:line:col: field: message; fix", without the unknown parts.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		b.WriteString(":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column))
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if p.Field != "" {
		b.WriteString(p.Field + ": ")
	}
	b.WriteString(p.Message)
	if p.Fix != "" {
		b.WriteString("; " + p.Fix)
	}
	return b.String()
}

// fatal, wrong and dubious make the three kinds of problems: the hook does not run; it
// runs but validate fails; it runs and validate passes.
func fatal(f field, name, fix, format string, args ...any) Problem {
	p := wrong(f, name, fix, format, args...)
	p.Fatal = true
	return p
}

func wrong(f field, name, fix, format string, args ...any) Problem {
	return Problem{Line: f.line, Column: f.col, Field: name, Severity: Error, Message: fmt.Sprintf(format, args...), Value: f.text, Fix: fix}
}

func dubious(f field, name, fix, format string, args ...any) Problem {
	p := wrong(f, name, fix, format, args...)
	p.Severity = Warning
	return p
}

// anyFatal reports whether one of the problems keeps a hook from running.
func anyFatal(list []Problem) bool {
	return slices.ContainsFunc(list, func(p Problem) bool { return p.Fatal })
}

func sortProblems(list []Problem) {
	order.By(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// quoted is a value as problems show it: in quotes, cut after 80 characters.
func quoted(s string) string { return strconv.Quote(texts.Clip(s, 81)) }

// closest is the word of a list that s was probably meant to be, "" if none is near:
// the longer the word, the more may be wrong.
func closest(s string, words []string) string { return texts.Nearest(s, words, min(3, 1+len(s)/3)) }

// meant is the fix that names the closest word, or lists the words.
func meant(s string, words []string) string {
	if w := closest(s, words); w != "" {
		return "did you mean " + w + "?"
	}
	return "known are " + strings.Join(words, ", ")
}
