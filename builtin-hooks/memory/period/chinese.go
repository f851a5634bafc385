package period

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// chinese reads what a text says in Chinese: the day stands after a word such as 直到 or 从, or
// before one such as 之前 or 起.
func (r *reader) chinese(text string) {
	if !strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Han, c) }) {
		return
	}
	t, at := compact(text)
	for i := 0; i < len(t); {
		was, ends := r.Period, r.ends
		next := max(r.at(t, i), i+1)
		if !r.Until.Equal(was.Until) && !boundsAll(t, i, next) {
			r.Period = was
			r.unclear(string(t[i:min(next, len(t))]))
		}
		switch {
		case r.ends > ends:
			r.unclear(string(t[i:min(next, len(t))]))
		case !r.Until.Equal(was.Until) || !r.Since.Equal(was.Since):
			r.when = append(r.when, [2]int{at[i], at[min(next, len(t))]})
		}
		i = next
	}
}

// compact are the characters of a text without the spaces that some put beside numbers, with full
// forms of digits as the usual ones; and where in the text each begins, and the last one ends.
func compact(text string) (out []rune, at []int) {
	space := false
	for i, c := range text {
		c = unicode.ToLower(c)
		if c >= '０' && c <= '９' {
			c -= '０' - '0'
		}
		if c == ' ' || c == '\u3000' {
			space = true
			continue
		}
		if space && digit(c) && len(out) > 0 && digit(out[len(out)-1]) { // 14 2027年
			out, at = append(out, ' '), append(at, i)
		}
		out, at, space = append(out, c), append(at, i), false
	}
	return out, append(at, len(text))
}

// has is the length of the first of some words that stands at a place, 0 if none does.
func has(t []rune, i int, words ...string) int {
	for _, w := range words {
		if n := len([]rune(w)); i >= 0 && i+n <= len(t) && string(t[i:i+n]) == w {
			return n
		}
	}
	return 0
}

// after reports whether one of some words stands right before a place.
func after(t []rune, i int, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return has(t, i-len([]rune(w)), w) > 0 })
}

// clause is the part of the text around a place, between full stops.
func clause(t []rune, i int) string {
	stop := func(c rune) bool { return strings.ContainsRune("。；！？;!?\n", c) }
	from, to := i, i
	for from > 0 && !stop(t[from-1]) {
		from--
	}
	for to < len(t) && !stop(t[to]) {
		to++
	}
	return string(t[from:to])
}

// comesBack reports whether words are about what comes back: with a weekday or a day of any month
// every week or month, with another day every year. gone reports whether they are about what was.
func comesBack(words string, s span) bool {
	if s.weekday || s.monthly {
		return containsAny(strings.ReplaceAll(words, "按月结", ""), "每周", "每年", "年年", "每个", "每逢", "每月", "每星期", "月结", "周报", "月报", "日报", "季报", "通常", "一般", "定期")
	}
	return containsAny(words, "每年", "每逢", "每到", "年年", "通常", "一般", "定期", "财年", "学年", "财政年度")
}

