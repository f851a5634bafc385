package redact

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// Whatever a row finds has something in it that no bland text has, row by row: so
// a row that is added to the table and could be passed by fails here.
func TestNoRowIsInABlandText(t *testing.T) {
	t.Parallel()
	least := func(expr string) (bytes int) {
		for expr = strings.NewReplacer("!", "", "(", "", ")", "", "<", "").Replace(expr); expr != ""; {
			_, n, _, rest := next(expr)
			bytes, expr = bytes+n, rest
		}
		return bytes
	}
	tells := func(s string) bool {
		return slices.ContainsFunc(telling[:], func(name string) bool { return strings.Contains(s, name) })
	}
	for _, section := range [][]kind{shapes[:], inners[:]} {
		for _, row := range section {
			if n := least(row.expr); n <= shortWord {
				t.Errorf("%s %s is a word of %d bytes: shortWord is too long", row.name, row.expr, n)
			}
		}
	}
	for _, row := range names {
		// "_" stands where another word begins, whatever sign or capital says so. The
		// value of a row with "?" has sixteen bytes, see isValue.
		if row.expr[0] == '?' && shortWord < 16 {
			continue
		}
		if !slices.ContainsFunc(strings.Split(strings.Trim(row.expr, "+=?*_"), "_"), tells) {
			t.Errorf("a value named %s: no part of it is in telling", row.expr)
		}
	}
	for _, row := range headers {
		if !slices.ContainsFunc(strings.Split(row.expr, "-"), tells) {
			t.Errorf("the header %s: no part of it is in telling", row.expr)
		}
	}
	for _, row := range schemes {
		if !tells(row.expr) {
			t.Errorf("the scheme %s is not in telling", row.expr)
		}
	}
	for _, row := range homes {
		if row.expr[0] < 0x80 && !slices.ContainsFunc(strings.Fields(row.expr), tells) {
			t.Errorf("the words %s: none is in telling", row.expr)
		}
	}
	for _, row := range words {
		if strings.IndexFunc(row.expr, func(r rune) bool { return r >= 0x80 }) < 0 {
			t.Errorf("the word %s is of ASCII", row.expr)
		}
	}
	for _, row := range options {
		if !strings.Contains(row.expr, " -") && !strings.Contains(row.expr, " /") {
			t.Errorf("the option of %s begins with neither - nor /", row.expr)
		}
	}
	for _, section := range sections() {
		for _, row := range section {
			if example := fill(row.example); bland(example) {
				t.Errorf("the example of %s %s is bland: %q", row.name, row.expr, example)
			}
		}
	}
}

// What is bland loses nothing to the whole table: texts made of pieces of the
// rows' own examples, cut down until they are bland.
func TestBlandTextsHoldNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	seen := 0
	for range slowtest.Count(12_000, 60_000) {
		s := madeBland(random, 1+random.IntN(5))
		if !bland(s) {
			continue
		}
		seen++
		for p := range policies {
			if clean := policies[p].text(s, nil); clean != s {
				t.Fatalf("policy %d: %q is bland, and becomes %q", p, s, clean)
			}
		}
	}
	if seen < slowtest.Count(2_000, 10_000) {
		t.Errorf("%d bland texts only: this test looked at nothing", seen)
	}
}

// madeBland joins pieces of examples and takes out of them, mostly, what no bland
// text may have.
func madeBland(random *rand.Rand, pieces int) string {
	var b strings.Builder
	for range pieces {
		section := sections()[random.IntN(len(sections()))]
		row := section[random.IntN(len(section))]
		piece := fill(row.example)
		if random.IntN(3) == 0 {
			piece = fill(row.like)
		}
		from := random.IntN(len(piece))
		b.WriteString(piece[from:min(len(piece), from+4+random.IntN(40))])
		b.WriteString([]string{"", " ", ": ", "=", "\n", "\"", "', '", "? ", " is "}[random.IntN(9)])
	}
	digits, word := 0, 0
	out := strings.Map(func(r rune) rune {
		switch {
		case r > '~' || r < ' ' && r != '\n' || strings.ContainsRune("@<%\\", r):
			return -1
		case r >= '0' && r <= '9':
			if digits++; digits > fewDigits {
				return 'x'
			}
		}
		if r == ' ' || r == '\n' {
			word = 0
		} else if word++; word > shortWord {
			word = 0
			return ' '
		}
		return r
	}, b.String())
	for _, name := range telling {
		if at := strings.Index(strings.ToLower(out), name); at >= 0 && random.IntN(8) > 0 {
			out = out[:at] + out[at+len(name):]
		}
	}
	for _, option := range []string{" -", " /", "\"-", "'-", "`-", ",-", "=-", "[-", "(-", "\"/", "'/", "=/", ",/", "(/"} {
		out = strings.ReplaceAll(out, option, option[:1])
	}
	return strings.TrimLeft(out, "-/")
}

// FuzzBland holds the same of any text.
func FuzzBland(f *testing.F) {
	for _, s := range []string{"not today", "wrong?. hunter", "the tests fail: run them first", "don't: 'a', 'b'", "call 112 now", "x: |\n  y", "it is [redacted]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !bland(s) {
			return
		}
		for p := range policies {
			if clean := policies[p].text(s, nil); clean != s {
				t.Fatalf("policy %d: %q is bland, and becomes %q", p, s, clean)
			}
		}
	})
}

// What guards say is bland, or nobody gains from the question.
func TestUsualReasonsAreBland(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"not today", "blocked this and gave no reason", "Force pushes are refused here: ask a person first.", "3 tests fail; run go test and mend them",
		"do not touch \"main\": make a branch", "this file is generated, edit its source", "rm of a folder outside of the project",
	} {
		t.Run(s, func(t *testing.T) {
			if !bland(s) {
				t.Errorf("%q is not bland", s)
			}
		})
	}
}

// What is left of a text without the values is the rest of it.
func TestWithout(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                             "",
		"nothing of it":                "nothing of it",
		"makeCANARYvalue is not a key": "… is not a key",
		"cannot make all of it":        "cannot … of it",
		`a\nmakeCANARYvalue\n`:         `a\n…\n`,
		"xmakeCANARYvalue":             "xmakeCANARYvalue", // another word
		"password=hunter2 all":         "password=[redacted] all",
		"ownwords stay, make all not":  "ownwords stay, … not",
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if got := Log.Without(in, slices.Values([]string{"make makeCANARYvalue now", "make all", "ownwords"}), func(s string) bool { return s == "ownwords" }); got != want {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}
