package model_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A wire is one protocol as its client sees it: what it sends, and where in an
// answer the text and the calls are.
type wire struct {
	name, path, body string
	// whole and chunk read text and calls ("name args") out of one document: a
	// whole answer, and one event of a streamed answer.
	whole, chunk func(doc map[string]any) (text string, calls []string)
	body2        string // the same request, not streamed; "" if the path says it
	path2        string
}

func at(v any, path ...any) any {
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

func str(v any, path ...any) string {
	s, _ := at(v, path...).(string)
	return s
}

func each(v any) []any { l, _ := v.([]any); return l }

func compact(v any) string { b, _ := json.Marshal(v); return string(b) }

func wires() []wire {
	return []wire{{
		name: "anthropic", path: "/v1/messages",
		body:  `{"model":"m","stream":true,"tools":[{"name":"Bash","description":"secret word"}],"system":[{"type":"text","text":"be good"}],"messages":[{"role":"user","content":"hello there"}]}`,
		body2: `{"model":"m","tools":[{"name":"Bash","description":"secret word"}],"messages":[{"role":"user","content":"hello there"}]}`,
		whole: func(d map[string]any) (text string, calls []string) {
			for _, b := range each(d["content"]) {
				text += str(b, "text")
				if str(b, "type") == "tool_use" {
					calls = append(calls, str(b, "name")+" "+compact(at(b, "input")))
				}
			}
			return text, calls
		},
		chunk: func(d map[string]any) (string, []string) {
			if d["type"] == "content_block_start" && str(d, "content_block", "type") == "tool_use" {
				return "", []string{str(d, "content_block", "name")}
			}
			return str(d, "delta", "text"), more(str(d, "delta", "partial_json"))
		},
	}, {
		name: "responses", path: "/v1/responses",
		body:  `{"model":"m","stream":true,"tools":[{"type":"function","name":"Bash","description":"secret word"}],"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hello there"}]}]}`,
		body2: `{"model":"m","input":[{"type":"additional_tools","tools":[{"type":"function","name":"Bash"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"hello there"}]}]}`,
		whole: func(d map[string]any) (text string, calls []string) {
			for _, it := range each(d["output"]) {
				text += str(it, "content", 0, "text")
				if str(it, "type") == "function_call" {
					calls = append(calls, str(it, "name")+" "+str(it, "arguments"))
				}
			}
			return text, calls
		},
		chunk: func(d map[string]any) (string, []string) {
			if d["type"] == "response.output_text.delta" {
				return str(d, "delta"), nil
			}
			if d["type"] == "response.output_item.done" && str(d, "item", "type") == "function_call" {
				return "", []string{str(d, "item", "name"), " " + str(d, "item", "arguments")}
			}
			return "", nil
		},
	}, {
		name: "chat", path: "/v1/chat/completions",
		body:  `{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"Bash","description":"secret word"}}],"messages":[{"role":"user","content":"hello there"}]}`,
		body2: `{"model":"m","tools":[{"type":"function","function":{"name":"Bash"}}],"messages":[{"role":"user","content":"hello there"}]}`,
		whole: func(d map[string]any) (text string, calls []string) {
			for _, c := range each(at(d, "choices", 0, "message", "tool_calls")) {
				calls = append(calls, str(c, "function", "name")+" "+str(c, "function", "arguments"))
			}
			return str(d, "choices", 0, "message", "content"), calls
		},
		chunk: func(d map[string]any) (text string, calls []string) {
			for _, c := range each(at(d, "choices", 0, "delta", "tool_calls")) {
				calls = append(calls, str(c, "function", "name"), " "+str(c, "function", "arguments"))
			}
			return str(d, "choices", 0, "delta", "content"), calls
		},
	}, {
		name: "gemini", path: "/v1beta/models/m:streamGenerateContent", path2: "/v1beta/models/m:generateContent",
		body: `{"tools":[{"functionDeclarations":[{"name":"Bash","description":"secret word"}]}],"contents":[{"role":"user","parts":[{"text":"hello there"}]}]}`,
		whole: func(d map[string]any) (text string, calls []string) {
			for _, p := range each(at(d, "candidates", 0, "content", "parts")) {
				text += str(p, "text")
				if f := at(p, "functionCall"); f != nil {
					calls = append(calls, str(f, "name")+" "+compact(at(f, "args")))
				}
			}
			return text, calls
		},
	}}
}

// more is a piece of a call's arguments, as it follows the name.
func more(s string) []string {
	if s == "" {
		return nil
	}
	return []string{" " + s}
}

// TestWires plays one script over all four protocols, streamed and not, and
// reads the answers as a client would.
func TestWires(t *testing.T) {
	for _, w := range wires() {
		t.Run(w.name, func(t *testing.T) {
			var log bytes.Buffer
			srv, err := model.Start(nil, &log)
			must.Do(t, err)
			defer srv.Close()
			w.path2 = cmp.Or(w.path2, w.path)
			w.body2 = cmp.Or(w.body2, w.body)
			if w.chunk == nil {
				w.chunk = w.whole
			}
			script := []model.Turn{
				{Text: "now", Calls: []model.Call{{Name: "Bash", Args: map[string]any{"command": "date"}}, {Name: "Bash", Args: map[string]any{"command": "id"}}}},
				{Text: "bye"},
			}
			for _, mode := range []struct {
				name, path, body string
				read             func(*testing.T, io.Reader) (string, string)
			}{
				{"stream", w.path, w.body, func(t *testing.T, r io.Reader) (string, string) { return readStream(t, r, w) }},
				{"whole", w.path2, w.body2, func(t *testing.T, r io.Reader) (string, string) { return readWhole(t, r, w) }},
			} {
				t.Run(mode.name, func(t *testing.T) {
					srv.Begin(model.Play(script...))
					for i, want := range [][2]string{
						{"now", `Bash {"command":"date"}Bash {"command":"id"}`}, {"bye", ""}, {"done", ""},
					} {
						res, err := http.Post(srv.URL+mode.path, "application/json", strings.NewReader(mode.body))
						must.Do(t, err)
						text, calls := mode.read(t, res.Body)
						res.Body.Close()
						if text != want[0] || calls != want[1] {
							t.Errorf("turn %d: text %q calls %q, want %q", i, text, calls, want)
						}
					}
					reqs := srv.Turns()
					if len(reqs) != 3 || reqs[0].Model != "m" || len(reqs[0].Tools) != 1 || reqs[0].Tools[0] != "Bash" {
						t.Fatalf("requests were not understood: %+v", reqs)
					}
					if srv.First("hello there") != 0 || reqs[0].Stream != (mode.name == "stream") {
						t.Errorf("request: %+v", reqs[0])
					}
					if srv.First("secret word") != -1 {
						t.Error("the description of a tool counts as said")
					}
				})
			}
			if n := strings.Count(log.String(), "\n"); n != 6 || !strings.Contains(log.String(), `"body":{`) {
				t.Errorf("log has %d lines: %s", n, log.String())
			}
		})
	}
}

func readWhole(t *testing.T, r io.Reader, w wire) (string, string) {
	t.Helper()
	var doc map[string]any
	must.Do(t, json.NewDecoder(r).Decode(&doc))
	text, calls := w.whole(doc)
	return text, strings.Join(calls, "")
}

func readStream(t *testing.T, r io.Reader, w wire) (text, calls string) {
	t.Helper()
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var doc map[string]any
		if err := json.Unmarshal([]byte(data), &doc); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		tx, cs := w.chunk(doc)
		text += tx
		calls += strings.Join(cs, "")
	}
	return text, calls
}

