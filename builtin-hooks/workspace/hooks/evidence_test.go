package hooks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// shell is a call of a shell as the dispatcher tells it: each simple command, and how
// the whole ended.
func (s *scene) shell(line string, exit int, commands ...string) {
	s.t.Helper()
	var list []string
	for _, c := range commands {
		var o protocol.Object
		o.SetText("text", c)
		o.Set("argv", protocol.TextList(strings.Fields(c)))
		list = append(list, string(o.Raw()))
	}
	hook := "workspace-activity"
	if exit != 0 {
		hook = "workspace-failure"
	}
	s.event(hook, "context", "tool_name", `"Shell"`, "tool_input", `{"command": `+string(protocol.Quote(line))+`}`,
		"commands", "["+strings.Join(list, ",")+"]", "result", fmt.Sprintf(`{"exit_code": %d}`, exit))
}

// seen are the rows of what was seen in the log of the node.
func (s *scene) seen() string {
	var list []string
	for _, r := range workspace.ParseLog([]byte(s.read(nodeAt+"/Log.md")), shanghai) {
		if one, ok := r.Seen(); ok {
			list = append(list, one.Kind+" "+one.What)
		}
	}
	return strings.Join(list, "; ")
}

// What tests of a bound session came to is noted at its node: of a line with several
// commands where the end of the line tells it of each, and of nothing else.
// BW-EVI-07.
func TestRunsOfTestsAreLinked(t *testing.T) {
	for line, want := range map[string]string{
		"go test ./...":                    "passed go test ./...",
		"cd /w && go test ./x":             "passed go test ./x",
		"gofmt -l . && npm run test":       "passed npm run test",
		"go test ./... | tail -5":          "",
		"go test ./... || true":            "",
		"go build ./... ; pytest -q":       "",
		"go vet ./...":                     "",
		"npx vitest run":                   "passed npx vitest run",
		"cat make test":                    "",
		"git status":                       "",
		"make -j4 check":                   "passed make -j4 check",
		"python3 -m pytest -x tests":       "passed python3 -m pytest -x tests",
		"echo $(go test ./...) && go test": "",
		"npm install && npm test -- -w x":  "passed npm test -- -w x",
	} {
		if !slowtest.Among(line, "go test ./...", "go test ./... || true", "gofmt -l . && npm run test", "git status") {
			continue
		}
		t.Run(line, func(t *testing.T) {
			s := newScene(t)
			s.shell(line, 0, split(line)...)
			if is := s.seen(); is != want {
				t.Errorf("%s: %q, want %q", line, is, want)
			}
			// Of a line that failed only its one command is known to have.
			s = newScene(t)
			s.shell(line, 1, split(line)...)
			want = strings.Replace(want, "passed", "failed", 1)
			if len(split(strings.TrimPrefix(line, "cd /w && "))) > 1 {
				want = ""
			}
			if is := s.seen(); is != want {
				t.Errorf("%s, failed: %q, want %q", line, is, want)
			}
		})
	}
}

// A failure that says no exit code is one all the same, since its event says so.
func TestAFailureWithoutACodeIsOne(t *testing.T) {
	s := newScene(t)
	s.event("workspace-failure", "context", "tool_name", `"Shell"`, "tool_input", `{"command": "go test ./..."}`, "commands", `[{"text": "go test ./...", "argv": ["go", "test", "./..."]}]`)
	if is := s.seen(); is != "failed go test ./..." {
		t.Errorf("%q", is)
	}
}

// split is a line at what joins commands, as far as these tests need it.
func split(line string) (list []string) {
	for _, part := range strings.Split(strings.NewReplacer("&&", "\n", "||", "\n", "|", "\n", ";", "\n").Replace(line), "\n") {
		list = append(list, strings.TrimSpace(part))
	}
	return list
}

