package reminder

import "strings"

// Unfinished asks a session that stops to finish what it claimed, or to give it back.
func (t Texts) Unfinished(titles []string, workspace, node string) string {
	call := func(tool string, more ...string) string {
		return t.Call(tool, append([]string{"workspaceId", workspace, "nodeId", node, "sessionId", t.Session}, more...)...)
	}
	return wrap(smartTag, t.Lang.Pick("⚠️ You stop, and have not finished what you took: ", "⚠️ 你停下了，但领取的节点尚未完成：")+strings.Join(titles, ", ")+
		t.Lang.Pick("\nFinish it: ", "\n完成它：")+call("node_done", "conclusion", "...")+
		t.Lang.Pick("; give it back: ", "；归还：")+call("node_claim", "release", "true")+
		t.Lang.Pick("; or, if you wait for the person, note what for: ", "；若在等待用户，请记录原因：")+call("problem_update", "problem", "..."))
}
