package hooks

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// shell is a command that the agent ran, as the runner tells of it.
func (s *scene) shell(command string, members ...string) {
	s.t.Helper()
	s.event("memory-nudge", "context", append([]string{"tool_name", `"Shell"`, "tool_use_id", strconv.Quote("s" + s.now.String()),
		"tool_input", string(protocol.Object{{Name: "command", Value: protocol.Quote(command)}}.Raw())}, members...)...)
}

// edit is a file that the agent changed with its own tool, by the name that it gave.
func (s *scene) edit(file string) {
	s.t.Helper()
	s.event("memory-nudge", "context", "tool_name", `"WriteFile"`, "tool_input", string(protocol.Object{{Name: "file_path", Value: protocol.Quote(file)}}.Raw()), "tool_use_id", strconv.Quote("e"+s.now.String()))
}

func (s *scene) stop() string {
	return s.event("memory-session-save", "continue").FollowupMessage
}

// changes is the list of a call's changes.
func (s *scene) changes(files ...string) string {
	var list []string
	for _, f := range files {
		if !filepath.IsAbs(f) {
			f = filepath.Join(s.project, f)
		}
		list = append(list, string(protocol.Object{{Name: "action", Value: protocol.Raw(`"update"`)}, {Name: "path", Value: protocol.Quote(f)}}.Raw()))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// What counts as work in one turn: files of the project, by whatever tool; and a
// decision. Looking does not, nor what lies elsewhere, nor memory itself.
// BM-SAV-01, BM-SAV-02, BM-SAV-03, BM-SAV-06.
func TestWhatCountsAsWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		do    func(s *scene)
		asked bool
	}{
		{"a shell writes a file", func(s *scene) { s.shell("echo x > a.txt", "changes", s.changes("a.txt")) }, true},
		{"a patch", func(s *scene) {
			s.event("memory-nudge", "context", "tool_name", `"apply_patch"`, "tool_input", `{"input": "…"}`, "changes", s.changes("a.go", "b.go"))
		}, true},
		{"a shell looks", func(s *scene) {
			s.shell("git status && ls -la", "commands", `[{"text": "git status", "argv": ["git", "status"]}, {"text": "ls -la", "argv": ["ls", "-la"]}]`)
		}, false},
		{"a shell writes elsewhere", func(s *scene) { s.shell("make > /tmp/log", "changes", s.changes(filepath.Join(os.TempDir(), "log"))) }, false},
		{"a tool writes elsewhere", func(s *scene) { s.edit(filepath.Join(s.world.Home, ".claude", "plans", "plan.md")) }, false},
		{"a tool writes beside the project", func(s *scene) { s.edit(s.project + "-2/a.go") }, false},
		{"a patch elsewhere", func(s *scene) {
			s.event("memory-nudge", "context", "tool_name", `"apply_patch"`, "tool_input", `{"input": "…"}`, "changes", s.changes(filepath.Join(os.TempDir(), "b.go")))
		}, false},
		{"a tool names a file from where it works", func(s *scene) { s.edit("a.go") }, true},
		{"a tool names the project through a link", func(s *scene) {
			link := filepath.Join(s.world.Home, "link")
			if err := os.Symlink(s.project, link); err != nil {
				s.t.Skip(err)
			}
			s.edit(filepath.Join(link, "a.go"))
		}, true},
		{"memory itself", func(s *scene) {
			s.shell("agents-hooks memory save x >> .agents/memory-data/log", "changes", s.changes(".agents/memory-data/log"))
		}, false},
		{"a decision of the person", func(s *scene) { s.prompt("Let us decide: JWT, and they live 24 hours.") }, true},
		{"a decision in Chinese", func(s *scene) { s.prompt("那就这么定了：登录用 JWT，不再用 session。") }, true},
		{"a decision in what the agent says last", func(s *scene) {
			s.prompt("your call")
			s.event("memory-session-save", "nothing", "final_message", `{"role": "assistant", "content": "Then we'll go with PostgreSQL."}`)
		}, true},
		{"a question", func(s *scene) { s.prompt("Should we use JWT instead of sessions?") }, false},
		{"a routine prompt", func(s *scene) { s.prompt("run the tests and tell me what fails") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			c.do(s)
			if got := s.stop(); (got != "") != c.asked {
				t.Errorf("%s: asked %v", c.name, got != "")
			}
		})
	}
}

