package truth

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A label tells one of several things of a kind from the others: gate A, customer 4411, rel-2611,
// 5 号机房, the shop in BE.
type label struct {
	of, name string // what it stands beside, or the letters before its digits
	at       int
	stands   likelihood // that it names what the statement is about, and is not what is said of it
	beside   bool       // it stands before a noun, where any short word in capitals may stand
	letters  bool
}

// A likelihood is how likely something is that cannot be known of words alone.
type likelihood int

const (
	hardly likelihood = iota
	perhaps
	surely
)

// otherThing is how likely the two are about two things that a label tells apart. Of such things
// each has its own value, however alike the words are, so neither takes the other's place.
func (c *comparison) otherThing() (most likelihood) {
	older, newer := c.old.labels(), c.new.labels()
	has := func(s *statement, list []label, o label) bool {
		return slices.ContainsFunc(list, func(l label) bool { return l.name == o.name }) ||
			slices.ContainsFunc(s.all, func(t token) bool {
				return t.raw == o.name && (t.large || t.class == value) || strings.HasSuffix(t.raw, "-"+o.name)
			})
	}
	for _, x := range older {
		for _, y := range newer {
			if x.of == y.of && x.letters == y.letters && !has(&c.new, newer, x) && !has(&c.old, older, y) && (!x.beside || c.plainWord(x) || c.plainWord(y)) {
				most = max(most, min(x.stands, y.stands))
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

// choices say of what one is chosen: form 12 is required.
var choices = strings.Fields("required needed mandatory recommended default current latest minimum active used preferred chosen 必填 默认 必须")

// onlyLabels reports whether the two differ in their labels alone.
func (c *comparison) onlyLabels(older, newer []label) bool {
	rest := func(list []token, labels []label) bool {
		return slices.ContainsFunc(list, func(t token) bool {
			return t.class != light && t.class != changed && !slices.ContainsFunc(labels, func(l label) bool { return l.at == t.at })
		})
	}
	return !rest(c.lost, older) && !rest(c.gained, newer)
}

// plainWord reports whether a label in capitals is a word that says nothing when it is small: the
// IT shop. Other names in capitals are told apart by the words themselves.
func (c *comparison) plainWord(l label) bool { return len(l.name) == 1 || c.class[l.name] != open }

// labels are those of a statement.
func (s *statement) labels() (out []label) {
	for i := range s.all {
		l, is := s.numberLabel(i)
		if !is {
			l, is = s.letterLabel(i)
		}
		if !is {
			continue
		}
		if l.stands = s.stands(i); l.stands > hardly {
			out = append(out, l)
		}
	}
	return out
}

var (
	codeLike    = regexp.MustCompile(`^[a-z]{0,2}\d{1,8}(?:-[a-z])?$`)
	partedCodes = regexp.MustCompile(`^([a-z]{2,}(?:[-_][a-z]+)*[-_]?)(\d+)$`)
)

// numberLabel is a number that names what the noun beside it is: customer 4411, rel-2611, 5 号机房.
func (s *statement) numberLabel(i int) (l label, is bool) {
	t := s.all[i]
	if m := partedCodes.FindStringSubmatch(t.raw); m != nil && !slices.Contains(versioned, strings.TrimRight(m[1], "-_")) {
		return label{of: m[1], name: m[2], at: i}, true
	}
	if of := s.behindNumber(i); of != "" {
		return label{of: of, name: t.raw, at: i}, true
	}
	if !codeLike.MatchString(t.raw) || t.raw[0] == 'v' && !t.large || i == 0 || !s.takesLabel(i-1) || s.counts(i) {
		return l, false
	}
	return label{of: s.all[i-1].text, name: t.raw, at: i}, true
}

// behindNumber is the noun of a Chinese number that names one: 5 号机房, 三号电梯, 第 12 号任务. A 号
// before anything else may tell a day.
func (s *statement) behindNumber(i int) string {
	if t := s.all[i]; t.class != value || i+2 >= len(s.all) || s.all[i+1].raw != "号" || i > 0 && s.all[i-1].raw == "月" || s.tells(monthly) {
		return ""
	}
	noun := s.all[i+2]
	if strings.ContainsAny(noun.raw, numberedChinese) || noun.class == numbered || i > 0 && s.all[i-1].raw == "第" ||
		slices.ContainsFunc(s.all[i+3:min(len(s.all), i+5)], func(t token) bool { return strings.ContainsAny(t.raw, numberedBehind) }) {
		return noun.text
	}
	return ""
}

var monthly = strings.Fields("每月 月 个月 本月 下月")

// What a number with 号 names begins with one of the first characters, or ends with one of the
// others: 5 号机房, 2 号冰箱.
const (
	numberedChinese = "线楼机店门院桌库厅位车仓码房服节柜塔泵电井炉船站室箱床罐窗窑厂馆桥路"
	numberedBehind  = "箱柜罐炉泵室梯"
)

// takesLabel reports whether a token is a noun of which there are several, told apart by what
// follows: no plural, nothing that is measured, and nothing that has versions.
func (s *statement) takesLabel(i int) bool {
	t := s.all[i]
	switch {
	case t.raw == "#" || t.raw == "人" && i > 0 && s.all[i-1].single() && s.all[i-1].raw != "每" || i == 0 && slices.Contains(hosts, t.raw) || t.class == numbered && t.raw != "version" && t.raw != "版本":
		return true
	case t.class != open && t.class != place, strings.ContainsFunc(t.raw, unicode.IsDigit):
		return false
	case isCJK([]rune(t.raw)[0]):
		r := []rune(t.raw)
		last := r[len(r)-1]
		return !strings.ContainsRune(noLabelBehind, last) && !(i > 0 && s.all[i-1].class == value && strings.ContainsRune(counters, last))
	case i > 0 && slices.Contains(auxiliaries, s.all[i-1].raw): // users can upload 5 files
		return false
	case strings.HasSuffix(t.raw, "s") && !strings.HasSuffix(t.raw, "ss") && !strings.HasSuffix(t.raw, "us"):
		return false
	}
	return !slices.Contains(unnumbered, t.raw) && !slices.Contains(measured, t.raw) && !slices.Contains(versioned, t.raw) && !slices.Contains(betweenNouns, t.raw)
}

// Nouns of which a number that follows is the value, and those of which it is the version; words
// after which no name comes.
var (
	measured = strings.Fields(`count amount total rate price cost fee budget score age weight depth quota minimum maximum max min threshold capacity temperature pressure speed
		retention delay priority concurrency parallelism percentage ratio factor value index length distance range past about around over nearly almost exactly least most only measure weigh span cover seat`)
	versioned = strings.Fields(`node nodejs python java go golang ruby php rust swift kotlin scala windows macos ios android ubuntu debian fedora office excel chrome firefox safari
		electron gradle maven xcode angular react vue django rails spring laravel terraform kubernetes docker unity cuda qt tls ssl http php net dotnet typescript es jdk jre openjdk
		gcc clang llvm cmake kernel linux postgres postgresql mysql mariadb redis mongodb kafka nginx gpt llama svelte solid nuxt astro flutter elixir perl julia haskell lua bash version release api schema protocol model sha md utf v`)
	betweenNouns = strings.Fields("if when while because unless until since though although whether what how why where but or than like as not yet still")
)

// noLabelBehind are Chinese characters after which a number counts or measures.
const noLabelBehind = "设以配开有为共约近超满达剩多少加留用跑占需要每各前后到至从过隔按值限额价费率度口量数长宽高重深压温速时"

// counts reports whether a number counts what follows it or is measured in that.
func (s *statement) counts(i int) bool {
	if i+1 == len(s.all) {
		return s.verbAt == len(s.all) && i < 3 // retries 5
	}
	next := s.all[i+1]
	if _, unit := measures()[next.raw]; unit || slices.Contains(units, next.raw) {
		return true
	}
	return next.class == value || strings.Contains(counters, next.raw) || next.raw == "=" || next.raw == "%"
}

// units are what a number is measured in, beside those that are reckoned with.
var units = strings.Fields("hz khz mhz ghz w kw mw kwh wh v kv a ma mah m cm mm km mm² m² l ml cl hl bar mbar psi pa kpa hpa lux lm db ppm mg g degree degrees volt volts watt watts litre litres liter liters metre metres meter meters euro euros pound pounds yen yuan franc francs kmh mph knots by")

// counters are Chinese words for what is counted.
const counters = "个台次条人名位份张天年月号点元度件只把本项种类倍核层级岁块米吨公里升斤折页行字遍班轮辆套组副棵头匹寸美欧"

// letterLabel is a letter or a short word in capitals that names what the noun beside it is: gate
// A, the IT shop, the warehouse in BE, A库.
func (s *statement) letterLabel(i int) (l label, is bool) {
	t := s.all[i]
	if !t.large || len(t.raw) > 3 || strings.ContainsFunc(t.raw, func(r rune) bool { return !unicode.IsLetter(r) || isCJK(r) }) {
		return l, false
	}
	beside := func(k int) bool { // not among capitals alone
		return k >= 0 && k < len(s.all) && (len(t.raw) == 1 || !s.all[k].large)
	}
	l = label{name: t.raw, at: i, letters: true}
	switch {
	case beside(i-1) && (s.takesLabel(i-1) || s.all[i-1].class == scope && i > 1):
		l.of = s.all[i-1].text
	case beside(i+1) && (isCJK([]rune(s.all[i+1].raw)[0]) || i > 0 && s.all[i+1].class != light && s.all[i+1].class != scope):
		l.of, l.beside = s.all[i+1].text, true
	}
	return l, l.of != ""
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
	case done, s.subject(s.all[i]):
		return surely
	case s.verbAt == len(s.all) && s.begins(i):
		return surely
	case s.verbAt == 0 && i == 1 && slices.Contains(hosts, s.all[0].raw): // host web-07 has, or host it there
		return perhaps
	case !s.cue && (s.verbAt == len(s.all) || s.verb == many || s.verb == owns):
		return perhaps
	}
	return hardly
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
