package period

import (
	"slices"
	"time"
)

func digit(c rune) bool { return c >= '0' && c <= '9' }

// numeral is the value of a Chinese numeral below ten, -1 if it is none.
func numeral(c rune) int {
	if c == '零' {
		return 0
	}
	return slices.Index([]rune("〇一二三四五六七八九"), c)
}

// chineseNumber is a number below a hundred at a place, in digits or in characters, and where it
// ends; 0 if there is none.
func chineseNumber(t []rune, i int) (n, next int) {
	next = i
	for next < len(t) && digit(t[next]) && next < i+3 {
		n = 10*n + int(t[next]-'0')
		next++
	}
	if next > i {
		return n, next
	}
	if next < len(t) && numeral(t[next]) > 0 {
		n = numeral(t[next])
		next++
	}
	if next < len(t) && t[next] == '十' {
		n = max(n, 1) * 10
		next++
		if next < len(t) && numeral(t[next]) > 0 {
			n += numeral(t[next])
			next++
		}
	} else if next < len(t) && t[next] == '廿' {
		return 0, i
	}
	return n, next
}

// chineseYear is a year of four digits, in either form, or one as it is called from this one.
func (r *reader) chineseYear(t []rune, i int) (year, next int) {
	for n, word := range []string{"今年", "明年", "后年"} {
		if has(t, i, word) > 0 {
			return r.today.Year() + n, i + 2
		}
	}
	if has(t, i, "本年") > 0 {
		return r.today.Year(), i + 2
	}
	if has(t, i, "去年") > 0 {
		return r.today.Year() - 1, i + 2
	}
	if i+5 > len(t) || t[i+4] != '年' {
		return 0, i
	}
	for _, c := range t[i : i+4] {
		n := numeral(c)
		if digit(c) {
			n = int(c - '0')
		}
		if n < 0 {
			return 0, i
		}
		year = 10*year + n
	}
	if year < firstYear || year > lastYear {
		return 0, i
	}
	return year, i + 5
}

// chineseDay is the day, the month or the year that a text names at a place, and where it ends.
func (r *reader) chineseDay(t []rune, i int) (s span, next int, ok bool) {
	if i >= len(t) {
		return s, i, false
	}
	for n, word := range []string{"今天", "明天", "后天", "大后天", "今日", "明日", "后日"} {
		if k := has(t, i, word); k > 0 {
			return r.dayFromNow([]int{0, 1, 2, 3, 0, 1, 2}[n]), i + k, true
		}
	}
	if n := has(t, i, "今晚"); n > 0 {
		return r.dayFromNow(0), i + n, true
	}
	if s, next, ok = r.chineseWeek(t, i); ok {
		return s, next, true
	}
	if s, next, ok = r.chineseMonth(t, i); ok {
		return s, next, true
	}
	year, at := r.chineseYear(t, i)
	if month, end := chineseNumber(t, at); month >= 1 && month <= 12 && has(t, end, "月") > 0 {
		return r.inMonth(t, end+1, year, month)
	}
	if n := has(t, at, "元旦"); n > 0 {
		return r.of(year, 1, 1, at+n)
	}
	if n := has(t, at, "圣诞节", "圣诞"); n > 0 {
		return r.of(year, 12, 25, at+n)
	}
	if n := has(t, at, "年底", "年末", "底"); n > 0 && year > 0 {
		return lastDay(r.yearOf(year)), at + n, true
	}
	if n := has(t, at, "年底", "年末"); n > 0 && !after(t, at, "每", "年", "当", "次", "隔", "同", "该") {
		s = lastDay(r.yearOf(r.today.Year()))
		s.monthly = true
		return s, at + n, true
	}
	if s, next, ok = r.partOfYear(t, at, year); ok {
		return s, next, true
	}
	if year > 0 && has(t, at, "初", "中", "的", "度", "第", "上", "下", "春", "夏", "秋", "冬", "q") == 0 {
		return r.yearOf(year), at, true
	}
	if day, end := chineseNumber(t, i); day > 0 && day <= 31 && has(t, end, "号") > 0 && has(t, end+1, "线", "楼", "机", "店", "门", "院", "桌", "库", "厅", "位", "车", "仓", "码", "房", "服", "节", "柜", "塔", "泵") == 0 {
		s, ok = r.eachMonth(day)
		return s, end + 1, ok
	}
	return r.chineseNumeric(t, i)
}

// partOfYear is a quarter or a half of a year, or the end of one: 第一季度末, 明年上半年.
func (r *reader) partOfYear(t []rune, i, year int) (s span, next int, ok bool) {
	at := i + has(t, i, "第")
	months, n := 3, 0
	if k := has(t, at, "上半年", "下半年"); k > 0 {
		if months, n = 6, 1; t[at] == '下' {
			n = 2
		}
		at += k
	} else if n, at = chineseNumber(t, at); n >= 1 && n <= 4 && has(t, at, "季度") > 0 {
		at += 2
	} else {
		return s, i, false
	}
	in := func(year int) (time.Time, time.Time) {
		start := r.monthOf(year, months*(n-1)+1).start
		return start, start.AddDate(0, months, 0)
	}
	if s.in = in; year > 0 {
		s.start, s.end = in(year)
		s.in = nil
	}
	if k := has(t, at, "末", "底", "结束"); k > 0 {
		return s.edge(false), at + k, true
	}
	return s, at, true
}

