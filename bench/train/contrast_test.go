package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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
	t.steps = 30
	return en, zh, t
}

// Words that belong together are near after they were taught, in both languages, and
// to teach twice gives the same bytes.
func TestWhatBelongsTogetherIsTaughtAndTheSameTwice(t *testing.T) {
	t.Parallel()
	var made []string
	for range 2 {
		en, zh, teacher := school()
		taught(teacher, en, zh)
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
	if made[0] != made[1] {
		t.Error("twice the same gave two lexicons")
	}
}
