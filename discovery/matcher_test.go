package discovery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func toolEvent(t testing.TB, tool, native, input string) *protocol.Event {
	t.Helper()
	o, err := protocol.ParseObject([]byte(input))
	must.Do(t, err)
	ev := &protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Name: tool, NativeName: native, Input: o}}
	ev.Fields.SetText("tool_name", tool)
	ev.Fields.Set("tool_input", o.Raw())
	return ev
}

func matcherHook(tool, pattern string) *Hook {
	return &Hook{Name: "x", Status: Ready, Trigger: protocol.PreToolCall, Matcher: Matcher{Tool: tool, Pattern: pattern}}
}

// One dialect of expressions, searched, with regard to
// case, tool on both names, pattern on each leaf.
func TestMatcher(t *testing.T) {
	t.Parallel()
	const input = `{"command": "git push --force", "path": "/src/main.py", "file_path": "/src/main.py", "n": 1.50, "on": true, "none": null,
		"edits": [{"old": "a\nb"}, ["deep"]], "empty": ""}`
	ev := toolEvent(t, "Shell", "run_shell_command", input)
	for _, tt := range []struct {
		rule, tool, pattern string
		gate                string
	}{
		{"gap 29: no matcher", "", "", ""},
		{"gap 27: portable name", "^Shell$", "", ""},
		{"gap 27: the agent's own name", "^run_shell_command$", "", ""},
		{"gap 27: neither", "^Bash$", "", "tool"},
		{"search, not full match", "hel", "", ""},
		{"case counts", "SHELL", "", "tool"},
		{"case may be switched off", "(?i)^SHELL$", "", ""},
		{"alternatives", "EditFile|Shell", "", ""},
		{"an anchored group", "^(Edit|Shell)$", "", ""},
		{"a comma is a comma", "Shell,Edit", "", "tool"},
		{"a hyphen is a hyphen", "Sh-ell", "", "tool"},
		{"an empty alternative matches all", "Edit|", "", ""},
		{"HM-MAT-09: lookahead", "^(?!Edit).*$", "", ""},
		{"HM-MAT-09: back reference", "", `(s)rc/.*\.py`, ""},
		{"gap 24: a text", "", "push --force", ""},
		{"gap 24: anchors are those of the leaf", "", `^/src/.*\.py$`, ""},
		{"gap 24: no multi-line mode", "", "^b", "pattern"},
		{"gap 24: nested in arrays and objects", "", "^deep$", ""},
		{"gap 24: a number in JSON spelling", "", `^1\.50$`, ""},
		{"gap 24: a boolean", "", "^true$", ""},
		{"gap 24: null is no leaf", "", "null", "pattern"},
		{"gap 24: keys are not searched", "", "old|command|file_path", "pattern"},
		{"gap 24: an empty leaf is one", "", "^$", ""},
		{"HM-MAT-05: both must match", "Shell", "push", ""},
		{"HM-MAT-05: tool alone is not enough", "Shell", "pull", "pattern"},
		{"HM-MAT-05: pattern alone is not enough", "Edit", "push", "tool"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			var b Budget
			m := matcherHook(tt.tool, tt.pattern).Match(ev, &b, true)
			if m.OK != (tt.gate == "") || m.Gate != tt.gate || m.Warning != "" {
				t.Errorf("match is %+v, want gate %q", m, tt.gate)
			}
		})
	}
	t.Run("the texts that were tried, each once", func(t *testing.T) {
		var b Budget
		m := matcherHook("", "nothing").Match(ev, &b, true)
		want := []string{"git push --force", "/src/main.py", "1.50", "true", "a\nb", "deep", ""}
		if !slices.Equal(m.Tried, want) {
			t.Errorf("tried %q, want %q", m.Tried, want)
		}
		m = matcherHook("nothing", "").Match(ev, &b, true)
		if want := []string{"Shell", "run_shell_command"}; !slices.Equal(m.Tried, want) {
			t.Errorf("tried %q, want %q", m.Tried, want)
		}
	})
	t.Run("Edit and NotebookEdit, mcp names", func(t *testing.T) {
		var b Budget
		for pattern, names := range map[string]map[string]bool{
			"Edit":                {"Edit": true, "NotebookEdit": true, "edit": false},
			"^Edit$":              {"Edit": true, "NotebookEdit": false},
			"mcp__x__.*":          {"mcp__x__read": true, "mcp__y__read": false},
			"^mcp__[^_]+__write$": {"mcp__fs__write": true, "mcp__fs__write_all": false},
		} {
			t.Run(pattern, func(t *testing.T) {
				for name, want := range names {
					if got := matcherHook(pattern, "").Match(toolEvent(t, name, name, "{}"), &b, false).OK; got != want {
						t.Errorf("%s on %s: %t", pattern, name, got)
					}
				}
			})
		}
	})
	t.Run("gap 28: ignored on other events", func(t *testing.T) {
		h := matcherHook("(", "(")
		h.Trigger = protocol.PreSession
		var b Budget
		if m := h.Match(&protocol.Event{Type: protocol.PreSession}, &b, false); !m.OK {
			t.Errorf("match is %+v", m)
		}
	})
	t.Run("gap 26: an expression that does not compile breaks the hook at its turn", func(t *testing.T) {
		var b Budget
		h := matcherHook("Shell", "(")
		h.at[1] = field{kind: text, text: "(", line: 6, col: 12}
		if m := h.Match(toolEvent(t, "Edit", "", "{}"), &b, false); m.Gate != "tool" || h.Status != Ready {
			t.Errorf("a call that it is not for: %+v, %s", m, h.Status)
		}
		m := h.Match(ev, &b, false)
		if m.OK || m.Gate != "broken" || h.Status != Broken {
			t.Errorf("match is %+v, status %s", m, h.Status)
		}
		wantProblems(t, h.Problems, "fatal 6:12: matcher.pattern: \"(\" does not compile: error parsing regexp: missing closing ) in `(`")
	})
	t.Run("a tool input that is no object", func(t *testing.T) {
		ev := &protocol.Event{Type: protocol.PreToolCall}
		ev.Fields.SetText("tool_name", "Shell")
		ev.Fields.Set("tool_input", protocol.Raw(`["rm", "-rf"]`))
		var b Budget
		if m := matcherHook("Shell", "^rm$").Match(ev, &b, false); !m.OK {
			t.Errorf("match is %+v", m)
		}
	})
}

