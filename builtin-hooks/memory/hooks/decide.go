package hooks

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// How a decision, or a wish for all later work, is worded. Some words only count at the
// beginning of a sentence, since elsewhere they describe a mistake: "never" and "always".
var (
	decided = strings.Split("let's go with|let us go with|we'll go with|we will go with|i'll go with|we go with|going with|go with option|go with the|let's use|let us use|let's keep|let's stick|let's switch|let's move to|let's drop|let's settle|"+
		"we'll use|we will use|we use|we are using|we're using|we're switching|we switch to|we are switching|we're moving to|we move to|we are moving|we agree|as agreed|"+
		"from now on|from today|going forward|in future|in the future|i prefer|we prefer|prefer to|stick with|stick to|settle on|settle for|opt for|standardize on|standardise on|"+
		"don't use|do not use|we won't|we will not|no longer|our convention|the convention is|by convention|the rule is|as a rule|make it a rule|we choose|i choose|i'd choose|let's pick|i pick |policy is|policy:|it has to be|must always|must never|should always|should never|"+
		"i want the|i want all|i want every|i want to keep|we want|i'd rather|i don't like|i do not like|i like |i hate|make all|make every|we're dropping|we drop|we are dropping|no more |capped at|limited to|talked to|spoke to|confirmed|signed off|approved|must not|must be |may not|is not allowed|are not allowed|not allowed|for now|we support|we only|we keep|we don't|we do not|the plan is|the deal is|it stays|stays at|stays on|are to be|is to be|on purpose|final answer|trade-off|tradeoff", "|")
	fronted = strings.Split("no |every |forget |always |never |please always |please never |and always |and never |use only |only use |scrap the |ditch the |以后", "|")
	settled = strings.Split("就用|定为|就定|定下|敲定|就选|改成每|改为每|用中文|用英文|统一用|统一使用|统一为|统一成|以后都|以后不|以后要|以后就|以后用|以后请|以后一律|今后|从现在起|从现在开始|从今以后|从今天起|不再用|不再使用|不再支持|不要再|别再|一律|我们用|我们就|优先用|优先使用|放弃使用|规定|我更喜欢|我喜欢|我习惯|我偏好|定了|就这么定|就按|选择使用|我选|我们选|选方案|用方案|全部用|都用|禁止使用|不要用|不要使用|不用再|不喜欢|确认过|确认了|定在|不许|不允许|必须|只能|要求是|理由是|就这样定|就这样办|就这样做|走方案|最多保留|上限|默认用|默认值|不能再|不做了|先不做|先不上|先用|不考虑|不支持|商量|老板说|产品说|客户要求|拍板|说好|按照", "|")
)

// wishes are what a person says who wants something to be remembered.
var wishes = [...]string{"remember that", "remember this", "remember:", "please remember", "don't forget:", "don't forget that", "do not forget that", "do not forget:", "note for later", "note to self", "make a note", "take a note", "keep in mind", "for future reference", "for the record",
	"记住", "记下", "记一下", "记着", "请记得", "记好", "别忘了", "不要忘记", "备忘", "记到"}

// wished reports whether a prompt asks to remember something.
func wished(text string) bool {
	text = plainly(text)
	here := piecesOf(text).present(text, wishes[:])
	return len(here) > 0 && slices.ContainsFunc(sentences(text), func(s string) bool { return containsAny(s, here...) && !tells(s) })
}

// decides reports whether a text states what is to hold from now on: a decision, an agreement,
// a preference. Questions do not. It is a cheap test, which now and then asks for a summary
// when there is little to say, and asks only once.
func decides(text string) bool { return decidesIn(text, true) }

// decidesBeside is decides without the sentences that ask to remember something, which a fact that
// is saved has the words of.
func decidesBeside(text string) bool { return decidesIn(text, false) }

func decidesIn(text string, wished bool) bool {
	text = plainly(text)
	in := piecesOf(text)
	r := readerOf(text, in)
	plain, asks := in.present(text, decided), []string(nil)
	if r.chinese {
		asks = in.present(text, settled)
	}
	asked := in.present(text, wishes[:])
	for _, sentence := range sentences(text) {
		if wants := containsAny(sentence, asked...) && !tells(sentence); wants && !wished {
			continue
		} else if wants || r.settles(sentence) {
			return true
		}
		if thanks(sentence) {
			continue
		}
		chinese := r.chinese && strings.ContainsFunc(sentence, han)
		clauses := sentence
		if chinese {
			clauses = r.closed(sentence)
		}
		if clauses == "" || r.open(sentence) || tells(sentence) {
			continue
		}
		if containsAny(sentence, plain...) || containsAny(clauses, asks...) || plans(sentence, chinese) {
			return true
		}
		for _, p := range fronted {
			if rest, ok := strings.CutPrefix(sentence, p); ok && !later(p, rest) && !(p == "forget " && containsAny(rest+" ", "about ", "it ", "me ", "password")) {
				return true
			}
		}
	}
	return false
}

