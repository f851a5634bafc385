package period

// From one weekday to another, at whatever time of the day, something is so each week, unless a date is
// said with one of them: muted from Friday 20:00 until Monday 6:00.

// timeOfDay is where a time of day behind a day ends: Friday 20:00, Friday at noon, Friday after 8 pm.
func timeOfDay(list []token, i int) int {
	at := i
	if any([]string{word(list, at)}, ",", "at", "from", "after", "in", "around", "about") {
		at++
	}
	if is(list, at, "the") {
		at++
	}
	switch {
	case any([]string{word(list, at)}, "morning", "mornings", "noon", "midday", "afternoon", "evening", "night", "midnight", "early", "late", "lunch", "lunchtime", "dawn", "dusk", "sunrise", "sunset", "eod", "work"):
		if next := timeOfDay(list, at+1); next > at+1 { // Friday evening at 8 pm
			return next
		}
		return at + 1
	case at+2 < len(list) && list[at].number >= 0 && list[at].number <= 24 && any([]string{list[at+1].text}, ":", ".") && !list[at+1].gap && list[at+2].digits == 2 && !list[at+2].gap:
		at += 3
	case at+1 < len(list) && list[at].number >= 0 && list[at].number <= 24 && any([]string{list[at+1].text}, "am", "pm", "h", "o"):
		at++
	case at+3 < len(list) && list[at].number >= 0 && list[at].number <= 12 && (is(list, at+1, "p", ".", "m") || is(list, at+1, "a", ".", "m")):
		at += 4
		if is(list, at, ".") {
			at++
		}
	default:
		return i
	}
	if is(list, at, "o") { // 8 o'clock
		return min(at+3, len(list))
	}
	for any([]string{word(list, at)}, "am", "pm", "h", "utc", "cet", "gmt", "local") || is(list, at, "time") && is(list, at-1, "local") {
		at++
	}
	return at
}

// fromWeekday reports whether before an "until" stands a weekday, with a time of day at most, from which
// on something is so until then.
func fromWeekday(list []token, i int) bool {
	for k := i - 1; k >= max(0, i-8); k-- {
		if _, day := weekday(list[k].text); day && timeOfDay(list, k+1) == i && !any([]string{word(list, k-1)}, "since", "this", "next", "last") {
			return true
		}
	}
	return false
}

// weekly is where a Chinese time from one weekday to another ends whose first day ends at a place, with a
// time of day behind each; 0 if it is none: 周五晚上到周一早上.
func (r *reader) weekly(t []rune, i int) int {
	i = chineseTime(t, i)
	n := has(t, i, "一直到", "直到", "直至", "到", "至", "—", "–", "-", "~", "～")
	if n == 0 {
		return 0
	}
	last, end, ok := r.chineseDay(t, i+n)
	if !ok || !last.weekday {
		return 0
	}
	return chineseTime(t, end)
}

// chineseTime is where a time of day ends: 晚上八点半.
func chineseTime(t []rune, i int) int {
	for i < len(t) {
		n := has(t, i, "早上", "早晨", "清晨", "上午", "中午", "正午", "下午", "傍晚", "晚上", "晚间", "夜里", "夜间", "凌晨", "半夜", "午夜", "零点", "下班后", "下班", "上班前", "上班", "点钟", "点", "时", "分", "半", ":", "：", "起", "开始", "后")
		if n == 0 && (digit(t[i]) || numeral(t[i]) >= 0) {
			n = 1
		}
		if n == 0 {
			break
		}
		i += n
	}
	return i
}
