package hooks

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

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

// What a session did after the summary that its agent wrote is compiled beside it, and told after
// it; nothing is where nothing was done, and more of it takes the place of what was compiled.
// BM-FBK-05, BM-FBK-13.
func TestWorkAfterASummaryIsCompiled(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.prompt("add a cache")
	s.write("cache.go")
	must.Do(t, s.place().KeepSummary(memory.Summary{ID: "sum-own", Session: "conv-123", Topic: "price cache", Text: "by the agent", Source: "layer4_stop", Time: s.now}, false))
	s.says("Saved.")
	next := func() string {
		return s.event("memory-load", "context", "source", `"startup"`, "session_id", strconv.Quote("next-"+s.now.String())).AdditionalContext
	}
	end := memory.End{Session: "conv-123", Reason: "other"}
	if got := s.compiled(end); got.ID != "" {
		t.Errorf("nothing was done since: %+v", got)
	}
	for i, file := range []string{"limit.go", "metrics.go"} {
		s.prompt("now limit its size, part " + strconv.Itoa(i))
		s.write(file)
		s.says("Limited to 100 entries.")
		got := s.compiled(end)
		wants(t, got.Text, "now limit its size", file)
		if strings.Contains(got.Text, "cache.go") {
			t.Errorf("what the agent summarised is compiled: %s", got.Text)
		}
		told := next()
		wants(t, told, "topic: price cache", "then, noted automatically: now limit its size", file)
		if strings.Count(told, "then, noted") != 1 {
			t.Errorf("%s", told)
		}
	}
}

// A command that failed is told with why, whichever event the agent reports it by, and before ones
// that had no lasting effect; a check that passed later did not fail, and what the user stopped
// neither. BM-FBK-01, BM-FBK-14.
func TestFailedCommandsAreToldWithWhy(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	argv := func(line string) string {
		o := protocol.Object{{Name: "text", Value: protocol.Quote(line)}, {Name: "argv", Value: protocol.TextList(strings.Fields(line))}}
		return "[" + string(o.Raw()) + "]"
	}
	ok := func(line string) { s.shell(line, "commands", argv(line), "result", `{"ok": true, "exit_code": 0}`) }
	fails := func(line, output string, members ...string) {
		s.event("memory-failure", "context", append([]string{"tool_name", `"Shell"`, "tool_use_id", strconv.Quote("f" + s.now.String()), "commands", argv(line),
			"tool_input", string(protocol.Object{{Name: "command", Value: protocol.Quote(line)}}.Raw()), "error", string(protocol.Quote(output))}, members...)...)
	}
	s.prompt("Roll out driver 4.2")
	s.event("memory-failure", "context", "tool_name", `"EditFile"`, "tool_input", `{"file_path": "driver.go"}`, "tool_use_id", `"e"`, "error", `"old_string was not found"`)
	fails("go test ./...", "Exit code 1\n--- FAIL: TestX")
	ok("go test ./plc")
	for range 3 {
		ok("git add -A")
		ok("kubectl config use-context testline")
	}
	fails("terraform apply -auto-approve", "Exit code 1\nApplying\nError: quota exceeded for token=ghp_8sKd0QpLx7VmWz3TcYbNfRgHjUe2Ia4O5l1M\nat main.tf")
	ok("kubectl set image deploy/plc plc=plc:4.2")
	line := "kubectl rollout status deploy/plc"
	s.shell(line, "commands", argv(line), "result", `{"ok": false, "exit_code": 1, "text": "Exit code: 1\nOutput:\nwaiting\nexceeded its progress deadline"}`)
	fails("docker push plc:4.2", "interrupted", "context", `{"can": ["context"], "native": {"is_interrupt": true}}`)
	ok("kubectl rollout undo deploy/plc")
	ok("git tag driver-4.2-bad")
	got := s.compiled(memory.End{Session: "conv-123", Reason: "other"}).Text
	wants(t, got, "ran: terraform apply -auto-approve (failed: Error: quota exceeded for token=[REDACTED", " | kubectl set image deploy/plc plc=plc:4.2 | kubectl rollout status deploy/plc (failed: exceeded its progress deadline) | kubectl rollout undo deploy/plc | git tag driver-4.2-bad")
	for _, not := range []string{"driver.go", "TestX", "docker push", "git add"} {
		if strings.Contains(got, not) {
			t.Errorf("%q: %s", not, got)
		}
	}
}

