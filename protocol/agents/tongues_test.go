package agents

import (
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// What any agent sends is told in each tongue: of a call that runs, reads or changes
// files nothing is left of the portable names, its main member is there, and paths are
// absolute.
func TestEveryAgentIsToldInEachTongue(t *testing.T) {
	told, known := 0, 0
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			for _, ev := range p.Decode(t, d, nil) {
				if ev.WorkDir == "" {
					ev.WorkDir = "/home/dev/project" // which the dispatcher knows
				}
				deed.Of(ev)
				for _, tongue := range Tongues() {
					for _, s := range tongue.Say(ev) {
						told++
						if err := protocol.ValidValue(s.Payload.Raw()); err != nil {
							t.Errorf("%s %s: %v in %s", d.ID, p.Name, err, s.Payload.Raw())
						}
						if d.Tongue != tongue && ev.Call != nil {
							known += spoken(t, d.ID+" "+p.Name, ev, s)
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

// spoken looks at a call in a payload, and counts it where its main member is there.
func spoken(t *testing.T, where string, ev *protocol.Event, s protocol.Said) int {
	t.Helper()
	name, input := s.Payload.Text("tool_name"), s.Payload.Sub("tool_input")
	if slices.Contains(protocol.PortableTools(), name) && name != protocol.WebSearch {
		t.Errorf("%s: the tool is %s", where, name)
	}
	key := map[string]string{"Bash": "command", "Read": "file_path", "Write": "file_path", "Edit": "file_path", "WebFetch": "url"}[name]
	if key == "" {
		return 0
	}
	v := input.Text(key)
	if key == "file_path" && v != "" && !strings.HasPrefix(v, "/") && !strings.Contains(v, ":") {
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
