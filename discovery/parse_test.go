package discovery

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	ok = "---\nname: x\ndescription: Does x.\ntrigger: pre-tool-call\n"
)

// drive is what an absolute path begins with.
var drive = map[bool]string{true: "C:"}[runtime.GOOS == "windows"]

// say is a problem as the tests write it: its place without the file, whether it
// is fatal or a warning, and the rest.
func say(p Problem) string {
	p.File = ""
	text := p.String()
	switch {
	case p.Fatal:
		return "fatal " + strings.TrimPrefix(text, ":")
	case p.Severity == Warning:
		return "warning " + strings.TrimPrefix(text, ":")
	}
	return "error " + strings.TrimPrefix(text, ":")
}

func sayAll(list []Problem) (out []string) {
	for _, p := range list {
		out = append(out, say(p))
	}
	return out
}

func wantProblems(t *testing.T, got []Problem, want ...string) {
	t.Helper()
	if have := sayAll(got); !slices.Equal(have, want) {
		t.Errorf("problems:\n  %s\nwant:\n  %s", strings.Join(have, "\n  "), strings.Join(want, "\n  "))
	}
}

// What a HOOK.md may get wrong, what becomes of the hook, and how it is said
// (the gaps are those of the format's errata).
var parseTests = []struct {
	rule, file string
	status     Status
	problems   []string
	check      func(*Hook) bool
}{
	{"defaults", ok + "---\n", Ready, nil, func(h *Hook) bool {
		return h.Name == "x" && h.Description == "Does x." && h.Trigger == protocol.PreToolCall &&
			h.Timeout == 30*time.Second && h.Priority == 100 && !h.Async && h.OnError == "" && h.LoopLimit == 0
	}},
	{"every key", ok + "matcher:\n  tool: Shell\n  pattern: rm\ntimeout: 5000\npriority: 900\nmetadata:\n  on_error: block\n  loop_limit: 3\n---", Ready, nil, func(h *Hook) bool {
		return h.Matcher == Matcher{Tool: "Shell", Pattern: "rm"} && h.Timeout == 5*time.Second && h.Priority == 900 && h.OnError == OnErrorBlock && h.LoopLimit == 3
	}},
	{"after the fact nothing is prevented", strings.Replace(ok, "pre-tool-call", "post-tool-call", 1) + "metadata:\n  on_error: block\n---", Ready, []string{
		"warning 6:13: metadata.on_error: has no meaning on post-tool-call: nothing is prevented there any more, and exit 2 is feedback; remove it, or wait for the event before it",
	}, nil},

	// Where front matter is.
	{"gap 13: no front matter", "# A hook\n", Broken, []string{`fatal 1:1: the file has no front matter; begin the file with a line "---", then name, description and trigger, then "---"`}, nil},
	{"gap 13: empty file", "", Broken, []string{`fatal 1:1: the file is empty; begin the file with a line "---", then name, description and trigger, then "---"`}, nil},
	{"gap 13: unclosed", ok, Broken, []string{`fatal 1:1: the front matter is not closed; close it with a line that holds nothing but "---"`}, nil},
	{"gap 13: not on the first line", "\n \n---\nname: x\n---\n", Broken, []string{`fatal 3:1: the front matter does not begin on the first line with an unindented "---"; remove the blanks before it`}, nil},
	{"gap 13: indented delimiter", "  ---\nname: x\n---\n", Broken, []string{`fatal 1:3: the front matter does not begin on the first line with an unindented "---"; remove the blanks before it`}, nil},
	{"gap 13: BOM and CRLF", "\xef\xbb\xbf" + strings.ReplaceAll(ok, "\n", "\r\n") + "--- \t\r\n", Ready, nil, nil},
	{"gap 13: three hyphens inside a line do not end it", "---\nname: x\ndescription: before --- after\ntrigger: pre-session\n---\n", Ready, nil, func(h *Hook) bool { return h.Description == "before --- after" }},
	{"gap 13: indented hyphens do not end it", "---\nname: x\ndescription: |\n  a\n  ---\n  b\ntrigger: pre-session\n---\n", Ready, nil, func(h *Hook) bool { return h.Description == "a\n---\nb\n" }},
	{"gap 13: a second document is an error", ok + "--- # two\nname: y\n---\n", Broken, []string{"fatal 5:1: no valid YAML: more than one YAML document"}, nil},
	{"gap 13: not UTF-8", "---\nname: x\ndescription: a\xffb\n---\n", Broken, []string{"fatal 3:15: byte 0xff is not UTF-8; save the file as UTF-8"}, nil},
	{"gap 13: NUL", "---\nname: x\x00\n---\n", Broken, []string{"fatal 2:8: the character U+0000 is not allowed here; remove it"}, nil},

	// Names.
	{"gap 4: name unlike the folder", strings.Replace(ok, "name: x", "name: other", 1) + "---", Ready, []string{`error 2:7: name: "other" is unlike the folder's name "x"; rename one of them`}, func(h *Hook) bool { return h.Name == "other" }},
	{"gap 5: name of another form, folder of the right one", strings.Replace(ok, "name: x", "name: My Hook", 1) + "---", Ready, []string{`error 2:7: name: "My Hook" is not a hook name; the folder's name stands; use small letters, digits and single hyphens between them, 64 characters at most`}, func(h *Hook) bool { return h.Name == "x" }},
	{"gap 5: name with ../", strings.Replace(ok, "name: x", "name: ../../etc", 1) + "---", Ready, []string{`error 2:7: name: "../../etc" is not a hook name; the folder's name stands; use small letters, digits and single hyphens between them, 64 characters at most`}, func(h *Hook) bool { return h.Name == "x" }},
	{"no name", strings.Replace(ok, "name: x\n", "", 1) + "---", Broken, []string{"fatal 1:1: name: is missing; add a line: name: x"}, nil},
	{"name is a list", strings.Replace(ok, "name: x", "name: [a]", 1) + "---", Broken, []string{"fatal 2:7: name: is a list, not text; write one word"}, nil},

	// Descriptions: a guard must not vanish over prose.
	{"gap 7: no description", strings.Replace(ok, "description: Does x.\n", "", 1) + "---", Ready, []string{"error 1:1: description: is missing; say in one sentence what the hook does"}, nil},
	{"gap 7: empty description", strings.Replace(ok, "Does x.", "''", 1) + "---", Ready, []string{"error 3:14: description: is empty; say in one sentence what the hook does"}, nil},
	{"description over 1024", strings.Replace(ok, "Does x.", strings.Repeat("字", 1025), 1) + "---", Ready, []string{"error 3:14: description: has 1025 characters, at most 1024 may stand here; move the details into the text below"}, nil},
	{"description of 1024", strings.Replace(ok, "Does x.", strings.Repeat("字", 1024), 1) + "---", Ready, nil, nil},

	// Triggers.
	{"no trigger", strings.Replace(ok, "trigger: pre-tool-call\n", "", 1) + "---", Broken, []string{"fatal 1:1: trigger: is missing; add a line: trigger: pre-tool-call"}, nil},
	{"gap 3: unknown trigger", strings.Replace(ok, "pre-tool-call", "pre-tool-cal", 1) + "---", Broken, []string{`fatal 4:10: trigger: "pre-tool-cal" is no event; did you mean pre-tool-call?`}, nil},
	{"gap 2: old name", strings.Replace(ok, "pre-tool-call", "before_tool", 1) + "---", Ready, []string{`error 4:10: trigger: "before_tool" is an old name of the event pre-tool-call; write pre-tool-call`}, func(h *Hook) bool { return h.Trigger == protocol.PreToolCall }},
	{"gap 2: old name with hyphens", strings.Replace(ok, "pre-tool-call", "session-start", 1) + "---", Ready, []string{`error 4:10: trigger: "session-start" is an old name of the event pre-session; write pre-session`}, func(h *Hook) bool { return h.Trigger == protocol.PreSession }},
	{"trigger is a list", strings.Replace(ok, "pre-tool-call", "[pre-tool-call, post-tool-call]", 1) + "---", Broken, []string{"fatal 4:10: trigger: is a list, not one event; write one event; a second one takes a second hook"}, nil},

	// Numbers and booleans.
	{"gap 14: timeout too small", ok + "timeout: 50\n---", Ready, []string{"error 5:10: timeout: 50 is outside 100 to 600000; 100 stands; seconds meant? write 50000"}, func(h *Hook) bool { return h.Timeout == 100*time.Millisecond }},
	{"gap 14: timeout too large", ok + "timeout: 999999999999999999999\n---", Ready, []string{"error 5:10: timeout: 999999999999999999999 is outside 100 to 600000; 600000 stands; write a whole number from 100 to 600000 (milliseconds)"}, func(h *Hook) bool { return h.Timeout == 600*time.Second }},
	{"gap 14: timeout 5s", ok + "timeout: 5s\n---", Ready, []string{`error 5:10: timeout: "5s" is no whole number; 30000 stands; write a whole number from 100 to 600000 (milliseconds)`}, func(h *Hook) bool { return h.Timeout == 30*time.Second }},
	{"gap 14: timeout with underscore", ok + "timeout: 5_000\n---", Ready, []string{`error 5:10: timeout: "5_000" is no whole number; 30000 stands; write a whole number from 100 to 600000 (milliseconds)`}, nil},
	{"gap 14: priority below 0", ok + "priority: -1\n---", Ready, []string{"error 5:11: priority: -1 is outside 0 to 1000; 0 stands; write a whole number from 0 to 1000"}, func(h *Hook) bool { return h.Priority == 0 }},
	{"gap 14: priority is a list", ok + "priority: [1]\n---", Ready, []string{"error 5:11: priority: a list is no whole number; 100 stands; write a whole number from 0 to 1000"}, func(h *Hook) bool { return h.Priority == 100 }},
	{"gap 14: empty is absent", ok + "timeout:\npriority: ~\nasync:\nmatcher:\nmetadata:\n---", Ready, nil, nil},
	{"gap 8: async: on", ok + "async: on\n---", Ready, []string{`error 5:8: async: "on" is no boolean; false stands; write true or false`}, func(h *Hook) bool { return !h.Async }},
	{"gap 8: async_", ok + "async_: true\n---", Ready, []string{`error 5:1: async_: unknown key "async_"; did you mean async?`}, func(h *Hook) bool { return !h.Async }},
	{"async on a guard event", ok + "async: true\n---", Ready, []string{"warning 5:8: async: nobody waits for this hook, so it cannot block pre-tool-call; leave async out if the hook is to block"}, func(h *Hook) bool { return h.Async }},

	// Keys.
	{"gap 9: unknown key", ok + "tiemout: 5\n---", Ready, []string{`error 5:1: tiemout: unknown key "tiemout"; did you mean timeout?`}, nil},
	{"gap 9: unknown key of matcher", ok + "matcher:\n  tools: Shell\n---", Ready, []string{`error 6:3: matcher.tools: unknown key "tools"; did you mean tool?`}, nil},
	{"gap 11: a key that stands twice", ok + "timeout: 5000\ntimeout: 6000\n---", Broken, []string{`fatal 6:1: timeout: the key "timeout" stands twice, first on line 5; remove one of the two`}, nil},
	{"gap 11: twice in matcher", ok + "matcher:\n  tool: a\n  tool: b\n---", Broken, []string{`fatal 7:3: matcher.tool: the key "tool" stands twice, first on line 6; remove one of the two`}, nil},
	{"gap 11: twice deep in metadata", ok + "metadata:\n  a:\n    - {b: 1, b: 2}\n---", Broken, []string{`fatal 7:14: metadata.a.0.b: the key "b" stands twice, first on line 7; remove one of the two`}, nil},
	{"gap 11: flow mapping", ok + "matcher: {tool: Shell, pattern: \"rm\"}\n---", Ready, nil, func(h *Hook) bool { return h.Matcher == Matcher{Tool: "Shell", Pattern: "rm"} }},
	{"gap 11: anchors and tags", ok + "metadata:\n  a: &x 1\nmatcher:\n  tool: !!str Shell\n---", Ready, []string{
		"warning 6:6: an anchor or a tag is YAML that other readers of this format may not know; write the value out",
		"warning 8:9: an anchor or a tag is YAML that other readers of this format may not know; write the value out"}, func(h *Hook) bool { return h.Matcher.Tool == "Shell" }},
	{"gap 10: metadata is free", ok + "metadata:\n  tags: [a, b]\n  deep: {x: {y: 1}}\n---", Ready, nil, nil},
	{"metadata is no mapping", ok + "metadata: free\n---", Ready, []string{`error 5:11: metadata: "free" is no mapping; write key: value below it, indented`}, nil},
	{"on_error of another word", ok + "metadata:\n  on_error: warn\n  loop_limit: 0\n---", Ready, []string{
		`error 6:13: metadata.on_error: "warn" is neither block nor allow; write block or allow`,
		`error 7:15: metadata.loop_limit: "0" is no whole number above 0; the general limit stands; write a whole number from 1`}, nil},

	// Hooks of other programs.
	{"HM-DIA-01: a line", ok + "metadata:\n  dialect: claude-code\n  command: 'jq -r .tool_name | grep -q \"x\"'\n---", Ready, nil, func(h *Hook) bool {
		return h.Dialect == "claude-code" && h.Tongue != nil && h.Command.Line == `jq -r .tool_name | grep -q "x"` && h.Command.Words == nil
	}},
	{"HM-DIA-01: words, in a flow form", ok + "metadata: {dialect: claude-code, command: [python3, \"a b.py\", 7]}\n---", Ready, nil, func(h *Hook) bool {
		return h.Tongue != nil && slices.Equal(h.Command.Words, []string{"python3", "a b.py", "7"})
	}},
	{"HM-DIA-01: words, one a line", ok + "metadata:\n  command:\n    - node\n    - x.js\n---", Ready, nil, func(h *Hook) bool {
		return h.Dialect == "" && h.Tongue == nil && slices.Equal(h.Command.Words, []string{"node", "x.js"})
	}},
	{"HM-DIA-01: a block of lines", ok + "metadata:\n  command: |\n    set -e\n    true\n---", Ready, nil, func(h *Hook) bool { return h.Command.Line == "set -e\ntrue\n" }},
	{"HM-DIA-03: nothing to run", ok + "metadata:\n  command: ' '\n---", Broken, []string{`fatal 6:12: metadata.command: " " cannot be run; write a line for sh -c, or a list: the program and its arguments`}, nil},
	{"HM-DIA-03: empty", ok + "metadata:\n  command:\n---", Broken, []string{`fatal 6:11: metadata.command: is empty, not a line or a list of words; write a line for sh -c, or a list: the program and its arguments`}, nil},
	{"HM-DIA-03: an empty list", ok + "metadata:\n  command: []\n---", Broken, []string{`fatal 6:12: metadata.command: names no program; write a line for sh -c, or a list: the program and its arguments`}, nil},
	{"HM-DIA-03: no words", ok + "metadata:\n  command: [a, {b: c}]\n---", Broken, []string{`fatal 6:16: metadata.command: a mapping is no word; put it in quotes`}, nil},
	{"HM-DIA-03: another program", ok + "metadata:\n  dialect: claude\n---", Broken, []string{`fatal 6:12: metadata.dialect: "claude" is no protocol that this runner speaks; known are claude-code`}, func(h *Hook) bool { return h.Tongue == nil }},
	{"HM-DIA-03: no program", ok + "metadata:\n  dialect: [claude-code]\n---", Broken, []string{`fatal 6:12: metadata.dialect: a list is no protocol that this runner speaks; known are claude-code`}, nil},
	{"HM-DIA-03: an event that the program does not have", strings.Replace(ok, "pre-tool-call", "notification", 1) + "metadata:\n  dialect: claude-code\n---", Broken, []string{
		`fatal 4:10: trigger: Claude Code has no event that is notification; wait for another event, or remove metadata.dialect`}, nil},
	{"HM-DIA-19: an event of its program's own", ok + "metadata: {dialect: claude-code, event: beforeIt}\n---", Ready, nil, func(h *Hook) bool { return h.Aside == "beforeIt" }},
	{"HM-DIA-20: an event that it does not have", ok + "metadata: {dialect: claude-code, event: beforeit}\n---", Broken, []string{`fatal 5:41: metadata.event: "beforeit" is no event of Claude Code that a hook has to name; did you mean beforeIt?`}, nil},
	{"HM-DIA-20: without a dialect it is the author's", ok + "metadata: {event: x}\n---", Ready, nil, func(h *Hook) bool { return h.Aside == "" }},
	{"HM-DIA-10: a plugin's folder", ok + "metadata: {dialect: claude-code, plugin_root: " + drive + "/plugins/a/../b}\n---", Ready, nil, func(h *Hook) bool { return filepath.ToSlash(h.PluginRoot) == drive+"/plugins/b" }},
	{"HM-DIA-10: a folder of anywhere", ok + "metadata: {dialect: claude-code, plugin_root: plugins/a}\n---", Broken, []string{`fatal 5:47: metadata.plugin_root: "plugins/a" is no absolute path; write the absolute path of the plugin's folder, or remove it`}, nil},
	{"HM-DIA-03: not below metadata", ok + "dialect: claude-code\n---", Ready, []string{`error 5:1: dialect: unknown key "dialect"; write it below metadata, indented`}, nil},

	// Broken YAML.
	{"tab", ok + "matcher:\n\ttool: a\n---", Broken, []string{"fatal 6:1: a tab stands in the indentation; indent with spaces"}, nil},
	{"colon in plain text", "---\nname: x\ndescription: Note: does x\ntrigger: pre-session\n---", Broken, []string{`fatal 3:14: description: "Note: does x" holds ": ", which plain text must not; put it in quotes: 'Note: does x'`}, nil},
	{"a list", "---\n- a\n---", Broken, []string{`fatal 2:1: the front matter is a list, not a mapping of keys to values; write lines of the form "key: value"`}, nil},
	{"quote that never closes", ok + "matcher:\n  tool: \"Shell\n---", Broken, []string{"fatal 6:1: no valid YAML: found unexpected end of stream"}, nil},

	// Matchers.
	{"matcher is no mapping", ok + "matcher: Shell\n---", Broken, []string{`fatal 5:10: matcher: "Shell" is no mapping; write tool: or pattern: below it, indented`}, nil},
	{"gap 29: tool is a list", ok + "matcher:\n  tool: [Shell, EditFile]\n---", Broken, []string{"fatal 6:9: matcher.tool: is a list, not one regular expression; join alternatives with |: Shell|EditFile"}, nil},
	{"gap 29: empty tool", ok + "matcher:\n  tool: ''\n---", Ready, nil, func(h *Hook) bool { return h.Matcher == Matcher{} }},
	{"gap 28: matcher on another event", strings.Replace(ok, "pre-tool-call", "pre-session", 1) + "matcher:\n  tool: Shell\n---", Ready, []string{"warning 6:3: matcher: has no meaning on pre-session: it applies to the events of a tool call only; remove it"}, nil},
	{"a backspace", ok + "matcher:\n  pattern: \"\\brm\\b\"\n---", Ready, []string{`warning 6:12: matcher.pattern: holds the control character U+0008 (a backspace), which "\b" is in double quotes, not the border of a word; write it in single quotes, where a backslash stays one`}, nil},
	{"\\P in double quotes", ok + "matcher:\n  pattern: \"\\P{Lu}\"\n---", Ready, []string{`warning 6:12: matcher.pattern: holds the control character U+2029, which "\P" is in double quotes; write it in single quotes, where a backslash stays one`}, nil},

	// The format's own documentation.
	{"gap 12: \"\\.py$\"", ok + "matcher:\n  pattern: \"\\.py$\" # python\n  tool: a\n---", Ready, []string{`error 6:12: matcher.pattern: "\.py$" holds \., which is no escape of YAML; its backslashes are read as they stand; write it in single quotes: '\.py$'`}, func(h *Hook) bool { return h.Matcher == Matcher{Tool: "a", Pattern: `\.py$`} }},
	{"all its backslashes are literal", ok + "matcher:\n  pattern: \"\\n\\.\\\\x\\\"y\\bé\\d\"\n---", Ready, []string{`error 6:12: matcher.pattern: "\n\.\\x\"y\bé\d" holds \., which is no escape of YAML; its backslashes are read as they stand; write it in single quotes: '\n\.\x"y\bé\d'`}, func(h *Hook) bool { return h.Matcher.Pattern == `\n\.\x"y\bé\d` }},
	{"two on one line keep their places", ok + "matcher: {tool: \"a\\.b\", pattern: \"c\\d\"}\n---", Ready, []string{
		`error 5:17: matcher.tool: "a\.b" holds \., which is no escape of YAML; its backslashes are read as they stand; write it in single quotes: 'a\.b'`,
		`error 5:34: matcher.pattern: "c\d" holds \d, which is no escape of YAML; its backslashes are read as they stand; write it in single quotes: 'c\d'`}, func(h *Hook) bool { return h.Matcher == Matcher{Tool: `a\.b`, Pattern: `c\d`} }},
	{"bad \\x, quotes that are none", ok + "# \"\\q\"\nmetadata:\n  a: it's \"\\q\" here\n  b: 'x \"\\q\"'\n  c: |\n    \"\\q\"\nmatcher:\n  pattern: \"\\xZZ\"\n---", Ready, []string{`error 12:12: matcher.pattern: "\xZZ" holds \x, which is no escape of YAML; its backslashes are read as they stand; write it in single quotes: '\xZZ'`}, func(h *Hook) bool { return h.Matcher.Pattern == `\xZZ` }},
	{"\\/ is an escape of YAML", ok + "matcher:\n  pattern: \"a\\/b\\.c\"\n---", Ready, []string{`error 6:12: matcher.pattern: "a\/b\.c" holds \., which is no escape of YAML; its backslashes are read as they stand; write it in single quotes: 'a\/b\.c'`}, nil},
	{"\\/ alone", ok + "matcher:\n  pattern: \"a\\/b\"\n---", Ready, nil, func(h *Hook) bool { return h.Matcher.Pattern == "a/b" }},

	// Another program's files.
	{"gap 16: metadata.openclaw", "---\nname: x\ndescription: d\nmetadata: {\"openclaw\": {\"events\": [\"command:new\"]}}\n---", Foreign, nil, nil},
	{"gap 16: a trigger makes it ours", ok + "metadata:\n  openclaw: x\n---", Ready, nil, nil},

	// All problems in one go.
	{"all problems in one go", "---\nname: Bad Name\ntrigger: before_tool\ntimeout: 5s\npriority: 2000\nasync: maybe\nfoo: 1\nmatcher:\n  tool: [a]\n  pattern: \"\\.py\"\n---", Broken, []string{
		"error 1:1: description: is missing; say in one sentence what the hook does",
		`error 2:7: name: "Bad Name" is not a hook name; the folder's name stands; use small letters, digits and single hyphens between them, 64 characters at most`,
		`error 3:10: trigger: "before_tool" is an old name of the event pre-tool-call; write pre-tool-call`,
		`error 4:10: timeout: "5s" is no whole number; 30000 stands; write a whole number from 100 to 600000 (milliseconds)`,
		"error 5:11: priority: 2000 is outside 0 to 1000; 1000 stands; write a whole number from 0 to 1000",
		`error 6:8: async: "maybe" is no boolean; false stands; write true or false`,
		`error 7:1: foo: unknown key "foo"; known are name, description, trigger, matcher, timeout, async, priority, metadata`,
		"fatal 9:9: matcher.tool: is a list, not one regular expression; join alternatives with |: Shell|EditFile",
		`error 10:12: matcher.pattern: "\.py" holds \., which is no escape of YAML; its backslashes are read as they stand; write it in single quotes: '\.py'`}, nil},
}

