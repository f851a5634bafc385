package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func empty(t *testing.T) Place {
	t.Helper()
	return Place{Home: t.TempDir(), Folder: ".tanmi-workspace", Zone: shanghai}
}

// BW-SES-10: both shapes of the file, and both spellings of each time, say the same.
func TestBothShapesOfBindings(t *testing.T) {
	t.Parallel()
	at, last := time.UnixMilli(1766040000000), time.UnixMilli(1766040300000)
	for name, text := range map[string]string{
		"seed, numbers":   `{"s": {"workspaceId": "w", "focusedNodeId": "n", "boundAt": 1766040000000, "lastReminder": {"type": "problem", "time": 1766040300000}}}`,
		"seed, texts":     `{"s": {"workspaceId": "w", "focusedNodeId": "n", "boundAt": "2025-12-18T06:40:00.000Z", "lastReminder": {"type": "problem", "time": "2025-12-18T06:45:00Z"}}}`,
		"theirs, numbers": `{"version": "1.0", "bindings": {"s": {"sessionId": "s", "workspaceId": "w", "focusedNodeId": "n", "boundAt": 1766040000000, "lastReminder": {"type": "problem", "time": 1766040300000}}}}`,
		"theirs, texts":   `{"version": "1.0", "bindings": {"s": {"workspaceId": "w", "focusedNodeId": "n", "boundAt": "2025-12-18T06:40:00Z", "lastReminder": {"type": "problem", "time": "2025-12-18T06:45:00.000Z"}}}}`,
		"a session named bindings": `{"bindings": {"workspaceId": "v", "boundAt": 1766040000000},
			"s": {"workspaceId": "w", "focusedNodeId": "n", "boundAt": 1766040000000, "lastReminder": {"type": "problem", "time": 1766040300000}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := empty(t)
			must.Write(t, p.bindingsPath(), text)
			b, ok := p.Binding("s", at)
			if !ok || b.Workspace != "w" || b.Node != "n" || !b.BoundAt.Equal(at) || b.LastReminder != "problem" || !b.LastReminded.Equal(last) || !b.Reminders["problem"].Equal(last) {
				t.Errorf("%s: %v %+v", name, ok, b)
			}
			// What is written is the original's shape, whatever it was.
			must.Do(t, p.Reminded("s", "no_docs", last.Add(time.Minute)))
			if b, _ = p.Binding("s", at); b.LastReminder != "no_docs" || !b.Reminders["no_docs"].Equal(last.Add(time.Minute)) || b.Workspace != "w" {
				t.Errorf("%s: %+v", name, b)
			}
			file, _ := os.ReadFile(p.bindingsPath())
			if !strings.HasPrefix(string(file), "{\n  \"version\": \"1.0\",\n  \"bindings\": {\n") {
				t.Errorf("%s: %s", name, file)
			}
		})
	}
}

// BW-SES-11: a file that is damaged binds nothing, is no error, and is kept aside by
// the first write.
func TestDamagedBindings(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "[]", "null", `{"version": "1.0"}`, `{"bindings": {"s": 5}}`, `{"bindings": {"s": {"workspaceId": 7}}}`} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			p := empty(t)
			must.Write(t, p.bindingsPath(), text)
			if b, ok := p.Binding("s", noon); ok {
				t.Errorf("%q: %+v", text, b)
			}
			must.Do(t, p.Bind("s", "w", "", noon))
			if _, ok := p.Binding("s", noon); !ok {
				t.Errorf("%q: not bound", text)
			}
			kept, _ := filepath.Glob(p.bindingsPath() + ".corrupt-*")
			if want := text == "{" || text == "[]" || text == "null"; (len(kept) == 1) != want {
				t.Errorf("%q: kept %q", text, kept)
			}
		})
	}
}

// BW-SES-12: what nobody used for seven days goes with the next write; members that
// nobody knows stay.
func TestUnusedBindingsGo(t *testing.T) {
	t.Parallel()
	p := empty(t)
	must.Write(t, p.bindingsPath(), `{"version": "1.0", "later": [1.0], "bindings": {
		"old": {"workspaceId": "w", "boundAt": `+string(millis(noon.Add(-7*24*time.Hour)))+`},
		"young": {"workspaceId": "w", "boundAt": `+string(millis(noon.Add(-7*24*time.Hour+time.Second)))+`, "color": "red"},
		"used": {"workspaceId": "w", "boundAt": 1000, "lastSeen": `+string(millis(noon.Add(-time.Hour)))+`},
		"reminded": {"workspaceId": "w", "boundAt": 1000, "lastReminder": {"type": "x", "time": `+string(millis(noon.Add(-time.Hour)))+`}},
		"timeless": {"workspaceId": "w"}}}`)
	if _, ok := p.Binding("old", noon); !ok {
		t.Error("reading removes nothing")
	}
	must.Do(t, p.Bind("new", "w", "", noon))
	var names []string
	for _, b := range p.Bindings() {
		names = append(names, b.Session)
	}
	if have := strings.Join(names, " "); have != "young used reminded timeless new" {
		t.Errorf("have %s", have)
	}
	file, _ := os.ReadFile(p.bindingsPath())
	if !strings.Contains(string(file), `"color": "red"`) || !strings.Contains(string(file), `1.0`) {
		t.Errorf("%s", file)
	}
}

// Seen writes only what is news, and wakes a session that was over.
func TestSeen(t *testing.T) {
	t.Parallel()
	p := empty(t)
	must.Do(t, p.Bind("s", "w", "", noon))
	seen := func(at time.Time) Binding {
		t.Helper()
		b, _ := p.Binding("s", at)
		must.Do(t, p.Seen(b, "", at))
		b, _ = p.Binding("s", at)
		return b
	}
	if b := seen(noon); !b.LastSeen.Equal(noon) {
		t.Errorf("%+v", b)
	}
	if b := seen(noon.Add(9 * time.Minute)); !b.LastSeen.Equal(noon) {
		t.Errorf("%+v", b)
	}
	must.Do(t, p.Ended("s", noon.Add(9*time.Minute)))
	if b, ok := p.Binding("s", noon); !ok || !b.Ended {
		t.Error("the end of a session never unbinds (BW-TEL-15)")
	}
	if b := seen(noon.Add(10 * time.Minute)); b.Ended {
		t.Errorf("%+v", b)
	}
}

// BW-SES-08: a window is alone if the others are over, asleep or elsewhere.
func TestAlone(t *testing.T) {
	t.Parallel()
	for other, want := range map[string]bool{
		`{"workspaceId": "w", "boundAt": NOW}`:                           false,
		`{"workspaceId": "w", "boundAt": 1000, "lastSeen": NOW}`:         false,
		`{"workspaceId": "w", "boundAt": NOW, "ended": true}`:            true,
		`{"workspaceId": "w", "boundAt": 1000}`:                          true,
		`{"workspaceId": "v", "boundAt": NOW}`:                           true,
		`{"workspaceId": "w", "boundAt": ` + string(millis(noon)) + `0}`: false,
	} {
		t.Run(other, func(t *testing.T) {
			p := empty(t)
			must.Write(t, p.bindingsPath(), strings.ReplaceAll(`{"s": {"workspaceId": "w", "boundAt": NOW}, "o": `+other+`}`, "NOW", string(millis(noon))))
			if b, _ := p.Binding("s", noon); b.Alone != want {
				t.Errorf("%s: alone %v", other, b.Alone)
			}
		})
	}
}

// That the store of the original's developers exists is no reason to use it; only its
// own variable is.
func TestTheStoreOfDevelopers(t *testing.T) {
	t.Parallel()
	home, data := t.TempDir(), "/data"
	must.Write(t, filepath.Join(home, ".tanmi-workspace-dev", "session-bindings.json"), `{"s": {"workspaceId": "w"}}`)
	if p := Find(home, data, "", nil, noenv); p.Home != filepath.Join(data, "workspace") || p.Theirs {
		t.Errorf("%+v", p)
	}
	for name, want := range map[string]string{"TANMI_DEV=true": "-dev", "TANMI_DEV=1": "", "NODE_ENV=development": ""} {
		t.Run(name, func(t *testing.T) {
			key, value, _ := strings.Cut(name, "=")
			must.Write(t, filepath.Join(home, ".tanmi-workspace", "index.json"), "{}")
			p := Find(home, data, "", nil, func(k string) string {
				if k == key {
					return value
				}
				return ""
			})
			if p.Home != filepath.Join(home, ".tanmi-workspace"+want) || !p.Theirs {
				t.Errorf("%s: %+v", name, p)
			}
		})
	}
	if p := Find(home, data, filepath.Join(home, "mine"), nil, noenv); p.Home != filepath.Join(home, "mine") || p.Theirs {
		t.Errorf("%+v", p)
	}
}

// BW-STO-03: folders by dirName, by id, by the end of their name; in the archive too;
// and never a way out of the folder.
func TestFolders(t *testing.T) {
	t.Parallel()
	p := empty(t)
	root := t.TempDir()
	base := filepath.Join(root, ".tanmi-workspace")
	e := Entry{ID: "ws-abc-def", DirName: "name_abc", ProjectRoot: root}
	if dir := p.Dir(e); dir != "" {
		t.Errorf("found %s", dir)
	}
	outside := filepath.Join(root, "outside")
	must.Write(t, filepath.Join(outside, GraphFile), "{}")
	if dir := p.Dir(Entry{ID: "../outside", DirName: "../outside", ProjectRoot: root}); dir != "" {
		t.Errorf("found %s", dir)
	}
	for _, where := range []string{
		filepath.Join(root, ".agents", "workspace", "x_abc"), filepath.Join(base, "archive", "name_abc"),
		filepath.Join(base, "renamed_abc"), filepath.Join(base, "ws-abc-def"), filepath.Join(base, "name_abc"),
	} {
		must.Write(t, filepath.Join(where, GraphFile), "{}")
		must.Write(t, filepath.Join(where, ConfigFile), `{"id": "ws-abc-def"}`)
		if dir := p.Dir(e); dir != where && !strings.Contains(where, "renamed") {
			t.Errorf("found %s, want %s", dir, where)
		}
	}
	e.Status = Archived
	if dir := p.Dir(e); dir != filepath.Join(base, "archive", "name_abc") {
		t.Errorf("found %s", dir)
	}
}
