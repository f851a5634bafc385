package install_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/gemini"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// Installing into nothing writes one entry for each event, with its limit in the
// agent's unit; a second time makes no edits, and uninstalling leaves nothing behind.
func TestInstallFromNothing(t *testing.T) {
	for _, d := range agents.All() {
		for _, scope := range []protocol.Scope{protocol.UserScope, protocol.ProjectScope} {
			t.Run(d.ID+"/"+string(scope), func(t *testing.T) {
				files := disk{}
				site := files.site(t)
				site.Scope = scope
				if d.Config.File(site) == "" {
					t.Skip("no file in this scope")
				}
				do := func(edits []protocol.Edit, err error) {
					t.Helper()
					must.Do(t, err)
					files.apply(t, edits)
				}
				do(install.Add(d, site, entry(d)))
				checkInstalled(t, d, site, files)
				once := files.copy()
				for range 2 {
					do(install.Add(d, site, entry(d)))
				}
				if !files.equal(once) {
					t.Errorf("installing again changed something: %v", files)
				}
				do(install.Remove(d, site))
				if len(files) != 0 {
					t.Errorf("uninstall left %v", files)
				}
			})
		}
	}
}

// Also on Windows, for a program whose path has spaces: its entry is recognised, and
// removed without a trace.
func TestInstallOnWindows(t *testing.T) {
	for _, d := range agents.All() {
		files := disk{}
		site := files.site(t)
		site.GOOS, site.Home = "windows", `C:\Users\dev`
		site.Env = func(name string) string {
			return map[string]string{"APPDATA": `C:\Users\dev\AppData\Roaming`, "LOCALAPPDATA": `C:\Users\dev\AppData\Local`}[name]
		}
		e := protocol.Entry{Argv: []string{`C:\Program Files\it's\agents-hooks.exe`, "run", "--agent=" + d.ID}}
		edits, err := install.Add(d, site, e)
		if err != nil {
			t.Errorf("%s: %v", d.ID, err)
			continue
		}
		files.apply(t, edits)
		checkInstalled(t, d, site, files)
		paths := slices.Collect(maps.Keys(files))
		for _, path := range paths {
			if !strings.HasPrefix(path, `C:\Users\dev\`) || strings.Contains(path, "/") {
				t.Errorf("%s: file %q", d.ID, path)
			}
		}
		now, err := install.Inspect(d, site)
		if err != nil || now.Entries[0].Argv[0] != e.Argv[0] {
			t.Errorf("%s: found %+v, %v", d.ID, now.Entries, err)
		}
		// What doctor probes is started as the agent would start it: without a shell
		// if the arguments are separate.
		started := d.Config.Starting(site, now.Entries[0])
		if apart := d.Config.Windows == protocol.QuoteNone; apart != slices.Equal(started, now.Entries[0].Argv) {
			t.Errorf("%s: started as %q", d.ID, started)
		}
		if edits, err = install.Add(d, site, e); err != nil || len(edits) != 0 {
			t.Errorf("%s: installing again: %v, %v", d.ID, edits, err)
		}
		if edits, err = install.Remove(d, site); err != nil {
			t.Errorf("%s: %v", d.ID, err)
		}
		files.apply(t, edits)
		if len(files) != 0 {
			t.Errorf("%s: uninstall left %v", d.ID, files)
		}
		// What others keep in the same files, with Windows line ends, is preserved.
		for _, path := range paths {
			if text := theirs[filepath.Ext(path)]; text != "" {
				files[path] = text
			}
		}
		before := files.copy()
		if edits, err = install.Add(d, site, e); err != nil {
			t.Errorf("%s: beside theirs: %v", d.ID, err)
		}
		files.apply(t, edits)
		if files.equal(before) {
			t.Errorf("%s: beside theirs nothing was installed", d.ID)
		}
		if edits, err = install.Remove(d, site); err != nil {
			t.Errorf("%s: beside theirs: %v", d.ID, err)
		}
		if files.apply(t, edits); !files.equal(before) {
			t.Errorf("%s: of theirs came back %q, which was %q", d.ID, files, before)
		}
	}
}

// theirs are files of others, by their kind.
var theirs = map[string]string{
	".json": "\xef\xbb\xbf{\r\n\t\"theirs\": {\"a\": [1, 2],  \"b\": \"é日本\"},\r\n  \"other\": true\r\n}\r\n",
	".toml": "# theirs é\r\nmodel = \"x\"\r\n\r\n[table]\r\na = 1\r\n",
	".yaml": "# theirs\r\nother:\r\n  - a\r\n",
}

// checkInstalled checks the content of the files against the dialect.
func checkInstalled(t *testing.T, d *protocol.Dialect, site protocol.Site, files disk) {
	t.Helper()
	now, err := install.Inspect(d, site)
	must.Do(t, err)
	i := 0
	for _, n := range d.NativeEvents {
		if n.Manual {
			continue
		}
		if i == len(now.Entries) {
			t.Fatalf("%s is not registered", n.Name)
		}
		e := now.Entries[i]
		i++
		if e.Event != n.Name || e.Problem != "" || !e.Trusted || files[e.File] == "" {
			t.Errorf("found %+v, want %s", e, n.Name)
		}
		if e.Timeout != 0 && e.Timeout != n.Limit.Truncate(d.Config.Unit) {
			t.Errorf("%s: limit %s, want %s", n.Name, e.Timeout, n.Limit)
		}
		if _, ok := d.Native(e.Event); !ok || !install.Ours(e.Argv, d) {
			t.Errorf("%s: command %q", n.Name, e.Argv)
		}
		if said := slices.Contains(e.Argv, "--event="+n.Name); said != (n.Unnamed && d.Config.Shape != protocol.Plugin) {
			t.Errorf("%s: command %q, and the payload says the event: %v", n.Name, e.Argv, !n.Unnamed)
		}
	}
	if i != len(now.Entries) {
		t.Errorf("%d entries, want %d", len(now.Entries), i)
	}
	for path, text := range files {
		if !strings.HasSuffix(text, "\n") {
			t.Errorf("%s: no final newline", path)
		}
		if strings.HasSuffix(path, ".json") && !json.Valid([]byte(text)) {
			t.Errorf("%s is not JSON:\n%s", path, text)
		}
	}
}

const spelled = `{
  // who pays
  "model": "opus", /* keep */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "/opt/agents-hooks-lint/run --agent=claude-code" } ] }, // lint
    ],
    "Stop": [{"hooks":[{"type":"command","command":"say done"}]}]
  },
  "permissions": { "allow": [] } // last
}
`

// Comments, order and other entries stay, ours come after them, and uninstalling
// restores every byte.
func TestInstallKeepsOthers(t *testing.T) {
	files := disk{"/home/dev/.claude/settings.json": spelled}
	add(t, claude.Dialect, files, entry(claude.Dialect))
	after := files["/home/dev/.claude/settings.json"]
	last := 0
	for _, line := range strings.Split(strings.TrimSpace(spelled), "\n") {
		// A line may gain a comma or a bracket, but what it contained stays.
		want := strings.TrimRight(strings.TrimSpace(line), "]},")
		i := strings.Index(after[last:], want)
		if i < 0 {
			t.Fatalf("%q is gone or moved in\n%s", line, after)
		}
		last += i
	}
	if foreign, ours := strings.Index(after, "agents-hooks-lint"), strings.Index(after, "/usr/local/bin/agents-hooks"); foreign > ours {
		t.Errorf("our entry stands before that of another:\n%s", after)
	}
	remove(t, claude.Dialect, files)
	if got := files["/home/dev/.claude/settings.json"]; got != spelled {
		t.Errorf("uninstall:\n got %q\nwant %q", got, spelled)
	}
}

// A single comment in an object stays, though the spaces around it may not.
func TestLonelyCommentStays(t *testing.T) {
	files := disk{"/home/dev/.claude/settings.json": "{/*x*/}"}
	add(t, claude.Dialect, files, entry(claude.Dialect))
	remove(t, claude.Dialect, files)
	if got := files["/home/dev/.claude/settings.json"]; got != "{/*x*/\n}" {
		t.Errorf("got %q", got)
	}
}

// An entry whose program moved, or whose flags differ, is updated in place;
// duplicates are removed.
func TestUpdateInPlace(t *testing.T) {
	for name, old := range map[string]string{
		"moved":       "/opt/old/agents-hooks run --agent=claude-code",
		"lean binary": "/opt/old/agents-hooks-run run --agent claude-code",
		"flags":       "'/opt/my tools/agents-hooks' run --config /x --agent=claude --deadline 5s",
		"wrapped":     "/opt/agents-hooks run --agent=claude-code || true",
		"variables":   "A=1 B= $HOME/bin/agents-hooks run --agent=claude-code",
		"windows":     `"C:\\Program Files\\agents-hooks.exe" run --agent=claude-code`,
	} {
		t.Run(name, func(t *testing.T) {
			path := "/home/dev/.claude/settings.json"
			text := `{
  "hooks": {
    "PreToolUse": [
      {"hooks": [{"type": "command", "command": "first"}, {"timeout": 5, "command": COMMAND, "type": "command", "async": true, "statusMessage": "mine"}]},
      {"hooks": [{"type": "command", "command": "last"}]},
      {"hooks": [{"type": "command", "command": COMMAND}]}
    ]
  }
}
`
			text = strings.ReplaceAll(text, "COMMAND", string(protocol.Quote(old)))
			files := disk{path: text}
			add(t, claude.Dialect, files, protocol.Entry{Argv: entry(claude.Dialect).Argv, Events: []string{"PreToolUse"}})
			want := `{
  "hooks": {
    "PreToolUse": [
      {"hooks": [{"type": "command", "command": "first"}, {"timeout": 600, "command": "/usr/local/bin/agents-hooks run --agent=claude-code", "type": "command", "statusMessage": "mine"}]},
      {"hooks": [{"type": "command", "command": "last"}]}
    ]
  }
}
`
			if files[path] != want {
				t.Errorf("got:\n%s\nwant:\n%s", files[path], want)
			}
		})
	}
}

// An entry is recognised by its structure, never by a part of its text.
func TestForeignEntriesSurvive(t *testing.T) {
	for _, command := range []string{
		"/home/dev/agents-hooks/bin/other run --agent=claude-code",
		"/usr/bin/my-agents-hooks run --agent=claude-code",
		"agents-hooks-extra run --agent=claude-code",
		"agents-hooks list --agent=claude-code",
		"agents-hooks run --agent=codex",
		"agents-hooks run --agent-x=claude-code",
		"agents-hooks run",
		"sh -c 'agents-hooks run --agent=claude-code'",
		"agents-hooks run '--agent=claude-code",
		"echo agents-hooks run --agent=claude-code",
	} {
		t.Run(command, func(t *testing.T) {
			path := "/home/dev/.claude/settings.json"
			text := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":` + string(protocol.Quote(command)) + `}]}]}}`
			files := disk{path: text}
			remove(t, claude.Dialect, files)
			if files[path] != text {
				t.Errorf("uninstall touched %q", command)
			}
			add(t, claude.Dialect, files, entry(claude.Dialect))
			if !strings.Contains(files[path], string(protocol.Quote(command))) {
				t.Errorf("install touched %q", command)
			}
			remove(t, claude.Dialect, files)
			if files[path] != text {
				t.Errorf("%q: after uninstall %q", command, files[path])
			}
		})
	}
}