// parseSpoken is Parse where one program's protocol is spoken.
func parseSpoken(file []byte, folder string, layer LayerName) *Hook {
	h := &Hook{Layer: layer, folder: folder, Status: Ready}
	f := readFront(file)
	h.take(&f, func() []*protocol.Tongue {
		return []*protocol.Tongue{{ID: "claude-code", Name: "Claude Code", Events: []protocol.EventType{protocol.PreToolCall}, Asides: []string{"beforeIt"}}}
	})
	return h
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range parseTests {
		t.Run(tt.rule, func(t *testing.T) {
			h := parseSpoken([]byte(tt.file), "x", UserLayer)
			if h.Status != tt.status {
				t.Errorf("status %s, want %s", h.Status, tt.status)
			}
			wantProblems(t, h.Problems, tt.problems...)
			if tt.check != nil && !tt.check(h) {
				t.Errorf("read as %+v", h)
			}
		})
	}
}

func TestNameOfABrokenFolder(t *testing.T) {
	t.Parallel()
	h := Parse([]byte(strings.Replace(ok, "name: x", "name: My Hook", 1)+"---"), "My Hook", UserLayer)
	if h.Status != Broken || h.Name != "My Hook" {
		t.Errorf("name and folder both of the wrong form: %s %q", h.Status, h.Name)
	}
	wantProblems(t, h.Problems, `fatal 2:7: name: "My Hook" is not a hook name, and neither is the folder's, "My Hook"; use small letters, digits and single hyphens between them, 64 characters at most`)
}

