package reminder

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Open reports whether what is noted as a problem is open: a question, or something
// in the way. What somebody is up to is none, nor is how far they are, or that all is
// well. Agents write all of these into Problem.md, because reminders have asked them
// to.
//
// A sentence is looked at clause by clause after "but": what comes last counts. One
// that says what is done next is an obstacle only by words that cannot be meant
// otherwise: who writes error handling has no error. A sentence that is none of all
// that is taken at its word, it was noted as a problem, unless one before it says what
// somebody is up to: then it says more of that.
func Open(noted string) bool {
	text := strings.ToLower(strings.ReplaceAll(prose(noted), "’", "'"))
	if asked(text) {
		return true
	}
	busy := false
	for _, s := range sentences(text) {
		switch weigh(s) {
		case inWay:
			return true
		case bare:
			if !busy {
				return true
			}
		case atWork:
			busy = true
		}
	}
	return false
}

// asked reports whether a sentence ends in a question mark; one inside a word, as in
// an address, ends none.
func asked(text string) bool {
	if strings.Contains(text, "？") {
		return true
	}
	for i := range text {
		if text[i] == '?' && (i+1 == len(text) || strings.ContainsRune(" \n\"')*?!", rune(text[i+1])) || text[i+1] >= 0x80) {
			return true
		}
	}
	return false
}

// What a sentence says.
type weight int

const (
	nothing weight = iota // or that nothing is in the way
	atWork                // what somebody is up to, or how far they are
	bare                  // none of all that
	inWay                 // that something is in the way
)

func weigh(sentence string) weight {
	clauses := split(sentence)
	said := nothing
	for i := len(clauses) - 1; i >= 0; i-- {
		c := " " + strings.Join(strings.Fields(clauses[i]), " ") + " "
		if solved(c) || supposed(c) {
			return said // whatever stands before it is over
		}
		if well(c) {
			continue
		}
		intent := intends(c)
		beyond := c
		if intent {
			beyond = aside(c)
		}
		switch {
		case admits(beyond), has(beyond, inTheWayNow[:]), !intent && has(c, trouble[:]):
			return inWay
		case intent, has(c, progress[:]):
			said = max(said, atWork)
		case real(c):
			said = max(said, bare)
		}
	}
	return said
}

// aside is what a clause says beside the work that it begins with: who documents why a
// request is blocked is not. Who waits, or looks for what is wrong, tells of what is.
func aside(clause string) string {
	words := strings.FieldsFunc(clause, notWord)
	chinese := strings.TrimSpace(clause)
	for _, w := range [...]string{"目前", "现在", "正在", "接下来", "准备", "打算", "继续", "开始", "先", "在"} {
		chinese = strings.TrimPrefix(chinese, w)
	}
	begins := func(list []string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(words[0], w) || strings.HasPrefix(chinese, w) })
	}
	if !busyWith(words[0]) && !slices.ContainsFunc(doingChinese[:], func(w string) bool { return strings.HasPrefix(chinese, w) }) || begins(seeking[:]) {
		return clause
	}
	at := len(clause)
	for _, w := range [...]string{", ", ": ", " - ", " – ", " because ", " since ", " while ", "，", "：", "因为"} {
		if i := strings.Index(clause, w); i >= 0 {
			at = min(at, i+len(w)-1)
		}
	}
	return clause[at:] + " "
}

// seeking is the work of those who have found something wrong.
var seeking = [...]string{"wait", "await", "investigat", "debug", "diagnos", "troubleshoot", "chas", "hunt", "try", "look", "figur", "track", "check", "排查", "调试", "尝试", "等", "定位", "查"}

// split parts a sentence where it turns.
func split(sentence string) []string {
	for _, w := range [...]string{" but ", ", however ", "但是", "不过", "但"} {
		sentence = strings.ReplaceAll(sentence, w, "\x00")
	}
	return strings.Split(sentence, "\x00")
}

// well reports whether a clause says that nothing is in the way.
func well(clause string) bool {
	if has(clause, allWell[:]) {
		return true
	}
	_, after, no := strings.Cut(clause, "没有")
	return no && has(string([]rune(after)[:min(8, utf8.RuneCountInString(after))]), []string{"阻碍", "障碍", "问题", "困难", "阻塞", "疑问", "错误", "异常"})
}

