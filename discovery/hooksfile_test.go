package discovery

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// four are the behaviours of these tests.
func four() []string { return []string{"memory", "workspace", "evolution", "skills"} }

// Which behaviours there are is told to this package: it knows none.
func TestBehavioursAreHandedIn(t *testing.T) {
	t.Parallel()
	const text = "[builtin.fifth]\nenabled = true\nloud = 3\n"
	fifth := Behaviours{
		Names: func() []string { return []string{"first", "fifth"} },
		Key: func(_ LayerName, behaviour, key string, _ any) (string, []string, bool) {
			return "", []string{behaviour + "-key"}, false
		},
	}
	f := parseSettings(text, "", UserLayer, fifth)
	wantProblems(t, f.problems, `warning 3:1: builtin.fifth.loud: unknown key "loud"; known are fifth-key, enabled`)
	if f.builtin["fifth"]["enabled"] != true {
		t.Errorf("fifth: %v", f.builtin)
	}
	f = parseSettings(text, "", UserLayer, Behaviours{Names: four})
	wantProblems(t, f.problems, `warning 1:1: builtin.fifth: unknown key "fifth"; known are memory, workspace, evolution, skills`)
	wantProblems(t, parseSettings(text, "", UserLayer, Behaviours{}).problems)
}

// HM-CFG-11: each wrong key costs itself, and is told with its place.
func TestSettingsProblems(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, text string
		layer      LayerName
		problems   []string
	}{
		{"all keys are known", `
[hooks]
enabled = true
debug = false
on_error = "block"
order = "layer"
deny_json = "warn"
on_unsupported = "drop"
stop_limit = {row = 3, total = 9}
[hooks.defaults]
timeout = 5000
async = false
[[hooks.disable]]
name = "a"
[[hooks.override]]
name = "b"
priority = 1
timeout = 100
async = true
on_error = "allow"
[[hooks.lock]]
name = "c"
[trust]
project = "always"
[builtin.memory]
enabled = true
mode = "smart"
list = ["a", "b"]
[builtin.skills]
`, UserLayer, nil},
		{"unknown keys, everywhere", "hoks = 1\n[hooks]\n  ordre = 1\n[hooks.defaults]\ntimeuot = 1\n[[hooks.override]]\nname = \"a\"\nprio = 1\n[trust]\nall = true\n[builtin.memroy]\nx = 1\n[[hooks.disable]]\nname = \"x\"\nwhy = \"y\"", UserLayer, []string{
			`warning 1:1: hoks: unknown key "hoks"; did you mean hooks?`,
			`warning 3:3: hooks.ordre: unknown key "ordre"; did you mean order?`,
			`warning 5:1: hooks.defaults.timeuot: unknown key "timeuot"; did you mean timeout?`,
			`warning 8:1: hooks.override[0].prio: unknown key "prio"; known are name, priority, timeout, async, on_error, sandbox`,
			`warning 10:1: trust.all: unknown key "all"; known are project, sandbox, sandbox_read, sandbox_write, sandbox_network, sandbox_env, sandbox_required`,
			`warning 11:1: builtin.memroy: unknown key "memroy"; did you mean memory?`,
			`warning 15:1: hooks.disable[0].why: unknown key "why"; known are name`,
		}},
		{"wrong types", "trust = 1\n[hooks]\nenabled = \"yes\"\ndebug = 1\non_error = true\norder = \"random\"\nstop_limit = \"many\"\ndefaults = 5\ndisable = [\"a\", {nam = \"b\"}, {name = 5}]\noverride = {name = \"a\"}\n[[hooks.lock]]\n[builtin.memory]\nenabled = \"on\"\nwhen = 2026-01-01\n", UserLayer, []string{
			`error 1:1: trust: 1 cannot stand here and is left out; write a table`,
			`error 3:1: hooks.enabled: "yes" cannot stand here and is left out; write true or false`,
			`error 4:1: hooks.debug: 1 cannot stand here and is left out; write true or false`,
			`error 5:1: hooks.on_error: true cannot stand here and is left out; write "allow" or "block"`,
			`error 6:1: hooks.order: "random" cannot stand here and is left out; write "priority" or "layer"`,
			`error 7:1: hooks.stop_limit: "many" cannot stand here and is left out; write a whole number from 0 to 1000`,
			`error 8:1: hooks.defaults: 5 cannot stand here and is left out; write a table`,
			`error 9:12: hooks.disable[0]: "a" cannot stand here and is left out; write a table`,
			`error 9:17: hooks.disable[1]: names no hook; write name = "…"`,
			`warning 9:18: hooks.disable[1].nam: unknown key "nam"; did you mean name?`,
			`error 9:31: hooks.disable[2].name: 5 cannot stand here and is left out; write the name of a hook`,
			`error 10:1: hooks.override: a table cannot stand here and is left out; write an array of tables, [[hooks.override]]`,
			`error 11:1: hooks.lock[0]: names no hook; write name = "…"`,
			`error 13:1: builtin.memory.enabled: "on" cannot stand here and is left out; write true or false`,
			`error 14:1: builtin.memory.when: a date cannot stand here and is left out; write a text, a number, a boolean or an array of these`,
		}},
		{"numbers out of range are clamped", "[hooks]\nstop_limit = -1\n[hooks.defaults]\ntimeout = 10\n[[hooks.override]]\nname = \"a\"\npriority = 5000", UserLayer, []string{
			"error 2:1: hooks.stop_limit: -1 is out of range; 0 stands; write a whole number from 0 to 1000",
			"error 4:1: hooks.defaults.timeout: 10 is out of range; 100 stands; write a whole number from 100 to 600000",
			"error 7:1: hooks.override[0].priority: 5000 is out of range; 1000 stands; write a whole number from 0 to 1000",
		}},
		{"HM-CFG-12: no TOML", "[hooks]\nenabled = true\non_error = block\n", UserLayer, []string{
			`error 3:12: hooks.on_error: no valid TOML: expected value but found "block" instead; the file counts as empty until then`}},
		{"HM-CFG-12: a key twice", "[hooks]\ndebug = true\ndebug = true\n", UserLayer, []string{
			`error 3:1: hooks.debug: no valid TOML: Key 'hooks.debug' has already been defined.; the file counts as empty until then`}},
		{"HM-CFG-09, HM-CFG-10: what a project may not say", "[hooks]\nenabled = false\ndebug = true\norder = \"layer\"\nstop_limit = 9\non_error = \"allow\"\ndeny_json = \"warn\"\non_unsupported = \"drop\"\n[[hooks.lock]]\nname = \"a\"\n[trust]\nproject = \"always\"\n[[hooks.override]]\nname = \"x\"\non_error = \"allow\"", ProjectLayer, []string{
			"warning 2:1: hooks.enabled: has no effect in the project's hooks.toml; set it in your own hooks.toml",
			"warning 3:1: hooks.debug: has no effect in the project's hooks.toml; set it in your own hooks.toml",
			"warning 4:1: hooks.order: has no effect in the project's hooks.toml; set it in your own hooks.toml",
			"warning 5:1: hooks.stop_limit: has no effect in the project's hooks.toml; set it in your own hooks.toml",
			`warning 6:1: hooks.on_error: a project may only tighten; it is left out; write "block", or remove it`,
			`warning 7:1: hooks.deny_json: a project may only tighten; it is left out; write "block", or remove it`,
			`warning 8:1: hooks.on_unsupported: a project may only tighten; it is left out; write "block", or remove it`,
			"warning 9:1: hooks.lock: has no effect in the project's hooks.toml; set it in your own hooks.toml",
			"warning 12:1: trust.project: has no effect in the project's hooks.toml; set it in your own hooks.toml",
			`warning 15:1: hooks.override[0].on_error: a project may only tighten; it is left out; write "block", or remove it`,
		}},
		{"HM-AGT-49: how a command is blocked is the person's", "[hooks]\nblocked_command = \"block\"", ProjectLayer, []string{
			"warning 2:1: hooks.blocked_command: has no effect in the project's hooks.toml; set it in your own hooks.toml",
		}},
		{"whether there is a shell is the person's", "[hooks]\nshell = \"none\"", ProjectLayer, []string{
			"warning 2:1: hooks.shell: has no effect in the project's hooks.toml; set it in your own hooks.toml",
		}},
		{"a shell of another's", "[hooks]\nshell = \"bash\"", UserLayer, []string{
			`error 2:1: hooks.shell: "bash" cannot stand here and is left out; write "own" or "none"`,
		}},
		{"HM-AGT-49: a word that is none of its", "[hooks]\nblocked_command = \"drop\"", UserLayer, []string{
			`error 2:1: hooks.blocked_command: "drop" cannot stand here and is left out; write "replace" or "block"`,
		}},
		{"trust and stop_limit are the user's", "[hooks]\nstop_limit = 9\n[trust]\nproject = \"always\"", SystemLayer, []string{
			"warning 2:1: hooks.stop_limit: has no effect in the system's hooks.toml; set it in your own hooks.toml",
			"warning 4:1: trust.project: has no effect in the system's hooks.toml; set it in your own hooks.toml",
		}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			f := parseSettings(tt.text, "", tt.layer, Behaviours{Names: four})
			wantProblems(t, f.problems, tt.problems...)
		})
	}
}

