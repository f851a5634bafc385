package truth

import (
	"regexp"
	"slices"
	"strings"
)

// A label tells one of several things of a kind from the others: gate A, customer 4411, rel-2611,
// 5 号机房, the shop in BE.
type label struct {
	of, name string // what it stands beside, or the letters before its digits
	at       int
	from, to int        // the first and the last token that name it
	stands   likelihood // that it names what the statement is about, and is not what is said of it
	beside   bool       // it stands before a noun, where any short word in capitals may stand
	letters  bool
	version  bool // it may be one: node-3
}

// is reports whether two labels name one thing.
func (l label) is(o label) bool { return l.of == o.of && l.name == o.name }

// A likelihood is how likely something is that cannot be known of words alone.
type likelihood int

const (
	hardly likelihood = iota
	perhaps
	surely
)

// otherThing is how likely the two are about two things that a label tells apart. Of such things
// each has its own value, however alike the words are, so neither takes the other's place. What
// names the thing is compared with what names the thing: the number of the one may well be a value
// of the other (rack 4 has 7 servers, rack 7 has 9).
func (c *comparison) otherThing() (most likelihood) {
	older, newer := c.old.labels(), c.new.labels()
	for _, x := range older {
		for _, y := range newer {
			if x.of == y.of && x.letters == y.letters && x.name != y.name && (!x.beside || c.plainWord(x) || c.plainWord(y)) {
				most = max(most, c.parted(x, y, older, newer))
			}
		}
	}
	switch {
	case most == hardly || c.hasRole(&c.old) && c.hasRole(&c.new):
		return hardly // who or what has a role
	case (c.new.cue || c.old.tells(choices) && c.new.tells(choices)) && c.onlyLabels(older, newer):
		return min(most, perhaps) // another one does now what the first did
	}
	return most
}

// parted is how likely a label of the older and one of the newer are two things of which each
// tells one.
func (c *comparison) parted(x, y label, older, newer []label) likelihood {
	tells := func(list []label, l label, least likelihood) bool {
		return slices.ContainsFunc(list, func(o label) bool { return o.is(l) && o.stands >= least })
	}
	most := min(x.stands, y.stands)
	switch {
	case most == hardly || tells(newer, x, x.stands), c.succeeds(x, newer):
		return hardly // it is of this one, too
	case slices.ContainsFunc(older, func(o label) bool { return o.of == x.of && o.stands >= x.stands && tells(newer, o, y.stands) }):
		if most == surely {
			return perhaps // of some of those of which the older is
		}
		return hardly
	case x.version, c.new.cue && tells(newer, x, hardly):
		return min(most, perhaps) // gate B now does what gate A did
	}
	return most
}

// successions say that one thing does what another did: ADR-031 supersedes 012.
var successions = regexp.MustCompile(`(?i)\b(?:supersede[sd]|obsoletes|replace[sd]|succeeds|over from)\b|取代|替代|代替|接替|顶替`)

// succeeds reports whether the newer says that something takes the place of what a label of the
// older names: by its noun, or by the name alone.
func (c *comparison) succeeds(l label, newer []label) bool {
	s := &c.new
	succession := successions.MatchString(s.text) && !successions.MatchString(c.old.text)
	return slices.ContainsFunc(s.all, func(t token) bool {
		if t.raw != l.name || !succession && !slices.ContainsFunc(s.formers, func(f token) bool { return f.at == t.at }) {
			return false
		}
		if i := slices.IndexFunc(newer, func(o label) bool { return o.at == t.at }); i >= 0 {
			return newer[i].of == l.of
		}
		next := t.at + 1
		return next == len(s.all) || s.all[next].opens || s.all[next].class == scope || s.all[next].class == light
	})
}

// choices say of what one is chosen: form 12 is required.
var choices = strings.Fields("required needed mandatory recommended default current latest minimum active used preferred chosen 必填 默认 必须")

