package hooks

import (
	"slices"
	"strings"
)

// A reader reads the sentences of a text, in lower case. It has looked up in the whole text which
// words occur at all, since most texts have few of them and many sentences.
type reader struct {
	phrases, openings             []string
	chinese                       bool
	agreed, verbs, topics, closes []string
}

func readerOf(text string, in *pieces) (r reader) {
	r.phrases, r.openings = in.present(text, phrases[:]), in.present(text, openings[:])
	if r.chinese = strings.ContainsFunc(text, han); r.chinese {
		r.agreed, r.verbs, r.topics, r.closes = in.present(text, agreements[:]), in.present(text, verbs[:]), in.present(text, topicVerbs[:]), in.present(text, closings[:])
	}
	return r
}

// pieces has a bit for each four and each six bytes of a text, by which most words that do not
// occur are known without a search. Two may share a bit.
type pieces [512]uint64

func piecesOf(text string) *pieces {
	p := new(pieces)
	for i := 4; i <= len(text); i++ {
		p.set(hash(text[i-4 : i]))
		if i >= 6 {
			p.set(hash(text[i-6 : i]))
		}
	}
	return p
}

func (p *pieces) set(h uint32)      { p[h>>6] |= 1 << (h & 63) }
func (p *pieces) has(h uint32) bool { return p[h>>6]>>(h&63)&1 != 0 }

// hash is a number below 32768.
func hash(s string) uint32 {
	h := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
	if len(s) == 6 {
		h = h*0x85ebca6b ^ (uint32(s[4])|uint32(s[5])<<8)*0xc2b2ae35
	}
	return h * 0x9e3779b1 >> 17
}

// present are the words of a list that a text has.
func (p *pieces) present(text string, list []string) (out []string) {
	for _, w := range list {
		if len(w) >= 4 && !p.has(hash(w[:4])) || len(w) >= 6 && !p.has(hash(w[:6])) {
			continue
		}
		if strings.Contains(text, w) {
			out = append(out, w)
		}
	}
	return out
}

// phrases settle something whoever says them.
var phrases = [...]string{"from now on", "going forward,", "ruled out ", "the choice fell on", "the final choice is", "the final decision is", "the decision is to ", "the decision was to ", "our decision is", "the consensus is", "the agreement is", "we have a decision", "is off the table", "signed off on ", "as agreed", "per your choice", "per your decision", "as you decided", "as you chose", "henceforth", "i'll remember", "noted:"}

// settles reports whether one sentence says that somebody who may decide has chosen, dropped,
// kept or agreed on something. A sentence says that by a verb and its subject: "we chose" does,
// "the loop chose" and "you choose" do not.
func (r reader) settles(sentence string) bool {
	if r.headed(sentence) || r.settlesChinese(sentence) || strings.Contains(sentence, "name will be ") && namesValue(sentence) && !r.open(sentence) {
		return true
	}
	for _, p := range r.phrases {
		if strings.Contains(sentence, p) && !strings.Contains(sentence, "not "+p) {
			return !r.open(sentence)
		}
	}
	words := strings.Fields(sentence)
	if n := len(words); n > 2 && words[n-2] == "it" && words[n-1] == "is" && !strings.Contains(" as what where how who than if whether why because since that once like when here there so now and but or yes no maybe perhaps think believe sure unless until while though although wherever whatever which say says said see know means hope guess suppose indeed ", " "+words[n-3]+" ") {
		return !r.open(sentence) // plain REST it is
	}
	for i, w := range words {
		if choice(words, i, strings.TrimRight(w, ",:")) {
			return !r.open(sentence)
		}
	}
	return false
}

// openings leave to others, to later or to chance what a sentence speaks of.
var openings = [...]string{"not sure", "unsure", "no idea", "don't know", "not yet", "n't yet", "yet to ", "undecided", "to be decided", "to be agreed", "tbd", "up to you", "your call", "your choice", "your decision", "is yours", "you decide", "you choose", "you pick", "still open", "still need",
	"still have to", "need to decide", "have to decide", "has to decide", "must decide", "help you", "once you", "let me know which", "let me know whether", "tell me which", "tell me whether", "none of us", "whether"}

