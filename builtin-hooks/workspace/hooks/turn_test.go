package hooks

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	info     = "<tanmi-session-info>"
	suggests = "<tanmi-workspace-suggestion>"
	contexts = "<tanmi-workspace-context>"
	binds    = "<tanmi-workspace-reminder>"
	smart    = "<tanmi-smart-reminder>"
)

// BW-SES-01, BW-TEL-01: an unbound session hears its id, how to bind, and which
// workspaces are there; and nothing is bound by that. Without an id nothing is said.
func TestUnboundIsToldHow(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	before, _ := os.ReadFile(filepath.Join(s.home, ".tanmi-workspace", "session-bindings.json"))
	text := s.begin("session_id", other)
	wants(t, text, info, "another", "session_status", "/opt/agents-hooks workspace session status --session-id another",
		"session_bind", "/opt/agents-hooks workspace session bind --session-id another --workspace-id WORKSPACE_ID", "</tanmi-session-info>",
		suggests, "重构认证模块", wsID, "JWT", "Old layout", "ignore", "</tanmi-workspace-suggestion>")
	if strings.Contains(text, "发布") {
		t.Error("an archived workspace is suggested")
	}
	silent(t, "the next prompt", s.prompt("what is a tuple?", "session_id", other))
	if after, _ := os.ReadFile(filepath.Join(s.home, ".tanmi-workspace", "session-bindings.json")); string(after) != string(before) {
		t.Errorf("the bindings changed: %s", after)
	}
	silent(t, "no session id", s.begin("session_id", `""`))
	silent(t, "no session id", s.prompt("workspace", "session_id", `""`))

	s.settings["suggest_by_cwd"] = false
	s.tick(time.Minute)
	if text := s.begin("session_id", other); !strings.Contains(text, info) || strings.Contains(text, suggests) {
		t.Errorf("switched off:\n%s", text)
	}
	s.settings["suggest_by_cwd"] = true
	s.tick(time.Minute)
	if text := s.begin("session_id", other, "work_dir", string(protocol.Quote(filepath.Dir(s.project)))); strings.Contains(text, suggests) {
		t.Errorf("in another folder:\n%s", text)
	}
}

// BW-SES-09: a session that is bound, and begins anew at once, hears of it; and so of
// the end of it. The guard against double calls keeps no old answer.
func TestReadFresh(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	wants(t, s.begin("session_id", other), info)
	must.Do(t, s.place().Bind("another", wsID, "", s.now))
	wants(t, s.begin("session_id", other), contexts)
}

// BW-TEL-03, BW-TEL-20: a bound session hears its workspace, whose folders are named
// by dirName, with the title of the front matter; for every source.
func TestBoundIsToldItsWorkspace(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"startup", "resume", "fork", "clear", "compact", "something new"} {
		s := newScene(t)
		wants(t, s.event("workspace-context", "context", "source", strconv.Quote(source)).AdditionalContext, contexts, "重构认证模块", wsID, "abc123", "将 session 认证替换为 JWT",
			"binding", "- 所有 API 必须添加认证中间件", "- 密钥必须从环境变量读取", "JWT 方案", "实现 token 验证", "mjb6mj4h", "implementing", "中间件里验证签名", "token 过期 → 返回 401",
			"Open problem", "1/3", "node_begin", "workspace begin --session-id abc123",
			"log_append", `workspace log append --session-id abc123 --event "..."`,
			"problem_update", "node_done", `workspace done --session-id abc123 --conclusion "..."`, "</tanmi-workspace-context>")
	}
	s := newScene(t)
	s.settings["language"] = "zh"
	wants(t, s.begin(), contexts, "当前工作区：重构认证模块", "目标：", "规则（必须", "聚焦节点：实现 token 验证", "需求：", "工作方式")
	auto := newScene(t)
	delete(auto.settings, "language")
	auto.env = []string{"LANG=zh_CN.UTF-8"}
	wants(t, auto.begin(), "当前工作区")
}

