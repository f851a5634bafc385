// Package dialecttest is the common part of the dialects' tests: the payloads beside
// each dialect, and the golden files for what hooks and agents get.
//
// A dialect's folder has testdata/payloads/captured (from the real program),
// testdata/payloads/made (written from its documentation or source, or captured in an
// earlier run) and testdata/payloads/own (ours, for what neither shows). testdata/events
// has the bytes that a hook reads for each of them, testdata/answers.txt what the agent
// gets. Run the tests with -update to write them, and read what they say. testdata/rules.txt,
// if there is one, says where the agent differs from the common rules ([Rules]).
package dialecttest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

var update = flag.Bool("update", false, "write golden files")

// A Payload is one file of testdata/payloads. Its name is the event's, as the agent
// spells it, plus a number or a word.
type Payload struct {
	Name   string // "captured/Stop-2", "own/Stop.aborted"
	Event  string // "Stop": what --event says, for agents whose payload does not
	Bytes  []byte
	Object protocol.Object
}

// Payloads reads the payloads below a dialect's folder.
func Payloads(t testing.TB, folder string) []Payload {
	t.Helper()
	var out []Payload
	root := filepath.Join(folder, "testdata", "payloads")
	for _, kind := range []string{"captured", "made", "own"} {
		files, err := filepath.Glob(filepath.Join(root, kind, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			o, err := protocol.ParseObject(b)
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			base := strings.TrimSuffix(filepath.Base(f), ".json")
			out = append(out, Payload{kind + "/" + base, eventOf(base), b, o})
		}
	}
	if len(out) == 0 {
		t.Fatalf("no payloads below %s", root)
	}
	return out
}

// eventOf is a file's name without what follows the event.
func eventOf(base string) string {
	base, _, _ = strings.Cut(base, ".")
	if i := strings.LastIndexByte(base, '-'); i > 0 && strings.Trim(base[i+1:], "0123456789") == "" {
		base = base[:i]
	}
	return base
}

// Decode decodes the payload as an entry of its event would, with an
// environment.
func (p Payload) Decode(t testing.TB, d *protocol.Dialect, env map[string]string) []*protocol.Event {
	t.Helper()
	return decode(t, d, protocol.Input{Payload: p.Object, Event: p.Event}, env)
}

// Now is the time of every test.
var Now = time.Date(2026, 11, 21, 4, 5, 6, 789e6, time.UTC)

// Decode decodes a payload, with an environment.
func Decode(t testing.TB, d *protocol.Dialect, p protocol.Object, env map[string]string) []*protocol.Event {
	t.Helper()
	return decode(t, d, protocol.Input{Payload: p}, env)
}

func decode(t testing.TB, d *protocol.Dialect, in protocol.Input, env map[string]string) []*protocol.Event {
	t.Helper()
	in.Now = Now
	in.Env = func(n string) string { return env[n] }
	events, err := d.Decode(in)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// Object parses a JSON object.
func Object(t testing.TB, text string) protocol.Object {
	t.Helper()
	o, err := protocol.ParseObject([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return o
}

// First decodes a payload given as text, and returns the event that decides.
func First(t testing.TB, d *protocol.Dialect, payload string) *protocol.Event {
	t.Helper()
	events := Decode(t, d, Object(t, payload), nil)
	if len(events) == 0 {
		t.Fatalf("%s: no event for %s", d.ID, payload)
	}
	return events[0]
}

// Told is the answer to a payload for an outcome, without its line break.
func Told(t testing.TB, d *protocol.Dialect, payload string, o protocol.Outcome) string {
	t.Helper()
	return strings.TrimSuffix(string(Answer(d, First(t, d, payload), "", o).Reply.Stdout), "\n")
}

// Check is a test of its own that something is as wanted. A check of a quirk begins with
// the quirk's id: "claude-code/9 JSON as context".
func Check(t *testing.T, name, got, want string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Helper()
		if got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	})
}

// Events checks what hooks get for every payload of the dialect in this folder.
func Events(t *testing.T, d *protocol.Dialect, env map[string]string) {
	for _, p := range Payloads(t, ".") {
		t.Run(p.Name, func(t *testing.T) {
			var got bytes.Buffer
			for _, ev := range p.Decode(t, d, env) {
				got.Write(deed.Tell(ev).JSON())
			}
			Golden(t, filepath.Join("testdata", "events", strings.ReplaceAll(p.Name, "/", "-")+".jsonl"), got.Bytes())
		})
	}
}

// Golden compares with a file, or writes it.
func Golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test with -update writes it: read it then)", err)
	}
	if !bytes.Equal(got, want) {
		line, is, was := firstDifference(got, want)
		t.Errorf("%s:%d:\n got %s\nwant %s\n(go test with -update writes it: read the diff then)", path, line, is, was)
	}
}

