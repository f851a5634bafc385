package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// school is a corpus of four themes: the words of one stand together, and each has its
// word in Chinese.
func school() (en, zh []entry, t *teacher) {
	themes := [][]string{
		{"backup", "restore", "archive", "snapshot", "retention"},
		{"invoice", "payment", "refund", "customer", "currency"},
		{"login", "password", "session", "token", "cookie"},
		{"button", "layout", "margin", "color", "font"},
	}
	chinese := []string{"备份", "支付", "登录", "按钮"}
	random := rand.New(rand.NewPCG(1, 1))
	c := &corpus{}
	for i := range 400 {
		words := slices.Clone(themes[i%4])
		random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		c.paragraphs = append(c.paragraphs, strings.Repeat(strings.Join(words, " ")+" ", 3))
		c.pairs = append(c.pairs, [2]string{words[0], chinese[i%4]})
	}
	for i, z := range chinese {
		c.glosses = append(c.glosses, [2]string{string([]rune(z)[:1]), themes[i][0]})
	}
	c.synsets = [][]string{{"login", "session"}, {"invoice", "payment"}}
	v, texts := vocabulary{number: map[string]int32{}, total: 1_000_000}, [][]int32{}
	for _, p := range c.paragraphs {
		var text []int32
		for w := range strings.FieldsSeq(p) {
			n, ok := v.number[w]
			if !ok {
				n = int32(len(v.words))
				v.number[w], v.words, v.counts = n, append(v.words, w), append(v.counts, 0)
			}
			v.counts[n]++
			text = append(text, n)
		}
		texts = append(texts, text)
	}
	vectors := newDense(len(v.words), dims)
	for i := range vectors.data {
		vectors.data[i] = float32(random.NormFloat64())
	}
	en, zh = entries(c, v, vectors, translate(c.pairs, v.common))
	t = lessons(c, v, texts, en, zh)
	return en, zh, t
}

// Words that belong together are near after they were taught, in both languages, and
// to teach twice gives the same bytes.
func TestWhatBelongsTogetherIsTaughtAndTheSameTwice(t *testing.T) {
	t.Parallel()
	var made []string
	for range slowtest.Count(1, 2) {
		en, zh, teacher := school()
		taught(teacher, en, zh, course{steps: 30, temperature: 0.06, rate: 0.012})
		vector := map[string][]float32{}
		for _, e := range slices.Concat(en, zh) {
			vector[e.text] = e.vector
		}
		cosine := func(a, b string) float64 {
			x, y := vector[a], vector[b]
			if x == nil || y == nil {
				t.Fatalf("no vector of %q or %q", a, b)
			}
			return float64(product(x, y)) / math.Sqrt(float64(product(x, x))*float64(product(y, y)))
		}
		for _, three := range [][3]string{{"backup", "archive", "button"}, {"备份", "restore", "password"}, {"支付", "refund", "layout"}} {
			if near, far := cosine(three[0], three[1]), cosine(three[0], three[2]); near < 0.6 || near < far+0.1 {
				t.Errorf("%s is %.2f to %s and %.2f to %s", three[0], near, three[1], far, three[2])
			}
		}
		made = append(made, fmt.Sprintf("%x", lexicon(en, zh)))
	}
	if made[0] != made[len(made)-1] {
		t.Error("twice the same gave two lexicons")
	}
}

// What a note says is near to what is asked for it after that was taught, and words
// that stand in matters alone have a place: so they are learned from people's questions.
func TestQuestionsAreTaughtWhatAnswersThem(t *testing.T) {
	t.Parallel()
	matters := []matter{
		{"the snapshot is made nightly", "restore from an archive", "夜里快照怎么找回"},
		{"every refund needs a customer", "give the payment back", "快照不管退钱"},
		{"the font of a button", "color of the layout", "退钱按钮"},
	}
	en, zh, teacher := school()
	zh = besides(matters, en, zh)
	teacher.matters, teacher.groups = numbered(matters, en, zh), numbered([]matter{{"cookie", "token"}, {"margin", "color"}}, en, zh)
	taught(teacher, en, zh, course{steps: 60, own: 100, temperature: 0.1, rate: 0.025})
	all := slices.Concat(en, zh)
	sum := func(s said) []float32 {
		out := make([]float32, dims)
		for _, w := range s.words {
			addTo(out, all[w].vector, 1)
		}
		return search.Unit(out)
	}
	if !slices.ContainsFunc(zh, func(e entry) bool { return e.text == "退钱" }) {
		t.Error("退钱 stands in two matters and has no entry")
	}
	for i, m := range teacher.matters {
		for j, other := range teacher.matters {
			if right, wrong := product(sum(m[0]), sum(m[1])), product(sum(other[0]), sum(m[1])); i != j && right < wrong+0.3 {
				t.Errorf("%v is %.2f to what answers it, and %.2f to note %d", m[1], right, wrong, j)
			}
		}
	}
}

// What is written in no known form is named with its place, and a folder without texts is refused.
func TestWhatIsWrittenWrongIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, _, err := ownTexts(dir); err == nil {
		t.Error("an empty folder was taken")
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("F a note\nQ a question\n\none | two\nsomething else\n"), 0o600))
	if _, _, err := ownTexts(dir); err == nil || !strings.Contains(err.Error(), `a.txt:5: "something else"`) {
		t.Errorf("%v", err)
	}
}
