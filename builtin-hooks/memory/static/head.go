package static

import (
	"strconv"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// headOf reads the head of a file.
func headOf(o protocol.Object) Head {
	n := func(name string) int { return int(o.Int(name)) }
	h := Head{
		ID: o.Text("id"), Dims: n("dims"), Tokens: n("tokens"), Rows: n("rows"), Wide: o.Bool("wide"), Normalize: o.Bool("normalize"),
		MostTokens: n("most_tokens"), MostChars: n("most_chars"), Longest: n("longest"),
		Model: o.Text("model"), Unknown: n("unknown"), Drop: o.Bool("drop"), Fuse: o.Bool("fuse"), Bytes: o.Bool("bytes"), Whole: o.Bool("whole"),
		Prefix: o.Text("prefix"), Suffix: o.Text("suffix"), MostWord: n("most_word"),
		Normal: stepsOf(o.Get("normal")), Split: stepsOf(o.Get("split")), Tables: n("tables"),
	}
	h.Scale, _ = strconv.ParseFloat(string(o.Get("scale")), 64)
	h.Least, _ = strconv.ParseFloat(string(o.Get("least")), 64)
	for _, raw := range protocol.ElementsOf(o.Get("added")) {
		a := protocol.ObjectOf(raw)
		h.Added = append(h.Added, Added{a.Text("text"), int(a.Int("id")), a.Bool("word"), a.Bool("left"), a.Bool("right"), a.Bool("normal")})
	}
	for _, raw := range protocol.ElementsOf(o.Get("sections")) {
		size, err := strconv.Atoi(string(raw))
		if err != nil {
			size = -1
		}
		h.Sections = append(h.Sections, size)
	}
	return h
}

func stepsOf(list protocol.Raw) (out []Step) {
	for _, raw := range protocol.ElementsOf(list) {
		o := protocol.ObjectOf(raw)
		out = append(out, Step{o.Text("kind"), o.Text("text"), o.Bool("regexp"), o.Text("with"), o.Text("behavior"), o.Bool("invert"), o.Bool("left"), o.Bool("right"), int(o.Int("table"))})
	}
	return out
}
