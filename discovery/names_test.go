package discovery

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Names of any script are names, in small letters (HM-FMT-47).
func TestNamesOfAnyScript(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"größe": true, "Größe": false, "检查": true, "检查-2": true, "-检查": false, "检查-": false, "检--查": false, "検 査": false, "検_査": false,
		"क्या": true, "\u0301a": false, "é\xff": false, "": false, strings.Repeat("語", 64): true, strings.Repeat("語", 65): false,
	} {
		t.Run(fmt.Sprintf("%.80q", name), func(t *testing.T) {
			if got := scripted(name); got != want {
				t.Errorf("%q: %v, want %v", name, got, want)
			}
		})
	}
}

// What metadata.on_unsupported may say, and where it means something.
func TestOnUnsupportedOfAHook(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, trigger, value string
		insists              bool
		problem              string
	}{
		{"block", "pre-tool-call", "block", true, ""},
		{"nothing", "pre-tool-call", "", false, ""},
		{"null", "pre-tool-call", "null", false, ""},
		{"drop, which is the setting's own", "pre-tool-call", "drop", false, "is not block"},
		{"a boolean", "pre-tool-call", "true", false, "is not block"},
		{"at an event without an input", "pre-session", "block", true, "has no meaning on pre-session"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := parseSpoken([]byte("---\nname: x\ndescription: d\ntrigger: "+c.trigger+"\nmetadata:\n  on_unsupported: "+c.value+"\n---\n"), "x", UserLayer)
			if said := strings.Join(sayAll(h.Problems), "\n"); h.Insists != c.insists || (said != "") != (c.problem != "") || !strings.Contains(said, c.problem) {
				t.Errorf("insists: %v; %s", h.Insists, said)
			}
		})
	}
}

// A pattern is tried on the commands of a line as a shell reads them, too, where the
// tool runs one.
func TestPatternSeesTheCommandsOfALine(t *testing.T) {
	t.Parallel()
	const line = `{"command": "x=1; g'i't   push \"--force\""}`
	for _, c := range []struct {
		name string
		does protocol.Does
		want bool
	}{
		{"a tool that runs it", protocol.Runs, true},
		{"a tool that does not", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := toolEvent(t, "Shell", "Bash", line)
			ev.Call.Does = c.does
			var b Budget
			if m := matcherHook("", "^git push --force$").Match(ev, &b, true); m.OK != c.want {
				t.Errorf("match is %+v", m)
			}
		})
	}
}
