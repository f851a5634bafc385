package period

import (
	"slices"
	"strings"
)

// What is called from today (next month, the end of the week), or comes back (Friday, the 25th, 31 March),
// ends a fact that is told of now. In a rule it is another one each time, and ends nothing: leftover
// quota is valid until the end of next month, and is so again the month after.

// recurs reports whether a bound is such a one, in the words of a rule.
func recurs(words []string, s span) bool {
	if s.tells() && !s.relative {
		return false
	}
	for k, w := range words {
		next := ""
		if k+1 < len(words) {
			next = " " + words[k+1] + " "
		}
		switch {
		case among(ofRules, " "+w+" "), s.relative && among(ofRelativeRules, " "+w+" "):
			return true
		case among(moving, " "+w+" ") && among(" over forward ", next):
			return true
		case s.relative && among(" a each any every one ", " "+w+" ") && among(" week month quarter year day sprint ", strings.Replace(next, "s ", " ", 1)):
			return true // what a month has
		case w == "by" && next == " default ", w == "in" && next == " general ", w == "as" && next == " a " && any(words[k+2:min(k+3, len(words))], "rule"):
			return true
		}
	}
	return s.relative && (twice(words) || leaves(words))
}

// leaves reports whether words are about what is not done with something: what was not used, unread
// messages.
func leaves(words []string) bool {
	if un, is := strings.CutPrefix(words[0], "un"); is && any(words[:1], "unread", "unsent", "unspent", "unsold") || is && len(un) > 3 && strings.HasSuffix(un, "ed") {
		return true
	}
	return any(words, "that", "which", "what") && any(words, "not", "never", "isn", "aren", "wasn", "weren", "doesn", "don", "nobody")
}

// Words of what is done each time, and of what it is done with; and those that beside another bound may
// be of one time.
const (
	ofRules         = " leftover leftovers unused unspent unclaimed rollover usually generally normally typically commonly ordinarily mostly often sometimes whenever monthly weekly quarterly yearly annually "
	ofRelativeRules = " each every any if when overdue excess surplus remaining unpaid unsold unfinished unsent unresolved uncollected expired whoever whatever "
	moving          = " roll rolls rolled rolling carry carries carried move moves moved push pushes pushed "
)

// twice reports whether words name one such time after another: what is not used this month, until the
// end of the next one.
func twice(words []string) bool {
	n := map[string]int{}
	for _, w := range words {
		if w = strings.TrimSuffix(w, "s"); among(" week month quarter year ", " "+w+" ") {
			n[w]++
		}
	}
	for _, times := range n {
		if times > 1 {
			return true
		}
	}
	return false
}

// usable reports whether words say how long something may be used or kept: 可以攒到.
func usable(words string) bool {
	for {
		_, rest, may := strings.Cut(words, "可")
		if !may {
			return false
		}
		near := []rune(rest)
		near = near[:min(5, len(near))]
		if i := slices.IndexFunc(near, func(c rune) bool { return c == '到' || c == '至' }); i > 0 && !slices.ContainsFunc(near[:i], part) {
			return true
		}
		words = rest
	}
}

// comesEachTime is [recurs] for Chinese.
func comesEachTime(words string, s span) bool {
	switch {
	case s.tells() && !s.relative:
		return false
	case containsAny(words, "一般", "通常", "默认", "往往", "总是", "经常", "常常", "平时", "照例", "惯例", "原则上", "凡是", "没用完", "未用完", "用不完", "没有用完", "未使用", "余额", "余量", "可以留到", "可留到", "可以存到", "没花完", "未花完", "结余", "多余", "超出", "超额", "超限", "逾期", "结转", "滚存", "顺延", "累积到", "累计到",
		"之后的", "以后的", "算到", "计到", "计入", "算入", "算在", "记到", "记入", "归到", "归入", "并到", "并入", "拖到", "转到", "挪到"):
		return true
	case !s.relative:
		return false
	}
	return usable(words) || containsAny(words, "每", "剩余", "剩下", "未付", "未结", "未完成", "没完成", "没做完", "如果", "当天的", "当周的", "当月的", "的话") ||
		containsAny(words, "本月", "当月") && containsAny(words, "下个月", "下月") || containsAny(words, "本周", "当周") && strings.Contains(words, "下周")
}