// What is wrong is told in one order, where places do not give it either.
func TestSettingsProblemsHaveAnOrder(t *testing.T) {
	t.Parallel()
	for range 50 {
		f := parseSettings("[b.x]\n[a.x]\n[d.x]\n[c.x]\n", "", UserLayer, Behaviours{})
		wantProblems(t, f.problems,
			`warning 1:1: a: unknown key "a"; known are hooks, trust, builtin, export`, `warning 1:1: b: unknown key "b"; known are hooks, trust, builtin, export`,
			`warning 1:1: c: unknown key "c"; known are hooks, trust, builtin, export`, `warning 1:1: d: unknown key "d"; known are hooks, trust, builtin, export`)
	}
}

func TestSettingsValues(t *testing.T) {
	t.Parallel()
	f := parseSettings("[hooks]\nstop_limit = 3\ndisable = [{name = 'a'}]\n[[hooks.override]]\nname = \"b\"\npriority = 1\n[[hooks.override]]\nname = \"b\"\ntimeout = 200\n", "F", UserLayer, Behaviours{})
	if !f.stopRow.ok || f.stopRow.value != 3 || f.stopTotal.ok {
		t.Errorf("stop_limit as a number: %+v %+v", f.stopRow, f.stopTotal)
	}
	if f.disable["a"] != "F:3" {
		t.Errorf("disable: %v", f.disable)
	}
	if o := f.overrides["b"]; o.priority.value != 1 || o.timeout.value.Milliseconds() != 200 || o.priority.at != "F:6" {
		t.Errorf("two entries of one name: %+v", o)
	}
	wantProblems(t, f.problems)
	if p := CheckSettings(filepath.Join(t.TempDir(), "hooks.toml"), UserLayer, Behaviours{}); p != nil {
		t.Errorf("a file that is not there: %v", p)
	}
}

