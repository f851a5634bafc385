package truth

import (
	"regexp"
	"slices"
	"strings"
)

// What parts the clauses of a text, what begins a reason or a time in one, and those that tell
// nothing else: "When Priya is on leave".
var (
	clauseEnds = regexp.MustCompile(`[;:,.] |[，；。：,;]|\.$`)
	reasons    = regexp.MustCompile(`(?i)\s(?:because|since|after|until|unless|so that|as long as|which|when|if)\s.*`)
	dependent  = regexp.MustCompile(`(?i)^(?:when|whenever|if|while|after|before|because|since|until|unless|once|for|during|which|who)\s|^(?:因为|由于|如果|只要|每当|自从)|(?:时|时候|之前|之后|以后|期间)$`)
)

// excepts says that something holds beside what was told, for some: "do keep their default
// export", "is the one exception".
var excepts = regexp.MustCompile(`(?i)\b(?:exceptions?|exempt|except|(?:do|does|may|still|stays?|remains?) (?:keep|stay|use|remain)|too)\b|例外|除外|仍|依然`)

// surely reports whether the newer is so near to this one that it replaces it whatever the
// rules call it: it names all that the older does, and excepts nothing.
func (c contender) surely() bool {
	told := c.doubt || c.new.cue && c.rule == Update && c.agrees() && !c.bothDeny() && !c.onlyNamed()
	same := c.new.cue || c.otherBehind() || slices.ContainsFunc(kindsOf(c.a, c.b), func(k string) bool { return slices.Contains(kindsOf(c.b, c.a), k) })
	return told && same && c.sure >= surelyLeast && c.namesAll() && !c.apart() && !c.saysElse() && c.old.once == c.new.once && !excepts.MatchString(c.new.text)
}

// byClause reports whether one clause of the newer says by the rules alone that the older holds
// no longer: who says why, too, or what is to be done now, uses words that have to do with
// neither.
func (c contender) byClause() bool {
	if c.sure < clauseLeast || c.apart() || c.verdict == Same || excepts.MatchString(c.new.text) {
		return false
	}
	return c.leaves() || slices.ContainsFunc(clauses(c.new.text), func(part string) bool { return Compare(c.old.text, part) == Update })
}

// leaving says that somebody does something no more, or does something else now.
var leaving = regexp.MustCompile(`(?i)\b(?:left|leaving|quit|retired|stepped down|(?:went|moved|gone|goes) (?:over )?to|handed over|hands over)\b|离职|退出|不再参加|不参加|调去|调到|调走|转岗|卸任|交接`)

// leaves reports whether the newer says that somebody whom the older names has left what both
// are about.
func (c contender) leaves() bool {
	if !leaving.MatchString(c.new.text) {
		return false
	}
	names, topics := 0, 0
	for _, u := range c.a {
		switch {
		case u.kind() == "name" && isIn(c.b, u), oneCJK(u.raw) && isIn(c.b, u):
			names++
		case topic(u) && !u.single() && c.best(u, c.b) >= meant:
			topics++
		}
	}
	return names > 0 && (topics > 1 || names > 1 && topics > 0)
}

// clauses are the parts of a text that say something by themselves; none if it has no parts.
func clauses(text string) (out []string) {
	whole := strings.TrimRight(strings.TrimSpace(text), ".。")
	for _, part := range clauseEnds.Split(text, -1) {
		if part = strings.TrimSpace(part); dependent.MatchString(part) {
			continue
		}
		part = reasons.ReplaceAllString(part, "")
		if part != whole && len(known().tokens(part)) >= clauseWords {
			out = append(out, part)
		}
	}
	return out
}

// clauseWords is how many words a clause has at least.
const clauseWords = 3

// otherBehind reports whether both put a word behind the same preposition, and it is another:
// against develop, against trunk.
func (c *comparison) otherBehind() bool {
	of := func(s *statement, prep string) string {
		at := slices.IndexFunc(s.all, func(t token) bool { return t.raw == prep })
		if at < 0 || at+1 == len(s.all) || s.all[at+1].class != open {
			return ""
		}
		return s.all[at+1].text
	}
	return slices.ContainsFunc(prepositions, func(prep string) bool {
		x, y := of(&c.old, prep), of(&c.new, prep)
		return x != "" && y != "" && x != y
	})
}

var prepositions = strings.Fields("against into onto via through")

// namesAll reports whether the newer names all that the older does.
func (m *match) namesAll() bool {
	return !slices.ContainsFunc(m.a, func(u unit) bool { return u.kind() == "name" && !isIn(m.b, u) })
}
