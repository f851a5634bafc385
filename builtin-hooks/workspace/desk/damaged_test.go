package desk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
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
		good, err := os.ReadFile(c.path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, c.path, c.text)
		for _, e := range []*op.Error{
			s.refused(c.code, "session_status", "sessionId", "a"),
			s.refused(c.code, "node_list", "workspaceId", ws),
			s.refused(c.code, "log_append", "workspaceId", ws, "operator", "AI", "event", "e"),
		} {
			if e.Fix == "" {
				t.Errorf("%s: %s comes without a hint", c.name, e.Code)
			}
		}
		if b, _ := os.ReadFile(c.path); string(b) != c.text {
			t.Errorf("%s: now %q", c.name, b)
		}
		write(t, c.path, string(good))
	}
}

// BW-STO-06: an index of a newer version is kept aside and replaced, and whoever does
// it is told.
func TestNewerIndexWarns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if o := s.call("workspace_init", "name", "a", "goal", "g"); o.Has("warning") {
		t.Errorf("warned of nothing: %s", o.Raw())
	}
	write(t, filepath.Join(s.Place.Home, "index.json"), `{"version":"6.1","workspaces":[{"id":"ws-x"}]}`)
	said := s.call("workspace_init", "name", "b", "goal", "g").Text("warning")
	kept, err := filepath.Glob(filepath.Join(s.Place.Home, "index.backup.v6.1.*.json"))
	if err != nil || len(kept) != 1 || !strings.Contains(said, kept[0]) {
		t.Errorf("%q, %v", said, kept)
	}
}

// BW-STO-09: what nothing can be bound to is not offered, and the folder of another
// workspace of the same millisecond is not taken for it.
func TestOffersWhatIsThere(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	there := s.call("workspace_init", "name", "there", "goal", "g").Text("workspaceId")
	gone := s.call("workspace_init", "name", "gone", "goal", "g").Text("workspaceId")
	if err := os.RemoveAll(s.open(gone).Dir); err != nil {
		t.Fatal(err)
	}
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

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
