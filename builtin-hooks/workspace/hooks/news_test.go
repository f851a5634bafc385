package hooks

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// act does an operation as another session does it, or a person.
func (s *scene) act(name, args string) {
	s.t.Helper()
	must.Do(s.t, must.Err(s.call(true, name, args)))
}

// BW-TEL-04, BW-TEL-06: what changed since the last prompt is told in one line,
// whoever changed it, and once: by an operation, by another window, by hand. Nothing
// is told that is the same.
func TestWhatChangedIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*scene)
		want   []string
		never  []string
	}{
		{"a node is finished", func(s *scene) { s.act("node_done", `{"nodeId": "mjb6mj4h", "conclusion": "x"}`) },
			[]string{"Changed since your last prompt: ", "completed: 实现 token 验证", "Progress: 2/3", "next: ", "Sum up"}, []string{"Goal:", "Rules", "How to work", "Requirement"}},
		{"a new node", func(s *scene) {
			s.act("plan_create", `{"parentId": "mjb6a000", "rulesHash": "0d1c651c", "plan": "- [ ] a new one"}`)
		},
			[]string{"new: a new one", "Progress: 1/4"}, []string{"Goal:", "Rules", "How to work", "Requirement"}},
		{"a requirement, by an operation", func(s *scene) { s.act("node_update", `{"nodeId": "mjb6mj4h", "requirement": "another need"}`) },
			[]string{"text changed: 实现 token 验证", "Requirement: another need"}, []string{"Goal:", "Rules", "How to work", "next: "}},
		{"a requirement, by hand", func(s *scene) {
			s.edit(nodeAt+"/Info.md", "中间件里验证签名", "中间件里验证签名和权限")
		},
			[]string{"Requirement: 中间件里验证签名和权限"}, []string{"Goal:", "Rules", "How to work"}},
		{"a rule, by hand", func(s *scene) { s.edit(wsDir+"/Workspace.md", "- 密钥必须从环境变量读取", "- no secrets") },
			[]string{"the rules", "- no secrets"}, []string{"Goal:", "Requirement", "How to work"}},
		{"the goal, by hand", func(s *scene) { s.edit(wsDir+"/Workspace.md", "将 session 认证替换为 JWT", "another goal") },
			[]string{"the goal", "Goal: another goal"}, []string{"Rules", "Requirement", "How to work"}},
		{"a state, by hand", func(s *scene) { s.edit(wsDir+"/graph.json", `"status": "implementing"`, `"status": "validating"`) },
			[]string{"to be checked: 实现 token 验证"}, []string{"Goal:", "Rules", "How to work"}},
		{"a problem", func(s *scene) {
			s.act("problem_update", `{"nodeId": "mjb6mj4h", "problem": "the vault is unreachable"}`)
		},
			[]string{"the vault is unreachable"}, []string{"Goal:", "Rules", "How to work", "Requirement"}},
		{"nothing", func(*scene) {}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.solved()
			s.logged(time.Minute)
			s.started(2 * time.Minute)
			s.begin()
			silent(t, c.name+", before", s.tick(3*time.Second).prompt("go on"))
			c.change(s)
			text := s.tick(3 * time.Second).prompt("and on")
			if c.want == nil {
				silent(t, c.name, text)
				return
			}
			wants(t, text, append([]string{"<tanmi-"}, c.want...)...)
			for _, n := range c.never {
				if strings.Contains(text, n) {
					t.Errorf("%s: %q is told again in\n%s", c.name, n, text)
				}
			}
			// 250 tokens of the usual tokenizers are more than 600 characters of such a text.
			if n := len([]rune(text)); n > 700 {
				t.Errorf("%s: %d characters:\n%s", c.name, n, text)
			}
			if c.name != "a problem" { // which is named twice
				silent(t, c.name+", told once", s.tick(3*time.Second).prompt("go on with it"))
			}
		})
	}
}

// BW-TEL-07: how to work here is told once a session, and again where the history is
// gone.
func TestHowToIsToldOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.solved()
	s.logged(time.Minute)
	for _, c := range []struct {
		name, source string
		want         bool
	}{
		{"as the session begins", `"startup"`, true},
		{"not when it goes on", `"resume"`, false},
		{"after a compaction", `"compact"`, true},
		{"not when it goes on from there", `"resume"`, false},
		{"in an empty one", `"clear"`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if text := s.tick(time.Minute).begin("source", c.source); strings.Contains(text, "How to work") != c.want {
				t.Errorf("%s: how to work is told: %v", c.source, !c.want)
			}
		})
	}
}

// BW-TEL-09: the last node that is done with is the end: the next prompt says so, and
// offers to archive or to unbind.
func TestTheEndIsTold(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.solved()
	s.begin()
	for _, id := range []string{"mjb6mj4h", "mjb6a000"} {
		s.act("node_done", `{"nodeId": "`+id+`", "conclusion": "x"}`)
	}
	wants(t, s.tick(time.Second).prompt("what is left?"), contexts, "Changed since", "Progress: 3/3", "Every node is done", "workspace archive --workspace-id mjb65az5", "session unbind --session-id abc123")
}

// BW-TEL-10: the answer of a binding says what the turn that binds needs: goal,
// rules, focus and what comes next.
func TestBindingAnswers(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.mine()
	answer, err := s.call(false, "session_bind", `{"workspaceId": "`+wsID+`", "nodeId": "mjb6mj4h"}`)
	must.Do(t, err)
	wants(t, answer, `"goal": "将 session 认证替换为 JWT"`, "密钥必须从环境变量读取", `"focus"`, "实现 token 验证", "token 过期 → 返回 401", `"progress": "1/3"`, `"next"`)
}

// BW-NXT-07: what a session had claimed others can have as soon as it ends.
func TestTheEndOfASessionGivesBack(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.mine()
	must.Do(t, must.Err(s.call(false, "node_claim", `{"nodeId": "mjb6mj4h"}`)))
	if held := s.place().Claims(wsID, s.now); len(held) != 1 {
		t.Fatalf("%v", held)
	}
	s.event("workspace-end", "nothing")
	if held := s.place().Claims(wsID, s.now); len(held) != 0 {
		t.Errorf("%v", held)
	}
}
