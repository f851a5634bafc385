package keeper

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
)

// A played set is what became of its pairs, saved beside the facts of a memory.
type played struct {
	replaced, asked, silent int // updates
	kept                    int // of the others
	unrelated               int // facts that were replaced by one of another thing
	askedBeside             int // facts of the memory that were asked about
}

// playSet saves the facts of a memory, the older statements of all pairs, and then the newer
// ones; alone, each pair is taken out before the next one.
func playSet(t *testing.T, file string, alone bool) (p played) {
	t.Helper()
	f := newFolder(t)
	f.Cache = t.TempDir()
	if err := lexicon.Lay(f.Cache, words.Unpack); err != nil {
		t.Fatal(err)
	}
	for _, line := range rows(t, "../find/testdata/frozen/facts.txt") {
		if s := f.save(line[1]); len(s.Near)+len(s.Conflicts) > 0 {
			p.askedBeside++
		}
	}
	pairs := slices.DeleteFunc(rows(t, "../truth/testdata/"+file), func(l []string) bool { return len(l) != 3 })
	older := make([]Saved, len(pairs))
	for i, l := range pairs {
		if !alone {
			older[i] = f.save(l[1])
			p.unrelated += len(older[i].Supersedes)
		}
	}
	for i, l := range pairs {
		if alone {
			older[i] = f.save(l[1])
		}
		s := f.save(l[2])
		is := func(b Before) bool { return b.ID == older[i].ID }
		replaced, asked := slices.ContainsFunc(s.Before, is), slices.ContainsFunc(slices.Concat(s.Near, s.Conflicts), is)
		for _, b := range s.Before {
			if !is(b) {
				p.unrelated++
				t.Logf("%s: %q replaces %q", file, l[2], b.Content)
			}
		}
		switch {
		case l[0] != "update" && !replaced:
			p.kept++
		case l[0] != "update":
			t.Logf("%s: %q replaces %q, and both hold", file, l[2], l[1])
		case replaced:
			p.replaced++
		case asked:
			p.asked++
			t.Logf("%s: %q is asked about for %q", file, l[1], l[2])
		default:
			p.silent++
			t.Logf("%s: %q passes over %q", file, l[2], l[1])
		}
		if alone {
			if _, err := f.Delete([]string{s.ID, older[i].ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

// rows are the fields of a file's lines.
func rows(t *testing.T, file string) (out [][]string) {
	t.Helper()
	b, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, " | "))
		}
	}
	return out
}

// Of pairs by people who had not seen the program, saved beside 150 other facts, updates take
// the older one's place or are asked about, what holds beside each other is kept, and
// nothing is replaced that has to do with another thing. The pairs of the first two files
// say mostly what the next ones do, so each is played alone.
// BM-TRU-02, BM-TRU-03, BM-TRU-20.
func TestUpdatesBesideAMemory(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		file  string
		alone bool
		want  played
	}{
		{"held-1.txt", true, played{replaced: 16, silent: 7, kept: 40}},
		{"held-2.txt", true, played{replaced: 15, silent: 8, kept: 40}},
		{"held-3.txt", false, played{replaced: 31, silent: 4, kept: 40}},
	} {
		t.Run(set.file, func(t *testing.T) {
			t.Parallel()
			p, want := playSet(t, set.file, set.alone), set.want
			t.Logf("%+v", p)
			if p.replaced < want.replaced || p.silent > want.silent || p.kept < want.kept || p.unrelated > want.unrelated {
				t.Errorf("want %+v, or better", want)
			}
			if p.askedBeside > 15 {
				t.Errorf("%d of 150 facts that nothing had to do with were asked about", p.askedBeside)
			}
		})
	}
}