// thanks reports a sentence that only ends the conversation.
func thanks(sentence string) bool {
	return strings.HasPrefix(sentence, "就这样") && containsAny(sentence, "谢谢", "多谢", "辛苦", "再见", "拜拜")
}

// tells reports a request to be told something, which may name a decision.
func tells(sentence string) bool {
	for _, p := range [...]string{"explain ", "describe ", "show ", "tell me ", "list ", "find ", "look up ", "search ", "解释", "介绍", "说明一下", "讲讲", "查一下", "找一下"} {
		if strings.HasPrefix(strings.TrimPrefix(sentence, "please "), p) {
			return true
		}
	}
	return false
}

// later reports a 以后 that postpones something, and settles nothing.
func later(front, rest string) bool {
	return front == "以后" && (strings.HasPrefix(rest, "再") || strings.HasPrefix(rest, "有空") || strings.HasPrefix(rest, "有时间"))
}

// plans reports a sentence that says what is to be used or done: "let's" and "we'll", unless
// followed by a step of the present work, "use this, not that", and 用 before a name, unless it
// is a request.
func plans(sentence string, chinese bool) bool {
	for _, p := range [...]string{"let's ", "let us ", "we'll ", "we will "} {
		if _, rest, ok := strings.Cut(sentence, p); ok {
			verb, _, _ := strings.Cut(rest, " ")
			if !step(verb) {
				return true
			}
		}
	}
	if before, rest, ok := strings.Cut(sentence, "use "); ok && !strings.Contains(before, "may ") && !strings.Contains(before, "might ") && !strings.Contains(before, "could ") && !strings.Contains(before, "can ") &&
		(strings.Contains(rest, " not ") || strings.Contains(rest, " only") || strings.Contains(rest, " instead of ") || strings.Contains(rest, " rather than ")) {
		return true
	}
	if picks(sentence) || finally(sentence) || namesValue(sentence) || strings.Contains(sentence, "let's do it ") || strings.Contains(sentence, "'ll go for ") || strings.Contains(sentence, "option a") || strings.Contains(sentence, "option b") || strings.Contains(sentence, "option c") || strings.Contains(sentence, "only supports") || strings.Contains(sentence, "no exceptions") {
		return true
	}
	if !chinese {
		return false
	}
	if mixed(sentence) || strings.Contains(sentence, "方案") && containsAny(sentence, "不要了", "不用了", "作废", "不走了") {
		return true
	}
	for _, p := range [...]string{"只支持", "统一", "不要自己", "不上", "不引入"} {
		if strings.Contains(sentence, p) {
			return true
		}
	}
	if utf8.RuneCountInString(sentence) < 9 && strings.Contains(sentence, "方案") {
		return true // 方案二吧
	}
	if strings.Contains(sentence, "可以") || strings.Contains(sentence, "只要") {
		return false
	}
	for _, p := range [...]string{"帮", "写", "给", "请", "新增", "跑", "看", "试", "能不能", "可以", "解释"} {
		if strings.HasPrefix(sentence, p) {
			return false
		}
	}
	_, name, ok := strings.Cut(sentence, "用")
	name = strings.TrimLeft(name, " ")
	return ok && name != "" && (name[0] >= 'a' && name[0] <= 'z' || name[0] >= '0' && name[0] <= '9') && !strings.Contains(sentence, "能不能")
}

// finally reports that what was said just before is not discussed any more.
func finally(sentence string) bool {
	for _, p := range [...]string{"that's final", "that is final", "this is final", "that's settled", "that's decided"} {
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(sentence, "and "), p); ok && (rest == "" || rest[0] == ',') {
			return true
		}
	}
	return false
}

// namesValue reports "the name will be Heron": what is called or measured so from now on.
func namesValue(sentence string) bool {
	before, value, ok := strings.Cut(sentence, " will be ")
	if !ok || value == "" {
		return false
	}
	words, first := strings.Fields(before), at(strings.Fields(value), 0)
	if strings.Contains(" called named capped limited ", " "+first+" ") {
		return true
	}
	return strings.Contains(" name names limit port retention period default format language license licence deadline version timeout title database framework price threshold interval prefix codename owner region ", " "+at(words, len(words)-1)+" ") &&
		!strings.Contains(" shown printed changed used read set in updated removed here there the a different wrong ignored checked computed displayed fine ok okay good enough known ", " "+first+" ")
}

