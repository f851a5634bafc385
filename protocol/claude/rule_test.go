package claude

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/agents-hooks/agents-hooks/protocol/internal/mirror"
)

// A permission rule becomes the tools that it names and an expression that finds what it does.
func TestRules(t *testing.T) {
	for rule, c := range map[string]struct{ tools, finds, not string }{
		"Bash":                         {"Bash", "anything", ""},
		"Bash(*)":                      {"Bash", "anything", ""},
		"Agent(reviewer)":              {"Agent Task", "reviewer", "reviewers"},
		"mcp__hub":                     {"mcp__hub__*", "anything", ""},
		"mcp__hub__find":               {"mcp__hub__find", "anything", ""},
		"Bash(git push:*)":             {"Bash", "git push|git push x", "git pushes|git"},
		"Bash(git * main)":             {"Bash", "git push main|git  main", "git push"},
		"Edit(/src/*.go)":              {"Edit", "./src/a.go|./SRC/A.GO", "./src/b/a.go|./a.go"},
		"Edit(*.go)":                   {"Edit", "./a/b.go|/x.go", "./a.gob"},
		"Edit(a[bc]d)":                 {"Edit", "./abd|./x/acd", "./aed|./ad|./abcd"},
		"Edit(a[!bc]d)":                {"Edit", "./aed", "./abd|./acd|./a/d"},
		"Edit([a-c]x)":                 {"Edit", "./bx", "./dx"},
		"Edit(a[[]d)":                  {"Edit", "./a[d", "./ad"},
		"Edit(a[])":                    {"Edit", "./a[]", "./a"},
		`Edit(a\*)`:                    {"Edit", "./a*", "./ab"},
		"Edit(a?c)":                    {"Edit", "./abc", "./a/c|./ac"},
		"Read(~/x/**)":                 {"Read", "~/x/y", "./x/y"},
		"Read(//etc/**)":               {"Read", "/etc/hosts", "./etc/hosts"},
		"WebFetch(domain:example.org)": {"WebFetch", "https://example.org/x|http://u@example.org:80", "https://example.org.evil|https://a.example.org"},
	} {
		t.Run(rule, func(t *testing.T) {
			got, why := condition(rule)
			if why != "" || strings.Join(got.Tools, " ") != c.tools {
				t.Fatalf("tools %q, %s", got.Tools, why)
			}
			expr := regexp.MustCompile(got.Command + got.Path + got.Pattern)
			for _, text := range strings.Split(c.finds, "|") {
				if !expr.MatchString(text) {
					t.Errorf("%s does not find %q", expr, text)
				}
			}
			if c.not == "" && expr.String() != "" {
				t.Errorf("%s, and not everything", expr)
			}
			for _, text := range strings.Split(c.not, "|") {
				if c.not != "" && expr.MatchString(text) {
					t.Errorf("%s finds %q", expr, text)
				}
			}
		})
	}
	for rule, want := range map[string]string{
		"": "not a rule", "(x)": "not a rule", "Ba sh": "not a rule", "A/b(x)": "not a rule", "@(x)": "not a rule", "[(x)": "not a rule", "{(x)": "not a rule", "Bash(x": "not closed",
		"Bash(a) Bash(b)": "more than one", "Bash(a)|Edit(b)": "more than one", "WebFetch(example.org)": "no domain", "Grep(x)": "nothing is known",
		"Edit(!x)": "begins with !", "Edit(../x)": "leads out", "Edit(a/../x)": "leads out", "Edit(*.{a,b})": "braces",
	} {
		if _, why := condition(rule); !strings.Contains(why, want) {
			t.Errorf("%q: %q, want %q", rule, why, want)
		}
	}
	for _, name := range []string{"a", "z", "A", "Z", "0", "9", "_", "-", "*"} {
		if c, why := condition(name); why != "" || !slices.Equal(c.Tools, []string{name}) {
			t.Errorf("%s: %v, %s", name, c.Tools, why)
		}
	}
}

// What a call of another agent failed with is its error, else the first that it wrote; the
// text of an MCP tool is a block of its answer, unless it is a list already.
func TestResultsOfAnotherAgentsCalls(t *testing.T) {
	text := func(s string) *string { return &s }
	payload := func(fields, name string, r *protocol.Result, native string) protocol.Object {
		ev := &protocol.Event{Type: protocol.PostToolCall, Agent: "another", SessionID: "s"}
		ev.Fields, _ = protocol.ParseObject([]byte(fields))
		ev.PutCall(protocol.Tools(nil).NewCall(name, protocol.Raw(`{}`)), "c")
		deed.Of(ev).Result = r
		return toolPayload(ev, native, mirror.Call{Name: name})
	}
	for name, c := range map[string]struct {
		fields string
		result *protocol.Result
		want   string
	}{
		"its own":        {`{"error": "own"}`, &protocol.Result{Text: text("text")}, "own"},
		"the text":       {`{}`, &protocol.Result{Text: text("text"), Stderr: text("stderr")}, "text"},
		"stderr":         {`{}`, &protocol.Result{Stderr: text("stderr"), Stdout: text("stdout")}, "stderr"},
		"stdout":         {`{}`, &protocol.Result{Stdout: text("stdout")}, "stdout"},
		"nothing at all": {`{}`, nil, ""},
	} {
		if p := payload(c.fields, "Other", c.result, "PostToolUseFailure"); p.Text("error") != c.want || p.Has("error") != (c.want != "") {
			t.Errorf("%s: %s", name, p.Raw())
		}
	}
	for own, want := range map[string]string{
		`"x"`: `[{"type": "text", "text": "text"}]`, `{"a": 1}`: `[{"type": "text", "text": "text"}]`, `[1]`: `[1]`,
	} {
		p := payload(`{"tool_response": `+own+`}`, "mcp__hub__find", &protocol.Result{Text: text("text")}, "PostToolUse")
		if got := p.Get("tool_response"); !mirror.Same(got, protocol.Raw(want)) {
			t.Errorf("%s became %s, want %s", own, got, want)
		}
	}
}
