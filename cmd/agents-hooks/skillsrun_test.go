package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A spoken is a program that has skills run drive its loop.
type spoken struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	exit chan int
	errs strings.Builder
	line int

	schema *jsonschema.Resolved
}

func speak(t *testing.T, dir string) *spoken {
	t.Helper()
	schema, err := compileSchema("skills-run")
	must.Do(t, err)
	inr, inw := io.Pipe()
	outr, outw := io.Pipe()
	s := &spoken{t: t, in: inw, out: bufio.NewReader(outr), exit: make(chan int, 1), schema: schema}
	host := shelltest.New(t).Host
	go func() {
		s.exit <- run(host, []string{"skills", "run", "--stream", "--skills-dir", dir}, inr, outw, &s.errs)
		outw.Close()
	}()
	return s
}

// say sends a line, and reads the one that answers it.
func (s *spoken) say(text string) map[string]any {
	s.t.Helper()
	must.Do(s.t, must.Err(io.WriteString(s.in, text+"\n")))
	answer, err := s.out.ReadBytes('\n')
	if err != nil {
		s.t.Fatalf("to %.200s: %v", text, err)
	}
	var o map[string]any
	must.Do(s.t, json.Unmarshal(answer, &o))
	err = s.schema.Validate(o)
	if s.line++; err != nil || o["line"] != float64(s.line) {
		s.t.Fatalf("line %d: %s: %v", s.line, answer, err)
	}
	return o
}

func (s *spoken) end() int {
	s.in.Close()
	rest, err := io.ReadAll(s.out)
	if err != nil || len(rest) > 0 {
		s.t.Errorf("behind the last answer: %q, %v", rest, err)
	}
	return <-s.exit
}

func saidIn(list any) string {
	var all []string
	for _, m := range list.([]any) {
		o := m.(map[string]any)
		all = append(all, fmt.Sprint(o["role"], ":", o["content"]))
	}
	return strings.Join(all, " ")
}

// A program in any language that is driven line by line has its model see what that of
// a Go program sees, which is [skills.Loop]: over random requests of one conversation,
// of which every third fails somewhere.
//
// BS-LST-09.
func TestStreamedLoopIsTheLibrary(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	randomSkills(t, dir)
	hooks, _ := skills.Scan(nil, dir)
	seeds := uint64(8)
	if slowtest.On() {
		seeds = 25
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewPCG(seed, 5))
		s := speak(t, dir)
		var list []*libraryMessage
		marks := map[*libraryMessage]skills.Mark{}
		history := "[]"
		for request := range 4 {
			own := fmt.Sprint("own ", []string{"deploy", "x"}[rnd.IntN(2)], request)
			list = append(list, &libraryMessage{"user", own})
			history = appendOwn(t, history, own)
			rounds, fails, tools := 1+rnd.IntN(4), rnd.IntN(9), rnd.IntN(5) > 0
			said := make([][]string, rounds)
			for i := range said[:rounds-1] {
				for range 1 + rnd.IntN(2) {
					said[i] = append(said[i], []string{"exec_command", "Read", "Cat"}[rnd.IntN(3)])
				}
			}
			var seen, stored []string
			calls := 0
			var round int
			loop := skills.Loop[libraryMessage]{
				Hooks: hooks, Plan: "plan", Step: "step",
				Message: func(m skills.Message) *libraryMessage {
					made := &libraryMessage{string(m.Role), m.Content}
					if !m.Mark.Prompt {
						marks[made] = m.Mark
					}
					return made
				},
				Mark: func(m *libraryMessage) (skills.Mark, bool) { mark, ok := marks[m]; return mark, ok },
				Model: func(_ context.Context, at skills.Phase, messages []*libraryMessage) (r skills.Reply[libraryMessage], err error) {
					var all []string
					for _, m := range messages {
						all = append(all, m.role+":"+m.content)
					}
					seen = append(seen, string(at)+" "+strings.Join(all, " "))
					if calls++; calls == fails {
						return r, errors.New("failed")
					}
					r.Message = &libraryMessage{"assistant", "said"}
					if at == skills.Round {
						for _, name := range said[round] {
							r.Calls = append(r.Calls, skills.Call{Name: name})
						}
						round++
					}
					return r, nil
				},
				Store: func(more []skills.Stored) error {
					for _, p := range more {
						stored = append(stored, p.Skill+"/"+p.Name)
					}
					return nil
				},
			}
			if tools {
				loop.Tool = func(_ context.Context, c skills.Call) (*libraryMessage, error) {
					return &libraryMessage{"tool", "result of " + c.Name}, nil
				}
			}
			wrong := loop.Run(context.Background(), &list, own)
			for m := range marks {
				if !marks[m].Persistent {
					delete(marks, m)
				}
			}

			o := s.say(fmt.Sprintf(`{"request": "loop", "id": %d, "messages": %s, "plan": "plan", "step": "step", "tools": %t}`, request, history, tools))
			var heard, kept []string
			calls, round = 0, 0
			for o["ask"] != nil {
				switch o["ask"] {
				case "model":
					heard = append(heard, fmt.Sprint(o["at"], " ", saidIn(o["messages"])))
					if strings.Contains(fmt.Sprint(o["messages"]), "_hook") {
						t.Fatal("a mark goes to the model")
					}
					if calls++; calls == fails {
						o = s.say(`{"error": "failed"}`)
						continue
					}
					var named []string
					if o["at"] == "round" {
						for _, name := range said[round] {
							named = append(named, fmt.Sprintf(`{"name": %q, "x": [1.0]}`, name))
						}
						round++
					}
					o = s.say(`{"answer": {"message": {"role": "assistant", "content": "said"}, "calls": [` + strings.Join(named, ", ") + `]}}`)
				case "tool":
					o = s.say(fmt.Sprintf(`{"answer": {"role": "tool", "content": "result of %s"}}`, o["call"].(map[string]any)["name"]))
				case "store":
					for _, p := range o["stored"].([]any) {
						kept = append(kept, fmt.Sprint(p.(map[string]any)["skill"], "/", p.(map[string]any)["name"]))
					}
					o = s.say(`{"answer": null}`)
				}
			}
			if (o["error"] != nil) != (wrong != nil) {
				t.Fatalf("seed %d request %d: %v, the library %v", seed, request, o["error"], wrong)
			}
			b, err := json.Marshal(o["messages"])
			must.Do(t, err)
			history = string(b)
			if strings.Join(heard, "\n") != strings.Join(seen, "\n") || strings.Join(kept, " ") != strings.Join(stored, " ") {
				t.Fatalf("seed %d request %d: heard\n%s\nthe library\n%s\nkept %v, the library %v", seed, request, strings.Join(heard, "\n"), strings.Join(seen, "\n"), kept, stored)
			}
			compareMessages(t, fmt.Sprintf("seed %d request %d", seed, request), history, list)
		}
		if exit := s.end(); exit != 0 {
			t.Fatal(exit, &s.errs)
		}
	}
}

