package period

import "strings"

// Words before "from" and a day that are spoken of by that day: the dump from Monday. A day behind
// another word, at the end of what is said, is the first one: is serviced by Lotte from Monday.
const ofADay = " dump dumps backup backups snapshot snapshots export exports report reports minutes notes note mail mails email emails message messages release releases version versions build builds log logs copy copies list lists figures numbers data file files draft drafts plan plans decision decisions ticket tickets letter letters photo photos picture pictures recording recordings meeting meetings call calls invoice invoices order orders result results state entry entries commit commits bug bugs change changes leftovers issue issues statement statements certificate certificates table tables record records incident outage episode post article request requests survey sample samples scan scans test tests run runs tag tags image images artifact artifacts review reviews talk slides question questions answer answers key keys price prices session sessions trace traces value values one ones those that "

// Words before it that need it: is different from Monday, the photo is from 5 December.
const needsFrom = " different differs differ apart aside away far moved postponed carried left taken counted recovered restored inherited comes came come dates dated date is are was were be been stems resulted learned copied imported rescheduled pushed delayed shifted changed switched suffers hidden protected derived converted back "

// starts reports whether a "from" at i, with a day that ends before next, says from when on what is said
// holds: where it is the last of it, and that day is to come sooner than the one before has passed.
func (r *reader) starts(list []token, i, next int, s span) bool {
	if !ends(list, next) && !any([]string{word(list, next)}, "because", "until", "instead", "due", "unless", "while", "when") {
		return false
	}
	if before := " " + word(list, i-1) + " "; i == 0 || among(ofADay, before) || among(needsFrom, before) {
		return false
	}
	return s.weekday || s.bad || r.nearest(s).start.After(r.today)
}

// somebody reports whether a name of a month is somebody's: until May has signed it off.
func somebody(list []token, i int) bool {
	if !any([]string{list[i].text}, "may", "april", "june", "august", "jan") {
		return false
	}
	switch word(list, i+1) {
	case "has", "had":
		return !any([]string{word(list, i+2)}, "passed", "ended", "begun", "started", "gone", "come", "been", "31", "30")
	case "will", "would", "can", "could", "does", "did", "says", "said", "signs", "signed", "approves", "approved", "confirms", "confirmed", "agrees", "agreed", "returns", "returned", "comes", "decides", "answers", "reviews", "reviewed", "checks", "allows", "wants", "knows", "gets":
		return true
	case "is", "was":
		return any([]string{word(list, i+2)}, "back", "ready", "here", "home", "happy", "okay", "ok", "well", "available", "there")
	}
	return false
}

// german reads no day, and names what bounds the fact by one: ab 11. Dezember, bis Freitag.
func (r *reader) german(list []token, i int) {
	next := i + 1
	numbered := next+1 < len(list) && list[next].number >= 1 && list[next].number <= 31 && list[next].digits <= 2 && is(list, next+1, ".")
	const days = " montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november dezember ende mitte anfang morgen nächste nächster nächsten "
	switch {
	case numbered:
		r.unclear(r.text[list[i].from:list[min(i+3, len(list)-1)].to])
	case among(days, " "+word(list, next)+" "):
		r.unclear(r.text[list[i].from:list[next].to])
	}
}

// theRest is where the words for the rest of some time end, 0 if these are none.
func theRest(list []token, i int) int {
	at := i
	if any([]string{word(list, at)}, "for", "over", "during", "throughout", "through") {
		at++
	}
	if is(list, at, "the", "rest", "of") || is(list, at, "the", "remainder", "of") {
		return at + 3
	}
	return 0
}

// rest reads the end of what holds for the rest of some time: is blocked for the rest of this week.
func (r *reader) rest(list []token, i, from int) (next int) {
	s, next, ok := r.whole(list, from)
	if !ok {
		s, next, ok = r.relative(list, from)
	}
	words, plain := sentence(list, i), !is(list, i, "the")
	switch {
	case !plain && !ends(list, next) && (!begins(list, i) || among(auxiliaries, " "+word(list, next)+" ")):
		return from // the rest of the week is what is spoken of
	case past(words), len(words) > 1 && happened(words[1:]) && !any(words, "is", "are", "be", "been", "stay", "stays", "remain", "remains"), ok && again(words, s):
	case !ok && plain && any([]string{word(list, from), word(list, from+1)}, "sprint", "season", "semester", "term", "holidays", "vacation", "summer", "winter", "spring", "autumn", "fall", "migration"),
		ok && (s.bad || is(list, next, "and") || rule(list, i, next, s)):
		r.unclear(r.said(list, i, max(next, from+2)))
	case ok && s.relative && !now(list, i, next, !s.each):
		r.unclear(r.said(list, i, next))
	case ok:
		r.until(r.next(s).end)
	}
	return next
}

// spell reads no end of a week that is named as when something is so, since it may be over before:
// is serviced by Lotte this week.
func (r *reader) spell(list []token, i int) {
	words := sentence(list, i)
	if !any([]string{word(list, i+1)}, "week", "month", "quarter", "year") || !ends(list, i+2) && !begins(list, i) || any([]string{word(list, i-1)}, "until", "till", "by", "of", "since", "before", "after", "from", "through", "end") {
		return
	}
	if (any(words, "is", "are") || future(words)) && !past(words) && !happened(words) && !again(words, span{weekday: true}) {
		r.unclear(r.said(list, i, i+2))
	}
}

// onlyIn names a month in which alone something is so: only in January.
func (r *reader) onlyIn(list []token, i int) {
	words := sentence(list, i)
	s, next, ok := r.named(list, i+1)
	alone := any([]string{word(list, i-1)}, "only") || ends(list, next) && any(words, "is", "are")
	if ok && s.month && s.yearless() && alone && !past(words) && !happened(words) && !again(words, s) {
		r.unclear(r.said(list, i, next))
	}
}

// inPresent names a week or a month in which something is so, as spell does: 本周由洛特负责.
func (r *reader) inPresent(t []rune, i int) {
	n := has(t, i, "本周", "这周", "本星期", "本月", "这个月")
	if n == 0 || has(t, i+n, "一", "二", "三", "四", "五", "六", "日", "天", "末", "内", "底", "初", "中", "起", "前", "之", "以", "的", "开", "结") > 0 || after(t, i, "到", "至", "从", "自", "止") {
		return
	}
	if words := clause(t, i); !strings.ContainsAny(words, "了过已每") {
		r.unclear(string(t[i : i+n]))
	}
}

// risen are what 起 begins a word with that is no beginning: 三月起火的那台泵.
func risen(t []rune, i int) bool {
	return has(t, i, "火", "床", "飞", "身", "重", "名", "源", "伏", "锈", "雾", "风", "因", "价", "运", "锚", "吊", "泡", "点", "诉", "草", "码", "作") > 0
}

func among(list, word string) bool { return word != "  " && strings.Contains(list, word) }