// thisOne is the day, the week, the month, the quarter or the year that is now, by the character for it.
func (r *reader) thisOne(of rune) span {
	switch of {
	case '周':
		return r.weekFromNow(0)
	case '月':
		return r.monthFromNow(0)
	case '度':
		return r.quarterFromNow(0)
	case '年':
		return r.yearOf(r.today.Year())
	}
	return r.dayFromNow(0)
}

// of is a day of a month, of a year or of each with 0.
func (r *reader) of(year, month, day, next int) (span, int, bool) {
	var s span
	var ok bool
	switch {
	case year == 0:
		s, ok = r.eachYear(month, day)
	case day == 0:
		s, ok = r.monthOf(year, month), true
	default:
		s, ok = r.date(year, month, day)
	}
	return s, next, ok
}

// inMonth is what is named of a month: a day, its end, or all of it.
func (r *reader) inMonth(t []rune, at, year, month int) (s span, next int, ok bool) {
	if day, end := chineseNumber(t, at); day > 0 && has(t, end, "日", "号") > 0 {
		return r.of(year, month, day, end+1)
	}
	s, next, ok = r.of(year, month, 0, at)
	switch {
	case has(t, at, "底", "末") > 0:
		return s.edge(false), at + 1, true
	case has(t, at, "份") > 0:
		return s, at + 1, true
	case has(t, at, "初", "上旬", "中旬", "下旬", "中") > 0:
		s.bad = true
		return s, at + has(t, at, "初", "上旬", "中旬", "下旬", "中"), true
	case at < len(t) && (digit(t[at]) || numeral(t[at]) > 0):
		return s, at, false
	}
	return s, next, ok
}

// chineseWeek is a weekday or a week: 本周五, 下星期一, 周三, 下周.
func (r *reader) chineseWeek(t []rune, i int) (s span, next int, ok bool) {
	weeks, said := 0, true
	n := has(t, i, "这个", "本", "这")
	if n == 0 {
		if n = has(t, i, "下下个", "下下"); n > 0 {
			weeks = 2
		} else if n = has(t, i, "下个", "下"); n > 0 {
			weeks = 1
		} else {
			said = false
		}
	}
	at := i + n
	if n = has(t, at, "周", "星期", "礼拜"); n == 0 || after(t, i, "每", "每个", "上", "双", "单", "隔") {
		return s, i, false
	}
	at += n
	if has(t, at, "末") > 0 {
		s = r.weekFromNow(weeks)
		s.bad = true
		return s, at + 1, true
	}
	day := -1
	if at < len(t) {
		switch day = numeral(t[at]); {
		case t[at] == '日' || t[at] == '天':
			day = 7
		case t[at] >= '1' && t[at] <= '6':
			day = int(t[at] - '0')
		}
	}
	switch {
	case day < 1 || day > 7:
		if !said {
			return s, i, false
		}
		return r.weekFromNow(weeks), at, true
	case !said:
		return r.nextWeekday(time.Weekday(day % 7)), at + 1, true
	}
	s.start = r.weekFromNow(weeks).start.AddDate(0, 0, day-1)
	s.end, s.relative = s.start.AddDate(0, 0, 1), true
	return s, at + 1, true
}

// chineseMonth is a month or a quarter as it is called from this one, or its end: 本月底, 下个月,
// 月底, 下月5日.
func (r *reader) chineseMonth(t []rune, i int) (s span, next int, ok bool) {
	months := 0
	n := has(t, i, "这个月", "本月", "这月", "当月")
	if n == 0 {
		if n = has(t, i, "下个月", "下月"); n > 0 {
			months = 1
		}
	}
	if n == 0 {
		switch {
		case has(t, i, "月底", "月末") > 0 && (i == 0 || !digit(t[i-1]) && numeral(t[i-1]) < 0 && !after(t, i, "十", "每", "每个", "上", "上个", "月", "次", "隔", "该")):
			s = lastDay(r.monthFromNow(0))
			s.monthly = true
			return s, i + 2, true
		case has(t, i, "本季度末", "本季度底", "季度末") > 0 && !after(t, i, "每", "每个", "上", "上个"):
			return lastDay(r.quarterFromNow(0)), i + has(t, i, "本季度末", "本季度底", "季度末"), true
		case has(t, i, "下个季度", "下季度") > 0:
			return r.quarterFromNow(1), i + has(t, i, "下个季度", "下季度"), true
		}
		return s, i, false
	}
	of := r.monthFromNow(months)
	s, next, ok = r.inMonth(t, i+n, of.start.Year(), int(of.start.Month()))
	s.relative = true
	return s, next, ok
}

// chineseNumeric is a day in numbers: 2026-12-05, 2026/12/5, 2026.12.5.
func (r *reader) chineseNumeric(t []rune, i int) (s span, next int, ok bool) {
	to := i
	for to < len(t) && (digit(t[to]) || t[to] == '-' || t[to] == '/' || t[to] == '.') {
		to++
	}
	if to == i {
		return s, i, false
	}
	list := tokens(string(t[i:to]))
	s, next, ok = r.numeric(list, 0)
	if !ok || next > len(list) {
		return s, i, false
	}
	return s, i + list[next-1].to, true
}
