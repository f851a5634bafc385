package hooks

import (
	"strings"
	"unicode/utf8"
)

// settlesChinese is settles for Chinese, clause by clause: who decides stands before the verb,
// and is mostly left out.
func (r reader) settlesChinese(sentence string) bool {
	if !r.chinese || !containsAny(sentence, r.agreed...) && !containsAny(sentence, r.verbs...) && !containsAny(sentence, r.topics...) && !containsAny(sentence, "用", "走", "和", "与", "跟") {
		return false
	}
	chose := false
	for clause := range strings.SplitSeq(r.closed(sentence), "，") {
		if r.agreedChinese(clause) || r.choseChinese(clause) || chose && containsAny(prefix(clause, 3), "不落", "不用", "不走", "不存", "不放", "不做", "不上", "不直接", "不再", "不引入") {
			return true
		}
		before, _, ok := strings.Cut(clause, "走")
		if !ok {
			before, _, ok = strings.Cut(clause, "用")
		}
		chose = ok && !containsAny(clause, "可以", "不用") && decider(before) != things // what is not chosen may follow
	}
	return false
}

func han(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

// closed are the clauses of a Chinese sentence that settle something if any does: neither open
// ones nor those that depend on another.
func (r reader) closed(sentence string) string {
	if !r.chinese || !strings.ContainsFunc(sentence, han) {
		return ""
	}
	var kept []string
	for clause := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return r == '，' || r == ',' || r == '：' || r == ':' || r == '—' }) {
		clause = strings.Trim(clause, " *_")
		if conditional(clause) {
			break
		}
		if !r.openChinese(clause) {
			kept = append(kept, clause)
		}
	}
	return strings.Join(kept, "，")
}

// conditional reports a clause on which those that follow depend.
func conditional(clause string) bool {
	for _, p := range [...]string{"如果", "假如", "假设", "要是", "倘若", "除非", "一旦", "万一", "若是"} {
		if strings.Contains(clause, p) {
			return true
		}
	}
	return strings.HasPrefix(clause, "若") && !strings.HasPrefix(clause, "若干") || strings.HasPrefix(clause, "当") && strings.HasSuffix(clause, "时")
}

// closings settle nothing: not yet, somebody else's choice, a question within a statement, a
// possibility, or what others did.
var closings = [...]string{"尚未", "还没", "还未", "没有决定", "没决定", "未决定", "没定", "未定", "没有定", "没有选", "没有确定", "未确定", "待定", "待决", "有待", "再议", "再定", "再决定", "再商量", "以后再", "由你", "由您", "由用户", "你来", "您来", "你定", "您定", "你决定", "您决定", "看你", "看您", "取决于",
	"是否", "要不要", "哪个", "哪种", "哪一", "哪些", "哪家", "何时", "怎么", "如何", "什么", "多少", "可能", "也许", "或许", "建议", "不妨", "倾向", "推荐", "据说", "当年", "曾经", "他们", "官方", "作者", "社区", "上游", "历史上", "难以", "无法", "需要决定", "要决定", "来决定", "才能", "帮助", "帮你"}

// openChinese reports a clause that settles nothing.
func (r reader) openChinese(clause string) bool {
	if containsAny(clause, r.closes...) {
		return true
	}
	if before, after, ok := strings.Cut(clause, "还是"); ok && after != "" {
		return strings.Contains(before, "用") || strings.Contains(before, "选") || strings.Contains(before, "走") // 用 A 还是 B
	}
	return false
}

