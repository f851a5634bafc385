package protocol

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// What becomes of an outcome that an event cannot carry (R11, DESIGN 6).
func TestFit(t *testing.T) {
	input := Object{{"a", Raw("1")}}
	all := CanBlock | CanAsk | CanModify | CanContext | CanContinue | CanMessage
	for _, c := range []struct {
		name   string
		typ    EventType
		can    Can
		policy Unsupported
		in     Outcome
		want   Outcome
		lost   string
	}{
		{"nothing", PreToolCall, 0, "", Outcome{}, Outcome{}, ""},
		{"everything fits", PreToolCall, all, "", Outcome{Decision: Ask, Reason: "r", ModifiedInput: input, AdditionalContext: "c", UserMessage: "m", FollowupMessage: "f"},
			Outcome{Decision: Ask, Reason: "r", ModifiedInput: input, AdditionalContext: "c", UserMessage: "m", FollowupMessage: "f"}, ""},
		{"allow needs nothing", PreToolCall, 0, "", Outcome{Decision: Allow}, Outcome{Decision: Allow}, ""},
		{"ask becomes a block", PreToolCall, CanBlock, "", Outcome{Decision: Ask, Reason: "r"}, Outcome{Decision: Block, Reason: "r"}, "ask"},
		{"a bare ask too", PreToolCall, CanBlock, "", Outcome{Decision: Ask, Reason: " "}, Outcome{Decision: Block, Reason: "a hook wants a person to approve this, and this agent cannot ask"}, "ask"},
		{"ask is dropped by policy", PreToolCall, CanBlock, UnsupportedDrop, Outcome{Decision: Ask, Reason: "r"}, Outcome{Reason: "r"}, "ask"},
		{"ask is dropped where nothing blocks", PreToolCall, 0, UnsupportedBlock, Outcome{Decision: Ask}, Outcome{}, "ask"},
		{"ask elsewhere is dropped", PreAgentTurn, CanBlock, "", Outcome{Decision: Ask}, Outcome{}, "ask"},
		{"modify is dropped", PreToolCall, CanBlock, "", Outcome{ModifiedInput: input}, Outcome{}, "modify"},
		{"modify is dropped by policy", PreToolCall, CanBlock, UnsupportedDrop, Outcome{ModifiedInput: input}, Outcome{}, "modify"},
		{"modify blocks by policy", PreToolCall, CanBlock, UnsupportedBlock, Outcome{ModifiedInput: input, AdditionalContext: "c"},
			Outcome{Decision: Block, Reason: "a hook changed this call, and this agent cannot apply the change"}, "modify"},
		{"an empty modify is one", PreToolCall, 0, "", Outcome{ModifiedInput: Object{}}, Outcome{}, "modify"},
		{"a block drops the rest", PreToolCall, all, "", Outcome{Decision: Block, Reason: "r", ModifiedInput: input, AdditionalContext: "c", UserMessage: "m", FollowupMessage: "f"},
			Outcome{Decision: Block, Reason: "r", UserMessage: "m"}, ""},
		{"a block that cannot be", PreSession, CanContext, "", Outcome{Decision: Block, Reason: "r", AdditionalContext: "c"}, Outcome{AdditionalContext: "c"}, "block"},
		{"a block afterwards is feedback", PostToolCall, CanContext, "", Outcome{Decision: Block, Reason: "r\n", AdditionalContext: "c"}, Outcome{AdditionalContext: "r\n\nc"}, ""},
		{"a bare one too", PostToolCall, CanContext, "", Outcome{Decision: Block}, Outcome{AdditionalContext: "a hook objected, and gave no reason"}, ""},
		{"feedback without a channel", PostSession, CanMessage, "", Outcome{Decision: Block, Reason: "r", UserMessage: "m"}, Outcome{UserMessage: "m"}, "block"},
		{"a block on a stop", PreAgentTurnStop, CanBlock, "", Outcome{Decision: Block, Reason: "r", FollowupMessage: "f"}, Outcome{Decision: Block, Reason: "r"}, ""},
		{"texts without a channel", PreAgentTurn, 0, "", Outcome{AdditionalContext: "c", UserMessage: "m", FollowupMessage: "f"}, Outcome{}, "context continue message"},
		{"env and log are no capability", PreSession, 0, "", Outcome{Env: input, Log: Raw("1")}, Outcome{Env: input, Log: Raw("1")}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, losses := Fit(&Event{Type: c.typ, Can: c.can}, c.in, c.policy)
			if got.Decision != c.want.Decision || string(got.JSON()) != string(c.want.JSON()) {
				t.Errorf("got %s %s, want %s %s", got.Decision, got.JSON(), c.want.Decision, c.want.JSON())
			}
			var lost []string
			for _, l := range losses {
				lost = append(lost, l.What.String())
				if !strings.Contains(l.Text, string(c.typ)) {
					t.Errorf("loss %q does not name the event", l.Text)
				}
			}
			if s := strings.Join(lost, " "); s != c.lost {
				t.Errorf("lost %q, want %q", s, c.lost)
			}
		})
	}
}

// A cut text fits, is cut between lines, and says so (R12, R-19).
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		note  string
		want  string
	}{
		{"short", 5, "", "short"},
		{"any length", 0, "", "any length"},
		{"äöü日本", 5, "", "äöü日本"},
		{strings.Repeat("0123456789\n", 10), 60, "", "0123456789\n0123456789\n0123456789\n[cut here by agents-hooks]"},
		{strings.Repeat("x", 100), 60, "", strings.Repeat("x", 33) + "\n[cut here by agents-hooks]"},
		{strings.Repeat("0123456789\n", 10), 90, "/tmp/whole", "0123456789\n0123456789\n0123456789\n[cut here by agents-hooks; whole text: /tmp/whole]"},
		{strings.Repeat("日", 100), 10, "", strings.Repeat("日", 10)},
	} {
		got, cut := Cut(c.text, c.limit, c.note)
		if got != c.want || cut != (c.want != c.text) {
			t.Errorf("Cut(%.20q…, %d): %q (%v), want %q", c.text, c.limit, got, cut, c.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("a\nb\nc", 3, "note")
	f.Add("\xff\xfe", 1, "")
	f.Fuzz(func(t *testing.T, text string, limit int, note string) {
		got, cut := Cut(text, limit, note)
		if !cut && got != text {
			t.Fatalf("%q became %q and says nothing", text, got)
		}
		if limit > 0 && utf8.RuneCountInString(got) > limit {
			t.Fatalf("%q cut to %d became %q", text, limit, got)
		}
	})
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\nof é 日本 😀":     "plain\ttext\nof é 日本 😀",
		"\x1b[31mred\x1b[0m":         "red",
		"\x1b]0;title\x07x":          "x",
		"\x1b]8;;http://x\x1b\\link": "link",
		"\x1bPdevice\x1b\\x":         "x",
		"a\x1b":                      "a",
		"a\x1b[":                     "a",
		"a\x1b]never ends":           "a",
		"back\b\rspace\x00\x7f":      "backspace",
		"c1\u009b31m\u0085":          "c131m",
		"bidi \u202eevil\u2066":      "bidi evil",
		"bad \xff byte":              "bad \uFFFD byte",
		"\x1bMup":                    "up",
	} {
		if got := Plain(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("\x1b[31mx\x1b]0;t\x07")
	f.Fuzz(func(t *testing.T, s string) {
		got := Plain(s)
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
				t.Fatalf("%q: %q holds %U", s, got, r)
			}
		}
		if Plain(got) != got {
			t.Fatalf("%q: %q is not plain", s, got)
		}
	})
}
