package truth

import (
	"slices"
	"strings"
)

// A lexicon is what is known of words. It is made once a comparison is needed, in
// commands only.
type lexicon struct {
	class  map[string]class
	group  map[string]string       // contrasts and kinds of things, by their first word
	same   map[string]string       // other spellings
	verbs  map[string]map[int]bool // which rows of verbs a verb stands in
	cjk    map[string]bool         // words that are one token
	longer int                     // runes of the longest of them
}

// A class is what a word does in a statement.
type class int

const (
	open     class = iota
	light          // says nothing of its own
	is             // a verb that has one object
	many           // a verb that has many
	owns           // a verb that an object has one subject of
	changed        // says that something is another now
	former         // what follows held before
	negation       //
	scope          // what follows is where the statement holds
	instead        // orders two things
	value          // a number, a unit, a day
	place          // parts where statements hold: staging, frontend
	happened       // something that happened once
	numbered       // what follows by its number is a name
	pronoun        // a subject that says nothing of what it is about
)

// words of each class; contrasts and kinds stand below.
var words = map[class]string{
	light: `a an the this that these those it its there here and so also just very please always usually currently
		by as at of with be been being to then will shall should must would can may could do does did done make made get got
		has had having our your their my currently only all each every when every kind sort which who what
		的 了 着 过 地 得 个 这 只 仅 才 刚 只有 那 就 都 也 会 要 请 吧 呢 啊 已 已经 目前 我们的 一般 通常 应该 应当 必须 需要 可以 时 和 与 及 并 把 被 将 上 里 中 则 所 有 还 再 号`,
	is: `is are was were = : kept ran held took chose use run listen live sit reside host locate store keep set configure equal call name default expire
		deploy write happen open go point belong take cost last write target build ship prefer like love hate expect choose want stay hold serve bind
		是 为 用 使用 采用 运行 运行在 监听 位于 放在 存在 存放 存放在 部署 部署在 发到 存到 存 放到 设为 设置为 配置为 等于 叫 叫做 名为 默认 默认为 在 到 归 属于 托管 托管在 跑在 写在 偏好 喜欢 选 选择 走 保留 保存 举行 定在 安排在`,
	many: `support depend include contain have need require allow connect import expose publish consume export read
		提供 支持 依赖 包括 包含 有 需要 要求 允许 连接 导入 调用`,
	owns: `own lead maintain manage responsible owner maintainer lead oncall review handle 负责 维护 管理 主管 负责人 牵头 值班`,
	changed: `now changed change move moved switch switched migrate migrated upgrade upgraded raise raised lower lowered rename renamed replace replaced become became increase increased decrease decreased reduce reduced bump bumped downgrade update updated anymore extend extended shorten shortened correction actually took correct dropped drop removed gone retired retire deprecated deprecate abandoned discontinued relocated rewritten phased split
		改 现在 如今 改为 改成 改到 改在 改用 换成 换到 换为 升级 升级到 升到 迁移 迁移到 迁到 移到 搬到 变成 变为 调整为 调整到 调到 调高到 调低到 提高到 提升到 降到 降低到 降为 更新为 更名为 改名为 切换到 切到 延长到 缩短到 增加到 减少到 推迟到 提前到 已改 接手 接管 扩到 扩大到 转为 放宽到 收紧到 交接给 移交 换了 换 统一换 改回 恢复为 恢复到 涨到 增至 降至 升至 调至 缩短为 延长为 推迟至 提前至 转由 交由 交给 换由 迁至 移至 搬至 换用 转用 改去 改从 改由 转到 转给 搬 搬到 搬去 下线 弃用 废弃`,
	former:   `from instead-of rather-than previously formerly replacing before-that no-longer not-anymore 从 由 不再 不再用 不再使用 而不是 原来 原先 之前 以前 原`,
	negation: `not no never dont don't doesn't doesnt isn't isnt cannot can't without stop stopped avoid forbid disallow 不 不要 不用 不能 不许 不得 禁止 别 没有 无需 不必 勿 不是 不需要 不允许 停止 避免`,
	scope:    `for in on under within during inside via per against among 对 针对 用于 在…中`,
	instead:  `over than before after first instead 优于 先 后 而非 胜过 再`,
	happened: `released fixed merged crashed failed shipped launched happened occurred broke discussed met found deployed reverted completed finished introduced reported opened closed wrote founded invented designed 发布了 修复了 修复 修好了 合并了 上线了 发生了 完成了 讨论了 崩溃了 失败了 回滚了 发现了`,
	numbered: `number nr no item entry record row line page example finding note fact batch run attempt try job server shard worker bug issue ticket pr phase step chapter rule table channel room zone stage case task story milestone release sprint region cluster instance floor building level layer question option plan pod version # 服务器 分片 节点 阶段 步骤 规则 工单 问题 缺陷 任务 机房 房间 楼 层 期 区 集群 实例 里程碑 章 版本`,
	pronoun:  `we i you they he she user team project everyone everybody people repo repository codebase app 我们 我 你 你们 他们 用户 团队 项目 大家 本项目 仓库`,
	value: `ms s sec second min minute h hour day week month quarter year kb mb gb tb kib mib gib byte kilobyte megabyte gigabyte percent % px em rem t ton tonne kg kilogram usd eur cny dollar rps qps req request rpm core cpu replica pods times x
		monday tuesday wednesday thursday friday saturday sunday weekday weekend january february march april june july august september october november december
		mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm noon midnight night morning evening afternoon daytime utc gmt est pst cet
		one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety hundred thousand million half twice once
		daily weekly monthly hourly nightly yearly quarterly biweekly
		毫秒 秒 秒钟 分钟 小时 天 日 周 月 年 季度 个月 周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期日 星期天 礼拜一 礼拜二 礼拜三 礼拜四 礼拜五 礼拜六 礼拜天 每周一 每周二 每周三 每周四 每周五 每周六 每周日 每天 每周 每月 每小时 每晚 每日 每年 每季度 上午 下午 晚上 早上 凌晨 中午 点 点半 元 万 千 百 十 一 二 三 四 五 六 七 八 九 两 半 倍 次 条 人 核 兆 吨 公斤 千克`,
}