// A program that the agent ran may write files that no call tells of: git knows them.
// It is asked only where nothing else was work, and in no repository whose own
// settings name programs.
// BM-SAV-04, BM-SAV-05.
func TestWorkThatOnlyGitKnows(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	for _, c := range []struct {
		name    string
		command string
		writes  string
		config  string
		asked   bool
	}{
		{"a generator writes a file", "python3 gen.py", "out/api.go", "", true},
		{"a file that was changed before is changed again", "python3 gen.py", "dirty.go", "", true},
		{"nothing is written", "python3 gen.py", "", "", false},
		{"only looked", "ls", "out/api.go", "", false},
		{"a repository that would run a program", "python3 gen.py", "out/api.go", "[filter \"x\"]\n\tclean = touch pwned\n", false},
		{"a repository whose settings are elsewhere", "python3 gen.py", "out/api.go", "commondir", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			asked := 0
			s.world.Git = func(ctx context.Context, dir string, _ []string, args ...string) ([]byte, error) {
				asked++
				cmd := exec.CommandContext(context.WithoutCancel(ctx), git, args...) // on a busy machine git takes longer than it is given
				cmd.Dir = dir
				return cmd.Output()
			}
			run := func(args ...string) {
				t.Helper()
				cmd := exec.Command(git, args...)
				cmd.Dir = s.project
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %q: %v: %s", args, err, out)
				}
			}
			run("init", "-q")
			run("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "--allow-empty", "-m", "begin")
			put := func(name, text string) {
				t.Helper()
				path := filepath.Join(s.project, name)
				must.Write(t, path, text)
			}
			put("dirty.go", "before")
			if c.config == "commondir" {
				put(".git/commondir", "elsewhere\n")
			} else if c.config != "" {
				f, err := os.OpenFile(filepath.Join(s.project, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				_, err = f.WriteString(c.config)
				must.Do(t, errors.Join(err, f.Close()))
			}
			s.event("memory-load", "context", "source", `"startup"`)
			s.prompt("generate the client")
			s.shell(c.command)
			if c.writes != "" {
				put(c.writes, "written by a program")
			}
			if got := s.stop(); (got != "") != c.asked {
				t.Errorf("asked %v", got != "")
			}
			if c.config != "" && asked > 0 {
				t.Errorf("git was run %d times", asked)
			}
			if c.asked {
				if err := Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil); err != nil {
					t.Error(err)
				}
				if b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl")); !strings.Contains(string(b), c.writes) {
					t.Errorf("%s is not told of: %s", c.writes, b)
				}
			}
		})
	}
}

// What is kept of a session that nobody summarised: what it was for, what was
// decided, the files, the commands that did something, how it ended.
// BM-FBK-01.
func TestWhatIsKeptWithoutASummary(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("decide on a cache in front of the price lookup") // which is no decision yet
	s.shell("ls", "commands", `[{"text": "ls", "argv": ["ls"]}]`)
	s.shell("go test ./...", "commands", `[{"text": "go test ./...", "argv": ["go", "test", "./..."]}]`, "result", `{"ok": false, "exit_code": 1}`)
	s.write("price/cache.go")
	s.shell("go test ./...", "commands", `[{"text": "go test ./...", "argv": ["go", "test", "./..."]}]`, "result", `{"ok": true, "exit_code": 0}`)
	s.prompt("from now on prices are in cents")
	s.prompt("yes, go on")
	s.shell("git commit -m cache", "commands", `[{"text": "git commit -m cache", "argv": ["git", "commit", "-m", "cache"]}]`, "result", `{"ok": false}`)
	s.event("memory-session-save", "nothing", "final_message", `{"role": "assistant", "content": "The cache works; the commit hook\nrefuses long lines."}`)
	must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
	b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl"))
	o, err := protocol.ParseObject(b[:max(len(b)-1, 0)])
	if err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	want := "decide on a cache in front of the price lookup — decided: from now on prices are in cents — changed: price/cache.go — ran: go test ./... | git commit -m cache (failed) — ended: The cache works; the commit hook refuses long lines."
	if o.Text("topic") != "decide on a cache in front of the price lookup" || o.Text("summary") != want {
		t.Errorf("%s", b)
	}
}

