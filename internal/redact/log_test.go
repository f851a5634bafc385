package redact

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What is kept holds no secret; each row says what is left of the text.
func TestLog(t *testing.T) {
	t.Parallel()
	const lot = "aB3kZ9qLm2Xw7Tn5Rv8Yc1Hd" // 24 signs, drawn by lot
	const hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	for _, c := range []struct{ text, want string }{
		// Tokens that have a shape.
		{"use ghp_" + strings.Repeat("a", 36) + " now", "use [redacted] now"},
		{"AKIAABCDEFGHIJKLMNOP", "[redacted]"},
		{"sk-proj-" + lot, "[redacted]"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nrest", "[redacted]\nrest"},
		{"echo -n hunter2 | docker login -u me --password-stdin r.io", "echo -n [redacted] | docker login -u me --password-stdin r.io"},
		{"docker login --password-stdin <<< 'hunter2'", "docker login --password-stdin <<< '[redacted]'"},
		{"a && printf '%s\\n' 'two words' | helm registry login --password-stdin; b", "a && printf '%s\\n' '[redacted]' | helm registry login --password-stdin; b"},
		{"printf 'me:hunter2' | sudo chpasswd", "printf 'me:[redacted]' | sudo chpasswd"},
		{"chpasswd <<< me:hunter2", "chpasswd <<< me:[redacted]"},
		{"htpasswd -b -c file me hunter2", "htpasswd -b -c file me [redacted]"},
		{`net use x: \\host\share hunter2 /user:u`, `net use x: \\host\share [redacted] /user:u`},
		{`net use \\host\share /user:u hunter2`, `net use \\host\share /user:u [redacted]`},
		{`NET.EXE USE * "\\host\my share" "hunter2" /persistent:no`, `NET.EXE USE * "\\host\my share" "[redacted]" /persistent:no`},
		{`net use x: \\host\share * /user:u`, ""},
		{"echo $PASSWORD | docker login --password-stdin", ""},
		{"echo PASSWORD | docker login --password-stdin", ""},
		{"echo done; cat f | docker login --password-stdin", ""},
		{"docker login --password-stdin < f", ""},
		{"htpasswd -B file me", ""},
		{"the net use of memory falls; see net user counts", ""},
		{"git clone https://me:hunter2@example.com/x.git", "git clone https://me:[redacted]@example.com/x.git"},

		// Headers.
		{"curl -H 'Authorization: Bearer " + lot + "' https://x", "curl -H 'Authorization: [redacted]' https://x"},
		{`curl -H "Authorization: Basic dXNlcjpodW50ZXIy" https://x`, `curl -H "Authorization: [redacted]" https://x`},
		{"X-Api-Key: abc123\nAccept: */*", "X-Api-Key: [redacted]\nAccept: */*"},
		{"Cookie: sid=1; theme=dark\nHost: x", "Cookie: [redacted]\nHost: x"},
		{"proxy-authorization: Digest a=b", "proxy-authorization: [redacted]"},

		// Names that say so.
		{"export DB_PASSWORD=hunter2; make", "export DB_PASSWORD=[redacted]; make"},
		{"SECRET='a b c' run", "SECRET='[redacted]' run"},
		{`{"api_key": "abc", "n": 1}`, `{"api_key": "[redacted]", "n": 1}`},
		{`{\"client_secret\": \"abc\"}`, `{\"client_secret\": \"[redacted]\"}`},
		{"login --token abc --verbose", "login --token [redacted] --verbose"},
		{"login --password=abc", "login --password=[redacted]"},
		{"password: hunter2", "password: [redacted]"},
		{"https://x/?access_token=abc&y=1", "https://x/?access_token=[redacted]&y=1"},
		{"curl -u me:hunter2 https://x", "curl -u me:[redacted] https://x"},
		{"db_pwd := \"x1\"", "db_pwd := \"[redacted]\""},
		{"密码是hunter2，请登录", "密码是[redacted]，请登录"},
		{"密码：hunter2", "密码：[redacted]"},
		{"请用令牌 abcd-1234 访问", "请用令牌 [redacted] 访问"},
		{"密钥=\"k-12345\"", "密钥=\"[redacted]\""},

		// Drawn by lot.
		{"key " + lot + " end", "key [redacted] end"},
		{"x=" + lot, "x=[redacted]"},
		{hex, "[redacted]"},
		{"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1", "[redacted]"},
		{"k5xw2z7jq3nd4m6tga2h5vb3rcy7pf4s", "[redacted]"},
		{"在文件里发现了" + lot + "这个值", "在文件里发现了[redacted]这个值"},

		// What stays.
		{"git push --force origin main", ""},
		{"export TOKEN=$GITHUB_TOKEN", ""},
		{"TOKEN=$(pass show x) make", ""},
		{"--token ${TOKEN}", ""},
		{"max_tokens=4096", ""},
		{"password: string", ""},
		{"docker run -u 1000:1000 x", ""},
		{"the token was lost", ""},
		{"密码错误，请重试", ""},
		{"请把测试跑一遍，然后提交。", ""},
		{"密码是什么？", ""},
		{"git show 1234567890abcdef1234567890abcdef12345678", ""},
		{"image@sha256:" + hex, ""},
		{`"integrity": "sha512-` + lot + lot + `=="`, ""},
		{"7f3c2a1e-0000-4000-8000-1234567890ab", ""},
		{"/home/dev/.claude/projects/-home-dev/7f3c2a1e-0000-4000-8000-1234567890ab.jsonl", ""},
		{"internal/statefile/process_unix_test.go:TestManyWriters", ""},
		{"getUserByIdFromDatabaseOrCacheV2", ""},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
		{"12345678901234567890123456789012345678901234", ""},
		{"", ""},

		// From the run log.
		{"nothing here, sk-short and eyJx", ""},
		{"key=sk-abcdefghijklmnop0123 end", "key=[redacted] end"},
		{"ghp_0123456789abcdefghijABCDEFGHIJ", "[redacted]"},
		{"task-abcdefghijklmnop0123", ""},
		{"AKIAIOSFODNN7EXAMPLE", "[redacted]"},
		{"Authorization: Bearer abcdef0123456789", "Authorization: [redacted]"},
		{"postgres://me:hunter2@host/db and http://a/b", "postgres://me:[redacted]@host/db and http://a/b"},
		{"http://host/a:b@c", ""},
		{"a://u:p@h b://v:q@i", "a://u:[redacted]@h b://v:[redacted]@i"},
		{"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- x", "[redacted] x"},
		{"-----BEGIN PRIVATE KEY-----\nabc", "[redacted]"},
		{"a PRIVATE KEY----- without a beginning", ""},
	} {
		t.Run(fmt.Sprintf("text %.80q", c.text), func(t *testing.T) {
			want := cmp.Or(c.want, c.text)
			got := Log.Text(c.text)
			if got != want {
				t.Errorf("%q\n have %q\n want %q", c.text, got, want)
			}
			if again := Log.Text(got); again != got {
				t.Errorf("%q becomes %q the second time", got, again)
			}
		})
	}
}

// A payload stays one: its shape, its ids and its numbers.
func TestJSON(t *testing.T) {
	t.Parallel()
	const lot = "aB3kZ9qLm2Xw7Tn5Rv8Yc1Hd"
	for _, c := range []struct{ in, want string }{
		{`{"session_id":"` + lot + `","tool_use_id":"toolu_01` + lot + `","n":1.50,"e":[1e3,null,true]}`, ""},
		{`{"tool_input":{"command":"echo ` + lot + `","password":"x","pin":{"api_key":["a","b"]}}}`,
			`{"tool_input": {"command": "echo [redacted]", "password": "[redacted]", "pin": {"api_key": ["[redacted]", "[redacted]"]}}}`},
		{`{"argv":["login","--token","abc","--verbose","x","--token=abc","-t"],"headers":[{"name":"Authorization","value":"Basic abc"},{"name":"Accept","value":"*/*"}]}`,
			`{"argv": ["login", "--token", "[redacted]", "--verbose", "x", "--token=[redacted]", "-t"], "headers": [{"name": "Authorization", "value": "[redacted]"}, {"name": "Accept", "value": "*/*"}]}`},
		{`{"commands":[{"argv":["curl","-u","ada:hunter2","http://x"]},{"argv":["mysql","-u","root","-phunter2","x"]},{"argv":["docker","login","-u","a","-p","hunter2","r"]}],"args":["sshpass","-p","hunter2","ssh h"]}`,
			`{"commands": [{"argv": ["curl", "-u", "ada:[redacted]", "http://x"]}, {"argv": ["mysql", "-u", "root", "-p[redacted]", "x"]}, {"argv": ["docker", "login", "-u", "a", "-p", "[redacted]", "r"]}], "args": ["sshpass", "-p", "[redacted]", "ssh h"]}`},
		{`{"lines":["echo hunter2 | docker login --password-stdin; mongodb://u:pw1@h"],"commands":[{"text":"echo hunter2","argv":["echo","hunter2"]},{"text":"docker login --password-stdin","argv":["docker","login","--password-stdin"]},{"text":"mongodb://u:pw1@h","argv":["mongodb://u:pw1@h"]},{"text":"u:pw1@h","argv":["u:pw1@h"]},{"text":"a:1.2@sha256:0b","argv":["a:1.2@sha256:0b"]}]}`,
			`{"lines": ["echo [redacted] | docker login --password-stdin; mongodb://u:[redacted]@h"], "commands": [{"text": "echo [redacted]", "argv": ["echo", "[redacted]"]}, {"text": "docker login --password-stdin", "argv": ["docker", "login", "--password-stdin"]}, {"text": "mongodb://u:[redacted]@h", "argv": ["mongodb://u:[redacted]@h"]}, {"text": "u:[redacted]@h", "argv": ["u:[redacted]@h"]}, {"text": "a:1.2@sha256:0b", "argv": ["a:1.2@sha256:0b"]}]}`},
		{`{"argv":["git","commit","-m","a b","-p"],"list":["-u","ada:hunter2"]}`, ""},
		{`{"access_token":5,"token":null,"id":"ghp_` + strings.Repeat("b", 36) + `"}`, `{"access_token": "[redacted]", "token": null, "id": "[redacted]"}`},
		{`{"` + lot + `":1,"` + lot + `Q":2}`, `{"[redacted]": 1, "[redacted] 2": 2}`},
	} {
		t.Run(fmt.Sprintf("%.80q", c.in), func(t *testing.T) {
			o, err := protocol.ParseObject([]byte(c.in))
			must.Do(t, err)
			clean, changed := Log.JSON(o.Raw(), nil)
			got := string(clean)
			want := c.want
			if want == "" {
				want = string(o.Raw())
			}
			if got != want || changed != (c.want != "") {
				t.Errorf("%s\n have %s (redacted %v)\n want %s", c.in, got, changed, want)
			}
			if _, err := protocol.ParseObject([]byte(got)); err != nil {
				t.Errorf("%s is no object any more: %v", got, err)
			}
		})
	}
}