const bomb = `^(a+)+$`

var bombed = strings.Repeat("a", 40) + "!"

// HM-MAT-16, HM-MAT-17: a crafted argument must not switch a guard off, nor hold
// up the agent.
func TestMatchRunsOutOfTime(t *testing.T) {
	ev := toolEvent(t, "Shell", "Bash", `{"a": "`+bombed+`", "b": "`+bombed+`x", "c": "`+bombed+`y"}`)
	var b Budget
	m := matcherHook("", bomb).Match(ev, &b, false)
	if !m.OK || !strings.Contains(m.Warning, "100 ms a hook") {
		t.Errorf("match is %+v", m)
	}
	if b.spent <= 0 || b.spent > time.Minute {
		t.Errorf("one hook took %v of the event's time", b.spent)
	}
	t.Run("the event's budget", func(t *testing.T) {
		b.spent = maxEventMatch - 150*time.Millisecond // as after eight such hooks
		for b.spent < maxEventMatch {
			if m := matcherHook("", bomb).Match(ev, &b, false); !m.OK {
				t.Fatalf("match is %+v", m)
			}
		}
		before := b.spent
		m := matcherHook("", bomb).Match(ev, &b, false)
		if !m.OK || !strings.Contains(m.Warning, "one event have, 1 s") || b.spent != before {
			t.Errorf("after the budget: %+v", m)
		}
		if m := matcherHook("Shell", "").Match(ev, &b, false); !m.OK || m.Warning != "" {
			t.Errorf("plain text needs no budget: %+v", m)
		}
		if m := matcherHook("Edit", "").Match(ev, &b, false); m.OK {
			t.Errorf("plain text is still told apart: %+v", m)
		}
	})
}

func TestLongInput(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxLeaf+1)
	ev := toolEvent(t, "WriteFile", "Write", `{"content": "`+long+`", "file_path": "/a.py"}`)
	var b Budget
	for _, tt := range []struct {
		pattern     string
		ok, warning bool
	}{
		{`\d`, true, true},              // cannot be tried, counts as a match
		{`^/a[.]py$`, true, false},      // another leaf matches: no warning
		{"z", false, false},             // plain text is searched at any length
		{"xxx", true, false},            //
		{`^y|\.go$`, false, false},      //
		{`^y|\.py$`, true, false},       //
		{`(?i)nothing`, true, true},     //
		{`^(/b|/a).*`, true, false},     //
		{`^(/b|/c).*$`, true, true},     //
		{`nothing\+here`, false, false}, //
	} {
		t.Run(tt.pattern, func(t *testing.T) {
			m := matcherHook("", tt.pattern).Match(ev, &b, false)
			if m.OK != tt.ok || (m.Warning != "") != tt.warning {
				t.Errorf("%+v", m)
			}
		})
	}
}