// --lean registers a subset; events outside it are removed.
func TestLean(t *testing.T) {
	files := disk{}
	path := "/home/dev/.gemini/settings.json"
	add(t, gemini.Dialect, files, entry(gemini.Dialect))
	lean := entry(gemini.Dialect)
	lean.Events = []string{"BeforeTool", "PreCompress"}
	add(t, gemini.Dialect, files, lean)
	want := `{
  "hooks": {
    "BeforeTool": [
      {
        "hooks": [
          {
            "name": "agents-hooks",
            "type": "command",
            "command": "/usr/local/bin/agents-hooks run --agent=gemini-cli",
            "timeout": 600000
          }
        ]
      }
    ],
    "PreCompress": [
      {
        "matcher": "manual",
        "hooks": [
          {
            "name": "agents-hooks",
            "type": "command",
            "command": "/usr/local/bin/agents-hooks run --agent=gemini-cli",
            "timeout": 600000
          }
        ]
      }
    ]
  }
}
`
	if files[path] != want {
		t.Errorf("got:\n%s", files[path])
	}
	lean.Events = []string{"NoSuchEvent"}
	if _, err := install.Add(gemini.Dialect, files.site(t), lean); err == nil {
		t.Error("an unknown event was accepted")
	}
}

// An entry without the matcher that excludes irrelevant events gets it
// (gemini-cli/5).
func TestMatcherIsAdded(t *testing.T) {
	path := "/home/dev/.gemini/settings.json"
	files := disk{path: `{"hooks":{"PreCompress":[{"hooks":[{"type":"command","command":"/x/agents-hooks run --agent=gemini-cli"}]}]}}`}
	add(t, gemini.Dialect, files, protocol.Entry{Argv: entry(gemini.Dialect).Argv, Events: []string{"PreCompress"}})
	want := `{"hooks":{"PreCompress":[{"hooks":[{"type":"command","command":"/usr/local/bin/agents-hooks run --agent=gemini-cli","timeout":600000}],"matcher":"manual"}]}}`
	if files[path] != want {
		t.Errorf("got %s", files[path])
	}
}

