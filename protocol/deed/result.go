package deed

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// An End collects how a call ended.
type end struct {
	form   protocol.Ending
	r      protocol.Result
	failed bool
}

// result is how a call ended, as far as the event says; nil if it says nothing.
func result(ev *protocol.Event) *protocol.Result {
	e := end{form: ev.Outcome}
	e.value(ev.Fields.Get("tool_response"), 0)
	e.mistake(ev.Fields.Get("error"))
	switch {
	case ev.Type == protocol.PostToolCallFailure, e.failed:
		e.is(false)
	case e.r.Exit != nil:
		e.is(*e.r.Exit == 0)
	case e.r.OK == nil && e.form.Sure:
		e.is(true)
	}
	if e.r == (protocol.Result{}) {
		return nil
	}
	return &e.r
}

func (e *end) is(ok bool) { e.r.OK = &ok }

// value reads a response, or a part of one.
func (e *end) value(v protocol.Raw, depth int) {
	if len(v) == 0 || depth > 4 {
		return
	}
	switch v[0] {
	case '"':
		text := protocol.TextOf(v)
		if e.form.JSON && depth == 0 && strings.HasPrefix(text, "{") && protocol.ValidValue([]byte(text)) == nil {
			e.value(protocol.Raw(text), 1)
			return
		}
		e.text(&e.r.Text, text)
		e.exit(exitIn(text, e.form.Exit))
	case '[':
		for _, part := range protocol.ElementsOf(v) {
			e.value(part, depth+1)
		}
	case '{':
		e.object(protocol.ObjectOf(v), depth)
	}
}

// object reads a response's members, by the names that agents use.
func (e *end) object(o protocol.Object, depth int) {
	for _, m := range o {
		switch m.Name {
		case "stdout":
			e.text(&e.r.Stdout, protocol.TextOf(m.Value))
		case "stderr":
			e.text(&e.r.Stderr, protocol.TextOf(m.Value))
		case "exitCode", "exit_code", "exit", "exit_status", "exitStatus", "returncode", "return_code", "returnCode":
			e.code(m.Value)
		case "success", "ok":
			if word := string(m.Value); word == "true" || word == "false" {
				e.succeeded(word == "true")
			}
		case "isError", "is_error", "interrupted", "timedOut", "timed_out", "aborted":
			if string(m.Value) == "true" {
				e.failed = true
			}
		case "result_type", "resultType", "status", "state":
			e.word(protocol.TextOf(m.Value))
		case "error":
			e.mistake(m.Value)
		case "llmContent", "output", "result", "text", "textResultForLlm", "text_result_for_llm":
			e.value(m.Value, depth+1)
		case "returnDisplay":
			if !o.Has("llmContent") {
				e.value(m.Value, depth+1)
			}
		case "content", "metadata", "structuredContent":
			if len(m.Value) > 0 && (m.Value[0] != '"' || !o.Has("filePath") && !o.Has("file_path")) && m.Name != "structuredContent" {
				e.inner(m, depth)
			}
		}
	}
}

// inner reads a content. Of a metadata it reads only the exit code: the other members
// repeat what is beside it.
func (e *end) inner(m protocol.Member, depth int) {
	if m.Name == "content" {
		e.value(m.Value, depth+1)
		return
	}
	o := protocol.ObjectOf(m.Value)
	for _, name := range [...]string{"exit", "exitCode", "exit_code"} {
		e.code(o.Get(name))
	}
}

// mistake reads an error: a text, or an object with a message.
func (e *end) mistake(v protocol.Raw) {
	if len(v) == 0 || string(v) == "null" || string(v) == `""` || string(v) == "false" {
		return
	}
	e.failed = true
	message := protocol.TextOf(v)
	if o := protocol.ObjectOf(v); o != nil {
		message = o.Text("message")
		e.code(o.Get("exit_code"))
	}
	e.exit(exitIn(message, e.form.Exit))
	e.text(&e.r.Text, message)
}

func (e *end) word(word string) {
	switch word {
	case "success", "completed", "ok":
		e.succeeded(true)
	case "failure", "failed", "error", "denied", "rejected", "cancelled", "canceled", "timeout":
		e.failed = true
	}
}

func (e *end) succeeded(ok bool) {
	if !ok {
		e.failed = true
	} else if e.r.OK == nil {
		e.is(true)
	}
}

// code reads an exit code: a number, or a text that holds one.
func (e *end) code(v protocol.Raw) {
	word := string(v)
	if strings.HasPrefix(word, `"`) {
		word = protocol.TextOf(v)
	}
	if n, err := strconv.Atoi(word); err == nil {
		e.exit(&n)
	}
}

// exit keeps an exit code; of several, the first that is not 0.
func (e *end) exit(n *int) {
	if n != nil && (e.r.Exit == nil || *e.r.Exit == 0) {
		e.r.Exit = n
	}
}

// text adds a text to one of the result's.
func (e *end) text(to **string, text string) {
	switch {
	case text == "" && (*to != nil || to == &e.r.Text):
	case *to == nil || **to == "":
		*to = &text
	case !strings.HasSuffix(**to, text):
		both := **to + "\n" + text
		*to = &both
	}
}

// exitIn finds the exit code in the text that an agent wraps around an output: after
// a text with which the whole begins (^), or after the last such text, since the
// command's own output comes before it.
func exitIn(text, mark string) *int {
	if mark == "" {
		return nil
	}
	if start, ok := strings.CutPrefix(mark, "^"); ok {
		rest, ok := strings.CutPrefix(text, start)
		if !ok {
			return nil
		}
		text = rest
	} else {
		at := strings.LastIndex(text, mark)
		if at < 0 {
			return nil
		}
		text = text[at+len(mark):]
	}
	stop := 0
	for stop < len(text) && (text[stop] >= '0' && text[stop] <= '9' || stop == 0 && text[stop] == '-') {
		stop++
	}
	n, err := strconv.Atoi(text[:stop])
	if err != nil {
		return nil
	}
	return &n
}

func ended(r *protocol.Result) protocol.Raw {
	var o protocol.Object
	if r.OK != nil {
		o.Set("ok", protocol.Raw(strconv.FormatBool(*r.OK)))
	}
	if r.Exit != nil {
		o.Set("exit_code", protocol.Raw(strconv.Itoa(*r.Exit)))
	}
	cut := false
	for _, m := range []struct {
		name string
		text *string
	}{{"stdout", r.Stdout}, {"stderr", r.Stderr}, {"text", r.Text}} {
		if m.text != nil {
			cut = put(&o, m.name, *m.text) || cut
		}
	}
	return marked(o, cut).Raw()
}
