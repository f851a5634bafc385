//go:build unix

package tables

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	locks "sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var allAttacks = flag.Bool("attacks", false, "each attack at each path")

// canary stands in whatever lies outside of the project.
const canary = "canary-outside-the-project"

// A ground is a project that a stranger filled, the person's own folders, and a
// place outside with a canary in each file.
type ground struct {
	t                      *testing.T
	project, home, outside string
	world                  *builtinhooks.Runtime

	mu      locks.Mutex
	refused []string // as commands and tools are told
	touched []string // below the project, in the order in which they were first
}

func newGround(t *testing.T) *ground {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	g := &ground{t: t, project: filepath.Join(base, "project"), home: filepath.Join(base, "home"), outside: filepath.Join(base, "outside")}
	archive, err := txtar.ParseFile(filepath.Join("..", "workspace", "testdata", "store.txtar"))
	must.Do(t, err)
	for _, f := range archive.Files {
		name := strings.Replace(strings.Replace(f.Name, "HOME", g.home, 1), "PROJECT", g.project, 1)
		g.put(name, strings.ReplaceAll(string(f.Data), `"PROJECT"`, string(protocol.Quote(g.project))))
	}
	now := time.Date(2025, 12, 18, 15, 0, 0, 0, time.UTC)
	memory := filepath.Join(g.project, ".agents", "memory-data")
	for file, text := range map[string]string{
		"MEMORY.md": "# Core\n\n- the harbour has four cranes\n", "NOTES.md": "- the ferry is red\n",
		"daily/2025-12-17.jsonl": `{"id":"log-1","type":"fact","memory_type":"W","content":"the pool holds forty","timestamp":"2025-12-17T10:00:00Z"}` + "\n",
		"facts.jsonl":            `{"id":"f-1","type":"W","content":"an old fact","timestamp":"2025-12-16T10:00:00Z"}` + "\n",
		"sessions.jsonl":         `{"id":"sum-1","session_id":"s0","topic":"cranes","summary":"all were painted","timestamp":"2025-12-17T10:00:00Z"}` + "\n",
		"logs/2020-01-01.log":    "old\n",
		"backups/.keep":          "",
		"session_state/s0.json":  `{"session_id":"s0","summary_saved":true}` + "\n",
		"current_session.txt":    "s0\n",
		".gitignore":             "*\n",
	} {
		g.put(filepath.Join(memory, filepath.FromSlash(file)), text)
	}
	g.put(filepath.Join(g.project, "package.json"), `{"name": "harbour"}`)
	g.put(filepath.Join(g.project, "go.mod"), "module harbour\n")
	g.put(filepath.Join(g.project, ".git", "HEAD"), "ref: refs/heads/main\n")
	g.put(filepath.Join(g.project, ".agents", "skills", "tides", "hooks", "hooks.json"),
		`{"hooks": [{"name": "a", "file": "a.md", "timing": "after_user_input", "role": "user", "persistent": false}]}`)
	g.put(filepath.Join(g.project, ".agents", "skills", "tides", "hooks", "a.md"), "mind the tide\n")
	g.put(filepath.Join(g.outside, "file"), canary+" "+`{"name": "`+canary+`"}`+"\n- "+canary+"\n")
	g.put(filepath.Join(g.outside, "folder", "file"), canary+"\n")
	random := uint64(0)
	g.world = &builtinhooks.Runtime{
		Home: g.home, State: filepath.Join(base, "state"), Data: filepath.Join(base, "data"), Cache: filepath.Join(base, "cache"),
		Config: filepath.Join(g.home, ".config", "agents"),
		Approved: func(string) func(string, string) (string, bool) {
			return func(_, dir string) (string, bool) { return dir, true }
		},
		Always:   func(string) bool { return true },
		On:       func(string, string) bool { return true },
		Session:  func(id string) string { return filepath.Join(base, "state", "sessions", id) },
		Now:      func() time.Time { now = now.Add(3 * time.Second); return now },
		Random:   func() uint64 { random += 0x9e3779b97f4a7c15; return random },
		Settings: func(string, string) map[string]any { return map[string]any{"language": "en"} },
		Program:  func() string { return "/opt/agents-hooks" },
		Tool: func(context.Context, string, []string, []byte, ...string) ([]byte, error) {
			return nil, errors.New("no tool")
		},
		Detach: func(string, []string, ...string) error { return nil },
	}
	g.world.Refused = func(err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.refused = append(g.refused, err.Error())
	}
	g.world.Touched = func(path string) {
		if rel, err := filepath.Rel(g.project, path); err == nil && filepath.IsLocal(rel) && rel != "." {
			g.mu.Lock()
			defer g.mu.Unlock()
			if !slices.Contains(g.touched, rel) {
				g.touched = append(g.touched, rel)
			}
		}
	}
	return g
}

