package search

import "slices"

// common are words that do not tell what a text is about: they count neither in a query nor in
// a vector. They are listed as stem returns them, and sorted, so that a program does nothing
// with them at its start.
var common = [...]string{
	"a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
	"can", "could", "did", "do", "doe", "does", "each", "for", "from", "get", "got", "ha", "had", "have",
	"having", "he", "her", "here", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "know",
	"let", "mak", "make", "may", "me", "might", "more", "most", "must", "my", "need", "no", "not", "of", "on",
	"only", "or", "our", "over", "please", "said", "say", "shall", "she", "should", "so", "some", "tell", "than",
	"that", "the", "their", "them", "then", "there", "these", "they", "this", "thos", "those", "to", "too",
	"under", "us", "use", "using", "very", "want", "was", "we", "were", "what", "when", "where", "which", "who",
	"why", "will", "with", "without", "would", "you", "your", "一下", "与", "个", "为", "为什", "么", "么样", "也", "了", "什",
	"什么", "他", "他们", "们", "你", "你们", "及", "可以", "吗", "吧", "呢", "和", "哪", "哪个", "哪些", "啊", "在", "她", "如何", "它",
	"就", "应该", "很", "怎", "怎么", "怎样", "我", "我们", "或", "把", "是", "是什", "是否", "有", "样", "的", "的是", "被", "请", "还",
	"这", "这个", "那", "那个", "都", "需要",
}

func isCommon(word string) bool {
	_, is := slices.BinarySearch(common[:], word)
	return is
}

// IsCommon reports whether a word does not tell what a text is about.
func IsCommon(word string) bool { return isCommon(word) }