// contrasts part what statements are about, if another thing differs as well or
// they stand where the subject does. Those that begin with ! part places.
const contrasts = `
!dev development local staging stage test testing qa uat sandbox preview canary production prod ci demo 开发 测试 预发 预发布 生产 线上 本地 灰度 沙箱 演示 联调
!frontend backend mobile desktop web admin server client android ios 前端 后端 用户端 商家端 买家端 卖家端 司机端 骑手端 运营端 移动端 桌面端 客户端 服务端 网页端 管理端 安卓
!read write 读 写
!primary replica secondary master slave standby 主库 从库 备库 主 从 备
!upload download 上传 下载
!input output 输入 输出 入参 出参
!min minimum max maximum 最小 最大 最低 最高 最短 最长
!unit integration e2e end-to-end acceptance load 单元 集成 端到端 压力
!internal external public private third-party 内部 外部 内网 外网 第三方 公开 私有 公共
!windows linux macos 
!first second third last 第一 第二 第三 最后
!north south east west eu us asia europe china 欧洲 美国 亚洲 中国 国内 海外 华东 华北 华南 西部 东部
!start end begin finish 开始 结束
!request response 请求 响应
!access refresh 访问 刷新
!connect connection idle 连接 空闲
!login logout signup 登录 登出 注册
!python javascript typescript go java rust ruby kotlin swift c++ c# php scala shell sql css html yaml markdown
!cpu memory disk gpu 内存 磁盘 显存
!users admins guests guest customer staff employee buyer seller vendor courier 买家 卖家 商家 司机 骑手 管理员 访客 客户 员工
!hot cold warm 热 冷
!major minor patch
!incoming outgoing inbound outbound 入站 出站
!白天 夜间 夜里 晚间
!create delete insert remove 创建 删除 新增
!open close
!code docs design 代码 文档 设计
!main feature hotfix
!free paid enterprise premium 免费 付费 企业版
!success failure error warning 成功 失败 错误 警告
!email sms push phone 邮件 短信 推送 电话
!red green blue yellow
light dark bright 浅色 深色 亮色 暗色
tab space 制表符 空格
short long 短 长
on off 开 关 开启 关闭 打开
enabled disabled enable disable 启用 禁用 停用
true false
yes no
required optional mandatory 必填 可选 必选
strict lax loose 严格 宽松
sync async synchronous asynchronous 同步 异步
single double 单引号 双引号
camelcase snake_case kebab-case pascalcase 驼峰 下划线
allowed forbidden permitted banned 允许 禁止
automatic manual automatically manually 自动 手动
`