// TestSideRequestsTakeNoTurn: a request without tools gets an answer, but the
// script stays where it is.
func TestSideRequestsTakeNoTurn(t *testing.T) {
	srv, err := model.Start(model.Play(model.Turn{Text: "first"}), io.Discard)
	must.Do(t, err)
	defer srv.Close()
	for _, c := range []struct{ name, body, want string }{
		{"without tools it is no turn", `{"messages":[{"role":"user","content":"a title?"}]}`, "ok"},
		{"with tools it is", `{"tools":[{"type":"function","function":{"name":"x"}}],"messages":[]}`, "first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := http.Post(srv.URL+"/chat/completions", "application/json", strings.NewReader(c.body))
			must.Do(t, err)
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if !strings.Contains(string(body), `"content":"`+c.want+`"`) {
				t.Errorf("%s: %s", c.body, body)
			}
		})
	}
	if len(srv.Requests()) != 2 || len(srv.Turns()) != 1 {
		t.Errorf("%d requests, %d turns", len(srv.Requests()), len(srv.Turns()))
	}
}

// TestSplitAndStatus: two conversations are told apart by what they say, and a
// turn can be an error.
func TestSplitAndStatus(t *testing.T) {
	script := model.Split("MAIN", model.Play(model.Turn{Text: "to main"}), model.Play(model.Turn{Status: 401}))
	srv, err := model.Start(script, io.Discard)
	must.Do(t, err)
	defer srv.Close()
	for _, c := range []struct {
		name, content string
		status        int
		want          string
	}{
		{"of the others", "sub", 401, "scripted_error"},
		{"of the main agent", "MAIN", 200, "to main"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := http.Post(srv.URL+"/v1/chat/completions", "application/json",
				strings.NewReader(`{"tools":[{"name":"x"}],"messages":[{"role":"user","content":"`+c.content+`"}]}`))
			must.Do(t, err)
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if res.StatusCode != c.status || !strings.Contains(string(body), c.want) {
				t.Errorf("%s: %d %s", c.content, res.StatusCode, body)
			}
		})
	}
}

// TestBadRequests: what is not a model request is noted and never a crash.
func TestBadRequests(t *testing.T) {
	srv, err := model.Start(model.Play(), io.Discard)
	must.Do(t, err)
	defer srv.Close()
	for path, want := range map[string]int{"/v1/messages": 400, "/v1/responses/x": 404, "/v1/messages/count_tokens": 200} {
		t.Run(path, func(t *testing.T) {
			res, err := http.Post(srv.URL+path, "application/json", strings.NewReader(`{"broken`))
			must.Do(t, err)
			res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
			}
		})
	}
	if len(srv.Requests()) != 0 || len(srv.Others()) != 3 {
		t.Errorf("requests %d, others %q", len(srv.Requests()), srv.Others())
	}
}

