package truth

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	codeLike    = regexp.MustCompile(`^[a-z]{0,2}\d{1,8}(?:-[a-z])?$`)
	partedCodes = regexp.MustCompile(`^([a-z]{2,}(?:[-_][a-z]+)*[-_]?)(\d+)$`)
	letterCodes = regexp.MustCompile(`^([a-z]{2,}[-_])([a-z])$`)
	shortCodes  = regexp.MustCompile(`^([a-uw-z])(\d+)$`)
	addresses   = regexp.MustCompile(`^(?:\d+\.){3}\d+(?::\d+)?$`)
)

// numberLabel is a number that names what the noun beside it is: customer 4411, rel-2611, 5 号机房.
func (s *statement) numberLabel(i int) (l label, is bool) {
	for _, find := range []func(int) (label, bool){s.codeLabel, s.ordinalLabel, s.chineseLabel} {
		if l, is = find(i); is {
			return l, true
		}
	}
	t := s.all[i]
	switch {
	case i == 0 || !s.takesLabel(i-1) && !s.beginsList(i) || t.opens && s.all[i-1].class != numbered && s.all[i-1].raw != "no":
		return l, false
	case codeLike.MatchString(t.raw) && (t.raw[0] != 'v' || t.large) && !s.counts(i), s.isWordName(i):
		return label{of: s.all[i-1].text, name: t.raw, at: i, from: i - 1, to: i}, true
	}
	return l, false
}

// codeLabel is a code of letters and digits that names something alone.
func (s *statement) codeLabel(i int) (l label, is bool) {
	t := s.all[i]
	l = label{name: t.raw, at: i, from: i, to: i}
	if m := partedCodes.FindStringSubmatch(t.raw); m != nil {
		l.of, l.name = m[1], m[2]
		kind := strings.TrimRight(m[1], "-_")
		l.version = slices.Contains(versioned, kind)
		return l, !l.version || kind != m[1] // node-3, and no py3
	}
	if m := letterCodes.FindStringSubmatch(t.raw); m != nil { // svc-a
		l.of, l.name = m[1], m[2]
		return l, true
	}
	if !s.leads(i) {
		return l, false
	}
	if m := shortCodes.FindStringSubmatch(t.raw); m != nil && t.large { // R4 has, P1 incidents
		l.of, l.name = m[1], m[2]
		return l, true
	}
	l.of = "address"
	return l, addresses.MatchString(t.raw)
}

// beginsList reports whether a token is the first of several names of what a statement begins with:
// gates A and B.
func (s *statement) beginsList(i int) bool {
	if i == 0 || i+2 >= len(s.all) || !s.leads(i-1) || !s.all[i+1].joins() || s.all[i-1].class != open && s.all[i-1].class != numbered {
		return false
	}
	next := s.all[i+2]
	return s.all[i].large == next.large && (next.large || codeLike.MatchString(next.raw)) && !s.counts(i+2)
}

// memberLabel is one of a list behind the first that has the noun: pumps 4 and 7.
func (s *statement) memberLabel(i int, before []label) (l label, is bool) {
	if len(before) == 0 || i == 0 || !s.all[i-1].joins() || i+1 < len(s.all) && strings.HasSuffix(s.all[i+1].raw, "s") && s.all[i+1].class == open {
		return l, false
	}
	last, t := before[len(before)-1], s.all[i]
	if last.to >= i || slices.ContainsFunc(s.all[last.to+1:i], func(t token) bool { return !t.joins() && t.class != value && !t.large }) {
		return l, false // no list
	}
	like := t.large && len(t.raw) == 1
	if !last.letters {
		like = codeLike.MatchString(t.raw) && !s.counts(i)
	}
	return label{of: last.of, name: t.raw, at: i, from: i, to: i, letters: last.letters}, like
}

// leads reports whether a statement begins with a token.
func (s *statement) leads(i int) bool { return i == 0 || i == 1 && s.all[0].raw == "the" }

// isWordName reports whether a number in words names the noun before it: rack four has.
func (s *statement) isWordName(i int) bool {
	_, number := numbers()[s.all[i].raw]
	return number && i+1 < len(s.all) && s.leads(i-1) && (s.verbAt == i+1 || slices.Contains(auxiliaries, s.all[i+1].raw))
}

// ordinals stand between a number and what it names: the 4th floor.
var ordinals = strings.Fields("st nd rd th")

func (s *statement) ordinalLabel(i int) (l label, is bool) {
	if i+2 >= len(s.all) || !slices.Contains(ordinals, s.all[i+1].raw) {
		return l, false
	}
	noun := s.all[i+2]
	return label{of: noun.text, name: s.all[i].raw, at: i, from: i, to: i + 2}, noun.class == open || noun.class == numbered || noun.class == place
}