// open reports a sentence that leaves open what it speaks of.
func (r reader) open(s string) bool {
	for _, p := range r.openings {
		if before, after, ok := strings.Cut(s, p); ok && !(strings.HasPrefix(p, "your ") && endsIn(before, "per ", "following ", "by ", "to ", "with ", "after ")) && !(strings.HasPrefix(p, "you ") && (strings.HasPrefix(after, "d") || strings.HasPrefix(after, "ed"))) {
			return true
		}
	}
	return false
}

// endsIn reports that something was done after somebody else's choice: "per your choice".
func endsIn(before string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(" "+before, " "+w) })
}

// headed reports a heading that is followed by what was decided, as in "Decision: SQLite".
func (r reader) headed(s string) bool {
	head, what, ok := strings.Cut(strings.Replace(s, "：", ":", 1), ":")
	if what = strings.TrimLeft(what, " *_"); !ok || what == "" || r.open(what) || vague(what) {
		return false
	}
	head = strings.TrimRight(head, " *_")
	for _, p := range [...]string{"决定", "最终选择", "最终方案", "决议", "定案", "选型", "选型结果", "共识", "已定"} {
		if strings.HasSuffix(head, p) && len(head) < 40 && !r.openChinese(head) && !strings.Contains(head, "没有") {
			return true
		}
	}
	for _, p := range [...]string{"final ", "our ", "my ", "the ", "team ", "joint "} {
		head = strings.TrimPrefix(head, p)
	}
	switch head {
	case "decision", "decisions", "decided", "let us decide", "let's decide", "choice", "chosen", "agreed", "agreement", "verdict", "settled", "ruling", "resolution", "call", "pick", "consensus", "selection":
		return true
	case "conclusion", "outcome", "结论", "最终结论", "方案", "结果":
		return adopts(what)
	}
	return false
}

// vague reports what stands after a heading where nothing was decided.
func vague(what string) bool {
	for _, p := range [...]string{"none", "n/a", "pending", "open", "no decision", "unknown", "-", "无", "暂无", "没有", "待", "未定"} {
		if strings.HasPrefix(what, p) {
			return true
		}
	}
	return false
}

// adopts reports a text that begins with what to do about a choice.
func adopts(what string) bool {
	for _, p := range [...]string{"use ", "keep ", "drop ", "go with", "stay ", "stick ", "we ", "switch ", "move to", "no ", "用", "采用", "使用", "选", "不用", "不做", "不上", "保留", "改用", "换", "放弃", "沿用", "走", "统一", "继续用"} {
		if strings.HasPrefix(what, p) {
			return true
		}
	}
	return false
}

