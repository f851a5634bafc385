package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/agents-hooks/agents-hooks/bench/person"
)

// An outcome is the output of a command, and its exit code.
type outcome struct {
	text string
	exit int
}

// run runs the command of a project in a folder with the given files.
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
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return outcome{string(b), exit.ExitCode()}, nil
	}
	return outcome{string(b), 0}, err
}

// scenes tries a project and each of its breakages once: the output of the command is
// the same each time.
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

// mend plays one session, and returns how often the command ran until it succeeded.
func mend(ctx context.Context, p *person.Person, s *scene, session string, order []int) (steps int, told string, err error) {
	if _, err := p.Event(ctx, "pre-session", session, map[string]any{"source": "startup"}); err != nil {
		return 0, "", err
	}
	now := s.fails
	for id := 0; ; id++ {
		steps++
		said, err := p.Event(ctx, "post-tool-call", session, map[string]any{
			"tool_name": "Shell", "tool_input": map[string]any{"command": s.command}, "tool_use_id": fmt.Sprint(session, "-", id),
			"tool_response": now.text, "result": map[string]any{"ok": now.exit == 0, "exit_code": now.exit, "text": now.text},
		})
		if err != nil {
			return 0, "", err
		}
		if now.exit == 0 {
			_, err := p.Call(ctx, "agents-hooks", "", "evolution", "sync", "--end", "--local", "--session", session)
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
		if _, err := p.Event(ctx, "post-tool-call", session, map[string]any{"tool_name": "EditFile", "tool_input": map[string]any{"file_path": filepath.Join(p.Work, next.file)}, "tool_use_id": fmt.Sprint(session, "-e", id)}); err != nil {
			return 0, "", err
		}
		if next.name == s.breakage.name {
			now = s.works
		}
	}
}

// like is how many words of a repair occur in what was told.
func like(told, mend string) (n int) {
	have := words(told)
	for w := range words(mend) {
		if have[w] {
			n++
		}
	}
	return n
}

// words are the meaningful words of a text: of four letters or more, without endings.
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