// tomls are files that are edited in a fuzz test.
var tomls = []string{
	"",
	"a = 1\n",
	"# c\n[hooks]\n  on_error = \"block\" # [x]\n\n[[hooks.disable]]\nname='a'\n[[hooks.disable]]\nname = \"b\"\n",
	"hooks.disable = [ {name = \"a\"}, # one\n {name = 'b'},\n]\nhooks.debug = true",
	"[hooks]\ndefaults = {timeout = 5, async = true}\n\"quoted key\" = '''\n[not.a.table]\nx = 1\n'''\n",
	"\ufeffa = 1\r\n[b]\r\nc = \"x\"\r\n",
}

func FuzzSettings(f *testing.F) {
	for _, text := range tomls {
		f.Add(text)
	}
	for _, tt := range editTests {
		f.Add(tt.before)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, layer := range []LayerName{UserLayer, ProjectLayer} {
			for _, p := range parseSettings(text, "", layer, Behaviours{}).problems {
				if p.Line < 1 || p.Line > 1+strings.Count(text, "\n") || p.Column < 1 || p.Message == "" {
					t.Errorf("%q: problem %+v", text, p)
				}
			}
		}
		checkEdits(t, text)
	})
}

var editTests = []struct{ rule, before, off, after string }{
	{"an empty file", "", "a", "[[hooks.disable]]\nname = \"a\"\n"},
	{"behind all else", "[hooks]\ndebug = true # yes\n", "a", "[hooks]\ndebug = true # yes\n\n[[hooks.disable]]\nname = \"a\"\n"},
	{"no final newline", "[hooks]", "a", "[hooks]\n\n[[hooks.disable]]\nname = \"a\"\n"},
	{"CRLF", "[hooks]\r\n", "a", "[hooks]\r\n\r\n[[hooks.disable]]\r\nname = \"a\"\r\n"},
	{"a second one", "[[hooks.disable]]\nname = \"b\"\n", "a", "[[hooks.disable]]\nname = \"b\"\n\n[[hooks.disable]]\nname = \"a\"\n"},
	{"an array", "[hooks]\ndisable = [{name = \"b\"}] # c\n", "a", "[hooks]\ndisable = [{name = \"b\"}, {name = \"a\"}] # c\n"},
	{"an array with a final comma", "hooks.disable = [\n  {name = \"b\"}, # why\n]\n", "a", "hooks.disable = [\n  {name = \"b\"}, {name = \"a\"}, # why\n]\n"},
	{"an empty array", "[hooks]\ndisable = []\n", "a", "[hooks]\ndisable = [{name = \"a\"}]\n"},
	{"disabled already", "[[hooks.disable]]\nname = 'a' # mine\n", "a", "[[hooks.disable]]\nname = 'a' # mine\n"},
}

