package screen

import "strings"

// kept are names of files and places that contain secrets.
const kept = `(?:\.env(?:\.local|\.production)?\b|~?/?\.ssh\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\.netrc\b|\.aws\b|\.kube\b|\.npmrc\b|\.pypirc\b|\.gnupg\b|\.git-credentials\b|\.docker/config\b|/etc/shadow\b|\.pgpass\b|\.vault-token\b)`

// secrets are words for secrets.
const secrets = `(?:private keys?|ssh keys?|api[ -]?keys?|access keys?|passwords?|credentials?|(?:access |api )?tokens?|secrets|all (?:of )?(?:the )?environment variables|` + kept + `)`

// public are places where everybody can read something.
const public = `(?:ticket|issue|chat|channel|group|repository|repo\b|commit|pull request|readme|wiki|gist|paste|forum|comment|build log|logs?\b|page|site|https?:|bucket)`

// leaking discloses secrets: a program that sends, and something it must not send.
func leaking() []phrase {
	return phrases(Leaks, "gives away what is secret",
		`(?:\b(?:curl|wget|ncat|socat|telnet|scp|sftp|rsync|rclone|sendmail|gist create|aws s3 cp|gsutil cp|requests\.post|urlopen)\b|\bnc\s|\bhttp (?:-|post|put))[^\n]{0,160}(?:`+kept+`|\$\((?:env|printenv|set|export)\b|\bos\.environ\b(?:\)|,)|dict\(os\.environ|process\.env\s*\))`,
		kept+`[^\n]{0,80}\|\s*(?:\S+[^\n|]*\|\s*)*(?:curl|wget|nc|ncat|socat|ssh|telnet|mail|sendmail|http)\b`,
		`\b(?:nslookup|dig|host|ping)\b[^\n;&]*(?:\$\(|\x60)`, `!\[[^\]]*\]\(https?://[^)\s]*(?:\$\(|\$\{?[A-Z]|\x60)`,
		`\bgit add\b[^\n;&]*`+kept, `\b(?:printenv|env|set)\s*>\s*\S*(?:public|static|www|dist|docs|html)\b`, kept+`\s*>\s*\S+[^\n]*\bgit (?:add|push)\b`,
		`\bgit remote add\b[^\n]{0,120}\bgit push\b[^\n]{0,40}--(?:all|mirror)\b`,
		`\b(?:send|post|upload|paste|attach|share|publish|print|dump|log|write|put|add|commit|push|copy)\b[^.;\n]{0,40}`+secrets+`[^.;\n]{0,40}\b(?:to|into|in|on|with)\b[^.;\n]{0,24}`+public,
		`(?:发送|发到|上传|提交|转发|泄露|贴到?|写到|写入|打印|读取|公开)[^。；\n]{0,16}(?:密钥|密码|凭据|凭证|令牌|私钥|口令|环境变量|`+kept+`)[^。；\n]{0,16}(?:服务器|群|聊天|issue|工单|日志|仓库|网站|https?:|上传|发送|公开)`,
		`(?:把|将)[^。；\n]{0,12}(?:密钥|密码|凭据|凭证|令牌|私钥|口令|环境变量|`+kept+`)[^。；\n]{0,12}(?:发送|发到|发给|上传|贴到|写到|写进|公开|提交到)`)
}

// guarding are checks that something switches off.
const guarding = `(?:content[- ]security[- ]policy|\bcsp\b|csrf|authentication|authori[sz]ation|auth checks?|signature checks?|certificate (?:checks?|validation|verification)|certificate errors|firewall|antivirus|selinux|apparmor|security (?:scan|checks?|hooks?)|secret scan\w*|branch protection|code ?owners?|review)`

