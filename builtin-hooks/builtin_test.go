package builtinhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/testdata/tides"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/spec"
)

// The table that events are run by says what the HOOK.md say,
// and what the rulings fix.
func TestTheTableIsThatOfTheFolders(t *testing.T) {
	t.Parallel()
	for _, b := range builtinhooks.Behaviours() {
		found := map[string]bool{}
		entries, err := os.ReadDir(filepath.Join(b.Name, "hooks"))
		must.Do(t, err)
		for _, e := range entries {
			found[e.Name()] = e.IsDir()
		}
		for _, h := range b.Hooks {
			if !found[h.Name] {
				t.Errorf("%s has no folder", h.Name)
			}
			delete(found, h.Name)
			text, err := builtinhooks.File(&b, &h)
			must.Do(t, err)
			var front struct {
				Name, Description, Trigger string
				Matcher                    struct{ Tool, Pattern string }
				Timeout, Priority          int
				Async                      bool
				Metadata                   struct {
					LoopLimit int `yaml:"loop_limit"`
				}
			}
			parts := strings.SplitN(string(text), "---\n", 3)
			must.Do(t, yaml.Unmarshal([]byte(parts[1]), &front))
			is := builtinhooks.Hook{Name: front.Name, Description: front.Description, Trigger: protocol.EventType(front.Trigger), Tool: front.Matcher.Tool,
				Timeout: time.Duration(front.Timeout) * time.Millisecond, Priority: front.Priority, Async: front.Async, LoopLimit: front.Metadata.LoopLimit}
			want := h
			want.Run = nil
			if front.Matcher.Pattern != "" {
				t.Errorf("%s: HOOK.md has a pattern, which the table has no place for", front.Name)
			}
			if n := len(strings.TrimSpace(parts[2])); n < 80 {
				t.Errorf("%s: HOOK.md says what the hook does in %d bytes: want 80 at least", front.Name, n)
			}
			if is.Name != want.Name || is.Description != want.Description || is.Trigger != want.Trigger || is.Tool != want.Tool ||
				is.Timeout != want.Timeout || is.Priority != want.Priority || is.Async != want.Async || is.LoopLimit != want.LoopLimit {
				t.Errorf("HOOK.md says %+v, the table %+v", is, want)
			}
		}
		for name, dir := range found {
			if dir {
				t.Errorf("the folder %s is of no hook in the table", name)
			}
		}
	}
}

// What agents and users rely on does not change by accident: names, triggers, limits in
// milliseconds, priorities.
func TestEveryHookHasItsEventLimitAndPriority(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"memory-load": "pre-session 10000 200", "memory-flush": "pre-context-compact 5000 200", "memory-recall": "pre-agent-turn 2000 200",
		"memory-nudge": "post-tool-call 2000 200", "memory-session-save": "pre-agent-turn-stop 5000 200", "memory-sync": "post-session 30000 200",
		"memory-failure": "post-tool-call-failure 2000 200", "memory-turn-failure": "post-agent-turn 2000 200",
		"workspace-context": "pre-session 10000 300", "workspace-reminder": "pre-agent-turn 5000 300", "workspace-activity": "post-tool-call 2000 300",
		"workspace-failure": "post-tool-call-failure 2000 300", "workspace-subagent": "pre-subagent 1000 300", "workspace-stop": "pre-agent-turn-stop 2000 300",
		"workspace-compact": "pre-context-compact 2000 300", "workspace-end": "post-session 2000 300",
		"evolution-start": "pre-session 2000 100", "evolution-prompt": "pre-agent-turn 1000 100", "evolution-stuck": "pre-tool-call 3000 100", "evolution-web-load": "pre-tool-call 1000 100",
		"evolution-journal": "post-tool-call 3000 100", "evolution-web-save": "post-tool-call 8000 100", "evolution-failure": "post-tool-call-failure 3000 100",
		"evolution-subagent": "pre-subagent 1000 100", "evolution-review": "pre-agent-turn-stop 1000 100", "evolution-push": "post-session 5000 100",
		"skills-session": "pre-session 2000 150", "skills-turn": "pre-agent-turn 2000 150", "skills-tool": "post-tool-call 2000 150", "skills-tool-failure": "post-tool-call-failure 2000 150",
	}
	for _, b := range builtinhooks.Behaviours() {
		n := 0
		for name := range want {
			if strings.HasPrefix(name, b.Name+"-") {
				n++
			}
		}
		if n > 0 && n != len(b.Hooks) {
			t.Errorf("%s has %d hooks, the table %d: a behaviour is there as a whole or not at all", b.Name, len(b.Hooks), n)
		}
		for _, h := range b.Hooks {
			if is := string(h.Trigger) + " " + strconv.FormatInt(h.Timeout.Milliseconds(), 10) + " " + strconv.Itoa(h.Priority); n > 0 && is != want[h.Name] {
				t.Errorf("%s is %q, want %q", h.Name, is, want[h.Name])
			}
		}
	}
}

