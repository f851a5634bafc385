package truth

import (
	"regexp"
	"slices"
	"strings"
)

// otherInSlot reports whether two fill one slot of a thing and put it in other words: the
// hour of a meeting, the limit of a size, the tool that something uses or runs on, who
// answers for it, what is no longer forbidden.
func (c *comparison) otherInSlot() bool {
	return c.otherHour() || c.otherLimit() || c.otherTool() || c.otherOwner() || c.renamed() || c.deniedByName() || c.allowedNow()
}

// Words that a slot may be told with, or without: when a meeting begins; that something is
// as much as may be, and of what it is; that a tool is used; that something may be done.
var (
	beginning = "start"
	hour      = regexp.MustCompile(`^\d{1,2}:\d\d$`)
	mostWords = strings.Fields("max maximum limit cap capped 最多 最大 最高 上限 至多 不超过")
	ofLimit   = strings.Fields("size length duration allowed accepted permitted possible large big long 大小 长度 时长 允许")
	tooLarge  = strings.Fields("larger bigger longer greater more above exceeding") // than that it is refused
	refusals  = strings.Fields("reject rejects rejected refuse refuses refused decline declines declined accept accepts accepted")
	toolVerbs = strings.Fields("use run power build base 用 使用 采用 运行 运行在 跑在 基于")
	mayWords  = strings.Fields("allowed permitted fine ok okay 允许 可以")
)

func isOf(list []string, t token) bool {
	return slices.Contains(list, t.raw) || slices.Contains(list, t.text)
}

// otherHour reports whether the one says at what hour something is, and the other at what
// other hour it starts.
func (c *comparison) otherHour() bool {
	starts := 0
	only := func(list []token) bool {
		hours := 0
		for _, t := range list {
			switch {
			case t.text == beginning:
				starts++
			case hour.MatchString(t.raw):
				hours++
			default:
				return false
			}
		}
		return hours == 1
	}
	return only(c.lost) && only(c.gained) && starts == 1 && len(c.common) > 0 && !c.onlyValues()
}

// otherMeeting reports whether the two name an hour of two things that have a word in
// common, and each another of its own: the standups of two teams.
func (c *comparison) otherMeeting() bool {
	own := func(s *statement, list []token) bool {
		return slices.ContainsFunc(list, func(t token) bool { return hour.MatchString(t.raw) }) &&
			slices.ContainsFunc(list, func(t token) bool { return t.class != value && t.text != beginning && s.before(t, c.common) })
	}
	return own(&c.old, c.lost) && own(&c.new, c.gained)
}

// before reports whether what follows a token is one of some words.
func (s *statement) before(t token, words []string) bool {
	return t.at+1 < len(s.all) && slices.Contains(words, s.all[t.at+1].text)
}

// otherLimit reports whether both say how much something may be at most, counted alike.
func (c *comparison) otherLimit() bool {
	x, of, is := c.old.limit()
	y, also, too := c.new.limit()
	return is && too && x.kind == y.kind && x.of != y.of && len(of) > 0 && slices.Equal(of, also)
}

// limit is how much something may be at most, and the words of what that is.
func (s *statement) limit() (most amount, of []string, is bool) {
	n := 0
	for i := 0; i < len(s.all); i++ {
		if a, taken := s.amount(i); taken > 0 {
			most, n, i = a, n+1, i+taken-1
		}
	}
	for i, t := range s.all {
		follows := i > 0 && (t.raw == "most" && s.all[i-1].raw == "at" || t.raw == "to" && s.all[i-1].raw == "up")
		is = is || isOf(mostWords, t) || follows || slices.Contains(tooLarge, t.raw) && s.tells(refusals)
	}
	for _, t := range s.content {
		if t.class != value && !isOf(mostWords, t) && !isOf(ofLimit, t) && !isOf(refusals, t) && !isOf(tooLarge, t) && !slices.Contains([]string{"most", "up", "any", "is", "are"}, t.raw) {
			of = append(of, t.text)
		}
	}
	slices.Sort(of)
	return most, slices.Compact(of), is && n == 1 && !s.negated && !s.cue
}

