package store

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A played memory is what became of the facts that were saved into one.
type played struct {
	replaced, asked, silent int // updates
	named                   int // those of the silent ones that the answer names as near
	kept                    int // facts that only look like another, and did not take its place
	unrelated               int // facts that were replaced by one of another thing
	askedBeside             int // facts of the memory that were asked about
	namedBeside             int // those where it names what is nearest
}

// A saving is a fact that is saved: one of the memory (a fact, by its name), or one that
// updates it, or only looks like it (distinct).
type saving struct{ kind, of, text string }

// withLexicon is a cache that has the lexicon.
func withLexicon(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	must.Do(t, lexicon.Lay(dir, words.Unpack))
	return dir
}

// play saves them, in order.
func play(t *testing.T, cache string, list []saving) (p played) {
	t.Helper()
	f := newFolder(t)
	f.Cache = cache
	ids := map[string]string{}
	for _, l := range list {
		s := f.save(l.text)
		is := func(b Before) bool { return b.ID == ids[l.of] }
		replaced, asked := slices.ContainsFunc(s.Before, is), slices.ContainsFunc(slices.Concat(s.Near, s.Conflicts), is)
		for _, b := range s.Before {
			if !is(b) || l.kind == "fact" {
				p.unrelated++
				t.Logf("%q replaces %q", l.text, b.Content)
			}
		}
		switch {
		case l.kind == "fact":
			ids[l.of] = s.ID
			if len(s.Near)+len(s.Conflicts) > 0 {
				p.askedBeside++
			}
			if len(s.Nearest) > 0 {
				p.namedBeside++
			}
			continue
		case l.kind == "distinct" && !replaced:
			p.kept++
		case l.kind == "distinct":
			t.Logf("%q takes the place of %s, which holds", l.text, l.of)
		case replaced:
			p.replaced++
		case asked:
			p.asked++
			t.Logf("%q is asked about", l.text)
		default:
			p.silent++
			if slices.ContainsFunc(s.Nearest, is) {
				p.named++
			} else {
				t.Logf("%q passes over what it updates", l.text)
			}
		}
	}
	return p
}

// rows are the fields of a file's lines.
func rows(t *testing.T, file string) (out [][]string) {
	t.Helper()
	for line := range strings.Lines(must.Read(t, filepath.FromSlash(file))) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, " | "))
		}
	}
	return out
}

// Of pairs by people who had not seen the program, saved into a memory of 150 other facts,
// updates take the older one's place or are asked about, what holds beside each other is
// kept, and hardly anything is replaced that has to do with another thing. The judge is made
// without all of these but held-9 and team-5.
// BM-TRU-02, BM-TRU-03, BM-TRU-20.
func TestUpdatesBesideAMemory(t *testing.T) {
	t.Parallel()
	inOrder := func(file string) (out []saving) {
		for _, l := range rows(t, "../truth/testdata/"+file) {
			out = append(out, saving{l[0], l[1], l[2]})
		}
		return out
	}
	for _, set := range []struct {
		name string
		list []saving
		want played
	}{
		{"held-9", inOrder("held-9.txt"), played{replaced: 27, silent: 1, named: 1, kept: 40, askedBeside: 13, namedBeside: 21}},
		{"held-10", inOrder("held-10.txt"), played{replaced: 23, silent: 4, named: 3, kept: 40, unrelated: 1, askedBeside: 12, namedBeside: 30}},
		{"held-11", inOrder("held-11.txt"), played{replaced: 27, silent: 9, named: 4, kept: 50, unrelated: 1, askedBeside: 13, namedBeside: 28}},
		{"held-12", inOrder("held-12.txt"), played{replaced: 22, silent: 5, named: 3, kept: 40, unrelated: 1, askedBeside: 12, namedBeside: 15}},
		{"held-14", inOrder("held-14.txt"), played{replaced: 27, silent: 4, named: 2, kept: 40, askedBeside: 7, namedBeside: 12}},
		{"held-16", inOrder("held-16.txt"), played{replaced: 25, silent: 3, named: 2, kept: 40, askedBeside: 18, namedBeside: 38}},
		{"held-18", inOrder("held-18.txt"), played{replaced: 21, silent: 7, named: 4, kept: 39, askedBeside: 18, namedBeside: 26}},
		{"held-20", inOrder("held-20.txt"), played{replaced: 26, silent: 4, named: 3, kept: 40, askedBeside: 15, namedBeside: 38}},
		{"held-24", inOrder("held-24.txt"), played{replaced: 26, silent: 3, named: 1, kept: 38, askedBeside: 9, namedBeside: 33}},
		{"team-5", inOrder("team-5.txt"), played{askedBeside: 7, namedBeside: 14}},
	} {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			slowtest.Only(t, "seconds a set; TestEverydayUpdates saves beside a memory too")
			p, want := play(t, withLexicon(t), set.list), set.want
			t.Logf("%+v", p)
			if p.replaced < want.replaced || p.silent > want.silent || p.silent-p.named > want.silent-want.named || p.kept < want.kept || p.unrelated > want.unrelated || p.askedBeside > want.askedBeside || p.namedBeside > want.namedBeside {
				t.Errorf("want %+v, or better", want)
			}
		})
	}
}

// Everyday updates take the older one's place, and everyday look-alikes are kept, each pair
// alone in a memory. The judge is made without the sets that are held, and with ours.
// BM-TRU-02, BM-TRU-03, BM-TRU-20.
func TestEverydayUpdates(t *testing.T) {
	t.Parallel()
	cache := withLexicon(t)
	for file, want := range map[string]played{
		"held-6.txt": {replaced: 36, kept: 40}, "held-13.txt": {replaced: 28, kept: 40}, "held-15.txt": {replaced: 31, silent: 1, named: 1, kept: 38},
		"held-17.txt": {replaced: 23, silent: 2, named: 2, kept: 39}, "held-19.txt": {replaced: 26, silent: 2, named: 1, kept: 40},
		"held-21.txt": {replaced: 47, silent: 41, named: 29, kept: 187}, "held-22.txt": {replaced: 88, silent: 29, named: 26, kept: 180},
		"held-23.txt": {replaced: 30, silent: 2, named: 2, kept: 40},
		"fresh-1.txt": {replaced: 36, kept: 40}, "fresh-2.txt": {replaced: 36, kept: 40}, "fresh-3.txt": {replaced: 36, kept: 40},
	} {
		if !slowtest.Among(file, "held-6.txt", "held-13.txt") {
			continue
		}
		t.Run(file, func(t *testing.T) {
			var p played
			for _, l := range rows(t, "../truth/testdata/"+file) {
				one := play(t, cache, []saving{{"fact", l[1], l[1]}, {l[0], l[1], l[2]}})
				p.replaced, p.asked, p.silent, p.named, p.kept = p.replaced+one.replaced, p.asked+one.asked, p.silent+one.silent, p.named+one.named, p.kept+one.kept
			}
			t.Logf("%+v", p)
			if p.replaced < want.replaced || p.silent > want.silent || p.silent-p.named > want.silent-want.named || p.kept < want.kept {
				t.Errorf("want %+v, or better", want)
			}
		})
	}
}
