// Command whole is the smallest agent with skill prompts: the five callbacks of a
// skills.Loop, and a scripted model. docs/skills.md quotes it verbatim.
package main

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
)

// A Message is one of the conversation, in whatever form your model takes it.
type Message struct {
	Role, Content string
	Mark          skills.Mark // of a skill's prompt; store it with the message
}

// newMessage makes a message of a prompt: a new one each time.
func newMessage(m skills.Message) *Message { return &Message{string(m.Role), m.Content, m.Mark} }

// markOf is the mark of a message of an earlier request, if it is a skill's prompt.
func markOf(m *Message) (skills.Mark, bool) { return m.Mark, m.Mark.Name != "" }

// callModel sends the messages as they are, and takes the answer apart. This one is a
// script: it wants a file, and once it has seen one it answers.
func callModel(_ context.Context, at skills.Phase, messages []*Message) (r skills.Reply[Message], err error) {
	fmt.Printf("--- %s sees %d messages\n", at, len(messages))
	switch {
	case at == skills.Planning:
		r.Done = false // true: no tool is needed, and Message is the answer
	case slices.ContainsFunc(messages, func(m *Message) bool { return m.Role == "tool" }):
		r.Message = &Message{Role: "assistant", Content: "main.go:3 wants a package."}
	default:
		r.Message = &Message{Role: "assistant", Content: "I read main.go."}
		r.Calls = []skills.Call{{Name: "read_file", Value: "main.go"}} // none ends the loop
	}
	return r, err
}

// runTool runs a tool. What the model shall read of a failure is a result, too; an error
// ends the request.
func runTool(_ context.Context, call skills.Call) (*Message, error) {
	return &Message{Role: "tool", Content: fmt.Sprintf("what %s says of %v", call.Name, call.Value)}, nil
}

// keep writes persistent prompts into the history, with their marks.
func keep(prompts []skills.Stored) error {
	for _, p := range prompts {
		fmt.Printf("stored %s/%s\n", p.Skill, p.Name)
	}
	return nil
}

func main() {
	hooks, problems := skills.Scan([]string{"reader", "careful"}, "skills")
	for _, p := range problems {
		log.Print(p)
	}
	loop := skills.Loop[Message]{
		Hooks:   hooks,
		Plan:    "Plan first: do you need a tool?", // without it there is no planning call
		Step:    "Go on, step by step.",
		Message: newMessage,
		Mark:    markOf,
		Model:   callModel,
		Tool:    runTool,
		Store:   keep,
	}
	prompt := "Why does the build fail?"
	messages := []*Message{{Role: "user", Content: prompt}}
	if err := loop.Run(context.Background(), &messages, prompt); err != nil {
		log.Fatal(err)
	}
	for _, m := range messages {
		fmt.Printf("%-9s %s\n", m.Role, m.Content)
	}
}