// otherTool reports whether the two name two tools of one kind that a thing is made with,
// by verbs that say the same of a tool alone: it uses the one, and runs on the other.
func (c *comparison) otherTool() bool {
	by := func(s *statement, list []token) (verb, kind string) {
		if s.verbAt == len(s.all) || s.negated || !isOf(toolVerbs, s.all[s.verbAt]) {
			return "", ""
		}
		for _, t := range list {
			g := c.group[t.text]
			switch {
			case t.at == s.verbAt, t.class == is: // is powered by
			case s.subject(t), t.class != value && !strings.HasPrefix(g, "="), g != "" && (kind != "" || !s.takes(t)):
				return "", ""
			case g != "":
				kind = g
			}
		}
		return s.all[s.verbAt].text, kind
	}
	verb, kind := by(&c.old, c.lost)
	other, same := by(&c.new, c.gained)
	return kind != "" && kind == same && verb != other
}

// takes reports whether a token is the object of the verb: uses it, runs on it, but not
// runs against it.
func (s *statement) takes(t token) bool {
	return !slices.ContainsFunc(s.all[s.verbAt+1:t.at], func(o token) bool {
		return o.class != light && o.raw != "on" && o.raw != "with" && o.raw != "by"
	})
}

// deniedByName reports whether the newer says no to a thing that the older one names, and
// names another of its kind: spaces, no tabs.
func (c *comparison) deniedByName() bool {
	if c.old.negated || !c.new.negated || len(c.common) < 2 || weight(c.lost, ofToken) > 1 {
		return false
	}
	for i, t := range c.new.all {
		g := c.group[t.text]
		if g == "" || g[0] == '!' || i == 0 || c.new.all[i-1].class != negation || !slices.Contains(c.common, t.text) {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(c.gained), func(o token) bool { return o.class == value })
		return len(others) == 1 && c.group[others[0].text] == g
	}
	return false
}

// allowedNow reports whether the newer allows what the older forbids, to all or to those
// whom it names: it says of the others that they may not.
func (c *comparison) allowedNow() bool {
	may := c.allows()
	if may < 0 || c.allowsElsewhere() || len(c.lost) > 0 || weight(c.common, ofText) < 2 {
		return false
	}
	whom := slices.DeleteFunc(slices.Clone(c.gained), func(t token) bool { return t.at == may })
	return len(whom) <= 2 && !slices.ContainsFunc(whom, func(t token) bool { return t.at < may || c.new.all[may+1].raw != "for" })
}

// allows is where the newer says that something may be done, if the older forbids; else -1.
func (c *comparison) allows() int {
	if len(c.old.all) == 0 || c.old.all[0].class != negation || !c.old.negated || c.new.negated {
		return -1
	}
	return slices.IndexFunc(c.new.all, func(t token) bool { return isOf(mayWords, t) })
}

// allowsElsewhere reports whether what the older forbids is allowed in some place or at
// some time that the older does not name: it stays forbidden in others.
func (c *comparison) allowsElsewhere() bool {
	may := c.allows()
	return may >= 0 && slices.ContainsFunc(c.new.all[may+1:], func(t token) bool {
		return t.class == scope && t.raw != "for" && slices.ContainsFunc(c.gained, func(o token) bool { return o.at > t.at })
	})
}

// otherOwner reports whether the two say who answers for a thing, and it is another.
func (c *comparison) otherOwner() bool {
	x, y, told := c.duties()
	return told && !lacks(x.of, y.of) && !lacks(y.of, x.of) && lacks(x.who, y.who) && lacks(y.who, x.who)
}

// otherDuty reports whether the two say who answers for two things, and sameHands whether
// that is one and the same.
func (c *comparison) otherDuty() bool {
	x, y, told := c.duties()
	return told && lacks(x.of, y.of) && lacks(y.of, x.of)
}

