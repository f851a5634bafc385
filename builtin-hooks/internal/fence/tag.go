package fence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	nameMost = 64  // signs of a name that are read
	tagMost  = 400 // bytes in which the end of a tag is looked for
)

// tag reads a tag that begins at a bracket, as far as its name; end is 0 if it is
// none of those that are made harmless, else where what out stands for ends. Where
// the tag is closed is remembered.
func (s *scanner) tag(at int) (end int, out string) {
	open, size := decode(s.text[at:])
	if open != '<' && open != '[' {
		return 0, ""
	}
	name := s.name(at+size, open)
	from := name.names(s, at, open)
	if from == 0 && s.foreign {
		from = s.theirs(at+size, open, &name)
	}
	if from == 0 {
		return 0, ""
	}
	if end := strings.IndexByte(s.text[at+size:from], '\n'); end >= 0 {
		from = at + size + end + 1 // what stands on the next line may be the head of a turn
	}
	var b strings.Builder
	b.WriteString("‹")
	for i := at + size; i < from; {
		r, n := decode(s.text[i:])
		switch {
		case r == '<':
			b.WriteString("‹")
		case r > 0 && n == utf8.RuneLen(r):
			b.WriteString(s.text[i : i+n])
		case r > 0:
			b.WriteRune(r)
		}
		i += n
	}
	s.closing = -1
	for i := from; i < min(len(s.text), from+tagMost); {
		r, n := decode(s.text[i:])
		switch {
		case r == '>' || open == '[' && r == ']':
			s.closing = i
			return from, b.String()
		case r == '<' || r == '[' || r == '\n':
			return from, b.String()
		}
		i += n
	}
	return from, b.String()
}

// A name is that of a tag as it is read: its words without what parts them.
type name struct {
	signs  [nameMost]byte
	family int   // how long it is before the last colon
	starts []int // how long it is at the end of each of its words; the last one is the whole
	ends   []int // and where these stand in the text
	whole  bool  // the bracket closes right behind it
	double bool  // two brackets open it
	bar    bool  // bars stand inside the brackets, without a space
	upper  bool  // it begins with a capital letter
	slash  bool  // a slash stands before it
	tag    int   // how long it is before the first space
}

// name reads the name of a tag.
func (s *scanner) name(at int, open rune) (n name) {
	first, last := true, rune(0)
	long, end := 0, at
	mark := func(end int) {
		if long > 0 && (len(n.starts) == 0 || n.starts[len(n.starts)-1] != long) {
			n.starts, n.ends = append(n.starts, long), append(n.ends, end)
		}
	}
	n.starts = make([]int, 0, 8)
	for i, signs := at, 0; i < len(s.text) && signs < nameMost; signs++ {
		r, size := decode(s.text[i:])
		switch {
		case r < 0: // not seen
			signs--
			if i-at > tagMost {
				return n
			}
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if first {
				raw, _ := utf8.DecodeRuneInString(s.text[i:])
				n.upper, first = unicode.IsUpper(raw), false
			}
			n.signs[long] = byte(r)
			long++
		case r == '>' || open == '[' && r == ']':
			mark(i)
			n.whole = true
			n.bar = n.bar && last == '|'
			return n
		case first && r == '<':
			n.double = true
		case first && r == '|':
			n.bar = true
		case first && strings.ContainsRune(" \t\n\r/\\!?-_*`'\"", r):
			n.bar = n.bar && r != ' '
			n.slash = n.slash || r == '/'
		case strings.ContainsRune("-_ \t\n\r.:|*`'\"\\", r):
			mark(i)
			n.bar = n.bar && r != ' ' && r != '\n'
			if n.tag == 0 && unicode.IsSpace(r) {
				n.tag = long
			}
			if r == ':' {
				n.family = long
			}
		default: // attributes, or another text
			mark(i)
			return n
		}
		last = r
		i += size
		end = i
	}
	mark(end)
	return n
}

// names reports where the name ends if the tag is one of those that are made
// harmless, else 0.
func (n *name) names(s *scanner, at int, open rune) int {
	before, _ := utf8.DecodeLastRuneInString(s.text[:at])
	generic := n.upper && (unicode.IsLetter(before) || unicode.IsDigit(before) || before == '_')
	for i, end := range n.starts {
		word, last := string(n.signs[:end]), i == len(n.starts)-1
		switch {
		case n.family > 0 && end > n.family && harness(word[n.family:]):
			return n.ends[i]
		case harness(word) && !(generic && last && n.whole && i == 0):
			return n.ends[i]
		case open == '[':
			if word == "inst" && n.whole && i == 0 && !unicode.IsLetter(before) {
				return n.ends[i]
			}
		case last && n.whole && n.bar, n.double && word == "sys":
			return n.ends[i]
		case !n.whole || len(n.starts) > 1 || generic:
		case word == "system", word == "assistant", word == "human":
			return n.ends[i]
		case word == "user" || word == "tool" || word == "developer":
			if strings.TrimLeft(line(s.text[:at]), " \t>") == "" {
				return n.ends[i]
			}
		}
	}
	return 0
}

// harness reports whether a word is the name of a tag that agents and models know,
// without what parts its words, or the beginning of a family of them: of what
// speaks to a model beside the person, of hooks and commands, of calls and their
// results, of the turns of a talk, and ours.
func harness(word string) bool {
	switch word {
	case "systemreminder", "systemprompt", "systemmessage", "systeminstruction", "systeminstructions",
		"systemnotification", "systemwarning", "systeminfo", "userinstructions", "developerinstructions",
		"agentinstructions", "custominstructions", "skillsinstructions", "permissionsinstructions", "environmentcontext",
		"environmentdetails", "sessioncontext", "untrustedcontext", "userprompt", "userquery", "userinfo", "usermessage",
		"assistantmessage", "humanmessage", "developermessage", "additionaldata", "additionalcontext", "attachedfiles",
		"availableskills", "collaborationmode", "statesnapshot", "conversationsummary", "tasknotification",
		"turnaborted", "newdiagnostics", "ideselection", "ideopenedfile", "importantinstructions",
		"userpromptsubmithook", "userpromptsubmitcontext", "sessionstartcontext", "sessionstarthook", "hookcontext", "hookprompt", "hookresult", "hookoutput",
		"hookfeedback", "commandname", "commandmessage", "commandargs", "commandcontents", "localcommandstdout",
		"localcommandstderr", "localcommandcaveat", "bashinput", "bashstdout", "bashstderr", "usershellcommand",
		"functioncalls", "functioncall", "functionresults", "functionresult", "functionresponse", "invoke", "antml",
		"tooluse", "toolcall", "toolcalls", "toolresult", "toolresults", "toolresponse", "tooloutput", "toolcode",
		"tooluseerror", "taskresult", "antthinking", "think", "thinking", "redactedthinking", "imstart", "imend",
		"imsep", "endoftext", "beginoftext", "startheaderid", "endheaderid", "eotid", "eomid", "pythontag",
		"startofturn", "endofturn", "startofmessage", "endofmessage", "projectmemory", "fromrepository", "tanmi",
		"agentshooks":
		return true
	}
	return false
}
