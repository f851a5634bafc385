package truth

import (
	"regexp"
	"slices"
	"strings"
)

// besideOthers says that what is new does not end what was there: "v2 stays available".
var besideOthers = regexp.MustCompile(`(?i)\b(?:alongside|besides?|side by side|next to|in parallel|(?:still|stays?|remains?|keeps?|continues? to be) (?:being )?(?:available|supported|served|usable|valid|readable|reachable|running|working|online|maintained|in (?:use|service|place)))\b|` +
	`并存|共存|并行|照常|(?:仍|依然|继续)(?:然|旧)?(?:可|能|保留|有效|支持|提供|可用|维护|使用|在用|运行)|保持可用`)

// undecided says that what is new is a wish, a guess or a plan that nobody decided: what there is
// stays until then.
var undecided = regexp.MustCompile(`(?i)\b(?:would like to|(?:nothing|not|never)(?: yet| been| is| was)* (?:decided|agreed|settled|final)|undecided|no decision|some ?day|thinking (?:about|of)|` +
	`considering|might|maybe|perhaps|proposes|proposal|suggests|toying with|evaluating|looking into|exploring|up for discussion|(?:left|still) open|talk(?:ed)? about|float(?:ed|s)|hopes? to)\b|` +
	`想试|想换|考虑|也许|或许|可能会|可能要|还?没定|未定|尚未决定|没有?决定|提议|评估中|在评估|调研|待定|搁置|聊过|提过|讨论过|以后再说`)

// wishes come in any number: who prefers dark mode may prefer short answers, too.
var wishes = regexp.MustCompile(`(?i)\b(?:prefers?|likes?|loves?|enjoys?|wants?|hates?|dislikes?)\b|喜欢|偏好|爱用|想要|讨厌`)

// leastAkin is how near the objects of two wishes are at least if one takes the other's place.
const leastAkin = 0.15

func (m *match) otherWish() bool {
	x, y := wishes.FindStringIndex(m.old.text), wishes.FindStringIndex(m.new.text)
	return x != nil && y != nil && m.sense.Like(m.old.text[x[1]:], m.new.text[y[1]:]) < leastAkin
}

// otherVersion reports whether the two are about two versions of a thing that stand beside
// each other: because the newer says so, or because each says something of its own.
func (c *comparison) otherVersion() bool {
	x, y := c.old.version(), c.new.version()
	if x < 0 || y < 0 || c.old.all[x].text == c.new.all[y].text {
		return false
	}
	if besideOthers.MatchString(c.new.text) {
		return true
	}
	sameThing := c.old.all[x].raw[0] == 'v' || x == 0 || y == 0 || c.old.all[x-1].text == c.new.all[y-1].text
	return sameThing && !c.new.cue && lacks(c.old.behind(x), c.new.behind(y)) && lacks(c.new.behind(y), c.old.behind(x))
}

// version is where a statement names a version of what it is about; -1 if it does not.
func (s *statement) version() int {
	for _, t := range s.content {
		if t.class == value && s.heads(t) && versionLike.MatchString(t.raw) && (t.raw[0] == 'v' || t.at > 0 && slices.Contains([]class{open, place, numbered}, s.all[t.at-1].class)) {
			return t.at
		}
	}
	return -1
}

var versionLike = regexp.MustCompile(`^v?\d+(?:\.(?:\d+|x))*$`)

// heads reports whether a token belongs to what a statement is about, be it one without a
// verb that is known.
func (s *statement) heads(t token) bool {
	return s.subject(t) || s.verbAt == len(s.all) && t.at < headMost
}

// headMost is how many words tell what a statement without a verb is about.
const headMost = 4

// behind are the words that claim something behind a token.
func (s *statement) behind(at int) (out []string) {
	for _, t := range s.content {
		if t.at > at {
			out = append(out, t.text)
		}
	}
	return out
}

// What is told of a time: who is away, which may be so again at another; and what somebody
// did.
var (
	absences = strings.Fields("vacation holiday holidays leave away absent travel trip visit sick sabbatical 休假 请假 度假 年假 休年假 出差 外出 不在 陪产假 产假 病假")
	deeds    = strings.Fields("decided agreed approved concluded met planned voted settled attended 决定 商定 同意 批准 通过 约定 敲定 讨论 复盘")
)

func (s *statement) tells(of []string) bool {
	return slices.ContainsFunc(s.all, func(t token) bool { return slices.Contains(of, t.raw) || slices.Contains(of, t.text) })
}

// otherTime reports whether the two tell what happens in different months, and the newer
// does not say that it moved: two vacations, two meetings and what came of them.
func (c *comparison) otherTime() bool {
	x, y := c.old.months, c.new.months
	if c.new.cue && !c.decides() || len(x) == 0 || len(y) == 0 || slices.ContainsFunc(x, func(m month) bool {
		return slices.ContainsFunc(y, func(o month) bool { return o.number == m.number })
	}) {
		return false
	}
	if c.old.tells(absences) && c.new.tells(absences) || c.old.span() && c.new.span() {
		return true
	}
	if !c.old.claimsBeside(c.lost) || !c.new.claimsBeside(c.gained) {
		return false // the one thing that differs is when
	}
	return c.old.tells(deeds) && c.new.tells(deeds) || c.old.heads(c.old.all[x[0].at]) && c.new.heads(c.new.all[y[0].at])
}