func (c *comparison) sameHands() bool {
	x, y, told := c.duties()
	return told && !lacks(x.who, y.who)
}

// duties are those of two of which the one says what somebody does, and the other by whom
// it is done.
func (c *comparison) duties() (x, y duty, told bool) {
	x, y = c.old.duty(), c.new.duty()
	return x, y, x.verb != "" && x.verb == y.verb && (x.passive || y.passive) && !c.old.negated && !c.new.negated
}

// renamed reports whether the newer says of what the older calls so that it has another name.
func (c *comparison) renamed() bool {
	at := slices.IndexFunc(c.new.all, func(t token) bool { return isOf(newNames, t) })
	called := slices.IndexFunc(c.old.all, func(t token) bool { return isOf(callings, t) })
	if at < 0 || called < 0 || called+1 == len(c.old.all) {
		return false
	}
	name := c.old.all[called+1]
	return name.class == open && slices.ContainsFunc(c.new.all[:at], func(t token) bool { return t.text == name.text })
}

var (
	newNames = strings.Fields("renamed 改名 更名 改名为 更名为")
	callings = strings.Fields("called named 叫 叫做 名为")
)

// lacks reports whether some of the words are not among the others.
func lacks(list, other []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return !slices.Contains(other, w) })
}

// A duty is who answers for what, by which verb; passive, if it says by whom that is done.
type duty struct {
	who, of []string
	verb    string
	passive bool
}

// duty is what a statement says of one; without a verb if it says nothing of any.
func (s *statement) duty() (d duty) {
	at := slices.IndexFunc(s.all, func(t token) bool { return t.class == owns })
	if at <= 0 || slices.Contains([]string{"the", "a", "an"}, s.all[at-1].raw) || isOf(roles, s.all[at]) {
		return d
	}
	from, to := -1, at // who stands before it
	if by := slices.IndexFunc(s.all[:at], func(t token) bool { return t.raw == "由" }); by >= 0 {
		from, d.passive = by, true
	} else if at+1 < len(s.all) && s.all[at+1].raw == "by" {
		from, to, d.passive = at+1, len(s.all), true
	}
	for _, t := range s.content {
		switch {
		case t.at == at, t.class == is:
		case t.at > from && t.at < to:
			d.who = append(d.who, t.text)
		default:
			d.of = append(d.of, t.text)
		}
	}
	if len(d.who) > 0 && len(d.of) > 0 {
		d.verb = s.all[at].text
	}
	return d
}

// roles are words of who answers for something that are no verbs.
var roles = strings.Fields("owner maintainer oncall 负责人 主管 值班")

// byWhom reports whether a 由 says by whom something is done, and not what it was before.
func (s *statement) byWhom(i int) bool {
	for _, t := range s.all[i+1 : min(len(s.all), i+9)] {
		switch {
		case t.class == changed && !slices.Contains(gone, t.raw):
			return false
		case t.class == owns:
			return true
		}
	}
	return true
}

// turns reports whether a verb says that something changed.
func (s *statement) turns(t token) bool { return t.class == changed && !s.recurs(t.at) }

// recurs reports whether a word of change tells what happens to each of its kind, at a
// time that it names: flags are removed after the rollout.
func (s *statement) recurs(i int) bool {
	if i == 0 || s.all[i].class != changed || !strings.HasSuffix(s.all[i].raw, "ed") || !slices.Contains([]string{"is", "are", "gets", "get"}, s.all[i-1].raw) {
		return false
	}
	return slices.ContainsFunc(s.all[i+1:], func(t token) bool {
		return slices.Contains([]string{"every", "each", "whenever", "daily", "weekly", "monthly", "nightly"}, t.raw) ||
			(s.all[i-1].raw == "are" || s.all[i-1].raw == "get") && slices.Contains([]string{"after", "once", "when", "if", "unless", "within"}, t.raw)
	})
}
