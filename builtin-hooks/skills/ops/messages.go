package ops

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// MaxMessages bounds what is read of messages.
const MaxMessages = 64 << 20

// hookMember is the member of a message by which we know what we put in:
// {"skill", "name", "timing", "persistent"} or {"prompt": REF}.
const hookMember = "_hook"

// A Chat is one message of a program in any language: we know its role,
// its content and our mark, and keep all else as it came.
type Chat struct{ members protocol.Object }

// mark is what we wrote into a message, false if it is not ours: other programs have
// members of that name too, and theirs are not removed.
func (m *Chat) mark() (skills.Mark, bool) {
	if m.promptRef() != "" {
		return skills.Mark{Prompt: true}, true
	}
	o := m.members.Sub(hookMember)
	mark := skills.Mark{Skill: o.Text("skill"), Name: o.Text("name"), Timing: skills.Timing(o.Text("timing")), Persistent: o.Bool("persistent")}
	said := mark.Persistent || string(o.Get("persistent")) == "false"
	return mark, mark.Skill != "" && mark.Name != "" && mark.Timing.Known() && said
}

// promptRef is the ref of a prompt that we put in, "" if the message is none.
func (m *Chat) promptRef() string {
	o := m.members.Sub(hookMember)
	ref := o.Text("prompt")
	if b, err := hex.DecodeString(ref); len(o) != 1 || err != nil || len(b) != 8 {
		return ""
	}
	return ref
}

// A Board is the messages of one call of inject or its siblings.
type Board struct {
	list     []*Chat
	beside   protocol.Object // members of the object that the messages came in
	SystemAs string          // what their program calls the role system
	Prompt   string          // the ref of a prompt that is put in

	stored []protocol.Raw // what calls before have put in that is to be kept
}

// Manager takes over what earlier calls put in.
func (b *Board) Manager(hooks []skills.Hook) *skills.Manager[Chat] {
	m := skills.NewManager(&b.list, hooks, b.message)
	m.Resume((*Chat).mark)
	return m
}

// message makes a message of what is to be put in.
func (b *Board) message(m skills.Message) *Chat {
	var mark, o protocol.Object
	role := string(m.Role)
	if m.Mark.Prompt {
		mark.SetText("prompt", b.Prompt)
	} else {
		if m.Role == skills.System && b.SystemAs != "" {
			role = b.SystemAs
		}
		mark = markOf(m.Mark)
	}
	o.SetText("role", role)
	o.SetText("content", m.Content)
	o.Set(hookMember, mark.Raw())
	return &Chat{o}
}

// Input is what the person wrote last: the text of the last message of theirs,
// which is a text or a list of parts.
func (b *Board) Input() string {
	for i := len(b.list) - 1; i >= 0; i-- {
		m := b.list[i]
		if _, ours := m.mark(); ours || m.members.Text("role") != "user" {
			continue
		}
		text := m.members.Text("content")
		for _, part := range protocol.ElementsOf(m.members.Get("content")) {
			if t := protocol.ObjectOf(part).Text("text"); t != "" {
				text += t + "\n"
			}
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// Encode is the messages as they are printed. more stands beside them: the stored
// prompts, or the ref of a prompt.
func (b *Board) Encode(more any) ([]byte, error) {
	out := append([]byte(`{"schema": 1, "messages": `), spelled(b.list, true)...)
	for _, m := range b.beside {
		out = append(protocol.AppendString(append(out, ", "...), m.Name), ": "...)
		out = protocol.AppendValue(out, m.Value)
	}
	injected, is := more.([]skills.Stored)
	if is || len(b.stored) > 0 {
		out = append(append(out, `, "stored": `...), joined(append(b.stored, rawStored(injected)...))...)
	}
	if ref, ok := more.(string); ok {
		out = append(append(out, `, "ref": `...), protocol.Quote(ref)...)
	}
	return append(out, "}\n"...), nil
}

// spelled are messages as JSON, with the marks of what was put in or without.
func spelled(list []*Chat, marked bool) protocol.Raw {
	return protocol.ListOf(list, func(m *Chat) protocol.Raw {
		o := m.members
		if _, ours := m.mark(); ours && !marked {
			o = o.Clone()
			o.Delete(hookMember)
		}
		return o.Raw()
	})
}

// joined is an array.
func joined(list []protocol.Raw) protocol.Raw {
	return protocol.ListOf(list, func(e protocol.Raw) protocol.Raw { return protocol.AppendValue(nil, e) })
}

func storedList(list []skills.Stored) protocol.Raw { return joined(rawStored(list)) }

// rawStored are prompts that are to be kept, as they are printed.
func rawStored(list []skills.Stored) (raws []protocol.Raw) {
	for _, s := range list {
		var o protocol.Object
		o.SetText("skill", s.Skill)
		o.SetText("name", s.Name)
		o.SetText("role", string(s.Role))
		o.SetText("content", s.Content)
		o.Set(hookMember, markOf(s.Mark).Raw())
		raws = append(raws, o.Raw())
	}
	return raws
}

// markOf is how a mark is written.
func markOf(m skills.Mark) (mark protocol.Object) {
	mark.SetText("skill", m.Skill)
	mark.SetText("name", m.Name)
	mark.SetText("timing", string(m.Timing))
	mark.Set("persistent", protocol.Raw(strconv.FormatBool(m.Persistent)))
	return mark
}

// kept are those of stored that a call of ours has put in: a program's own body may
// have a member of that name.
func kept(stored protocol.Raw) (list []protocol.Raw) {
	for _, e := range protocol.ElementsOf(stored) {
		m := Chat{protocol.ObjectOf(e)}
		if mark, ours := m.mark(); ours && mark.Persistent && m.members.Has("content") {
			list = append(list, e)
		}
	}
	return list
}

// ours are the members of an answer, which are made anew each time.
var ours = [...]string{"schema", "messages", "stored", "ref"}

// ReadBoard reads an array of messages, or the messages of an object.
func ReadBoard(text []byte) (*Board, error) {
	b := &Board{}
	raw := protocol.Raw(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if len(raw) > 0 && raw[0] == '[' {
		if err := protocol.ValidValue(raw); err != nil {
			return nil, notJSON(err, bytes.IndexByte(text, '['))
		}
	} else {
		doc, err := protocol.ParseObject(text)
		if err != nil {
			return nil, notJSON(err, 0)
		}
		if raw = doc.Get("messages"); len(raw) == 0 || raw[0] != '[' {
			return nil, errors.New("want an array of messages, or an object with messages")
		}
		b.stored = kept(doc.Get("stored"))
		b.beside = slices.DeleteFunc(doc, func(m protocol.Member) bool { return slices.Contains(ours[:], m.Name) })
	}
	for i, e := range protocol.ElementsOf(raw) {
		o := protocol.ObjectOf(e)
		if o == nil {
			return nil, fmt.Errorf("messages[%d]: want an object", i)
		}
		b.list = append(b.list, &Chat{o})
	}
	return b, nil
}

// Remove takes out the prompt of a ref; one that is not there, or was taken out
// already, changes nothing.
func (b *Board) Remove(ref string) {
	m := b.Manager(nil)
	for _, message := range slices.Clone(b.list) {
		if message.promptRef() == ref {
			m.RemovePrompt(message)
		}
	}
}

// notJSON says where a text is not JSON; from is where the part begins that was read.
func notJSON(err error, from int) error {
	if syntax, ok := errors.AsType[*protocol.SyntaxError](err); ok {
		return fmt.Errorf("not JSON: byte %d: %s", from+syntax.Offset, syntax.Msg)
	}
	return err
}