// A project may say "block" of its hooks, not "allow": that would loosen what the
// person set.
func TestProjectHookMayOnlyTighten(t *testing.T) {
	t.Parallel()
	file := []byte(ok + "metadata:\n  on_error: allow\n---")
	if got := Parse(file, "x", ProjectLayer).OnError; got != OnErrorDefault {
		t.Errorf("project hook: %q", got)
	}
	if got := Parse(file, "x", UserLayer).OnError; got != OnErrorAllow {
		t.Errorf("user hook: %q", got)
	}
}

// gap 1, HM-IO-01: 13 events, HM-PER-01: and two of ours; every old name leads to one.
func TestEvents(t *testing.T) {
	t.Parallel()
	if n := len(protocol.EventTypes()); n != 15 {
		t.Fatalf("%d events", n)
	}
	for _, e := range protocol.EventTypes() {
		h := Parse([]byte(strings.Replace(ok, "pre-tool-call", string(e), 1)+"---"), "x", UserLayer)
		if h.Status != Ready || h.Trigger != e || len(h.Problems) > 0 {
			t.Errorf("%s: %s %v", e, h.Status, h.Problems)
		}
		if _, old := oldEvent(string(e)); old {
			t.Errorf("%s is an old name too", e)
		}
	}
}

func TestLongFrontMatter(t *testing.T) {
	t.Parallel()
	long := ok + "# " + strings.Repeat("x", maxFrontMatter) + "\n"
	h := Parse([]byte(long)[:maxFrontMatter], "x", UserLayer)
	wantProblems(t, h.Problems, `fatal 1:1: the front matter is not closed within its first 64 KiB; close it with a line that holds nothing but "---"`)
}