var write = flag.Bool("write", false, "write the settings into spec/ instead of comparing them")

// writeSettings brings SETTINGS.md and the schema up to date.
func writeSettings(t *testing.T) {
	page, schema := filepath.Join("..", "spec", "SETTINGS.md"), filepath.Join("..", "spec", "hooks-toml.schema.json")
	text := must.Read(t, page)
	var tree protocol.Object
	b, err := os.ReadFile(schema)
	if err == nil {
		tree, err = protocol.ParseObject(b)
	}
	must.Do(t, err)
	var rows []string
	enabled := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		if name, is := strings.CutPrefix(line, "| `builtin."); is {
			name, key, _ := strings.Cut(name[:strings.IndexByte(name, '`')], ".")
			if key == "enabled" {
				enabled[name] = line
			} else if _, ok := builtinhooks.Behaviours().Named(name); ok {
				continue
			}
		}
		rows = append(rows, line)
	}
	page2 := strings.Join(rows, "\n")
	all, inside := tree.Sub("properties"), tree.Sub("properties").Sub("builtin")
	props := inside.Sub("properties")
	for _, b := range builtinhooks.Behaviours() {
		row, known := enabled[b.Name]
		if !known { // a new one stands behind the last
			row = "| `builtin." + b.Name + ".enabled` | boolean | `false` | s u p | `" + b.Variable() + "` | whether the " + b.Name + " hooks run |"
			last := strings.LastIndex(page2, "\n| `builtin.") + 1
			end := last + strings.IndexByte(page2[last:], '\n')
			page2 = page2[:end] + "\n" + row + page2[end:]
		}
		block := row
		var of, o protocol.Object
		of.Set("enabled", protocol.Raw(`{"description": "Whether the hooks of this behaviour run.", "type": "boolean", "default": false}`))
		for _, s := range b.Settings() {
			block += "\n" + settingRow(b.Name, s)
			of.Set(s.Key, settingSchema(s).Raw())
		}
		page2 = strings.Replace(page2, row, block, 1)
		o.SetText("description", b.Purpose)
		o.SetText("type", "object")
		o.Set("properties", of.Raw())
		props.Set(b.Name, o.Raw())
	}
	inside.Set("properties", props.Raw())
	all.Set("builtin", inside.Raw())
	tree.Set("properties", all.Raw())
	var out bytes.Buffer
	must.Do(t, json.Indent(&out, tree.Raw(), "", "  "))
	out.WriteByte('\n')
	must.Do(t, errors.Join(os.WriteFile(page, []byte(page2), 0o644), os.WriteFile(schema, out.Bytes(), 0o644)))
}

// One table in the spec, checked against the code. -write brings the
// spec up to date.
func TestSettingsAreThoseOfTheSpec(t *testing.T) {
	if *write {
		writeSettings(t)
		return
	}
	t.Parallel()
	problems := notOfTheSpec(builtinhooks.Behaviours())
	for _, problem := range problems {
		t.Error(problem)
	}
	if len(problems) > 0 {
		t.Error("go test ./builtin-hooks -run Spec -write writes SETTINGS.md and the schema")
	}
}

// notOfTheSpec tells where SETTINGS.md and the settings of behaviours differ.
func notOfTheSpec(list builtinhooks.List) (problems []string) {
	written := map[string]spec.Setting{}
	for _, s := range spec.Settings() {
		written[s.Key] = s
	}
	for _, b := range list {
		switch row, ok := written["builtin."+b.Name+".enabled"]; {
		case !ok:
			problems = append(problems, "SETTINGS.md lacks a row: builtin."+b.Name+".enabled")
		case row.Environment != b.Variable():
			problems = append(problems, fmt.Sprintf("SETTINGS.md: the row of builtin.%s.enabled has %q, want %q", b.Name, row.Environment, b.Variable()))
		}
		seen := map[string]bool{}
		for _, s := range b.Settings() {
			key := "builtin." + b.Name + "." + s.Key
			seen[key] = true
			row, ok := written[key]
			if !ok {
				problems = append(problems, "SETTINGS.md lacks a row: "+settingRow(b.Name, s))
				continue
			}
			if got := "| `" + row.Key + "` | " + row.Type + " | " + row.Default + " | " + row.Who + " | " + row.Environment + " | " + row.Meaning + " |"; got != strings.ReplaceAll(plainRow(b.Name, s), "``", "") {
				problems = append(problems, fmt.Sprintf("SETTINGS.md has\n%s\nwant\n%s", got, plainRow(b.Name, s)))
			}
		}
		for key := range written {
			if strings.HasPrefix(key, "builtin."+b.Name+".") && !strings.HasSuffix(key, ".enabled") && !seen[key] {
				problems = append(problems, "SETTINGS.md has "+key+", which the code does not know")
			}
		}
	}
	return problems
}

