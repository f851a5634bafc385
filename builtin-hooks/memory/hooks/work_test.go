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

// Of many commands those are kept that had an effect which somebody asks about later, and not the
// last ones; what only reads is none of them, wrapped or not, nor beside what has an effect.
// BM-FBK-01.
func TestTheCommandsThatMatteredAreKept(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	one := func(argv ...string) {
		o := protocol.Object{{Name: "text", Value: protocol.Quote(strings.Join(argv, " "))}, {Name: "argv", Value: protocol.TextList(argv)}}
		s.shell(strings.Join(argv, " "), "commands", "["+string(o.Raw())+"]", "result", `{"ok": true}`)
	}
	s.prompt("upgrade the mail library")
	one("npm", "install", "mail@5")
	one("kubectl", "apply", "-f", "mail.yaml")
	for range 2 {
		one("npm", "test")
		one("npm", "run", "lint")
		one("git", "add", "-A")
		one("go", "vet", "./...")
	}
	for i := range 6 {
		one("sed", "-n", strconv.Itoa(i)+"0,99p", "a.txt")
	}
	s.shell("sudo docker ps", "commands", `[{"text": "sudo docker ps", "argv": ["sudo", "docker", "ps"]}, {"text": "docker ps", "argv": ["docker", "ps"]}]`)
	s.shell("ls && git push", "commands", `[{"text": "ls", "argv": ["ls"]}, {"text": "git push", "argv": ["git", "push"]}]`)
	must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
	b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl"))
	wants(t, string(b), "ran: npm install mail@5 | kubectl apply -f mail.yaml | go vet ./... | ls && git push")
	if strings.Contains(string(b), "sed") || strings.Contains(string(b), "docker") {
		t.Errorf("what only reads: %s", b)
	}
}

// compiled is the automatic summary of a session that is over.
func (s *scene) compiled(end memory.End) memory.Summary {
	s.t.Helper()
	must.Do(s.t, Work(s.call(), end, nil))
	b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl"))
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	o, err := protocol.ParseObject([]byte(lines[len(lines)-1]))
	if err != nil {
		return memory.Summary{}
	}
	return memory.ParseSummary(o)
}

// says is a stop at which the agent says something.
func (s *scene) says(text string, members ...string) {
	s.t.Helper()
	o := protocol.Object{{Name: "role", Value: protocol.Raw(`"assistant"`)}, {Name: "content", Value: protocol.Quote(text)}}
	s.event("memory-session-save", "nothing", append([]string{"final_message", string(o.Raw())}, members...)...)
}

// What was decided and what was left to do in any turn is in the summary that nobody wrote, as
// lists, and the next session is told of it. BM-FBK-01.
func TestTheDecisionsOfEveryTurnAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, lang string
		turns      [][2]string // what is asked, and what the agent says
		decisions  []string
		todos      []string
	}{
		{"the agent, in the first of two turns", "en", [][2]string{
			{"How should we queue mails?", "I compared three.\n\n- We decided to use Redis streams because RabbitMQ needs its own operator.\n- They keep a week."},
			{"fix the typo in a.txt", "Fixed the typo. All tests pass."},
		}, []string{"We decided to use Redis streams because RabbitMQ needs its own operator."}, nil},
		{"in Chinese", "zh", [][2]string{
			{"邮件队列怎么做？", "比较了三种方案。我们决定用 Redis streams，因为 RabbitMQ 要单独运维。"},
			{"改一下 a.txt 的错别字", "改好了。还没有补测试。"},
		}, []string{"我们决定用 Redis streams，因为 RabbitMQ 要单独运维。"}, []string{"还没有补测试。"}},
		{"the person, among other things", "en", [][2]string{
			{"Add an export of invoices. Amounts are to be in cents. Keep the code small.", "Added it.\n\n## Still to do\n\n1. the header row\n2. an index on `day`\n\nTests pass."},
			{"Rename the button", "Renamed."},
		}, []string{"Amounts are to be in cents."}, []string{"the header row", "an index on `day`"}},
		{"none", "en", [][2]string{{"Rename the button", "Renamed the button."}, {"And the menu", "Renamed the menu."}}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.settings["language"] = c.lang
			for _, turn := range c.turns {
				s.prompt(turn[0])
				s.write("a.txt")
				s.says(turn[1])
			}
			got := s.compiled(memory.End{Session: "conv-123", Reason: "other"})
			if !slices.Equal(got.Decisions, c.decisions) || !slices.Equal(got.Todos, c.todos) {
				t.Errorf("decided %q, to do %q: %s", got.Decisions, got.Todos, got.Text)
			}
			next := s.event("memory-load", "context", "source", `"startup"`, "session_id", `"next"`).AdditionalContext
			for _, item := range slices.Concat(c.decisions, c.todos) {
				if strings.Count(next, item) != 1 {
					t.Errorf("%q is told %d times:\n%s", item, strings.Count(next, item), next)
				}
			}
		})
	}
}