func (g *ground) put(path, text string) {
	g.t.Helper()
	must.Write(g.t, path, text)
}

// session is what a normal session does: each hook of each behaviour, in the order
// of events, and operations that read and write. It returns all that was said.
func (g *ground) session() string {
	var said bytes.Buffer
	list := builtinhooks.Behaviours()
	for n, trigger := range protocol.EventTypes() {
		for b := range list {
			for h := range list[b].Hooks {
				if list[b].Hooks[h].Trigger != trigger {
					continue
				}
				g.world.TextBudget = builtinhooks.DefaultTextBudget
				var out, errs bytes.Buffer
				exit := builtinhooks.Main(&list[b], &list[b].Hooks[h], g.world)(g.t.Context(), []string{"AGENTS_HOOKS_PROJECT_DIR=" + g.project}, g.event(trigger, n), &out, &errs)
				if exit != 0 {
					g.t.Errorf("%s leaves with %d: %s", list[b].Hooks[h].Name, exit, &errs)
				}
				said.Write(out.Bytes())
				said.Write(errs.Bytes())
			}
		}
	}
	said.WriteString(g.operations())
	return said.String() + strings.Join(g.refused, "\n")
}

func (g *ground) event(trigger protocol.EventType, n int) []byte {
	var o protocol.Object
	for _, f := range [][2]string{
		{"event_type", string(trigger)}, {"session_id", "abc123"}, {"work_dir", g.project}, {"prompt", "how many cranes has the harbour, and what does the pool hold?"},
		{"tool_name", "EditFile"}, {"tool_use_id", "t" + strconv.Itoa(n)}, {"exit_reason", "logout"},
	} {
		o.SetText(f[0], f[1])
	}
	var input protocol.Object
	input.SetText("file_path", filepath.Join(g.project, "main.go"))
	o.Set("tool_input", input.Raw())
	if trigger == protocol.PreSession {
		o.SetText("source", "startup")
	}
	return o.Raw()
}

// operations are some that read, and some that write.
func (g *ground) operations() string {
	var said strings.Builder
	const space, node = "ws-mjb65az5-0wcjuu", "node-mjb6mj4h-a60yht"
	for _, c := range []struct {
		name string
		args []string
	}{
		{"memory_search", []string{"query", "cranes"}}, {"memory_read", nil}, {"memory_timeline", nil},
		{"memory_save", []string{"content", "the quay was mended in May"}},
		{"memory_summary", []string{"session", "abc123", "topic", "quay", "summary", "mended"}},
		{"workspace_get", []string{"workspaceId", space}}, {"context_get", []string{"workspaceId", space, "nodeId", node}},
		{"node_get", []string{"workspaceId", space, "nodeId", node}}, {"memo_list", []string{"workspaceId", space}},
		{"memo_get", []string{"workspaceId", space, "memoId", "memo-mjktac6h-49y2xe"}},
		{"log_append", []string{"workspaceId", space, "nodeId", node, "operator", "AI", "event", "looked at the quay"}},
		{"problem_update", []string{"workspaceId", space, "nodeId", node, "problem", "rain"}},
		{"workspace_init", []string{"name", "quay", "goal", "mend it"}},
		{"workspace_archive", []string{"workspaceId", "ws-mj0old00-abc123"}},
	} {
		for _, set := range Of(builtinhooks.Behaviours(), g.world) {
			o, ok := op.Find(set.Ops, c.name)
			if !ok {
				continue
			}
			call := op.Call{Dir: g.project, Project: g.project, Session: "abc123"}
			for i := 0; i+1 < len(c.args); i += 2 {
				call.Args.SetText(c.args[i], c.args[i+1])
			}
			answer, err := o.Run(g.t.Context(), call)
			if err != nil {
				said.WriteString(err.Error() + "\n")
				continue
			}
			if raw, ok := answer.(interface{ Raw() protocol.Raw }); ok {
				said.Write(raw.Raw())
			} else {
				said.WriteString(fmt.Sprintf("%+v", answer))
			}
		}
	}
	return said.String()
}

// An attack is what a stranger puts in the place of a file or folder.
type attack struct {
	name string
	// put reports false where this machine cannot.
	put func(g *ground, path string) bool
	// link says that the person has to be told of it wherever it is read.
	link bool
}

func link(target func(g *ground, path string) string) func(g *ground, path string) bool {
	return func(g *ground, path string) bool { return os.Symlink(target(g, path), path) == nil }
}

