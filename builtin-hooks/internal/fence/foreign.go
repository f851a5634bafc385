package fence

import "strings"

// theirs reports where the name of a tag ends that only a text of somebody else must
// not have; 0 if it is none.
func (s *scanner) theirs(at int, open rune, n *name) int {
	if from := n.foreign(open); from > 0 {
		return from
	}
	if s.unopened(at, open, n) {
		if len(n.ends) == 0 {
			return at
		}
		return n.ends[len(n.ends)-1]
	}
	return s.spelled(at)
}

// foreign reports where the name of a tag ends that is a role, or the mark by
// which a model begins or ends a text; 0 if it is none.
func (n *name) foreign(open rune) int {
	for i, end := range n.starts {
		word := string(n.signs[:end])
		switch {
		case open == '[' && (role(word) || word == "inst" || word == "sys" || word == "systemprompt" || word == "availabletools"):
			return n.ends[i]
		case open == '<' && n.whole && i == len(n.starts)-1 && (role(word) || word == "s" && n.slash || word == "bos" || word == "eos" || word == "eoh" || word == "eoa" || word == "eot"):
			return n.ends[i]
		}
	}
	return 0
}

// unopened keeps count of the tags that are open, and reports whether this one
// closes none of them.
func (s *scanner) unopened(at int, open rune, n *name) bool {
	if len(n.starts) == 0 || open == '[' && !n.whole {
		return n.slash && open == '<'
	}
	word := string(n.signs[:n.starts[len(n.starts)-1]])
	if n.tag > 0 {
		word = word[:n.tag]
	}
	word = string(open) + word
	switch {
	case !n.slash && !s.empty(at):
		if s.open == nil {
			s.open = map[string]int{}
		}
		s.open[word]++
	case n.slash && s.open[word] == 0:
		return true
	case n.slash:
		s.open[word]--
	}
	return false
}

// empty reports whether a tag ends with a slash, and so opens nothing.
func (s *scanner) empty(at int) bool {
	last := rune(0)
	for i := at; i < min(len(s.text), at+tagMost); {
		r, size := decode(s.text[i:])
		switch {
		case r == '>' || r == ']':
			return last == '/'
		case r > ' ':
			last = r
		}
		i += size
	}
	return true // nor does one that does not end
}

// spelled reports where the name of a role in Chinese ends that stands in brackets
// from here on; 0 if none does.
func (s *scanner) spelled(at int) int {
	var word strings.Builder
	for i := at; i < min(len(s.text), at+tagMost); {
		r, size := decode(s.text[i:])
		switch {
		case r == '>' || r == ']':
			if spoken(word.String()) {
				return i
			}
			return 0
		case r >= 0x4e00 && r <= 0x9fff:
			word.WriteRune(r)
		case r >= 0 && !strings.ContainsRune(" \t/|", r):
			return 0
		}
		i += size
	}
	return 0
}

// role reports whether a word is one by which models tell whose turn it is.
func role(word string) bool {
	switch word {
	case "system", "user", "human", "assistant", "developer", "tool", "model", "bot", "ai", "function", "observation", "ipython",
		"instruction", "instructions", "response", "prompt", "systemprompt", "systemmessage", "systeminstruction", "systeminstructions",
		"systemnote", "systemnotice", "newinstruction", "newinstructions", "usermessage", "userprompt", "usersays", "userinput", "userquery", "userrequest",
		"humanmessage", "assistantmessage", "assistantresponse", "aiassistant", "toolresult", "tooloutput", "toolresponse", "functionresult", "functioncall":
		return true
	}
	return false
}

// spoken is role for words in Chinese, as far as nobody heads a list with them.
func spoken(word string) bool {
	switch word {
	case "系统", "系统提示", "系统消息", "系统指令", "系统通知", "用户", "用户消息", "用户指令", "用户输入", "人类", "助手", "助理", "开发者", "工具结果", "指令":
		return true
	}
	return false
}

// begins reports whether a line begins here.
func (s *scanner) begins(at int) bool {
	if at == 0 || s.text[at-1] == '\n' {
		return true
	}
	if !s.foreign {
		return false
	}
	if s.copied == at && strings.HasSuffix(s.out.String(), "›") { // a tag of a turn, which is text now
		return true
	}
	switch s.text[at-1] {
	case 'n', 'r', '0', '3', 'a', 'A', 'd', 'D', ';', '>', '8', '9', '5':
	default:
		return false
	}
	before := strings.ToLower(s.text[max(0, at-12):at])
	for _, spelled := range []string{`\n`, `\r`, `\u000a`, `\u000d`, `\u0085`, `\u2028`, `\u2029`, `\x0a`, `\x0d`, "&#10;", "&#13;", "&#xa;", "&#x0a;", "&#xd;", "&newline;", "%0a", "%0d", "<br>", "<br/>", "<br />"} {
		if strings.HasSuffix(before, spelled) {
			return true
		}
	}
	return false
}