// What is private in a command is in no list of files either: without quotes a shell reads its tags
// as redirections.
// BM-SEC-04.
func TestAPrivatePartOfACommandIsNoFile(t *testing.T) {
	t.Parallel()
	for command, files := range map[string][]string{
		"git push <private>hushhush</private> origin":              {"hushhush", "origin"},
		"make <PRIVATE>hushhush/deep</PRIVATE> > out.txt":          {"hushhush/deep", "out.txt"},
		"tee out.txt <private>hushhush</private>":                  {"out.txt", "hushhush"},
		`echo "<private>hushhush</private>" > out.txt`:             {"out.txt"},
		"cat > out.txt <private> hushhush.md </private>; rm b.txt": {"out.txt", "hushhush.md", "b.txt"},
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.prompt("go on")
			s.shell(command, "changes", s.changes(files...))
			s.write("main.go")
			must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
			b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl"))
			if text := string(b); strings.Contains(text, "hushhush") || strings.Contains(text, "origin |") || !strings.Contains(text, "main.go") {
				t.Errorf("%s", text)
			} else if slices.Contains(files, "out.txt") != strings.Contains(text, "out.txt") {
				t.Errorf("a file that is not private is not told, or one that is none: %s", text)
			}
		})
	}
}

// A session that nobody summarised is offered to the next agent that has time: twice
// at most, not where something else waits, and no more once somebody summarised it.
// BM-FBK-05, BM-FBK-06, BM-FBK-07.
func TestDistillationIsOffered(t *testing.T) {
	t.Parallel()
	auto := func() *scene {
		s := newScene(t)
		s.prompt("add a cache")
		s.write("cache.go")
		must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
		return s
	}
	begin := func(s *scene) string {
		return s.event("memory-load", "context", "source", `"startup"`, "session_id", strconv.Quote("next-"+s.now.String())).AdditionalContext
	}
	s := auto()
	wants(t, begin(s), "\n- noted automatically: add a cache — changed: cache.go", "only noted automatically", "memory save --content", "memory summary --topic", "--session conv-123")
	wants(t, begin(s), "only noted automatically")
	if got := begin(s); strings.Contains(got, "only noted automatically") || !strings.Contains(got, "cache.go") {
		t.Errorf("offered a third time:\n%s", got)
	}
	s = auto()
	if err := s.place().KeepSummary(memory.Summary{ID: "sum-own", Session: "conv-123", Topic: "price cache", Text: "by the agent", Time: s.now}, false); err != nil {
		t.Errorf("the place of what nobody wrote cannot be taken: %v", err)
	}
	if got := begin(s); strings.Contains(got, "noted automatically") || !strings.Contains(got, "topic: price cache") {
		t.Errorf("%s", got)
	}
	if err := s.place().KeepSummary(memory.Summary{ID: "sum-2", Session: "conv-123", Topic: "x", Time: s.now}, false); !errors.Is(err, memory.ErrSaved) {
		t.Errorf("somebody's summary was replaced: %v", err)
	}
	s = auto()
	s.world.Headless = func() (bool, bool) { return true, true }
	if got := begin(s); strings.Contains(got, "only noted automatically") {
		t.Errorf("offered where nobody is there:\n%s", got)
	}
}

// As a session begins one short line says how to keep what the person wants to be
// remembered: 40 tokens, at three characters each, beside the program's path.
// BM-LOD-17.
func TestRememberIsToldAtTheBegin(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string][]string{"en": {"asked to remember", "W fact", "memory save --content", "--type O"}, "zh": {"记住", "W 事实", "memory save --content", "--type O"}} {
		t.Run(lang, func(t *testing.T) {
			s := newScene(t)
			s.settings["language"] = lang
			got := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
			wants(t, got, words...)
			if n := utf8.RuneCountInString(strings.Replace(got, "/opt/agents-hooks", "", 1)); n > 120 || strings.Contains(got, "\n") {
				t.Errorf("%s: %d characters: %s", lang, n, got)
			}
			wants(t, s.event("memory-load", "nothing", "source", `"startup"`).AdditionalContext+s.prompt("hello").AdditionalContext, words[2])
		})
	}
}

// How long a session took is reckoned where the agent does not say it.
// BM-FBK-08.
func TestDurationIsSinceTheBegin(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.event("memory-load", "context", "source", `"startup"`)
	s.event("memory-load", "context", "source", `"compact"`)
	s.event("memory-sync", "nothing", "exit_reason", `"other"`)
	if got := strings.Join(s.detached[0], " "); !strings.Contains(got, "--reason=other --duration-ms=6000") {
		t.Errorf("%s", got)
	}
}
