package mcp

//lint:file-ignore SA1019 agents speak protocols that have roots, for years to come

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// fake is a set with a tool of each kind; it is on while the variable on says so.
func fake(on *atomic.Bool) Set {
	echo := op.Op{
		Name: "fake_echo", Command: "echo", ReadOnly: true, Core: true, Model: op.Text{English: "says it again"},
		Args: []op.Arg{
			{Name: "text", Required: true}, {Name: "times", Kind: op.Int}, {Name: "loud", Kind: op.Bool},
			{Name: "names", Kind: op.Texts}, {Name: "how", Words: []string{"soft", "hard"}}, {Name: "more", Kind: op.JSON},
			{Name: "list", Kind: op.Objects}, {Name: "weight", Kind: op.Number},
		},
	}
	echo.Do = func(_ context.Context, c op.Call) (any, error) {
		return map[string]any{"dir": c.Dir, "session": c.Session, "args": json.RawMessage(c.Args.Raw())}, nil
	}
	return Set{
		Off: func(string) string {
			if on.Load() {
				return ""
			}
			return "nobody has enabled it"
		},
		Set: op.Set{Name: "fake", About: "for tests", Ops: []op.Op{
			echo,
			{Name: "fake_panic", Core: true, Do: func(context.Context, op.Call) (any, error) { panic("dear me") }},
			{Name: "fake_fail", Core: true, Do: func(context.Context, op.Call) (any, error) {
				return nil, op.Fail("NOT_FOUND", "look elsewhere", "there is no %q", "x")
			}},
			{Name: "fake_broken", Core: true, Do: func(context.Context, op.Call) (any, error) { return nil, errors.New("disk on fire") }},
			{Name: "fake_long", Core: true, Do: func(context.Context, op.Call) (any, error) {
				return map[string]any{"text": strings.Repeat("word, ", 1000) + "the end"}, nil
			}},
			{Name: "fake_drop", Destructive: true, Idempotent: true, Do: func(context.Context, op.Call) (any, error) { return map[string]any{"ok": true}, nil }},
		}},
	}
}

// connect starts a server, and connects the library's client to it.
func connect(t *testing.T, c Config, roots ...string) (*sdk.ClientSession, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	c.Name, c.Version, c.Log = "agents-hooks", "1", log
	c.Most = cmp.Or(c.Most, 20_000)
	in, said := io.Pipe()
	heard, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(c).Serve(ctx, in, out) }()
	theirs := &sdk.IOTransport{Reader: heard, Writer: said}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for _, r := range roots {
		client.AddRoots(&sdk.Root{URI: r})
	}
	var o *sdk.ClientSessionOptions
	if roots != nil { // newer protocols have none
		o = &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"}
	}
	session, err := client.Connect(ctx, theirs, o)
	must.Do(t, err)
	t.Cleanup(func() {
		session.Close()
		cancel()
		<-done
	})
	return session, log
}

