package screen

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// invisible reports whether a character shows nothing but changes how others show: zero
// width, direction marks, tags, variation selectors without a base.
func invisible(c rune) bool {
	switch {
	case c >= 0x200b && c <= 0x200f, c >= 0x202a && c <= 0x202e, c >= 0x2060 && c <= 0x2069, c == 0xfeff, c == 0xad, c >= 0xe0000 && c <= 0xe01ef, c == 0x115f, c == 0x3164:
		return true
	}
	return false
}

// hidden is the first word of a text that a reader sees differently than a program
// does: with invisible characters, or with Latin letters beside letters of another
// script that look the same.
func hidden(t string) string {
	for _, w := range strings.FieldsFunc(t, func(c rune) bool { return unicode.IsSpace(c) }) {
		latin, alike := false, false
		for i, c := range w {
			// An emoji may contain joiners, and a variation selector may follow it.
			if invisible(c) && !(c == 0x200d && i > 0) || c >= 0xe0000 && c <= 0xe007f {
				return strings.Map(func(c rune) rune {
					if invisible(c) {
						return '·'
					}
					return c
				}, w)
			}
			latin = latin || unicode.Is(unicode.Latin, c)
			alike = alike || unicode.Is(unicode.Cyrillic, c) || unicode.Is(unicode.Greek, c) && !strings.ContainsRune("µμλΔδσΣπΠΩαβγεφ", c)
		}
		if latin && alike {
			return w
		}
	}
	return ""
}

