package protocol

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// What happens to an outcome that an event cannot carry.
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
		{"a permission is given", PreToolCall, CanAllow, "", Outcome{Decision: Allow, Reason: "r"}, Outcome{Decision: Allow, Reason: "r"}, ""},
		{"a permission that nobody takes", PermissionRequest, CanBlock, "", Outcome{Decision: Allow, Reason: "r"}, Outcome{}, "allow"},
		{"a permission for what does not run", PreToolCall, CanAllow, "", Outcome{Decision: Allow, ModifiedInput: input}, Outcome{}, "allow modify"},
		{"allow elsewhere is no permission", PreAgentTurn, 0, "", Outcome{Decision: Allow}, Outcome{Decision: Allow}, ""},
		{"an output is replaced", PostToolCall, CanOutput, "", Outcome{ModifiedOutput: "o"}, Outcome{ModifiedOutput: "o"}, ""},
		{"an output is spoken of", PostToolCall, CanContext, "", Outcome{ModifiedOutput: "o", Replacers: "a", AdditionalContext: "c"},
			Outcome{AdditionalContext: "[a] The result of this tool call was to be replaced before you read it, and this agent cannot do that. Do not use, repeat or store anything of it that does not stand in what replaces it:\no\n\nc"}, "output"},
		{"an output that stays", PostToolCallFailure, 0, "", Outcome{ModifiedOutput: "o"}, Outcome{}, "output"},
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

// A cut text fits, is cut between lines, and says that it was cut.
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
		t.Run(fmt.Sprintf("%.20q to %d", c.text, c.limit), func(t *testing.T) {
			got, cut := Cut(c.text, c.limit, c.note)
			if got != c.want || cut != (c.want != c.text) {
				t.Errorf("Cut(%.20q…, %d): %q (%v), want %q", c.text, c.limit, got, cut, c.want)
			}
		})
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
		"a\x1b]never ends":           "anever ends",
		"a\x1b[12\n34m":              "a12\n34m",
		"\u009d52;c;cHduZWQ=\u009cx": "x",
		"\x1b]52;c;cHduZWQ=\x07x":    "x",
		"back\b\rspace\x00\x7f":      "backspace",
		"c1\u009b31m\u0085":          "c1",
		"bidi \u202eevil\u2066":      "bidi evil",
		"bad \xff byte":              "bad \uFFFD byte",
		"\x1bMup":                    "up",
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if got := Plain(in); got != want {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}

// Nothing that a terminal obeys or that hides is left; where a user has to see it, it
// is made visible.
func TestOddCharacters(t *testing.T) {
	t.Parallel()
	odd := "\u2800\u00ad\u061c\u180e\u3164\u115f\u1160\uffa0\ufe00\U000e0101\ufff9\ufffa\ufffb\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200c\u200e\u200f\u2060\ufeff\U000e0001\U000e0041\U000e007f\u2028\u2029\u007f\u0085\u009b\x00\x08\r"
	for _, r := range odd {
		s := "a" + string(r) + "é"
		if !Odd(r) || Plain(s) != "aé" {
			t.Errorf("%U: plain %q", r, Plain(s))
		}
		want := fmt.Sprintf("a\\u{%x}é", r)
		if r < 0x80 {
			want = fmt.Sprintf("a\\x%02xé", r)
		}
		if Visible(s) != want {
			t.Errorf("%U: visible %q, want %q", r, Visible(s), want)
		}
	}
	for _, s := range []string{"é日本한국어 العربية עברית हिन्दी ไทย", "😀🇩🇪", "x\ty\nz", "\u00a0\u3000", "𝒳", "\U000f0000"} {
		t.Run(fmt.Sprintf("%q", s), func(t *testing.T) {
			if Plain(s) != s || Visible(s) != s {
				t.Errorf("%q became %q and %q", s, Plain(s), Visible(s))
			}
		})
	}
	if have := Visible("❤\ufe0f👩\u200d💻 \xff\x1b[31m"); have != `❤\u{fe0f}👩\u{200d}💻 \xff\x1b[31m` {
		t.Errorf("%q", have)
	}
	begin := time.Now()
	for _, s := range []string{"\x1b]", "\u009d", "\x1b[", "\u202e"} {
		Plain(strings.Repeat(s, 1<<17))
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("a hostile megabyte takes %s", took)
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("\x1b[31mx\x1b]0;t\x07")
	f.Fuzz(func(t *testing.T, s string) {
		got := Plain(s)
		for _, r := range got {
			if Odd(r) {
				t.Fatalf("%q: %q holds %U", s, got, r)
			}
		}
		if Plain(got) != got || Visible(got) != got {
			t.Fatalf("%q: %q is not plain", s, got)
		}
		if oddIndex(strings.ReplaceAll(Visible(s), "\uFFFD", "")) >= 0 {
			t.Fatalf("%q is visible as %q", s, Visible(s))
		}
	})
}