// onlyLabels reports whether the two differ in their labels alone.
func (c *comparison) onlyLabels(older, newer []label) bool {
	rest := func(s *statement, labels []label) (out []string) {
		for _, t := range s.content {
			if t.class != light && t.class != changed && !slices.ContainsFunc(labels, func(l label) bool { return l.at == t.at && l.stands > hardly }) {
				out = append(out, t.text)
			}
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(rest(&c.old, older), rest(&c.new, newer))
}

// plainWord reports whether a label in capitals is a word that says nothing when it is small: the
// IT shop. Other names in capitals are told apart by the words themselves.
func (c *comparison) plainWord(l label) bool { return len(l.name) == 1 || c.class[l.name] != open }

// labels are those of a statement.
func (s *statement) labels() (out []label) {
	for i := range s.all {
		l, is := s.memberLabel(i, out)
		if !is {
			l, is = s.numberLabel(i)
		}
		if !is {
			l, is = s.letterLabel(i)
		}
		if is {
			l.stands = s.standsBeside(l, out)
			out = append(out, l)
		}
	}
	return out
}

// standsBeside is how likely a label names what the statement is about, where others stand before
// it: those of a list do so together, and one that begins a clause tells what that is about.
func (s *statement) standsBeside(l label, before []label) likelihood {
	stands := s.stands(l.at)
	if stands == hardly && s.verbless() && !s.behindPreposition(l.from) { // it sends severity 3 by mail now
		stands = perhaps
	}
	if len(before) == 0 {
		return stands
	}
	last := before[len(before)-1]
	between := s.all[min(last.to+1, l.from):l.from]
	only := func(which func(token) bool) bool {
		return !slices.ContainsFunc(between, func(t token) bool { return !which(t) })
	}
	switch {
	case only(token.joins) && last.of == l.of:
		return last.stands
	case s.beginsClause(l):
		return surely
	case stands == hardly || !s.verbless() && s.subject(s.all[l.at]):
		return stands
	case only(func(t token) bool { return t.class == scope || t.class == light }): // pump 4 in line A
		return max(stands, last.stands)
	case s.verbless() && last.stands == surely && l.from > 0 && s.all[l.from-1].class == scope:
		return hardly // where it is, and a thing is in one place
	}
	return min(stands, perhaps)
}

// behindPreposition reports whether a token stands behind one: through gate B.
func (s *statement) behindPreposition(i int) bool {
	return i > 0 && (s.all[i-1].class == scope || s.all[i-1].class == former || slices.Contains([]string{"to", "at", "through", "by", "with", "of"}, s.all[i-1].raw))
}

// joins reports whether a token stands between the members of a list.
func (t token) joins() bool {
	return slices.Contains([]string{"and", "or", "the", "和", "与", "及", "或", "跟"}, t.raw)
}

// beginsClause reports whether a clause begins with a label, and goes on behind it.
func (s *statement) beginsClause(l label) bool {
	i := l.from
	for i > 0 && !s.all[i].opens && (s.all[i-1].joins() || slices.Contains([]string{"while", "but", "whereas", "而", "但"}, s.all[i-1].raw)) {
		i--
	}
	return i > 0 && (i < l.from && s.all[l.from-1].raw != "the" || s.all[i].opens) && l.to+1 < len(s.all) && !s.all[l.to+1].opens && !s.all[l.to+1].joins()
}

// stands is how likely a label names what the statement is about, or what something was done to
// once, and not where something is or what it has.
func (s *statement) stands(i int) likelihood {
	done := false
	for k, t := range s.all[:i] {
		passive := k > 0 && slices.Contains([]string{"is", "are", "was", "were", "be", "been", "being"}, s.all[k-1].raw)
		switch {
		case (t.class == happened || slices.Contains(deedsAlone, t.raw) || t.class != changed && k > 0 && strings.HasSuffix(t.raw, "ed") && len(t.raw) > 4) && !passive:
			done = true
		case done && t.class == scope:
			return perhaps
		}
	}
	switch {
	case done, !s.verbless() && s.subject(s.all[i]):
		return surely
	case s.verbless() && s.begins(i):
		return surely
	case s.verbAt == 0 && i == 1 && slices.Contains(hosts, s.all[0].raw): // host web-07 has, or host it there
		return perhaps
	case !s.cue && (s.verbless() || s.verb == many || s.verb == owns), s.all[0].raw == "there": // there are four lamps in hall 7
		return perhaps
	}
	return hardly
}

// verbless reports whether a statement has no verb that is known; a word of change at its end is
// none.
func (s *statement) verbless() bool {
	return s.verbAt >= len(s.all)-1 && (s.verbAt == len(s.all) || s.all[s.verbAt].class == changed)
}

// hosts are nouns that are verbs, too.
var hosts = strings.Fields("host store ship build order")

// deedsAlone are what is done once, by words that have no ending for it.
var deedsAlone = strings.Fields("lost sold sent bought broke lent gave stole wrote built paid shot hit caught threw")

// begins reports whether a statement begins with what a label names: at most one word stands before
// its noun. Chinese is counted in characters.
func (s *statement) begins(i int) bool {
	n := 0
	for _, t := range s.all[:i] {
		switch {
		case t.class == pronoun:
			return false
		case isCJK([]rune(t.raw)[0]):
			n++
		case t.class != light && t.class != scope:
			n += 2
		}
	}
	return n <= 4
}
