package ops

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/internal/lines"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Talk is [skills.Loop] for a program in any language, one JSON object a line: the
// program asks for a loop, and is asked by what a callback would do. For each line that
// it writes there is one that it reads.
//
//	> {"request": "loop", "id": 1, "messages": [...], "plan": "Plan first.", "tools": true}
//	< {"schema": 1, "line": 1, "id": 1, "ask": "model", "at": "planning", "messages": [...]}
//	> {"answer": {"message": {...}, "calls": [{"name": "read_file"}]}}
//	< {"schema": 1, "line": 2, "id": 1, "ask": "tool", "call": {"name": "read_file"}}
//	> {"answer": {"role": "tool", "content": "..."}}
//	< {"schema": 1, "line": 3, "id": 1, "done": true, "messages": [...], "stored": [...]}
//
// A line that is none of this is answered by an error, and what was asked stands.
type Talk struct {
	In  io.Reader
	Out io.Writer
	// Prompts are the prompts of the enabled skills, of all if nil, read anew for each
	// loop, and what the user should know.
	Prompts func(enabled []string) (hooks []skills.Hook, warnings []string)

	r     *bufio.Reader
	line  int
	state error // why nothing more can be read or written
}

// Serve speaks until the input ends. It is an error if that is in the middle of a loop.
func (t *Talk) Serve() error {
	t.r = bufio.NewReaderSize(t.In, 64<<10)
	for {
		o, err := t.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		switch ask := o.Text("request"); ask {
		case "loop":
			err = t.loop(o)
		case "hello":
			var hello protocol.Object
			hello.Set("stream", protocol.Raw("1"))
			hello.Set("requests", protocol.TextList([]string{"hello", "loop", "cancel"}))
			hello.Set("asks", protocol.TextList([]string{askModel, askTool, askStore}))
			hello.Set("max_line", protocol.Raw(strconv.Itoa(MaxMessages)))
			err = t.say(o.Get("id"), protocol.Object{{Name: "hello", Value: hello.Raw()}})
		case "cancel":
			err = t.say(o.Get("id"), protocol.Object{{Name: "cancelled", Value: protocol.Raw("false")}})
		default:
			err = t.refuse(o.Get("id"), "want a request, loop or hello; have "+protocol.Plain(shown(o.Get("request"))))
		}
		if err != nil {
			return err
		}
	}
}

func shown(raw protocol.Raw) string {
	if raw == nil {
		return "none"
	}
	return string(raw)
}

// What a program is asked.
const (
	askModel = "model" // call it with these messages: {"message", "calls", "done"}
	askTool  = "tool"  // run it: its message
	askStore = "store" // keep these: anything
)

// errCancelled ends a loop that its program cancelled.
var errCancelled = errors.New("the loop was cancelled")

// errCaller is what a program says went wrong on its side.
type errCaller struct{ text string }

func (e errCaller) Error() string { return e.text }

// A looping is one request of a program.
type looping struct {
	*Talk
	id       protocol.Raw
	warnings []string // not told yet
	stored   []skills.Stored
}

// loop answers one request.
func (t *Talk) loop(o protocol.Object) error {
	id := o.Get("id")
	list := o.Get("messages")
	if len(list) == 0 || list[0] != '[' {
		return t.refuse(id, "messages: want an array of messages")
	}
	b, err := ReadBoard(list)
	if err != nil {
		return t.refuse(id, err.Error())
	}
	hooks, warnings := t.Prompts(names(o, "skills"))
	b.SystemAs, b.Prompt = o.Text("system_as"), "0000000000000000"
	l := looping{Talk: t, id: id, warnings: warnings}
	loop := skills.Loop[Chat]{
		Hooks: hooks, Plan: o.Text("plan"), Step: o.Text("step"),
		Message: func(m skills.Message) *Chat {
			if m.Mark.Prompt && b.SystemAs != "" {
				m.Role = skills.Role(b.SystemAs)
			}
			return b.message(m)
		},
		Mark: (*Chat).mark, Model: l.model, Store: l.store,
	}
	if o.Bool("tools") {
		loop.Tool = l.tool
	}
	if o.Has("invoked") {
		invoked := names(o, "invoked")
		loop.Invoked = func(skill string) bool { return slices.Contains(invoked, skill) }
	}
	input := b.Input()
	if o.Has("input") {
		input = o.Text("input")
	}
	return l.end(b, loop.Run(context.Background(), &b.list, input))
}

// names are a list of texts, nil if there is none.
func names(o protocol.Object, member string) []string {
	if !o.Has(member) {
		return nil
	}
	list := []string{}
	list = append(list, protocol.TextsOf(o.Get(member))...)
	return list
}

// end tells how a request ended, with the messages as they are to be kept.
func (l *looping) end(b *Board, err error) error {
	if l.state != nil {
		return l.state
	}
	var o protocol.Object
	kind := "caller"
	switch {
	case err == nil:
		o.Set("done", protocol.Raw("true"))
	case errors.Is(err, errCancelled):
		kind = "cancelled"
		fallthrough
	default:
		o.Set("error", fault(kind, err.Error(), -1))
	}
	o.Set("messages", spelled(b.list, true))
	o.Set("stored", storedList(l.stored))
	return l.say(l.id, o)
}