// How a turn ended that failed or was interrupted is how the session ended, by the agent's event
// for it; one that went well writes nothing at that event. BM-FBK-14.
func TestAFailedTurnIsHowItEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		members []string
		want    string
	}{
		{"an error with a message", []string{"status", `"error"`, "error", `"rate_limit"`, "final_message", `{"role": "assistant", "content": "API Error: Rate limit reached"}`}, "ended: API Error: Rate limit reached (rate_limit)"},
		{"an error without one", []string{"status", `"error"`, "error", `{"message": "overloaded, password=hunter2"}`}, "ended: (overloaded, password=[REDACTED:password])"},
		{"interrupted", []string{"status", `"aborted"`, "final_message", `{"role": "assistant", "content": "The relay K4 is broken. We decided to replace it."}`}, "ended: The relay K4 is broken. We decided to replace it. (aborted)"},
		{"gone well", []string{"status", `"completed"`, "final_message", `{"role": "assistant", "content": "Done."}`}, "ended: no last message was seen (other)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.prompt("Roll out the new quota.")
			s.write("quota.go")
			s.event("memory-turn-failure", "nothing", c.members...)
			wants(t, s.compiled(memory.End{Session: "conv-123", Reason: "other"}).Text, c.want)
		})
	}
}

// What the agent said in a turn that the user interrupted is in the summary, with its decisions,
// whether the session goes on or ends; a turn that stopped is not read again. BM-FBK-01, BM-FBK-14.
func TestAnInterruptedTurnIsKept(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	read, said := 0, ""
	s.world.Final = func() string { read++; return said }
	s.prompt("Find the fault of the lift controller.")
	s.write("lift.go")
	said = "The fault is the relay K4. We decided to replace it by a solid state relay."
	s.prompt("no, look at the door first") // after an Esc
	s.says("The door is fine.")
	s.prompt("go on then")
	if read != 1 {
		t.Errorf("the transcript was read %d times", read)
	}
	said = "我们决定先换继电器。还没有测试。"
	s.event("memory-sync", "nothing", "exit_reason", `"other"`)
	got := s.compiled(memory.End{Session: "conv-123", Reason: "other"})
	if want := []string{"We decided to replace it by a solid state relay.", "我们决定先换继电器。"}; !slices.Equal(got.Decisions, want) || !slices.Equal(got.Todos, []string{"还没有测试。"}) {
		t.Errorf("decided %q, to do %q", got.Decisions, got.Todos)
	}
	wants(t, got.Text, "ended: 我们决定先换继电器。 还没有测试。 (other)")
}

// A question or two and their answers are not compiled, with a command that only looked or without:
// what can be asked again would displace what was done. Three turns are, and so is an answer that
// decides. BM-FBK-16.
func TestAQuestionIsNotCompiled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		turns    [][2]string
		compiled bool
	}{
		{"one question", [][2]string{{"What is warp in our naming?", "The row index."}}, false},
		{"two", [][2]string{{"What is warp in our naming?", "The row index."}, {"And weft?", "The column index."}}, false},
		{"three", [][2]string{{"What is warp in our naming?", "The row index."}, {"And weft?", "The column index."}, {"Where are patterns stored?", "In loom.py."}}, true},
		{"a decision", [][2]string{{"FLAC or ALAC for the archive?", "We decided to use FLAC, since ffmpeg writes its cue points."}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			for _, turn := range c.turns {
				s.prompt(turn[0])
				s.shell("grep -rn warp loom.py", "commands", `[{"text": "grep -rn warp loom.py", "argv": ["grep", "-rn", "warp", "loom.py"]}]`)
				s.says(turn[1])
			}
			if got := s.compiled(memory.End{Session: "conv-123", Reason: "clear"}); (got.ID != "") != c.compiled {
				t.Errorf("compiled: %v", !c.compiled)
			}
		})
	}
}

// Why a command failed is told by the line that says what is wrong, wherever it stands and whatever
// the agent writes around it; if none does, by the last one.
// BM-FBK-14.
func TestWhyACommandFailed(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"=== RUN TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:3: got 1, want 2\nFAIL\nexit status 1": "a_test.go:3: got 1, want 2",
		"Exit code: 2\nWall time: 0.1 seconds\nOutput:\nnothing special here\nand the end":            "and the end",
		"To example.org:x\nerror: failed to push some refs\nhint: updates were rejected":              "error: failed to push some refs",
		"Exit code 1": "",
		"":            "",
	} {
		if got := why(output); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}
