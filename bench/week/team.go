package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

var (
	names    = []string{"Ann Lee", "Bob Kent", "Eve Moss", "Li Wei", "王芳"}
	branches = []string{"main", "feature/orders", "feature/search"}
)

// A person is a member of the team.
type person struct {
	*week
	name        string
	home, clone string
	env         []string
	lot         *rand.Rand
	on          string // the current branch
}

// hire makes the repository, the homes and the clones.
func (w *week) hire() error {
	origin := filepath.Join(w.dir, "origin.git")
	for i, name := range names {
		p := &person{week: w, name: name, home: filepath.Join(w.dir, fmt.Sprint("home", i)), on: "main"}
		p.clone = filepath.Join(p.home, "shop")
		p.env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true", "TMPDIR=" + p.home}
		if err := os.MkdirAll(p.home, 0o700); err != nil {
			return err
		}
		var steps [][]string
		if i == 0 {
			steps = [][]string{{"git", "init", "-q", "--bare", "-b", "main", origin}}
		}
		steps = append(steps, []string{"git", "clone", "-q", origin, p.clone})
		for _, argv := range steps {
			if _, err := p.run(p.home, nil, argv...); err != nil {
				return err
			}
		}
		setup := [][]string{{"git", "config", "user.name", name}, {"git", "config", "user.email", fmt.Sprintf("p%d@example.org", i)}, {"git", "config", "gc.auto", "0"},
			{w.bin, "enable", "memory", "--git", "commit"}}
		if i == 0 {
			// The folder exists before there are branches.
			setup = append(setup, []string{w.bin, "memory", "save", "The shop is written in Go"}, []string{"git", "add", "-A"}, []string{"git", "commit", "-q", "-m", "begun"}, []string{"git", "push", "-q", "origin", "HEAD:main", "HEAD:" + branches[1], "HEAD:" + branches[2]})
		}
		for _, argv := range setup {
			if _, err := p.run(p.clone, nil, argv...); err != nil {
				return err
			}
		}
		w.team = append(w.team, p)
	}
	return nil
}

// run runs a program to its end.
func (p *person) run(dir string, stdin []byte, argv ...string) (string, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, p.env, bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s: %w\n%s%s", strings.Join(argv, " "), err, out.String(), errs.String())
	}
	return out.String(), nil
}

func (p *person) memory(args ...string) (map[string]any, error) {
	out, err := p.run(p.clone, nil, append([]string{p.bin, "memory"}, args...)...)
	if err != nil {
		return nil, err
	}
	answer := map[string]any{}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		return nil, fmt.Errorf("memory %q answers %q: %w", args, out, err)
	}
	return answer, nil
}

func (p *person) gitDo(args ...string) error {
	_, err := p.run(p.clone, nil, append([]string{"git"}, args...)...)
	return err
}

// commit commits everything.
func (p *person) commit(message string) error {
	if err := p.gitDo("add", "-A"); err != nil {
		return err
	}
	if p.gitDo("diff", "--cached", "--quiet") == nil {
		return nil
	}
	return p.gitDo("commit", "-q", "-m", message)
}

// share pulls what others pushed to the branch and pushes one's own; what came is
// reviewed and accepted.
func (p *person) share() error {
	p.git.Lock()
	defer p.git.Unlock()
	if err := p.gitDo("fetch", "-q", "origin"); err != nil {
		return err
	}
	if err := p.clean(func() error { return p.merge("origin/" + p.on) }); err != nil {
		return err
	}
	if err := p.gitDo("push", "-q", "origin", "HEAD:"+p.on); err != nil {
		return err
	}
	_, err := p.run(p.clone, nil, p.bin, "memory", "accept", "--yes")
	return err
}

// merge merges another branch.
func (p *person) merge(other string) error {
	if p.gitDo("merge-base", "--is-ancestor", other, "HEAD") == nil {
		return nil
	}
	p.count(merges, 1)
	err := p.gitDo("merge", "-q", "--no-edit", other)
	if err != nil {
		if out, _ := p.run(p.clone, nil, "git", "diff", "--name-only", "--diff-filter=U"); strings.Contains(out, "memory-data") {
			p.count(conflicts, 1)
		}
	}
	return err
}

// clean does something that git only does in a clean tree. What follows the end of a
// session may still be writing: as a person would, commit that and try again.
func (p *person) clean(do func() error) (err error) {
	for range 20 {
		if err = p.commit("what came after"); err == nil {
			if err = do(); err == nil || strings.Contains(err.Error(), "CONFLICT") {
				return err
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// goTo checks out another branch.
func (p *person) goTo(branch string) error {
	if p.on == branch {
		return nil
	}
	p.on = branch
	return p.clean(func() error {
		if p.gitDo("rev-parse", "-q", "--verify", "refs/heads/"+branch) == nil {
			return p.gitDo("checkout", "-q", branch)
		}
		return p.gitDo("checkout", "-q", "-b", branch, "origin/"+branch)
	})
}

// mergeAll ends the week: everybody's work is pushed, all branches are merged, and
// everybody pulls main.
func (w *week) mergeAll() error {
	for _, p := range w.team {
		for _, branch := range branches {
			if err := p.goTo(branch); err != nil {
				return err
			}
			if err := p.share(); err != nil {
				return err
			}
		}
	}
	lead := w.team[0]
	for _, branch := range branches[1:] {
		if err := lead.goTo(branch); err != nil {
			return err
		}
		if err := lead.share(); err != nil {
			return err
		}
		if err := lead.goTo("main"); err != nil {
			return err
		}
		if err := lead.clean(func() error { return lead.merge("origin/" + branch) }); err != nil {
			return err
		}
	}
	for _, p := range w.team {
		if err := p.goTo("main"); err != nil {
			return err
		}
		if err := p.share(); err != nil {
			return err
		}
	}
	return nil
}
