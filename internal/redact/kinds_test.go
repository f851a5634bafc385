package redact

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fiftyKinds are fifty kinds of secrets in three spellings each, as they stand in what
// an agent is told and writes down. {n} is n letters and digits, {hn} n hexadecimal
// digits, {dn} n digits; between « and » stands what must not be left. They were
// written in one go, and tried afterwards.
var fiftyKinds = map[string][3]string{
	"aws key":          {"AWS_ACCESS_KEY_ID=«AKIA{U16}»", "use «AKIA{U16}» for the bucket", "aws_access_key_id: «ASIA{U16}»"},
	"aws secret":       {"AWS_SECRET_ACCESS_KEY=«{40}»", "aws configure set aws_secret_access_key «{40}»", `"secretAccessKey": "«{40}»"`},
	"github":           {"git clone https://«ghp_{36}»@github.com/a/b", "GITHUB_TOKEN=«gho_{36}»", "token «github_pat_{22}_{59}» expires soon"},
	"gitlab":           {"PRIVATE-TOKEN: «glpat-{20}»", "the runner has «glrt-{20}»", "CI_TOKEN=«glpat-{20}»"},
	"slack token":      {"SLACK=«xoxb-{d12}-{d12}-{24}»", "bot token is «xoxp-{d12}-{d12}-{d12}-{h32}»", "app «xapp-1-A{10}-{d13}-{h64}»"},
	"slack webhook":    {"curl https://hooks.slack.com/services/«T{U9}/B{U9}/{24}»", "SLACK_URL=https://hooks.slack.com/services/«T{U9}/B{U9}/{24}»", "post to hooks.slack.com/services/«T{U9}/B{U9}/{24}»"},
	"discord webhook":  {"https://discord.com/api/webhooks/{d18}/«{68}»", "https://discordapp.com/api/webhooks/{d18}/«{68}»", "DISCORD=https://discord.com/api/webhooks/{d18}/«{68}»"},
	"teams webhook":    {"https://acme.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}»", "TEAMS=https://acme.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}»", "alerts go to https://contoso.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}»"},
	"feishu webhook":   {"https://open.feishu.cn/open-apis/bot/v2/hook/«{uuid}»", "飞书机器人 https://open.feishu.cn/open-apis/bot/v2/hook/«{uuid}»", "HOOK=https://open.larksuite.com/open-apis/bot/v2/hook/«{uuid}»"},
	"wecom webhook":    {"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=«{uuid}»", "企业微信 https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=«{uuid}»", "WX=https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=«{uuid}»"},
	"dingtalk":         {"https://oapi.dingtalk.com/robot/send?access_token=«{h64}»", "钉钉的 access_token=«{h64}»", "dingtalk secret: «SEC{h64}»"},
	"npm":              {"//registry.npmjs.org/:_authToken=«npm_{36}»", "NPM_TOKEN=«npm_{36}»", "publish with «npm_{36}»"},
	"pypi":             {"password = «pypi-AgEIcHlwaS5vcmc{70}»", "TWINE_PASSWORD=«pypi-AgEIcHlwaS5vcmc{70}»", "upload token «pypi-AgEIcHlwaS5vcmc{70}»"},
	"stripe":           {"STRIPE_KEY=«sk_live_{24}»", "stripe.api_key = '«rk_live_{24}»'", "webhook secret «whsec_{32}»"},
	"openai":           {"OPENAI_API_KEY=«sk-proj-{48}»", "key: «sk-{48}»", "export OPENAI_API_KEY='«sk-svcacct-{48}»'"},
	"anthropic":        {"ANTHROPIC_API_KEY=«sk-ant-api03-{93}AA»", "x-api-key: «sk-ant-api03-{93}AA»", "use «sk-ant-api03-{93}AA» here"},
	"google":           {"GOOGLE_API_KEY=«AIza{35}»", "maps?key=«AIza{35}»", "the key «AIza{35}» is restricted"},
	"google oauth":     {"client_secret: «GOCSPX-{28}»", "refresh «1//0{60}» stored", "Bearer «ya29.{80}»"},
	"jwt":              {"Authorization: Bearer «eyJhbGciOiJIUzI1NiJ9.eyJ{30}.{43}»", "token=«eyJhbGciOiJIUzI1NiJ9.eyJ{30}.{43}»", "session «eyJhbGciOiJIUzI1NiJ9.eyJ{30}.{43}» was logged"},
	"private key":      {"-----BEGIN RSA PRIVATE KEY-----\n«{64}\n{64}»\n-----END RSA PRIVATE KEY-----", "-----BEGIN OPENSSH PRIVATE KEY-----\n«{64}\n{64}»\n-----END OPENSSH PRIVATE KEY-----", `"private_key": "-----BEGIN PRIVATE KEY-----\n«{64}»\n-----END PRIVATE KEY-----\n"`},
	"basic":            {"Authorization: Basic «{28}==»", "curl -H 'Authorization: Basic «{32}»' https://x", "proxy-authorization: basic «{28}=»"},
	"curl -u":          {"curl -u admin:«Tr0ub4dor&3» https://api", "curl --user deploy:«h0rse-batt» https://api", "curl -uadmin:«Tr0ub4dor» https://api"},
	"mysql -p":         {"mysql -u root -p«S3cr3tPw» shop", "mysqldump -h db -uapp -p«{12}» shop > x.sql", "mysql --password=«wint3r-24» -u root"},
	"postgres url":     {"postgres://app:«p0stgr3s»@db/shop", "DATABASE_URL=postgresql://app:«{16}»@db:5432/shop", "connect with postgres://shop:«s3 cr3t»@db/shop"},
	"mongodb url":      {"mongodb://root:«m0ng0-pw»@mongo:27017", "MONGO=mongodb+srv://app:«{14}»@c0.mongodb.net/x", "uri: mongodb://a:«b0bby-tab»@h1,h2/x?replicaSet=r"},
	"redis url":        {"redis://:«r3dis-pw»@cache:6379/0", "REDIS_URL=rediss://default:«{20}»@r.example.com:6380", "cache is redis://u:«pa55-wd»@r/1"},
	"amqp url":         {"amqp://guest:«gu3st-pw»@mq:5672/", "CELERY=amqps://app:«{18}»@mq/v", "broker amqp://a:«b1g-s3cret»@mq"},
	"jdbc":             {"jdbc:mysql://db/x?user=app&password=«jdbc-Pw1»", "jdbc:sqlserver://h;user=sa;password=«Sql-S3rver»;", "url=jdbc:postgresql://db/x?password=«{12}»"},
	"ado":              {"Server=db;User Id=sa;Password=«P@ssw0rd-1»;", "Data Source=x;Uid=app;Pwd=«{12}»;", "connectionString=\"Server=h;Password=«Qw3rty-77»;Encrypt=True\""},
	"azure storage":    {"AccountKey=«{86}==»;EndpointSuffix=core.windows.net", "AZURE_STORAGE_KEY=«{86}==»", "?sv=2022-11-02&sig=«{43}%3D»"},
	"db_pass":          {"DB_PASS=«hunt3r-two»", "DB_PASSWORD: «wh4tever!»", "export DBPASS='«let-me-1n»'"},
	"password word":    {"the password is «hunter-22»", "Password: «Winter2026!»", "my passwd is «q1w2e3r4»"},
	"chinese password": {"密码是 «Abc12345»", "数据库密码：«mima-888»", "登录口令为«Tian2026!»"},
	"chinese token":    {"令牌是 «{32}»", "密钥：«{40}»", "访问密钥为 «{24}»"},
	"api key word":     {"api key: «{32}»", "apikey=«{h32}»", "X-Api-Key: «{40}»"},
	"secret word":      {"client secret is «{32}»", "secret: «{h40}»", "APP_SECRET=«{h32}»"},
	"sendgrid":         {"SENDGRID_API_KEY=«SG.{22}.{43}»", "mail key «SG.{22}.{43}»", "Bearer «SG.{22}.{43}»"},
	"twilio":           {"TWILIO_AUTH_TOKEN=«{h32}»", "api key «SK{h32}»", "twilio auth token: «{h32}»"},
	"telegram":         {"https://api.telegram.org/bot«{d10}:AA{33}»/getMe", "TELEGRAM_TOKEN=«{d10}:AA{33}»", "bot token «{d10}:AA{33}»"},
	"hugging face":     {"HF_TOKEN=«hf_{34}»", "login with «hf_{34}»", "huggingface-cli login --token «hf_{34}»"},
	"digitalocean":     {"DO_TOKEN=«dop_v1_{h64}»", "doctl auth init -t «dop_v1_{h64}»", "token «dop_v1_{h64}»"},
	"docker":           {"docker login -u me -p «d0cker-Pw»", "docker login -p «dckr_pat_{27}» -u me", "DOCKER_TOKEN=«dckr_pat_{27}»"},
	"sshpass":          {"sshpass -p «l0gm3in» ssh host", "sshpass -p '«let me 1n»' scp a b:", "SSHPASS=«l0gm3in» sshpass -e ssh host"},
	"netrc":            {"machine h login me password «n3trc-pw»", "machine api.x login bot password «{20}»", "machine a\n  login b\n  password «c0rrect-h»"},
	"vault":            {"VAULT_TOKEN=«hvs.{90}»", "vault login «hvs.{90}»", "X-Vault-Token: «hvs.{90}»"},
	"shopify":          {"SHOPIFY_TOKEN=«shpat_{h32}»", "X-Shopify-Access-Token: «shpat_{h32}»", "shared secret «shpss_{h32}»"},
	"atlassian":        {"JIRA_TOKEN=«ATATT3xFfGF0{180}»", "jira token «ATATT3xFfGF0{180}»", "curl -u me@x.io:«ATATT3xFfGF0{180}» https://x.atlassian.net"},
	"ftp url":          {"ftp://web:«ftp-Pa55»@files.example.com/", "lftp sftp://u:«{12}»@h", "https://bot:«{24}»@git.example.com/x.git"},
	"sas and signed":   {"https://b.s3.amazonaws.com/k?X-Amz-Signature=«{h64}»", "https://x.blob.core.windows.net/c/b?sp=r&sig=«{43}%3D»", "https://storage.googleapis.com/b/o?X-Goog-Signature=«{h128}»"},
	"otp and pin":      {"TOTP secret: «{B32}»", "otpauth://totp/x?secret=«{B32}»&issuer=y", "mfa_secret=«{B32}»"},
}

