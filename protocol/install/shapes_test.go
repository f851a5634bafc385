package install_test

import (
	"errors"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A shape is a dialect that has nothing but a configuration, and what its file
// looks like. The rules of package install hold for each.
type shape struct {
	name    string
	config  protocol.Config
	path    string // of the file, or of the first one
	want    string // of an install from nothing
	foreign string // a file with entries of others, one of which looks like ours
	moved   string // one with entries of a program that lay elsewhere
	inside  string // what becomes of that
	broken  string // one that is left alone
	place   string // what is said about it
}

const (
	here  = "/usr/local/bin/agents-hooks run --agent=probe"
	there = "/opt/old/agents-hooks-run run --agent probe --deadline 5s"
)

func at(p string) func(protocol.Site) string { return func(protocol.Site) string { return p } }

const script = "// A plugin.\nconst ENTRY = null\nexport const run = () => ENTRY.argv\n"

var shapes = []shape{
	{
		name:   "nested",
		config: protocol.Config{Shape: protocol.NestedJSON, Events: "hooks", File: at("/h/settings.json"), Unit: time.Second},
		path:   "/h/settings.json",
		want: `{
  "hooks": {
    "Before": [
      {
        "matcher": "Bash",
        "hooks": [
          {
            "type": "command",
            "command": "/usr/local/bin/agents-hooks run --agent=probe",
            "timeout": 60,
            "failClosed": false
          }
        ]
      }
    ],
    "afterAll": [
      {
        "type": "command",
        "command": "/usr/local/bin/agents-hooks run --agent=probe --event=After",
        "timeout": 30
      }
    ]
  }
}
`,
		foreign: "{\n  // kept\n  \"hooks\": {\"Before\": [{\"hooks\": [{\"command\": \"agents-hooks run --agent=other\"}]}]} // too\n}\n",
		moved:   "{\n  \"hooks\": {\n    \"Before\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"command\": \"" + there + "\", \"async\": true, \"mine\": 1}, {\"command\": \"x\"}]},\n      {\"hooks\": [{\"command\": \"y\"}]}\n    ]\n  }\n}\n",
		inside:  "{\n  \"hooks\": {\n    \"Before\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"command\": \"" + here + "\", \"mine\": 1, \"timeout\": 60, \"failClosed\": false}, {\"command\": \"x\"}]},\n      {\"hooks\": [{\"command\": \"y\"}]}\n    ]\n  }\n}\n",
		broken:  "{\n \"hooks\": [\n]}", place: ":2:11: ",
	},
	{
		name: "flat",
		config: protocol.Config{Shape: protocol.FlatJSON, Events: "hooks", File: at("/h/hooks.json"), Unit: time.Second,
			Head: `{"version": 1}`, Fields: `{"type": "command"}`, Command: "bash", CommandWindows: "powershell", Timeout: "timeoutSec"},
		path: "/h/hooks.json",
		want: `{
  "version": 1,
  "hooks": {
    "Before": [
      {
        "matcher": "Bash",
        "type": "command",
        "bash": "/usr/local/bin/agents-hooks run --agent=probe",
        "timeoutSec": 60,
        "failClosed": false
      }
    ],
    "afterAll": [
      {
        "type": "command",
        "bash": "/usr/local/bin/agents-hooks run --agent=probe --event=After",
        "timeoutSec": 30
      }
    ]
  }
}
`,
		foreign: "{\"hooks\":{\"Before\":[{\"command\":\"agents-hooks run --agent=other\"},{\"hooks\":[{\"bash\":\"x\"}]}]},\"version\":1}",
		moved:   "{\"version\": 1, \"hooks\": {\"Before\": [{\"command\": \"x\"}, {\"command\": \"" + there + "\", \"mine\": 1}, {\"bash\": \"" + there + "\"}]}}",
		inside:  "{\"version\": 1, \"hooks\": {\"Before\": [{\"command\": \"x\"}, {\"bash\": \"" + here + "\", \"mine\": 1, \"timeoutSec\": 60, \"matcher\": \"Bash\", \"type\": \"command\", \"failClosed\": false}]}}",
		broken:  "{\"version\": 1,\n \"hooks\": {\"Before\": 1}}", place: ":2:22: ",
	},
	{
		name:   "bare",
		config: protocol.Config{Shape: protocol.FlatJSON, File: at("/h/hooks.v1.json"), Unit: time.Millisecond, Timeout: "-"},
		path:   "/h/hooks.v1.json",
		want: `{
  "Before": [
    {
      "matcher": "Bash",
      "command": "/usr/local/bin/agents-hooks run --agent=probe",
      "failClosed": false
    }
  ],
  "afterAll": [
    {
      "command": "/usr/local/bin/agents-hooks run --agent=probe --event=After"
    }
  ]
}
`,
		foreign: "{\n\t\"Before\": [\n\t\t{\"command\": \"agents-hooks run --agent=other\"}\n\t],\n\t\"Else\": 3\n}\n",
		moved:   "{\"Before\":[{\"command\":\"" + there + "\",\"matcher\":\"*\"}]}",
		inside:  "{\"Before\":[{\"command\":\"" + here + "\",\"matcher\":\"*\",\"failClosed\":false}]}",
		broken:  "[]", place: ":1:1: ",
	},
	{
		name: "list",
		config: protocol.Config{Shape: protocol.ListJSON, Events: "hooks", File: at("/h/agents-hooks.json"), Unit: time.Second,
			Head: `{"version": "v1"}`, Named: "agents-hooks"},
		path: "/h/agents-hooks.json",
		want: `{
  "version": "v1",
  "hooks": [
    {
      "name": "agents-hooks-before",
      "trigger": "Before",
      "matcher": "Bash",
      "action": {
        "type": "command",
        "command": "/usr/local/bin/agents-hooks run --agent=probe"
      },
      "timeout": 60,
      "failClosed": false
    },
    {
      "name": "agents-hooks-afterall",
      "trigger": "afterAll",
      "action": {
        "type": "command",
        "command": "/usr/local/bin/agents-hooks run --agent=probe --event=After"
      },
      "timeout": 30
    }
  ]
}
`,
		foreign: "{\"version\": \"v1\", \"hooks\": [{\"name\": \"a\", \"trigger\": \"Before\", \"action\": {\"type\": \"command\", \"command\": \"agents-hooks run --agent=other\"}}, 7, {\"action\": 1}]}\n",
		moved:   "{\"version\": \"v1\", \"hooks\": [1, {\"name\": \"a\", \"trigger\": \"Before\", \"action\": {\"command\": \"" + there + "\"}}, {\"name\": \"b\", \"trigger\": \"Before\", \"action\": {\"command\": \"" + there + "\"}}]}",
		inside:  "{\"version\": \"v1\", \"hooks\": [1, {\"name\": \"a\", \"trigger\": \"Before\", \"action\": {\"command\": \"" + here + "\"}, \"timeout\": 60, \"matcher\": \"Bash\", \"failClosed\": false}]}",
		broken:  "{\"version\": \"v1\",\n\"hooks\": {}}", place: ":2:10: ",
	},
	{
		name:   "block",
		config: protocol.Config{Shape: protocol.BlockTOML, Events: "hooks", File: at("/h/config.toml"), Unit: time.Second},
		path:   "/h/config.toml",
		want: `# >>> agents-hooks: its entries (install writes them, uninstall removes them) >>>
[[hooks]]
event = "Before"
matcher = "Bash"
command = "/usr/local/bin/agents-hooks run --agent=probe"
timeout = 60

[[hooks]]
event = "afterAll"
command = "/usr/local/bin/agents-hooks run --agent=probe --event=After"
timeout = 30
# <<< agents-hooks <<<
`,
		foreign: "# mine\nmodel = \"x\" # kept\n\n[[hooks]]\nevent = \"Before\"\ncommand = \"agents-hooks run --agent=other\"\n\n[last]\na = [\n  1,\n]",
		moved:   "a = 1\n\n[[hooks]] # first\nevent = \"Before\"\ncommand = \"" + there + "\"\nmatcher = \"Write\"\n\n[b]\nc = 2\n\n[[hooks]]\nevent = \"Before\"\ncommand = \"" + there + "\"\n",
		inside:  "a = 1\n\n[[hooks]]\nevent = \"Before\"\nmatcher = \"Write\"\ncommand = \"" + here + "\"\ntimeout = 60\n\n[b]\nc = 2\n\n",
		broken:  "a = 1\nb = = 2\n", place: ":2:",
	},
	{
		name:    "plugin",
		config:  protocol.Config{Shape: protocol.Plugin, File: at("/h/plugin/agents-hooks.js"), Unit: time.Millisecond, Text: func() string { return script }},
		path:    "/h/plugin/agents-hooks.js",
		want:    "// A plugin.\nconst ENTRY = {\"argv\": [\"/usr/local/bin/agents-hooks\", \"run\", \"--agent=probe\"], \"limits\": {\"Before\": 60000, \"afterAll\": 30000}}\nexport const run = () => ENTRY.argv\n",
		foreign: "",
		moved:   "// An old plugin.\nconst ENTRY = {\"argv\": [\"/opt/old/agents-hooks\", \"run\", \"--agent=probe\"], \"limits\": {}};\n",
		inside:  "// A plugin.\nconst ENTRY = {\"argv\": [\"/usr/local/bin/agents-hooks\", \"run\", \"--agent=probe\"], \"limits\": {\"Before\": 60000}}\nexport const run = () => ENTRY.argv\n",
		broken:  "export const mine = 1\n", place: ":1:1: ",
	},
	{
		name:    "wrappers",
		config:  protocol.Config{Shape: protocol.Wrappers, File: at("/h/Hooks"), Unit: time.Second},
		path:    "/h/Hooks/Before",
		want:    "#!/bin/sh\n# agents-hooks: install wrote this file, uninstall removes it\nexec /usr/local/bin/agents-hooks run --agent=probe\n",
		foreign: "",
		moved:   "#!/bin/bash\nset -e\nexec " + there + "\n",
		inside:  "#!/bin/bash\nset -e\nexec " + here + "\n",
		broken:  "#!/bin/sh\necho mine\n", place: ":1:1: ",
	},
}

func (s shape) dialect() *protocol.Dialect {
	return &protocol.Dialect{
		ID: "probe", Name: "Probe", Config: &s.config,
		NativeEvents: []protocol.Native{
			{Name: "Before", MapsTo: []protocol.EventType{protocol.PreToolCall}, Limit: time.Minute, Matcher: "Bash", Fields: `{"failClosed": false}`},
			{Name: "After", As: "afterAll", Unnamed: true, Flat: true, MapsTo: []protocol.EventType{protocol.PostToolCall}, Limit: 30 * time.Second},
			{Name: "Never", MapsTo: []protocol.EventType{protocol.PostSession}, Limit: time.Second, Manual: true},
		},
	}
}

func eachShape(t *testing.T, test func(t *testing.T, s shape, d *protocol.Dialect)) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) { test(t, s, s.dialect()) })
	}
}