// choice reports whether the word at i is the verb of a choice, with a subject that can make one.
func choice(words []string, i int, verb string) bool {
	next := at(words, i+1)
	switch verb {
	case "decided", "opted", "agreed", "vetoed", "resolved":
		if verb == "agreed" && next != "to" && next != "on" && next != "that" && next != "with" && next != "not" && i > 0 || verb == "agreed" && next == "with" && !strings.Contains(strings.Join(words[i:], " "), " that ") ||
			verb == "resolved" && next != "to" {
			return false
		}
		return subject(words, i) || i == 1 && verb != "resolved" && !strings.Contains(" this that it which who there everything nothing nobody both all not being have has had ", " "+words[0]+" ") || impersonal(words, i)
	case "chose", "picked", "adopted", "settled", "rejected", "abandoned", "scrapped", "ditched", "discarded", "shelved", "standardized", "standardised", "committed", "declined", "overruled":
		switch {
		case verb == "picked" && (next == "up" || next == "out" || next == "apart"), verb == "committed" && next != "to", verb == "settled" && next != "on" && next != "for", strings.HasPrefix(at(words, i+2), "wrong"):
			return false
		}
		return subject(words, i) || passive(words, i)
	case "approved":
		return (next == "the" || next == "our" || next == "a" || next == "it") && (subject(words, i) || i == 1)
	case "concluded":
		return next == "that" && containsAny(strings.Join(words[i:], " "), " has to ", " have to ", " must ", " should ", " will ", " we ") && subject(words, i)
	case "gave":
		return next == "up" && at(words, i+2) == "on" && subject(words, i)
	case "chosen", "selected", "dropped", "retired", "kept", "replaced", "swapped", "skipped", "avoided", "used", "preferred", "reverted", "deferred", "postponed", "favoured", "favored":
		if verb == "dropped" && containsAny(strings.Join(words[i:min(len(words), i+5)], " ")+" ", " plan ", " plans ", " idea ", " support ", " requirement ", " option ", " proposal ") {
			return subject(words, i)
		}
		return contrasts(words[i:], verb) && (subject(words, i) || passive(words, i))
	case "rule":
		return next == "out" && strings.Contains(" we i we'll i'll ", " "+at(words, i-1)+" ") && subject(words, i)
	case "went", "going", "gone", "voted":
		if next == "with" && (strings.Contains(" you him her them us me ", " "+at(words, i+2)+" ") || slices.Contains(words[min(len(words), i+3):min(len(words), i+7)], "through")) {
			return false // along with somebody
		}
		return (next == "with" || next == "for" || verb == "voted" && (next == "to" || next == "against")) && subject(words, i)
	case "passed", "turned":
		return (verb == "passed" && next == "on" || verb == "turned" && next == "down") && at(words, i-1) != "tests" && subject(words, i)
	case "moved", "migrated":
		return (next == "from" || next == "away" || next == "over" || next == "to") && !place(words[i:]) && strings.HasPrefix(at(words, i-1)+at(words, i-2), "we")
	case "no":
		return next == "longer" && subject(words, i) && person(words[:i]) && !strings.Contains(" have need see get know ", " "+at(words, i+2)+" ")
	case "won't", "not":
		if verb == "not" {
			next = at(words, i+3)
			if at(words, i+1) != "going" || at(words, i+2) != "to" {
				return false
			}
		}
		return (at(words, i-1) == "we" || at(words, i-1) == "we're" || at(words, i-2) == "we") && subject(words, i) && !strings.Contains(" be know find see work need have get notice break fail ", " "+next+" ")
	case "stuck", "sticking", "staying", "stayed", "landed":
		return (next == "with" || next == "to" || next == "on") && !strings.HasPrefix(at(words, i+2), "error") && verb+next != "stuckon" && subject(words, i)
	case "switched", "switching", "moving", "migrating":
		return (contrasts(words[i:], "used") || next == "to" || next == "from" || next == "away" || next == "over") && !place(words[i:]) && subject(words, i)
	case "dropping", "adopting", "ditching", "scrapping", "retiring", "standardizing", "standardising", "settling", "opting", "choosing", "rejecting":
		return subject(words, i)
	case "keeping", "using", "replacing", "skipping", "avoiding", "leaving":
		return contrasts(words[i:], verb) && subject(words, i)
	}
	return will(words, i, verb)
}

// will reports a verb after "let's", "we'll" and the like that says what is to hold.
func will(words []string, i int, verb string) bool {
	next := at(words, i+1)
	if before := at(words, i-1); before == "we'll" || before == "will" && at(words, i-2) == "we" {
		return (!step(verb) || verb == "go" && next == "with") && verb != "" && subject(words, i)
	}
	switch verb {
	case "use", "keep", "adopt", "choose", "pick", "drop", "avoid", "standardize", "standardise", "retire", "ditch", "scrap", "abandon":
	case "go", "stick", "stay", "switch", "settle", "opt", "move":
		if next != "with" && next != "to" && next != "on" && next != "for" && next != "away" || next == "on" && (verb == "go" || verb == "move") {
			return false
		}
	default:
		return false
	}
	if place(words[i:]) || i == 0 {
		return false
	}
	for i--; i > 0 && strings.Contains(" not just then both all now simply always never only therefore to ", " "+words[i]+" "); i-- {
	}
	before := strings.TrimRight(words[i], ",:")
	switch before {
	case "let's", "we'll", "us":
		return true
	case "will":
		return at(words, i-1) == "we" || at(words, i-1) == "i" && contrasts(words[i:], verb)
	case "i'll", "i":
		return before == "i'll" && (verb == "go" || verb == "stick" || contrasts(words[i:], verb))
	case "going":
		return (at(words, i-1) == "we're" || at(words, i-1) == "are") && contrasts(words[i:], verb)
	case "we":
		return contrasts(words[i:], verb)
	}
	return false
}

// step reports a verb of the present work, which is no plan for later.
func step(verb string) bool {
	return strings.Contains(" see look run try test check start begin continue go fix debug add write have do make get first now move commit push read find figure talk take think say need know notice be then next also ", " "+verb+" ")
}

