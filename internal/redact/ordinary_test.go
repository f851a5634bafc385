package redact

import (
	"fmt"
	"strings"
	"testing"
)

// What looks like a secret for the word beside it, and is an id, a count, an address, a public
// half or an example, is told as it is.
// BM-SEC-03.
func TestOrdinaryLinesStay(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"session {uuid} was compacted twice", "In session {uuid} the tests were split", "session: {uuid}", "session={uuid} started", "see session {h32} for the diff", "the session is {uuid}",
		"session log-20260214081233001-k3m9x2 wrote it", "session s-20260214-9f8e7d6c is over", "session sum-20260214081233001-k3m9x2", "session ses_{h26} began", "session: 20260214-093012-build-7", "last session thread_{24} failed", "sid={uuid}",
		"pass: 120, fail: 3", "Pass: 4321 Fail: 12 Skip: 7", "tests: pass=512", `{"pass": 1200, "fail": 0}`, "pass: 512/513", "pass: 99.21%", "total 9001, pass: 9000", "pass: 2048 of the unit tests", "e2e suite pass=345", "通过 pass: 321，失败 2",
		"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQ\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE REQUEST-----\nMIICijCCAXICAQAwRTELMAkGA1UEBhMCQVUx\n-----END CERTIFICATE REQUEST-----", "-----BEGIN TRUSTED CERTIFICATE-----\nMIID\n-----END TRUSTED CERTIFICATE-----",
		"arn:aws:secretsmanager:eu-west-1:123456789012:secret:billing/mail-Qw3rT9", "role may read arn:aws:secretsmanager:us-east-1:123456789012:secret:rds!db-1a2b3c4d-AbC123", "db_password: arn:aws:ssm:eu-west-1:123456789012:parameter/shop/db1",
		"auth: ldaps://dir.example.com:636", "auth: kerberos://kdc1.example.com", "password: sm://acme-prod/db-main-1", "api_key: gcpsm://acme/keys/maps2", "token: azurekeyvault://vault1/ci-token-2", "secret: awssm://prod1/db?version=3", "password: ssm:/prod1/db/main", "secret: secretsmanager:prod1/mail", "client_secret: projects/4711/secrets/oauth2/versions/3", "token: keyring:ci-token-1",
		"AKIAIOSFODNN7EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "ASIAIOSFODNN7EXAMPLE is of the manual", "sk-your-own-key-1234567", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"postgres://user:password@localhost/db", "mysql://USER:PASS@HOST:3306/DB", "amqp://user:pass@mq", "https://NAME:TOKEN@git.example.com/x.git", "redis://:password@cache", "user:password@tcp(127.0.0.1:3306)/db", "mongodb://user:xxxxx@h/x",
		"curl -u user:pass https://x", "curl --user USER:PASSWORD https://x", "mysql -pPASSWORD shop", "docker login -u USER -p PASSWORD", "sshpass -p PASSWORD ssh h", "redis-cli -a PASSWORD ping",
	} {
		line = fill(strings.ReplaceAll(line, "{uuid}", "{h8}-{h4}-{h4}-{h4}-{h12}"))
		t.Run(line, func(t *testing.T) {
			if have := Memory.Text(line); have != line {
				t.Errorf("%q becomes %q", line, have)
			}
		})
	}
}

// What looks like one of those lines, and holds a secret, is not told.
// BM-SEC-01.
func TestTheirNeighboursGo(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"session=«{32}»", "session «aB3{29}»", "sessionid: «{40}»", "pass: «77120», the door of the lab", "pass: «120f»", "pass=«hunter2» fail=3", "db_pass: «120344», fail: 3",
		"-----BEGIN PRIVATE KEY-----\n«MIIEvQIBADANBg»\n-----END PRIVATE KEY-----\n-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----\n-----BEGIN EC PRIVATE KEY-----\n«MHcCAQEEIA»\n-----END EC PRIVATE KEY-----",
		"secret: «Qw3rT9-shopdb-77»", "arn:aws:iam::123456789012:role/x secret: «Qw3rT9-shopdb-77»", "auth: ldap://cn:«Hunter-22»@dir.example.com", "password: «sm-Hunter22»",
		"«AKIA{A16}»", "postgres://user:«passw0rd»@localhost/db", "mysql://USER:«Pass9»@HOST", "curl -u user:«pass9» https://x", "mysql -p«PASSWORD1» shop", "app:«hunter2»@tcp(db)/x",
	} {
		at, end := strings.Index(line, "«"), strings.Index(line, "»")
		secret := fill(line[at+len("«") : end])
		text := line[:at] + secret + line[end+len("»"):]
		t.Run(fmt.Sprintf("%.60q", line), func(t *testing.T) {
			if have := Memory.Text(text); strings.Contains(have, secret) {
				t.Errorf("%q becomes %q", text, have)
			}
		})
	}
}