func call(t *testing.T, s *sdk.ClientSession, tool string, args any) (text string, isError bool) {
	t.Helper()
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

func names(t *testing.T, s *sdk.ClientSession) (list []string) {
	t.Helper()
	for tool, err := range s.Tools(t.Context(), nil) {
		must.Do(t, err)
		list = append(list, tool.Name)
	}
	slices.Sort(list)
	return list
}

func on() *atomic.Bool {
	var b atomic.Bool
	b.Store(true)
	return &b
}

// A model can correct what it got wrong, and whatever can be understood is accepted.
func TestArgumentsAreCheckedAgainstTheirTable(t *testing.T) {
	s, _ := connect(t, Config{Sets: []Set{fake(on())}, Dir: "/p", Call: func(dir string) op.Call { return op.Call{Dir: dir, Session: "s1"} }})
	for _, c := range []struct{ args, want string }{
		{`{"text": "a"}`, `{"args":{"text":"a"},"dir":"/p","session":"s1"}`},
		{`{"text": "a", "times": "3", "loud": "true", "names": "x", "weight": "0.5", "how": null}`, `{"args":{"text":"a","times":3,"loud":true,"names":["x"],"weight":0.5},"dir":"/p","session":"s1"}`},
		{`{"text": "a", "more": {"k": [1, {"l": 1.50}]}, "list": [{"when": "x"}]}`, `{"args":{"text":"a","more":{"k":[1,{"l":1.50}]},"list":[{"when":"x"}]},"dir":"/p","session":"s1"}`},
		{`{}`, "BAD_ARGUMENT: fake_echo: text is missing: a string\nfix: arguments of fake_echo: text, times?, loud?, names?, how?, more?, list?, weight?"},
		{`{"text": 1}`, "BAD_ARGUMENT: fake_echo: text is 1; want a string"},
		{`{"text": "a", "times": 1.5}`, "times is 1.5; want a whole number"},
		{`{"text": "a", "how": "so so"}`, `how is "so so"; want one of soft, hard`},
		{`{"text": "a", "names": [1]}`, "want an array of strings"},
		{`{"text": "a", "more": []}`, "want an object"},
		{`{"text": "a", "loud": "perhaps"}`, "want true or false"},
		{`{"text": "a", "txet": 1}`, `fake_echo has no argument "txet"`},
	} {
		t.Run(fmt.Sprintf("%q", c.args), func(t *testing.T) {
			if got, _ := call(t, s, "fake_echo", json.RawMessage(c.args)); !strings.Contains(strings.ReplaceAll(got, `": `, `":`), strings.ReplaceAll(c.want, `": `, `":`)) && !strings.Contains(got, c.want) {
				t.Errorf("%s:\n got %s\nwant %s", c.args, got, c.want)
			}
		})
	}
}

func TestErrorsAreAnswersWithACodeAndAFix(t *testing.T) {
	s, log := connect(t, Config{Sets: []Set{fake(on())}})
	for _, c := range []struct{ tool, want string }{
		{"fake_fail", "NOT_FOUND: there is no \"x\"\nfix: look elsewhere"},
		{"fake_broken", "FAILED: disk on fire"},
		{"fake_panic", "INTERNAL: fake_panic failed: dear me"},
		{More, "BAD_ARGUMENT: agents_hooks_more: next is missing"},
	} {
		t.Run(c.tool, func(t *testing.T) {
			got, isError := call(t, s, c.tool, nil)
			if !isError || !strings.HasPrefix(got, c.want) {
				t.Errorf("%v %s", isError, got)
			}
		})
	}
	// The server survives the panic, and says where it was.
	if got, isError := call(t, s, "fake_echo", map[string]any{"text": "still here"}); isError || !strings.Contains(got, "still here") {
		t.Errorf("after the panic: %s", got)
	}
	if !strings.Contains(log.String(), "fake_panic: panic: dear me") {
		t.Errorf("the log does not tell of the panic: %s", log)
	}
	res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "fake_fail"})
	must.Do(t, err)
	b, _ := json.Marshal(res.StructuredContent)
	if string(b) != `{"error":{"code":"NOT_FOUND","fix":"look elsewhere","message":"there is no \"x\""}}` {
		t.Errorf("structured: %s", b)
	}
}

func TestALongAnswerIsCutAndTheRestCanBeHad(t *testing.T) {
	s, _ := connect(t, Config{Sets: []Set{fake(on())}, Most: 1000})
	var whole strings.Builder
	tool, args := "fake_long", map[string]any(nil)
	for n := 0; ; n++ {
		res, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil || res.IsError || n > 20 {
			t.Fatal(err, res, n)
		}
		text := res.Content[0].(*sdk.TextContent).Text
		b, _ := json.Marshal(res.StructuredContent)
		var c cut
		must.Do(t, json.Unmarshal(b, &c))
		shown, note, _ := strings.Cut(text, "\n[")
		whole.WriteString(shown)
		if len([]rune(shown)) > 1000 {
			t.Errorf("part %d has %d characters", n, len([]rune(shown)))
		}
		if !c.Truncated {
			break
		}
		if !strings.Contains(note, "call "+More+` with next "`+c.Next+`"`) {
			t.Errorf("part %d does not say how to go on: %s", n, note)
		}
		tool, args = More, map[string]any{"next": c.Next}
	}
	want := `{"text":"` + strings.Repeat("word, ", 1000) + `the end"}`
	if whole.String() != want {
		t.Errorf("the parts are not the whole: %d of %d characters", whole.Len(), len(want))
	}
	if got, isError := call(t, s, More, map[string]any{"next": "99"}); !isError || !strings.HasPrefix(got, "NOT_FOUND") {
		t.Errorf("a rest that is none: %s", got)
	}
}