// injections are words addressed to the model, not about the problem.
var injections = sync.OnceValue(func() []phrase {
	of := func(why string, list ...string) []phrase { return phrases(Injection, why, list...) }
	var out []phrase
	out = append(out, of("asks to set aside what the agent was told",
		`\b(?:ignore|disregard|forget|override|overlook|skip|drop|set aside|discard|bypass)\b[^.;\n]{0,40}\b(?:previous|prior|above|earlier|preceding|existing|original|all|any|every|your|other|system|user'?s?|developer)\b[^.;\n]{0,30}\b(?:instructions?|rules?|guidelines?|directions?|directives?|constraints?|policies|polic[yi]|prompts?|guardrails?|context|safety|orders?)\b`,
		`\b(?:ignore|disregard|forget) (?:about )?(?:the|these|those|your) (?:\w+ )?(?:instructions|rules|guidelines|directives|guardrails|orders) (?:of|from|by|that|which|you|given|and)\b`,
		`\b(?:instructions?|rules|guidelines|polic(?:y|ies)|restrictions?|guardrails?)\b[^.;\n]{0,30}\b(?:no longer|do not|don't) (?:apply|bind|count|matter|hold)\b`,
		`\b(?:these|the following|my|new) (?:instructions?|rules|orders) (?:override|replace|supersede|take precedence|have priority|outrank|come before)\b`,
		`(?:忽略|无视|忘记|忘掉|不理会|跳过|抛开)[^。；\n]{0,6}(?:之前|以上|上述|上面|前面|先前|所有|全部|一切|原有|系统|你|用户)[^。；\n]{0,8}(?:指令|指示|规则|说明|提示|要求|约束|限制)`,
		`\bignor(?:a|e|iere|iert|ez|er|ieren|are)\b[^.;\n]{0,40}\b(?:instrucciones|instruktionen|anweisungen|instructions|instruções|istruzioni|regeln|reglas|règles|regole)\b`,
		`\b(?:vergiss|olvida|oublie[rz]?|esqueça|dimentica)\b[^.;\n]{0,40}\b(?:instrucciones|anweisungen|instructions|instruções|istruzioni|regeln|reglas|règles|regole)\b`,
		`игнорируй\S*[^.;\n]{0,30}(?:инструкц|указан|правил)`, `(?:以前|上記|これまで)の(?:指示|命令|ルール)を(?:無視|忘れ)`)...)
	out = append(out, of("speaks as if it were somebody else than a gene",
		`\byou are (?:now|no longer)\b|\bpretend (?:that )?(?:you are|to be)\b`, `\b(?:act|behave|respond|pretend|roleplay) as (?:if you were|an? |the )[^.;\n]{0,30}\b(?:admin\w*|root user|unrestricted|jailbroken|developer mode|dan|assistant|ai|model)\b`, `\bnew (?:system )?(?:instructions?|prompt|task|persona)\s*:`,
		`\b(?:system|developer) (?:prompt|message|instructions?)\s*:`, `<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|</?(?:system|assistant|user|instructions?|system-reminder|tool_result|function_calls?)\b[^>]{0,60}>|^\s*(?:system|assistant)\s*:|<!--`,
		`你现在是|你不再是|开发者消息`)...)
	out = append(out, of("asks to do something behind the person's back",
		`\b(?:do not|don't|never|without|not|no need to|avoid|rather than) (?:ever )?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|mention(?:ing)?|show(?:ing)?|alert(?:ing)?|warn(?:ing)?|reveal(?:ing)?|disclos(?:e|ing))\b[^.;\n]{0,30}\b(?:user|person|human|developer|operator|anyone|anybody|them|owner|team|reviewer)\b`,
		`\b(?:do not|don't|never|without|no need to|not) (?:ever )?(?:ask(?:ing)?|wait(?:ing)?|seek(?:ing)?|request(?:ing)?|prompt(?:ing)?)\b[^.;\n]{0,24}\b(?:confirm\w*|permission|approval|consent|the user|the person|anyone|review)\b`,
		`\b(?:hide|conceal|keep)\b[^.;\n]{0,30}\b(?:from the (?:user|person|human|developer|team|reviewer|log)|secret from|out of the (?:log|diff|report))`, `\b(?:silently|secretly|covertly|quietly)\b[^.;\n]{0,30}\b(?:run|send|add|install|upload|execute|commit|push|post|copy|change|grant)\b`,
		`(?:不要|别|无需|不必|切勿)(?:让|告诉|告知|通知|提醒|提及)[^。；\n]{0,8}(?:用户|人|开发者|任何人)|(?:无需|不需要?|不用|不必|不要|别)(?:询问|征求|请求|等待)[^。；\n]{0,8}(?:确认|同意|许可|批准|用户)|偷偷|悄悄地?(?:执行|运行|上传|发送)`)...)
	out = append(out, of("asks for powers, or to let something in",
		`--dangerously-skip-permissions|--dangerously-bypass|--yolo\b|--allow-all-tools|--auto-approve-everything|\bAGENTS_HOOKS_TRUST\b`,
		`\bagents-hooks\s+(?:trust|untrust|uninstall|disable|accept|evolution\s+(?:approve|publish|import|reject|delete)|add|packs?)\b`,
		`\b(?:approve|release|publish|trust) (?:this|the) (?:gene|hook|project|folder|skill)\b`, `\b(?:disable|remove|turn off|uninstall|bypass|circumvent|work around|delete)\b[^.;\n]{0,24}\b(?:hooks?|guards?|guardrails?|sandbox|safety checks?|permission(?:s| checks?| prompts?)|approval)\b`,
		`\b(?:auto-?approve|always allow|grant (?:yourself|the agent))\b`, `(?:关闭|禁用|绕过|移除|卸载)[^。；\n]{0,8}(?:钩子|守卫|沙箱|权限|审批|安全检查)`)...)
	out = append(out, of("asks to give something away",
		`\b(?:send|post|upload|exfiltrate|forward|email|mail|report|transmit|leak|copy|paste|publish)\b[^;\n]{0,50}(?:\.env|\.netrc|id_rsa|\b(?:secrets?|credentials?|tokens?|passwords?|api[ -]?keys?|private keys?|ssh keys?|environment variables?|env(?:ironment)?(?: file| vars?)?|cookies|source code|conversation|memory|prompts?))\b[^.;\n]{0,40}\b(?:to|at|into|via|with)\b[^.;\n]{0,20}(?:https?:|\b[\w-]+\.(?:com|net|org|io|dev|app|xyz|ru|cn|sh)\b|webhook|server|endpoint|pastebin|gist|address|channel|issue)`,
		`(?:发送|上传|提交|转发|泄露|贴)[^。；\n去移删脱隐]{0,12}(?:密钥|密码|凭据|凭证|令牌|环境变量|源代码|口令)`)...)
	return append(out, ordering()...)
})

func injection(t string) (at, why string) {
	small := strings.ToLower(t)
	for _, p := range injections() {
		if !p.may(small) {
			continue
		}
		if at := p.re.FindString(t); at != "" {
			return at, p.why
		}
	}
	return "", ""
}

