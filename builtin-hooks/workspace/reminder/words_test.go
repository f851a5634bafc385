package reminder

import (
	"fmt"
	"strings"
	"testing"
)

// BW-TEL-02: keywords, in any case, at the borders of words.
// BW-TEL-21: in a prompt that is about the work, and not about some other thing that
// has such a name.
func TestKeywords(t *testing.T) {
	t.Parallel()
	words := strings.Split(Words, ",")
	for prompt, want := range map[string]bool{
		"帮我继续工作区任务":                                true,
		"继续":                                       true,
		"看看进度":                                     true,
		"这个节点怎么样":                                  true,
		"open the workspace":                       true,
		"Workspace?":                               true,
		"打开workspace吧":                             true,
		"CONTINUE":                                 true,
		"please continue.":                         true,
		"what is the progress":                     true,
		"next node please":                         true,
		"call session_bind for me":                 true,
		"use workspace_init":                       true,
		"tanmi":                                    true,
		"Node.js, then the node after it":          false,
		"用node跑":                                   false,
		"现在进度如何":                                   true,
		"ok, please continue with the workspace":   true,
		"let's go back to the Ledger workspace":    true,
		"how much progress have we made so far":    true,
		"continue with the login form":             true,
		"好的，继续写登录页面":                               true,
		"打开 ledger 工作区":                            true,
		"the AST node is null":                     false,
		"progress bar component css":               false,
		"FROM node:20-alpine, why is it 1 GB?":     false,
		"set progress=plain for docker":            false,
		"why does `continue` go on with the loop?": false,
		"yarn workspace web add react":             false,
		"Insert a node into a red-black tree":      false,
		"k8s 节点 NotReady 怎么排查":                     false,
		"Spring 的定时任务为什么重复执行?":                     false,
		"进度条组件在 Safari 里不刷新":                       false,
		"内存继续上涨":                                   false,
		"> continue\n\nthat is what it said, why?": false,
		"continue\nfor i := range 3 {\n}":          false,
		"what does `workspace` do?":                false,
		"what is in the `workspace":                true,
		"a node.":                                  true,
		"":                                         false,
		"fix the bug":                              false,
		"node.js":                                  false,
		"Node.js 22":                               false,
		"NODE.JS":                                  false,
		"nodejs":                                   false,
		"a nodejs app":                             false,
		"装一下 node.js":                              false,
		"node.js。":                                 false,
		"rm -rf node_modules":                      false,
		"nodes":                                    false,
		"anode":                                    false,
		"workspaces":                               false,
		"discontinue":                              false,
		"continued":                                false,
		"progressive":                              false,
		"python 的 list 和 tuple 有什么区别":              false,
		"my_workspace":                             false,
		"session_binding":                          false,
		strings.Repeat("x ", most) + "node":        false, // what is pasted
	} {
		t.Run(fmt.Sprintf("%.80q", prompt), func(t *testing.T) {
			if got := Mentions(prompt, words) && About(prompt, words, []string{"Ledger"}); got != want {
				t.Errorf("%.60q: %v, want %v", prompt, got, want)
			}
		})
	}
	if Mentions("anything", nil) || Mentions("anything", []string{"", " "}) || !About("ein Vorhaben, und was es sonst noch gibt", []string{" vorhaben "}, nil) {
		t.Error("a list of one's own")
	}
}

// BW-REM-09: what admits something in the way, and what does not.
func TestBlocked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"I'm blocked: the token is missing.":                                true,
		"I’m stuck on the migration.":                                       true,
		"Done with A. Still, I cannot proceed without credentials.":         true,
		"The tests still fail. I was unable to fix the race.":               true,
		"I could not figure out why it hangs.":                              true,
		"I can't continue until the API is fixed.":                          true,
		"The build keeps failing and has not been fixed.":                   true,
		"One problem remains unresolved: the lock.":                         true,
		"Everything works.\n\nOpen point: the deploy is blocked by CI.":     true,
		"我卡住了：缺少权限。":                                                        true,
		"测试仍然失败，原因还没有找到。":                                                   true,
		"前两项完成。第三项无法继续，需要数据库密码。":                                            true,
		"这个问题还没解决了一半":                                                       true,
		"All tests pass.":                                                   false,
		"I was stuck on the lock, but it is fixed now.":                     false,
		"I got stuck on this for a while and then resolved it.":             false,
		"The deploy is no longer blocked by CI, still stuck on nothing.":    false,
		"Nothing is unresolved.":                                            false,
		"There are no unresolved questions.":                                false,
		"If you are stuck on this, call me.":                                false,
		"In case it still fails, run it again.":                             false,
		"之前卡住了，现已解决。":                                                       false,
		"问题已解决，没有阻碍。":                                                       false,
		"如果仍然失败，请重试。":                                                       false,
		"The output was:\n```\nI'm stuck on x, cannot proceed\n```\nFine.":  false,
		"> I'm blocked\n\nThat was your question; here is what to do next.": false,
		"The scheduler unblocks waiting threads.":                           false,
		"": false,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			s, got := Blocked(text)
			if got != want || got && !strings.Contains(text, s) {
				t.Errorf("%q: %q %v, want %v", text, s, got, want)
			}
		})
	}
	if s, _ := Blocked("All is well so far. I cannot proceed with v1.2 yet! More."); s != "I cannot proceed with v1.2 yet" {
		t.Errorf("%q", s)
	}
	Blocked(strings.Repeat("\xff。", 100))
}