// TestResponsesOnly: free-form tools and groups of tools, which only the
// Responses protocol has, as they are offered and as they are called.
func TestResponsesOnly(t *testing.T) {
	srv, err := model.Start(model.Play(model.Turn{Calls: []model.Call{
		{Name: "exec", Input: "text('hi')"},
		{Namespace: "crew", Name: "hire", Args: map[string]any{"message": "go"}},
	}}), io.Discard)
	must.Do(t, err)
	defer srv.Close()
	res, err := http.Post(srv.URL+"/v1/responses", "application/json", strings.NewReader(
		`{"tools":[{"type":"custom","name":"exec"},{"type":"web_search"},{"type":"namespace","name":"crew","tools":[{"type":"function","name":"hire"}]}],"input":"hello"}`))
	must.Do(t, err)
	defer res.Body.Close()
	var doc map[string]any
	must.Do(t, json.NewDecoder(res.Body).Decode(&doc))
	for i, want := range []string{`"name":"exec","status":"completed","type":"custom_tool_call"`, `"name":"hire","namespace":"crew"`} {
		if got := compact(at(doc, "output", i)); !strings.Contains(got, want) {
			t.Errorf("item %d: %s, want %s", i, got, want)
		}
	}
	if got := strings.Join(srv.Turns()[0].Tools, " "); got != "exec web_search crew.hire" {
		t.Errorf("tools: %s", got)
	}
}

// TestAugment: the lines of Augment's backend, and what its programs read in
// them; hooks are on.
func TestAugment(t *testing.T) {
	srv, err := model.Start(model.Play(
		model.Turn{Text: "first", Calls: []model.Call{{Name: "view", Args: map[string]any{"path": "a"}}, {Name: "x"}}},
		model.Turn{Text: "last"},
	), io.Discard)
	must.Do(t, err)
	defer srv.Close()
	ask := func(path, body string) (lines []map[string]any) {
		res, err := http.Post(srv.URL+path, "application/json", strings.NewReader(body))
		must.Do(t, err)
		defer res.Body.Close()
		for dec := json.NewDecoder(res.Body); dec.More(); {
			var doc map[string]any
			must.Do(t, dec.Decode(&doc))
			lines = append(lines, doc)
		}
		return lines
	}
	if got := ask("/get-models", "{}"); len(got) != 1 || at(got[0], "feature_flags", "enable_hooks") != true {
		t.Errorf("get-models: %v", got)
	}
	body := `{"tool_definitions":[{"name":"view","description":"secret word"}],"message":"hello there","nodes":[{"tool_result_node":{"content":"a result"}}],"chat_history":[]}`
	var text, calls string
	var reason any
	for _, line := range ask("/chat-stream", body) {
		text += str(line, "text")
		for _, n := range each(line["nodes"]) {
			if at(n, "type") == 5.0 {
				calls += str(n, "tool_use", "tool_name") + " " + str(n, "tool_use", "input_json") + ";"
			}
		}
		reason = line["stop_reason"]
	}
	if text != "first" || calls != `view {"path":"a"};x {};` || reason != 3.0 {
		t.Errorf("text %q, calls %q, reason %v", text, calls, reason)
	}
	if got := ask("/chat-stream", body); str(got[0], "text") != "last" || at(got[len(got)-1], "stop_reason") != 1.0 {
		t.Errorf("the end: %v", got)
	}
	if srv.First("hello there") != 0 || srv.First("a result") != 0 || srv.First("secret word") >= 0 {
		t.Errorf("texts %q", srv.Turns()[0].Texts())
	}
}

// TestStepsAndArguments: an answer can be made of its request, and what stands
// in the JSON text of a call's arguments counts as said.
func TestStepsAndArguments(t *testing.T) {
	srv, err := model.Start(model.Steps(func(r *model.Request) model.Turn {
		return model.Turn{Text: r.Texts()[len(r.Texts())-1] + " it is", InputTokens: 99}
	}), io.Discard)
	must.Do(t, err)
	defer srv.Close()
	res, err := http.Post(srv.URL+"/v1/chat/completions", "application/json", strings.NewReader(
		`{"tools":[{"name":"x"}],"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"x","arguments":"{\"a\":\"l1\\nl2\"}"}}]},{"role":"user","content":"seven"}]}`))
	must.Do(t, err)
	defer res.Body.Close()
	var doc map[string]any
	must.Do(t, json.NewDecoder(res.Body).Decode(&doc))
	// keys are read in their order, so the role comes after the content
	if got := str(doc, "choices", 0, "message", "content"); got != "user it is" || at(doc, "usage", "prompt_tokens") != 99.0 {
		t.Errorf("answer: %s", compact(doc))
	}
	if srv.First("l1\nl2") != 0 {
		t.Errorf("arguments are not among the texts: %q", srv.Turns()[0].Texts())
	}
}