func weakening() []phrase {
	return append(append(phrases(Weakens, "switches a protection off, or lets somebody in",
		`\b(?:remove|delete|drop|disable|turn off|switch off|bypass|skip|accepts?|ignores?)\b[^.;\n]{0,20}`+guarding, `\baa-(?:teardown|disable|complain)\b|seccomp=unconfined|apparmor=unconfined|label[=:]disable|--cap-add[= ]+(?:ALL|SYS_ADMIN)`,
		`\bNOPASSWD\b|/etc/sudoers|\.ssh/authorized_keys`, `StrictHostKeyChecking[= ]+(?:no|off)|UserKnownHostsFile[= ]+/dev/null`, `\binsecure\b[^\n]{0,8}>>?\s*\S*\.curlrc`,
		`\bcluster-admin\b`, `--acl[= ]+public-read|\bpublic-read-write\b|\ballUsers\b`, `\bauthorize-security-group\b[^\n]*0\.0\.0\.0/0|0\.0\.0\.0/0[^\n]{0,40}\b(?:all|any) (?:ports?|protocols?)`,
		`--allow-unauthenticated\b|--force-yes\b|\[trusted=yes\]|--nogpgcheck\b|--no-gpg-check`, `\bTrustManager\b[^.\n]{0,40}\b(?:accepts?|trusts?)\b[^.\n]{0,12}\b(?:every|all|any)|ServerCertificateValidationCallback\b[^\n]{0,40}=>\s*true`,
		`(?:registry|index-url|proxy)[ =]+["']?http://(?:[^\s/]*\.)?[a-z]`, `Access-Control-Allow-Origin\b[^.\n]{0,12}\*[^\n]{0,40}credentials`,
		`\bgh (?:api|repo)\b[^\n]*(?:-X|--method)[ =]*DELETE[^\n]*protection|\bgh pr merge\b[^\n]*--admin|\bgh pr review\b[^\n]*--approve|\bSKIP=[a-z-]+ git\b`,
		`sslverify["'= :]*(?:设为|设置为|改为|to|->)\s*["']?(?:false|0)`,
		`(?:关闭|禁用|跳过|绕过|忽略|取消|停用)(?:所有|全部|一切|掉)?[^。；，\n]{0,4}(?:证书|防火墙|安全检查|安全扫描|杀毒|签名校验|签名验证|权限检查|身份验证|鉴权|审查)`, `自己批准自己`),
		phrases(Weakens, "makes a test say what nobody has seen",
			`\b(?:delete|remove|comment out|disable|drop)\b[^.;\n]{0,24}\b(?:tests?|cases|assert\w*)\b (?:that |which |who )?(?:fail|break|are red|do not pass)`, `\b(?:delete|remove|disable|skip|mark)\b[^.;\n]{0,12}\b(?:every|all|the|any|each)\b[^.;\n]{0,12}\b(?:failing|failed|broken|red)\b (?:tests?|cases)`,
			`\|\| true\b[^.\n]{0,40}\b(?:tests?|scan|lint|check|audit)|\b(?:tests?|scan|lint|check|audit)\b[^.\n]{0,40}\|\| true\b`, `\bchange the expected (?:value|output|result)s?\b[^.\n]{0,40}\bto (?:what|match what)`, `\b(?:eslint-disable|noqa|nolint|type: ignore|@ts-nocheck)\b[^.\n]{0,24}\b(?:every|all|each) files?\b`,
			`(?:删除|删掉|注释掉|跳过|禁用)[^。；，\n]{0,6}(?:失败|报错|不通过|红)的?(?:测试|用例)|(?:失败|报错|不通过)的?(?:测试|用例)[^。；，\n]{0,6}(?:删除|删掉|注释掉|跳过|禁用)`)...),
		phrases(Weakens, "gives an agent more than its person did",
			`"?(?:allow|permissions)"?\s*:\s*[\[{][^\n]{0,60}(?:\(\*\)|"\*"|bypass)`, `\bAGENTS_HOOKS_\w+\s*=`, `\b(?:append|add|write|put|insert)\b[^.\n]{0,80}(?:\b(?:always|never|without|skip|ignore|allow|trust)\b)[^.\n]{0,60}(?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.cursorrules|copilot-instructions)`)...)
}