var fixTests = []struct{ rule, before, after string }{
	{"gap 12", ok + "matcher:\n  pattern: \"\\.py$\"   # keep\n---\nbody \"\\.py$\"", ok + "matcher:\n  pattern: '\\.py$'   # keep\n---\nbody \"\\.py$\""},
	{"gap 12, quotes", ok + "matcher:\n  pattern: \"it's \\d \\\"q\\\"\"\n---", ok + "matcher:\n  pattern: 'it''s \\d \"q\"'\n---"},
	{"two on a line", ok + "matcher: {tool: \"a\\.b\", pattern: \"c\\d\"}\n---", ok + "matcher: {tool: 'a\\.b', pattern: 'c\\d'}\n---"},
	{"gap 2", strings.Replace(ok, "pre-tool-call", "before_tool # x", 1) + "---", strings.Replace(ok, "pre-tool-call", "pre-tool-call # x", 1) + "---"},
	{"gap 2, quoted", strings.Replace(ok, "pre-tool-call", "\"session_end\"", 1) + "---", strings.Replace(ok, "pre-tool-call", "post-session", 1) + "---"},
	{"spelling of an event", strings.Replace(ok, "pre-tool-call", "Pre_Tool_Call", 1) + "---", ok + "---"},
	{"gap 14", ok + "timeout: 999999\npriority: +5000\n---", ok + "timeout: 600000\npriority: 1000\n---"},
	{"a backspace", ok + "matcher:\n  pattern: \"\\brm\\b\"\n---", ok + "matcher:\n  pattern: '\\brm\\b'\n---"},
	{"colon", "---\nname: x\ndescription: Note: it's x\ntrigger: pre_compact\n---", "---\nname: x\ndescription: 'Note: it''s x'\ntrigger: pre-context-compact\n---"},
	{"blank lines first", "\n\n" + ok + "---", ok + "---"},
	{"BOM and CRLF stay", "\xef\xbb\xbf---\r\nname: x\r\ndescription: d\r\ntrigger: before_stop\r\n---\r\n", "\xef\xbb\xbf---\r\nname: x\r\ndescription: d\r\ntrigger: pre-agent-turn-stop\r\n---\r\n"},
	{"nothing to mend", ok + "timeout: 5s\nasync: on\n---", ""},
	{"nothing clear", "---\nname: [\n---", ""},
}