// The fast path must find what regexp2 finds.
func TestLiteralAgreesWithRegexp2(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"Shell", "a", "b", "ab", "-", "_", " ", "|", "|", "^", "$", `\.`, `\|`, `\\`, `\$`, "/", ".", "A", "0", "é", "\n", "<a>", `\<`, "{", "(", "*", ")", "(?:", "^(", ")$"}
	random := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		return b.String()
	}
	fast := 0
	for i := range 20_000 {
		source := random(1 + rnd.IntN(5))
		if i%4 == 0 {
			source = []string{"", "^"}[rnd.IntN(2)] + []string{"(", "(?:"}[rnd.IntN(2)] + source + ")" + []string{"", "$"}[rnd.IntN(2)]
		}
		if compareLiteral(t, source, strings.NewReplacer(`\`, "").Replace(random(rnd.IntN(6)))) {
			fast++
		}
	}
	if fast < 2000 {
		t.Errorf("only %d of 20000 expressions took the fast path", fast)
	}
}

// compareLiteral reports whether an expression takes the fast path, after seeing
// to it that this finds what regexp2 finds.
func compareLiteral(t *testing.T, source, s string) bool {
	t.Helper()
	alts, ok := literals(source)
	if !ok {
		return false
	}
	re, err := regexp2.Compile(source, regexp2.None)
	if err != nil {
		t.Errorf("%q takes the fast path and does not compile: %v", source, err)
		return true
	}
	re.MatchTimeout = 5 * time.Second
	want, err := re.MatchString(s)
	if err != nil {
		return true
	}
	e := expression{alts: alts}
	got := slices.ContainsFunc(e.alts, func(l literal) bool { return l.in(s) })
	if got != want {
		t.Errorf("%q on %q: fast path %t, regexp2 %t", source, s, got, want)
	}
	return true
}

func FuzzLiteral(f *testing.F) {
	for _, source := range []string{"Shell", "Shell|EditFile", "^a$", "a|", `\.py$`, `^/etc/`, `a\|b`, "|", "$", "^", "^$", `\\$`, `\$`, "^(Shell|EditFile)$", "(?:a|b$)", `^(a\)$`, "(a)|(b)"} {
		f.Add(source, "Shell")
		f.Add(source, "a.py\n")
	}
	f.Fuzz(func(t *testing.T, source, s string) {
		compareLiteral(t, source, strings.ToValidUTF8(s, ""))
	})
}

// Nothing that a stranger writes as an expression or an argument panics.
func FuzzMatch(f *testing.F) {
	f.Add(bomb, bombed)
	f.Add(`(?<a>.)\k<a>`, "aa")
	f.Add(`[a-\d]`, "")
	f.Fuzz(func(t *testing.T, source, s string) {
		e, err := newExpression(source)
		if err != nil || e.re == nil {
			return
		}
		e.match(s, 10*time.Millisecond)
	})
}

func BenchmarkMatch(b *testing.B) {
	ev := toolEvent(b, "Shell", "Bash", `{"command": "git status && go test ./... | tail -5", "description": "Run the tests"}`)
	for _, tt := range []struct{ name, tool, pattern string }{
		{"literal", "^Shell$", ""},
		{"literals", "EditFile|WriteFile|Shell", "rm -rf|mkfs"},
		{"group", "^(EditFile|WriteFile|Shell)$", "(rm -rf|mkfs)"},
		{"regexp", "Shell", `(?i)\bcurl\b.*\|\s*sh`},
	} {
		b.Run(tt.name, func(b *testing.B) {
			h := matcherHook(tt.tool, tt.pattern)
			for b.Loop() {
				var budget Budget
				h.Match(ev, &budget, false)
			}
		})
		b.Run(tt.name+"-first", func(b *testing.B) {
			for b.Loop() {
				var budget Budget
				matcherHook(tt.tool, tt.pattern).Match(ev, &budget, false)
			}
		})
	}
	b.Run("bomb", func(b *testing.B) {
		ev := toolEvent(b, "Shell", "Bash", fmt.Sprintf(`{"command": %q}`, bombed))
		for b.Loop() {
			var budget Budget
			matcherHook("", bomb).Match(ev, &budget, false)
		}
	})
}

const forcedPush = "cd /home/dev/project && git push --force origin main 2>&1 | tail -5"

// What a call does is found out for a hook that asks for it, and is due by all else.
func TestACallIsReadOnlyWhereAHookAsks(t *testing.T) {
	for _, tt := range []struct {
		name, tool, command string
		read                bool
	}{
		{"no expression", "Shell", "", false},
		{"another tool", "EditFile|WriteFile", "push", false},
		{"its tool", "Shell", "push", true},
		{"any tool", "", "push", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ev := toolEvent(t, "Shell", "Bash", fmt.Sprintf(`{"command": %q}`, forcedPush))
			ev.Call.Does = protocol.DoesOf("Shell")
			h := matcherHook(tt.tool, "")
			h.Matcher.Command = tt.command
			var budget Budget
			m := h.Match(ev, &budget, false)
			if read := ev.Deed != nil; read != tt.read || tt.read && !m.OK {
				t.Errorf("%s: read is %t, match %t", tt.name, read, m.OK)
			}
		})
	}
}

// BenchmarkCommand is a guard of commands: where another tool is called, and where a
// command line is, which is read anew each time.
func BenchmarkCommand(b *testing.B) {
	guard := matcherHook("Shell", "")
	guard.Matcher.Command = "^git push( .*)? (--force|-f)( |$)"
	for _, tt := range []struct{ name, tool, input string }{
		{"elsewhere", "WriteFile", `{"file_path": "/home/dev/project/a.go", "content": "package a"}`},
		{"plain", "Shell", `{"command": "npm run build"}`},
		{"usual", "Shell", fmt.Sprintf(`{"command": %q}`, forcedPush)},
	} {
		b.Run(tt.name, func(b *testing.B) {
			ev := toolEvent(b, tt.tool, tt.tool, tt.input)
			ev.Call.Does = protocol.DoesOf(tt.tool)
			for b.Loop() {
				var budget Budget
				ev.Deed = nil
				guard.Match(ev, &budget, false)
			}
		})
	}
}
