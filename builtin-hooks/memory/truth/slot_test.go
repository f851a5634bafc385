package truth_test

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

// Two that fill one slot of a thing take each other's place in whatever words: the hour of a
// meeting, the limit of a size, the tool that is used, who answers for it, a ban that is
// lifted, and what is denied by its name. What fills another slot, or that of another thing,
// replaces nothing, even where a search finds both together.
// BM-TRU-02, BM-TRU-03.
func TestOneSlotInOtherWords(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, p := range [][3]string{
		{"update", "The weekly sync starts at 14:00", "The weekly sync is at 15:00"},
		{"update", "站会 9:30 开始", "站会在 10:00"},
		{"kept", "The standup is at 9:30", "The standup recording starts at 10:00"},
		{"kept", "The platform standup is at 9:30", "The mobile standup starts at 10:00"},
		{"kept", "Office hours start at 9:00", "Office hours end at 17:00"},

		{"update", "Uploads may be at most 10 MB", "Uploads may be up to 25 MB"},
		{"update", "Max connections per pod is 100", "Up to 200 connections per pod are allowed"},
		{"update", "Passwords have at most 64 characters", "The maximum password length is 128 characters"},
		{"update", "附件上限为 20 MB", "附件最大 50 MB"},
		{"update", "上传文件最大 10 MB", "上传文件不超过 25 MB"},
		{"kept", "Max upload size is 10 MB", "Downloads up to 25 MB are allowed"},
		{"kept", "Max upload size is 10 MB", "Uploads up to 25 files are allowed"},
		{"kept", "Max upload speed is 10 MB per second", "Uploads up to 25 MB are allowed"},
		{"kept", "Max retries is 3", "Min retries is 5"},

		{"update", "The queue runs on RabbitMQ", "The queue uses NATS"},
		{"update", "Search uses Elasticsearch", "Search is powered by OpenSearch"},
		{"kept", "Search uses Elasticsearch", "Analytics runs on OpenSearch"},
		{"kept", "The API runs on Kubernetes", "The API uses Node"},
		{"kept", "Integration tests run against Postgres 15", "Integration tests use MySQL 8"},

		{"update", "Alice maintains the parser", "The parser is maintained by Bob"},
		{"update", "The parser is maintained by Bob", "Alice maintains the parser"},
		{"update", "王小明负责支付模块", "支付模块现在由欧阳雪负责"},
		{"update", "端口是 8080", "端口由 8080 改为 8081"},
		{"kept", "Alice maintains the parser", "The lexer is maintained by Alice"},
		{"kept", "Bob owns the login service", "The billing service is now owned by Bob"},
		{"kept", "李四负责登录模块", "支付模块现在由李四负责"},

		{"update", "Never push directly to main", "Pushing directly to main is allowed for release managers"},
		{"kept", "Never push directly to main", "Pushing directly to the docs branch is allowed"},
		{"kept", "Never log request bodies", "Logging request bodies is allowed in the debug build"},

		{"update", "Indentation is tabs", "Indentation is four spaces, not tabs"},
		{"kept", "Use tabs in Makefiles", "Shell scripts: two spaces, no tabs"},

		{"update", "We deploy with Jenkins", "Jenkins is removed"},
		{"kept", "Certificates are stored in Vault", "Certificates are replaced every 90 days"},
		{"kept", "Build artefacts are kept in S3", "Build artefacts are dropped when a branch is merged"},
	} {
		t.Run(p[1]+" "+p[2], func(t *testing.T) {
			if p[0] == "update" {
				if v := truth.Compare(p[1], p[2]); v != truth.Update {
					t.Errorf("%v by the rules", v)
				}
				return
			}
			j := truth.Among(p[2], []truth.Rival{{Text: p[1], Score: 0.6, Shares: 0.5, Only: 0.6}}, 20, sense)[0]
			if j.Verdict == truth.Update {
				t.Errorf("it is replaced (%.2f)", j.Sure)
			}
		})
	}
}
