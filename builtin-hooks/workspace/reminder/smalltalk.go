package reminder

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// ambiguous are the keywords that other talk has as well.
var ambiguous = [...]string{"node", "节点", "progress", "进度", "continue", "继续", "workspace", "工作区", "任务"}

// onLength is how long a prompt may be that is about going on because it begins so.
const onLength = 60

// goesOn reports whether a prompt asks to go on: it begins with that, after a yes or a
// please, and is short.
func goesOn(text string) bool {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > onLength || strings.Contains(text, "\n") {
		return false
	}
	for again := true; again; {
		again = false
		for _, w := range [...]string{"ok", "okay", "yes", "please", "now", "let's", "good", "fine", "great", "and", "好的", "好", "请", "那就", "那", "嗯", "可以", "现在"} {
			rest, found := strings.CutPrefix(text, w)
			if found && (w[0] >= 0x80 || rest == "" || !spelled(rune(rest[0]))) {
				text, again = strings.TrimLeft(rest, " ,.!:;，。！、"), true
			}
		}
	}
	for _, w := range [...]string{"continue", "继续"} {
		if rest, found := strings.CutPrefix(text, w); found && bordered("", w, rest) {
			return true
		}
	}
	return false
}

// smallTalk reports whether a text has no other words than those that stand around the
// matter in any talk of work, and the names of workspaces.
func smallTalk(text string, names []string) bool {
	known := map[string]bool{}
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if utf8.RuneCountInString(name) > 1 {
			text = strings.ReplaceAll(text, name, " ")
		}
		for _, w := range fields(name) {
			known[w] = utf8.RuneCountInString(w) > 2
		}
	}
	text = chineseTalk().Replace(text)
	for _, w := range fields(text) {
		if !known[w] && !talk()[w] {
			return false
		}
	}
	return true
}

func fields(text string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(text, "’", "'"), func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// unquoted is a text without what stands between backticks.
func unquoted(text string) string {
	parts := strings.Split(text, "`")
	if len(parts)%2 == 0 {
		return text
	}
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "code" // it says something, whatever it is
	}
	return strings.Join(parts, " ")
}

// talk are the words of any talk of work.
var talk = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`a an the this that these those my our your its it i we you me us they all any some one ones both each other
	is are was were be been am do does did done have has had can could will would should shall may might let lets let's i'd i'll we'll i'm we're
	what where which who how when why whats what's where's how's that's there's there here
	of on in at to for from with by about and or then so as up off over into out now not no more still already just only yet again back after before
	please ok okay yes yeah sure well alright right hi hello hey thanks thank great good fine cool
	go going went ahead next last previous first current new old same rest left remaining open far much many
	show tell give get see look check list start begin resume pick take use switch bind join make want need like know try keep put move
	work working job task tasks plan plans planning step steps status state states session summary todo todos thing things stuff
	made finish finished complete completed pending stopped workspaces nodes yesterday today tomorrow tonight morning earlier`) {
		words[w] = true
	}
	return words
})

// chineseTalk takes such words out of Chinese, long ones first.
var chineseTalk = sync.OnceValue(func() *strings.Replacer {
	words := strings.Fields(`接下来 怎么样 看一下 帮我们 到哪里 还剩 哪一个 下一个 上一个 做到哪 下一步 是什么 告诉我 到哪了 我想要 帮我 我们 咱们 麻烦 看看 查看 显示 展示 列出 告诉 打开 切换 切到 进入 绑定
		恢复 回到 开始 完成 执行 推进 汇报 总结 现在 目前 当前 今天 昨天 刚才 之前 上次 上个 下个 接着 然后 还有 剩下 剩余 哪些 哪个 哪里 什么 多少 几个 怎样 如何 怎么 到哪 情况 状态 计划 工作 步骤 清单
		列表 全部 所有 这个 那个 这些 那些 一个 一下 好的 可以 没有 那边 这边 这里 会话 我要 想要 请 我 你 把 看 做 干 先 再 还 这 那 个 的 了 吗 呢 吧 啊 么 是 有 在 到 和 与 下 行 没 未 完 里 上 要 想 从 去 用 好 一`)
	pairs := make([]string, 0, 2*len(words))
	for _, w := range words {
		pairs = append(pairs, w, " ")
	}
	return strings.NewReplacer(pairs...)
})
