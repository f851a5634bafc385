package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// promptGoal is how many milliseconds workspaces may add to a prompt, with 500 nodes
// and 5,000 rows of logs.
const promptGoal = 10

// workspaceTable measures a prompt with workspaces off, in an unbound session, and in
// one bound to a large workspace, in turn, so that load slows all of them.
func workspaceTable(l *lab, rounds int) (list []timing, over float64, err error) {
	off, err := l.newSite("workspace-off", 0, false, "")
	if err != nil {
		return nil, 0, err
	}
	on, err := l.newSite("workspace-on", 0, false, "")
	if err != nil {
		return nil, 0, err
	}
	if err := l.tool(on, "enable", "workspace"); err != nil {
		return nil, 0, err
	}
	if err := bind(on, "bound", 500, 5000); err != nil {
		return nil, 0, err
	}
	if err := l.tool(on, "workspace", "accept", "--yes"); err != nil {
		return nil, 0, err
	}
	list = []timing{{what: "workspaces are off"}, {what: "a session that is bound to nothing"}, {what: "one bound to 500 nodes, 5,000 rows"}}
	sites, sessions := []*site{off, on, on}, []string{"free", "free", "bound"}
	for i := range rounds {
		for k, s := range sites {
			if err := s.promptEvent(sessions[k], i); err != nil {
				return nil, 0, err
			}
			if err := list[k].take(&command{name: list[k].what, argv: s.entry, stdin: s.event, env: l.env(s), dir: s.project}); err != nil {
				return nil, 0, err
			}
		}
	}
	gaps := make([]float64, rounds)
	for i := range gaps {
		gaps[i] = list[2].wall[i] - list[0].wall[i]
	}
	return list, median(gaps), nil
}

func (s *site) promptEvent(session string, i int) error {
	return os.WriteFile(s.event, fmt.Appendf(nil, `{"session_id":%q,"cwd":%q,"hook_event_name":"UserPromptSubmit","prompt":"go on, %d"}`, session, s.project, i), 0o644)
}

// bind writes a workspace with that many nodes, and rows in the log of the focused one,
// and binds a session to it.
func bind(s *site, session string, nodes, rows int) error {
	now := time.Now()
	stamp := now.UTC().Format("2006-01-02T15:04:05.000Z")
	var graph, kids, log bytes.Buffer
	for i := range nodes - 1 {
		if i > 0 {
			graph.WriteString(", ")
			kids.WriteString(", ")
		}
		status := "completed"
		if i == 0 {
			status = "implementing"
		}
		fmt.Fprintf(&kids, `"node-n%d-aaaaaa"`, i)
		fmt.Fprintf(&graph, `"node-n%d-aaaaaa": {"id": "node-n%d-aaaaaa", "dirName": "node_n%d", "type": "execution", "parentId": "root", "children": [], "status": "%s", "isolate": false, "references": [], "conclusion": "%s", "createdAt": "%s", "updatedAt": "%s"}`,
			i, i, i, status, strings.Repeat("what was found, in a sentence or two; ", 4), stamp, stamp)
	}
	log.WriteString("## 日志\n\n| 时间 | 操作者 | 事件 |\n|------|--------|------|\n")
	for i := range rows {
		fmt.Fprintf(&log, "| %s | AI | step %d: changed three files, 测试通过 |\n", now.Add(time.Duration(i-rows)*time.Second).Format(time.DateTime), i)
	}
	store := filepath.Join(s.home, ".local", "share", "agents-hooks", "workspace")
	dir := filepath.Join(s.project, ".agents", "workspace", "Large_w1")
	node := filepath.Join(dir, "nodes", "node_n0")
	for name, text := range map[string]string{
		filepath.Join(store, "index.json"):            fmt.Sprintf(`{"version": "5.0", "workspaces": [{"id": "ws-w1-aaaaaa", "name": "Large", "dirName": "Large_w1", "projectRoot": %q, "status": "active"}]}`, s.project),
		filepath.Join(store, "session-bindings.json"): fmt.Sprintf(`{"version": "1.0", "bindings": {%q: {"sessionId": %q, "workspaceId": "ws-w1-aaaaaa", "focusedNodeId": "node-n0-aaaaaa", "boundAt": %d}}}`, session, session, now.UnixMilli()),
		filepath.Join(dir, "graph.json"):              `{"version": "5.0", "currentFocus": "node-n0-aaaaaa", "nodes": {"root": {"id": "root", "dirName": "root", "type": "planning", "parentId": null, "children": [` + kids.String() + `], "status": "monitoring"}, ` + graph.String() + `}}`,
		filepath.Join(dir, "Workspace.md"):            "---\nname: Large\n---\n\n## 规则\n\n- a rule\n\n## 文档\n\n## 目标\n\nmeasure it\n",
		filepath.Join(node, "Info.md"):                "---\nid: node-n0-aaaaaa\ntype: execution\ntitle: The first\nstatus: implementing\n---\n\n## 需求\n\ndo it\n",
		filepath.Join(node, "Log.md"):                 log.String(),
		filepath.Join(node, "Problem.md"):             "## 当前问题\n\n（暂无）\n\n## 下一步\n\n（暂无）\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// printOver prints what workspaces add, and returns 1 if that is more than the headroom
// allows.
func printOver(w io.Writer, over, headroom float64) (missed int) {
	mark := ""
	if over > promptGoal {
		mark = "  missed"
	}
	fmt.Fprintf(w, "\na bound session's prompt over the same with workspaces off: %.1f ms, goal %d%s\n", over, promptGoal, mark)
	if over > promptGoal*headroom {
		return 1
	}
	return 0
}
