// Command eino is an agent on the framework eino (github.com/cloudwego/eino) with hooks:
// a middleware around its tools, and its turns. The model is a script, so that it runs
// anywhere; a module of its own, so that nobody else needs eino.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"

	"github.com/agents-hooks/agents-hooks/hooks"
)

func main() {
	h, err := hooks.New(hooks.Options{Agent: "eino-example", Tell: func(text string) { fmt.Fprintln(os.Stderr, text) }})
	if err != nil {
		log.Fatal(err)
	}
	defer h.Close()
	ctx, s := context.Background(), h.Session("")
	agent, err := newAgent(ctx, s, &scripted{commands: os.Args[1:]})
	if err != nil {
		log.Fatal(err)
	}
	_, _ = s.Dispatch(ctx, hooks.PreSession("startup"))
	said, err := Turn(ctx, s, agent, "run what I said")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(said)
	_, _ = s.Dispatch(ctx, hooks.PostSession("user_exit"))
}

type command struct {
	Command string `json:"command"`
}

// newAgent is an agent with one tool, whose calls hooks judge.
func newAgent(ctx context.Context, s *hooks.Session, m *scripted) (*react.Agent, error) {
	shell, err := utils.InferTool("run_command", "Runs a line of sh.", func(ctx context.Context, in *command) (string, error) {
		out, err := exec.CommandContext(ctx, "sh", "-c", in.Command).CombinedOutput()
		return string(out), err
	})
	if err != nil {
		return nil, err
	}
	return react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: m,
		ToolsConfig:      compose.ToolsNodeConfig{Tools: []tool.BaseTool{shell}, ToolCallMiddlewares: []compose.ToolMiddleware{Hooked(s)}},
	})
}
