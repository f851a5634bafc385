//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/pack"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
)

// dieAt names, in the environment of this test's own program, the step at which a
// change is ended by SIGKILL; root is where it happens.
const dieAt, rootOf, what = "STORE_TEST_DIE_AT", "STORE_TEST_ROOT", "STORE_TEST_WHAT"

func TestMain(m *testing.M) {
	if root := os.Getenv(rootOf); root != "" {
		step, n := os.Getenv(dieAt), 0
		p := placeIn(root)
		p.Step = func(name string) {
			fmt.Println(name)
			if n++; fmt.Sprint(n) == step {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}
		if _, err := p.Apply(context.Background(), changes()[os.Getenv(what)]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func placeIn(root string) Place {
	return Place{Agents: filepath.Join(root, ".agents"), In: beneath.At(root), State: filepath.Join(root, "..", filepath.Base(root)+"-state")}
}

func folder(name, text string) pack.Folder {
	return pack.Folder{Name: name, Files: pack.Tree{{Path: "HOOK.md", Kind: pack.File, Data: []byte(text)}, {Path: "scripts/run", Kind: pack.File, Exec: true, Data: []byte("#!/bin/sh\n")}}}
}

func pin(folders ...pack.Folder) lockfile.Pack {
	p := lockfile.Pack{Name: "p", Source: "./x", Hooks: map[string]string{}}
	for _, f := range folders {
		p.Hooks[f.Name] = f.Hash()
	}
	return p
}

func to(p lockfile.Pack) func(*lockfile.Lock) (*lockfile.Lock, error) {
	return func(now *lockfile.Lock) (*lockfile.Lock, error) { return now.With(p), nil }
}

// changes are an addition, an update that adds, replaces and removes, and a removal.
func changes() map[string]Change {
	a, b, b2, c := folder("a", "one"), folder("b", "one"), folder("b", "two"), folder("c", "one")
	return map[string]Change{
		"add":    {Put: []pack.Folder{a, b}, Lock: to(pin(a, b))},
		"update": {Put: []pack.Folder{b2, c}, Remove: []string{"a"}, Lock: to(pin(b2, c))},
		"remove": {Remove: []string{"b", "c"}, Lock: func(now *lockfile.Lock) (*lockfile.Lock, error) { return now.Without("p"), nil }},
	}
}

// state is everything in a place, as a text, without what is not ours.
func state(t *testing.T, p Place) string {
	t.Helper()
	var all []string
	filepath.WalkDir(p.Agents, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			b, _ := os.ReadFile(path)
			rel, _ := filepath.Rel(p.Agents, path)
			info, _ := e.Info()
			all = append(all, fmt.Sprintf("%s %v %q", rel, info.Mode(), b))
		}
		return nil
	})
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// Wherever a change is killed, the next call finds the old state or completes the new
// one; in between, each existing folder in the lock has its old or its new bytes, and
// nothing is left behind.
func TestAKilledChangeIsWholeOrNone(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	must.Do(t, err)
	for _, prepared := range [][]string{{"add"}, {"add", "update"}, {"add", "update", "remove"}} {
		if !slowtest.Among(prepared[len(prepared)-1], "update") {
			continue
		}
		t.Run(prepared[len(prepared)-1], func(t *testing.T) {
			t.Parallel()
			killEverywhere(t, self, prepared[len(prepared)-1], prepared[:len(prepared)-1])
		})
	}
}

func killEverywhere(t *testing.T, self, name string, before []string) {
	killed, old, new := 0, 0, 0
	for n := 1; ; n++ {
		root := filepath.Join(t.TempDir(), "p")
		must.Do(t, os.Mkdir(root, 0o755))
		p := placeIn(root)
		for _, b := range before {
			if _, err := p.Apply(t.Context(), changes()[b]); err != nil {
				t.Fatal(b, err)
			}
		}
		was := state(t, p)
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), rootOf+"="+root, what+"="+name, dieAt+"="+fmt.Sprint(n))
		steps, err := cmd.Output()
		if err == nil {
			break // there are no more steps
		}
		killed++
		at := strings.TrimSpace(string(steps[strings.LastIndex(strings.TrimSpace(string(steps)), "\n")+1:]))
		underway(t, p, name, at)
		if _, err := p.Recover(t.Context()); err != nil {
			t.Fatalf("%s killed at %q: %v", name, at, err)
		}
		is := state(t, p)
		whole := Place{Agents: p.Agents, In: p.In, State: p.State}
		if _, err := whole.Read(); err != nil {
			t.Errorf("%s killed at %q: the lock: %v", name, at, err)
		}
		switch {
		case is == was:
			old++
		case is == after(t, name, before):
			new++
		default:
			t.Errorf("%s killed at %q leaves neither state:\n%s\nbefore:\n%s", name, at, is, was)
		}
		if left, _ := filepath.Glob(filepath.Join(p.Hooks(), ".*")); len(left) > 0 {
			t.Errorf("%s killed at %q leaves %q", name, at, left)
		}
		if _, err := os.Lstat(p.journal()); err == nil {
			t.Errorf("%s killed at %q leaves its journal", name, at)
		}
	}
	if killed < 6 || old == 0 || new == 0 {
		t.Errorf("%s: killed %d times, %d old, %d new states", name, killed, old, new)
	}
}

// after is the state that a change leads to.
func after(t *testing.T, name string, before []string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "p")
	os.Mkdir(root, 0o755)
	p := placeIn(root)
	for _, c := range append(slices.Clone(before), name) {
		if _, err := p.Apply(t.Context(), changes()[c]); err != nil {
			t.Fatal(c, err)
		}
	}
	return state(t, p)
}