// BW-TEL-04: the whole context comes once after a bind, a change of the focus or of
// the rules, and not again.
func TestContextOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.solved()
	s.logged(time.Minute)
	if text := s.prompt("go on"); !strings.HasPrefix(text, contexts) {
		t.Errorf("the first prompt after the bind:\n%s", text)
	}
	if text := s.tick(time.Second).prompt("and now"); strings.Contains(text, contexts) {
		t.Errorf("the second:\n%s", text)
	}
	wants(t, s.begin(), contexts)
	if text := s.tick(time.Minute).prompt("more"); strings.Contains(text, contexts) {
		t.Errorf("told as the session began:\n%s", text)
	}
	for _, c := range []struct {
		name   string
		change func() error
	}{
		{"focus", func() error {
			s.edit(wsDir+"/graph.json", `"currentFocus": "`+nodeID+`"`, `"currentFocus": "`+planID+`"`)
			return nil
		}},
		{"rules", func() error {
			s.edit(wsDir+"/Workspace.md", "- 密钥必须从环境变量读取", "- no secrets")
			return nil
		}},
		{"bind", func() error { return s.place().Bind(bySelf, wsID, "", s.now) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.tick(3 * time.Second)
			must.Do(t, c.change())
			if text := s.prompt("x " + c.name); !strings.HasPrefix(text, contexts) {
				t.Errorf("not told:\n%s", text)
			}
			if text := s.tick(3 * time.Second).prompt("y " + c.name); strings.Contains(text, contexts) {
				t.Errorf("told twice:\n%s", text)
			}
		})
	}
}

// BW-TEL-05: where the original sent the context with each prompt it comes with each,
// without how to work after the first; or, if the settings say so, again after ten
// minutes or when anything of it changed. The reminder follows it.
func TestContextAgainWhereItDoesNotStay(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	on := []string{"agent", `"cursor"`}
	wants(t, s.prompt("a", on...), contexts, "</tanmi-workspace-context>\n\n"+smart, "测试环境没有公钥", "</tanmi-smart-reminder>")
	s = newScene(t)
	s.solved()
	s.settings["reminders"] = []any{}
	first := s.prompt("a", on...)
	wants(t, first, contexts, "所有 API 必须添加认证中间件")
	second := s.tick(time.Second).prompt("b", on...)
	wants(t, second, contexts, "所有 API 必须添加认证中间件")
	if len(second) >= len(first) {
		t.Errorf("how to work is told again:\n%s", second)
	}
	s = newScene(t)
	s.solved()
	s.settings["reminders"], s.settings["cursor_context"] = []any{}, "changed"
	wants(t, s.prompt("a", on...), contexts)
	silent(t, "9:59", s.tick(10*time.Minute-time.Second).prompt("b", on...))
	wants(t, s.tick(time.Second).prompt("c", on...), contexts)
	silent(t, "just told", s.tick(time.Second).prompt("d", on...))
	s.edit(wsDir+"/Workspace.md", "将 session 认证替换为 JWT", "another goal")
	wants(t, s.tick(time.Second).prompt("e", on...), contexts, "another goal")
	silent(t, "unbound by request", s.tick(time.Second).prompt("f", append(on, "session_id", `"nobody"`)...))
}

// A store of the original's developers that happens to be there is not looked at,
// unless its own variable says so.
func TestTheStoreOfDevelopers(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	dev := filepath.Join(s.home, ".tanmi-workspace-dev")
	s.put(filepath.Join(dev, "index.json"), `{"version": "5.0", "workspaces": []}`)
	s.put(filepath.Join(dev, "session-bindings.json"), `{"version": "1.0", "bindings": {}}`)
	wants(t, s.begin(), contexts, "重构认证模块")
	s.env = []string{"TANMI_DEV=true"}
	wants(t, s.begin(), info)
}

// BW-TEL-02: an unbound session whose prompt is about workspaces is told how to bind;
// with its id first, if it was not told that.
func TestKeywordsOfAPrompt(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	unbound := []string{"session_id", other}
	wants(t, s.prompt("继续上次的任务", unbound...), info, "another", binds, "another", "session_status", "session_bind", "</tanmi-workspace-reminder>")
	silent(t, "no keyword", s.tick(time.Minute).prompt("install node.js please", unbound...))
	silent(t, "not the person's words", s.tick(time.Minute).event("workspace-reminder", "context", "session_id", other, "prompt", `"task: workspace"`, "source", `"notification"`).AdditionalContext)
	s.begin(unbound...)
	if text := s.tick(10*time.Minute).prompt("continue", unbound...); !strings.HasPrefix(text, binds) {
		t.Errorf("the id was told as the session began:\n%s", text)
	}
	silent(t, "9:59", s.tick(10*time.Minute-time.Second).prompt("the progress?", unbound...))
	wants(t, s.tick(time.Second).prompt("the progress", unbound...), binds)
	silent(t, "where there is no workspace", s.tick(time.Hour).prompt("the workspace", append(unbound, "work_dir", string(protocol.Quote(filepath.Dir(s.project))))...))
	silent(t, "a part of a name", s.tick(time.Hour).prompt("node-gyp fails in src/node and @types/node", unbound...))
	s.settings["keyword_minutes"] = int64(0)
	wants(t, s.tick(time.Second).prompt("Continue!", unbound...), binds)
	wants(t, s.tick(time.Second).prompt("Continue.", unbound...), binds)
	s.settings["keywords"] = []any{"vorhaben"}
	s.tick(time.Hour)
	silent(t, "a list of one's own", s.prompt("workspace", unbound...))
	wants(t, s.prompt("das Vorhaben", unbound...), binds)
}