// real reports whether a clause says anything: words that stand for nothing do not.
func real(clause string) bool {
	switch strings.Trim(strings.TrimSpace(clause), ".。,，!！-") {
	case "", "none", "nothing", "n/a", "no", "nope", "nah", "nil", "null", "ok", "无", "暂无", "没有", "没", "没啥", "没事":
		return false
	}
	return true
}

// progress are words for how far somebody is.
var progress = [...]string{
	" done", " complete", " finished", " pass ", " passes", " passed", " passing", " green", " follows", " follow ", " remaining", " the rest", " half", " so far", " fine", " good", " ok ", " okay", " works", " work well", " ready", " well ", " schedule", " converted", " landed", " merged", " committed",
	" started", " underway", " under way", " of the plan", " step ", " steps ", " part ", " parts ", " left to do", " progress", " quick", " smooth", " almost", " nearly", " mostly", " soon", " later", " afterwards", " today", " tomorrow",
	"完成", "通过", "继续", "正常", "顺利", "剩下", "剩余", "一半", "已经", "已提交", "已合并", "就绪", "进度", "进行", "按计划", "随后", "稍后", "之后", "马上", "差不多", "快好", "步", "接着",
}

// allWell are phrases that say that nothing is in the way.
var allWell = [...]string{
	"no problem", "no issue", "no known issue", "no blocker", "no obstacle", "no open question", "no question", "no error", "no failure", "no trouble", "nothing is block", "nothing block", "nothing is in the way", "nothing in the way",
	"nothing is wrong", "nothing wrong", "nothing is missing", "nothing missing", "without problem", "without issue", "without error", "without trouble", "all good", "all clear", "all is well", "none so far", "on track", "no longer ", "not blocked", "not stuck", "nothing fails", "never failed",
	"没有问题", "没问题", "无问题", "没有障碍", "无障碍", "没有阻碍", "无阻碍", "没有阻塞", "无阻塞", "没有遇到", "没遇到", "未遇到", "没有发现", "未发现", "暂无", "目前没有", "暂时没有", "一切正常", "进展顺利", "没有错误", "没有报错", "没有失败", "没有疑问", "没什么问题", "无异常", "没有异常", "顺利进行", "没有卡住", "不再",
}

// inTheWayNow are phrases that can mean nothing else.
var inTheWayNow = [...]string{
	" blocked ", " blocked:", " blocked.", " blocked,", " blocked by", " blocks us", " blocks me", " stuck ", " stuck,", " stuck:", " waiting for ", " waiting on ", " waits for ", " wait for the person", " wait for approval", " awaiting ",
	" fails ", " fails:", " fails,", " failed ", " failed:", " failed,", " is failing", " are failing", " keeps failing", " fail with", " fail on", " fail in", " fail when", " fail because", " tests fail ", " test fail ", " builds fail ", " unable to ", " could not ", " couldn't ",
	" no access", " have no permission", " no credential", " permission denied", " access denied", " need access", " needs access", " need help", " need permission", " needs permission", " need a decision", " needs a decision", " need input", " needs input", " need confirmation", " need approval", " needs approval",
	" unclear", " not clear", " not sure ", " unsure ", " undecided", " don't know", " do not know", " open question", " to be clarified", " is missing", " are missing", " missing:", " is broken", " are broken", " is wrong", " are wrong", " is down ", " is unreachable", " is unavailable",
	"失败了", "仍失败", "报错", "崩溃了", "卡死", "无法", "没法", "做不到", "找不到", "缺少", "缺失", "不通过", "没通过", "未通过", "不工作", "不生效", "不清楚", "不明确", "不确定", "待确认", "需要确认", "请确认", "需要澄清", "有疑问", "不知道", "待定", "需要决定", "需要决策", "等待", "被拒", "没有权限", "无权", "宕机", "被阻", "受阻", "卡住", "卡在", "阻塞", "要不要", "该不该", "是否应该",
}

