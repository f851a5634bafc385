package ops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// BW-STO-05: what cannot be read is refused with a code and with what helps, also
// where a binding leads there, and stays as it is.
func TestDamagedIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	s.call("session_bind", "sessionId", "a", "workspaceId", ws)
	graph, index := filepath.Join(s.open(ws).Dir, workspace.GraphFile), filepath.Join(s.Place.Home, "index.json")
	for _, c := range []struct{ name, path, text, code string }{
		{"no JSON", graph, "{", "GRAPH_CORRUPTED"},
		{"no root", graph, `{"version":"5.0","nodes":{}}`, "GRAPH_CORRUPTED"},
		{"a newer graph", graph, `{"version":"6.0","nodes":{"root":{}}}`, "VERSION_TOO_NEW"},
		{"no index", index, "[1", "INDEX_CORRUPTED"},
		{"a newer index", index, `{"version":"6.0","workspaces":[]}`, "VERSION_TOO_NEW"},
	} {
		t.Run(c.name, func(t *testing.T) {
			good := must.Read(t, c.path)
			must.Write(t, c.path, c.text)
			for _, e := range []*op.Error{
				s.refused(c.code, "session_status", "sessionId", "a"),
				s.refused(c.code, "node_list", "workspaceId", ws),
				s.refused(c.code, "log_append", "workspaceId", ws, "operator", "AI", "event", "e"),
			} {
				if e.Fix == "" {
					t.Errorf("%s comes without a hint", e.Code)
				}
			}
			if b, _ := os.ReadFile(c.path); string(b) != c.text {
				t.Errorf("now %q", b)
			}
			must.Write(t, c.path, good)
		})
	}
}

// A damaged index is kept aside, whoever adds to it is told, and what of it is whole goes
// on: no workspace is forgotten that a cut or an overwritten byte left whole.
// BW-STO-13.
func TestDamagedIndexGoesOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if o := s.call("workspace_init", "name", "a", "goal", "g"); o.Has("warning") {
		t.Errorf("warned of nothing: %s", o.Raw())
	}
	s.call("workspace_init", "name", "b, with a { in it", "goal", "g")
	s.call("workspace_init", "name", "c", "goal", "g")
	index := filepath.Join(s.Place.Home, "index.json")
	whole := s.file(index)
	for what, c := range map[string]struct{ text, lost string }{
		"cut":         {whole[:strings.LastIndex(whole, `"updatedAt"`)], "c"},
		"overwritten": {strings.Replace(whole, `"name": "a"`, "\x00\x00\x00\x00", 1), "a"},
		"no list":     {strings.Replace(whole, `"workspaces": [`, `"workspaces": {"a": [`, 1), ""},
		"empty":       {"", "a b c"},
	} {
		t.Run(what, func(t *testing.T) {
			must.Write(t, index, c.text)
			said := s.call("workspace_init", "name", "new "+what, "goal", "g").Text("warning")
			kept, err := filepath.Glob(index + ".corrupt-*")
			if err != nil || len(kept) != 1 || s.file(kept[0]) != c.text || !strings.Contains(said, kept[0]) {
				t.Fatalf("%q, %v", said, kept)
			}
			now := s.file(index)
			for _, name := range []string{`"a"`, `"b, with`, `"c"`, `"new ` + what} {
				if strings.Contains(now, `"name": `+name) == strings.Contains(c.lost, strings.Trim(name, `",with `)) {
					t.Errorf("%s is there: %v", name, strings.Contains(now, `"name": `+name))
				}
			}
			must.Do(t, os.Remove(kept[0]))
			must.Write(t, index, whole)
		})
	}
}

// What a newer version wrote is left alone by everything that would write it.
// BW-STO-06.
func TestNewerFilesStay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	index, bindings := filepath.Join(s.Place.Home, "index.json"), filepath.Join(s.Place.Home, "session-bindings.json")
	whole := s.file(index)
	newer := strings.Replace(whole, `"5.0"`, `"6.1"`, 1)
	must.Write(t, index, newer)
	s.refused("VERSION_TOO_NEW", "workspace_init", "name", "b", "goal", "g")
	must.Write(t, bindings, `{"version": "2.0", "bindings": {"s": {"workspaceId": "x"}}}`)
	must.Write(t, index, whole)
	if _, err := s.Call(t.Context(), "session_bind", object("sessionId", "a", "workspaceId", ws)); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("bound: %v", err)
	}
	if _, err := s.Call(t.Context(), "session_unbind", object("sessionId", "s")); err == nil {
		t.Log("unbind of what is not read is no change")
	}
	if b := s.file(bindings); !strings.Contains(b, `"2.0"`) || !strings.Contains(b, `"x"`) {
		t.Errorf("overwritten: %s", b)
	}
	if list, _ := filepath.Glob(filepath.Join(s.Place.Home, "*corrupt*")); list != nil {
		t.Errorf("kept aside: %v", list)
	}
}

