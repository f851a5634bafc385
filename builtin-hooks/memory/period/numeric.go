package period

// The years that a text may mean.
const firstYear, lastYear = 1970, 2199

// numeric is a day in numbers: 2026-12-05, 05.12.2026. 05/06/2026 is one day here and another
// there.
func (r *reader) numeric(list []token, i int) (s span, next int, ok bool) {
	number := func(k int) bool { return k < len(list) && list[k].number >= 0 }
	if !number(i) || i+2 >= len(list) || !number(i+2) || list[i+1].gap {
		return s, i, false
	}
	mark := list[i+1].text
	if mark != "-" && mark != "/" && mark != "." || list[i+2].gap && mark != "." {
		return s, i, false
	}
	a, b := list[i], list[i+2]
	three := i+4 < len(list) && list[i+3].text == mark && number(i+4) && !list[i+3].gap && (!list[i+4].gap || mark == ".")
	switch {
	case !three && a.digits == 4 && year(list, i) && b.digits <= 2 && mark != "." && b.number >= 1 && b.number <= 12:
		return r.monthOf(a.number, b.number), i + 3, true
	case !three:
		return s, i, false
	}
	c := list[i+4]
	y, m, d := a.number, b.number, c.number
	switch {
	case a.digits == 4:
	case c.digits == 4 && (mark == "." || a.number > 12 || a.number == b.number):
		y, m, d = c.number, b.number, a.number
	case c.digits == 4 && b.number > 12:
		y, m, d = c.number, a.number, b.number
	case c.digits == 2 && mark == "/" && a.number <= 12 && b.number > 12 && b.number <= 31:
		y, m, d = 2000+c.number, a.number, b.number
	case c.digits == 2 && mark == "/" && b.number <= 12 && a.number > 12 && a.number <= 31:
		y, m, d = 2000+c.number, b.number, a.number
	case c.digits == 4 && a.number >= 1 && b.number >= 1, c.digits == 2 && a.digits == 2 && b.digits == 2 && a.number <= 31 && b.number <= 31:
		return span{bad: true}, i + 5, true
	default:
		return s, i, false
	}
	if y < firstYear || y > lastYear {
		return s, i, false
	}
	s, ok = r.date(y, m, d)
	next = i + 5
	if is(list, next, "t") { // and the time of day
		next++
	}
	return s, next, ok
}
