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
		{"update", "depot rejects recordings larger than 500 MB", "Recordings of up to 2 GB are accepted by depot"},
		{"update", "Our alerting service is called zimbel", "zimbel has been renamed nachtigal; install quill-nachtigal"},
		{"kept", "Our alerting service is called zimbel", "The column zimbel_id was renamed to bell_id"},
		{"kept", "krummhorn has 64 GB of memory", "bourdon has 128 GB of memory"},
		{"kept", "Public hostnames get their certificates from Let's Encrypt", "Certificates for internal hostnames are issued by our own step-ca"},
		{"update", "The crane lifts at most 20 t", "The crane lifts at most 25 tons"},
		{"update", "吊车限重 20 吨", "吊车限重 25 吨"},
		{"kept", "The crane in hall 1 lifts 20 t", "The crane in hall 2 lifts 25 tons"},

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

// What is done each time, may be done or is preferred to something is no change, and whoever
// names by whom a thing is done names nobody who did it before; what was deleted, switched
// off or left is what held before.
// BM-TRU-02, BM-TRU-03.
func TestWhatIsAChange(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, p := range [][3]string{
		{"kept", "foghorn's e-mails are sent from noreply@moorline.example.", "foghorn retries a failed e-mail only twice, then it raises an alert."},
		{"kept", "Container images are pushed to registry.halyard.example.", "The user's machine is a ThinkPad with Fedora, podman instead of docker."},
		{"kept", "Feature flags are managed in Unleash.", "Flags that have been on everywhere for two releases should be removed from the code."},
		{"kept", "The sender name on our text messages is FIRNLINE.", "Some countries replace the sender name of a text message by a number."},
		{"kept", "foghorn installs its packages with npm.", "moorctl is in ~/bin, update it with `moorctl self-update`."},
		{"kept", "tidefeed runs on Python 3.12.", "The tide notebooks need Python 3.10 because the fitting package was never updated."},
		{"kept", "Backups of the main database are taken hourly and stored in Frankfurt.", "Backups of the audit database are taken daily and stored in Dublin."},
		{"kept", "On weekdays the bulletin comes out at 16:00.", "On Sundays the bulletin comes out at 17:30."},
		{"kept", "Sprint planning takes an hour.", "A sprint lasts two weeks."},
		{"kept", "澜石港的地图要按 GCJ-02 坐标显示。", "澜石港的潮位现在由对方通过 MQTT 主动推送，轮询任务已经下线。"},
		{"kept", "The user does not want new dependencies added without being asked.", "用户要求删除文件之前先列出清单。"},
		{"kept", "tidefeed 里的潮高以米为单位，基准是海图深度基准面。", "tidefeed 里的气压以百帕为单位，已换算到海平面。"},
		{"kept", "Container images are pushed to registry.halyard.example.", "中国区集群访问不了 Docker Hub，镜像要先同步到宁波的仓库。"},

		{"kept", "Parcels of class P3 lighter than 1.4 kg get a blue label.", "Parcels of class Q7 lighter than 1.9 kg get a blue label."},
		{"kept", "sluice is the gateway in front of all our HTTP services.", "sluice serves partners over HTTPS on port 8843."},
		{"kept", "周小雨原来做测试，后来转做前端。", "界面文案由周小雨校对。"},
		{"kept", "上传的照片单张上限 12 MB。", "照片最多上传 60 张。"},
		{"kept", "In production ledger logs at level INFO.", "The SQL logger inside ledger is set to WARN in production."},
		{"kept", "Mara Lind is the owner of ledger.", "When Mara Lind is on leave, Bram Voss looks after ledger."},
		{"kept", "TypeScript: named exports rather than default exports.", "TypeScript: page files do keep their default export, because the framework insists."},

		{"kept", "Brid Ostrow works half days on Wednesdays.", "Leafkit has passed to Tobiah Menk after Brid Ostrow went over to the hardware side; ask him before cutting a release."},
		{"update", "Brid Ostrow owns leafkit and approves its releases.", "Leafkit has passed to Tobiah Menk after Brid Ostrow went over to the hardware side; ask him before cutting a release."},
		{"update", "Open sluice pull requests against `develop`.", "sluice pull requests go against `trunk`; develop is read-only."},
		{"update", "The Go version used for sluice is 1.21.", "sluice 已经升到 Go 1.24，本地先装新工具链再编译。"},
		{"update", "导出服务由唐薇负责，发布前先找她确认。", "唐薇调去做移动端了，导出服务的负责人换成邵文。"},
		{"update", "温室湿度超过 85% 才触发告警。", "湿度告警线收紧到 78%，去年闷坏过一批苗。"},
		{"update", "ledger 的数据库每天凌晨两点做一次全量备份。", "ledger 数据库只在周日 23:00 做全量备份，其余日子做增量。"},
		{"update", "短信通知走阿里云的通道。", "从上周起短信换成腾讯云的通道了，阿里云那边的账号已停用。"},
		{"update", "Two approvals are required to merge into main.", "As of this sprint one approval is enough to merge into main; the second was dropped."},

		{"update", "foghorn 通过 Twilio 发送短信。", "We left Twilio: foghorn's text messages are sent with Sinch."},
		{"update", "台站原始报文存放在北京机房的 MinIO 里。", "原始报文现在都在阿里云乌兰察布的 OSS 上，北京那台 MinIO 迁完就下线了。"},
		{"update", "berthplan is built with Go 1.21.", "We bumped berthplan to Go 1.23 on Tuesday, and the builder image is golang:1.23-bookworm."},
		{"update", "The database on the old host listens on port 5433 because 5432 is taken by the store.", "The database on the old host listens on port 5440 because 5432 is taken by the store."},
		{"update", "logbook stores its events in PostgreSQL 14 with the TimescaleDB extension.", "logbook was migrated to plain PostgreSQL 16 with native partitions, Timescale is no longer installed."},
		{"update", "周五中午以后禁止往 main 合并代码。", "周五的合并冻结取消了，任何工作日都可以合并到 main。"},
	} {
		t.Run(p[1]+" "+p[2], func(t *testing.T) {
			rival := truth.Rival{Text: p[1], Score: 0.55, Shares: 0.4, Only: 0.7}
			if p[0] == "kept" {
				rival = truth.Rival{Text: p[1], Score: 0.3, Shares: 0.1}
			}
			j := truth.Among(p[2], []truth.Rival{rival}, 150, sense)[0]
			if (j.Verdict == truth.Update) != (p[0] == "update") {
				t.Errorf("%v (%.2f), want %s", j.Verdict, j.Sure, p[0])
			}
		})
	}
}
