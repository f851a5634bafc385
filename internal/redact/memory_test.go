package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// The tokens are put together here, so that no scanner of repositories takes
// this file for a leak.
func made(prefix string, n int) string {
	const alphabet = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z"
	var b strings.Builder
	b.WriteString(prefix)
	for i := range n {
		b.WriteByte(alphabet[(i*7+3)%len(alphabet)])
	}
	return b.String()
}

func TestMemory(t *testing.T) {
	t.Parallel()
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE\nabc\n-----END RSA " + "PRIVATE KEY-----"
	jwt := "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcdefghijk"
	for _, c := range []struct{ name, in, want string }{
		{"aws", "key " + "AKIA" + "ABCDEFGHIJKLMNOP end", "key [REDACTED:aws-key] end"},
		{"google", made("AIza", 35), "[REDACTED:google-key]"},
		{"github", "git clone with " + made("ghp_", 36) + ".", "git clone with [REDACTED:github-token]."},
		{"github fine-grained", made("github_pat_", 40), "[REDACTED:github-token]"},
		{"gitlab", made("glpat-", 20), "[REDACTED:gitlab-token]"},
		{"slack", made("xoxb-", 24), "[REDACTED:slack-token]"},
		{"npm", made("npm_", 36), "[REDACTED:npm-token]"},
		{"model vendor", "export K=" + made("sk-", 40), "export K=[REDACTED:api-key]"},
		{"jwt", "cookie: " + jwt + ";", "cookie: [REDACTED:jwt];"},
		{"pem", "a\n" + key + "\nb", "a\n[REDACTED:pem]\nb"},
		{"pem that was cut", "a -----BEGIN " + "PRIVATE KEY-----\nMII", "a [REDACTED:pem]"},
		{"authorization", `curl -H "Authorization: Bearer abc.def-123" x`, `curl -H "Authorization: Bearer [REDACTED:authorization]" x`},
		{"authorization in JSON", `{"authorization": "Basic Zm9vOmJhcg=="}`, `{"authorization": "Basic [REDACTED:authorization]"}`},
		{"password", "password=hunter2 ok", "password=[REDACTED:password] ok"},
		{"password with colon", "DB_PASSWORD: s3cr3t!", "DB_PASSWORD: [REDACTED:password]"},
		{"password in quotes", `passwd = "two words"`, `passwd = "[REDACTED:password]"`},
		{"password, Chinese", "密码：hunter2", "密码：[REDACTED:password]"},
		{"url", "postgres://me:pw@db/x and https://h/p", "postgres://[REDACTED:url-password]@db/x and https://h/p"},
		{"url, far into a text", strings.Repeat("so it is. ", 120) + "redis://me:pw@db/x", strings.Repeat("so it is. ", 120) + "redis://[REDACTED:url-password]@db/x"},
		{"option, in quotes", `mysql -u root -p"Lantern pier" db`, `mysql -u root -p"[REDACTED:password]" db`},
		{"option, in other quotes", `mysql -u root -p'Lantern pier' db`, `mysql -u root -p'[REDACTED:password]' db`},
		{"entropy", "client_secret=" + made("", 40), "client_secret=[REDACTED:secret]"},
		{"key with digits", "API_KEY=abc123def456", "API_KEY=[REDACTED:secret]"},
		{"whose password", "the wifi password of the office is Kestrel6445! now", "the wifi password of the office is [REDACTED:password] now"},
		{"whose token", "token for Ann's build bot: f00-ba12-99", "token for Ann's build bot: [REDACTED:secret]"},
		{"whose recovery code", "the recovery code for the console is da8be-1e484", "the recovery code for the console is [REDACTED:secret]"},
		{"two", "password=a1b2 token=" + made("", 32), "password=[REDACTED:password] token=[REDACTED:secret]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Memory.Text(c.in); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if again := Memory.Text(c.want); again != c.want {
				t.Errorf("redacted twice: %q", again)
			}
		})
	}
}

func TestMemoryLeavesTextsAlone(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "数据库用 PostgreSQL，口令由运维管理", "the token is refreshed after 24 h", "password: required",
		"export TOKEN=$GITHUB_TOKEN", `Authorization: Bearer <token>`, "use sk-learn and sk-image-something-longer-here",
		"git@github.com:a/b.git", "https://example.com/a@b", "ssh://git@host/repo", "the secret of a good test",
		"the password of the office is kept in the safe", "tokens for a demo: see page 12", "the secret of our success is that nobody knows it 100%", "the code of the module is v2-3f4a", "passwords of all users were reset in 2024",
		"token := r.Header.Get(x)", "secret key rotation happens weekly", "func token() {}", "eyJust text",
	} {
		t.Run(fmt.Sprintf("%q", s), func(t *testing.T) {
			if got := Memory.Text(s); got != s {
				t.Errorf("%q became %q", s, got)
			}
		})
	}
}

func TestPrivate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"a <private>x</private> b", "a  b"},
		{"a <private>x\ny</private> b <PRIVATE>z</Private>c", "a  b c"},
		{"a <private>x <private>y</private> z</private> b", "a  b"},
		{"a <private>x", "a "},
		{"hidden?</private> b", " b"},
		{"<private></private>", ""},
		{"no tags < here >", "no tags < here >"},
		{"a < Private >x< / private > b", "a  b"},
		{"甲＜private＞乙＜／private＞丙，丁＜private>戊</private＞己", "甲丙，丁己"},
		{"a &lt;private&gt;x&lt;/private&gt; b", "a  b"},
		{"private & public, a <privately> b, ＜公开＞", "private & public, a <privately> b, ＜公开＞"},
	} {
		t.Run(fmt.Sprintf("%q", c.in), func(t *testing.T) {
			if got := Private(c.in); got != c.want {
				t.Errorf("%q: got %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// Whatever stands around a secret, it does not come through, and nothing panics.
func TestNothingAroundASecretSavesIt(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	secret := made("ghp_", 36)
	pieces := []string{" ", "\n", "密", "=", ":", "\"", "'", "<", ">", "<private>", "</private>", "://", "@", "token", "-----BEGIN ", "x", "eyJ", ".", "Authorization: "}
	for range 20000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		b.WriteString(" " + secret + " ")
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if got := Memory.Text(b.String()); strings.Contains(got, secret) {
			t.Fatalf("%q lets it through: %q", b.String(), got)
		}
	}
}

// A text without marks is what was not taken out of it.
func TestWithoutMarks(t *testing.T) {
	for text, want := range map[string]string{
		"[REDACTED:api-key]":                    "",
		"a [REDACTED:pem] b [redacted] c":       "a  b  c",
		"nothing":                               "nothing",
		"[REDACTED:never closed":                "[REDACTED:never closed",
		"[redacted][REDACTED:jwt][redacted] it": " it",
	} {
		t.Run(text, func(t *testing.T) {
			if got := WithoutMarks(text); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