// From nothing: one entry for each event that is not Manual; again: no edits;
// uninstall: nothing is left.
func TestShapesFromNothing(t *testing.T) {
	eachShape(t, func(t *testing.T, s shape, d *protocol.Dialect) {
		files := disk{}
		add(t, d, files, entry(d))
		if files[s.path] != s.want {
			t.Errorf("got\n%s\nwant\n%s", files[s.path], s.want)
		}
		now, err := install.Inspect(d, files.site(t))
		if err != nil || len(now.Entries) != 2 {
			t.Fatalf("found %+v, %v", now, err)
		}
		for i, name := range []string{"Before", "After"} {
			e := now.Entries[i]
			if e.Event != name || e.Problem != "" || !e.Trusted || e.Line == 0 || path.Dir(e.File) != path.Dir(s.path) {
				t.Errorf("found %+v", e)
			}
			limit := d.NativeEvents[i].Limit
			if s.config.Timeout == "-" || s.config.Shape == protocol.Wrappers {
				limit = 0
			}
			if e.Timeout != limit {
				t.Errorf("%s: limit %s, want %s", name, e.Timeout, limit)
			}
		}
		once := files.copy()
		add(t, d, files, entry(d))
		if !files.equal(once) {
			t.Errorf("installing again changed something: %v", files)
		}
		remove(t, d, files)
		if len(files) != 0 {
			t.Errorf("uninstall left %v", files)
		}
		remove(t, d, files)
	})
}