// What a session was for is what was asked, beside what was pasted; how it ended is what the
// agent said last, with what it left; and if nothing was said, that. BM-FBK-01.
func TestThePurposeAndTheEndAreWhatWasSaid(t *testing.T) {
	t.Parallel()
	trace := "Traceback (most recent call last):\n" + strings.Repeat("  File \"/srv/shop/orders.py\", line 12, in total\n    return sum(lines)\n", 40) + "TypeError: unsupported operand type(s) for +: 'int' and 'str'\n"
	log := strings.Repeat("2026-11-30T03:11:12Z INFO  shop.orders request 4711 took 12 ms\n", 200)
	for _, c := range []struct {
		name, prompt, said string
		end                memory.End
		want               []string
		not                string
	}{
		{"a trace, and then the request", trace + "\nWhy does the total of an order fail? Mend it.", "Mended: the amounts were texts.", memory.End{}, []string{"Why does the total of an order fail? Mend it.", "ended: Mended: the amounts were texts."}, "Traceback"},
		{"the request, and then a log", "Find out why checkout is slow\n\n" + log, "It was the missing index.", memory.End{}, []string{"Find out why checkout is slow"}, "4711"},
		{"a fenced paste", "```\n" + trace + "```\nMend the total", "Done.", memory.End{}, []string{"Mend the total"}, "orders.py"},
		{"nothing but a trace", trace, "Done.", memory.End{}, []string{"Traceback"}, ""},
		{"a long answer that leaves something", "Move the mail templates", "```go\n" + strings.Repeat("func x() {}\n", 60) + "```\n" + strings.Repeat("The templates are in the new folder and every caller names them by id. ", 6) + "\n\nNot done: the Spanish ones, which nobody has translated.\n\nTell me if you need more.", memory.End{}, []string{"ended: The templates are in the new folder", "Not done: the Spanish ones, which nobody has translated."}, "func x"},
		{"no answer, and an error", "Make the loader lazy", "", memory.End{Reason: "other", Error: "rate_limit"}, []string{"ended: no last message was seen (rate_limit)"}, ""},
		{"no answer", "Make the loader lazy", "", memory.End{Reason: "prompt_input_exit"}, []string{"ended: no last message was seen (prompt_input_exit)"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.event("memory-recall", "context", "prompt", string(protocol.Quote(c.prompt)))
			s.write("a.py")
			if c.said != "" {
				s.says(c.said)
			}
			c.end.Session = "conv-123"
			got := s.compiled(c.end).Text
			wants(t, got, c.want...)
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("%s", got)
			}
		})
	}
	// What earlier turns came to stays, without the decisions, which are told by themselves.
	s := newScene(t)
	s.prompt("Why do orders repeat on the second page?")
	s.write("a.py")
	s.says("The list was sorted by created_at alone. We decided to sort by id as well. " + strings.Repeat("Much more about it. ", 20))
	s.prompt("Rename the test")
	s.says("Renamed the test.")
	wants(t, s.compiled(memory.End{Session: "conv-123", Reason: "other"}).Text, "decided: We decided to sort by id as well.", "earlier: The list was sorted by created_at alone. Much more about it.", "ended: Renamed the test.")
	// What was said before the last prompt is not how it ended.
	s = newScene(t)
	s.prompt("Make the loader lazy")
	s.write("a.py")
	s.says("The loader is lazy.")
	s.prompt("Now the saver")
	if got := s.compiled(memory.End{Session: "conv-123", Reason: "other"}).Text; strings.Contains(got, "ended: The loader") {
		t.Errorf("%s", got)
	}
}

// A session that left only facts of an agent is not compiled, and no agent is asked to make facts
// of it: what an agent does when it is asked starts no further request. BM-FBK-12.
func TestOnlyFactsAreNotCompiled(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("What does a.txt contain?")
	must.Do(t, s.place().Keep(memory.Fact{ID: "log-1", Kind: "W", Content: "a.txt contains hi", Time: s.now, Session: "conv-123"}))
	s.says("It contains hi.")
	if got := s.compiled(memory.End{Session: "conv-123", Reason: "other"}); got.ID != "" {
		t.Errorf("compiled: %+v", got)
	}
	next := s.event("memory-load", "context", "source", `"startup"`, "session_id", `"next"`).AdditionalContext
	if strings.Count(next, "a.txt contains hi") != 1 || strings.Contains(next, "automatically") {
		t.Errorf("%s", next)
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