// Core tools first, the rest on request; tools of a behaviour that is off never.
func TestToolsAreDisclosedStepByStep(t *testing.T) {
	switched := on()
	s, _ := connect(t, Config{Sets: []Set{fake(switched), {Set: op.Set{Name: "always", Ops: []op.Op{{Name: "always_there", Core: true}}}}}})
	core := []string{Help, More, "always_there", "fake_broken", "fake_echo", "fake_fail", "fake_long", "fake_panic"}
	if got := names(t, s); !slices.Equal(got, core) {
		t.Fatalf("at first: %v", got)
	}
	if got, _ := call(t, s, Help, nil); !strings.Contains(got, `"loads":["fake_drop"]`) {
		t.Errorf("help does not tell of the rest: %s", got)
	}
	if got, _ := call(t, s, Help, map[string]any{"topic": "fake_echo"}); !strings.Contains(got, `"command":"agents-hooks fake echo"`) || !strings.Contains(got, `"required"`) {
		t.Errorf("help about a tool: %s", got)
	}
	if got, _ := call(t, s, Help, map[string]any{"topic": "fake"}); !strings.Contains(got, `"tool":"fake_drop"`) {
		t.Errorf("help about a set: %s", got)
	}
	if got, isError := call(t, s, Help, map[string]any{"topic": "nothing"}); !isError {
		t.Errorf("help about nothing: %s", got)
	}
	if got, isError := call(t, s, Help, map[string]any{"load": "fake"}); isError || !strings.Contains(got, "fake_drop") {
		t.Errorf("load: %s", got)
	}
	if got := names(t, s); !slices.Contains(got, "fake_drop") {
		t.Errorf("after load: %v", got)
	}
	switched.Store(false)
	if got := names(t, s); !slices.Equal(got, []string{Help, More, "always_there"}) {
		t.Errorf("switched off: %v", got)
	}
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "fake_echo"}); err == nil {
		t.Error("a tool of a behaviour that is off was called")
	}
	if got, isError := call(t, s, Help, map[string]any{"load": "fake"}); !isError || !strings.Contains(got, "agents-hooks enable fake") {
		t.Errorf("load of what is off: %s", got)
	}
	switched.Store(true)
	if got, isError := call(t, s, "fake_echo", map[string]any{"text": "on again"}); isError {
		t.Errorf("switched on again: %s", got)
	}
}

func TestAnnotationsSayWhatAToolDoes(t *testing.T) {
	s, _ := connect(t, Config{Sets: []Set{fake(on())}, Full: map[string]bool{"fake": true}})
	seen := 0
	for tool, err := range s.Tools(t.Context(), nil) {
		must.Do(t, err)
		a := tool.Annotations
		switch tool.Name {
		case "fake_echo":
			if !a.ReadOnlyHint || *a.DestructiveHint || !a.IdempotentHint || *a.OpenWorldHint {
				t.Errorf("%s: %+v", tool.Name, a)
			}
		case "fake_drop":
			if a.ReadOnlyHint || !*a.DestructiveHint || !a.IdempotentHint {
				t.Errorf("%s: %+v", tool.Name, a)
			}
		case "fake_panic":
			if a.ReadOnlyHint || *a.DestructiveHint || a.IdempotentHint {
				t.Errorf("%s: %+v", tool.Name, a)
			}
		default:
			continue
		}
		seen++
	}
	if seen != 3 {
		t.Errorf("saw %d of 3 tools", seen)
	}
}

func TestTheProjectIsTheFlagsThenTheRootsThenWhereItWasStarted(t *testing.T) {
	dirOf := func(c Config, roots ...string) string {
		c.Sets = []Set{fake(on())}
		s, _ := connect(t, c, roots...)
		got, _ := call(t, s, "fake_echo", map[string]any{"text": "x"})
		var doc struct{ Dir string }
		must.Do(t, json.Unmarshal([]byte(got), &doc))
		return doc.Dir
	}
	if got := dirOf(Config{Start: "/start"}); got != "/start" {
		t.Errorf("nothing said: %q", got)
	}
	root, want := "file:///root%20dir", "/root dir"
	if runtime.GOOS == "windows" {
		root, want = "file:///c:/root%20dir", `c:\root dir`
	}
	if got := dirOf(Config{Start: "/start"}, root); got != want {
		t.Errorf("a root: %q", got)
	}
	if got := dirOf(Config{Start: "/start"}, "https://example.org/x", "file://server/share"); got != "/start" {
		t.Errorf("roots of elsewhere: %q", got)
	}
	if got := dirOf(Config{Start: "/start", Dir: "/flag"}, "file:///root"); got != "/flag" {
		t.Errorf("the flag: %q", got)
	}
}