// What others have in the file survives, and comes back byte for byte.
func TestShapesKeepOthers(t *testing.T) {
	eachShape(t, func(t *testing.T, s shape, d *protocol.Dialect) {
		if s.foreign == "" {
			t.Skip("a file of this shape holds nothing but ours")
		}
		for what, text := range map[string]string{
			"as it is": s.foreign, "lines of Windows": strings.ReplaceAll(s.foreign, "\n", "\r\n"), "a byte order mark": "\xef\xbb\xbf" + s.foreign, "an empty line": s.foreign + "\n",
		} {
			t.Run(what, func(t *testing.T) {
				files := disk{s.path: text}
				remove(t, d, files)
				if files[s.path] != text {
					t.Fatalf("uninstall touched %q", text)
				}
				add(t, d, files, entry(d))
				added := files[s.path]
				if strings.Index(added, "--agent=other") > strings.Index(added, "--agent=probe") {
					t.Errorf("ours stands before that of another:\n%s", added)
				}
				add(t, d, files, entry(d))
				if files[s.path] != added {
					t.Errorf("installing again changed something:\n%s", files[s.path])
				}
				remove(t, d, files)
				if files[s.path] != text {
					t.Errorf("%q came back as %q; in between\n%s", text, files[s.path], added)
				}
			})
		}
	})
}

