package agents

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// folders finds each dialect's folder by its name, so that a dialect missing from the
// list is noticed.
func folders(t testing.TB) map[string]*protocol.Dialect {
	t.Helper()
	dirs, err := filepath.Glob("../*/testdata/payloads")
	must.Do(t, err)
	found := map[string]*protocol.Dialect{}
	for _, dir := range dirs {
		folder := filepath.Dir(filepath.Dir(dir))
		d, ok := Lookup(filepath.Base(folder))
		if !ok {
			t.Errorf("the dialect in %s is not in the list, or has no alias of that name", folder)
			continue
		}
		found[folder] = d
	}
	if len(found) != len(list) {
		t.Errorf("%d folders with payloads, %d dialects", len(found), len(list))
	}
	return found
}

func TestList(t *testing.T) {
	names := map[string]string{}
	for _, d := range append(All(), spec.Dialect) {
		if err := d.Validate(); err != nil {
			t.Error(err)
		}
		for _, name := range append([]string{d.ID}, d.Aliases...) {
			if other, ok := names[name]; ok {
				t.Errorf("%q is both %s and %s", name, other, d.ID)
			}
			names[name] = d.ID
			if got, ok := Lookup(name); !ok || got != d {
				t.Errorf("Lookup(%q) finds another", name)
			}
		}
	}
	for _, name := range []string{"", "claude-codex", "Claude"} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			if _, ok := Lookup(name); ok {
				t.Errorf("Lookup(%q) finds something", name)
			}
		})
	}
}

// A payload becomes what its row in NativeEvents says: install, the pages and
// the losses go by the row. That each event of a row has a payload is checked
// where the dialect's answers are (dialecttest.Deciding).
func TestAPayloadBecomesWhatItsRowSays(t *testing.T) {
	for folder, d := range folders(t) {
		for _, p := range dialecttest.Payloads(t, folder) {
			for i, ev := range p.Decode(t, d, nil) {
				n, known := d.Native(ev.NativeEvent)
				switch {
				case !known:
					t.Errorf("%s %s: becomes an event of %q, which has no row in NativeEvents", d.ID, p.Name, ev.NativeEvent)
				case !slices.Contains(n.Events(), ev.Type):
					t.Errorf("%s %s: becomes %s, which the row of %s has neither in MapsTo nor in Instead", d.ID, p.Name, ev.Type, n.Name)
				case i == 0 && !n.CanOf(ev.Type).Has(ev.Can):
					t.Errorf("%s %s: as %s it can %q, and by the row of %s only %q", d.ID, p.Name, ev.Type, ev.Can, n.Name, n.CanOf(ev.Type))
				case i > 0 && ev.Can != 0:
					t.Errorf("%s %s: %s, which is not its first event, can %q", d.ID, p.Name, ev.Type, ev.Can)
				}
			}
		}
	}
}

// A test of its dialect names each quirk.
func TestQuirksAreTested(t *testing.T) {
	for folder, d := range folders(t) {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		must.Do(t, err)
		others, _ := filepath.Glob("../install/*_test.go")
		text := ""
		for _, f := range append(files, others...) {
			b := must.Read(t, f)
			text += b + " "
		}
		for _, q := range d.Quirks {
			if !names(text, q.ID) {
				t.Errorf("no test names %s: %s", q.ID, q.Text)
			}
		}
	}
}

// names reports whether a text contains an id that is not followed by another digit.
func names(text, id string) bool {
	return slices.ContainsFunc(strings.Split(text, id)[1:], func(part string) bool { return part[0] < '0' || part[0] > '9' })
}

// Detection finds each payload's agent or nothing, never another agent. Payloads that
// cannot be recognised by shape are listed in the agent's folder.
func TestDetect(t *testing.T) {
	for folder, d := range folders(t) {
		rules := dialecttest.ReadRules(t, folder)
		for _, p := range dialecttest.Payloads(t, folder) {
			name := folder + " " + p.Name
			cannot := rules.Has(dialecttest.Untold, p.Name)
			switch got := Detect(p.Object); {
			case got == d && cannot:
				t.Errorf("%s is told; it is listed as one that cannot be", name)
			case got == d || got == nil && cannot:
			case got == nil:
				t.Errorf("%s: not told", name)
			default:
				t.Errorf("%s: taken for %s", name, got.ID)
			}
		}
	}
}

func TestDetectEdges(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                              "",
		`{"event_type": "pre-tool-call"}`: "spec",
		`{"event_type": 7}`:               "spec",
		`{"event_type": "x", "hook_event_name": "BeforeTool"}`:                                                                              "gemini-cli",
		`{"hook_event_name": "SessionEnd", "session_id": "s", "transcript_path": "/x/y.jsonl", "reason": "other"}`:                          "",
		`{"hook_event_name": "SessionEnd", "session_id": "y", "transcript_path": "C:\\c\\y.jsonl", "reason": "other"}`:                      "claude-code",
		`{"hook_event_name": "SessionEnd", "session_id": "s", "transcript_path": "C:\\u\\.codex\\sessions\\rollout-s.jsonl"}`:               "codex",
		`{"hook_event_name": "SessionStart", "session_id": "s", "transcript_path": "/x", "timestamp": "2026-11-21T03:15:47.143Z"}`:          "",
		`{"hook_event_name": "Stop", "session_id": "s", "transcript_path": "/h/.claude/rollout-1.jsonl"}`:                                   "",
		`{"hook_event_name": "preToolUse", "conversation_id": "c", "generation_id": "g", "cursor_version": "3.2", "transcript_path": null}`: "cursor",
	} {
		t.Run(fmt.Sprintf("%.80q", text), func(t *testing.T) {
			o, err := protocol.ParseObject([]byte(text))
			must.Do(t, err)
			got := ""
			if d := Detect(o); d != nil {
				got = d.ID
			}
			if got != want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
		})
	}
}
