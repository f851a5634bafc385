package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestTheVersionIsTheClientsOrTheNewestWithSessions(t *testing.T) {
	t.Parallel()
	for asks, want := range map[string]string{"2024-11-05": "", "2025-03-26": "", "2025-06-18": "", "2025-11-25": "", "2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25", "2099-01-01": "2025-11-25", "": "2025-11-25", "x": "2025-11-25"} {
		t.Run(fmt.Sprintf("asks %q", asks), func(t *testing.T) {
			var got struct{ ProtocolVersion string }
			all := answers(t, config(), hello(asks))
			if err := json.Unmarshal(all[0].Result, &got); err != nil || got.ProtocolVersion != cmp.Or(want, asks) {
				t.Errorf("%q: %q %v", asks, got.ProtocolVersion, err)
			}
		})
	}
}

func TestWhatCannotBeDoneIsToldToWhoAsked(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"nope"}`:                                                                                   "1 -32601",
		`{"jsonrpc":"2.0","id":1,"method":""}`:                                                                                       "1 -32601",
		`{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`:                                                              "1 -32601",
		`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`:                                                                        "1 -32601",
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x"}}`:                                               "1 -32601",
		`{"jsonrpc":"2.0","id":1,"method":7}`:                                                                                        "1 -32600",
		`{"jsonrpc":"2.0","id":1,"method":null}`:                                                                                     "1 -32600",
		`{"jsonrpc":"2.0","id":1}`:                                                                                                   "1 -32600",
		`{"jsonrpc":"2.0","ID":1,"Method":"ping"}`:                                                                                   "null -32600",
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                                                                                "null -32600",
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`:                                                                                "null -32600",
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:                                                                                 "null -32600",
		`{"jsonrpc":2.0,"id":1,"method":"ping"}`:                                                                                     "1 -32600",
		`{"id":1,"method":"ping"}`:                                                                                                   "1 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`:                                                                       "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}`:                                                                      "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`:                                                     "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":7}}`:                                                       "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`:                                                                             "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`:                                                                 "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`:                                                         "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`:                                                    "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`:                                                                             "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`:                                              "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`:                                                                 "1 -32600", // a second time
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x"}}`:                                                    "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x"}}`:                                                      "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}`:                                                       "1 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}`:                                                            "1 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"ping","x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`:                 "1 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + inMeta("2026-07-28") + `}}`:                                           "1 -32601",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + inMeta("2199-01-01") + `}}`:                                     "1 -32022",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`: "1 -32602",
		// And what is not an error.
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`:                                       "1 {}",
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`:                         "1 {}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\":\"\xff\"}":              "1 {}",
		" \t{\"jsonrpc\" : \"2.0\", \"id\" : 1 ,\"method\":\"ping\"} \r":                 "1 {}",
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`: "1 {}",
		`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`:                             `1 {"ttlMs":0,"cacheScope":"public","resources":[]}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`:                   `1 {"ttlMs":0,"cacheScope":"public","resourceTemplates":[]}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`:                               `1 {"ttlMs":0,"cacheScope":"public","prompts":[]}`,
		// Nobody waits for an answer to these.
		`{"jsonrpc":"2.0","method":"nope","params":[1]}`:                                      "",
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"fake_panic"}}`:              "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`:                                "",
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}`: "",
		`{"jsonrpc":"2.0","id":99,"result":{}}`:                                               "",
		`{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}`:                        "",
		"": "", " ": "",
	} {
		t.Run(fmt.Sprintf("%.160q", line), func(t *testing.T) {
			all := answers(t, config(fake(on())), hello("2025-11-25"), line, `{"jsonrpc":"2.0","id":"zz","method":"ping"}`)
			var got []string
			for _, s := range all {
				if id := string(s.ID); id != `"hello"` && id != `"zz"` {
					got = append(got, s.told())
				}
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%.120s: %q, want %q", line, got, want)
			}
			if len(all) != 2+len(got) {
				t.Errorf("%.120s: the server did not go on: %v", line, all)
			}
		})
	}
}

func TestNothingComesBeforeInitialize(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]string{"ping": "1 {}", "tools/list": "1 -32600", "tools/call": "1 -32600", "resources/list": "1 -32600", "nope": "1 -32600"} {
		t.Run(method, func(t *testing.T) {
			if got := answers(t, config(), `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)[0].told(); got != want {
				t.Errorf("%s: %s, want %s", method, got, want)
			}
		})
	}
}