// agreements say by themselves that something holds, whoever says so.
var agreements = [...]string{"敲定", "商定", "拍板", "说好了", "谈妥", "定案", "达成一致", "达成共识", "一致同意", "一致决定", "约定好", "我们约定", "今后", "从现在起", "从现在开始", "从今天起", "从今以后", "以后都", "以后一律", "就定", "就这么定", "定下来", "统一使用", "统一用", "统一为", "统一成", "统一采用", "我会记住", "最终选", "最终采用", "最终定", "最后选", "最后定", "最终还是用", "最后还是用", "确定用", "确定采用", "确定使用", "确定选", "方案确定", "方案定", "选型定", "确定为", "已定为", "还是用", "不再使用", "不再用", "不再支持", "不再依赖", "不再引入", "不再兼容", "不再维护", "不再提供", "不再接受", "不再允许", "不再单独", "往后", "之后都", "之后所有", "以后所有", "版本起", "下周起", "下月起", "明天起", "暂定", "定了用", "定了走", "定了选", "投票选", "投票决定", "投票通过", "统一放", "统一走", "统一按", "统一由", "统一存", "统一写", "就按", "就走", "签字同意", "而是用了", "而是采用", "而是选", "而是改", "这一版不", "这版不", "本期不", "一期不", "首期不", "首版不", "第一版不", "评审通过", "讨论结果", "会议结论", "按照你的决定", "按照您的决定", "按你的决定", "按您的决定", "根据你的决定", "根据您的决定", "按你的选择", "按您的选择", "按照你的选择", "按照您的选择", "根据你的选择", "根据您的选择", "我们走方案", "最终走方案", "决定走方案", "就走方案"}

func (r reader) agreedChinese(clause string) bool {
	for _, p := range r.agreed {
		before, after, ok := strings.Cut(clause, p)
		if ok && !strings.HasSuffix(before, "未") && !strings.HasSuffix(before, "没有") && !strings.HasSuffix(before, "不") && !automatic(before) && (p != "确定为" || after != "") {
			return true
		}
	}
	for _, p := range [...]string{"和", "与", "跟"} { // with whom
		if before, with, ok := strings.Cut(clause, p); ok && utf8.RuneCountInString(before) < 4 && containsAny(with, "确认", "商量", "约定", "商定", "谈好", "说定", "议定", "说好") {
			return true
		}
	}
	return false
}

// Verbs of choosing, dropping or changing: verbs with a subject that decides, and topicVerbs,
// before which what is decided about may stand as well: 缓存改用 SQLite.
var (
	verbs      = [...]string{"决定", "选择了", "选定", "选用", "选了", "采用", "否决", "排除了", "敲定", "约定", "放弃", "弃用", "舍弃", "砍掉", "不采用", "不考虑", "保留", "坚持用", "继续用", "选择用", "选择使用", "选择不", "选择走", "批准", "同意用", "同意采用", "不打算"}
	topicVerbs = [...]string{"改用", "换成", "换用", "改成用", "改为使用", "切换到", "切到", "迁移到", "迁到", "定为", "定在", "沿用", "替换为", "换掉", "改为", "放弃支持", "放弃使用", "放弃维护", "先不做", "先不上", "先不加", "先不引入", "暂不引入", "暂不做", "暂不考虑", "不做了", "不上了", "不引入", "不上", "不走", "不接入"}
)

func (r reader) choseChinese(clause string) bool {
	for _, verb := range r.verbs {
		if chose(clause, verb, false) {
			return true
		}
	}
	for _, verb := range r.topics {
		if chose(clause, verb, true) {
			return true
		}
	}
	// 用 A 而不是 B, 用 A 不用 B
	before, after, ok := strings.Cut(clause, "用")
	return ok && containsAny(after, "而不是", "而非", "不用") && decider(before) == people
}