// model is the callback that calls a model. What is put in has no mark there: a model's
// interface may refuse members that it does not know.
func (l *looping) model(_ context.Context, at skills.Phase, messages []*Chat) (r skills.Reply[Chat], err error) {
	var o protocol.Object
	o.SetText("at", string(at))
	o.Set("messages", spelled(messages, false))
	err = l.ask(askModel, o, func(answer protocol.Raw) error {
		said := protocol.ObjectOf(answer)
		if said == nil {
			return errors.New(`answer: want {"message": {…}, "calls": […], "done": …}`)
		}
		r = skills.Reply[Chat]{Done: said.Bool("done")}
		if m := said.Get("message"); m != nil && string(m) != "null" {
			if r.Message, err = chat(m); err != nil {
				return fmt.Errorf("answer: message: %w", err)
			}
		}
		for i, e := range protocol.ElementsOf(said.Get("calls")) {
			name := protocol.ObjectOf(e).Text("name")
			if name == "" {
				return fmt.Errorf(`answer: calls[%d]: want an object with the "name" of a tool`, i)
			}
			r.Calls = append(r.Calls, skills.Call{Name: name, Value: e})
		}
		return nil
	})
	return r, err
}

func (l *looping) tool(_ context.Context, call skills.Call) (result *Chat, err error) {
	err = l.ask(askTool, protocol.Object{{Name: "call", Value: call.Value.(protocol.Raw)}}, func(answer protocol.Raw) error {
		if string(answer) == "null" {
			result = nil
			return nil
		}
		if result, err = chat(answer); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
		return nil
	})
	return result, err
}

func (l *looping) store(stored []skills.Stored) error {
	l.stored = append(l.stored, stored...)
	return l.ask(askStore, protocol.Object{{Name: "stored", Value: storedList(stored)}}, func(protocol.Raw) error { return nil })
}

// chat is a message of the program's own.
func chat(raw protocol.Raw) (*Chat, error) {
	o := protocol.ObjectOf(raw)
	if o == nil {
		return nil, errors.New("want a message, an object")
	}
	return &Chat{o}, nil
}

// ask asks, until there is an answer that take accepts.
func (l *looping) ask(what string, o protocol.Object, take func(answer protocol.Raw) error) error {
	o = slices.Concat(protocol.Object{{Name: "ask", Value: protocol.Quote(what)}}, o)
	if len(l.warnings) > 0 {
		o.Set("warnings", protocol.TextList(l.warnings))
		l.warnings = nil
	}
	for err := l.say(l.id, o); ; {
		if err != nil {
			return err
		}
		in, rerr := l.next()
		switch {
		case rerr != nil:
			if errors.Is(rerr, io.EOF) {
				l.state = errors.New("stdin ended in the middle of a loop")
			}
			return rerr
		case in.Text("request") == "cancel":
			return errCancelled
		case in.Has("error"):
			return errCaller{protocol.Plain(shown(in.Get("error")))}
		case !in.Has("answer"):
			err = l.refuse(l.id, `want an "answer", an "error" or the request cancel: `+what+" was asked")
		default:
			terr := take(in.Get("answer"))
			if terr == nil {
				return nil
			}
			err = l.refuse(l.id, terr.Error())
		}
	}
}

// next is the next line that is an object; others are answered at once.
func (t *Talk) next() (protocol.Object, error) {
	for {
		text, err := lines.Read(t.r, MaxMessages)
		if err != nil && !errors.Is(err, lines.ErrLong) {
			t.state = err
			return nil, err
		}
		t.line++
		at := -1
		var o protocol.Object
		if err == nil {
			o, err = protocol.ParseObject(text)
		} else {
			err = fmt.Errorf("a line of more than %d MiB", MaxMessages>>20)
		}
		if err == nil {
			return o, nil
		}
		if syntax, ok := errors.AsType[*protocol.SyntaxError](err); ok {
			at = syntax.Offset
		}
		if err := t.say(nil, protocol.Object{{Name: "error", Value: fault("unreadable", err.Error(), at)}}); err != nil {
			return nil, err
		}
	}
}

// refuse answers a line that cannot be used.
func (t *Talk) refuse(id protocol.Raw, text string) error {
	return t.say(id, protocol.Object{{Name: "error", Value: fault("request", text, -1)}})
}

// say writes one line, the answer to the last one that was read.
func (t *Talk) say(id protocol.Raw, o protocol.Object) error {
	head := protocol.Object{{Name: "schema", Value: protocol.Raw("1")}, {Name: "line", Value: protocol.Raw(strconv.Itoa(t.line))}}
	if id != nil {
		head.Set("id", id)
	}
	_, err := t.Out.Write(append(slices.Concat(head, o).Append(nil), '\n'))
	if err != nil {
		t.state = err
	}
	return err
}

func fault(kind, text string, at int) protocol.Raw {
	var o protocol.Object
	o.SetText("kind", kind)
	o.SetText("text", text)
	if at >= 0 {
		o.Set("byte", protocol.Raw(strconv.Itoa(at)))
	}
	return o.Raw()
}