// The same end is noted once, another one again; a commit that was just made once, and
// what is old or was not made never; another session's calls say nothing of the node.
// BW-EVI-07.
func TestCommitsAreLinked(t *testing.T) {
	s := newScene(t)
	head := fmt.Sprintf("%d 3f2a9c1 tokens: verify them\n", s.now.Unix())
	var failed error
	s.world.Git = func(context.Context, string, []string, ...string) ([]byte, error) { return []byte(head), failed }
	s.shell("git commit -qam x", 0, "git commit -qam x")
	s.shell("git -C /p commit --amend", 0, "git -C /p commit --amend")
	s.shell("git commit --dry-run", 0, "git commit --dry-run")
	s.shell("git log", 0, "git log")
	if is := s.seen(); is != "commit 3f2a9c1 tokens: verify them" {
		t.Error(is)
	}
	head = fmt.Sprintf("%d aaaaaaa long ago\n", s.now.Add(-time.Hour).Unix())
	s.shell("git commit -m x", 0, "git commit -m x")
	head = fmt.Sprintf("%d bbbbbbb refused\n", s.now.Unix())
	s.shell("git commit -m x", 1, "git commit -m x")
	failed = errors.New("no git")
	s.shell("git merge x", 0, "git merge x")
	for _, exit := range []int{1, 1, 0, 0} {
		s.shell("go test", exit, "go test")
	}
	if is := s.seen(); is != "commit 3f2a9c1 tokens: verify them; failed go test; passed go test" {
		t.Error(is)
	}
	before := s.read(nodeAt + "/Log.md")
	s.event("workspace-activity", "context", "session_id", `"other"`, "tool_name", `"Shell"`, "tool_input", `{"command": "pytest"}`, "commands", `[{"text": "pytest", "argv": ["pytest"]}]`, "result", `{"exit_code": 0}`)
	s.event("workspace-activity", "context", "tool_name", `"Shell"`, "tool_input", `{"command": "pytest"}`, "commands", `[{"text": "pytest", "argv": ["pytest"]}]`)
	if s.read(nodeAt+"/Log.md") != before {
		t.Errorf("noted:\n%s", s.read(nodeAt+"/Log.md"))
	}
}

// The gate holds a session that stops while a node that it claimed is unfinished, once a
// turn and only if it is wanted; not for a node of others, one with a problem, or one
// that is done.
// BW-EVI-08.
func TestStopGate(t *testing.T) {
	stops := func(s *scene, more ...string) string {
		t.Helper()
		return s.event("workspace-stop", "context continue", append([]string{"status", `"completed"`, "stop_active", "false", "final_message", `{"content": "All done."}`}, more...)...).FollowupMessage
	}
	claimed := func(session string) *scene {
		s := newScene(t)
		s.solved()
		s.settings["stop_gate"] = true
		must.Do(t, s.place().Claim(wsID, session, time.Hour, s.now, func(map[string]workspace.Claim) (string, error) { return nodeID, nil }))
		return s
	}
	s := claimed(bySelf)
	wants(t, stops(s), "not finished", "实现 token 验证", "workspace done", "release", "problem update")
	silent(t, "went on already", stops(s, "stop_active", "true"))
	silent(t, "aborted", stops(s, "status", `"aborted"`))
	s.settings["stop_gate"] = false
	silent(t, "off", stops(s))
	silent(t, "another one's", stops(claimed("other")))
	s = claimed(bySelf)
	s.edit(nodeAt+"/Problem.md", "（暂无）\n\n##", "Which key is meant?\n\n##")
	silent(t, "waits for the person", stops(s))
	s = claimed(bySelf)
	text := s.read(wsDir + "/graph.json")
	s.put(s.file(wsDir+"/graph.json"), strings.Replace(text, `"implementing"`, `"completed"`, 1))
	silent(t, "done", stops(s))
	nothing := newScene(t)
	nothing.settings["stop_gate"] = true
	silent(t, "nothing claimed", stops(nothing))
}