// firstDifference is the first line in which two texts differ, counted from 1.
func firstDifference(a, b []byte) (line int, is, was string) {
	for line = 1; ; line++ {
		x, moreA, _ := bytes.Cut(a, []byte("\n"))
		y, moreB, _ := bytes.Cut(b, []byte("\n"))
		if !bytes.Equal(x, y) || len(a) == 0 || len(b) == 0 {
			return line, string(x), string(y)
		}
		a, b = moreA, moreB
	}
}

// An Answered is one answer of a dialect, with its input.
type Answered struct {
	Event   *protocol.Event
	Kind    string // of outcome
	Outcome protocol.Outcome
	Reply   protocol.Reply
	Losses  []protocol.Loss
}

// Warnings names the parts that the agent can carry but that are lost all the same.
func (a Answered) Warnings() []string {
	var texts []string
	for _, l := range a.Losses {
		if l.What == 0 {
			texts = append(texts, l.Text)
		}
	}
	return texts
}

// Outcomes has one of each kind.
func Outcomes() []struct {
	Kind string
	protocol.Outcome
} {
	input := protocol.Object{{Name: "command", Value: protocol.Raw(`"echo safe"`)}}
	env := protocol.Object{
		{Name: "API_URL", Value: protocol.Raw(`"http://x/?a='b'"`)},
		{Name: "DEPTH", Value: protocol.Raw(`3`)},
		{Name: "bad-name", Value: protocol.Raw(`"x"`)},
	}
	type kind = struct {
		Kind string
		protocol.Outcome
	}
	return []kind{
		{"nothing", protocol.Outcome{}},
		{"allow", protocol.Outcome{Decision: protocol.Allow, Reason: "fine"}},
		{"ask", protocol.Outcome{Decision: protocol.Ask, Reason: "sure?"}},
		{"ask bare", protocol.Outcome{Decision: protocol.Ask}},
		{"block", protocol.Outcome{Decision: protocol.Block, Reason: "no <rm> & \"go\"\nreally"}},
		{"block bare", protocol.Outcome{Decision: protocol.Block, Reason: " \n"}},
		{"modify", protocol.Outcome{ModifiedInput: input}},
		{"context", protocol.Outcome{AdditionalContext: "remember this"}},
		{"output", protocol.Outcome{ModifiedOutput: "[redacted] by \"a\"", Replacers: "a"}},
		{"message", protocol.Outcome{UserMessage: "look here"}},
		{"followup", protocol.Outcome{FollowupMessage: "run the tests"}},
		{"env", protocol.Outcome{Env: env}},
		{"allow all", protocol.Outcome{Decision: protocol.Allow, ModifiedInput: input, AdditionalContext: "c", UserMessage: "m", FollowupMessage: "f", Env: env}},
		{"ask all", protocol.Outcome{Decision: protocol.Ask, Reason: "r", ModifiedInput: input, AdditionalContext: "c", UserMessage: "m"}},
		{"block all", protocol.Outcome{Decision: protocol.Block, Reason: "r", ModifiedInput: input, AdditionalContext: "c", UserMessage: "m", FollowupMessage: "f"}},
		{"braces", protocol.Outcome{AdditionalContext: "{\"not\": \"an answer\"}"}},
		{"long", protocol.Outcome{AdditionalContext: strings.Repeat("a line of eighteen\n", 1000), UserMessage: "m"}},
	}
}