func TestSetDisabled(t *testing.T) {
	t.Parallel()
	for _, tt := range editTests {
		t.Run(tt.rule, func(t *testing.T) {
			got, err := SetDisabled([]byte(tt.before), tt.off, true)
			must.Do(t, err)
			if string(got) != tt.after {
				t.Errorf("%q\nbecame %q\nwant   %q", tt.before, got, tt.after)
			}
			if tt.before == tt.after {
				return
			}
			back, err := SetDisabled(got, tt.off, false)
			must.Do(t, err)
			before := tt.before
			if before != "" && !strings.HasSuffix(before, "\n") {
				before += "\n"
			}
			if string(back) != before {
				t.Errorf("and back: %q, want %q", back, before)
			}
		})
	}
	for _, tt := range []struct{ rule, before, after string }{
		{"comments stay", "# top\n[[hooks.disable]]\n# why a\nname = \"a\" # gone with it\n# below\n[[hooks.disable]]\nname = \"b\"\n", "# top\n# why a\n# below\n[[hooks.disable]]\nname = \"b\"\n"},
		{"each of several", "[[hooks.disable]]\nname = \"a\"\n\n[[hooks.disable]]\nname = \"b\"\n\n[[hooks.disable]]\nname = \"a\"\n", "\n[[hooks.disable]]\nname = \"b\"\n"},
		{"first of an array", "hooks.disable = [{name = \"a\"}, {name = \"b\"}]", "hooks.disable = [{name = \"b\"}]"},
		{"last of an array", "hooks.disable = [{name = \"b\"}, {name = \"a\"}]", "hooks.disable = [{name = \"b\"}]"},
		{"only one of an array", "hooks.disable = [{name = \"a\"}]", "hooks.disable = []"},
		{"with keys that are not known", "[[hooks.disable]]\nname = \"a\"\nwhy = \"x\"\n[trust]\nproject = \"ask\"\n", "[trust]\nproject = \"ask\"\n"},
		{"not disabled", "[hooks]\n", "[hooks]\n"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got, err := SetDisabled([]byte(tt.before), "a", false)
			if err != nil || string(got) != tt.after {
				t.Errorf("%q\nbecame %q (%v)\nwant   %q", tt.before, got, err, tt.after)
			}
		})
	}
	for _, tt := range []struct{ before, name, err string }{
		{"[hooks\n", "a", "line 1: no valid TOML"},
		{"", "../a", `"../a" is not a hook name`},
		{"hooks.disable = 5\n", "a", "the edit would break the file"},
	} {
		t.Run(fmt.Sprintf("%q", tt.before), func(t *testing.T) {
			got, err := SetDisabled([]byte(tt.before), tt.name, true)
			if err == nil || !strings.Contains(err.Error(), tt.err) || got != nil {
				t.Errorf("%q: %q, error %v, want %s", tt.before, got, err, tt.err)
			}
		})
	}
}

