package search

import (
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// glossary has technical terms that mean the same in Chinese and English, and common
// abbreviations: one group per line. A query for one finds a memory with another.
const glossary = `
数据库 database db
数据 data
缓存 cache caching
内存 memory ram
磁盘 硬盘 disk
文件 file
文件夹 目录 directory folder dir
路径 path
配置 设置 config configuration setting settings cfg
环境变量 env environment
环境 environment
变量 variable var
函数 方法 function func method
参数 parameter argument param arg
返回值 return
类型 type
接口 interface api
端点 endpoint
端口 port
服务 service
服务器 server
客户端 client
请求 request
响应 response
超时 timeout
重试 retry
错误 报错 error err
异常 exception
崩溃 crash panic
日志 log logging
调试 debug
测试 test testing
单元测试 unit
集成测试 integration
覆盖率 coverage
部署 上线 deploy deployment rollout
发布 release publish
版本 version
升级 upgrade
回滚 rollback revert
迁移 migration migrate
依赖 dependency dependencies
构建 编译 build compile
打包 bundle package packaging
安装 install
脚本 script
命令 command cmd
终端 terminal shell
权限 permission
认证 登录 authentication auth login
授权 authorization
令牌 token
密钥 secret key
密码 口令 password passwd
加密 encrypt encryption
证书 certificate cert
用户 user
管理员 admin administrator
前端 frontend ui
后端 backend
界面 ui interface
页面 page
组件 component
样式 style css
按钮 button
表单 form
主题 theme
布局 layout
路由 route router routing
中间件 middleware
框架 framework
库 library lib
模块 module
插件 plugin extension
队列 queue
消息 message
事件 event
任务 job task
定时任务 cron schedule scheduler
线程 thread
进程 process
协程 goroutine coroutine
并发 concurrency concurrent
并行 parallel
锁 lock mutex
死锁 deadlock
竞态 race
事务 transaction
索引 index
查询 query
表 table
字段 列 column field
主键 primary
外键 foreign
分页 pagination paging page
排序 sort order
搜索 检索 search
过滤 filter
连接池 pool
连接 connection connect
网络 network
域名 domain dns
代理 proxy
网关 gateway
负载均衡 balancer balancing
限流 throttle throttling ratelimit limit
熔断 breaker
监控 monitoring monitor
告警 报警 alert alerting
指标 metric metrics
追踪 trace tracing
性能 performance perf
延迟 latency
吞吐 throughput
优化 optimize optimization
基准 benchmark
容器 container docker
镜像 image
集群 cluster k8s kubernetes
节点 node
流水线 pipeline ci
仓库 repository repo
分支 branch
提交 commit
合并 merge
冲突 conflict
标签 tag label
代码 code
代码审查 评审 review
规范 约定 convention style
格式化 format formatter formatting
缩进 indent indentation
空格 space spaces
制表符 tab tabs
注释 comment
文档 document documentation docs doc
命名 naming name
重构 refactor refactoring
架构 architecture
设计 design
需求 requirement
决定 决策 decision decide
偏好 喜欢 prefer preference
习惯 habit
禁止 不要 forbid never
必须 must
默认 default
时区 timezone zone
时间 time
日期 date
编码 encoding
字符集 charset
中文 chinese
英文 english
语言 language
翻译 translation i18n
国际化 i18n internationalization
字符串 string
数组 array
列表 list
字典 映射 map dict
对象 object
类 class
继承 inherit inheritance
泛型 generic generics
正则 regex regexp
序列化 serialize serialization
解析 parse parser parsing
校验 验证 validate validation
签名 signature sign
哈希 hash
随机 random
备份 backup
恢复 restore recovery
删除 delete remove
更新 update
新增 添加 add
修改 change modify
复制 copy replica replication
同步 sync synchronize
异步 async asynchronous
阻塞 block blocking
流 stream streaming
上传 upload
下载 download
图片 图像 image picture
视频 video
邮件 邮箱 email mail
短信 sms
通知 notification notify
支付 payment pay
订单 order
退款 refund
价格 price
货币 currency
账号 账户 account
会话 session
浏览器 browser
移动端 手机 mobile
安卓 android
苹果 ios
微服务 microservice microservices
单体 monolith
生产环境 线上 production prod
预发 staging
开发环境 本地 development dev local
开关 flag toggle switch
灰度 canary
快照 snapshot
模型 model
训练 train training
提示词 prompt
向量 vector embedding
知识 knowledge
白名单 allowlist whitelist
黑名单 denylist blocklist blacklist
跨域 cors
注入 injection inject
漏洞 vulnerability
安全 security secure
审计 audit
合规 compliance
隐私 privacy
时钟 clock
重启 restart
启动 start startup boot
停止 stop
关闭 close shutdown
心跳 heartbeat
健康检查 health healthcheck
主从 replica
分片 shard sharding
一致性 consistency
幂等 idempotent idempotency
唯一 unique
空指针 nil null npe
溢出 overflow
泄漏 泄露 leak
精度 precision
四舍五入 rounding round
小数 decimal
整数 integer int
浮点 float
布尔 boolean bool
枚举 enum
`

// synonyms are the other ways to say a term, each as the words it consists of.
type synonyms struct {
	latin map[string][][]string // stem to the words of the others in its groups
	cjk   map[string][][]string // run of characters to the words of the others
	most  int                   // length of the longest run in characters
}

// trade is the part of the glossary for the words of a query. Converting all of it would take
// longer than the search.
func trade(query string) synonyms {
	s := synonyms{latin: map[string][][]string{}, cjk: map[string][][]string{}}
	query = text.Narrow(query)
	asked := map[string]bool{}
	for _, w := range words(query) {
		asked[w.text] = true
	}
	for line := range strings.Lines(glossary) {
		for term := range strings.FieldsSeq(line) {
			to, key := s.latin, term
			switch {
			case !ascii(term):
				if !strings.Contains(query, term) {
					continue
				}
				to = s.cjk
				s.most = max(s.most, utf8.RuneCountInString(term))
			default:
				if key = stem(term); !asked[key] {
					continue
				}
			}
			for other := range strings.FieldsSeq(line) {
				if other != term {
					to[key] = append(to[key], spelled(other))
				}
			}
		}
	}
	return s
}

// spelled are the words under which a term is stored: those that every occurrence has.
func spelled(term string) []string {
	var out []string
	runes := []rune(term)
	if !isCJK(runes[0]) {
		return []string{stem(term)}
	}
	if len(runes) == 1 {
		return []string{term}
	}
	for i := 0; i+1 < len(runes); i++ {
		out = append(out, string(runes[i:i+2]))
	}
	return out
}
