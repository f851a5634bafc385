package period

import (
	"slices"
	"strings"
)

func full(c rune) bool { return strings.ContainsRune("。；！？;!?\n", c) }
func part(c rune) bool { return full(c) || c == '，' || c == ',' }

// boundsAll is [ofTheWhole] for Chinese, where commas part statements, too.
func boundsAll(t []rune, from, to int) bool {
	start, end := from, to
	for start > 0 && !part(t[start-1]) {
		start--
	}
	for end < len(t) && !part(t[end]) {
		end++
	}
	before, rest := before(t, start), string(t[to:end])
	switch {
	case start == 0 || len([]rune(before)) == 0:
	case from-start > 1 && !goesOn(string(t[start:])):
		return false // another subject comes before
	case from-start <= 1 && end-to > 3 && !goesOn(rest) && len([]rune(before)) > 3 && !goesOn(before):
		return false // as in: B is open, until Friday A is shut
	}
	if n := has(t, to, "而", "但", "同时", "可是"); n > 0 && end-to > 3 && has(t, to, "而且") == 0 {
		return false
	}
	alone := end-to <= 1 && (from-start <= 1 || from-start <= 4 && begun(string(t[start:from]), "这 从 自 今 本 近")) // until Friday, with what holds until then after it
	for end < len(t) {
		fullStop := full(t[end])
		from := end + 1
		for end = from; end < len(t) && !part(t[end]); {
			end++
		}
		said := string(t[from:end])
		if alone = alone && !fullStop; !alone && end-from > 3 && !goesOn(said) && (fullStop || !follows(said)) {
			return false
		}
	}
	return true
}

// before is the part of the text that ends at a place.
func before(t []rune, at int) string {
	from := max(0, at-1)
	for from > 0 && !part(t[from-1]) {
		from--
	}
	return string(t[from:max(0, at-1)])
}

// goesOn reports whether a Chinese statement goes on with the one before it, or says what to do then.
func goesOn(said string) bool {
	return begun(said, `它 他 她 这 该 此 本 其 期间 之后 届时 到期 请 如 若 有问题 有事 例外 除 因为 由于 所以 但 不过 而且 并 有效 期限 时间 暂 先 都 也 就 只 仅 一直 直 持续 截 从 自 在 用 为期 预计
		不 别 勿 需 要 可 找 问`)
}

// follows reports whether what stands after a comma is said of the same, or follows from it.
func follows(said string) bool {
	return strings.HasSuffix(said, "除外") || strings.HasSuffix(said, "例外") || begun(said, `禁 改 走 停 随 然后 再 将 会 是 有 无 没 已 正 应 须 得 能 方便 大家 所有 任何 均 统一 以便 便于 否则 直接 绕 转 避 切 换 按 由 归 交 以 因 仍 凡 和 与 及 或 到 至 之 敬 而不 然 地址 联系 原因`)
}

func begun(said, words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return strings.HasPrefix(said, w) })
}