// otherDays reports whether the two begin with the days of which they tell, and these are
// others: on weekdays, on Sundays.
func (c *comparison) otherDays() bool {
	x, y := c.old.firstDay(), c.new.firstDay()
	return x != "" && y != "" && x != y && !c.new.cue
}

// firstDay is the day of which a statement tells first, if it does.
func (s *statement) firstDay() string {
	if len(s.all) < 2 || !slices.Contains([]string{"on", "at", "during"}, s.all[0].raw) {
		return ""
	}
	if t := s.all[1]; slices.Contains(amounts["day"], t.raw) || slices.Contains(amounts["day"], t.text) {
		return t.text
	}
	return ""
}

// decides reports whether what the newer says of a change is what somebody decided, and
// of something that was not decided before.
func (c *comparison) decides() bool {
	x, y := c.old.deed(), c.new.deed()
	if x < 0 || y < 0 || slices.ContainsFunc(c.new.all[:y], func(t token) bool { return t.class == changed }) {
		return false
	}
	return !slices.ContainsFunc(c.old.content, func(t token) bool {
		return t.at > x && slices.ContainsFunc(c.new.content, func(o token) bool { return o.at > y && o.text == t.text })
	})
}

// deed is where a statement says what somebody did; -1 if it does not.
func (s *statement) deed() int {
	return slices.IndexFunc(s.all, func(t token) bool { return slices.Contains(deeds, t.raw) })
}

// claimsBeside reports whether some tokens say more than when.
func (s *statement) claimsBeside(list []token) bool {
	return slices.ContainsFunc(list, func(t token) bool {
		return t.class != value && !slices.ContainsFunc(s.months, func(m month) bool { return m.at == t.at })
	})
}

// span reports whether a statement says from when to when.
func (s *statement) span() bool {
	from := false
	for i, t := range s.all {
		switch t.raw {
		case "from", "between", "从":
			from = i+1 < len(s.all) && s.dated(s.all[i+1])
		case "to", "until", "till", "through", "and", "到", "至":
			if i+1 < len(s.all) && s.dated(s.all[i+1]) && (from || i > 0 && s.dated(s.all[i-1])) {
				return true
			}
		default:
			if days.MatchString(t.raw) {
				return true
			}
		}
	}
	return false
}

var days = regexp.MustCompile(`^\d{1,2}-\d{1,2}$`)

// dated reports whether a token is part of a day's name.
func (s *statement) dated(t token) bool {
	return strings.Trim(t.raw, "0123456789") == "" || t.raw == "日" || t.raw == "号" || slices.ContainsFunc(s.months, func(m month) bool { return m.at == t.at })
}

// A month is one that a statement names, from 1 to 12, and where.
type month struct{ number, at int }

// findMonths looks for them: in July, 七月, 7 月.
func (s *statement) findMonths() {
	for i, t := range s.all {
		n := 0
		switch {
		case t.raw == "月":
			n = s.numberBefore(i)
		case t.raw == "may" && !s.besideDay(i): // as in "you may"
		default:
			n = monthOf[t.raw]
		}
		if n > 0 && n <= 12 {
			s.months = append(s.months, month{n, i})
		}
	}
}

var monthOf = func() map[string]int {
	of := map[string]int{"sept": 9}
	for i, name := range strings.Fields("january february march april may june july august september october november december") {
		of[name], of[name[:3]] = i+1, i+1
	}
	return of
}()

// besideDay reports whether a day or a preposition stands beside a token.
func (s *statement) besideDay(i int) bool {
	number := func(t token) bool { return strings.Trim(t.raw, "0123456789") == "" || days.MatchString(t.raw) }
	return i > 0 && (number(s.all[i-1]) || slices.Contains([]string{"in", "of", "since", "until", "from", "to", "last", "next", "for", "by", "and"}, s.all[i-1].raw)) ||
		i+1 < len(s.all) && number(s.all[i+1])
}

// numberBefore is the number that ends before a token, in digits or in Chinese; 0 if
// there is none.
func (s *statement) numberBefore(i int) (n int) {
	if i == 0 {
		return 0
	}
	if d := s.all[i-1].raw; d[0] >= '0' && d[0] <= '9' {
		for _, r := range d {
			if r < '0' || r > '9' || n > 12 {
				return 0
			}
			n = n*10 + int(r-'0')
		}
		return n
	}
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		d := slices.Index(chineseDigits, s.all[k].raw) + 1
		if d == 0 || n > 0 && d < 10 {
			break
		}
		n += d
	}
	return n
}

var chineseDigits = strings.Split("一二三四五六七八九十", "")