var place = regexp.MustCompile(`\{(uuid|[hdUB]?[0-9]+)\}`)

// filled is a text with its places filled at random.
func filled(r *rand.Rand, text string) string {
	const digits = "0123456789"
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits
	draw := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[r.IntN(len(from))]
		}
		return string(b)
	}
	const hex = "0123456789abcdef"
	return place.ReplaceAllStringFunc(text, func(mark string) string {
		mark = strings.Trim(mark, "{}")
		if mark == "uuid" {
			return draw(hex, 8) + "-" + draw(hex, 4) + "-4" + draw(hex, 3) + "-a" + draw(hex, 3) + "-" + draw(hex, 12)
		}
		n, _ := strconv.Atoi(strings.TrimLeft(mark, "hdUB"))
		switch mark[0] {
		case 'h':
			return draw(hex, n)
		case 'd':
			return draw(digits, n)
		case 'U', 'B':
			return draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", n)
		}
		return draw(letters, n)
	})
}

// Of fifty kinds in three spellings at least 95 of 100 are taken out whole.
// BM-SEC-01, BM-SEC-02.
func TestFiftyKindsOfSecrets(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(18, 8))
	all, caught := 0, 0
	for kind, spellings := range fiftyKinds {
		for _, s := range spellings {
			s = filled(r, s)
			at, end := strings.Index(s, "«"), strings.Index(s, "»")
			secret := s[at+len("«") : end]
			text := s[:at] + secret + s[end+len("»"):]
			all++
			have := Memory.Text(text)
			if left := strings.Contains(have, secret) || longestShared(have, secret) > max(4, len(secret)/3); left {
				t.Logf("%s: %q became %q", kind, text, have)
				continue
			}
			caught++
		}
	}
	t.Logf("%d of %d secrets of %d kinds are taken out", caught, all, len(fiftyKinds))
	if len(fiftyKinds) < 50 || caught*100 < all*95 {
		t.Errorf("%d of %d", caught, all)
	}
}

