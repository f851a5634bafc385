package redact

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// known are secrets that no surroundings save.
var known = []string{
	fill("ghp_{36}"), fill("AKIA{A16}"), fill("xoxb-{d12}-{d12}-{24}"), fill("sk-ant-api03-{40}"),
	fill("glpat-{20}"), fill("AIza{35}"), fill("npm_{36}"), fill("eyJ{20}.eyJ{30}.{43}"), fill("hf_{34}"),
}

var marks = regexp.MustCompile(`\[redacted\]|\[REDACTED:[a-zA-Z0-9-]+\]`)

// FuzzRedact holds what is promised of every text: the second time does nothing;
// what is left is the text itself, in its order, with marks between; it grows by
// no more than its marks; UTF-8 stays UTF-8; and a secret that is put anywhere
// between two words does not come through.
func FuzzRedact(f *testing.F) {
	for _, s := range []string{
		"password=", "token: \"", "密码", "curl -u a:", "curl -u 00A:", "curl -u jane: https://h", "--token", "sha256:", "Authorization: ", "Bearer a", "a=b/c+d==", `\"secret\": \"x`,
		"-----BEGIN X PRIVATE KEY-----", "-----END X PRIVATE KEY-----", "://:@:@://@:", "a:b@tcp(", "[REDACTED:", "[redacted]", "<private>", "</private>",
		"name: API_KEY value: ", "key: |\n  x", "<fooToken>\n  x", "mysql -p", `{"name": "TOKEN", "value": "x"}`, "%3Dsk-", "\x1b[31mkey", "Cookie: a=b", "口令是 a1b", "phone: ", "+49 171 ", "4111 1111 ", "手机 139", "DE89 3704 ", "ssn,phone\n", "login a@b.", "home address: 1 ",
	} {
		f.Add(s, uint16(3), uint8(1))
	}
	f.Fuzz(func(t *testing.T, s string, at uint16, which uint8) {
		secret := known[int(which)%len(known)]
		i := int(at) % (len(s) + 1)
		for i < len(s) && !utf8.RuneStart(s[i]) {
			i++
		}
		for p := range policies {
			policy := Policy(p)
			clean := policy.Text(s)
			if again := policy.Text(clean); again != clean {
				t.Fatalf("policy %d: %q\nbecomes %q\nthen %q", p, s, clean, again)
			}
			if utf8.ValidString(s) && !utf8.ValidString(clean) {
				t.Fatalf("policy %d: %q\nbecomes %q, which is not UTF-8", p, s, clean)
			}
			if len(clean) > 16*len(s)+64 {
				t.Fatalf("policy %d makes %d bytes of %d", p, len(clean), len(s))
			}
			rest := s
			if policies[p].private {
				rest = Private(s)
			}
			for n, piece := range marks.Split(clean, -1) {
				at := strings.Index(rest, piece)
				if at < 0 || n == 0 && at > 0 {
					t.Fatalf("policy %d: %q\nbecomes %q: where is %q from?", p, s, clean, piece)
				}
				rest = rest[at+len(piece):]
			}
			with := s[:i] + " " + secret + "\n" + s[i:]
			if got := policy.Text(with); strings.Contains(got, secret) {
				t.Fatalf("policy %d: %q\nlets it through: %q", p, with, got)
			}
		}
	})
}

// No text takes work that grows faster than it does: pieces that each make a row look
// far ahead or back, over and over. A text may take five times as much as its sixteen
// parts do, for processors do not always run equally fast; what grows with the square
// would be sixteen times as much.
func TestLinear(t *testing.T) {
	for i, piece := range []string{
		"sk-", "sk-xoxb-", "a", "aB3", "password=", "password='", `token="`, `\"`, "://", "://a:", "://a:b@", "@tcp(", "a:@tcp(", "-----BEGIN PRIVATE KEY-----", "-----BEGIN ",
		"-----END ", "-----END PRIVATE KEY-----", "AAAA\n-----END PRIVATE KEY-----", "eyJ", "eyJ.", "curl -u ", "curl -u a:b ", "-p -p ", "密码", "密", "<private>", "</private>", "bearer ",
		"Authorization: ", "name: token ", "key: |\n", ".atlasv1.", "Q~", ":A", "|", "[REDACTED:", "[redacted]", "a-", "a_", "A", "token,", "\"token\", ", "1234 ", "123-", "+1", "+491712345 ", "phone ", "phone 1234567 ", "138 ", "1,", "1234567,", "|1234567\n", ",1234567\n", "DE12 ", "AB1234", "a@", "@b.c", "a@b.c ", "home address: ", " is ", "：", "是", "ssn", "1:A", "SG.", "hvs.a-",
	} {
		if !slowtest.Part(i, 8) {
			continue
		}
		took := func(times, n int) time.Duration {
			text := strings.Repeat(piece, n/len(piece))
			began := processor.Time()
			for range times {
				for p := range policies {
					Policy(p).Text(text)
				}
			}
			return processor.Time() - began
		}
		// What is much once may have been that of the collector; the least of a few is the text's.
		small, large := took(16, 2<<10), took(1, 32<<10)
		for range 3 {
			if large <= 5*small+100*time.Millisecond {
				break
			}
			small, large = min(small, took(16, 2<<10)), min(large, took(1, 32<<10))
		}
		if large > 5*small+100*time.Millisecond {
			t.Errorf("%q: %v for 16 times 2 KiB, %v for 32 KiB", piece, small, large)
		} else if testing.Verbose() {
			t.Logf("%q: %v, %v", piece, small, large)
		}
	}
}

// What a failing hook says, and what an agent read.
func BenchmarkLog(b *testing.B) {
	line := "Traceback (most recent call last):\n  File \"/home/dev/app/check.py\", line 41, in <module>\n    main(sys.argv[1:])\nValueError: could not convert string to float: 'abc' (session 7f3c2a1e-0000-4000-8000-1234567890ab)\n"
	for name, text := range map[string]string{"200B": line, "4KiB": strings.Repeat(line, 20)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Log.Text(text)
			}
		})
	}
}

func BenchmarkMemory(b *testing.B) {
	text := strings.Join(harmless, "\n")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Memory.Text(text)
	}
}
