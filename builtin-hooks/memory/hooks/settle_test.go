package hooks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Sentences of agents that settle something (+), and others that speak of choosing and settle
// nothing (-): not yet, if, somebody else's choice, a program that chooses, what others did, a
// question, a quotation. They were in view while the words were chosen, and hold what is reached.
// BM-SAV-03, BM-SAV-15.
func TestWhatAnAgentSettles(t *testing.T) {
	t.Parallel()
	judged(t, "shown.txt", 133, 2)
}

// The same for sixty and sixty that were written once the words were fixed, half of them
// Chinese, and played once: 41 were found, and 3 taken for one. What they showed was mended by
// kind, so they hold what is reached, and are fresh no more.
// BM-SAV-03, BM-SAV-15.
func TestWhatIsSettledInSentencesWrittenLater(t *testing.T) {
	t.Parallel()
	judged(t, "later.txt", 58, 0)
}

// Sixty and sixty more, written after that and played once.
// BM-SAV-03, BM-SAV-15.
func TestWhatIsSettledInSentencesWrittenLast(t *testing.T) {
	t.Parallel()
	judged(t, "last.txt", 43, 1)
}

// Twenty and twenty, written once what an outsider's texts showed was mended, and played once: 18 were
// found, and one taken for one. What they showed was mended as well.
// BM-SAV-03, BM-SAV-15.
func TestWhatIsSettledInSentencesHeldOut(t *testing.T) {
	t.Parallel()
	judged(t, "heldout.txt", 20, 0)
}

// judged plays the sentences of a file: so many decisions are found at least, and so many others
// taken for one at most. Those that begin with a p are said by a person.
func judged(t *testing.T, file string, least, most int) {
	t.Helper()
	found, of, taken, none := 0, 0, 0, 0
	for line := range strings.Lines(must.Read(t, filepath.Join("..", "testdata", "decisions", file))) {
		kind, sentence, _ := strings.Cut(strings.TrimSpace(line), " ")
		says, want := concludes, strings.HasSuffix(kind, "+")
		if strings.HasPrefix(kind, "p") {
			says = decides
		}
		got := says(sentence)
		if got != want {
			t.Logf("%v: %s %s", got, kind, sentence)
		}
		switch {
		case want && got:
			found++
		case !want && got:
			taken++
		}
		if want {
			of++
		} else {
			none++
		}
	}
	t.Logf("%d of %d found, %d of %d taken for one", found, of, taken, none)
	if found < least || taken > most || of == 0 || none == 0 {
		t.Errorf("%d of %d found, %d of %d taken for one", found, of, taken, none)
	}
}

// What says that nothing is settled counts in a person's words as well, and what is quoted or
// asked to be explained does not.
// BM-SAV-15.
func TestAPersonSettlesNothing(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"还没有决定用哪个库。", "尚未决定采用什么框架。", "如果你决定用 Redis，就写一个适配器。", "由你决定。", "该函数根据状态码决定是否重试。", "这个参数决定超时时间。",
		"explain the use of let's encrypt", "In 2019 the Python team decided to drop it.", "Rename the label \"we decided to use Redis\".", "> we decided to use Redis", "It's up to you, we use either.",
		"The name will be fine.", "The port will be read from the file.", "我们 use 了一下 Redis，结果很慢。", "就这样吧，谢谢！", "So here it is again.", "let's move on",
	} {
		if decides(s) {
			t.Errorf("taken for a decision: %s", s)
		}
	}
}