func TestSetBuiltin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rule, before, after string }{
		{"an empty file", "", "[builtin.memory]\nenabled = true\n"},
		{"where it stands", "[builtin.memory]\nmode = \"always\"\nenabled = false # not yet\n", "[builtin.memory]\nmode = \"always\"\nenabled = true # not yet\n"},
		{"below its header", "[builtin.memory] # m\nmode = \"always\"\n", "[builtin.memory] # m\nenabled = true\nmode = \"always\"\n"},
		{"a header at the end", "[builtin.memory]", "[builtin.memory]\nenabled = true"},
		{"CRLF", "[builtin.memory]\r\nx = 1\r\n", "[builtin.memory]\r\nenabled = true\r\nx = 1\r\n"},
		{"another one's table", "[builtin.skills]\nenabled = true\n", "[builtin.skills]\nenabled = true\n\n[builtin.memory]\nenabled = true\n"},
		{"an inline table", "[builtin]\nmemory = {mode = \"always\"}\n", "[builtin]\nmemory = {enabled = true, mode = \"always\"}\n"},
		{"an empty inline table", "builtin.memory = {}\n", "builtin.memory = {enabled = true}\n"},
		{"all inline", "builtin = {skills = {enabled = true}}\n", "builtin = {memory = {enabled = true}, skills = {enabled = true}}\n"},
		{"dotted keys", "builtin.memory.mode = \"always\"\n", "builtin.memory.enabled = true\nbuiltin.memory.mode = \"always\"\n"},
		{"dotted keys below a header", "[builtin]\nmemory.mode = \"x\"\n", "[builtin]\nmemory.enabled = true\nmemory.mode = \"x\"\n"},
		{"enabled already", "[builtin.memory]\nenabled = true", "[builtin.memory]\nenabled = true"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got, err := SetBuiltin([]byte(tt.before), "memory", "enabled", true)
			if err != nil || string(got) != tt.after {
				t.Errorf("%q\nbecame %q (%v)\nwant   %q", tt.before, got, err, tt.after)
			}
		})
	}
	if _, err := SetBuiltin(nil, "mem.ory", "enabled", true); err == nil || !strings.Contains(err.Error(), `"mem.ory" is not a behaviour's name`) {
		t.Errorf("no name: %v", err)
	}
}

// checkEdits sees to it that an edit does what it says or refuses, and leaves
// every other key as it was.
func checkEdits(t *testing.T, text string) {
	t.Helper()
	before, err := editable(text)
	if err != nil {
		return
	}
	for _, off := range []bool{true, false} {
		b, err := SetDisabled([]byte(text), "a", off)
		if err != nil {
			continue
		}
		after, err := editable(string(b))
		if err != nil {
			t.Errorf("%q: off %t made %q, which is no TOML: %v", text, off, b, err)
			continue
		}
		if _, is := after.disable["a"]; is != off {
			t.Errorf("%q: off %t made %q", text, off, b)
		}
		for name := range before.disable {
			if _, ok := after.disable[name]; !ok && name != "a" {
				t.Errorf("%q: off %t lost %q: %q", text, off, name, b)
			}
		}
	}
	b, err := SetBuiltin([]byte(text), "memory", "enabled", true)
	if err != nil {
		return
	}
	if after, err := editable(string(b)); err != nil || after.builtin["memory"]["enabled"] != true {
		t.Errorf("%q: became %q: %v", text, b, err)
	} else if names := func(f *settingsFile) (out []string) {
		for n := range f.overrides {
			out = append(out, n)
		}
		slices.Sort(out)
		return out
	}; !slices.Equal(names(before), names(after)) {
		t.Errorf("%q: lost an override: %q", text, b)
	}
}
