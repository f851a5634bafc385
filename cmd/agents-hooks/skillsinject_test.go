package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A libraryMessage is a message of a program that links the library.
type libraryMessage struct{ role, content string }

// For programs in any language: inject and remove, with no state
// but what stands in the messages, do what the library does. Both play the same
// random loops over the same files.
//
// BS-LST-09.
func TestStatelessSkillsAreTheLibrary(t *testing.T) {
	dir := t.TempDir()
	randomSkills(t, dir)
	hooks, problems := skills.Scan([]string{"b", "a"}, dir)
	if len(problems) > 0 || len(hooks) != 12 {
		t.Fatal(len(hooks), problems)
	}
	host := shelltest.New(t).Host
	for seed := range uint64(12) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		var list []*libraryMessage
		text := `[]`
		m := skills.NewManager(&list, hooks, func(m skills.Message) *libraryMessage {
			return &libraryMessage{string(m.Role), m.Content}
		})
		refs := map[string]*libraryMessage{}
		var names, kept []string
		pipe := func(args ...string) map[string]any {
			var out, errs strings.Builder
			if exit := run(host, append([]string{"skills"}, args...), strings.NewReader(text), &out, &errs); exit != 0 {
				t.Fatalf("seed %d: %v: exit %d, %s", seed, args, exit, &errs)
			}
			text = out.String()
			var doc map[string]any
			must.Do(t, json.Unmarshal([]byte(text), &doc))
			return doc
		}
		for step := range 40 {
			timing := skills.Timings()[rnd.IntN(5)]
			what := ""
			switch op := rnd.IntN(10); {
			case op < 4:
				tool := []string{"A", "Bash", "Cat"}[rnd.IntN(3)]
				what = "inject " + string(timing) + " " + tool
				m.Input = ""
				for i := len(list) - 1; i >= 0 && m.Input == ""; i-- {
					if strings.HasPrefix(list[i].content, "own") {
						m.Input = list[i].content
					}
				}
				stored := m.Inject(timing, tool)
				doc := pipe("inject", "--timing", string(timing), "--tool", tool, "--skills", "b,a", "--skills-dir", dir)
				var got []string
				for _, s := range doc["stored"].([]any) {
					o := s.(map[string]any)
					mark := o["_hook"].(map[string]any)
					got = append(got, fmt.Sprint(o["skill"], o["name"], o["role"], o["content"], mark["timing"], mark["persistent"]))
				}
				for _, s := range stored { // those of the calls before stay
					kept = append(kept, fmt.Sprint(s.Skill, s.Name, s.Role, s.Content, s.Mark.Timing, s.Mark.Persistent))
				}
				if !slices.Equal(got, kept) {
					t.Fatalf("seed %d step %d: %s: stored %v, the library %v", seed, step, what, got, kept)
				}
			case op < 6:
				what = "remove " + string(timing)
				m.Remove(timing)
				pipe("remove", "--timing", string(timing))
			case op == 6:
				what = "prompt"
				message := m.InjectPrompt("prompt", skills.User)
				ref := pipe("inject-prompt", "--role", "user", "prompt")["ref"].(string)
				refs[ref] = message
				names = append(names, ref)
			case op == 7 && len(names) > 0:
				ref := names[rnd.IntN(len(names))]
				what = "remove prompt"
				m.RemovePrompt(refs[ref])
				pipe("remove-prompt", ref)
			case op == 8 && rnd.IntN(3) == 0:
				what = "all"
				m.Close()
				pipe("remove", "--timing", "all")
			default:
				what = "own"
				own := fmt.Sprint("own ", []string{"deploy", "x"}[rnd.IntN(2)])
				list = append(list, &libraryMessage{"user", own})
				text, kept = appendOwn(t, text, own), nil // it hands on the messages alone
			}
			compareMessages(t, fmt.Sprintf("seed %d step %d: %s", seed, step, what), text, list)
		}
	}
}

// appendOwn is the program's own doing: it appends a message of its own.
func appendOwn(t *testing.T, text, content string) string {
	t.Helper()
	message := map[string]any{"role": "user", "content": content}
	var list []json.RawMessage
	var doc struct{ Messages []json.RawMessage }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		must.Do(t, json.Unmarshal([]byte(text), &doc))
		list = doc.Messages
	}
	b, err := json.Marshal(message)
	if err == nil {
		b, err = json.Marshal(append(list, b))
	}
	must.Do(t, err)
	return string(b)
}

func compareMessages(t *testing.T, what, text string, list []*libraryMessage) {
	t.Helper()
	var messages []struct{ Role, Content string }
	var doc struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal([]byte(text), &messages); err != nil {
		must.Do(t, json.Unmarshal([]byte(text), &doc))
		messages = doc.Messages
	}
	var got, want []string
	for _, m := range messages {
		got = append(got, m.Role+":"+m.Content)
	}
	for _, m := range list {
		want = append(want, m.role+":"+m.content)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s\nhas  %v\nwant %v", what, got, want)
	}
}

// randomSkills writes two skills with a prompt of each kind.
func randomSkills(t *testing.T, dir string) {
	t.Helper()
	for _, skill := range []string{"a", "b"} {
		var entries []string
		for i, timing := range skills.Timings() {
			entries = append(entries, fmt.Sprintf(`{"name": "n%d", "file": "t.md", "timing": %q, "role": "system", "persistent": %t}`, i, timing, i%2 == 1 && skill == "a"))
		}
		entries = append(entries, `{"name": "few", "file": "t.md", "timing": "after_tool_call", "role": "user", "persistent": true, "max_copies": 2, "tool_filter": ["Shell", "/^C/"], "match": "deploy"}`)
		hooks := filepath.Join(dir, skill, "hooks")
		must.Do(t, os.MkdirAll(hooks, 0o755))
		for name, text := range map[string]string{"hooks.json": `{"hooks": [` + strings.Join(entries, ", ") + `]}`, "t.md": "<of " + skill + ">"} {
			must.Write(t, filepath.Join(hooks, name), text)
		}
	}
}

// A program that stores what it is told to has one copy more with each
// request, and keeps those of a skill that is switched off.
func TestStatelessHistory(t *testing.T) {
	dir := t.TempDir()
	hooks := filepath.Join(dir, "s", "hooks")
	must.Do(t, os.MkdirAll(hooks, 0o755))
	for name, text := range map[string]string{
		"hooks.json": `{"hooks": [{"name": "p", "file": "p.md", "timing": "after_user_input", "role": "user", "persistent": true}, {"name": "n", "file": "p.md", "timing": "after_user_input", "role": "user", "persistent": false}]}`,
		"p.md":       "kept",
	} {
		must.Write(t, filepath.Join(hooks, name), text)
	}
	host := shelltest.New(t).Host
	text := "[]"
	pipe := func(args ...string) {
		var out, errs strings.Builder
		if exit := run(host, append([]string{"skills"}, args...), strings.NewReader(text), &out, &errs); exit != 0 {
			t.Fatalf("%v: exit %d, %s", args, exit, &errs)
		}
		text = out.String()
	}
	for request, enabled := range []string{"s", "s", "s", ""} {
		text = appendOwn(t, text, "q")
		pipe("inject", "--timing", "after_user_input", "--skills-dir", dir, "--skills", enabled)
		pipe("remove", "--timing", "all") // the request is over; what is left is the history
		messages, _, _ := strings.Cut(text, `"stored"`)
		if got, want := strings.Count(messages, `"content": "kept"`), min(request+1, 3); got != want {
			t.Errorf("request %d: %d copies, want %d: %s", request+1, got, want, text)
		}
	}
}