// subject reports whether whoever the verb at i is said of may decide: we, I, people, or nobody
// named, at the beginning of a clause.
func subject(words []string, i int) bool {
	for _, w := range words[:i] {
		switch strings.TrimRight(w, ",:") {
		case "if", "when", "whenever", "unless", "suppose", "assuming", "how", "why", "where", "should", "would", "could", "might", "can", "say", "says", "claims", "claim", "asks", "asked", "states", "reads", "mentions", "wonders":
			return false
		}
	}
	for i--; i >= 0; i-- {
		w := words[i]
		if last := w[len(w)-1]; last == ',' || last == ':' || w == "-" || w == "–" || w == "—" {
			return w != "-" || i < 4 // "For the cache: going with Redis"
		}
		switch w {
		case "have", "has", "just", "now", "also", "finally", "therefore", "eventually", "both", "all", "then", "already", "are", "am", "so", "deliberately", "instead", "jointly", "unanimously", "ultimately", "formally", "today", "yesterday", "explicitly", "is", "will", "longer", "no", "officially", "later", "still":
			continue
		case "we", "i", "we've", "i've", "we're", "i'm", "we'll", "i'll", "let's", "us":
			return true
		case "you", "you've", "everyone", "everybody", "team", "teams", "parties", "sides", "developers", "engineers", "ops", "legal", "management", "customer", "client", "boss", "cto", "ceo", "stakeholders", "committee", "board", "product", "security", "user", "architects", "reviewers", "owner", "owners", "group", "meeting", "colleagues", "lead":
			return !past(words)
		case "and", "but":
			return !past(words) && i > 0 && person(words[:i])
		}
		return false
	}
	return true
}

// person reports whether "we" or "I" was the subject before.
func person(words []string) bool {
	for _, w := range words {
		switch w {
		case "we", "i", "we've", "i've", "we're", "i'm", "we'll", "i'll":
			return true
		}
	}
	return false
}

// past reports a sentence about what others did long ago.
func past(words []string) bool {
	for i, w := range words {
		w = strings.Trim(w, ",()")
		switch {
		case w == "originally" || w == "historically" || w == "upstream" || w == "ago" || w == "rumour" || w == "supposedly":
			return true
		case len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && i > 0 && (words[i-1] == "in" || words[i-1] == "since"):
			return true
		}
	}
	return false
}

// passive reports a choice without its subject that is told with its reason: "Redis was rejected
// because …". What a program chooses is told like that, too, with what it does it by.
func passive(words []string, i int) bool {
	before := at(words, i-1)
	if before != "was" && before != "were" && before != "been" && before != "is" || i < 2 || past(words) {
		return false
	}
	verb := ""
	switch words[i] {
	case "dropped", "kept", "rejected", "selected", "discarded", "abandoned", "declined", "skipped", "replaced", "retired":
		if !strings.Contains(" option proposal idea approach plan design variant rewrite alternative ", " "+at(words, i-2)+" ") {
			verb = "used" // of what happens to requests and files the reason says little
		}
	}
	return at(words, i+1) != "by" && at(words, i+1) != "when" && contrasts(words[i:], verb)
}

// impersonal reports "it was decided to" and "it has been agreed that".
func impersonal(words []string, i int) bool {
	before, next := at(words, i-1), at(words, i+1)
	return (before == "was" || before == "been" || before == "is") && words[0] == "it" && (next == "to" || next == "that" || next == "not") && !past(words) || before == "been" && next == "" && i > 1
}

// contrasts reports whether the words after a verb give what was not chosen, or a reason. What
// was merely used has a reason too often.
func contrasts(words []string, verb string) bool {
	for i, w := range words {
		next := at(words, i+1)
		switch strings.TrimRight(w, ",:") {
		case "instead", "rather", "over", "favour", "favor", "anymore", "permanently":
			return w != "over" || next != "the" || verb == ""
		case "because", "since", "due":
			return verb != "used" && verb != "using" && verb != "moved"
		case "not":
			return i > 0 && strings.HasSuffix(words[i-1], ",")
		case "with":
			return (verb == "replaced" || verb == "replacing" || verb == "swapped") && strings.Contains(strings.Join(words, " "), "everywhere")
		}
	}
	return false
}

// place reports that what is switched to is where one works, such as a branch.
func place(words []string) bool {
	for _, w := range words[:min(len(words), 7)] {
		switch strings.TrimRight(w, ",:") {
		case "branch", "directory", "folder", "tab", "window", "worktree", "page", "line", "main", "master", "next", "step", "terminal", "shell", "session", "machine", "model", "account", "browser", "mode", "user":
			return true
		}
	}
	return false
}

func at(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return strings.TrimRight(words[i], ",:")
}
