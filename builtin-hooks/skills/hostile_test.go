package skills

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// What a stranger writes into an expression, or into what it is
// tried on, ends soon and takes the program with it nowhere.
//
// BS-FLT-02.
func TestHostileExpressions(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"^(a+)+$", "(a|aa)+b", strings.Repeat("(", 20000) + "a" + strings.Repeat(")", 20000), strings.Repeat("(", 20000),
		"a{2147483647}", "(((a{1000}){1000}){1000})", "(?<a>" + strings.Repeat("a?", 5000) + ")", "(?=(a+))\\1*b", "[\\u{110000}]",
	} {
		t.Run(fmt.Sprintf("%d bytes of %.40q", len(source), source), func(t *testing.T) {
			h := Hook{Timing: AfterToolCall, Tools: []string{"/" + source + "/"}, Match: source}
			text := strings.Repeat("a", 5000) + "!"
			if source == "^(a+)+$" && (h.Wants(text) || h.Fits(text)) {
				t.Errorf("%.20q came to no end, and yet was found", source)
			}
			h.Wants(text, "")
		})
	}
}

// Tools and Match are the caller's to change after Scan; a copy of the
// hook keeps its own, used at the same time.
func TestFiltersMayChangeAfterScan(t *testing.T) {
	t.Parallel()
	dir := put(t, t.TempDir(), map[string]string{
		"s/hooks/a.md":       "a",
		"s/hooks/hooks.json": `{"hooks": [{"name": "a", "file": "a.md", "timing": "after_tool_call", "role": "user", "persistent": false, "tool_filter": ["/^x/"], "match": "one"}]}`,
	})
	hooks, problems := Scan(nil, dir)
	if len(hooks) != 1 || len(problems) > 0 {
		t.Fatal(hooks, problems)
	}
	changed := hooks[0]
	changed.Tools, changed.Match = []string{"exact", "/^y/", "/^z/"}, "two"
	var wg sync.WaitGroup
	for range 4 {
		for i, h := range []Hook{hooks[0], changed} {
			wg.Go(func() {
				for _, c := range []struct {
					name string
					want [2]bool
				}{{"xx", [2]bool{true, false}}, {"yy", [2]bool{false, true}}, {"zz", [2]bool{false, true}}, {"exact", [2]bool{false, true}}} {
					if h.Wants(c.name) != c.want[i] {
						t.Errorf("hook %d wants %s: %v", i, c.name, !c.want[i])
					}
				}
				if h.Fits("one") != (i == 0) || h.Fits("two") != (i == 1) {
					t.Errorf("hook %d: match", i)
				}
			})
		}
	}
	wg.Wait()
}

// The place of a mistake is where a JSON reader of another make finds the
// value, however the text is spaced.
//
// BS-FIL-03.
func TestPlacesInAnyJSON(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		w := &jsonWriter{rnd: rand.New(rand.NewPCG(seed, 5))}
		w.value(nil, 4)
		for _, at := range w.at {
			if got := find(w.Bytes(), at.path...); got != at.offset {
				t.Fatalf("seed %d: %v at byte %d, want %d:\n%s", seed, at.path, got, at.offset, w.Bytes())
			}
		}
		if !json.Valid(w.Bytes()) {
			t.Fatalf("%s", w.Bytes())
		}
	}
}

// The place of what is not there is that of what lacks it; a byte order mark is no text.
func TestPlaceOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"a": {"b": [1, 2]}, "c": 3}`, "\xef\xbb\xbf{\"a\": {\"b\": [1, 2]}, \"c\": 3}"} {
		for want, path := range map[string][]any{`{"a"`: {"x"}, `{"b"`: {"a", "x"}, `[1`: {"a", "b", 2}, `1,`: {"a", "b", 0, "x"}, `3}`: {"c", "x", "y"}} {
			t.Run(fmt.Sprintf("%.3q: %v", text, path), func(t *testing.T) {
				if got := text[find([]byte(text), path...):]; !strings.HasPrefix(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			})
		}
	}
}

// A jsonWriter writes a random value and notes where each part of it begins.
type jsonWriter struct {
	bytes.Buffer
	rnd *rand.Rand
	at  []struct {
		path   []any
		offset int
	}
}

func (w *jsonWriter) space() {
	for range w.rnd.IntN(3) {
		w.WriteByte(" \t\r\n"[w.rnd.IntN(4)])
	}
}

func (w *jsonWriter) value(path []any, depth int) {
	w.space()
	w.at = append(w.at, struct {
		path   []any
		offset int
	}{append([]any{}, path...), w.Len()})
	kind := w.rnd.IntN(6)
	if depth > 0 && len(path) == 0 {
		kind = 0
	}
	switch {
	case depth > 0 && kind == 0:
		w.list('{', '}', func(i int) {
			name := []string{"a", `q"[`, "é}", `\\`, "b,:"}[i]
			b, _ := json.Marshal(name)
			w.Write(b)
			w.space()
			w.WriteByte(':')
			w.value(append(path, name), depth-1)
		})
	case depth > 0 && kind == 1:
		w.list('[', ']', func(i int) { w.value(append(path, i), depth-1) })
	default:
		fmt.Fprint(w, []string{`"x]\"{"`, "-1.5e3", "true", "null", `""`, "0", `"\\"`}[w.rnd.IntN(7)])
	}
	w.space()
}

func (w *jsonWriter) list(open, end byte, element func(int)) {
	w.WriteByte(open)
	for i := range w.rnd.IntN(5) {
		if i > 0 {
			w.WriteByte(',')
		}
		w.space()
		element(i)
	}
	w.space()
	w.WriteByte(end)
}