func TestAnIDComesBackAsItCame(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"0", "-3", "7", "9007199254740993", "12345678901234567890", "1.5", "1e3", `""`, `"a"`, `"\u00e9<&>\n"`, `"null"`} {
		t.Run(fmt.Sprintf("id %q", id), func(t *testing.T) {
			if got := answers(t, config(), `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)[0].told(); got != id+" {}" {
				t.Errorf("%s: %s", id, got)
			}
		})
	}
}

func TestBatchesAreOfTheProtocolsThatHaveThem(t *testing.T) {
	t.Parallel()
	batch := `[{"jsonrpc":"2.0","id":1,"method":"ping"}, 7, {"jsonrpc":"2.0","method":"notifications/x"}, {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fake_panic"}}]`
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(fmt.Sprintf("version %q", version), func(t *testing.T) {
			var out strings.Builder
			in := hello(version) + "\n" + batch + "\n" + `[{"jsonrpc":"2.0","method":"notifications/x"}]`
			must.Do(t, New(config(fake(on()))).Serve(t.Context(), strings.NewReader(in), &out))
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			var list []heard
			switch err := json.Unmarshal([]byte(lines[1]), &list); {
			case version > lastBatch:
				if len(lines) != 3 || !strings.Contains(lines[1], `"id":null,"error":{"code":-32600`) || lines[1] != lines[2] {
					t.Errorf("%s: %s", version, out.String())
				}
			case err != nil || len(lines) != 2 || len(list) != 3:
				t.Errorf("%s: want one list of three answers: %s", version, out.String())
			}
		})
	}
	stateless := `[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + inMeta("2026-07-28") + `}}]`
	var out strings.Builder
	if err := New(config()).Serve(t.Context(), strings.NewReader(stateless), &out); err != nil || !strings.Contains(out.String(), "-32600") {
		t.Errorf("stateless: %v %s", err, out.String())
	}
}

func TestALongLineIsRead(t *testing.T) {
	t.Parallel()
	long := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fake_echo","arguments":{"text":"` + strings.Repeat("wörd ", 2_000_000) + `"}}}`
	all := answers(t, config(fake(on())), hello("2025-06-18"), long)
	if got := all[1].told(); len(all) != 2 || !strings.Contains(got, `"truncated":true`) {
		t.Errorf("%d answers: %.300s", len(all), got)
	}
}

// A client that cancels a request hears nothing more of it. What was begun is
// completed.
func TestACancelledCallGetsNoAnswer(t *testing.T) {
	t.Parallel()
	set, began, gate := slow()
	c := byHand(t, config(set))
	c.say(hello("2025-06-18"))
	c.hear()
	c.say(`{"jsonrpc":"2.0","id":"\u0061","method":"tools/call","params":{"name":"slow"}}`, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow"}}`)
	<-began
	<-began
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`, `{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if got := c.hear().told(); got != "8 {}" {
		t.Errorf("after the cancellation: %s", got)
	}
	close(gate)
	if got := c.hear().told(); !strings.HasPrefix(got, `7 {"content"`) || strings.Contains(got, "isError") {
		t.Errorf("the other call: %s", got)
	}
	c.in.Close()
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		t.Errorf("more is said: %s %v", rest, err)
	}
	if err := <-c.end; err != nil {
		t.Error(err)
	}
}

// What changes something is done in the order in which it came, however many calls come at once;
// what only reads does not wait for it, and neither does another behaviour. One that is cancelled
// before its turn does nothing.
func TestWritesAreDoneInTheirOrder(t *testing.T) {
	t.Parallel()
	began, gate := make(chan string), make(chan struct{})
	tool := func(name string, reads bool) op.Op {
		return op.Op{Name: name, Core: true, ReadOnly: reads, Args: []op.Arg{{Name: "n", Kind: op.String}}, Do: func(_ context.Context, c op.Call) (any, error) {
			began <- name + c.Args.Text("n")
			if !reads {
				<-gate
			}
			return map[string]any{"n": c.Args.Text("n")}, nil
		}}
	}
	c := byHand(t, config(Set{Set: op.Set{Name: "one", InOrder: true, Ops: []op.Op{tool("save", false), tool("read", true)}}}, Set{Set: op.Set{Name: "two", Ops: []op.Op{tool("other", false)}}}))
	c.say(hello("2025-06-18"))
	c.hear()
	call := func(id int, name string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"n":"%d"}}}`, id, name, id)
	}
	for id := range 40 {
		c.say(call(id, "save"))
	}
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	if got := <-began; got != "save0" {
		t.Errorf("%s began first", got)
	}
	for id, name := range map[int]string{100: "read", 101: "other"} {
		c.say(call(id, name))
		if got, want := <-began, fmt.Sprint(name, id); got != want {
			t.Errorf("%s began, want %s, which waits for nothing", got, want)
		}
	}
	close(gate)
	go func() { _, _ = io.Copy(io.Discard, c.out) }()
	for id := 1; id < 40; id++ {
		if id == 7 {
			continue
		}
		if got, want := <-began, fmt.Sprint("save", id); got != want {
			t.Errorf("%s began, want %s", got, want)
		}
	}
	c.in.Close()
	if err := <-c.end; err != nil {
		t.Error(err)
	}
}

// Two requests with the same id would get answers that cannot be told apart.
func TestAnIDThatIsInUseIsRefused(t *testing.T) {
	t.Parallel()
	set, began, gate := slow()
	c := byHand(t, config(set))
	call := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow"}}`
	c.say(hello("2025-06-18"))
	c.hear()
	c.say(call)
	<-began
	c.say(call)
	if got := c.hear().told(); got != "null -32600" {
		t.Errorf("the second: %s", got)
	}
	close(gate)
	if got := c.hear().told(); !strings.HasPrefix(got, `7 {`) {
		t.Errorf("the first: %s", got)
	}
	c.say(call)
	if got := c.hear().told(); !strings.HasPrefix(got, `7 {`) {
		t.Errorf("the id again, when it is free: %s", got)
	}
	c.in.Close()
}

