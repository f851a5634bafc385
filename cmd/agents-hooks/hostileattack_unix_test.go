//go:build unix

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// An attack is what a stranger puts in the place of a file or folder.
type attack struct {
	name string
	// put reports false where this machine cannot. out is a place outside of this
	// attack's own.
	put func(g *ground, path, out string) bool
	// meanwhile goes on in the project while all the processes run; nil: nothing does.
	// By way of a root: where one attack lies in another's swapped folder, the test
	// itself must not be who changes what lies outside.
	meanwhile func(project *os.Root, path string)
}

// away makes what an attack leads to: a file that whoever opens the path would
// take for what he looks for, with a canary in it, and a folder of such.
func (g *ground) away(path string, n int) (out string) {
	out = filepath.Join(g.outside, strconv.Itoa(n))
	mark := canary + "-" + strconv.Itoa(n)
	text := mark + "\n- " + mark + "\n"
	switch filepath.Ext(path) {
	case ".jsonl":
		text = fmt.Sprintf("{\"id\":\"log-%d\",\"type\":\"fact\",\"memory_type\":\"W\",\"content\":\"%s cranes\",\"topic\":\"%[2]s\",\"summary\":\"%[2]s\",\"timestamp\":\"2025-12-17T10:00:00Z\"}\n", n, mark)
	case ".json":
		text = `{"name": "` + mark + `", "id": "` + mark + `", "hooks": [{"name": "` + mark + `"}]}`
	case ".toml":
		text = "[" + mark + "]\nx = 1\n"
	case ".md":
		text = "---\nname: " + mark + "\ndescription: " + mark + "\ntrigger: " + mark + "\n---\n# " + mark + "\n\n- " + mark + " cranes\n"
	}
	g.put(filepath.Join(out, "file"), text, 0o600)
	for _, name := range []string{filepath.Base(path), "HOOK.md", "MEMORY.md", "SKILL.md"} {
		g.put(filepath.Join(out, "folder", name), text, 0o600)
	}
	return out
}

func link(target func(g *ground, path, out string) string) func(g *ground, path, out string) bool {
	return func(g *ground, path, out string) bool { return os.Symlink(target(g, path, out), path) == nil }
}

func attacks() []attack {
	file := func(_ *ground, _, out string) string { return filepath.Join(out, "file") }
	return []attack{
		{name: "link-file", put: link(file)},
		{name: "link-folder", put: link(func(_ *ground, _, out string) string { return filepath.Join(out, "folder") })},
		{name: "link-relative", put: link(func(_ *ground, path, out string) string {
			rel, _ := filepath.Rel(filepath.Dir(path), filepath.Join(out, "file"))
			return rel
		})},
		{name: "link-new", put: link(func(_ *ground, _, out string) string { return filepath.Join(out, "new") })},
		{name: "link-loop", put: link(func(_ *ground, path, _ string) string { return filepath.Base(path) })},
		{name: "link-chain", put: func(_ *ground, path, out string) bool {
			return errors.Join(os.Symlink(filepath.Join(out, "folder"), path+".one"), os.Symlink(filepath.Base(path)+".one", path)) == nil
		}},
		{name: "link-environ", put: link(func(*ground, string, string) string { return "/proc/self/environ" })},
		{name: "link-zero", put: link(func(*ground, string, string) string { return "/dev/zero" })},
		{name: "link-git", put: func(g *ground, path, _ string) bool {
			g.put(filepath.Join(g.project, ".git", "hidden"), canary, 0o600)
			return os.Symlink(filepath.Join(g.project, ".git", "hidden"), path) == nil
		}},
		{name: "hard-link", put: func(_ *ground, path, out string) bool {
			// To read it is allowed, so that it holds no canary.
			known := filepath.Join(out, "known")
			return os.WriteFile(known, []byte("known\n"), 0o600) == nil && os.Link(known, path) == nil
		}},
		{name: "pipe", put: func(_ *ground, path, _ string) bool { return syscall.Mkfifo(path, 0o600) == nil }},
		{name: "device", put: func(_ *ground, path, _ string) bool { return syscall.Mknod(path, syscall.S_IFCHR|0o600, 1<<8|5) == nil }},
		{name: "socket", put: putSocket},
		{name: "folder", put: func(_ *ground, path, _ string) bool { return os.Mkdir(path, 0o700) == nil }},
		{name: "huge", put: func(_ *ground, path, _ string) bool {
			return os.WriteFile(path, nil, 0o600) == nil && os.Truncate(path, 10<<30) == nil
		}},
		{name: "unreadable", put: func(_ *ground, path, _ string) bool { return os.WriteFile(path, []byte("x"), 0) == nil }},
		{name: "growing", put: func(_ *ground, path, _ string) bool { return os.WriteFile(path, []byte("{\n"), 0o600) == nil }, meanwhile: grow},
		{name: "swapped", put: func(_ *ground, path, out string) bool {
			return errors.Join(os.WriteFile(path, []byte("{}\n"), 0o600), os.Symlink(filepath.Join(out, "file"), path+".beside")) == nil
		}, meanwhile: trade},
		{name: "swapped-folder", put: func(_ *ground, path, out string) bool {
			return errors.Join(os.Mkdir(path, 0o700), os.Symlink(filepath.Join(out, "folder"), path+".beside")) == nil
		}, meanwhile: trade},
		{name: "control-names", put: func(_ *ground, path, out string) bool {
			return errors.Join(os.Mkdir(path, 0o700), os.Mkdir(filepath.Join(path, "\x1b]52;c;aGk=\x07"), 0o700),
				os.Symlink(filepath.Join(out, "folder"), filepath.Join(path, "\u202e\u009b31m\nagents-hooks: fine"))) == nil
		}},
		{name: "maze", put: putMaze},
		{name: "many", put: func(_ *ground, path, _ string) bool {
			for i := range 300 {
				if os.MkdirAll(filepath.Join(path, "x"+strconv.Itoa(i), "hooks"), 0o700) != nil {
					return false
				}
			}
			return true
		}},
		{name: "deep", put: func(_ *ground, path, _ string) bool { return os.MkdirAll(path+strings.Repeat("/d", 300), 0o700) == nil }},
		{name: "text", put: func(g *ground, path, _ string) bool {
			return os.WriteFile(path, []byte("#!/bin/sh\ntouch "+filepath.Join(g.root, "pwned")+"\n"), 0o755) == nil
		}},
	}
}

