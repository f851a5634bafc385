package hooks

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// statements are the sentences of a text as they were said, without code, quoted output and
// traces. Questions are among them.
func statements(said string) (out []string) {
	add := func(s string) {
		if s = strings.TrimSpace(s); strings.IndexFunc(s, unicode.IsLetter) >= 0 {
			out = append(out, text.OneLine(s))
		}
	}
	for _, l := range prose(said) {
		line, from := l.text, 0
		for at, r := range line {
			end := at + utf8.RuneLen(r)
			switch r {
			case '.', '!', '?', ';':
				if end < len(line) && line[end] != ' ' || r == '.' && abbreviates(line[from:at]) {
					continue // part of a name
				}
			case '。', '！', '？', '；':
			default:
				continue
			}
			add(line[from:end])
			from = end
		}
		add(line[from:])
	}
	return out
}

// abbreviates reports that the dot after these words ends none: "e.g.", "1.".
func abbreviates(before string) bool {
	word := before[strings.LastIndexByte(before, ' ')+1:]
	return len(word) <= 1 || strings.Contains(word, ".") && len(word) <= 4 || slices.Contains([]string{"vs", "etc", "No"}, word)
}

// A saying is a line of a text that somebody said.
type saying struct {
	text string // without the marks of lists and headings
	item bool   // of a list
}

func prose(said string) (lines []saying) {
	code := false
	for line := range strings.Lines(strings.ReplaceAll(said, "\r", "")) {
		line = strings.TrimRight(line, " \t\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		if code || traced(line) {
			continue
		}
		line = strings.ReplaceAll(line, "**", "")
		line = strings.TrimLeft(line, " \t")
		rest := strings.TrimLeft(line, "-*#>•· ")
		item := rest != line && !strings.HasPrefix(line, "#")
		if number := strings.TrimLeft(rest, "0123456789"); number != rest && (strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") ") || strings.HasPrefix(number, "、")) {
			rest, item = strings.TrimLeft(number, ".)、 "), true
		}
		if rest != "" {
			lines = append(lines, saying{rest, item})
		}
	}
	return lines
}

// traced reports a line of a program's output: a frame of a stack, a line of a log or of a diff,
// a prompt of a shell.
func traced(line string) bool {
	plain := strings.TrimSpace(line)
	for _, p := range [...]string{"at ", "File \"", "Traceback (", "goroutine ", "panic: ", "Caused by:", "... ", "$ ", "+++ ", "--- ", "@@ ", "diff --git", "GET /", "POST /", "PUT /", "DELETE /", "npm ERR!", "[ERROR]", "[INFO]", "[WARN", "ERROR ", "WARN ", "INFO ", "DEBUG ", "FAIL\t", "ok  \t", "--- FAIL", "=== RUN", "|", "error["} {
		if strings.HasPrefix(plain, p) && (p != "at " || strings.ContainsAny(plain, "(:/")) {
			return true
		}
	}
	if len(plain) > 10 && plain[0] >= '0' && plain[0] <= '9' && strings.Count(plain[:10], "-") == 2 {
		return true // begins with a date
	}
	name, rest, ok := strings.Cut(plain, ": ")
	if ok && rest != "" && !strings.Contains(name, " ") && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) {
		return true
	}
	deep := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")
	return deep && strings.ContainsAny(plain, "(){};=/") && !strings.HasPrefix(plain, "- ") && !strings.HasPrefix(plain, "* ")
}

// gist is what a text says, in at most so many characters: all of it, or its beginning and its
// end, where a request stands, or what is left to do. A text that is nothing but a trace is given
// as it begins.
func gist(said string, most int) string {
	list := statements(said)
	if len(list) == 0 {
		return clipped(said, most)
	}
	if all := strings.Join(list, " "); utf8.RuneCountInString(all) <= most || len(list) == 1 {
		return clipped(all, most)
	}
	last := len(list) - 1
	for i, s := range list {
		if i > 0 && leftOpen(s) {
			last = i
			break
		}
	}
	end := clipped(list[last], most/2)
	begin, left := "", most-utf8.RuneCountInString(end)-3
	for i, s := range list[:last] {
		if n := utf8.RuneCountInString(s) + 1; n > left {
			if i == 0 {
				begin = clipped(s, left)
			}
			break
		} else {
			begin, left = begin+s+" ", left-n
		}
	}
	begin = strings.TrimSpace(begin)
	if !strings.HasSuffix(begin, "…") {
		begin += " …"
	}
	return begin + " " + end
}

// settledIn are the decisions in a text, and openIn what it leaves to do, each as it was said.
func settledIn(said string, is func(string) bool) (list []string) {
	for _, s := range statements(said) {
		if is(s) && !leftOpen(s) {
			list = append(list, clipped(s, itemRoom))
		}
	}
	return list[:min(len(list), itemsOfTurn)]
}

// How much of one decision is kept, and how many of a turn.
const (
	itemRoom    = 200
	itemsOfTurn = 5
)

func openIn(said string) (list []string) {
	below := false // a heading that says that what follows is open
	for _, line := range prose(said) {
		plain := strings.TrimSpace(line.text)
		if below = below && line.item; below {
			list = append(list, clipped(plain, itemRoom))
			continue
		}
		if below = leftOpen(plain) && utf8.RuneCountInString(plain) < 40 && !strings.ContainsAny(plain, ".。"); below {
			continue
		}
		for _, s := range statements(line.text) {
			if leftOpen(s) {
				list = append(list, clipped(s, itemRoom))
			}
		}
	}
	return list[:min(len(list), itemsOfTurn)]
}

// leftOpen reports a statement about what is still to do.
func leftOpen(statement string) bool {
	lower := strings.ToLower(statement)
	for _, p := range [...]string{"todo", "to do:", "to-do", "not done", "not yet", "still to do", "still open", "still missing", "still need", "still have to", "still has to", "left to do", "left open", "remains to", "remaining:", "remaining work", "what's left", "what is left", "next step", "next up:", "follow-up", "follow up:", "open question", "open point", "unfinished", "to be done", "not tested", "untested",
		"待办", "未完成", "没完成", "没有完成", "还没", "尚未", "还剩", "剩下", "还需要", "还要", "下一步", "遗留", "后续", "没有测过", "未测试"} {
		if strings.Contains(lower, p) {
			return true
		}
	}
	if strings.Contains(lower, " yet") && (strings.Contains(lower, "not ") || strings.Contains(lower, "n't ")) {
		return true // not deployed yet
	}
	return strings.HasPrefix(lower, "next: ") || strings.HasPrefix(lower, "next, ") || strings.HasPrefix(lower, "later: ")
}