func TestRootsOfWindows(t *testing.T) {
	if got := rootDir("file://elsewhere/c", "linux"); got != "" {
		t.Errorf("of another machine: %q", got)
	}
	if got := rootDir("untitled:x", "linux"); got != "" {
		t.Errorf("no file: %q", got)
	}
}

// A script pipes its requests in and closes: all of them are answered.
func TestWhatWasAskedBeforeTheEndOfInputIsAnswered(t *testing.T) {
	gate := make(chan struct{})
	slow := Set{Set: op.Set{Name: "slow", Ops: []op.Op{{Name: "slow", Core: true, Do: func(context.Context, op.Call) (any, error) {
		<-gate
		return map[string]any{"done": true}, nil
	}}}}}
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"slow"}}
{"jsonrpc":"2.0","id":3,"method":"tools/list"}
`
	var out bytes.Buffer
	s := New(Config{Name: "x", Version: "1", Most: 1000, Log: io.Discard, Sets: []Set{slow}})
	ended := &atEnd{Reader: strings.NewReader(in), end: func() { close(gate) }}
	must.Do(t, s.Serve(t.Context(), ended, &out))
	for _, id := range []string{`"id":1`, `"id":"two"`, `"id":3`} {
		t.Run(id, func(t *testing.T) {
			if !strings.Contains(out.String(), id) {
				t.Errorf("no answer to %s:\n%s", id, out.String())
			}
		})
	}
}

// One stray line does not cost an agent its tools: it gets an error, and later lines
// are answered as usual.
func TestALineThatIsNoMessageDoesNotEndTheServer(t *testing.T) {
	t.Parallel()
	stray := map[string]string{
		"{":                          "-32700",
		"hello":                      "-32700",
		"\xff\xfe":                   "-32700",
		`{"a":1}{"b":2}`:             "-32700",
		strings.Repeat("[", 100_000): "-32700",
		`{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}`: "-32600",
		`{"jsonrpc":"1.0","method":"tools/list"}`:              "-32600",
		"{}":   "-32600",
		"[]":   "-32600",
		"[1]":  "-32600",
		"null": "-32600",
		"7":    "-32600",
		`{"jsonrpc":"2.0","x":"` + strings.Repeat("x", longestLine) + `"}`: "-32600",
	}
	for line, code := range stray {
		t.Run(fmt.Sprintf("line %.80q", line), func(t *testing.T) {
			in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\r\n" +
				`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n\n" + line + "\n" +
				`[{"jsonrpc":"2.0","id":"two","method":"tools/list"}, {"jsonrpc":"2.0","id":3,"method":"tools/list"}]` + "\n" +
				line + "\n" + `{"jsonrpc":"2.0","id":4,"method":"tools/list"}`
			var out bytes.Buffer
			s := New(Config{Name: "x", Version: "1", Most: 1000, Log: io.Discard})
			if err := s.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
				t.Errorf("%.80q: %v", line, err)
			}
			for _, id := range []string{`"id":1,`, `"id":"two",`, `"id":3,`, `"id":4,`} {
				if !strings.Contains(out.String(), id) {
					t.Errorf("%.80q: no answer with %s:\n%.2000s", line, id, out.String())
				}
			}
			if strings.Count(out.String(), `"code":`+code) != 2 || strings.Count(out.String(), `"id":null`) != 2 {
				t.Errorf("%.80q: want two errors %s:\n%.2000s", line, code, out.String())
			}
			for answer := range strings.Lines(out.String()) {
				if !json.Valid([]byte(answer)) {
					t.Errorf("%.80q: an answer is no JSON: %.300q", line, answer)
				}
			}
		})
	}
}

// atEnd notices when its reader reached the end.
type atEnd struct {
	io.Reader
	end func()
}

func (a *atEnd) Read(b []byte) (int, error) {
	n, err := a.Reader.Read(b)
	if err == io.EOF && a.end != nil {
		a.end()
		a.end = nil
	}
	return n, err
}