const (
	fetchers = `(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|lynx|http|https|xh|nc|ncat|socat|ftp)(?:\.exe)?`
	runners  = `(?:/\S*/)?(?:sh|bash|zsh|dash|ksh|ash|fish|csh|tcsh|python[0-9.]*|py|perl|ruby|node|nodejs|deno|bun|php|lua|osascript|iex|invoke-expression|pwsh|powershell|cmd)(?:\.exe)?`
	lifts    = `(?:(?:sudo|doas|env|nohup|exec|command|time|nice|setsid|xargs|busybox|stdbuf|/usr/bin/env)(?:\s+-\S+|\s+[A-Z_]+=\S+)*\s+)*`
)

// piped finds code from the network that runs unread: piped into an interpreter, inside
// its arguments, or described in plain words.
var piped = sync.OnceValue(func() []phrase {
	return phrases(Piped, "runs what comes from the network, unread",
		`\b`+fetchers+`\b[^\n;&]*\|\s*&?\s*`+lifts+runners+`(?:\s|$|['"\x60);,.])`,
		`\b`+runners+`\b[^\n|]*(?:\$\(|\x60|<\()\s*`+lifts+fetchers+`\b`,
		`(?:\beval|\bsource|(?:^|[\s;&])\.)\s+["']?(?:\$\(|\x60|<\(|\(\s*<\()\s*`+lifts+fetchers+`\b`,
		`\b(?:iex|invoke-expression|icm)\b[^\n]*(?:downloadstring|downloadfile|invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|https?://)`, `downloadstring\([^\n]*\|\s*(?:iex|invoke-expression)`,
		`\bbase64\b[^\n|;]*\|[^\n;]*\|?\s*`+lifts+runners+`(?:\s|$|['"\x60)])`, `(?:/dev/tcp/|\bnc(?:at)?\b[^\n]* -(?:e|c) )`,
		`\b(?:exec|eval)\s*\(\s*(?:urllib|requests|urlopen|http|fetch|await fetch)`, `\b(?:mshta|regsvr32|rundll32|certutil|bitsadmin)\b[^\n]*https?:`,
		`\b(?:pipe|feed|stream)\b[^.\n]{0,40}https?://\S+[^.\n]{0,30}\b(?:in)?to\b[^.\n]{0,12}\b(?:shell|bash|sh|zsh|python|interpreter|powershell)\b`,
		`\b(?:download|fetch|get|grab)\b[^.\n]{0,80}(?:script|installer|binary|https?://\S+|\w\.(?:sh|py|ps1|pl|rb|exe|run)\b)(?:[^.\n]|\.\w){0,60}\b(?:and|then|,)\s+(?:then\s+)?(?:run|execute|source|eval|start|launch|pipe)\b`,
		`\b(?:run|execute|source)\b (?:the |this |that )?(?:\w+ )?(?:script|installer|code|command|binary)s? (?:at|from|hosted (?:at|on)) (?:https?://|\w+\.\w+/)`,
		`(?:下载|获取)[^。\n]{0,40}(?:脚本|安装程序|https?://)[^。\n]{0,30}(?:执行|运行)`)
})

var saved = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:curl|wget|iwr|irm|invoke-webrequest|aria2c)\b[^\n|]*?(?:\s-(?:o|O|OutFile)|\s--output(?:-document)?|\s>)[ =]*["']?([\w./~$-]+)|\b(?:curl -\w*O|wget|save|download|store)\b[^\n|]*?/([\w.-]+\.(?:sh|py|pl|rb|ps1|js|bash|run|exe))\b`)
})

// fetchedAndRun is a file that one part fetches and another runs.
func fetchedAndRun(t string) string {
	for _, m := range saved().FindAllStringSubmatchIndex(t, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] < 0 {
				continue
			}
			file := strings.TrimLeft(t[m[g]:m[g+1]], "./")
			base := file[strings.LastIndexByte(file, '/')+1:]
			if len(base) < 3 { // by itself it may be any word
				base = file
			}
			if len(base) < 3 || base == "null" || strings.HasSuffix(base, "/null") {
				continue
			}
			run := regexp.MustCompile(`(?i)(?:\b(?:sh|bash|zsh|source|python[0-9.]*|perl|ruby|node|pwsh|powershell|sudo|exec)\s+(?:-\S+\s+)*|(?:^|[\s;&|` + "`" + `])\./|\bchmod\s+\S*[x7]\S*\s+|\b(?:run|execute) )["']?(?:\S*/)?` + regexp.QuoteMeta(base) + `\b`)
			if run.MatchString(t[m[1]:]) {
				return base
			}
		}
	}
	return ""
}

