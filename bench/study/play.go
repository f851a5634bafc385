package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// An outcome is what a command printed, and how it ended.
type outcome struct {
	text string
	exit int
}

// run runs the command of a project in a folder that has its files.
func (p *project) run(ctx context.Context, dir string, files map[string]string) (o outcome, err error) {
	if err := os.RemoveAll(dir); err != nil {
		return o, err
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			return o, err
		}
	}
	argv := strings.Fields(p.command)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "PYTHONDONTWRITEBYTECODE=1", "LC_ALL=C.UTF-8", "NO_COLOR=1")
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return outcome{string(b), exit.ExitCode()}, nil
	}
	return outcome{string(b), 0}, err
}

// scenes tries a project and each of its breakages once: what the command prints is the
// same each time.
func (p *project) scenes(ctx context.Context, dir string) (list []scene, err error) {
	works, err := p.run(ctx, dir, p.files)
	if err != nil || works.exit != 0 {
		return nil, fmt.Errorf("%s fails although nothing is broken: %w\n%s", p.command, err, works.text)
	}
	for _, b := range p.breaks {
		fails, err := p.run(ctx, dir, p.broken(b))
		if err != nil || fails.exit == 0 {
			return nil, fmt.Errorf("%s succeeds although %q is broken: %w", p.command, b.name, err)
		}
		list = append(list, scene{*p, b, fails, works})
	}
	return list, nil
}

// A person has a home in which evolution is on, and learns from run to run.
type person struct{ bin, home, work string }

func newPerson(bin, home string) (*person, error) {
	p := &person{bin, home, filepath.Join(home, "shop")}
	config := filepath.Join(home, ".config", "agents")
	err := errors.Join(os.MkdirAll(config, 0o755), os.MkdirAll(p.work, 0o755),
		os.WriteFile(filepath.Join(config, "hooks.toml"), []byte("[builtin.evolution]\nenabled = true\nlanguage = \"en\"\nselector = \"greedy\"\nscope = \"shop\"\n"), 0o600))
	return p, err
}

// call runs one of our programs with a text.
func (p *person) call(ctx context.Context, program, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(p.bin, program), args...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.work, strings.NewReader(stdin), &out, &said
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "HOME=") && !strings.HasPrefix(v, "AGENTS_") && !strings.HasPrefix(v, "PRISMER_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "HOME="+p.home, "USERPROFILE="+p.home)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, said.String())
	}
	return out.String(), nil
}

// event gives an event of a session to the hooks, and returns what the agent is told.
func (p *person) event(ctx context.Context, name, session string, more map[string]any) (string, error) {
	e := map[string]any{"event_type": name, "session_id": session, "cwd": p.work}
	for k, v := range more {
		e[k] = v
	}
	b, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	out, err := p.call(ctx, "agents-hooks", string(b), "run")
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

// mend plays one session, and returns how often the command ran until it succeeded.
func (p *person) mend(ctx context.Context, s *scene, session string, order []int) (steps int, told string, err error) {
	if _, err := p.event(ctx, "pre-session", session, map[string]any{"source": "startup"}); err != nil {
		return 0, "", err
	}
	now := s.fails
	for id := 0; ; id++ {
		steps++
		said, err := p.event(ctx, "post-tool-call", session, map[string]any{
			"tool_name": "Shell", "tool_input": map[string]any{"command": s.command}, "tool_use_id": fmt.Sprint(session, "-", id),
			"tool_response": now.text, "result": map[string]any{"ok": now.exit == 0, "exit_code": now.exit, "text": now.text},
		})
		if err != nil {
			return 0, "", err
		}
		if now.exit == 0 {
			_, err := p.call(ctx, "agents-hooks", "", "evolution", "sync", "--end", "--local", "--session", session)
			return steps, told, err
		}
		if strings.Contains(said, "[Evolution]") && strings.Contains(said, "1. ") {
			told = said
			slices.SortStableFunc(order, func(a, b int) int { return like(said, s.breaks[b].mend) - like(said, s.breaks[a].mend) })
		}
		if len(order) == 0 {
			return 0, "", errors.New("no repair is left")
		}
		next := s.breaks[order[0]]
		order = order[1:]
		if _, err := p.event(ctx, "post-tool-call", session, map[string]any{"tool_name": "EditFile", "tool_input": map[string]any{"file_path": filepath.Join(p.work, next.file)}, "tool_use_id": fmt.Sprint(session, "-e", id)}); err != nil {
			return 0, "", err
		}
		if next.name == s.breakage.name {
			now = s.works
		}
	}
}

// like is how many words of a repair stand in what was told.
func like(told, mend string) (n int) {
	have := words(told)
	for w := range words(mend) {
		if have[w] {
			n++
		}
	}
	return n
}

// words are those of a text that say something: of four letters or more, without endings.
func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) >= 4 && !slices.Contains(common, w) {
			w = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(w, "s"), "e"), "ing")
			out[w] = true
		}
	}
	return out
}

var common = strings.Fields("that this with what from have when where which there then than into they them before after same does each only other")
