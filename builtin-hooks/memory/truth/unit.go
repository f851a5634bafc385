package truth

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Sense knows how near words are in meaning: package search has one, from the lexicon.
type Sense interface {
	Like(a, b string) float32  // of two words or phrases, from 0 to 1
	Knows(word string) bool    // whether it has the word at all
	Tells(word string) float32 // how much a word says, from 0 to 1: the rarer, the more
	Cut(run string) []string   // the words of a run of Chinese characters
}

// A unit is a word of a statement as its meaning is compared: a token, but Chinese that
// the rules know no word of is cut by the sense.
type unit struct {
	text, raw string
	group     string  // of the lexicon: what it contrasts with, or is one kind of
	tells     float64 // how much it says
	subject   bool    // it stands before the verb
	value     bool    // another of its kind may stand in its place: a number, a day, a name
	former    bool    // it held before
	amount    string  // what kind of number it is
}

// unknownTells is how much a word says that no lexicon has, and that is no name.
const unknownTells = 0.5

// units are those of a statement, in order: what tells something, its verb too, if that
// is one that tells what is done.
func (l *lexicon) units(text string, s *statement, sense Sense) (out []unit) {
	called := names(text)
	former := func(t token) bool {
		return slices.ContainsFunc(s.formers, func(o token) bool { return o.at == t.at })
	}
	put := func(t token, word, raw string, former bool) {
		name := called[raw] && !(strings.Contains(text, strings.ToUpper(raw)) && sense.Knows(raw)) || !sense.Knows(raw) && !isCJK([]rune(raw)[0])
		u := unit{text: word, raw: raw, group: l.group[t.text], tells: float64(sense.Tells(raw)), subject: s.subject(t), former: former}
		u.value = t.class == value || strings.HasPrefix(u.group, "=") || name && !strings.HasPrefix(u.group, "!")
		switch {
		case u.tells > 0:
		case name:
			u.tells = 1
		default:
			u.tells = unknownTells
		}
		out = append(out, u)
	}
	for i := 0; i < len(s.all); i++ {
		t := s.all[i]
		if a, n := s.amount(i); n > 0 {
			out = append(out, unit{text: a.text(), raw: t.raw, tells: amountTells, subject: s.subject(t), value: true, former: former(t), amount: a.kind})
			i += n - 1
			continue
		}
		if t.hollow() {
			continue
		}
		if !t.single() {
			put(t, t.text, t.raw, former(t))
			continue
		}
		run := t.raw
		for i+1 < len(s.all) && s.all[i+1].single() && s.all[i+1].at == s.all[i].at+1 {
			i++
			run += s.all[i].raw
		}
		for _, word := range sense.Cut(run) {
			if len([]rune(word)) > 1 || sense.Tells(word) > 0 {
				put(t, word, word, former(t))
			}
		}
	}
	return out
}

// amountTells is how much a number says.
const amountTells = 0.6

// hollow reports whether a token says nothing of what a statement is about.
func (t token) hollow() bool {
	switch t.class {
	case light, negation, changed, former, scope, instead:
		return true
	case is, many, owns, pronoun:
		return !slices.Contains(telling, t.text) && !slices.Contains(telling, t.raw)
	}
	return slices.Contains(hollows, t.raw)
}

// hollows are words that are no claim, telling those that tell something though they are
// verbs that many statements have, or may stand for anything.
var (
	hollows = strings.Fields("through until since up down about these well still yet if when while because where how but or out off per again back 以后 如果 因为 由于 通过 进行")
	telling = func() (out []string) {
		for _, w := range strings.Fields(`deploy write build ship open listen host store expire target review publish export import read connect support depend
			user repo repository codebase app 用户 仓库 部署 托管 监听 依赖 导入 调用 连接 支持 举行 值班 oncall`) {
			out = append(out, w, stem(w))
		}
		return out
	}()
)

// single reports whether a token is one Chinese character that no list has.
func (t token) single() bool { return t.class == open && oneCJK(t.raw) }

func oneCJK(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && isCJK(r)
}

// named reports whether a unit is a name, or one of a kind of things.
func (u unit) named() bool { return u.value && (u.kind() == "name" || strings.HasPrefix(u.group, "=")) }

// amounts are words that tell what kind of value a statement has.
var amounts = map[string][]string{
	"duration": strings.Fields("s min h day week month year ms quarter millisecond fortnight 毫秒 秒 分钟 小时 天 日 周 月 年 季度"),
	"size":     strings.Fields("kb mb gb tb byte kilobyte megabyte gigabyte kib mib gib"),
	"weight":   strings.Fields("kg kilogram t ton tonne 公斤 千克 吨"),
	"percent":  strings.Fields("%"),
	"clock":    strings.Fields("am pm utc noon midnight cet morning evening afternoon 点 点半 上午 下午 晚上 早上 凌晨 中午"),
	"day": strings.Fields(`monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun weekday weekend
		daily weekly monthly hourly nightly night quarterly 周一 周二 周三 周四 周五 周六 周日 每周一 每周二 每周三 每周四 每周五 每天 每周 每月 每晚 每日 每年 每季度 每小时`),
}

// kind is what kind of value a unit is; "" if it is none.
func (u unit) kind() string {
	if !u.value || u.amount != "" {
		return u.amount
	}
	for kind, list := range amounts {
		if slices.Contains(list, u.raw) || slices.Contains(list, u.text) {
			return kind
		}
	}
	if monthOf[u.raw] > 0 {
		return "month"
	}
	switch digit := u.raw[0] >= '0' && u.raw[0] <= '9'; {
	case strings.HasPrefix(u.group, "="):
		return u.group
	case digit && strings.Contains(u.raw, ":"):
		return "clock"
	case digit:
		return "number"
	}
	return "name"
}