// trouble are words for something in the way, or for what somebody works on.
var trouble = [...]string{
	" failure", " error", " crash", " hang", " broken", " breaks ", " bug", " wrong", " missing", " lacks ", " lacking ", " no token", " no key", " no public key", " no such ", " has no ", " have no ", " there is no ", " unauthorized", " forbidden", " not allowed", " refuse", " reject",
	" cannot ", " can't ", " can not ", " won't ", " doesn't ", " does not ", " don't ", " do not ", " isn't ", " is not ", " aren't ", " are not ", " didn't ", " did not ", " not available", " unavailable", " unreachable", " not found", " not installed", " not support", " unsupported", " undefined",
	" timeout", " times out", " timed out", " timing out", " flak", " race", " deadlock", " conflict", " incompatible", " mismatch", " regress", " leak", " too slow", " out of memory", " overflow", " corrupt", " segfault", " panic", " exception", " expired", " outage", " off by ",
	" obstacle", " blocker", " impediment", " problem", " issue ", " issue:", " trouble", " lost ", " disagree", " contradict", " ambiguous", " still open",
	"失败", "出错", "错误", "异常", "崩溃", "挂起", "超时", "不能", "缺乏", "没有", "尚无", "不足", "不支持", "不兼容", "不一致", "不可用", "不存在", "不稳定", "不对", "冲突", "死锁", "竞态", "泄漏", "溢出", "回归", "拒绝", "权限不", "拦截", "过期", "阻碍", "障碍", "有问题", "问题是", "问题：", "故障", "缺陷", "太慢", "损坏", "丢失", "矛盾", "歧义", "依赖对方",
}

// intends reports whether a clause says what is being done, or is done next.
func intends(clause string) bool {
	words := strings.FieldsFunc(clause, notWord)
	if len(words) == 0 {
		return false
	}
	return busyWith(words[0]) || has(clause, []string{
		" will ", " let me ", " let's ", "i'll ", "we'll ", " going to ", " about to ", " plan to ", " next i", " next we", " next step", " then i", " working on ", " in progress", " intend to ", " try to ", " want to ", " up to ",
		"正在", "接下来", "准备", "打算", "计划", "下一步", "即将", "继续", "着手", "开始", "目前在", "现在在", "将要", "会先", "先把", "进行中",
	}) || slices.ContainsFunc(doingChinese[:], func(w string) bool { return strings.HasPrefix(strings.TrimSpace(clause), w) })
}

func notWord(r rune) bool { return strings.ContainsRune(" -*•:,#0123456789.", r) }

// busyWith reports whether a clause that begins with a word says what somebody does.
func busyWith(first string) bool {
	gerund := strings.HasSuffix(first, "ing") && len(first) > 4 && !slices.Contains(state[:], first)
	return gerund || slices.Contains(doing[:], first)
}

// state are words that end as those for work do, and are for how things are.
var state = [...]string{"something", "anything", "nothing", "everything", "missing", "pending", "blocking", "string", "thing", "failing", "hanging", "crashing", "lacking", "leaking", "needing", "depending", "conflicting", "flaking"}

// doing are the words that begin such a clause.
var doing = [...]string{
	"next", "now", "then", "first", "plan", "todo", "intent", "intention", "add", "build", "change", "check", "clean", "compare", "complete", "continue", "convert", "cover", "create", "debug", "define", "delete", "design", "document", "draft", "ensure", "extend", "extract",
	"finish", "fix", "handle", "implement", "improve", "inspect", "integrate", "investigate", "keep", "look", "make", "measure", "migrate", "move", "parse", "prepare", "profile", "prove", "read", "refactor", "reject", "remove", "rename", "replace", "report", "reproduce", "retry",
	"return", "review", "rewrite", "run", "search", "simplify", "split", "start", "start:", "support", "test", "trace", "try", "tune", "update", "use", "validate", "verify", "wire", "write",
}

var doingChinese = [...]string{"把", "给", "实现", "处理", "修复", "添加", "增加", "编写", "完善", "补充", "重构", "检查", "排查", "调试", "整理", "迁移", "删除", "更新", "优化", "设计", "阅读", "运行", "接入", "拆分", "改造", "将", "先", "再", "在写", "在做", "在改", "在读", "在测", "在修", "在整理", "在拆", "在补"}

func has(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(text, p) })
}
