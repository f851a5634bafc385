package protocol

import (
	"bytes"
	"strconv"
)

// A Usage is the size of the model's context, and of its last request and answer, in
// tokens; 0 for what is not known.
type Usage struct {
	ContextTokens int64 // in the context, with the last answer
	ContextWindow int64 // that it holds
	InputTokens   int64 // of the last request, cached ones included
	OutputTokens  int64 // of its answer
}

// Put adds what is known to an event, as the field usage.
func (u Usage) Put(ev *Event) {
	var o Object
	for _, m := range [...]struct {
		name string
		n    int64
	}{{"context_tokens", u.ContextTokens}, {"context_window", u.ContextWindow}, {"input_tokens", u.InputTokens}, {"output_tokens", u.OutputTokens}} {
		if m.n > 0 {
			o.Set(m.name, Raw(strconv.FormatInt(m.n, 10)))
		}
	}
	if len(o) > 0 {
		ev.Fields = ev.Fields.Clone()
		ev.Fields.Set("usage", o.Raw())
	}
}

// FromEnd calls f with the objects on the lines that contain a word, the last line
// first, until f returns true. It skips lines that are not objects, such as a cut first
// line.
func FromEnd(lines []byte, word string, f func(Object) (enough bool)) {
	for len(lines) > 0 {
		i := bytes.LastIndexByte(bytes.TrimRight(lines, "\n"), '\n')
		line := lines[i+1:]
		lines = lines[:i+1]
		if !bytes.Contains(line, []byte(word)) {
			continue
		}
		if o, err := ParseObject(line); err == nil && f(o) {
			return
		}
	}
}

// Int returns a member that is an integer, 0 if it is absent or anything else.
func (o Object) Int(name string) int64 {
	n, err := strconv.ParseInt(string(o.Get(name)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
