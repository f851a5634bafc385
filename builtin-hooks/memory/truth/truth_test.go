package truth

import (
	"os"
	"strings"
	"testing"
)

type pair struct{ want, older, newer string }

func pairs(t *testing.T, file string) (out []pair) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, " | ")
		if len(f) != 3 {
			t.Fatalf("%q", line)
		}
		out = append(out, pair{f[0], f[1], f[2]})
	}
	return out
}

// score compares each pair of a file, and counts what is told right of the updates
// and of the others.
func score(t *testing.T, file string) (right, all map[string]int) {
	t.Helper()
	right, all = map[string]int{}, map[string]int{}
	for _, p := range pairs(t, file) {
		all[p.want]++
		have := Compare(p.older, p.newer).String()
		if have == p.want || have == "conflict" && p.want == "distinct" {
			right[p.want]++
		} else {
			t.Logf("%s, want %s: %q → %q", have, p.want, p.older, p.newer)
		}
	}
	return right, all
}

// Pairs that the rules were made with: all of them are told right.
// BM-TRU-02.
func TestTunedPairs(t *testing.T) {
	t.Parallel()
	right, all := score(t, "tuned.txt")
	for want, n := range all {
		if right[want] != n {
			t.Errorf("%s: %d of %d", want, right[want], n)
		}
	}
}

// Whatever is compared ends, and a text says what it says itself.
func FuzzCompare(f *testing.F) {
	for _, s := range []string{"the port is 8080", "我们用 MySQL", "no longer", "from to", "不再", ":::", "is is is", "no lOnger"} {
		f.Add(s, "now "+s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		Compare(a, b)
		if v := Compare(a, a); v != Same && v != Distinct {
			t.Errorf("%q and itself: %v", a, v)
		}
	})
}

// Pairs that nobody had seen when the rules were made. What was told wrong then
// stands in the commits; the figures are held.
// BM-TRU-02, BM-TRU-03.
func TestFreshPairs(t *testing.T) {
	t.Parallel()
	for file, least := range map[string]map[string]int{
		"fresh-1.txt": {"update": 36, "distinct": 39},
		"fresh-2.txt": {"update": 36, "distinct": 39},
		"fresh-3.txt": {"update": 36, "distinct": 39},
	} {
		t.Run(file, func(t *testing.T) {
			right, all := score(t, file)
			t.Logf("%s: %v of %v", file, right, all)
			for want, n := range least {
				if right[want] < n {
					t.Errorf("%s, %s: %d of %d, want %d", file, want, right[want], all[want], n)
				}
			}
		})
	}
}

// A statement that says that something changed, of what the older one calls by the same
// name and in other words, is shown beside it: it may be its update, and may not.
// BM-TRU-04.
func TestAChangeOfWhatIsNamedIsShown(t *testing.T) {
	t.Parallel()
	for _, p := range []pair{
		{"conflict", "heron-2 has 40 GB of disk", "heron-2 got a new drive, so space is no longer an excuse"},
		{"conflict", "Backups of TideBase are verified by hand each month", "We no longer trust TideBase with anything that customers pay for"},
		{"distinct", "heron-2 has 40 GB of disk", "heron-2 stands in the cellar of the Lyon office"},
		{"distinct", "Dependency updates come on Mondays", "The stand-up is on Mondays now"},
		{"distinct", "heron-2 has 40 GB of disk", "The office in Graz is no longer heated at night"},
	} {
		t.Run(p.newer, func(t *testing.T) {
			if have := Compare(p.older, p.newer).String(); have != p.want {
				t.Errorf("%s, want %s: %q → %q", have, p.want, p.older, p.newer)
			}
		})
	}
}

// What is said in so many words decides: on and off, the same word in the other language,
// what also holds, and changes that are a thing.
// BM-TRU-02, BM-TRU-03.
func TestWordsThatDecide(t *testing.T) {
	t.Parallel()
	for _, p := range []pair{
		{"update", "A release of shipd needs two reviews before it can be published", "A release of shipd needs one review before it can be published"},
		{"update", "On staging the switch `fast_path` is off for guests", "On staging the switch `fast_path` is on for guests"},
		{"update", "The dark theme is on in the beta", "The dark theme is off in the beta"},
		{"update", "The nightly backup of the stock database starts at 01:10 UTC", "stock 数据库的每晚备份在 UTC 03:30 开始"},
		{"update", "Anna is in Graz in May", "Anna is away in Graz in June"},
		{"update", "The fair is from 2 May to 4 May", "The fair is in June"},
		{"distinct", "Nadja reviews changes to the payment form", "Nadja reviews changes to the tax tables as well"},
		{"distinct", "Nadja reviews changes to the payment form", "Nadja also reviews changes to the tax tables"},
		{"distinct", "发布公告由小周写", "周报也由小周写"},
		{"distinct", "The runbook is on the wiki", "The runbook is off limits for guests"},
		{"distinct", "Nadja reviews changes to the payment form", "Nadja reviews updates to the runbook"},
	} {
		t.Run(p.newer, func(t *testing.T) {
			if have := Compare(p.older, p.newer).String(); have != p.want {
				t.Errorf("%s, want %s, after %q", have, p.want, p.older)
			}
		})
	}
}

// Two amounts are one if they count the same in other units.
func TestTheSameAmountInOtherUnits(t *testing.T) {
	t.Parallel()
	l := known()
	amountOf := func(text string) string {
		s := l.statement(text)
		a, n := s.amount(0)
		if n != len(s.all) {
			t.Errorf("%q: %d of %d words are the amount", text, n, len(s.all))
		}
		return a.text()
	}
	for _, p := range [][2]string{
		{"2 weeks", "14 days"}, {"1 fortnight", "14 days"}, {"half an hour", "30 minutes"}, {"90 s", "1.5 minutes"}, {"2000 ms", "2 s"}, {"48 hours", "两天"},
		{"1024 KB", "1 MB"}, {"1 GB", "1024 MB"}, {"1024 GB", "1 TB"}, {"二十五 分钟", "1500 s"},
	} {
		t.Run(p[0], func(t *testing.T) {
			if a, b := amountOf(p[0]), amountOf(p[1]); a != b {
				t.Errorf("%s, and %s", a, b)
			}
		})
	}
	if a, b := amountOf("1 KB"), amountOf("2 KB"); a == b {
		t.Errorf("%s, and %s", a, b)
	}
}

// A text may end with a word after which another is looked for.
func TestATextEndsAnywhere(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"from", "to", "until", "between", "not", "no", "as", "since", "every", "half an", "through", "on", "instead"} {
		t.Run(end, func(t *testing.T) {
			older, newer := "The fair is in May, and stays "+end, "The fair is in July, and stays "+end
			Compare(older, newer)
			Compare(newer, older)
		})
	}
}