// Answer fits an outcome to an event and encodes it, as the dispatcher does.
func Answer(d *protocol.Dialect, ev *protocol.Event, kind string, o protocol.Outcome) Answered {
	fitted, losses := d.Fit(ev, o, protocol.Policy{})
	return Answered{ev, kind, fitted, d.Encode(ev, fitted), losses}
}

// Deciding lists, for each native event, the event that decides, decoded from
// the payload of that event that can carry the most.
func Deciding(t testing.TB, d *protocol.Dialect, folder string, env map[string]string) []*protocol.Event {
	t.Helper()
	var out []*protocol.Event
	payloads := Payloads(t, folder)
	for _, n := range d.NativeEvents {
		for _, want := range append(n.MapsTo[:1:1], n.Instead...) {
			if ev := richest(t, d, n, want, payloads, env); ev != nil {
				out = append(out, ev)
			} else {
				t.Errorf("%s: no payload for %s as %s", d.ID, n.Name, want)
			}
		}
	}
	return out
}

func richest(t testing.TB, d *protocol.Dialect, n protocol.Native, want protocol.EventType, payloads []Payload, env map[string]string) *protocol.Event {
	var best *protocol.Event
	for _, p := range payloads {
		events := p.Decode(t, d, env)
		if len(events) == 0 || events[0].NativeEvent != n.Name || events[0].Type != want {
			continue
		}
		if best == nil || events[0].Can > best.Can || p.Name == "captured/"+n.Name {
			best = events[0]
		}
	}
	return best
}

// Answers checks what the agent is told for each of its events and each kind of
// outcome.
func Answers(t *testing.T, d *protocol.Dialect, env map[string]string) []Answered {
	var all []Answered
	var got bytes.Buffer
	fmt.Fprintf(&got, "What %s is told: event, what the hooks said, exit code, answer.\n", d.Name)
	for _, ev := range Deciding(t, d, ".", env) {
		fmt.Fprintf(&got, "\n%s as %s (can: %s)\n", ev.NativeEvent, ev.Type, ev.Can)
		for _, o := range Outcomes() {
			a := Answer(d, ev, o.Kind, o.Outcome)
			all = append(all, a)
			fmt.Fprintf(&got, "  %-10s %d %s\n", o.Kind, a.Reply.Exit, short(a.Reply.Stdout))
			if len(a.Reply.Stderr) > 0 {
				fmt.Fprintf(&got, "             stderr %q\n", a.Reply.Stderr)
			}
			if a.Outcome.Later != "" {
				fmt.Fprintf(&got, "             later: %s\n", a.Outcome.Later)
			}
			for _, f := range a.Reply.Files {
				fmt.Fprintf(&got, "             file %s: %q\n", strings.TrimPrefix(f.Path, filepath.VolumeName(f.Path)), f.Text)
			}
			for _, l := range a.Losses {
				kind := "lost"
				if l.What == 0 {
					kind = "warning"
				}
				fmt.Fprintf(&got, "             %s: %s\n", kind, l.Text)
			}
		}
	}
	Golden(t, filepath.Join("testdata", "answers.txt"), got.Bytes())
	return all
}

func short(b []byte) string {
	s := strings.TrimSuffix(string(b), "\n")
	if len(s) > 600 {
		s = fmt.Sprintf("%s … %s (%d characters)", s[:60], s[len(s)-60:], len([]rune(s)))
	}
	if s == "" {
		return "(empty)"
	}
	return s
}