// The client ends its input during a call, and nobody reads the answer.
func TestAClientThatIsGoneEndsTheServer(t *testing.T) {
	t.Parallel()
	set, began, gate := slow()
	in, to := io.Pipe()
	end := make(chan error, 1)
	go func() { end <- New(config(set)).Serve(t.Context(), in, failing{}) }()
	for _, l := range []string{hello("2025-06-18"), `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow"}}`} {
		must.Do(t, must.Err(io.WriteString(to, l+"\n")))
	}
	<-began
	to.Close()
	close(gate)
	if err := <-end; err == nil || !strings.Contains(err.Error(), "writing to the client: nobody reads") {
		t.Errorf("%v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

func TestTheServerEndsWhenItIsTold(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, to := io.Pipe()
	end := make(chan error, 1)
	go func() { end <- New(config()).Serve(ctx, in, io.Discard) }()
	must.Do(t, must.Err(io.WriteString(to, hello("2025-06-18")+"\n")))
	cancel()
	if err := <-end; err != nil {
		t.Error(err)
	}
}

// Whatever panics, a tool or the function that says whether its set is on, the server
// continues.
func TestAPanicIsAnAnswer(t *testing.T) {
	t.Parallel()
	set := fake(on())
	set.Off = func(string) string { panic("dear me") }
	var log strings.Builder
	c := config(set)
	c.Log = &log
	all := answers(t, c, hello("2025-06-18"), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if len(all) != 3 || all[1].told() != "1 -32603" || !strings.Contains(log.String(), "tools/list: panic: dear me") {
		t.Errorf("%v, log %s", all, log.String())
	}
}

// A client may report that its roots have changed while it is being asked for them.
func TestRootsThatChangeWhileTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("its roots are paths of a Unix; server_test.go has drives")
	}
	conf := config(fake(on()))
	conf.Dir, conf.Start = "", "/start"
	conf.Call = func(dir string) op.Call { return op.Call{Dir: dir} }
	c := byHand(t, conf)
	call := func(id string) {
		c.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"fake_echo","arguments":{"text":"x"}}}`)
	}
	c.say(hello("2025-06-18"))
	c.hear()
	call("7")
	if got := c.hear(); got.Method != "roots/list" || string(got.ID) != "1" {
		t.Fatalf("the server does not ask: %s", got.told())
	}
	c.say(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`, `{"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///one"}]}}`)
	if got := c.hear().told(); !strings.Contains(got, `"dir":"/one"`) {
		t.Errorf("the first: %s", got)
	}
	call("8")
	if got := c.hear(); got.Method != "roots/list" || string(got.ID) != "2" {
		t.Fatalf("the server does not ask again: %s", got.told())
	}
	c.say(`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}`)
	if got := c.hear().told(); !strings.Contains(got, `"dir":"/start"`) {
		t.Errorf("the second: %s", got)
	}
	c.in.Close()
}