// longestShared is the length of the longest piece of a secret that a text still has.
func longestShared(text, secret string) int {
	for n := len(secret); n > 0; n-- {
		for i := 0; i+n <= len(secret); i++ {
			if strings.Contains(text, secret[i:i+n]) {
				return n
			}
		}
	}
	return 0
}

// harmlessLines are lines that hold nothing secret; {…} is filled as above.
const harmlessLines = `
commit {h40} fixes the race
{h40}  agents-hooks_0.3.0_linux_amd64.tar.gz
sha256:{h64}
FROM golang@sha256:{h64}
image: registry.example.com/app@sha256:{h64}
go.sum: golang.org/x/text v0.14.0 h1:{43}=
"integrity": "sha512-{86}=="
etag: W/"{h32}"
md5 {h32} README.md
index {h7}..{h7} 100644
request id {uuid} took 30 ms
session {uuid} began
trace_id={h32} span_id={h16}
uuid: {uuid}
PRIMARY KEY (id), UNIQUE KEY token_idx (token)
<img src="data:image/png;base64,iVBORw0KGgo{80}">
background: url(data:image/svg+xml;base64,PHN2Zy{60})
const maxTokens = 4096
token := lexer.Next()
func (p *parser) expect(token Token) error {
password := os.Getenv("DB_PASSWORD")
if password == "" { return errNoPassword }
passwordHash, err := bcrypt.GenerateFromPassword(b, 12)
secret, err := client.Secrets(ns).Get(ctx, name)
apiKey: process.env.API_KEY
key = os.environ["STRIPE_KEY"]
api_key: ${{ secrets.API_KEY }}
PASSWORD=${DB_PASSWORD:?missing}
password: <your password here>
The password must have at least 12 characters
Passwords are hashed with argon2id
We rotate tokens every 90 days
The token bucket holds 100 requests
A token is a word or a sign
max_tokens: 8192, temperature: 0.2
Reset your password at /account/reset
The secret of good tests is determinism
The API key is read from the environment
Keys are sorted before they are compared
primary key, foreign key, sort key
the authorization header is dropped on redirects
Bearer tokens are checked in the gateway
basic auth is switched off in production
密码至少 12 位，包含数字
密码使用 argon2id 哈希存储
老系统密码是 MD5，登录时自动升级成 bcrypt
The old password is sha256, no salt
令牌每 90 天轮换一次
访问令牌有效期 15 分钟，刷新令牌 30 天
密钥保存在 Vault 中
主键是 id，外键是 user_id
验证码六位数字，五分钟内有效
口令长度不能少于八个字符
登录失败五次锁定账号
接口返回 token 字段
支付回调地址是 /api/pay/notify
订单号 20261123{d8} 已发货
运单号 SF{d13}
版本 1.24.3 于三月发布
服务器 10.0.0.12 端口 8080
time="2026-11-23T08:15:00Z" level=info msg="listening on :8080"
error: cannot find module providing package example.com/a/b
at com.example.shop.OrderService.place(OrderService.java:{d3})
goroutine {d2} [running]: main.main()
/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.{d2}
node_modules/.pnpm/react-dom@18.2.0_react@18.2.0/node_modules
arn:aws:iam::{d12}:role/deploy
projects/acme/locations/eu/keyRings/main
k8s pod shop-{h10}-x{h4} restarted
docker container {h12} exited with 0
blob {h64} pushed
layer {h12}: Pull complete
ISBN 978-3-16-148410-0
order 4711 of customer 8150
run 18234567890 of workflow ci
PR 1234 closes issue 987
port 8080 is for the gateway
timeout 30s, retries 3
git checkout -b feature/JIRA-1234-login-form
git push -u origin feature/token-refresh
kubectl get secret db -o yaml
curl -u $USER:$PASS https://api.example.com
curl -H "Authorization: Bearer $TOKEN" https://api.example.com
mysql -u root -p shop
psql -h db -U app -W shop
ssh -i ~/.ssh/id_ed25519 deploy@host
docker login -u $CI_USER --password-stdin
https://example.com/docs/api-keys#rotating
https://github.com/acme/shop/blob/{h40}/main.go#L12
https://cdn.example.com/assets/app.{h8}.js
postgres://localhost:5432/shop?sslmode=disable
redis://cache:6379/0
mongodb://mongo:27017/shop
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{43} ann@host
-----BEGIN PUBLIC KEY-----
x-request-id: {uuid}
If-None-Match: "{h40}"
Content-Length: {d5}
`

// Of three hundred lines that hold nothing secret at most two in a hundred are touched.
// BM-SEC-03.
func TestHarmlessLinesStay(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(18, 300))
	lines := strings.Split(strings.TrimSpace(harmlessLines), "\n")
	all, touched := 0, 0
	for range 4 { // what is drawn is another thing each time
		for _, line := range lines {
			if line = filled(r, strings.ReplaceAll(line, "${{ secrets.API_KEY }}", "$SECRETS_API_KEY")); all < 400 {
				all++
				if have := Memory.Text(line); have != line {
					touched++
					t.Logf("%q became %q", line, have)
				}
			}
		}
	}
	t.Logf("%d of %d lines are touched", touched, all)
	if all < 300 || touched*100 > all*2 {
		t.Errorf("%d of %d", touched, all)
	}
}
