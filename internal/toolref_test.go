package internal_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var saved = []toolref.Arg{
	toolref.Text("content", "one sentence"), toolref.Word("type", "W"), toolref.List("entities", "redis", "cache"),
	toolref.Number("confidence", 0.9), toolref.Word("sessionId", "it's mine"), toolref.Flag("followed"), toolref.Many("strategy", "first, look", `say "no"`).As("--step"),
}

// A text names the tool where it is registered, and the
// command where it is not.
func TestWhatIsCalledExistsWhereItIsCalled(t *testing.T) {
	marker := toolref.Format([]toolref.Server{
		{Spelling: "mcp__agents-hooks__TOOL", Tools: []string{"memory_save", "recall"}},
		{Project: "/home/ann/shop", Spelling: "mcp__agents-hooks__TOOL", Tools: []string{"memory_search"}},
	})
	command := `agents-hooks memory save --content "one sentence" --type W --entities "redis,cache" --confidence 0.9 --session-id 'it'\''s mine' --followed --step "first, look" --step 'say "no"'`
	for _, c := range []struct {
		name    string
		n       toolref.Names
		want    string
		tool    string
		offered bool
	}{
		{"no marker", toolref.Of(nil, "/w", ""), command, "", false},
		{"a broken marker", toolref.Of([]byte(`{"servers": [{`), "/w", ""), command, "", false},
		{"a spelling without its place", toolref.Of([]byte(`{"servers": [{"spelling": "x", "tools": ["memory_save"]}]}`), "/w", ""), command, "", false},
		{"for all", toolref.Of(marker, "/w", ""), `mcp__agents-hooks__memory_save {"content": "one sentence", "type": "W", "entities": ["redis", "cache"], "confidence": 0.9, "sessionId": "it's mine", "followed": true, "strategy": ["first, look", "say \"no\""]}`, "mcp__agents-hooks__memory_save", true},
		{"the project's own stands for it", toolref.Of(marker, "/home/ann/shop/api", ""), command, "", false},
		{"a neighbour of like name", toolref.Of(marker, "/home/ann/shop2", ""), "", "mcp__agents-hooks__memory_save", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.n.Call("memory_save", "memory save", saved...); c.want != "" && got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if got, ok := c.n.Tool("memory_save"); got != c.tool || ok != c.offered {
				t.Errorf("Tool = %q, %v", got, ok)
			}
		})
	}
	if got := toolref.Of(marker, "/w", "/opt/my tools/agents-hooks").Name("node_create", "workspace node create"); got != "'/opt/my tools/agents-hooks' workspace node create" {
		t.Errorf("a tool that is not offered: %s", got)
	}
	if a, b := toolref.Of(marker, "/w", "").Arg("memory_save", "sessionId"), toolref.Of(nil, "/w", "").Arg("memory_save", "sessionId"); a != "sessionId" || b != "--session-id" {
		t.Errorf("an argument: %s, %s", a, b)
	}
	for name, want := range map[string]string{"aToZ": "--a-to-z", "maxA": "--max-a", "work_dir": "--work-dir", "é[@": "--é[@"} {
		if got := toolref.Of(nil, "/w", "").Arg("memory_save", name); got != want {
			t.Errorf("%s became %s, want %s", name, got, want)
		}
	}
	if got := toolref.Of(marker, "/w", "").Name("recall", "memory search"); got != "mcp__agents-hooks__recall" {
		t.Errorf("a tool that is offered: %s", got)
	}
}

func TestMarkerIsReadAsItWasWritten(t *testing.T) {
	list := []toolref.Server{{Spelling: "s_TOOL", Tools: []string{"a", "b"}}, {Project: `C:\x "y"`, Spelling: "TOOL", Tools: nil}}
	got := toolref.Parse(toolref.Format(list))
	if !reflect.DeepEqual(got, list) {
		t.Errorf("got %#v\nwant %#v", got, list)
	}
	if toolref.Format(nil) != nil {
		t.Error("no server at all has a content")
	}
	if _, err := protocol.ParseObject(toolref.Format(list)); err != nil {
		t.Error(err)
	}
}

// An agent's id comes out of a payload: it must not lead anywhere else.
func TestAgentsFileStaysInItsFolder(t *testing.T) {
	for _, id := range []string{"", "../x", "a/b", `a\b`, ".", "..", "c:x"} {
		t.Run(fmt.Sprintf("%q", id), func(t *testing.T) {
			if f := toolref.File("/state", id); f != "" {
				t.Errorf("%q: %s", id, f)
			}
		})
	}
	if toolref.File("/state", "some-agent") == "" || toolref.File("", "some-agent") != "" {
		t.Error("a plain id has a file, and only in a state directory")
	}
}