func losing() []phrase {
	return append(phrases(Destructive, "loses what nothing brings back",
		`\b(?:rmtree|rmSync|rm_rf|rmdirSync|removeSync|RemoveAll|unlinkSync|rimraf|unlink)\b[^\n]{0,60}(?:homedir|\bHOME\b|expanduser|Dir\.home|\bglob\b|["'/]~|["'(]/)`,
		`:\s*>\s*["']?\$`, `\bdelete from [\w."]+ where (?:1\s*=\s*1|true)\b`, `\betcdctl\b[^\n]*\bdel\b[^\n]*--prefix`, `--delete[^\n]{0,20}--topic ['"]?\.\*`,
		`\b(?:wipe|erase|throw away|discard|delete|remove)\b (?:everything|all (?:of )?(?:the )?(?:files|uncommitted changes|changes|data))\b[^.;\n]{0,20}\b(?:in|of|from|under|without)\b`,
		`(?:清空|删除|删掉|抹掉|格式化)[^。；，\n]{0,8}(?:所有表|全部表|所有数据|全部数据|整个\S{0,3}目录|数据盘|磁盘|生产数据库|主目录|命名空间)|格式化(?:数据|系统)?盘`),
		phrases(Piped, "runs what it puts together, which nobody can read before",
			`\b(?:curl|wget)\b[^\n]*\|\s*tar\b[^\n|]*&&\s*(?:\./|cd |make|sh |bash )`, `\b(?:exec|eval)\s*\([^)\n]{0,40}(?:urlopen|requests\.get|\.read\(\))`, `\|\s*`+lifts+`(?:sh|bash|zsh|dash|ksh|ash|fish)(?:\s+-[se]?)?\s*(?:$|["'\x60)(;,.&|\n]|\s)`, `\|\s*`+lifts+`(?:python[0-9.]*|node|perl|ruby|php|lua)\s*(?:-\s*)?(?:$|["'\x60);,.&|\n])`,
			`\b(?:sh|bash|zsh|dash|ksh)\b[^|\n]{0,12}<<<`, `(?:\bsource|\bbash|\bsh|(?:^|\s)\.)\s+/dev/stdin`, `\beval\b[^\n]{0,20}\$\{?\w`,
			`(?:^|[\s;&|(\x60"'])(?:\$\w+|\$\{\w+\}|"\$\w+"|\$\([^)\n]*\)|\$'[^'\n]*')\s+-(?:rf|fr|r|R|f|Rf|fR)\b`, `(?:^|\s)/\S*[?*\[]\S*/\S*\s+-(?:rf|fr|r)\b`,
			`\bp(?:ower)?w?shell(?:\.exe)?\b[^\n]*\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{12,}`, `\bFromBase64String\b[^\n]*(?:\|\s*iex|invoke-expression)`, `\bdecod\w+\b[^.\n]{0,60}\b(?:run|execute|follow|obey|do what|eval)\b|\brot13\b[^.\n]{0,20}\b(?:follow|run|obey)\b`,
			`\b(?:npx|bunx|pipx run|uvx|deno run|pnpm dlx|yarn dlx)\s+(?:-\S+\s+)*https?://`, `\bsocat\b[^\n]*\bexec:|\bpty\.spawn\b|\bdup2\(`, `\b(?:download|fetch|get|copy|paste)\b[^\n]{0,80}\b(?:and|then)\b[^\n]{0,30}\b(?:run|execute|paste)\b[^\n]{0,40}\b(?:as root|root shell|unread|no need to read|without reading)`,
			`(?:下载|复制)[^。\n]{0,40}(?:执行|运行|粘贴)[^。\n]{0,20}|(?:不用|不必|无需)看内容`)...)
}