// An entry of a program that moved is brought up to date where it stands; second
// ones go, and so do those of events that are not wanted.
func TestShapesUpdateInPlace(t *testing.T) {
	eachShape(t, func(t *testing.T, s shape, d *protocol.Dialect) {
		files := disk{s.path: s.moved}
		add(t, d, files, entry(d))
		e := entry(d)
		e.Events = []string{"Before"}
		add(t, d, files, e)
		if files[s.path] != s.inside {
			t.Errorf("got\n%s\nwant\n%s", files[s.path], s.inside)
		}
		if s.config.Shape == protocol.Wrappers && len(files) != 1 {
			t.Errorf("left %v", files)
		}
	})
}

// A file that is not what it should be, and one that is somebody else's, is left
// alone, with the place to blame.
func TestShapesRefuse(t *testing.T) {
	eachShape(t, func(t *testing.T, s shape, d *protocol.Dialect) {
		files := disk{s.path: s.broken}
		_, err := install.Add(d, files.site(t), entry(d))
		if _, ok := errors.AsType[*install.FileError](err); !ok || !strings.Contains(err.Error(), s.path+s.place) {
			t.Errorf("error %v, want %s", err, s.path+s.place)
		}
		if s.config.Shape == protocol.Plugin || s.config.Shape == protocol.Wrappers {
			remove(t, d, files) // is not ours: nothing to remove
			if files[s.path] != s.broken {
				t.Error("uninstall touched it")
			}
		}
	})
}