// A client is told once that a list which it knows has changed: in a session always,
// without one if it listens.
func TestAClientIsToldOfOtherTools(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		changed := make(chan struct{}, 9)
		in, to := io.Pipe()
		from, out := io.Pipe()
		end := make(chan error, 1)
		go func() { end <- New(config(fake(on()))).Serve(t.Context(), in, out) }()
		c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
			ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} },
		})
		s, err := c.Connect(t.Context(), &sdk.IOTransport{Reader: from, Writer: to}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		must.Do(t, err)
		if got := s.InitializeResult().ProtocolVersion; got != version {
			t.Errorf("the session is in %s, want %s", got, version)
		}
		before := names(t, s)
		call(t, s, Help, map[string]any{"load": "fake"})
		<-changed
		if after := names(t, s); len(after) != len(before)+1 || !slices.Contains(after, "fake_drop") {
			t.Errorf("%s: %v", version, after)
		}
		call(t, s, Help, map[string]any{"load": "fake"})
		if len(changed) > 0 {
			t.Errorf("%s: it is told of nothing", version)
		}
		s.Close()
		if err := <-end; err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// Each result of the protocol without sessions says what it is and who made it.
func TestTheStatelessProtocolNeedsNoBeginning(t *testing.T) {
	t.Parallel()
	in := "\"params\":{" + inMeta("2026-07-28")
	all := answers(t, config(fake(on())), `{"jsonrpc":"2.0","id":1,"method":"server/discover",`+in+`}}`, `{"jsonrpc":"2.0","id":2,"method":"tools/list",`+in+`}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call",`+in+`,"name":"fake_fail"}}`, `{"jsonrpc":"2.0","id":4,"method":"subscriptions/listen",`+in+`,"notifications":{"toolsListChanged":true}}}`)
	if len(all) != 5 {
		t.Fatalf("%v", all)
	}
	for i, want := range []string{`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`, `"tools":[{`, `"isError":true`, `"io.modelcontextprotocol/subscriptionId":4`} {
		got := all[i].told()
		for _, w := range []string{want, `"resultType":"complete"`, `"io.modelcontextprotocol/serverInfo":{"name":"x","title":"x","version":"1"}`} {
			if !strings.Contains(got, w) {
				t.Errorf("%d lacks %s: %.600s", i+1, w, got)
			}
		}
	}
	if got := all[4].told(); got != "notifications/subscriptions/acknowledged" {
		t.Errorf("%s", got)
	}
}

// No line ends the server, and everything that it sends is a message.
func FuzzLine(f *testing.F) {
	for _, line := range []string{"", "{", "[]", "[1]", hello("2025-06-18"), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fake_echo","arguments":{"text":"x"}}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + inMeta("2026-07-28") + `}}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var out strings.Builder
		in := hello("2025-03-26") + "\n" + string(line) + "\n" + `{"jsonrpc":"2.0","id":"last","method":"ping"}`
		must.Do(t, New(config(fake(on()))).Serve(t.Context(), strings.NewReader(in), &out))
		if !strings.Contains(out.String(), `{"jsonrpc":"2.0","id":"last","result":{}}`) && !strings.Contains(string(line), "last") {
			t.Errorf("%q: no answer to what came after it: %s", line, out.String())
		}
		for answer := range strings.Lines(out.String()) {
			if !json.Valid([]byte(answer)) {
				t.Errorf("%q: %q", line, answer)
			}
		}
	})
}