// ordering are words that ask a model to obey them rather than its user, now or later.
func ordering() []phrase {
	return append(append(phrases(Injection, "wants to be obeyed, and not to solve a problem",
		`\b(?:from now on|henceforth|from here on|in (?:every|all|any) (?:other |future )?(?:projects?|sessions?|repositor\w+))\b[^.\n]{0,40}\b(?:always|add|run|use|insert|import|obey|follow|do|you)\b`, `\b(?:your|long[- ]term|permanent) memory\b`,
		`\b(?:what|whatever|anything|everything) (?:you were told|you have been told|the (?:user|person|human|developer) (?:said|wrote|asked|told))\b`, `\b(?:no longer|do(?:es)? not) (?:apply|count|bind)\b[^.\n]{0,40}\b(?:follow|obey|instead|place)\b|\b(?:permission prompts?|confirmations?|safety (?:checks?|rules))\b[^.\n]{0,16}\b(?:do not count|are off|is off|are disabled|no longer)\b`,
		`(?:^|[\n.!?] *)(?:human|user|assistant|ai|operator|admin(?:istrator)?)\s*: `, `\b(?:the|any|every) (?:ai|agent|assistant|model|llm)\b (?:must|shall|has to|should always|is to)\b`, `\bevolve_\w+\b|\bmemory_(?:write|save)\b`,
		`\b(?:report|record|rate|mark|count|log)\b (?:this|the) (?:gene|strategy|step|suggestion)s?\b[^.\n]{0,12}\b(?:as )?(?:a )?(?:success\w*|helpful|helped)`, `\b(?:approved|verified|vetted|certified|cleared|trusted) by (?:anthropic|openai|google|microsoft|your|the (?:security|platform|admin\w*|vendor|user|owner))`, `\b(?:security|safety|platform|compliance) team (?:has |have )?(?:already )?(?:approved|cleared|reviewed|agreed)`,
		`\bno (?:further |more )?review\b[^.\n]{0,12}\b(?:needed|necessary|required)\b|\byou (?:may|can|should) skip (?:your|the|all) (?:checks?|review|confirmation)`, `\b(?:developer|maintenance|god|debug|admin|unrestricted) mode\b[^.\n]{0,16}\b(?:is|are|was)\b (?:now )?(?:on|active|enabled)\b`, `\b(?:no|without(?: any)?) restrictions\b[^.\n]{0,24}\b(?:you|session|what)\b`,
		`\bas (?:your|the) (?:administrator|admin|owner|operator|developer)\b[^.\n]{0,12}\bi\b`, `\bnever refuse\b|\bgrant (?:write|full|root|admin) access\b`, `\bback ?doors?\b|\bhidden (?:admin\w*|account|user|endpoint|route)`, `\b(?:secret|hidden) from (?:the )?(?:developer|user|person|team|reviewer)|\bkeep this (?:step |gene )?(?:secret|to yourself)`,
		`"(?:tool_use|tool_calls?|function_call)"\s*:|<(?:antml:)?invoke\b|"role"\s*:\s*"(?:system|developer)"`, `-{2,}\s*end of (?:strategy|gene|context|instructions|document|prompt)`, `\boverride (?:your|the) (?:guidelines|rules|training|safety)`, `\bunrestricted (?:ai|shell|assistant|model|agent)\b`),
		phrases(Injection, "wants to be obeyed, and not to solve a problem",
			`ignore(?:all|the|any|your)?(?:previous|prior|above|earlier)(?:instructions|rules)`, `从(?:现在|今|此)(?:开始|以后|起|往后)|(?:在)?每个(?:项目|会话|仓库)(?:里|中)?都`, `(?:记到|写到|写入|存到|保存到)[^。；\n]{0,4}(?:记忆|长期记忆)|(?:^|[。；\n])记住[:：]`, `(?:不用理会|无视|别管|不必理会|忘掉|忘记|忽略)[^。；\n]{0,8}(?:用户|之前|前面|先前|以上|上面|开发者)[^。；\n]{0,8}(?:话|内容|说的|要求|指令|指示|规则)`,
			`以(?:本|这条|此)(?:策略|步骤|基因)为准|(?:听从|服从)(?:我|本)`, `我是(?:系统|管理员|开发者|你的)`, `(?:记录|标记|上报|记)(?:为|成)成功`, `(?:安全|审核|平台)团队已经?(?:批准|审核|同意)|不(?:需要|用|必)再?审[查核]`, `新(?:的)?任务是|后门|隐藏的?(?:管理员|账号|用户)`,
			`没有任何限制|不受(?:任何)?限制`, `(?:对|向)(?:开发者|用户|团队)保密`, `(?:权限|安全)(?:检查|限制)(?:已经?|都)?(?:关闭|取消|失效)`, `(?:无需|不需要?|不用|不必)(?:用户|人工|任何)?(?:确认|同意|许可)[^。；\n]{0,4}(?:直接|就)?(?:执行|运行)`, `系统提示词?(?:[:：]|写到|打印|输出|发)`, `你的系统提示`)...),
		phrases(Injection, "asks for what the agent is told in confidence",
			`\b(?:print|show|reveal|repeat|write|output|dump|send|put|paste)\b[^.\n]{0,24}\b(?:your|the agent'?s?|the model'?s?) (?:system|developer|initial|hidden)? ?(?:prompt|instructions|message)`)...)
}

// joinedPhrases are, for each kind, the phrases for what is said in words.
func joinedPhrases() []phrase {
	return append(append(leaking(), weakening()...), losing()...)
}

// disowned reports whether the words after a command speak against it: "curl -k hides
// the problem" is no advice.
func disowned(after string) bool {
	for _, w := range []string{" hides ", " only hides ", " just hides ", " masks ", " is no fix", " is no solution", " is not a fix", " is the wrong"} {
		if strings.HasPrefix(after, w) {
			return true
		}
	}
	return false
}