// A new entry has what the agent shows while it runs. An older one without it is not
// updated: not a byte of it changes, and no approval is lost.
func TestALabelIsNoReasonToTouchAnEntry(t *testing.T) {
	for _, d := range agents.All() {
		if d.Config == nil || d.Config.Label == "" {
			continue
		}
		files := disk{}
		add(t, d, files, entry(d))
		path := d.Config.File(files.site(t))
		label := `"statusMessage": "agents-hooks"`
		if n := strings.Count(files[path], label); n == 0 || n != strings.Count(files[path], `"command": "`) {
			t.Errorf("%s: %d labels in\n%s", d.ID, n, files[path])
		}
		older := regexp.MustCompile(`,\s*`+label).ReplaceAllString(files[path], "")
		if strings.Contains(older, "statusMessage") {
			t.Fatalf("%s: %s", d.ID, older)
		}
		files = disk{path: older}
		add(t, d, files, entry(d))
		if files[path] != older {
			t.Errorf("%s: an entry without a label became\n%s", d.ID, files[path])
		}
		mine := strings.Replace(older, `"command": "`, `"statusMessage": "mine", "command": "`, 1)
		files[path] = mine
		add(t, d, files, entry(d))
		if files[path] != mine {
			t.Errorf("%s: a label of somebody's own became\n%s", d.ID, files[path])
		}
	}
}