// verbs that say the same of what a statement is about.
const verbs = `
is are was were = : equal call name default set configure 是 为 叫 叫做 等于 名为 默认 默认为 设为 设置为 配置为
is are was were live sit reside host locate store keep kept run ran listen serve bind deploy 在 位于 放在 存在 存放 存放在 部署 部署在 运行 运行在 托管 托管在 跑在 监听 存 存到 放到
use target ship build 用 使用 采用
prefer choose want like love expect 偏好 喜欢 选择 选
keep stay hold retain 保留 保存
发到 发给
happen take go occur start open 举行 定在 安排在
take cost last
`

// kinds are things of which a statement names one: two of them are two values.
const kinds = `
postgresql mysql mariadb sqlite mongodb oracle cockroachdb dynamodb sqlserver cassandra tidb clickhouse oceanbase 达梦
redis memcached valkey dragonfly keydb hazelcast
kafka rabbitmq nats sqs pulsar activemq rocketmq
npm yarn pnpm bun
pip poetry uv pipenv conda pdm
jest vitest mocha ava jasmine
pytest unittest nose
cypress playwright selenium puppeteer testcafe
black ruff yapf autopep8
prettier biome dprint
eslint tslint oxlint
webpack vite rollup esbuild parcel turbopack rspack
react vue svelte angular solid preact
express fastify koa nestjs hono
django flask fastapi
gin echo fiber chi
prisma drizzle typeorm sequelize knex
gorm sqlx ent sqlc
jenkins circleci travis buildkite teamcity drone github-actions gitlab-ci argocd
aws gcp azure hetzner digitalocean cloudflare vercel netlify heroku aliyun 阿里云 腾讯云 华为云
kubernetes nomad swarm mesos
rest graphql grpc soap trpc
jwt session-cookies sessions cookie cookies oauth saml
slack teams discord mattermost zulip 飞书 钉钉 企业微信
jira linear trello asana youtrack 禅道
json yaml toml xml protobuf msgpack avro
datadog grafana newrelic prometheus zabbix dynatrace
sentry bugsnag rollbar
github gitlab bitbucket gitea gitee
nginx caddy apache traefik haproxy envoy
ubuntu debian centos alpine rocky fedora
vault doppler 1password
mit apache-2.0 gpl bsd mpl agpl
tailwind bootstrap bulma
redux zustand mobx pinia vuex jotai
log4j logback slog zap zerolog logrus winston pino
maven gradle bazel sbt
elasticsearch opensearch meilisearch solr typesense algolia
s3 gcs minio oss
stripe paypal adyen braintree
squash rebase merge-commits
terraform pulumi ansible chef puppet opentofu
vim emacs neovim intellij goland
celsius fahrenheit
english german french spanish chinese japanese korean russian portuguese italian dutch 中文 英文 英语 德语 日文 日语 法语
usd eur gbp cny jpy
argon2 bcrypt scrypt pbkdf2
md5 sha-1 sha-256 sha256 sha512 blake3
`

// nouns are words that hold characters of other words.
const nouns = `原始 原文 原因 原则 原生 原型 原理 换算 换行 转换 交换 兑换 修改 改动 改价 改善 改进 改造 更改 缓存 存储 内存 储存 库存 保存期 例会 周会 会议 会话 会员 晨会 站会 应用 费用 引用 作用 通用 专用 公用 信用 用例 用法 用途 用量 行为 作为 因为 认为 是否 还是 但是 于是
	在线 正在 所在 内在 端口 主机 主题 主页 主键 从属 读者 写法 日志 日期 周期 月份 年份 点击 节点 起点 终点 重点 端点 一致 统一 唯一 一般 万一 以后 今后 十分 百分 人员 个人 负责人 条件 条款 次数 版本 依赖项
	号码 账号 型号 信号 编号 有效 有效期 所有 公有 含义 开头 开发者 关键 关系 接口 接收 连接池 服务 服务端 前缀 后缀 后台 前台 先后 再次 上线 下线 里程 中心 中文 中间件 时间 时区 时长 和平 与否 把手 将来 设备 定时 定时任务 分支 主分支 库名 仓库 不超过 至多 上限`