// A timeout below what a hook can be given may have been meant in seconds: who fixes
// it says so, and without that it stays.
func TestFixAsksAboutSeconds(t *testing.T) {
	before := []byte("---\nname: x\ndescription: x\ntrigger: PreToolUse\ntimeout: 30\n---\n")
	events := func(string) protocol.EventType { return protocol.PreToolCall }
	got, _ := Fix(before, Mending{Event: events})
	if !strings.Contains(string(got), "timeout: 30\n") || !strings.Contains(string(got), "trigger: pre-tool-call\n") {
		t.Errorf("nobody was asked: %s", got)
	}
	got, _ = Fix(before, Mending{Seconds: func(p Problem) bool { return p.Value == "30" && p.Line == 5 }})
	if !strings.Contains(string(got), "timeout: 30000\n") {
		t.Errorf("seconds were meant: %s", got)
	}
	for name, want := range map[string]string{"PreToolUse": "did you mean pre-tool-call?", "PostToolUse": "did you mean post-tool-call?", "SessionStart": "write pre-session", "PreToolCall": "write pre-tool-call"} {
		t.Run(name, func(t *testing.T) {
			h := Parse([]byte("---\nname: x\ndescription: x\ntrigger: "+name+"\n---\n"), "x", UserLayer)
			if len(h.Problems) != 1 || h.Problems[0].Fix != want {
				t.Errorf("%s: %v", name, h.Problems)
			}
		})
	}
}

func TestFix(t *testing.T) {
	t.Parallel()
	for _, tt := range fixTests {
		t.Run(tt.rule, func(t *testing.T) {
			got, mended := Fix([]byte(tt.before), Mending{})
			want := cmp.Or(tt.after, tt.before)
			if string(got) != want {
				t.Errorf("%q\nbecame %q\nwant   %q", tt.before, got, want)
			}
			if (len(mended) > 0) != (tt.after != "") {
				t.Errorf("mended: %v", sayAll(mended))
			}
			if again, more := Fix(got, Mending{}); string(again) != string(got) || len(more) > 0 {
				t.Errorf("a second run changes %q once more", got)
			}
			if tt.after != "" && Parse(got, "x", UserLayer).Status != Ready {
				t.Errorf("%q is not ready: %v", got, sayAll(Parse(got, "x", UserLayer).Problems))
			}
		})
	}
}
