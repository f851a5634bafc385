package hooks

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A subagent has not read the conversation: it is neither asked to look back over it nor told what
// the session's own agent is to be told, which hears both at its next call or prompt.
// BM-ASK-16.
func TestASubagentIsNotAsked(t *testing.T) {
	t.Parallel()
	call := []string{"tool_name", `"ReadFile"`, "usage_percent", "85"}
	for name, within := range map[string]func(s *scene) string{
		"its call": func(s *scene) string {
			return s.event("memory-nudge", "context", append(call, "agent_id", `"a-1"`)...).AdditionalContext
		},
		"its call that failed": func(s *scene) string {
			return s.event("memory-failure", "context", append(call, "agent_id", `"a-1"`, "subagent_type", `"explore"`)...).AdditionalContext
		},
		"its task": func(s *scene) string {
			return s.event("memory-recall", "context", "prompt", `"find it"`, "source", `"subagent"`, "usage_percent", "85").AdditionalContext
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			if got := within(s); got != "" {
				t.Errorf("the context is full: %s", got)
			}
			wants(t, s.event("memory-nudge", "context", call...).AdditionalContext, "[Memory Flush]", "85% used")
			s.event("memory-flush", "message")
			if got := within(s); strings.Contains(got, "compacted") {
				t.Errorf("after a compaction: %s", got)
			}
			wants(t, s.event("memory-nudge", "context", "tool_name", `"ReadFile"`).AdditionalContext, "[Memory Flush]", "compacted")
		})
	}
}

// After a compaction an agent that only plans is asked when it may act, whatever event says it.
// BM-SAV-17.
func TestAPlanIsNotInterruptedAfterACompaction(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.event("memory-load", "context", "source", `"startup"`)
	prompt := func(mode string) string {
		return s.event("memory-recall", "context", "prompt", `"plan the port"`, "source", `"user"`, "permission_mode", strconv.Quote(mode)).AdditionalContext
	}
	prompt("plan")
	s.event("memory-flush", "context", "permission_mode", `"plan"`)
	got := s.event("memory-load", "context", "source", `"compact"`).AdditionalContext
	got += prompt("plan")
	got += s.event("memory-nudge", "context", "tool_name", `"ReadFile"`, "permission_mode", `"plan"`).AdditionalContext
	if strings.Contains(got, "[Memory Flush]") {
		t.Errorf("asked while it plans: %s", got)
	}
	wants(t, prompt("default"), "[Memory Flush]", "was compacted")
	if got := prompt("default"); got != "" {
		t.Errorf("asked twice: %s", got)
	}
}

// Facts of an earlier session are asked for where a person is certain to be there, or where the
// person always wants to be asked: elsewhere what is done then may become a run's last message.
// BM-FBK-07, BM-FBK-17.
func TestAnEarlierSessionIsOfferedToWhomAPersonTalks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		headless, known bool
		mode            string
		asked           bool
	}{
		"a person": {false, true, "smart", true}, "nobody": {true, true, "smart", false}, "it cannot be told": {false, false, "smart", false},
		"it cannot be told, in fallback": {false, false, "fallback", false}, "it cannot be told, in always": {false, false, "always", true}, "nobody, in always": {true, true, "always", false},
	} {
		for _, where := range []string{"at the start", "at the first prompt"} {
			t.Run(name+" "+where, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				s.event("memory-recall", "context", "prompt", `"move the queue"`, "source", `"user"`, "session_id", `"before"`)
				s.event("memory-nudge", "context", "tool_name", `"WriteFile"`, "tool_input", `{"file_path": "q.go"}`, "tool_use_id", `"w"`, "session_id", `"before"`)
				must.Do(t, Work(s.callOf("before"), memory.End{Session: "before", Reason: "other"}, nil))
				s.world.Headless = func() (bool, bool) { return c.headless, c.known }
				s.settings["save_mode"] = c.mode
				can := "context"
				if where != "at the start" {
					can = "nothing"
				}
				got := s.event("memory-load", can, "source", `"startup"`).AdditionalContext
				got += s.prompt("list the files").AdditionalContext
				if strings.Contains(got, "noted automatically (above") != c.asked || !strings.Contains(got, "q.go") {
					t.Errorf("asked %v:\n%s", !c.asked, got)
				}
			})
		}
	}
}