// What is no answer leaves the question as it is, whatever stands on the line.
func TestStreamedLoopIsAskedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	randomSkills(t, dir)
	s := speak(t, dir)
	kind := func(o map[string]any) any {
		e, _ := o["error"].(map[string]any)
		return e["kind"]
	}
	for line, want := range map[string]any{
		`{"request": "hello"}`: nil, `{"request": "cancel", "id": 3}`: nil,
		`{}`: "request", `{"answer": 1}`: "request", `{"request": "loop"}`: "request", `{"request": "loop", "messages": [1]}`: "request", `[]`: "unreadable", "": "unreadable", "\x00": "unreadable", `{"request": "loop", "messages": [] `: "unreadable",
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			if o := s.say(line); kind(o) != want {
				t.Error(o)
			}
		})
	}
	o := s.say(`{"request": "loop", "id": {"a": 1}, "messages": [], "skills": ["a", "nobody"], "tools": true}`)
	if o["ask"] != "store" || !strings.Contains(fmt.Sprint(o["warnings"]), `no skill "nobody" is there`) {
		t.Fatal(o)
	}
	o = s.say(`{"answer": true}`)
	for o["ask"] == "store" {
		o = s.say(`{"answer": true}`)
	}
	for _, line := range []string{`{}`, `{"answer": null}`, `{"answer": {"calls": [{"x": 1}]}}`, `{"answer": {"message": 5}}`, "\xff", strings.Repeat("[", 5000)} {
		if again := s.say(line); kind(again) == nil || again["ask"] != nil {
			t.Errorf("%.50q: %v", line, again)
		}
	}
	o = s.say(`{"answer": {"calls": [{"name": "Cat"}]}}`)
	if o["ask"] != "tool" || fmt.Sprint(o["id"]) != "map[a:1]" {
		t.Fatal(o)
	}
	if again := s.say(`{"answer": "text"}`); kind(again) != "request" {
		t.Error(again)
	}
	o = s.say(`{"request": "cancel"}`)
	if kind(o) != "cancelled" || !strings.Contains(fmt.Sprint(o["messages"]), "persistent:true") || strings.Contains(fmt.Sprint(o["messages"]), "persistent:false") {
		t.Error(o)
	}
	s.say(`{"request": "loop", "messages": [], "skills": []}`)
	if exit := s.end(); exit != 1 || !strings.Contains(s.errs.String(), "in the middle of a loop") {
		t.Errorf("exit %d, %s", exit, &s.errs)
	}
}