// An agent with several files of entries has ours in each.
func TestManyFiles(t *testing.T) {
	d := shapes[1].dialect()
	d.Config.File = at("/h/agents/own.json")
	d.Config.Files = func(s protocol.Site) []string {
		var out []string
		for _, name := range s.List("/h/agents") {
			out = append(out, s.Join("/h/agents", name))
		}
		if out == nil {
			return []string{"/h/agents/own.json"}
		}
		return out
	}
	d.Config.Head = `{"name": "own", "tools": ["*"]}`
	files := disk{}
	add(t, d, files, entry(d))
	if !strings.HasPrefix(files["/h/agents/own.json"], "{\n  \"name\": \"own\",\n  \"tools\": [\n    \"*\"\n  ],\n  \"hooks\": {") {
		t.Errorf("got\n%s", files["/h/agents/own.json"])
	}
	remove(t, d, files)
	if len(files) != 0 {
		t.Errorf("left %v", files)
	}
	before := disk{"/h/agents/a.json": "{\"name\": \"a\"}\n", "/h/agents/b.json": "{\n  \"name\": \"b\"\n}"}
	files = before.copy()
	add(t, d, files, entry(d))
	now, err := install.Inspect(d, files.site(t))
	if err != nil || len(now.Entries) != 4 || now.Entries[3].File != "/h/agents/b.json" || now.Entries[3].Problem != "" {
		t.Errorf("found %+v, %v", now, err)
	}
	if strings.Contains(files["/h/agents/a.json"], "tools") {
		t.Errorf("somebody else's file was given a head:\n%s", files["/h/agents/a.json"])
	}
	remove(t, d, files)
	if !files.equal(before) {
		t.Errorf("came back as %v", files)
	}
}

// What was added goes, whatever the file looked like, and nothing else does.
func FuzzShapes(f *testing.F) {
	for i, s := range shapes {
		for _, text := range []string{s.foreign, s.moved, s.inside, s.want, s.broken} {
			f.Add(i, []byte(text))
		}
	}
	for _, text := range layouts {
		f.Add(1, []byte(text))
		f.Add(3, []byte(text))
	}
	for _, text := range []string{"hooks = []", "hooks=[]\r\n[a]\r\n", "a = '''\n[[hooks]]'''", "[[hooks]]\nevent='x'#[[", "a={b=[1]}\n[[\"hooks\"]]"} {
		f.Add(4, []byte(text))
	}
	f.Add(4, []byte("# >>> agents-hooks: its entries (install writes them, uninstall removes them) >>>\n[[theirs]]\na = 1\n# <<< agents-hooks <<<")) // between our marks there is somebody else's table
	f.Fuzz(func(t *testing.T, i int, text []byte) {
		s := shapes[((i%len(shapes))+len(shapes))%len(shapes)]
		d := s.dialect()
		files := disk{s.path: string(text)}
		had, err := install.Inspect(d, files.site(t))
		if err != nil {
			return
		}
		edits, err := install.Add(d, files.site(t), entry(d))
		if err != nil {
			return
		}
		files.apply(t, edits)
		now, err := install.Inspect(d, files.site(t))
		if err != nil || len(now.Entries) != 2 {
			t.Fatalf("%s: %q: %d entries, %v, in\n%s", s.name, text, len(now.Entries), err, files[s.path])
		}
		again, err := install.Add(d, files.site(t), entry(d))
		if err != nil || len(again) != 0 {
			t.Fatalf("%s: %q: installing again: %d edits, %v\n%s", s.name, text, len(again), err, files[s.path])
		}
		added := files[s.path]
		remove(t, d, files)
		if len(had.Entries) > 0 || holdsEmpty(text) && s.config.Shape != protocol.BlockTOML || s.config.Shape == protocol.Plugin || s.config.Shape == protocol.Wrappers {
			return
		}
		got, ok := files[s.path]
		if !ok && (emptied(string(text)) || s.config.Head != "") {
			return // it held nothing, or no more than what we would begin it with
		}
		if got != string(text) {
			t.Fatalf("%s: %q came back as %q; in between\n%s", s.name, text, got, added)
		}
	})
}