// chineseLabel is a Chinese number that names one: 5 号机房, 三号电梯, 第 12 号任务, 2 栋. A 号 before
// anything else may tell a day.
func (s *statement) chineseLabel(i int) (l label, is bool) {
	if s.all[i].class != value || i+2 >= len(s.all) {
		return l, false
	}
	l = label{name: s.all[i].raw, at: i, from: i, to: i + 1}
	for l.from > 0 && slices.Contains(chineseDigits, s.all[l.from].raw) && slices.Contains(chineseDigits, s.all[l.from-1].raw) { // 十三号
		l.from--
		l.name = s.all[l.from].raw + l.name
	}
	unit, noun := s.all[i+1], s.all[i+2]
	if unit.raw != "号" {
		l.of = unit.raw
		return l, l.from == 0 && s.namesPart(i+1)
	}
	if i > 0 && s.all[i-1].raw == "月" || slices.ContainsFunc(s.all[:i], func(t token) bool { return slices.Contains(monthly, t.raw) }) {
		return l, false
	}
	l.of, l.to = noun.text, i+2
	return l, strings.ContainsAny(noun.raw, numberedChinese) || noun.class == numbered || l.from > 0 && s.all[l.from-1].raw == "第" ||
		noun.class == open && !strings.ContainsAny(noun.raw, doneOnDays) && slices.ContainsFunc(s.all[i+3:min(len(s.all), i+5)], func(t token) bool { return strings.ContainsAny(t.raw, numberedBehind) })
}

// namesPart reports whether what follows a number that a statement begins with makes it a name, and
// no count: 三楼, 12 床, 7 路公交, 2 栋有, 三组的, but not 2 组数据.
func (s *statement) namesPart(i int) bool {
	next := s.all[i+1]
	switch s.all[i].raw {
	case "楼", "床":
		return true
	case "路":
		return slices.Contains([]string{"公", "车", "电", "巴"}, next.raw)
	case "栋", "幢", "座", "层", "组", "班", "排", "区", "室":
		return slices.Contains([]class{is, many, owns}, next.class) || slices.Contains([]string{"的", "归", "由", "有", "没"}, next.raw)
	}
	return false
}

var monthly = strings.Fields("每月 月 个月 本月 下月")

// What a number with 号 names begins with one of the first characters, or ends with one of the
// others: 5 号机房, 2 号冰箱.
const (
	numberedChinese = "闸摊阀灯屏锅舱棚线楼机店门院桌库厅位车仓码房服节柜塔泵电井炉船站室箱床罐窗窑厂馆桥路"
	numberedBehind  = "箱柜罐炉泵室梯位口道台场组队员手区岗"
	doneOnDays      = "发开上下前后到至起之交盘结放出截还付收检提停复完召举晚早凌以报例月值" // 5 号到位
)

// takesLabel reports whether a token is a noun of which there are several, told apart by what
// follows: no plural, nothing that is measured, and nothing that has versions.
func (s *statement) takesLabel(i int) bool {
	t := s.all[i]
	switch {
	case slices.Contains(several, t.raw), t.raw == "no" && i > 0, i == 0 && slices.Contains(periods, t.raw), t.raw == "#" || t.raw == "人" && i > 0 && s.all[i-1].single() && s.all[i-1].raw != "每" || i == 0 && slices.Contains(hosts, t.raw) || t.class == numbered && t.raw != "version" && t.raw != "版本":
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

// several are nouns of those who speak and of what is spoken about that are told apart by a name.
var several = strings.Fields("team project user app 团队 项目 用户 仓库")

// periods are told apart by a number where a statement begins with them: week 12 is.
var periods = strings.Fields("week day quarter")

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
const noLabelBehind = "给向往跟让请由被把送找问在是做经设以配开有为共约近超满达剩多少加留用跑占需要每各前后到至从过隔按值限额价费率度口量数长宽高重深压温速时"

// counts reports whether a number counts what follows it or is measured in that.
func (s *statement) counts(i int) bool {
	if i+1 == len(s.all) {
		return s.verbAt == len(s.all) && i < 3 // retries 5
	}
	next := s.all[i+1]
	if next.opens {
		return false
	}
	if _, unit := measures()[next.raw]; unit || slices.Contains(units, next.raw) {
		return true
	}
	return next.class == value || strings.Contains(counters, next.raw) || next.raw == "=" || next.raw == "%"
}

// units are what a number is measured in, beside those that are reckoned with.
var units = strings.Fields("hz khz mhz ghz w kw mw kwh wh v kv a ma mah m cm mm km mm² m² l ml cl hl bar mbar psi pa kpa hpa lux lm db ppm mg g degree degrees volt volts watt watts litre litres liter liters metre metres meter meters euro euros pound pounds yen yuan franc francs kmh mph knots by")

// counters are Chinese words for what is counted.
const counters = "楼个台次条人名位份张天年月号点元度件只把本项种类倍核层级岁块米吨公里升斤折页行字遍班轮辆套组副棵头匹寸美欧"

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
	l = label{name: t.raw, at: i, from: i, to: i, letters: true}
	switch {
	case beside(i-1) && !t.opens && (s.takesLabel(i-1) || s.beginsList(i) || s.all[i-1].class == scope && i > 1):
		l.of, l.from = s.all[i-1].text, i-1
	case beside(i+1) && !s.all[i+1].opens && (isCJK([]rune(s.all[i+1].raw)[0]) || i > 0 && s.all[i+1].class != light && s.all[i+1].class != scope):
		l.of, l.beside, l.to = s.all[i+1].text, true, i+1
	}
	return l, l.of != ""
}