func putSocket(g *ground, path, _ string) bool {
	short := filepath.Join(g.root, "s"+strconv.FormatUint(rand.Uint64(), 36))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
	if err != nil {
		return false
	}
	l.SetUnlinkOnClose(false)
	g.Cleanup(func() { l.Close() })
	return os.Rename(short, path) == nil
}

// putMaze makes 29 folders in each other, each with two links to the next.
func putMaze(_ *ground, path, _ string) bool {
	for range 29 {
		if errors.Join(os.Mkdir(path, 0o700), os.Symlink("next", filepath.Join(path, "a")), os.Symlink("next", filepath.Join(path, "b"))) != nil {
			return false
		}
		path = filepath.Join(path, "next")
	}
	return os.Mkdir(path, 0o700) == nil
}

// grow adds a line to a file; at most so many that no disk is filled.
func grow(project *os.Root, path string) {
	info, err := project.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 80<<20 {
		time.Sleep(10 * time.Millisecond)
		return
	}
	if f, err := project.OpenFile(path, os.O_WRONLY|os.O_APPEND|syscall.O_NOFOLLOW, 0); err == nil {
		_, _ = f.WriteString(strings.Repeat("{\"id\": \"x\"}\n", 10_000))
		f.Close()
	}
}

// trade lets a path and what lies beside it change places.
func trade(project *os.Root, path string) {
	beside, third := path+".beside", path+".third"
	_ = errors.Join(project.Rename(path, third), project.Rename(beside, path), project.Rename(third, beside))
	time.Sleep(200 * time.Microsecond)
}

// place puts an attack in the place of what lies at a path, and reports whether
// that can be done. What goes on meanwhile begins with attack.
func (g *ground) place(a attack, path string, n int) bool {
	full := filepath.Join(g.project, path)
	if errors.Join(os.RemoveAll(full), os.MkdirAll(filepath.Dir(full), 0o755)) != nil || !a.put(g, full, g.away(full, n)) {
		return false
	}
	if a.meanwhile != nil {
		g.meanwhile = append(g.meanwhile, func(project *os.Root) { a.meanwhile(project, path) })
	}
	return true
}

// attack lets go on what goes on meanwhile, until the end it returns is called.
func (g *ground) attack() (end func()) {
	g.Helper()
	project, err := os.OpenRoot(g.project)
	must.Do(g, err)
	done := make(chan struct{})
	var going sync.WaitGroup
	for _, step := range g.meanwhile {
		going.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					step(project)
				}
			}
		})
	}
	return func() {
		close(done)
		going.Wait()
		project.Close()
	}
}
