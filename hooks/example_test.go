package hooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/hooks"
)

// A person's guard keeps an agent from a forced push.
func Example() {
	ctx := context.Background()
	h, err := hooks.New(hooks.Options{Agent: "my-agent", Env: personWithGuard()})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	s := h.Session("")
	o, err := s.Dispatch(ctx, hooks.PreToolCall("1", "Shell", map[string]string{"command": "git push --force"}))
	if err != nil {
		log.Print(err) // hooks were not asked: the agent decides without them
	}
	fmt.Println(o.Decision, "by", o.BlockedBy)
	fmt.Println(o.Reason)
	// Output:
	// block by no-force-push
	// [no-force-push] Do not force-push; push a new commit.
}

// A tool call, with its hooks around it.
func ExampleSession_Tool() {
	ctx := context.Background()
	h, err := hooks.New(hooks.Options{Agent: "my-agent", Env: personWithGuard()})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	s := h.Session("")
	run := func(_ context.Context, input json.RawMessage) (string, error) { return "ran " + string(input), nil }
	for _, command := range []string{"git push", "git push -f"} {
		input, _ := json.Marshal(map[string]string{"command": command})
		r, err := s.Tool(ctx, hooks.Call{Name: "Shell", Input: input}, run)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Text)
	}
	// Output:
	// ran {"command":"git push"}
	// [no-force-push] Do not force-push; push a new commit.
}

// A quality gate has the agent go on.
func ExampleOutcome_GoOn() {
	o := hooks.Outcome{Decision: hooks.Block, Reason: "[tests] two tests fail"}
	if text, on := o.GoOn(); on {
		fmt.Println("to the model:", text)
	}
	// Output: to the model: [tests] two tests fail
}

// personWithGuard is the environment of a person who has one hook.
func personWithGuard() []string {
	home, err := os.MkdirTemp("", "hooks")
	if err != nil {
		log.Fatal(err)
	}
	dir := filepath.Join(home, ".config/agents/hooks/no-force-push")
	if err := os.MkdirAll(filepath.Join(dir, "scripts"), 0o755); err != nil {
		log.Fatal(err)
	}
	for name, text := range map[string]string{
		"HOOK.md":     "---\nname: no-force-push\ndescription: Refuses git push --force.\ntrigger: pre-tool-call\nmatcher: {command: '^git push\\b.* (-f|--force)'}\n---\n",
		"scripts/run": "#!/bin/sh\necho 'Do not force-push; push a new commit.' >&2; exit 2\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			log.Fatal(err)
		}
	}
	return []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
}