// Bindings that are no bindings are kept aside before anything is written, and those of
// them that are whole go on.
// BW-STO-13.
func TestDamagedBindingsGoOn(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]func(whole string) string{
		"a list": func(string) string { return `{"bindings":[1,2]}` },
		"cut":    func(whole string) string { return whole[:strings.LastIndex(whole, `"sessionId"`)] },
		"no end": func(whole string) string { return whole + "}" },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			ws := s.init()
			s.call("session_bind", "sessionId", "one", "workspaceId", ws)
			s.call("session_bind", "sessionId", "two", "workspaceId", ws)
			path := filepath.Join(s.Place.Home, "session-bindings.json")
			was := of(s.file(path))
			must.Write(t, path, was)
			if s.Place.Damage() == nil {
				t.Errorf("%s: no damage", name)
			}
			s.call("session_bind", "sessionId", "three", "workspaceId", ws)
			kept, _ := filepath.Glob(path + ".corrupt-*")
			if len(kept) != 1 || s.file(kept[0]) != was {
				t.Errorf("%s: kept %v", name, kept)
			}
			for _, session := range []string{"one", "two", "three"} {
				b, ok := s.Place.Binding(session, s.now)
				if want := session == "three" || name == "no end" || name == "cut" && session == "one"; ok != want || ok && b.Workspace != ws {
					t.Errorf("%s: %s is bound: %v", name, session, ok)
				}
			}
		})
	}
}

// A new node takes no folder that is there: not one that a killed process left, nor one
// of a node that nobody has looked at, though it ends in the id that was next.
// BW-STO-03, BW-STO-15.
func TestNewNodesTakeNobodysFolder(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	dir := filepath.Join(s.open(ws).Dir, workspace.NodesDir)
	short := workspace.ShortID(workspace.NewID("node", s.now, 1))
	left := filepath.Join(dir, "somebody's_"+short, "Info.md")
	must.Do(t, os.MkdirAll(filepath.Dir(left), 0o700))
	must.Write(t, left, "---\nid: node-"+short+"-zzzzzz\ntitle: theirs\n---\n")
	memo := filepath.Join(s.open(ws).Dir, workspace.MemosDir, "draft_"+short)
	must.Do(t, os.MkdirAll(memo, 0o700))
	n := s.add(ws, "root", "execution", "mine")
	m := s.call("memo_create", "workspaceId", ws, "title", "draft", "summary", "s", "content", "c").Text("memoId")
	if workspace.ShortID(n) == short || workspace.ShortID(m) == short || workspace.ShortID(n) == workspace.ShortID(m) {
		t.Errorf("%s, %s beside %s", n, m, short)
	}
	if b := s.file(left); !strings.Contains(b, "theirs") {
		t.Errorf("overwritten: %s", b)
	}
	st := s.open(ws)
	if st.Title(st.Graph.Node(n)) != "mine" {
		t.Errorf("%q", st.Title(st.Graph.Node(n)))
	}
	// A folder that was renamed is found by what it says of itself, and no other one.
	at := st.NodeDir(st.Graph.Node(n))
	must.Do(t, os.Rename(at, filepath.Join(dir, "renamed_"+workspace.ShortID(n))))
	must.Do(t, os.MkdirAll(filepath.Join(dir, "a_"+workspace.ShortID(n)), 0o700))
	if st := s.open(ws); st.Title(st.Graph.Node(n)) != "mine" {
		t.Errorf("renamed: %q in %s", st.Title(st.Graph.Node(n)), st.NodeDir(st.Graph.Node(n)))
	}
}

// A workspace.json that cannot be read is kept aside before it is written; a workspace
// whose folder is gone does not keep its name.
// BW-STO-13, BW-STO-18.
func TestDamagedConfigAndGoneFolder(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	config := filepath.Join(s.open(ws).Dir, workspace.ConfigFile)
	must.Write(t, config, `{"id": "ws-`)
	s.call("log_append", "workspaceId", ws, "event", "goes on")
	kept, _ := filepath.Glob(config + ".corrupt-*")
	if len(kept) != 1 || s.file(kept[0]) != `{"id": "ws-` || !strings.Contains(s.file(config), ws) {
		t.Errorf("kept %v, now %s", kept, s.file(config))
	}
	s.refused("WORKSPACE_EXISTS", "workspace_init", "name", "重构认证", "goal", "g")
	must.Do(t, os.RemoveAll(s.open(ws).Dir))
	again := s.call("workspace_init", "name", "重构认证", "goal", "g").Text("workspaceId")
	s.call("session_bind", "sessionId", "a", "workspaceId", "重构认证")
	if b, _ := s.Place.Binding("a", s.now); b.Workspace != again {
		t.Errorf("bound to %s, want %s", b.Workspace, again)
	}
}

// BW-STO-09: what nothing can be bound to is not offered, and the folder of another
// workspace of the same millisecond is not taken for it.
func TestOffersWhatIsThere(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	there := s.call("workspace_init", "name", "there", "goal", "g").Text("workspaceId")
	gone := s.call("workspace_init", "name", "gone", "goal", "g").Text("workspaceId")
	must.Do(t, os.RemoveAll(s.open(gone).Dir))
	list := protocol.ElementsOf(s.call("session_status", "sessionId", "a").Get("availableWorkspaces"))
	if len(list) != 1 || protocol.ObjectOf(list[0]).Text("id") != there {
		t.Errorf("%s", list)
	}
}

// A name that would hide the folder is refused for that reason.
func TestNameWithDot(t *testing.T) {
	t.Parallel()
	if e := newStage(t).refused("INVALID_NAME", "workspace_init", "name", ".x", "goal", "g"); !strings.Contains(e.Message, "dot") {
		t.Errorf("%s", e.Message)
	}
}