// underway checks that a runner which looks now finds each folder of the lock in its
// recorded state, or in the old one that the journal has.
func underway(t *testing.T, p Place, name, at string) {
	t.Helper()
	lock, err := p.Read()
	if err != nil {
		t.Errorf("%s killed at %q: %v", name, at, err)
		return
	}
	for i := range lock.Packs {
		for f, want := range lock.Packs[i].Hooks {
			hash, err := p.Hash(t.Context(), f)
			if err != nil || hash != "" && hash != want && !lockfile.Underway(p.State, p.Agents, f, hash) {
				t.Errorf("%s killed at %q: %s is neither as it was nor as it will be (%v)", name, at, f, err)
			}
		}
	}
}

// A change puts, replaces and removes the folders that it says, and a name that is taken then is
// told before anybody asks, in any spelling.
func TestWhatAChangeLeaves(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	must.Do(t, os.Mkdir(root, 0o755))
	p := placeIn(root)
	must.Do(t, p.Free([]pack.Folder{folder("a", "")}))
	for _, c := range []struct{ change, want string }{{"add", "a one, b one"}, {"update", "b two, c one"}, {"remove", ""}} {
		_, err := p.Apply(t.Context(), changes()[c.change])
		must.Do(t, err)
		entries, err := os.ReadDir(p.Hooks())
		must.Do(t, err)
		var got []string
		for _, e := range entries {
			got = append(got, e.Name()+" "+must.Read(t, filepath.Join(p.Hooks(), e.Name(), "HOOK.md")))
			for _, name := range []string{e.Name(), strings.ToUpper(e.Name())} {
				if clash, ok := errors.AsType[*Clash](p.Free([]pack.Folder{folder("x", ""), folder(name, "")})); !ok || !strings.Contains(clash.Error(), name) {
					t.Errorf("%s is free: %v", name, clash)
				}
			}
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s leaves %q, want %q", c.change, got, c.want)
		}
		must.Do(t, p.Free([]pack.Folder{folder("x", "")}))
	}
}

// Two changes at once: each waits for the other, and both are made.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	os.Mkdir(root, 0o755)
	p := placeIn(root)
	var all sync.WaitGroup
	const many = 8
	errs := make([]error, many)
	for i := range many {
		all.Go(func() {
			f := folder(fmt.Sprintf("h%d", i), "x")
			own := pin(f)
			own.Name = f.Name
			_, errs[i] = p.Apply(context.Background(), Change{Put: []pack.Folder{f}, Lock: to(own)})
		})
	}
	all.Wait()
	lock, err := p.Read()
	if err := errors.Join(append(errs, err)...); err != nil || len(lock.Packs) != many {
		t.Fatalf("%d packs, %v", len(lock.Packs), err)
	}
}

// Whatever is in the way, or was changed, is left alone, and nothing else is written.
func TestWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		put  func(p Place) error
		want string
	}{
		"a folder of that name": {func(p Place) error { return os.MkdirAll(filepath.Join(p.Hooks(), "a"), 0o755) }, "is there already"},
		"in other case":         {func(p Place) error { return os.MkdirAll(filepath.Join(p.Hooks(), "A"), 0o755) }, "is there already"},
		"a file": {func(p Place) error {
			os.MkdirAll(p.Hooks(), 0o755)
			return os.WriteFile(filepath.Join(p.Hooks(), "a"), nil, 0o600)
		}, "is there already"},
		"hooks is a link out": {func(p Place) error {
			os.MkdirAll(p.Agents, 0o755)
			return os.Symlink(os.TempDir(), p.Hooks())
		}, "leads out"},
		"the lock is a link out": {func(p Place) error {
			os.MkdirAll(p.Agents, 0o755)
			return os.Symlink("/etc/passwd", p.Lock())
		}, "leads out"},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "p")
			os.Mkdir(root, 0o755)
			p := placeIn(root)
			must.Do(t, c.put(p))
			was := state(t, p)
			if _, err := p.Apply(t.Context(), changes()["add"]); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
			if is := state(t, p); is != was {
				t.Errorf("%s: something was written: %s", name, is)
			}
		})
	}
}

// A folder that was changed stays, unless the caller insists: then a copy is kept.
func TestChangedFoldersAreKept(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	os.Mkdir(root, 0o755)
	p := placeIn(root)
	must.Do(t, must.Err(p.Apply(t.Context(), changes()["add"])))
	must.Write(t, filepath.Join(p.Hooks(), "a", "mine"), "mine")
	update := changes()["update"]
	if _, err := p.Apply(t.Context(), update); err == nil || !strings.Contains(err.Error(), "was changed since it was added") {
		t.Fatal(err)
	}
	update.Force, update.Now = true, time.Now()
	kept, err := p.Apply(t.Context(), update)
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	if b, err := os.ReadFile(filepath.Join(kept[0], "mine")); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
}

// A journal that we did not write has no effect.
func TestAStrangersJournal(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	os.Mkdir(root, 0o755)
	p := placeIn(root)
	os.MkdirAll(filepath.Dir(p.journal()), 0o700)
	for name, text := range map[string]string{
		"empty":                  "{}",
		"no JSON":                "no",
		"a staging folder above": `{"schema": 1, "phase": "commit", "agents": "` + p.Agents + `", "staging": "../..", "remove": ["x"]}`,
		"removes what is above":  `{"schema": 1, "phase": "commit", "agents": "` + p.Agents + `", "staging": ".agents-hooks-x", "remove": ["../../x"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			os.WriteFile(p.journal(), []byte(text), 0o600)
			if _, err := p.Recover(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot be read") {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
}
