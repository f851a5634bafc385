package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
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

// mark is what we wrote into a message, false if it is none of ours.
func (m *chatMessage) mark() (skills.Mark, bool) {
	o := m.members.Sub(hookMember)
	if m.promptRef() != "" {
		return skills.Mark{Prompt: true}, true
	}
	mark := skills.Mark{Skill: o.Text("skill"), Name: o.Text("name"), Timing: skills.Timing(o.Text("timing")), Persistent: o.Bool("persistent")}
	return mark, mark.Name != "" && mark.Timing.Known()
}

func (m *chatMessage) promptRef() string { return m.members.Sub(hookMember).Text("prompt") }

// A board is the messages of one call of inject or its siblings.
type board struct {
	list     []*chatMessage
	systemAs string // what their program calls the role system
	prompt   string // the ref of a prompt that is put in
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
func (t *tool) changeMessages(c *cli.Context, change func(*board) (any, error)) error {
	verb := "skills " + c.Command.Name
	text, err := readAll(t.in, maxMessages)
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
	t.printf("%s}\n", out)
	return nil
}

// readBoard reads an array of messages, or the messages of an object.
func readBoard(text []byte) (*board, error) {
	const before = `{"messages": `
	shift := 0
	if trimmed := bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff"))); len(trimmed) > 0 && trimmed[0] == '[' {
		shift = bytes.IndexByte(text, '[') - len(before)
		text = append(append([]byte(before), trimmed...), '}')
	}
	doc, err := protocol.ParseObject(text)
	var syntax *protocol.SyntaxError
	if errors.As(err, &syntax) {
		if shift != 0 && syntax.Offset >= len(text)-1 {
			return nil, errors.New("not JSON: it ends inside the array")
		}
		return nil, fmt.Errorf("not JSON: byte %d: %s", max(0, syntax.Offset+shift), syntax.Msg)
	}
	raw := doc.Get("messages")
	if len(raw) == 0 || raw[0] != '[' {
		return nil, errors.New("want an array of messages, or an object with messages")
	}
	b := &board{}
	for i, e := range protocol.ElementsOf(raw) {
		o := protocol.ObjectOf(e)
		if o == nil {
			return nil, fmt.Errorf("messages[%d]: want an object", i)
		}
		b.list = append(b.list, &chatMessage{o})
	}
	return b, nil
}
