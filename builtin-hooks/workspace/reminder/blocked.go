package reminder

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Blocked reports whether a message admits that something is in the way which is
// not solved (BW-REM-09), and returns the sentence that says so. A sentence that says
// it is solved, or what to do if it happened, does not count, nor does code.
func Blocked(message string) (sentence string, ok bool) {
	for _, s := range sentences(prose(message)) {
		text := strings.ToLower(strings.ReplaceAll(s, "’", "'"))
		if admits(text) && !solved(text) && !supposed(text) {
			return s, true
		}
	}
	return "", false
}

// inTheWay are the words of both languages for something that is not solved.
var inTheWay = [...]string{
	"i'm blocked", "i am blocked", "we're blocked", "we are blocked", "is blocked by", "is blocked on", "are blocked by", "still blocked", "remains blocked", "blocking issue", "a blocker",
	"i'm stuck", "i am stuck", "we're stuck", "we are stuck", "got stuck", "still stuck", "stuck on",
	"cannot proceed", "can't proceed", "unable to proceed", "cannot continue", "can't continue", "unable to continue",
	"could not resolve", "couldn't resolve", "unable to resolve", "cannot resolve", "can't resolve", "not able to resolve", "not been able to resolve",
	"could not fix", "couldn't fix", "unable to fix", "cannot fix", "can't fix", "not able to fix", "not been able to fix",
	"could not figure out", "couldn't figure out", "cannot figure out", "can't figure out", "unable to figure out", "haven't figured out", "have not figured out",
	"still fails", "still failing", "keeps failing", "keep failing", "still broken", "still doesn't work", "still does not work",
	"unresolved", "remains unsolved", "not yet resolved", "not resolved yet", "not yet fixed", "not fixed yet",
	"卡住", "卡在", "受阻", "被阻塞", "阻塞在", "阻塞了", "阻塞项", "阻碍",
	"无法继续", "不能继续", "没法继续", "无法推进", "无法解决", "没能解决", "未能解决", "没有解决", "解决不了", "还没解决", "尚未解决", "仍未解决", "未解决",
	"无法修复", "没能修复", "未能修复", "修不好", "搞不定", "无法定位", "找不到原因", "没找到原因",
	"仍然失败", "还是失败", "依然失败", "一直失败", "仍然报错", "还是报错", "依然报错", "一直报错", "仍然不通过", "还是不行",
}

func admits(text string) bool {
	for _, w := range inTheWay {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// over are the words for something that was in the way and is no more.
var over = [...]string{
	"no longer", "not blocked", "isn't blocked", "not stuck", "unblocked", "not a blocker", "no blocker", "is not a blocking",
	"不再", "已解决", "已经解决", "现已解决", "已修复", "已经修复", "解决了", "修复了", "修好了", "没有卡住", "没有受阻", "没有被阻塞", "没有阻碍", "没有任何阻碍", "没有未解决",
	"no unresolved", "nothing unresolved", "nothing is unresolved",
}

func solved(text string) bool {
	for _, w := range over {
		if i := strings.Index(text, w); i >= 0 && !strings.HasSuffix(text[:i], "没") && !strings.HasSuffix(text[:i], "未") {
			return true
		}
	}
	return slices.ContainsFunc([]string{"fixed", "resolved", "solved"}, func(w string) bool { return said(text, w) })
}

// said reports whether a text says a word without a no in the three words before
// it: "it is fixed", but not "it has not been fixed" or "until it is fixed".
func said(text, word string) bool {
	fields := strings.FieldsFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '\'') })
	for i, f := range fields {
		if f != word {
			continue
		}
		no := slices.Contains(fields[:i], "until")
		for _, b := range fields[max(0, i-3):i] {
			no = no || b == "not" || b == "never" || b == "cannot" || b == "nothing" || strings.HasSuffix(b, "n't")
		}
		if !no {
			return true
		}
	}
	return false
}

// supposed reports whether a sentence only supposes something.
func supposed(text string) bool {
	text = strings.TrimLeft(text, " \t-*>#0123456789.)")
	for _, w := range [...]string{"if ", "in case ", "when you ", "should you ", "unless ", "如果", "若", "万一", "假如", "要是"} {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return strings.Contains(text, "if you get stuck") || strings.Contains(text, "if you are stuck")
}

// prose is a message without its fenced code and its quotations.
func prose(message string) string {
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(message) {
		text := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
		case !strings.HasPrefix(text, ">"):
			b.WriteString(line)
		}
	}
	return b.String()
}

// sentences parts a text where a sentence ends. A dot inside a word ends none.
func sentences(text string) (list []string) {
	from := 0
	cut := func(at, next int) {
		if s := strings.TrimSpace(text[from:at]); s != "" {
			list = append(list, s)
		}
		from = next
	}
	for i, r := range text {
		next := i + utf8.RuneLen(r)
		switch r {
		case '\n', '。', '！', '？', '；':
			cut(i, next)
		case '.', '!', '?', ';':
			if next >= len(text) || text[next] == ' ' || text[next] == '\n' {
				cut(i, next)
			}
		}
	}
	cut(len(text), len(text))
	return list
}