// A behaviour that the list has a line for has its HOOK.md and its guide, its
// settings belong into the spec, and its hook can be exported.
func TestOneLineMakesABehaviourKnown(t *testing.T) {
	t.Parallel()
	list := append(builtinhooks.Behaviours(), tides.Behaviour())
	b, h, ok := list.Find("tides-report")
	if !ok || b.Name != "tides" || !slices.Contains(list.Names(), "tides") {
		t.Fatalf("%v", list.Names())
	}
	if text, err := builtinhooks.File(b, h); err != nil || !strings.Contains(string(text), "name: tides-report") {
		t.Errorf("%s, %v", text, err)
	}
	if text := builtinhooks.Guide(b, func(string) string { return "" }, nil); !strings.Contains(string(text), "agents-hooks-tides") {
		t.Errorf("its guide: %s", text)
	}
	folder, err := builtinhooks.Export(b, h, t.TempDir(), "/bin/agents-hooks", "title: x\n")
	if _, bad := os.Stat(filepath.Join(folder, "HOOK.md")); err != nil || bad != nil {
		t.Errorf("exported: %v, %v", err, bad)
	}
	problems := strings.Join(notOfTheSpec(list), "\n")
	if !strings.Contains(problems, "lacks a row: builtin.tides.enabled") || !strings.Contains(problems, "lacks a row: | `builtin.tides.sea` | `\"low\"`, `\"high\"` |") {
		t.Errorf("the spec lacks its settings, and nobody says so: %s", problems)
	}
	if _, _, ok := builtinhooks.Behaviours().Find("tides-report"); ok {
		t.Error("it is known without its line")
	}
}

// plainRow is a row as spec.Settings reads it: without the marks of code, but for
// the key and the meaning.
func plainRow(behaviour string, s builtinhooks.Setting) string {
	cells := strings.Split(settingRow(behaviour, s), " | ")
	for i := 1; i < 5; i++ {
		cells[i] = strings.ReplaceAll(cells[i], "`", "")
	}
	return strings.Join(cells, " | ")
}

// A default that its own rule refuses would never hold.
func TestDefaultsAreGood(t *testing.T) {
	t.Parallel()
	for _, b := range builtinhooks.Behaviours() {
		for _, s := range b.Settings() {
			if _, ok := s.Parse(s.Default); !ok {
				t.Errorf("%s.%s: default %q is not %s", b.Name, s.Key, s.Default, s.Want())
			}
			if s.Meaning == "" || !regexp.MustCompile(`^[a-z][a-z0-9_]*$`).MatchString(s.Key) {
				t.Errorf("%s.%s: %q", b.Name, s.Key, s.Meaning)
			}
		}
	}
}

// A budget that is larger than what an event carries would be shown as if it held.
// BM-LOD-05.
func TestNoBudgetIsLargerThanWhatAnEventCarries(t *testing.T) {
	t.Parallel()
	n := 0
	for _, b := range builtinhooks.Behaviours() {
		for _, s := range b.Settings() {
			if s.Key != "budget" {
				continue
			}
			n++
			if _, ok := s.Parse(strconv.Itoa(builtinhooks.DefaultTextBudget)); !ok {
				t.Errorf("%s: all that an event carries is not allowed", b.Name)
			}
			if _, ok := s.Parse(strconv.Itoa(builtinhooks.DefaultTextBudget + 1)); ok {
				t.Errorf("%s: more than an event carries is allowed", b.Name)
			}
		}
	}
	if n < 2 {
		t.Errorf("%d budgets", n)
	}
}