// BW-REM-04: an open problem is named with its next step by the first two prompts
// that meet it, within three minutes too, and then by one of three; another problem
// anew.
func TestAProblemInsistsAndThenLess(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.begin()
	s.edit(nodeAt+"/Problem.md", "## 下一步\n\n（暂无）", "## 下一步\n\n问运维要")
	said := ""
	for i := range 8 {
		text := s.tick(5 * time.Second).prompt("go on " + strconv.Itoa(i))
		if text == "" {
			said += "-"
			continue
		}
		wants(t, text, smart, "⚠️", "problem_clear", "测试环境没有公钥", "问运维要")
		said += "x"
	}
	if said != "xx--x--x" {
		t.Error(said)
	}
	s.edit(nodeAt+"/Problem.md", "测试环境没有公钥", "私钥也找不到")
	wants(t, s.tick(5*time.Second).prompt("and now"), smart, "私钥也找不到")
}

// BW-REM-06: whoever does what the reminder asks for, and notes what they are up to,
// is not told of a problem; nor whoever says that there is none.
func TestAdviceRaisesNoProblem(t *testing.T) {
	t.Parallel()
	for _, note := range []string{"Writing the middleware, tests next", "正在写错误处理，接下来写测试", "none"} {
		t.Run(note, func(t *testing.T) {
			s := newScene(t)
			s.started(6 * time.Minute)
			s.solved()
			s.logged(time.Minute)
			s.begin()
			wants(t, s.tick(time.Second).prompt("go on"), smart, "💭", "--none")
			args := `{"nodeId": "mjb6mj4h", "problem": "` + note + `"}`
			if note == "none" {
				args = `{"nodeId": "mjb6mj4h", "none": true}`
			}
			must.Do(t, must.Err(s.call(false, "problem_update", args)))
			s.now = s.now.Add(4 * time.Minute)
			s.logsNow()
			if text := s.prompt("and on"); strings.Contains(text, "⚠️") || strings.Contains(text, "💭") || strings.Contains(text, "Open problem") {
				t.Errorf("%s:\n%s", note, text)
			}
		})
	}
}

// BW-SES-05: a session that was unbound by request hears nothing of workspaces: as it
// begins anew, at a keyword, after a compaction; until it is bound again.
func TestUnboundByRequestIsSilent(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	must.Do(t, must.Err(s.call(false, "session_unbind", `{}`)))
	for _, source := range []string{"resume", "clear", "compact", "startup"} {
		silent(t, source, s.tick(time.Hour).event("workspace-context", "context", "source", strconv.Quote(source)).AdditionalContext)
		silent(t, "a keyword", s.tick(time.Hour).prompt("continue the workspace task"))
	}
	wants(t, s.begin("session_id", other), info) // another session is no part of that
	must.Do(t, must.Err(s.call(false, "session_bind", `{"workspaceId": "`+wsID+`"}`)))
	wants(t, s.tick(time.Minute).prompt("go on"), contexts, "重构认证模块", "How to work")
}

// BW-TEL-12: a graph that cannot be read says nothing to the agent; the run log has
// the reason.
func TestUnreadableSaysNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.put(s.file(wsDir+"/graph.json"), "{")
	for _, hook := range []string{"workspace-context", "workspace-reminder", "workspace-subagent", "workspace-compact"} {
		a := s.raw(hook, "context", "prompt", `"workspace"`)
		if a.AdditionalContext != "" || !strings.Contains(string(a.Log), "graph.json") {
			t.Errorf("%s: %+v", hook, a)
		}
	}
}

