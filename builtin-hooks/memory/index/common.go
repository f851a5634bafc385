package index

// common are words that say nothing about what a text is about: they count
// neither in a query nor in a vector. They are stored as they come from stem.
var common = set(`a an the and or but if then than that this these those thos
is are was were be been being am do doe did have ha had having
i me my we our you your it its they them their he she his her
of in on at to from by for with without about into over under as not no
what which who when where why how can could should would will shall may might must
use us using there here so too also just only very more most some any all each
please tell know need want get got make mak let say said does 的 了 是 在 和 与 及 或 吗 呢 吧 啊 我 你 他 她 它 们 这 那 哪 什 么 怎 样 为 请 有 个 把 被 就 都 也 还 很
什么 怎么 怎样 如何 为什 我们 你们 他们 这个 那个 哪个 哪些 是否 可以 应该 需要 一下 的是 是什 么样`)

func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range splitSpace(text) {
		m[w] = true
	}
	return m
}