// No built-in hook fails, blocks or speaks on what is no event of its own:
// all hooks, all events, malformed members, garbage.
func TestEveryHookOnEveryEvent(t *testing.T) {
	t.Parallel()
	inputs := []string{"", "{}", "garbage", "\x00", `{"event_type": []}`, "[1", strings.Repeat("x", 1<<20)}
	for _, e := range protocol.EventTypes() {
		for _, members := range []string{
			"", `, "session_id": 7, "work_dir": [], "context": "x"`, `, "session_id": "../../x", "work_dir": "relative"`,
			`, "tool_name": {}, "tool_input": "x", "tool_response": 3, "usage_percent": "many", "transcript_path": "/dev/zero", "prompt": null, "final_message": 1`,
		} {
			inputs = append(inputs, `{"event_type": "`+string(e)+`"`+members+"}")
		}
	}
	dir := t.TempDir()
	blocked := filepath.Join(dir, "no-directory")
	must.Write(t, blocked, "")
	for _, b := range builtinhooks.Behaviours() {
		for _, h := range b.Hooks {
			for _, in := range inputs {
				w := testWorld(blocked)
				var out, errs bytes.Buffer
				exit := builtinhooks.Main(&b, &h, w)(context.Background(), []string{"AGENTS_HOOKS_PROJECT_DIR=" + blocked}, []byte(in), &out, &errs)
				if _, err := protocol.ParseAnswer(out.Bytes()); exit != 0 || errs.Len() > 0 || err != nil {
					t.Errorf("%s on %.80q: exit %d, %q, %q", h.Name, in, exit, &out, &errs)
				}
			}
		}
	}
}

// testWorld is a world in which nothing can be kept.
func testWorld(blocked string) *builtinhooks.Runtime {
	return &builtinhooks.Runtime{
		Home: blocked, State: blocked, Data: blocked, Cache: blocked, TextBudget: builtinhooks.DefaultTextBudget,
		Session:  func(id string) string { return filepath.Join(blocked, id) },
		Now:      func() time.Time { return time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC) },
		Random:   func() uint64 { return 1 },
		Settings: func(string, string) map[string]any { return nil },
		Program:  func() string { return "" },
		Tool: func(context.Context, string, []string, []byte, ...string) ([]byte, error) {
			return nil, errors.New("no program")
		},
		Detach: func(string, []string, ...string) error { return errors.New("no program") },
	}
}

// An exported folder calls the program by a name that no shell can misread.
func TestExportQuotes(t *testing.T) {
	t.Parallel()
	b, h, _ := builtinhooks.Behaviours().Find("memory-load")
	folder, err := builtinhooks.Export(b, h, t.TempDir(), "/a b/it's $x/agents-hooks", "test")
	must.Do(t, err)
	text, _ := os.ReadFile(filepath.Join(folder, "scripts", "run"))
	if !strings.Contains(string(text), `bin='/a b/it'\''s $x/agents-hooks'`) || !strings.Contains(string(text), `exec "$bin" builtin run memory-load`) {
		t.Errorf("%s", text)
	}
	if _, err := builtinhooks.Export(b, h, filepath.Dir(folder), "x", "test"); err == nil {
		t.Error("a folder that is there was written over")
	}
}

// A repository that somebody trusted must not have a folder outside of it read or written.
func TestProjectNamesNoFolderOutside(t *testing.T) {
	for _, b := range builtinhooks.Behaviours() {
		for _, s := range b.Settings() {
			if !strings.HasSuffix(s.Key, "_dir") && !strings.HasSuffix(s.Key, "_file") {
				continue
			}
			for _, path := range []string{t.TempDir(), "../x", "a/../../x", "..", ".", "a/..", ".git", "a/.GIT/hooks", "GIT~1/x", "AGENTS~1/hooks", ".agents/hooks", ".Agents/x/../Hooks/y"} {
				if s.Reached(path) {
					t.Errorf("%s.%s: a project may set it to %q", b.Name, s.Key, path)
				}
			}
			if s.Project == setting.Below && (!s.Reached("notes/memory") || !s.Reached("")) {
				t.Errorf("%s.%s: a project may not set it to a folder of its own", b.Name, s.Key)
			}
		}
	}
}

// A repository that somebody trusted must not say where things are sent, nor
// with which key.
func TestProjectNamesNoAddress(t *testing.T) {
	named := 0
	for _, b := range builtinhooks.Behaviours() {
		for _, s := range b.Settings() {
			if !strings.HasSuffix(s.Key, "_url") && !strings.HasSuffix(s.Key, "_key") && !strings.HasSuffix(s.Key, "_key_env") {
				continue
			}
			named++
			if s.Reached("https://example.com") {
				t.Errorf("%s.%s: a project may set it", b.Name, s.Key)
			}
		}
	}
	if named < 4 {
		t.Errorf("%d settings of that kind", named)
	}
}