var attacks = []attack{
	{"link-file", link(func(g *ground, _ string) string { return filepath.Join(g.outside, "file") }), true},
	{"link-folder", link(func(g *ground, _ string) string { return filepath.Join(g.outside, "folder") }), true},
	{"link-relative", link(func(g *ground, path string) string {
		rel, _ := filepath.Rel(filepath.Dir(path), filepath.Join(g.outside, "file"))
		return rel
	}), true},
	{"link-new", link(func(g *ground, _ string) string { return filepath.Join(g.outside, "new") }), true},
	{"link-loop", link(func(_ *ground, path string) string { return filepath.Base(path) }), true},
	{"link-environ", link(func(*ground, string) string { return "/proc/self/environ" }), true},
	{"link-zero", link(func(*ground, string) string { return "/dev/zero" }), true},
	{"link-git", link(func(g *ground, _ string) string { return filepath.Join(g.project, ".git", "HEAD") }), true},
	{"pipe", func(_ *ground, path string) bool { return syscall.Mkfifo(path, 0o600) == nil }, false},
	{"device", func(_ *ground, path string) bool { return syscall.Mknod(path, syscall.S_IFCHR|0o600, 1<<8|5) == nil }, false},
	{"socket", func(_ *ground, path string) bool { return syscall.Mknod(path, syscall.S_IFSOCK|0o600, 0) == nil }, false},
	{"folder", func(_ *ground, path string) bool { return os.Mkdir(path, 0o700) == nil }, false},
	{"huge", func(_ *ground, path string) bool {
		return os.WriteFile(path, nil, 0o600) == nil && os.Truncate(path, 10<<30) == nil
	}, false},
	{"unreadable", func(_ *ground, path string) bool { return os.WriteFile(path, []byte("x"), 0) == nil }, false},
}

// TestAttacksOnEveryFile finds out by a normal session which paths below a project
// are opened, listed or changed, and puts each attack in the place of each, and of
// each folder on the way there. A file that a behaviour begins to use joins by
// itself.
// BM-STO-16.
func TestAttacksOnEveryFile(t *testing.T) {
	t.Parallel()
	first := newGround(t)
	if said := first.session(); !strings.Contains(said, "four cranes") || !strings.Contains(said, "session 认证") {
		t.Fatalf("a normal session says nothing of memory or of the workspace: this proves nothing: %s", said)
	}
	var paths []string
	for _, p := range first.touched {
		for ; p != "."; p = filepath.Dir(p) {
			if q, _, _ := strings.Cut(p, ".tmp-"); !slices.Contains(paths, q) && !strings.HasPrefix(q, ".git") {
				paths = append(paths, q)
			}
		}
	}
	slices.Sort(paths)
	for _, want := range []string{".agents", ".tanmi-workspace/重构认证模块_mjb65az5/memos/密钥轮换_mjktac6h/Content.md", ".agents/memory-data/MEMORY.md", ".agents/memory-data/sessions.jsonl", ".agents/skills/tides/hooks/a.md"} {
		if !slices.Contains(paths, filepath.FromSlash(want)) {
			t.Errorf("%s was not touched: %q", want, paths)
		}
	}
	t.Logf("%d paths, %d attacks each", len(paths), len(attacks))
	for i, path := range paths {
		for k, a := range attacks {
			// Each at each path with -attacks; with -slow each at a third of them, and a third
			// at each; else one at each twelfth.
			if few := i%12 > 0 || (i/12+k)%len(attacks) > 0; few && !*allAttacks && (!slowtest.On() || (i+k)%3 > 0) {
				continue
			}
			t.Run(a.name+"/"+path, func(t *testing.T) {
				t.Parallel()
				g := newGround(t)
				full := filepath.Join(g.project, path)
				must.Do(t, errors.Join(os.RemoveAll(full), os.MkdirAll(filepath.Dir(full), 0o755)))
				if !a.put(g, full) {
					t.Skip("cannot be made here")
				}
				before := g.state()
				begun := time.Now()
				said := g.session()
				if took := time.Since(begun); took > 30*time.Second {
					t.Errorf("it took %v", took)
				}
				if strings.Contains(said, canary) || strings.Contains(said, "PATH=") {
					t.Errorf("what lies outside is said: %.300s", said)
				}
				if after := g.state(); after != before {
					t.Errorf("outside was %s, is %s", before, after)
				}
				if a.link && !strings.Contains(said, "the link ") && !strings.Contains(said, "a link, and nothing") && !strings.Contains(said, "already exists") && asked(g, path) && stillThere(full) {
					t.Errorf("nobody is told of it: %.2000s", said)
				}
			})
		}
	}
}

// asked reports whether the session came to look at a path at all.
func asked(g *ground, path string) bool {
	return slices.ContainsFunc(g.touched, func(p string) bool { return p == path || strings.HasPrefix(p, path+string(filepath.Separator)) })
}

// stillThere reports whether the link was not replaced by a file of ours, which is
// as good as to be told of it.
func stillThere(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// state is all that lies outside.
func (g *ground) state() string {
	var b strings.Builder
	_ = filepath.WalkDir(g.outside, func(path string, e fs.DirEntry, err error) error {
		b.WriteString(path)
		if err == nil && e.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			b.WriteString(": " + string(text))
		}
		return nil
	})
	return b.String()
}