func gone(words string) bool {
	return containsAny(words, "曾", "过去", "原来", "当时", "那时", "去年", "上周", "上个月", "之前一直", "以前一直")
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// at reads what begins at a place of the text, and returns where that ends.
func (r *reader) at(t []rune, i int) int {
	if n := has(t, i, "有效期一直到", "有效期至", "有效期到", "有效至", "有效到", "一直到", "直到", "直至", "截止到", "截止至", "截止日期为", "截止日期是", "截止日期", "截止", "到期日是", "到期日为", "到期日", "延长到", "延长至", "持续到", "持续至", "到", "至"); n > 0 {
		from := i + n
		if has(t, from, "：", ":") > 0 {
			from++
		}
		return r.lastAfter(t, i, from, n > 1)
	}
	if n := has(t, i, "截至"); n > 0 {
		if s, next, ok := r.chineseDay(t, i+n); ok && s.in == nil && !s.weekday && !s.bad && has(t, i+n, "今", "本", "昨") == 0 {
			r.until(s.end)
			return next
		}
		return i + n
	}
	if n := has(t, i, "自从", "从", "自"); n > 0 {
		if next := r.firstAfter(t, i, i+n); next > 0 {
			return next
		}
		return i + n
	}
	if n := has(t, i, "本周", "这周", "本月", "这个月", "今天", "今年", "本季度"); n > 0 {
		if m := has(t, i+n, "剩下的时间", "剩余的时间", "剩下时间", "剩余时间", "余下的时间", "余下时间", "剩下的日子", "剩下几天", "剩余几天", "剩下的几天", "余下的几天", "接下来几天", "接下来的几天", "后几天"); m > 0 && !gone(clause(t, i)) && !strings.Contains(clause(t, i), "了") {
			r.until(r.thisOne(t[i+n-1]).end)
			return i + n + m
		}
	}
	if n := has(t, i, "未来", "接下来", "今后", "往后"); n > 0 {
		return r.fromNowOn(t, i+n)
	}
	if i > 0 && (digit(t[i]) && digit(t[i-1]) || numeral(t[i]) >= 0 && numeral(t[i-1]) >= 0) {
		return i + 1
	}
	r.inPresent(t, i)
	if s, next, ok := r.chineseDay(t, i); ok {
		return r.bounded(t, i, next, s)
	}
	if n := has(t, i, "春节", "中秋节", "中秋", "端午", "清明", "国庆节", "国庆", "五一", "十一", "双十一", "暑假", "寒假", "年中", "月中", "周末", "上旬", "中旬", "下旬", "学期末", "学期"); n > 0 {
		if m := has(t, i+n, "之前", "以前", "前", "为止", "起", "开始"); m > 0 && !comesBack(clause(t, i), span{}) && !strings.Contains(clause(t, i), "了") && (m > 1 || has(t, i+n, "前") == 0 || !counted(t, i+n+m)) {
			r.unclear(string(t[i : i+n+m]))
			return i + n + m
		}
	}
	return i + 1
}

// lastAfter reads the last day after a word such as 直到. The shortest, 到 and 至, say of many
// things what they come to.
func (r *reader) lastAfter(t []rune, i, from int, clear bool) int {
	words := clause(t, i)
	if n := has(t, from, "目前", "现在", "今天", "今日", "此", "那时", "当时"); n > 0 {
		return from + n + has(t, from+n, "为止")
	}
	s, next, ok := r.chineseDay(t, from)
	switch {
	case !ok:
		if n := has(t, from, "春节", "中秋", "端午", "清明", "国庆", "五一", "十一", "双十一", "暑假", "寒假", "年中", "月中", "周末", "下周末", "学期", "下个版本", "下个季度", "新版本", "上线"); n > 0 && clear {
			r.unclear(string(t[i : from+n]))
		}
		return from
	case !clear && !after(t, i, "租约", "合约", "契约") && after(t, i, "推迟", "改", "提前", "调整", "挪", "移", "定", "约", "延期", "延后", "顺延", "推", "升级", "更新", "安排", "排", "回滚", "降", "涨", "增", "加", "迁移", "切换", "换", "调", "聊", "滚", "等", "从", "算", "计", "记", "归", "并", "转", "拖", "摊", "入"):
		return next
	case s.bad:
		if clear || has(t, next, "为止") > 0 {
			r.unclear(string(t[i:next]))
		}
	case keptUntil(words, string(t[from:next])), comesEachTime(words, s):
		r.unclear(string(t[i:next]))
	case r.recent(s) && wentOn(words):
	case s.tells() || !comesBack(words, s) && !gone(words):
		r.until(r.next(s).end)
	}
	return next + has(t, next, "为止")
}

// firstAfter reads the first day after 从 or 自, and the last one if that follows; 0 if it is none.
func (r *reader) firstAfter(t []rune, i, from int) int {
	words := clause(t, i)
	s, next, ok := r.chineseDay(t, from)
	if !ok {
		return 0
	}
	if end := r.weekly(t, next); s.weekday && end > 0 {
		return end
	}
	if n := has(t, next, "一直到", "到", "至", "—", "–", "-", "~", "～"); n > 0 {
		last, end, ok := r.chineseDay(t, next+n)
		if !ok && has(t, next+n, "今", "现在", "目前") > 0 {
			return next
		}
		if !ok { // 从12月10日到20日
			last, end, ok = r.inSameMonth(t, next+n, s)
		}
		if ok {
			if s.weekday && last.weekday {
				return end // every week
			}
			r.fromOneTo(s, last, words, string(t[i:end]))
			return end
		}
	}
	for k := next + 1; k < min(next+6, len(t)); k++ { // 从12月10日休假到20日
		n := has(t, k, "到", "至")
		if n == 0 || s.weekday || s.bad || s.month || strings.ContainsAny(string(t[next:k]), "，,。；") {
			continue
		}
		last, end, ok := r.chineseDay(t, k+n)
		if !ok {
			last, end, ok = r.inSameMonth(t, k+n, s)
		}
		if ok && !last.bad {
			r.fromOneTo(s, last, words, string(t[i:end]))
			return end
		}
	}
	n := 0
	if !risen(t, next+1) {
		n = has(t, next, "起")
	}
	n = max(n, has(t, next, "开始", "始", "以后", "之后", "以来", "，", ","))
	switch {
	case s.bad && n > 0:
		r.unclear(string(t[i:next]))
	case s.bad:
	case has(t, next, "以来") > 0 || after(t, from, "自从"):
		r.since(r.last(s).start)
	case s.tells() && (n > 0 || has(t, next, "的") == 0):
		r.since(s.start)
	case n > 0 && !comesBack(words, s) && !gone(words) && !(s.monthly && comesEachTime(words, s)):
		r.since(r.next(s).start)
	}
	return next + n
}

// fromOneTo takes the period from one day to another, which some words of a clause name.
func (r *reader) fromOneTo(from, to span, words, named string) {
	back := comesBack(words, from) || gone(words)
	season := !back && from.yearless() && to.yearless() && strings.Contains(words, "适用") // perhaps each year
	if r.between(from, to, back || season) || season {
		r.unclear(named)
	}
}

// inSameMonth is the last day of a range that says its month with the first one alone.
func (r *reader) inSameMonth(t []rune, i int, s span) (last span, end int, ok bool) {
	day, end := chineseNumber(t, i)
	if day == 0 || has(t, end, "日", "号") == 0 || s.month || s.weekday || s.bad {
		return last, i, false
	}
	last, ok = r.sameMonth(s, day)
	return last, end + 1, ok
}

// counted reports whether what follows 前 says how much before: 前两周, 前后.
func counted(t []rune, i int) bool {
	return i < len(t) && (digit(t[i]) || numeral(t[i]) > 0 || has(t, i, "两", "十", "几", "后", "半") > 0)
}

// bounded reads what follows a day: 之前, 起.
func (r *reader) bounded(t []rune, i, next int, s span) int {
	if end := r.weekly(t, next); s.weekday && end > 0 {
		return end
	}
	words := clause(t, i)
	weak := !s.tells() && (comesBack(words, s) || gone(words))
	each := comesEachTime(words, s)
	if n := has(t, next, "之前的", "以前的", "之后的", "以后的"); n > 0 && !s.tells() {
		return next + n // which of them are spoken of
	}
	n := has(t, next, "之前", "以前", "为止", "截止", "到期", "失效", "结束", "过期", "前", "止")
	if n == 1 && has(t, next, "前") > 0 && counted(t, next+1) {
		return next + 1 // 春节前两周
	}
	if n == 1 && has(t, next, "前") > 0 && has(t, next+1, "端", "面", "后", "景", "缀", "置", "往", "台", "途", "任", "提", "的") > 0 {
		n = 0
	}
	if n > 0 {
		before := has(t, next, "之前", "以前", "前") > 0
		switch {
		case s.bad:
			r.unclear(string(t[i : next+n]))
		case weak, each, r.recent(s) && wentOn(words), before && deadline(t, next+n):
		case before && (s.month || r.next(s).end.Sub(r.next(s).start) > 25*time.Hour): // not in that month any more
			r.until(r.next(s).start)
		default: // whoever says 周五之前 includes that day
			r.until(r.next(s).end)
		}
		return next + n
	}
	if n = has(t, next, "内"); n > 0 && !weak && !each && s.in == nil && !s.bad && s.end.Sub(s.start) > 25*time.Hour && !after(t, next, "内", "上") {
		r.until(s.end)
		return next + n
	}
	if n = has(t, next, "后"); n > 0 && (s.weekday || has(t, next+1, "勤", "台", "端", "续", "面", "天", "来", "果") > 0) {
		return next
	}
	if n = has(t, next, "起", "开始", "以后", "之后", "后", "正式生效", "生效"); n > 0 && !risen(t, next+n) {
		switch {
		case s.bad:
			r.unclear(string(t[i : next+n]))
		case s.weekday && has(t, next, "起") == 0: // 周一开始
		case !weak && !(each && s.monthly):
			r.since(r.next(s).start)
		}
		return next + n
	}
	if n = has(t, next, "至", "到", "—", "–", "-", "~", "～"); n > 0 {
		last, end, ok := r.chineseDay(t, next+n)
		if !ok {
			last, end, ok = r.inSameMonth(t, next+n, s)
		}
		if ok {
			if s.weekday && last.weekday || s.bad || last.bad {
				return end
			}
			r.fromOneTo(s, last, words, string(t[i:end]))
			return end
		}
	}
	return next
}

// fromNowOn reads how long something holds from now on: 未来两周.
func (r *reader) fromNowOn(t []rune, i int) int {
	i += has(t, i, "的")
	n, at := chineseNumber(t, i)
	if has(t, i, "两") > 0 {
		n, at = 2, i+1
	}
	at += has(t, at, "个")
	switch {
	case n == 0 || gone(clause(t, i)):
		return i
	case has(t, at, "天", "日") > 0:
		r.until(r.today.AddDate(0, 0, n+1))
	case has(t, at, "周", "星期", "礼拜") > 0:
		r.until(r.today.AddDate(0, 0, 7*n+1))
	case has(t, at, "月") > 0:
		r.until(r.today.AddDate(0, n, 1))
	case has(t, at, "年") > 0:
		r.until(r.today.AddDate(n, 0, 1))
	}
	return at
}
