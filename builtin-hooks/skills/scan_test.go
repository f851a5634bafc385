package skills

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// put writes files below a folder, and makes links of what begins with "-> ".
func put(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o755))
		if to, is := strings.CutPrefix(text, "-> "); is {
			linktest.Make(t, filepath.FromSlash(to), file)
			continue
		}
		must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

func ids(hooks []Hook) (out []string) {
	for _, h := range hooks {
		out = append(out, h.ID())
	}
	return out
}

func texts(problems []Problem, dir string) (out []string) {
	for _, p := range problems {
		out = append(out, string(p.Severity)+" "+filepath.ToSlash(strings.ReplaceAll(p.String(), dir+string(filepath.Separator), "")))
	}
	return out
}

const seed = `{
"hooks": [
{
"name": "truncated-content-hint",
"file": "truncated-content-hint.md",
"timing": "after_tool_call",
"role": "system",
"persistent": false,
"tool_filter": ["read_file", "search_text"]
}
]
}`

// The specification's own example.
func TestTheFormatsOwnExample(t *testing.T) {
	t.Parallel()
	dir := put(t, t.TempDir(), map[string]string{
		"reader/hooks/hooks.json": seed, "reader/hooks/truncated-content-hint.md": "Read on where it was cut.\n",
	})
	hooks, problems := Scan([]string{"reader"}, dir)
	if len(problems) != 0 || len(hooks) != 1 {
		t.Fatalf("%+v, %v", hooks, problems)
	}
	h := hooks[0]
	if h.ID() != "reader/truncated-content-hint" || h.Timing != AfterToolCall || h.Role != System || h.Persistent ||
		!slices.Equal(h.Tools, []string{"read_file", "search_text"}) || h.Content != "Read on where it was cut." {
		t.Errorf("%+v", h)
	}
	for tool, want := range map[string]bool{"read_file": true, "search_text": true, "read_filed": false, "": false} {
		t.Run(fmt.Sprintf("%q", tool), func(t *testing.T) {
			if h.Wants(tool) != want {
				t.Errorf("Wants(%q) is %t", tool, !want)
			}
		})
	}
}

const entryA = `{"name": "a", "file": "a.md", "timing": "after_user_input", "role": "system", "persistent": false`

// The order is that of the enabled names, then of the file; only enabled
// skills are read; no hooks folder, no warning.
//
// BS-FIL-01, BS-FIL-02.
func TestOnlyEnabledSkillsInTheirOrder(t *testing.T) {
	t.Parallel()
	one := `{"hooks": [` + entryA + `}, ` + strings.Replace(entryA, `"a"`, `"b"`, 1) + `}]}`
	dir := put(t, t.TempDir(), map[string]string{
		"x/hooks/hooks.json": one, "x/hooks/a.md": "x", "y/hooks/hooks.json": one, "y/hooks/a.md": "y",
		"broken/hooks/hooks.json": "{", "plain/SKILL.md": "no hooks",
	})
	hooks, problems := Scan([]string{"y", "plain", "x", "y"}, dir)
	if got := ids(hooks); !slices.Equal(got, []string{"y/a", "y/b", "x/a", "x/b"}) || len(problems) != 0 {
		t.Errorf("%v, %v", got, problems)
	}
	if hooks, problems := Scan([]string{}, dir); len(hooks)+len(problems) != 0 {
		t.Errorf("nothing is enabled: %v %v", hooks, problems)
	}
	hooks, problems = Scan(nil, dir)
	if got := ids(hooks); !slices.Equal(got, []string{"x/a", "x/b", "y/a", "y/b"}) || len(problems) != 1 {
		t.Errorf("all: %v, %v", got, problems)
	}
	_, problems = Scan([]string{"nobody"}, dir)
	if got := texts(problems, dir); !slices.Equal(got, []string{`warning nobody: no skill "nobody" is there`}) {
		t.Error(got)
	}
	if hooks, problems := Scan(nil, filepath.Join(dir, "none")); len(hooks)+len(problems) != 0 {
		t.Errorf("a folder that is not there: %v %v", hooks, problems)
	}
}