// What was only to be remembered, and was saved, is no work: no summary is asked for, none compiled,
// and no later agent is asked about it. What was not saved, or more than that, is.
// BM-SAV-18, BM-FBK-12.
func TestAWishThatBecameAFactIsNoWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prompts []string
		facts   int
		mine    bool // in the user's own memory
		said    string
		asked   bool
	}{
		{[]string{"Remember that tests need redis"}, 1, false, "Saved.", false},
		{[]string{"Remember that tests need redis"}, 1, false, "Noted: I'll remember that tests need redis.", false},
		{[]string{"Remember that tests need redis"}, 1, true, "Saved.", false},
		{[]string{"Remember that we decided to use redis"}, 1, false, "Saved.", false},
		{[]string{"记住：测试库在 db-9 上。"}, 1, false, "好的，我会记住。", false},
		{[]string{"请记得以后都用 redis"}, 1, false, "已保存。", false},
		{[]string{"Remember that tests need redis", "don't forget: the port is 70"}, 2, false, "Saved.", false},
		{[]string{"Remember that tests need redis", "don't forget: the port is 70"}, 1, false, "Saved.", true},
		{[]string{"Remember that tests need redis"}, 0, false, "OK.", true},
		{[]string{"Remember that tests need redis. From now on CI runs on ARM."}, 1, false, "Saved.", true},
		{[]string{"记住：测试库在 db-9 上。我们决定改用 Redis。"}, 1, false, "好的。", true},
		{[]string{"Remember that tests need redis"}, 1, false, "Saved. We decided to move the queue to NATS.", true},
	} {
		t.Run(strings.Join(c.prompts, "; ")+" → "+c.said, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.event("memory-load", "context", "source", `"startup"`)
			place := s.place()
			if c.mine {
				place = memory.Place{Dir: place.User, User: place.User}
			}
			for i, prompt := range c.prompts {
				s.prompt(prompt)
				if i < c.facts {
					must.Do(t, place.Counted(memory.Fact{Kind: "W", Session: "conv-123", Time: s.now}))
				}
			}
			a := s.event("memory-session-save", "continue", "final_message", `{"role": "assistant", "content": `+strconv.Quote(c.said)+`}`)
			if (a.FollowupMessage != "") != c.asked {
				t.Errorf("asked %v: %s", !c.asked, a.FollowupMessage)
			}
			must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
			if b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl")); (len(b) > 0) != c.asked {
				t.Errorf("compiled: %s", b)
			}
		})
	}
}

// What a person chose when the agent asked is a decision: it is asked about, and kept.
// BM-SAV-03, BM-FBK-01.
func TestAnAnswerThatAPersonChoseIsADecision(t *testing.T) {
	t.Parallel()
	for answers, asked := range map[string]bool{`{"Which database?": "Postgres"}`: true, `{}`: false, `{"Which database?": ""}`: false} {
		s := newScene(t)
		s.prompt("Which database fits?")
		s.event("memory-nudge", "context", "tool_name", `"Shell"`, "tool_response", `{"questions": [], "answers": {"Which database?": "what a command printed"}}`, "tool_use_id", `"q0"`)
		s.event("memory-nudge", "context", "tool_name", `"ask_the_person"`, "tool_response", `{"questions": [], "answers": `+answers+`}`, "tool_use_id", `"q1"`)
		if got := s.event("memory-session-save", "continue", "final_message", `{"role": "assistant", "content": "Fine."}`).FollowupMessage; (got != "") != asked {
			t.Errorf("%s: asked %v", answers, !asked)
		}
		must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
		b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl"))
		if strings.Contains(string(b), "Which database? Postgres") != asked {
			t.Errorf("%s: compiled %s", answers, b)
		}
	}
}

// To go to a commit that was there before the session is no work; a commit that it made is.
// BM-SAV-04, BM-SAV-06.
func TestToGoToAnotherBranchIsNoWork(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	for _, c := range []struct {
		name, command string
		do            func(run func(at string, args ...string))
		asked         bool
	}{
		{"git checkout of a branch", "git checkout other", func(run func(string, ...string)) { run("", "checkout", "-q", "other") }, false},
		{"git switch to a branch", "git switch other", func(run func(string, ...string)) { run("", "switch", "-q", "other") }, false},
		{"git switch to a commit", "git switch --detach other", func(run func(string, ...string)) { run("", "switch", "-q", "--detach", "other") }, false},
		{"a script that commits", "./release.sh", func(run func(string, ...string)) {
			run("2026-02-17T12:30:00Z", "commit", "-q", "--allow-empty", "-m", "new")
		}, true},
		{"a script that commits on another branch", "./release.sh", func(run func(string, ...string)) {
			run("", "checkout", "-q", "other")
			run("2026-02-17T12:30:00Z", "commit", "-q", "--allow-empty", "-m", "new")
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			s.world.Git = func(ctx context.Context, dir string, _ []string, args ...string) ([]byte, error) {
				cmd := exec.CommandContext(context.WithoutCancel(ctx), git, args...) // on a busy machine git takes longer than it is given
				cmd.Dir = dir
				return cmd.Output()
			}
			run := func(at string, args ...string) {
				t.Helper()
				cmd := exec.Command(git, append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
				cmd.Dir, cmd.Env = s.project, append(os.Environ(), "GIT_COMMITTER_DATE="+at, "GIT_AUTHOR_DATE="+at)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %q: %v: %s", args, err, out)
				}
			}
			run("", "init", "-q", "-b", "main")
			run("2026-02-10T12:00:00Z", "commit", "-q", "--allow-empty", "-m", "begin")
			run("", "checkout", "-q", "-b", "other")
			run("2026-02-11T12:00:00Z", "commit", "-q", "--allow-empty", "-m", "theirs")
			run("", "checkout", "-q", "main")
			s.event("memory-load", "context", "source", `"startup"`)
			s.prompt("what does that branch change?")
			s.now = s.now.Add(time.Minute)
			s.shell(c.command)
			c.do(run)
			if got := s.stop(); (got != "") != c.asked {
				t.Errorf("asked %v", got != "")
			}
		})
	}
}
