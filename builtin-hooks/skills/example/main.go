// Command example is a small agent: a planning call, a loop with tools, and the prompts
// of skills at all five timings. Its model is scripted, so that it runs anywhere and
// always shows the same: what the model sees in each call.
//
//	go run ./builtin-hooks/skills/example
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
)

//go:embed skills
var files embed.FS

func main() {
	if err := show(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
}

// show plays two requests of one conversation.
func show(out io.Writer) error {
	dir, err := os.MkdirTemp("", "skills")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	hooks, problems := skills.Scan([]string{"reader", "careful"}, filepath.Join(dir, "skills"))
	for _, p := range problems {
		fmt.Fprintln(out, p)
	}
	script := &script{out: out, replies: []Reply{
		{NeedTool: true}, {Text: "I look", Calls: []string{"read_file"}}, {Text: "I search", Calls: []string{"search_text", "list_files"}}, {Text: "done"},
		{Text: "no tool needed"},
	}}
	agent := Agent{Model: script.answer, Tool: func(_ context.Context, name string) (string, error) { return "result of " + name, nil }, Hooks: hooks}
	var history []*Message
	for _, prompt := range []string{"Why does the build fail?", "Thank you!"} {
		fmt.Fprintf(out, "\n=== %s\n", prompt)
		history = append(history, &Message{Role: "user", Content: prompt})
		stored, err := agent.Request(context.Background(), &history, true)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "\n--- history afterwards")
		printMessages(out, history)
		for _, s := range stored {
			fmt.Fprintf(out, "(to be stored: %s/%s)\n", s.Skill, s.Name)
		}
	}
	return nil
}

// A script is a model that answers what stands in it, and shows what it was sent.
type script struct {
	out     io.Writer
	replies []Reply
}

func (s *script) answer(_ context.Context, call string, messages []*Message) (Reply, error) {
	fmt.Fprintf(s.out, "\n--- %s sees\n", call)
	printMessages(s.out, messages)
	if len(s.replies) == 0 {
		return Reply{}, fmt.Errorf("%s: %w", call, fs.ErrNotExist)
	}
	r := s.replies[0]
	s.replies = s.replies[1:]
	return r, nil
}

func printMessages(out io.Writer, messages []*Message) {
	for _, m := range messages {
		from := ""
		if m.Hook != "" {
			from = " [" + m.Hook + "]"
		}
		fmt.Fprintf(out, "%-9s %s%s\n", m.Role, strings.ReplaceAll(m.Content, "\n", " ⏎ "), from)
	}
}