// What is wrong is told one by one, with its place,
// the value quoted and the fix named; the neighbours stay.
//
// BS-FIL-03, BS-FIL-04.
func TestEveryMistakeHasItsPlace(t *testing.T) {
	t.Parallel()
	outside := put(t, t.TempDir(), map[string]string{"o.md": "outside"})
	with := func(change string) string {
		// The whole entry, its members overridden by those of change.
		var all, more map[string]json.RawMessage
		must.Do(t, json.Unmarshal([]byte(entryA+"}"), &all))
		must.Do(t, json.Unmarshal([]byte("{"+change+"}"), &more))
		var parts []string
		done := map[string]bool{}
		for _, k := range append([]string{"name", "file", "timing", "role", "persistent"}, sortedKeys(more)...) {
			v, ok := more[k]
			if !ok {
				v = all[k]
			}
			if !done[k] && string(v) != `"-"` {
				parts = append(parts, `"`+k+`": `+string(v))
			}
			done[k] = true
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	for _, c := range []struct {
		rule, entry string
		runs        bool
		want        string
	}{
		{"plain", with(``), true, ""},
		{"timing", with(`"timing": "before_everything"`), false, `error s/hooks/hooks.json:3:41: hooks[0].timing: skill "s", entry "a": "before_everything" is not a timing; one of after_user_input, before_planning, before_each_agent, before_first_agent, after_tool_call`},
		{"role", with(`"role": "tool"`), false, `error s/hooks/hooks.json:3:69: hooks[0].role: skill "s", entry "a": "tool" is not a role; one of system, user`},
		{"missing", with(`"file": "-"`), false, `error s/hooks/hooks.json:3:1: hooks[0]: skill "s", entry "a": file is missing`},
		{"nameless", with(`"name": "-"`), false, `error s/hooks/hooks.json:3:1: hooks[0]: skill "s", entry 1: name is missing`},
		{"type", with(`"persistent": "yes"`), false, `error s/hooks/hooks.json:3:93: hooks[0].persistent: skill "s", entry "a": want true or false, have a text`},
		{"null", with(`"persistent": null`), false, `error s/hooks/hooks.json:3:93: hooks[0].persistent: skill "s", entry "a": want true or false, have null`},
		{"empty", with(`"file": "empty.md"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "empty.md" is empty; write the prompt into it`},
		{"gone", with(`"file": "gone.md"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "gone.md" cannot be read: it is not there`},
		{"leaves", with(`"file": "../a.md"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "../a.md" leaves the hooks folder; put the file into s/hooks`},
		{"absolute", with(`"file": "/etc/passwd"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "/etc/passwd" leaves the hooks folder; put the file into s/hooks`},
		{"link", with(`"file": "link.md"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "link.md" cannot be read: the link leads out of s/hooks: put the file itself there, or remove the link`},
		{"control", with(`"file": "a\nb.md"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "a\nb.md" has control characters; rename the file`},
		{"folder", with(`"file": "sub"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "sub" cannot be read: it is not a regular file`},
		{"UTF-8", with(`"file": "latin.md"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "latin.md" is not UTF-8`},
		{"large", with(`"file": "large.md"`), false, `error s/hooks/hooks.json:3:23: hooks[0].file: skill "s", entry "a": "large.md" cannot be read: it is larger than 16 KiB`},
		{"at the limit", with(`"file": "full.md"`), true, ""},
		{"below", with(`"file": "sub/deep.md"`), true, ""},
		{"inner link", with(`"file": "inner.md"`), true, ""},
		{"unknown key", with(`"timeout": 3`), true, `warning s/hooks/hooks.json:3:111: hooks[0].timeout: skill "s", entry "a": "timeout" is not a key of an entry; one of name, file, timing, role, persistent, tool_filter, when, match, max_copies`},
		{"no object", `"x"`, false, `error s/hooks/hooks.json:3:1: hooks[0]: skill "s", entry 1: want an object, have a text`},
		{"elsewhere", with(`"tool_filter": ["Bash"]`), true, `warning s/hooks/hooks.json:3:115: hooks[0].tool_filter: skill "s", entry "a": counts at after_tool_call only, and is ignored at after_user_input; remove it`},
		{"type", with(`"timing": "after_tool_call", "tool_filter": "Bash"`), false, `error s/hooks/hooks.json:3:114: hooks[0].tool_filter: skill "s", entry "a": want a list of names of tools, have a text; write ["NAME"]`},
		{"element", with(`"timing": "after_tool_call", "tool_filter": [1]`), false, `error s/hooks/hooks.json:3:115: hooks[0].tool_filter[0]: skill "s", entry "a": want names of tools, have a number`},
		{"expression", with(`"timing": "after_tool_call", "tool_filter": ["b", "/(/"]`), false, `error s/hooks/hooks.json:3:120: hooks[0].tool_filter[1]: skill "s", entry "a": "/(/" does not compile: error parsing regexp: missing closing ) in ` + "`(`"},
		{"when", with(`"when": "sometimes"`), false, `error s/hooks/hooks.json:3:108: hooks[0].when: skill "s", entry "a": "sometimes" is not a when; one of always, invoked`},
		{"match", with(`"match": "["`), false, `error s/hooks/hooks.json:3:109: hooks[0].match: skill "s", entry "a": "[" does not compile: error parsing regexp: unterminated [] set in ` + "`[`"},
		{"copies", with(`"max_copies": -1`), false, `error s/hooks/hooks.json:3:114: hooks[0].max_copies: skill "s", entry "a": want a whole number from 0 to 1000, have -1; 0 is any number`},
		{"persistent at no such time", with(`"timing": "before_each_agent", "persistent": true`), true, `warning s/hooks/hooks.json:3:94: hooks[0].persistent: skill "s", entry "a": a persistent prompt at before_each_agent adds one more copy each time; bound it with max_copies`},
		{"bounded", with(`"timing": "before_each_agent", "persistent": true, "max_copies": 2`), true, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{
				"s/hooks/a.md": "a", "s/hooks/empty.md": " \n\n", "s/hooks/latin.md": "\xe9t\xe9", "s/hooks/large.md": strings.Repeat("x", maxText+1),
				"s/hooks/full.md": strings.Repeat("x", maxText), "s/hooks/sub/deep.md": "deep",
				"s/hooks/hooks.json": "{\"hooks\": [\r\n\r\n" + c.entry + ",\n" + strings.Replace(entryA, `"a"`, `"neighbour"`, 1) + "}]}",
			}
			if strings.HasSuffix(c.rule, "link") {
				files["s/hooks/link.md"], files["s/hooks/inner.md"] = "-> "+filepath.Join(outside, "o.md"), "-> sub/deep.md"
			}
			dir := put(t, t.TempDir(), files)
			hooks, problems := Scan(nil, dir)
			want := []string{"s/neighbour"}
			if c.runs {
				want = []string{"s/a", "s/neighbour"}
			}
			if got := ids(hooks); !slices.Equal(got, want) {
				t.Errorf("runs %v, want %v", got, want)
			}
			if got := strings.Join(texts(problems, dir), "\n"); got != filepath.ToSlash(c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func sortedKeys(m map[string]json.RawMessage) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Several mistakes of one entry are told in one go.
//
// BS-FIL-03.
func TestAllMistakesOfAnEntryAtOnce(t *testing.T) {
	t.Parallel()
	dir := put(t, t.TempDir(), map[string]string{"s/hooks/hooks.json": `{"hooks": [{"timing": 1, "role": "x", "extra": 0}, {"name": "n", "role": 0, "persistent": false, "timing": "after_tool_call", "file": "gone.md", "tool_filter": ["/(/"], "match": "("}], "version": 2}`})
	_, problems := Scan(nil, dir)
	var fields []string
	for _, p := range problems {
		fields = append(fields, p.Field+" "+strings.TrimPrefix(strings.TrimPrefix(p.Message, `skill "s", entry 1: `), `skill "s", entry "n": `))
	}
	want := []string{
		`version skill "s": is not a key of hooks.json`, "hooks[0] name is missing", "hooks[0] file is missing", "hooks[0].timing want a text, have a number",
		`hooks[0].role "x" is not a role`, "hooks[0] persistent is missing", `hooks[0].extra "extra" is not a key of an entry`,
		"hooks[1].role want a text, have a number", "hooks[1].tool_filter[0] \"/(/\" does not compile: error parsing regexp: missing closing ) in `(`",
		"hooks[1].match \"(\" does not compile: error parsing regexp: missing closing ) in `(`", `hooks[1].file "gone.md" cannot be read: it is not there`,
	}
	if !slices.Equal(fields, want) {
		t.Errorf("%q", fields)
	}
}

// A broken file skips its skill only; byte order marks and CRLF are
// tolerated, in the JSON and in the text.
//
// BS-FIL-04, BS-FIL-05.
func TestABrokenFileCostsItsSkillAlone(t *testing.T) {
	t.Parallel()
	bom := "\ufeff"
	dir := put(t, t.TempDir(), map[string]string{
		"a/hooks/hooks.json": `{"hooks": [}`, "b/hooks/hooks.json": bom + "{\"hooks\":\r\n[" + entryA + "}]}", "b/hooks/a.md": bom + "one\r\ntwo\r\n\r\n",
		"c/hooks/hooks.json": `{"hooks": {"PreToolUse": []}}`, "d/hooks/a.md": "x", "e/hooks": "a file", "f/hooks/hooks.json": `{}`,
		"g/hooks/hooks.json": bom + "\n{\"hooks\": 3}", "h/hooks/hooks.json": "{\"hooks\": [{\"name\": \"\u00e9\", \"name\": 1}]}",
		"i/hooks/hooks.json": "{\"hooks\": [\"\xff\"]}", "j/hooks/hooks.json": strings.Repeat(" ", maxJSON) + "{}",
	})
	hooks, problems := Scan(nil, dir)
	if len(hooks) != 1 || hooks[0].Content != "one\ntwo" {
		t.Errorf("%+v", hooks)
	}
	want := []string{
		`error a/hooks/hooks.json:1:12: skill "a": not JSON: unexpected '}' where a value is due; write {"hooks": [...]}`,
		`error c/hooks/hooks.json:1:11: hooks: skill "c": is an object: this is the hooks file of an agent, not of a skill; keep prompts in a list`,
		`warning d/hooks/hooks.json: skill "d": cannot be read: it is not there`,
		`error e/hooks/hooks.json: skill "e": cannot be read: hooks is not a folder`,
		`error f/hooks/hooks.json:1:1: hooks: skill "f": is missing; write {"hooks": [...]}`,
		`error g/hooks/hooks.json:2:11: hooks: skill "g": want a list, have a number`,
		`error h/hooks/hooks.json:1:26: skill "h": not JSON: name "name" stands twice in one object; write {"hooks": [...]}`,
		`error i/hooks/hooks.json:1:13: skill "i": not JSON: not UTF-8; write {"hooks": [...]}`,
		`error j/hooks/hooks.json: skill "j": cannot be read: it is larger than 256 KiB`,
	}
	if got := texts(problems, dir); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Exact names, expressions in slashes, one shell under two names, and
// every name that a tool goes by.
//
// BS-FLT-01.
func TestToolFilterKnowsEveryNameOfATool(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filter []string
		tool   []string
		want   bool
	}{
		{nil, []string{"x"}, true}, {nil, nil, true}, {[]string{}, []string{"x"}, true},
		{[]string{"Read"}, []string{"Read"}, true}, {[]string{"Read"}, []string{"rEAD"}, false}, {[]string{"Read"}, []string{"ReadFile"}, true}, {[]string{"read_file"}, []string{"Read"}, true}, {[]string{"ReadFile"}, []string{"view_file"}, true}, {[]string{"Read"}, []string{"Write"}, false},
		{[]string{"Read"}, []string{"ReadFile", "Read"}, true}, {[]string{"Read"}, nil, false},
		{[]string{"Bash"}, []string{"Shell"}, true}, {[]string{"Shell"}, []string{"Bash"}, true}, {[]string{"Bash"}, []string{"bash"}, true}, {[]string{"Bash"}, []string{"bash2"}, false},
		{[]string{"/^Read/"}, []string{"ReadFile"}, true}, {[]string{"/^Read$/"}, []string{"ReadFile"}, true}, {[]string{"/^Read$/"}, []string{"Reader"}, false}, {[]string{"/^search_/"}, []string{"Grep"}, true}, {[]string{"/^mcp__.*__get/", "x"}, []string{"mcp__a__get_b"}, true},
		{[]string{"/"}, []string{"/"}, true}, {[]string{"//"}, []string{"//"}, true}, {[]string{"/(/"}, []string{"("}, false},
	} {
		t.Run(fmt.Sprintf("%#v, %q", c.filter, c.tool), func(t *testing.T) {
			h := Hook{Timing: AfterToolCall, Tools: c.filter}
			if h.Wants(c.tool...) != c.want {
				t.Errorf("filter %q, tool %q: want %t", c.filter, c.tool, c.want)
			}
		})
	}
	if h := (Hook{Timing: BeforePlanning, Tools: []string{"x"}}); !h.Wants() {
		t.Error("a filter counted at another timing")
	}
	// A crafted name makes an expression of a stranger run for ever: it is left.
	slow := Hook{Timing: AfterToolCall, Tools: []string{"/^(a+)+$/"}}
	if slow.Wants(strings.Repeat("a", 40) + "!") {
		t.Error("a match that came to no end counts")
	}
}

// One name in two skills are two hooks; in one skill the first stands.
//
// BS-FIL-07.
func TestNamesAreUniqueInASkill(t *testing.T) {
	t.Parallel()
	twice := `{"hooks": [` + entryA + `}, ` + strings.Replace(entryA, "a.md", "b.md", 1) + `}]}`
	dir := put(t, t.TempDir(), map[string]string{
		"x/hooks/hooks.json": twice, "x/hooks/a.md": "first", "x/hooks/b.md": "second",
		"y/hooks/hooks.json": `{"hooks": [` + entryA + `}]}`, "y/hooks/a.md": "other",
	})
	hooks, problems := Scan(nil, dir)
	if !slices.Equal(ids(hooks), []string{"x/a", "y/a"}) || hooks[0].Content != "first" || len(problems) != 1 ||
		!strings.Contains(problems[0].Message, `"a" is the name of entry 1 too`) || problems[0].Column != 121 {
		t.Errorf("%v %+v", ids(hooks), problems)
	}
}

// Of two skills with one name, that of the first folder counts, even if it
// has no prompts.
//
// BS-FIL-08.
func TestFirstFolderWins(t *testing.T) {
	t.Parallel()
	one := `{"hooks": [` + entryA + `}]}`
	dir := put(t, t.TempDir(), map[string]string{
		"project/x/hooks/hooks.json": one, "project/x/hooks/a.md": "project", "user/x/hooks/hooks.json": one, "user/x/hooks/a.md": "user",
		"project/y/SKILL.md": "", "user/y/hooks/hooks.json": one, "user/y/hooks/a.md": "user",
		"user/z/hooks/hooks.json": one, "user/z/hooks/a.md": "user", "user/.hidden/hooks/hooks.json": one, "user/file": "no skill", "user/dangling": "-> nowhere", "user/linked": "-> z",
	})
	hooks, problems := Scan(nil, filepath.Join(dir, "project"), filepath.Join(dir, "user"))
	var got []string
	for _, h := range hooks {
		got = append(got, h.ID()+" "+h.Content)
	}
	if !slices.Equal(got, []string{"x/a project", "linked/a user", "z/a user"}) || len(problems) != 0 {
		t.Errorf("%q %v", got, problems)
	}
}

// What is not wanted is not read.
//
// BS-FIL-02.
func TestWantedOnly(t *testing.T) {
	t.Parallel()
	dir := put(t, t.TempDir(), map[string]string{"s/hooks/hooks.json": `{"hooks": [` + entryA + `}]}`})
	s := Skill{Name: "s", Dir: filepath.Join(dir, "s")}
	if hooks, problems := s.Hooks(func(h *Hook) bool { return h.Timing != AfterUserInput }); len(hooks)+len(problems) != 0 {
		t.Errorf("%v %v", hooks, problems)
	}
	if _, problems := s.Hooks(nil); len(problems) != 1 {
		t.Errorf("%v", problems)
	}
}

// FuzzHooksJSON: the scanner takes no text that encoding/json would read
// otherwise, and each problem has a place in the file.
func FuzzHooksJSON(f *testing.F) {
	for _, s := range []string{seed, `{"hooks": [` + entryA + `}]}`, `{"hooks": [` + entryA + `, "when": "invoked", "match": "a|b", "max_copies": 3}, 3, []]}`, "\ufeff{\"hooks\":\r\n[{\"name\": \"\\u00e9\"}]}", `{"hooks": [{`, `{"hooks": {}}`, "", `{"a": [[{"hooks": 1}]], "hooks": [{"name": "]"}]}`} {
		f.Add([]byte(s))
	}
	dir := put(f, f.TempDir(), map[string]string{"s/hooks/a.md": "a", "s/hooks/hooks.json": ""})
	file := filepath.Join(dir, "s", "hooks", "hooks.json")
	f.Add([]byte(`{"hooks": [` + strings.TrimSuffix(entryA, "}") + `, "max_copIes": 3}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		must.Do(t, os.WriteFile(file, text, 0o644))
		hooks, problems := Skill{Name: "s", Dir: filepath.Join(dir, "s")}.Hooks(nil)
		lines := strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n")
		for _, p := range problems {
			if p.Message == "" || p.File != file || p.Line > len(lines) || p.Line > 0 && p.Column > len([]rune(lines[p.Line-1]))+1 || p.Line > 0 && p.Column < 1 {
				t.Errorf("%+v", p)
			}
		}
		if len(hooks) == 0 {
			return
		}
		var doc struct {
			Hooks []json.RawMessage `json:"hooks"`
		}
		must.Do(t, json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &doc))
		for _, h := range hooks {
			if !slices.ContainsFunc(doc.Hooks, func(raw json.RawMessage) bool {
				var e struct {
					Name, File, Timing, Role string
					Persistent               *bool
					Match, When              string
					Tools                    []string `json:"tool_filter"`
					Max                      int      `json:"max_copies"`
				}
				return json.Unmarshal(ourKeys(raw), &e) == nil && e.Name == h.Name && Timing(e.Timing) == h.Timing && Role(e.Role) == h.Role &&
					e.Persistent != nil && *e.Persistent == h.Persistent && e.Match == h.Match && e.Max == h.MaxCopies && (e.When == "invoked") == h.Invoked &&
					(h.Timing != AfterToolCall || slices.Equal(e.Tools, h.Tools))
			}) {
				t.Errorf("%+v is not in %s", h, text)
			}
		}
	})
}

// ourKeys is an entry without the keys that json.Unmarshal takes for ours though they differ in
// the size of a letter: max_copIes.
func ourKeys(entry json.RawMessage) json.RawMessage {
	var keys map[string]json.RawMessage
	if json.Unmarshal(entry, &keys) != nil {
		return entry
	}
	maps.DeleteFunc(keys, func(key string, _ json.RawMessage) bool { return key != strings.ToLower(key) })
	b, err := json.Marshal(keys)
	if err != nil {
		return entry
	}
	return b
}
