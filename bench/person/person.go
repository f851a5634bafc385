// Package person simulates a user's machine for studies of evolution: a home with
// evolution on, and events of an agent, passed to the built program.
package person

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Build builds the programs into a folder.
func Build(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", dir, "github.com/agents-hooks/agents-hooks/cmd/agents-hooks", "github.com/agents-hooks/agents-hooks/cmd/agents-hooks-run")
	if b, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, b)
	}
	return nil
}

// A Person has a home in which evolution is on, and learns from run to run.
type Person struct{ Bin, Home, Work string }

// New makes one with its own home.
func New(bin, home string) (*Person, error) {
	p := &Person{bin, home, filepath.Join(home, "shop")}
	config := filepath.Join(home, ".config", "agents")
	err := errors.Join(os.MkdirAll(config, 0o755), os.MkdirAll(p.Work, 0o755),
		os.WriteFile(filepath.Join(config, "hooks.toml"), []byte("[builtin.evolution]\nenabled = true\nlanguage = \"en\"\nselector = \"greedy\"\nscope = \"shop\"\n"), 0o600))
	return p, err
}

// Call runs one of our programs with a text on stdin.
func (p *Person) Call(ctx context.Context, program, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.Bin, program), args...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Work, strings.NewReader(stdin), &out, &said
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "HOME=") && !strings.HasPrefix(v, "AGENTS_") && !strings.HasPrefix(v, "PRISMER_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+p.Home, "USERPROFILE="+p.Home)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, said.String())
	}
	return out.String(), nil
}

// Event passes an event of a session to the hooks in the format's own form, and returns
// what the agent is told.
func (p *Person) Event(ctx context.Context, name, session string, more map[string]any) (string, error) {
	return p.give(ctx, map[string]any{"event_type": name, "session_id": session, "work_dir": p.Work}, more)
}

// Claude passes a payload of Claude Code to the hooks, as that agent sends it, and
// returns what the agent is told.
func (p *Person) Claude(ctx context.Context, name, session string, more map[string]any) (string, error) {
	base := map[string]any{
		"hook_event_name": name, "session_id": session, "cwd": p.Work, "permission_mode": "default",
		"transcript_path": filepath.Join(p.Home, ".claude", "projects", "shop", session+".jsonl"),
	}
	return p.give(ctx, base, more, "--agent", "claude-code", "--home", p.Home)
}

// give runs the program on an event.
func (p *Person) give(ctx context.Context, event, more map[string]any, flags ...string) (string, error) {
	maps.Copy(event, more)
	b, err := json.Marshal(event)
	if err != nil {
		return "", err
	}
	out, err := p.Call(ctx, "agents-hooks", string(b), append([]string{"run"}, flags...)...)
	if err != nil || strings.TrimSpace(out) == "" {
		return "", err
	}
	var answer any
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		return "", fmt.Errorf("the answer %q: %w", out, err)
	}
	return texts(answer), nil
}

// texts are all texts of an answer.
func texts(v any) (all string) {
	switch v := v.(type) {
	case string:
		return v + "\n"
	case []any:
		for _, e := range v {
			all += texts(e)
		}
	case map[string]any:
		for _, e := range v {
			all += texts(e)
		}
	}
	return all
}
