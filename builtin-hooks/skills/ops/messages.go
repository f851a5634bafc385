package ops

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

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

// mark is what we wrote into a message, false if it is none of ours: other
// programs have members of that name too, and what is theirs is not taken out.
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
		mark.SetText("skill", m.Mark.Skill)
		mark.SetText("name", m.Mark.Name)
		mark.SetText("timing", string(m.Mark.Timing))
		mark.Set("persistent", map[bool]protocol.Raw{true: protocol.Raw("true"), false: protocol.Raw("false")}[m.Mark.Persistent])
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

// Spell is the messages as they are printed. more stands beside them: the stored
// prompts, or the ref of a prompt.
func (b *Board) Spell(more any) ([]byte, error) {
	out := []byte(`{"schema": 1, "messages": [`)
	for i, m := range b.list {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = m.members.Append(out)
	}
	out = append(out, ']')
	for _, m := range b.beside {
		out = append(protocol.AppendString(append(out, ", "...), m.Name), ": "...)
		out = protocol.AppendValue(out, m.Value)
	}
	switch more := more.(type) {
	case string:
		out = append(append(out, `, "ref": `...), protocol.Quote(more)...)
	case []skills.Stored:
		raw, err := json.Marshal(more)
		if err != nil {
			return nil, err
		}
		out = protocol.AppendValue(append(out, `, "stored": `...), raw)
	}
	return append(out, "}\n"...), nil
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

// notJSON says where a text is no JSON, given where the part begins that was read.
func notJSON(err error, from int) error {
	var syntax *protocol.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON: byte %d: %s", from+syntax.Offset, syntax.Msg)
	}
	return err
}