// chose reports a verb with whoever may decide before it.
func chose(clause, verb string, topical bool) bool {
	before, after, ok := strings.Cut(clause, verb)
	if last := strings.HasPrefix(verb, "先不") || strings.HasPrefix(verb, "暂不") || strings.HasPrefix(verb, "不"); !ok || after == "" && !last || after == "了" && !last || strings.HasPrefix(after, "的") || strings.HasPrefix(after, "于") || strings.HasPrefix(after, "权") || strings.HasPrefix(after, "因素") {
		return false
	}
	if verb == "决定" && (strings.HasSuffix(before, "这个") || strings.HasSuffix(before, "这一") || strings.HasSuffix(before, "该") || strings.Contains(after, "还是")) {
		return false
	}
	if verb == "保留" && !strings.Contains(after, "不") && !strings.Contains(clause, "我们") && !strings.Contains(before, "最终") && !strings.Contains(before, "还是") {
		return false // what was kept as it is
	}
	if verb == "排除了" && containsAny(after, "问题", "原因", "可能", "故障", "影响", "干扰", "错误") || verb == "改为" && !containsAny(before, "从", "由") {
		return false
	}
	if topical && (containsAny(after, "分支", "目录", "页面", "下划线", "空格") || containsAny(before, "把", "将") && !containsAny(clause, "我们", "统一", "全部")) {
		return false // a step of the work
	}
	whose := decider(before)
	return whose == people || whose == topic && topical
}

// Who stands before a verb: somebody who may decide, or nobody named; what is decided about; or
// a thing that does something by itself.
const (
	things = iota
	topic
	people
)

// decider is who stands before a verb of a clause.
func decider(before string) int {
	before = strings.TrimSpace(before)
	for trimmed := true; trimmed; {
		trimmed = false
		for _, p := range [...]string{"最终", "最后", "已经", "已", "因此", "所以", "于是", "今天", "昨天", "刚刚", "刚", "现在", "目前", "这次", "本次", "暂时", "先", "也", "都", "正式", "共同", "一起", "还是", "将", "会上", "讨论后", "商量后", "权衡后", "评审后", "之后", "权衡", "评估", "对比", "调研", "讨论", "经过讨论", "经讨论", "一致", "明确", "直接", "全部", "统一", "改", "彻底", "并", "而", "但", "故", "综合考虑", "要", "就", "不", "即", "那", "好"} {
			if rest, ok := strings.CutSuffix(before, p); ok {
				before, trimmed = strings.TrimSpace(rest), true
			}
		}
	}
	if before == "" {
		return people
	}
	for _, p := range [...]string{"我", "我们", "咱们", "咱", "大家", "双方", "团队", "小组", "组里", "会议", "客户", "产品", "老板", "领导", "经理", "架构师", "甲方", "业务方", "运维", "法务", "财务", "测试组", "后端组", "前端组", "公司", "部门", "委员会", "同事", "负责人"} {
		if strings.HasSuffix(before, p) && !strings.HasSuffix(before, "自我") {
			return people
		}
	}
	for _, p := range [...]string{"根据", "基于", "鉴于", "考虑到", "经过", "为了", "因为", "由于", "出于"} {
		if strings.HasPrefix(before, p) && utf8.RuneCountInString(before) > 4 && !strings.ContainsAny(before, "值码量小") {
			return people // 根据压测结果决定采用 …
		}
	}
	if automatic(before) {
		return things
	}
	return topic
}

// automatic reports the words before a verb that name a thing which does it by itself, or a
// time at which it does.
func automatic(before string) bool {
	for _, p := range [...]string{"该", "自动", "默认", "失败", "超时", "否则", "每次", "时候", "之后会", "内部", "运行时", "有时", "可以", "能够", "没有", "未", "别人", "对方", "同时"} {
		if strings.Contains(before, p) {
			return true
		}
	}
	for _, p := range [...]string{"器", "函数", "方法", "程序", "系统", "脚本", "参数", "算法", "进程", "线程", "插件", "客户端", "服务端", "代码", "变量", "它", "这里", "此处", "会", "时", "后", "则", "用户", "循环"} {
		if strings.HasSuffix(strings.TrimRight(before, "就会将也可 "), p) {
			return true
		}
	}
	return false
}

// prefix are the first n characters of a text.
func prefix(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// suffix are the last n characters of a text.
func suffix(s string, n int) string {
	runes := []rune(s)
	return string(runes[max(0, len(runes)-n):])
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