// mixed reports a choice in English within a Chinese sentence: 那就 go with gRPC.
func mixed(sentence string) bool {
	for _, p := range [...]string{"go with ", "use ", "pick ", "choose ", "keep ", "drop ", "switch to ", "stick with ", "stay with "} {
		before, what, ok := strings.Cut(sentence, p)
		before = strings.TrimRight(before, " ")
		if ok && what != "" && !strings.HasPrefix(what, "了") && !strings.HasPrefix(what, "过") && containsAny(suffix(before, 3), "那就", "我们", "咱们", "还是", "就") && !containsAny(before, "如果", "要是", "可以") {
			return true
		}
	}
	return false
}

// picks reports a short answer to a question for a choice: "second variant please".
func picks(sentence string) bool {
	clause, _, _ := strings.Cut(sentence, ",")
	words := strings.Fields(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(clause, "ok "), "the "), " please"))
	if len(words) != 2 {
		return false
	}
	switch words[1] {
	case "variant", "option", "one", "version", "approach", "way", "proposal":
		return strings.Contains(" first second third last other former latter simpler cheaper smaller ", " "+words[0]+" ")
	}
	return false
}

// concludes reports whether the agent's last message contains a decision. It knows fewer
// phrases than for users, since agents explain more.
func concludes(text string) bool {
	text = plainly(text)
	return slices.ContainsFunc(sentences(text), readerOf(text, piecesOf(text)).settles)
}

// concludesBeside is concludes without the sentences that say that something is saved.
func concludesBeside(text string) bool {
	text = plainly(text)
	r := readerOf(text, piecesOf(text))
	return slices.ContainsFunc(sentences(text), func(s string) bool {
		return !containsAny(s, "remember", "noted", "saved", "记住", "记下", "保存") && r.settles(s)
	})
}

// plainly is a text in lower case, with one form of what has several.
func plainly(text string) string {
	text = strings.ToLower(text)
	for _, p := range [...][2]string{{"’", "'"}, {"\r", ""}, {"\t", " "}, {"**", ""}, {"__", ""}, {"let's encrypt", "letsencrypt"}} {
		text = strings.ReplaceAll(text, p[0], p[1])
	}
	return text
}

// sentences are the sentences of a text that are not questions, without code blocks and what is
// quoted: a name in quotes or code stays as an x.
func sentences(text string) (out []string) {
	for i, part := range strings.Split(text, "```") {
		if i%2 == 1 {
			continue
		}
		part = unquoted(part)
		from := 0
		for at, r := range part {
			switch r {
			case '.', '!', ';', '\n', '。', '！', '；', '?', '？':
				if r == '.' && at+1 < len(part) && part[at+1] != ' ' && part[at+1] != '\n' {
					continue // part of a name
				}
				if s := strings.TrimLeft(part[from:at], " \n-*>#."); r != '?' && r != '？' && !asks(s) {
					out = append(out, strings.TrimLeft(s, "。！；？ "))
				}
				from = at + len(string(r))
			}
		}
		if s := strings.TrimLeft(part[from:], " \n-*>#。！；？"); !asks(s) {
			out = append(out, s)
		}
	}
	return out
}

// unquoted is a text with an x for each piece in quotes or code that ends on its line, and
// without the lines that quote.
func unquoted(text string) string {
	if !strings.ContainsAny(text, "\"`“「『>") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), ">") {
			continue
		}
		for line != "" {
			i := strings.IndexAny(line, "\"`“「『")
			if i < 0 {
				break
			}
			size := 1
			end := line[i : i+1]
			for _, pair := range [...][2]string{{"“", "”"}, {"「", "」"}, {"『", "』"}} {
				if strings.HasPrefix(line[i:], pair[0]) {
					size, end = len(pair[0]), pair[1]
				}
			}
			quoted, rest, ok := strings.Cut(line[i+size:], end)
			if !ok {
				break
			}
			b.WriteString(line[:i])
			if quoted != "" {
				b.WriteString("x")
			}
			line = rest
		}
		b.WriteString(line)
	}
	return b.String()
}

// asks reports a question without a question mark.
func asks(s string) bool {
	for _, p := range [...]string{"why ", "how ", "what ", "which ", "when ", "where ", "who ", "should ", "could ", "can ", "do ", "does ", "did ", "is ", "are ", "would ", "if ", "was ", "were ", "为什么", "怎么", "如何", "是否", "是不是", "哪", "谁"} {
		if strings.HasPrefix(s, p) && !strings.HasPrefix(s, "do not ") {
			return true
		}
	}
	return strings.HasSuffix(s, "吗") || strings.HasSuffix(s, "呢") || strings.Contains(s, "为什么") || strings.Contains(s, "要不要")
}