// prose finds harmful things said in words, or in languages that no shell reads.
var prose = sync.OnceValue(func() []phrase {
	return append([]phrase{
		rule(Destructive, "removes data from a database", `\b(?:drop (?:table|database|schema|keyspace|collection|user|role)|truncate table \w+|(?-i:TRUNCATE) \w+|dropdatabase\s*\(|flushall|flushdb|delete from [\w."]+\s*(?:;|$|`+"`"+`|"|'))`),
		rule(Destructive, "writes over a device", `(?:>|of=)\s*(?:/dev/(?:sd|hd|vd|nvme|disk|mmcblk)|\\\\\.\\physicaldrive)`),
		rule(Destructive, "is a fork bomb", `:\s*\(\s*\)\s*\{\s*:\s*\|\s*:`),
		rule(Destructive, "takes away work that was not pushed", `\bforce[- ]?push(?:es|ed|ing)?\b|\brewrite (?:the )?(?:shared |remote |public )?history\b|强制推送|强推`),
		rule(Destructive, "takes away data", `\b(?:wipe|erase|format|nuke|destroy|delete|remove|purge|drop)\b (?:(?:all|every|everything|the (?:whole|entire)|your|the)\b ?){1,3}(?:\w+ )?\b(?:disks?|drives?|home (?:folder|directory)|databases?|production\b|tables|volumes?|cluster|namespaces?|backups?|repositor(?:y|ies)|buckets?|filesystem|partition)\b|(?:删除|清空|格式化|抹掉)(?:整个|全部|所有)[^。；\n]{0,6}(?:磁盘|数据库|数据|目录|仓库|备份|主目录)`),
		rule(Destructive, "removes a tree in a program", `\b(?:shutil\.rmtree|fs\.rm(?:Sync)?|rimraf(?:\.sync)?|FileUtils\.rm_rf|os\.RemoveAll|Remove-Item)\s*\(?\s*["'(]*(?:/|~|\$HOME|\.\.|[A-Z]:)`),
		rule(Weakens, "switches a check of certificates off", `NODE_TLS_REJECT_UNAUTHORIZED\s*=\s*["']?0|GIT_SSL_NO_VERIFY|PYTHONHTTPSVERIFY\s*=\s*0|sslverify["' =:]+(?:false|0)|strict-ssl["' =:]+false|verify\s*=\s*False|InsecureSkipVerify|--insecure\b|--no-check-certificate|--trusted-host|-SkipCertificateCheck|rejectUnauthorized["' :=]+false|GONOSUMDB|GONOSUMCHECK|GOFLAGS=-insecure|GOSUMDB=off`),
		rule(Weakens, "switches a check off that guards a commit or a push", `--no-verify\b|HUSKY=0|HUSKY_SKIP_HOOKS|core\.hooksPath[ =]+/dev/null|\[skip ci\]|--no-gpg-sign`),
		rule(Leaks, "sends what is secret over the network", `\b(?:printenv|env|set|export -p)\s*\|\s*(?:\S+\s*\|\s*)*(?:curl|wget|nc|ncat|socat|ssh|telnet|mail|http)\b|(?:\.env\b|\.ssh\b|id_rsa|id_ed25519|\.netrc|\.aws\b|\.kube/config|\.npmrc|\.pypirc|/etc/shadow)[^\n]{0,80}\|\s*(?:\S+\s*\|\s*)*(?:curl|wget|nc|ncat|socat|ssh|telnet|mail|sendmail|http)\b|\b(?:curl|wget|http|scp|rsync|nc)\b[^\n]{0,120}(?:@|<\s*|\$\(cat |\s|/)(?:~/|\$HOME/|\./|/\S*/)?(?:\.env\b|\.ssh\b|id_rsa|id_ed25519|\.netrc|\.aws\b|\.kube/config|\.npmrc|\.pypirc|/etc/shadow)`),
	}, joinedPhrases()...)
})
