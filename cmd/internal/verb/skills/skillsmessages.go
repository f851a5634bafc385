package skills

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// maxMessages bounds what inject reads.
const maxMessages = 64 << 20

// hookMember is the member of a message by which we know what we put in:
// {"skill", "name", "timing", "persistent"} or {"prompt": REF}.
const hookMember = "_hook"

// A chatMessage is one message of a program in any language: we know its role,
// its content and our mark, and keep all else as it came.
type chatMessage struct{ members protocol.Object }

// mark is what we wrote into a message, false if it is none of ours: other
// programs have members of that name too, and what is theirs is not taken out.
func (m *chatMessage) mark() (skills.Mark, bool) {
	if m.promptRef() != "" {
		return skills.Mark{Prompt: true}, true
	}
	o := m.members.Sub(hookMember)
	mark := skills.Mark{Skill: o.Text("skill"), Name: o.Text("name"), Timing: skills.Timing(o.Text("timing")), Persistent: o.Bool("persistent")}
	said := mark.Persistent || string(o.Get("persistent")) == "false"
	return mark, mark.Skill != "" && mark.Name != "" && mark.Timing.Known() && said
}

// promptRef is the ref of a prompt that we put in, "" if the message is none.
func (m *chatMessage) promptRef() string {
	o := m.members.Sub(hookMember)
	ref := o.Text("prompt")
	if b, err := hex.DecodeString(ref); len(o) != 1 || err != nil || len(b) != 8 {
		return ""
	}
	return ref
}

// A board is the messages of one call of inject or its siblings.
type board struct {
	list     []*chatMessage
	beside   protocol.Object // members of the object that the messages came in
	systemAs string          // what their program calls the role system
	prompt   string          // the ref of a prompt that is put in
}

// manager takes over what earlier calls put in.
func (b *board) manager(hooks []skills.Hook) *skills.Manager[chatMessage] {
	m := skills.NewManager(&b.list, hooks, b.message)
	m.Resume((*chatMessage).mark)
	return m
}

// message makes a message of what is to be put in.
func (b *board) message(m skills.Message) *chatMessage {
	var mark, o protocol.Object
	role := string(m.Role)
	if m.Mark.Prompt {
		mark.SetText("prompt", b.prompt)
	} else {
		if m.Role == skills.System && b.systemAs != "" {
			role = b.systemAs
		}
		mark.SetText("skill", m.Mark.Skill)
		mark.SetText("name", m.Mark.Name)
		mark.SetText("timing", string(m.Mark.Timing))
		mark.Set("persistent", map[bool]protocol.Raw{true: protocol.Raw("true"), false: protocol.Raw("false")}[m.Mark.Persistent])
	}
	o.SetText("role", role)
	o.SetText("content", m.Content)
	o.Set(hookMember, mark.Raw())
	return &chatMessage{o}
}

// input is what the person wrote last: the text of the last message of theirs,
// which is a text or a list of parts.
func (b *board) input() string {
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

// changeMessages reads messages, changes them, and prints them. What change
// returns stands beside them: the stored prompts, or the ref of a prompt.
func changeMessages(sh *shell.Shell, c *cli.Context, change func(*board) (any, error)) error {
	verb := "skills " + c.Command.Name
	text, err := shell.ReadAll(sh.In, maxMessages)
	if err != nil {
		return fmt.Errorf("%s: stdin: %w", verb, err)
	}
	b, err := readBoard(text)
	if err != nil {
		return fmt.Errorf("%s: stdin: %w", verb, err)
	}
	more, err := change(b)
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
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
			return err
		}
		out = protocol.AppendValue(append(out, `, "stored": `...), raw)
	}
	sh.Printf("%s}\n", out)
	return nil
}

// ours are the members of an answer, which are made anew each time.
var ours = [...]string{"schema", "messages", "stored", "ref"}

// readBoard reads an array of messages, or the messages of an object.
func readBoard(text []byte) (*board, error) {
	b := &board{}
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
		b.list = append(b.list, &chatMessage{o})
	}
	return b, nil
}

// notJSON says where a text is no JSON, given where the part begins that was read.
func notJSON(err error, from int) error {
	var syntax *protocol.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON: byte %d: %s", from+syntax.Offset, syntax.Msg)
	}
	return err
}