// BW-SES-06, BW-SES-07: a binding whose workspace is gone counts as none; one to an
// archived workspace is at rest.
func TestAWorkspaceThatIsGone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	must.Do(t, os.RemoveAll(s.file(wsDir)))
	must.Do(t, s.place().Bind("gone", "ws-nowhere", "", s.now))
	for _, id := range []string{bySelf, "gone"} {
		if text := s.begin("session_id", strconv.Quote(id)); !strings.HasPrefix(text, info) {
			t.Errorf("%s: %q", id, text)
		}
	}
	must.Do(t, s.place().Bind("old", "ws-mj1arch0-zzz999", "", s.now))
	silent(t, "archived", s.begin("session_id", `"old"`))
	silent(t, "archived", s.prompt("continue", "session_id", `"old"`))
}

// BW-TEL-11: a context that waits is told as it is when it is told.
func TestAContextThatWaitsIsToldAsItIs(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.solved()
	s.event("workspace-reminder", "nothing", "prompt", `"hello"`)
	s.edit(wsDir+"/Workspace.md", "- 密钥必须从环境变量读取", "- no secrets")
	text := s.event("workspace-activity", "context", "tool_name", `"ReadFile"`).AdditionalContext
	wants(t, text, contexts, "- no secrets")
	if strings.Contains(text, "密钥必须从环境变量读取") {
		t.Errorf("the old rule is told: %s", text)
	}
}

// BW-TEL-11: what a session cannot be told as it begins comes with the prompt; what
// cannot come with the prompt, with a tool call, once.
func TestNoChannel(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if a := s.event("workspace-context", "nothing", "source", `"startup"`); !a.Empty() {
		t.Errorf("%+v", a)
	}
	wants(t, s.prompt("hello"), contexts, smart)

	s = newScene(t)
	s.event("workspace-context", "nothing")
	if a := s.event("workspace-reminder", "nothing", "prompt", `"hello"`); !a.Empty() {
		t.Errorf("%+v", a)
	}
	if a := s.event("workspace-activity", "nothing", "tool_name", `"ReadFile"`); !a.Empty() {
		t.Errorf("%+v", a)
	}
	wants(t, s.event("workspace-activity", "context", "tool_name", `"ReadFile"`).AdditionalContext, contexts, smart, "测试环境没有公钥")
	if a := s.event("workspace-activity", "context", "tool_name", `"ReadFile"`); !a.Empty() {
		t.Errorf("twice: %+v", a)
	}
	unbound := []string{"session_id", other}
	s.event("workspace-reminder", "nothing", append(unbound, "prompt", `"the workspace?"`)...)
	wants(t, s.event("workspace-failure", "context", append(unbound, "tool_name", `"ReadFile"`)...).AdditionalContext, info, binds)
	s.event("workspace-reminder", "nothing", append(unbound, "prompt", `"workspace!"`)...)
	if a := s.tick(11*time.Minute).event("workspace-activity", "context", append(unbound, "tool_name", `"ReadFile"`)...); !a.Empty() {
		t.Errorf("too late: %+v", a)
	}
}

// BW-SES-08: two sessions in one workspace, each with its own focus.
func TestTwoWindows(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	must.Do(t, s.place().Bind("second", wsID, planID, s.now))
	wants(t, s.begin(), "实现 token 验证", "mjb6mj4h")
	wants(t, s.begin("session_id", `"second"`), "JWT 方案", "mjb6a000")
	silent(t, "a third", s.prompt("hello", "session_id", `"third"`))
}

// BW-TEL-08: a long list of rules gives way to the focus and the reminder, and says
// how to get the rest.
func TestRoom(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.edit(wsDir+"/Workspace.md", "- 密钥必须从环境变量读取", "- 密钥必须从环境变量读取\n"+strings.Repeat("- another rule of many words that has to be followed\n", 400))
	text := s.prompt("x")
	if n := len([]rune(text)); n > 4000 {
		t.Errorf("%d characters", n)
	}
	wants(t, text, contexts, "another rule", "more, as binding", "context get --workspace-id mjb65az5", "实现 token 验证 (mjb6mj4h", "验证签名", "</tanmi-workspace-context>", smart, "测试环境没有公钥", "</tanmi-smart-reminder>")
}