// spellings are words that mean the same, the one that counts first.
const spellings = `
database db 数据库 库
postgresql postgres pg
production prod 生产 线上
development dev 开发
kubernetes k8s
configuration config
repository repo
environment env 环境
authentication auth
authorization authz
second sec s 秒 秒钟
minute min 分钟
hour h hr 小时
day 天
week 周
month 个月
megabyte mb mib
gigabyte gb gib
kilobyte kb kib
ton t tonne 吨
kilogram kg 公斤 千克
javascript js
typescript ts
python py
percent %
request req
responsible 负责
meeting meet
daily 每天 每日 天天
approval approve sign-off signoff 审批 批准 签字
mini-program mini-app 小程序
frontend 前端
backend 后端
mobile 移动端
desktop 桌面端
server 服务端
client 客户端
android 安卓
staging stage 预发 预发布
local 本地
sandbox 沙箱
demo 演示
canary 灰度
read 读
write 写
upload 上传
download 下载
input 输入
output 输出
minimum 最小 最低
maximum 最大 最高
unit 单元
integration 集成
e2e end-to-end 端到端
internal 内部
external 外部
login 登录
logout 登出
signup 注册
memory 内存
disk 磁盘
buyer 买家
seller 卖家
customer 客户
employee 员工
free 免费
paid 付费
enterprise 企业版
success 成功
failure 失败
warning 警告
email 邮件
sms 短信
push 推送
phone 电话
backup 备份
start begin 开始
end finish 结束
request 请求
response 响应
connection 连接
refresh 刷新
access 访问
create 创建
delete 删除
code 代码
docs 文档
design 设计
error 错误
guest 访客
seller 卖家
enable 启用
disable 禁用 停用
public 公开 公共
private 私有
incoming inbound 入站
outgoing outbound 出站
hot 热
cold 冷
`

// pasts say that something changed in this form alone: a port is not what was ported.
var pasts = strings.Fields("ported shifted swapped converted transferred postponed rescheduled doubled halved tripled rose risen fell grew shrank scrapped ceased superseded nowadays")

// verbsAlone are verbs in this form alone: the last stands beside the first, and a meeting is a thing.
var verbsAlone = strings.Fields("lasts meets")

// newLexicon puts it together.
func newLexicon() *lexicon {
	l := &lexicon{class: map[string]class{}, group: map[string]string{}, same: map[string]string{}, verbs: map[string]map[int]bool{}, cjk: map[string]bool{}}
	note := func(w string) {
		if isCJK([]rune(w)[0]) {
			l.cjk[w] = true
			l.longer = max(l.longer, len([]rune(w)))
		}
	}
	for c := light; c <= pronoun; c++ { // what a word is first, it stays
		for _, w := range strings.Fields(words[c]) {
			note(w)
			if _, have := l.class[w]; !have {
				l.class[w] = c
			}
			if _, have := l.class[stem(w)]; !have && c != happened { // a release is nothing that was released
				l.class[stem(w)] = c
			}
		}
	}
	for _, w := range pasts {
		l.class[w] = changed
	}
	for _, w := range slices.Concat(strings.Fields(nouns), absences, deeds, []string{"取消"}) {
		note(w)
	}
	for _, line := range strings.Split(contrasts, "\n") {
		list := strings.Fields(strings.TrimPrefix(line, "!"))
		for _, w := range list {
			note(w)
			l.group[stem(w)] = "~" + list[0]
			if strings.HasPrefix(line, "!") {
				l.group[stem(w)] = "!" + list[0]
				l.class[w], l.class[stem(w)] = place, place
			}
		}
	}
	for i, line := range strings.Split(verbs, "\n") {
		for _, w := range strings.Fields(line) {
			if l.verbs[stem(w)] == nil {
				l.verbs[stem(w)] = map[int]bool{}
			}
			l.verbs[stem(w)][i] = true
		}
	}
	for _, line := range strings.Split(kinds, "\n") {
		list := strings.Fields(line)
		for _, w := range list {
			note(w)
			if l.group[stem(w)] == "" {
				l.group[stem(w)] = "=" + list[0]
			}
		}
	}
	for _, line := range strings.Split(spellings, "\n") {
		if list := strings.Fields(line); len(list) > 0 {
			for _, w := range list[1:] {
				note(w)
				l.same[stem(w)] = stem(list[0])
			}
		}
	}
	for _, w := range verbsAlone {
		l.class[w] = is
	}
	return l
}
