package agents

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// What any agent sends can be told in each tongue: in a call that runs commands,
// reads or changes files, no portable name is left, its main member is present, and
// paths are absolute.
func TestEveryAgentIsToldInEachTongue(t *testing.T) {
	told, known := 0, 0
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			for _, ev := range p.Decode(t, d, nil) {
				ev.WorkDir = cmp.Or(ev.WorkDir, "/home/dev/project") // which the dispatcher knows
				deed.Of(ev)
				for _, tongue := range Tongues() {
					for _, s := range tongue.Say(ev) {
						told++
						if err := protocol.ValidValue(s.Payload.Raw()); err != nil {
							t.Errorf("%s %s: %v in %s", d.ID, p.Name, err, s.Payload.Raw())
						}
						if d.Tongue != tongue && ev.Call != nil {
							known += spoken(t, d.ID+" "+p.Name+" in "+tongue.ID, ev, tongue, s)
						}
					}
				}
			}
		}
	}
	if told < 800 || known < 250 {
		t.Errorf("%d payloads, %d with their main member", told, known)
	}
}

// members are those in which a program's tools have their subject.
var members = map[string]map[string]string{
	"claude-code": {"Bash": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path", "WebFetch": "url"},
	"gemini-cli":  {"run_shell_command": "command", "read_file": "file_path", "write_file": "file_path", "replace": "file_path", "web_fetch": "prompt"},
	"cursor":      {"Shell": "command", "Read": "path", "Write": "path", "Delete": "path", "WebFetch": "url"},
	"copilot-cli": {"bash": "command", "view": "path", "create": "path", "edit": "path", "web_fetch": "url"},
}

// spoken checks a call in a payload, and counts it if its main member is present.
func spoken(t *testing.T, where string, ev *protocol.Event, tongue *protocol.Tongue, s protocol.Said) int {
	t.Helper()
	name, input := s.Payload.Text("tool_name")+s.Payload.Text("toolName"), s.Payload.Sub("tool_input")
	for _, member := range []string{"toolArgs", "toolInput"} {
		if in := s.Payload.Sub(member); in != nil {
			input = in
		}
	}
	own, _ := Lookup(tongue.ID)
	its := slices.ContainsFunc(own.Tools, func(tool protocol.Tool) bool { return tool.Native == name })
	if slices.Contains(protocol.PortableTools(), name) && !its {
		t.Errorf("%s: the tool is %s", where, name)
	}
	key := members[tongue.ID][name]
	if key == "" {
		return 0
	}
	v := input.Text(key)
	if (key == "file_path" || key == "path") && v != "" && !strings.HasPrefix(v, "/") && !strings.Contains(v, ":") {
		t.Errorf("%s: %s of %s is %q", where, key, name, v)
	}
	if v == "" {
		if len(ev.Call.NativeInput) > 1 {
			t.Logf("%s: %s has no %s: %s", where, name, key, input.Raw())
		}
		return 0
	}
	return 1
}
