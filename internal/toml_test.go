package internal_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	oracle "github.com/BurntSushi/toml"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/toml"
)

// tomls are seeds for all that is held here: TOML of every kind, and things that
// are none.
var tomls = []string{
	"",
	"a = 1\n",
	"# c\n[hooks]\n  on_error = \"block\" # [x]\n\n[[hooks.disable]]\nname='a'\n[[hooks.disable]]\nname = \"b\"\n",
	"hooks.disable = [ {name = \"a\"}, # one\n {name = 'b'},\n]\nhooks.debug = true",
	"[hooks]\ndefaults = {timeout = 5, async = true}\n\"quoted key\" = '''\n[not.a.table]\nx = 1\n'''\n'literal' = \"\"\"a\\\"\"\"\" \nlast = [[1, 2], [\"]\", '}']]\n",
	"[[a]]\nx = 1\n[a.b]\ny = 2\n[[a.c]]\nz = 1\n[[a.c]]\nz = 2\n[[a]]\n[a.b]\ny = 3\n",
	"a . b = 1\n[ c . 'd' ]\ne = 1979-05-27 07:32:00\nf = 0xff\ng = -inf\n",
	"\ufeffa = 1\r\n[b]\r\nc = \"x\"\r\n",
	"a = {b = {c = [1, {d = 2}]}}\n",
	"x = \"a # b = [c]\" # d = 1\n",
	"i = [0, -0, +1, 1_000, 0xDEAD_beef, 0o17, 0b1010, 9223372036854775807, -9223372036854775808]\n",
	"f = [0.0, -0.0, +1.5, 1e3, 1E-3, 6.626e-34, 9_224.5_0, inf, +inf, -inf, nan, +nan, -nan]\n",
	"d = [1979-05-27T07:32:00Z, 1979-05-27t00:32:00.999999-07:00, 1979-05-27 07:32:00, 1979-05-27, 07:32:00, 07:32]\n",
	"s = [\"\\b\\t\\n\\f\\r\\e\\\"\\\\\\x41\\u00e9\\U0001F600\", \"\"\"\n a\\\n   b\n\"\"\", '''\n'c' ''']\n",
	"a = {}\nb = []\nc = \"\"\n\"\" = 1\n'' . x = 2\n",
	"[a.b.c]\n[a]\nx = 1\n[a.b]\ny = 1\n",
	"a.b.c = 1\na.b.d = 2\na.e = 3\n",
	"a = [\n  1, # one\n  # two\n  2,\n]\n",
	"t = {\n a = 1, # x\n b = 2,\n}\n",
	"[hooks\n", "[hooks]\non_error = block\n", "a = 1\na = 2\n", "[a]\n[a]\n", "a.b=1\n[a]\nc=1\n", "[a]\n[[a]]\n", "a = [1,2\n",
	"a = \"x\n", "a = 2026-13-01\n", "a = 2026-2-01\n", "a = 99999999999999999999\n", "a = 1e999\n", "a 1\n", "= 1\n", "a = {b=1, b=2}\n", "a = 1 b = 2\n",
	"a = 01\n", "a = \"\\q\"\n", "a = tru\n", "a = \n", "a\n", "[a]]\n", "[]\n", "x = {a=1\n", "a = 1\r\nb", "a = '''\n", "a=[{b=1}]\n[[a]]\n",
	"\x00", "a = \"\xff\"\n", "a = 1e\n", "a=1_\n", "a.b = 1\na = 2\n", "a = 1\na.b = 2\n", "# \x01\n", "a = {}\n[a.b]\n", "a = {}\na.b = 1\n",
	"[a.b]\n[a]\nb.c=1\n", "a = 1\rb = 2\n", "[[a]]\n[a]\n", "[a]\nb=1\n[a.b]\n", "a = [1]\n[a.b]\n", "a = 0_1\n", "a = -01\n", "a = +0x1\n", "a = .5\n", "a = 5.\n",
	"a = 1.e3\n", "a = 25:00\n", "a = 2026-01-01T\n", "a = [1 2]\n", "a = [,]\n", "a = {,}\n", "a = \"\"\"\"\"\"\n", "a = \"\"\"\"\"\"\"\"\n", "a = ''''''''\n", "\"a\nb\" = 1\n", "a = \"\\u12\"\n", "a = \"\\ud800\"\n", "é = 1\n",
	"[x]\n[[x.a]]\n[[x.a.b]]\nc=1\n[x.a.d]\n", "a = {b = 1, b.c = 2}\n", "a = {b.c = 1, b.d = 2}\n", "a = \"x\"y\n", "a = 1#c\n", "a = 1979-05-27 # c\n", "a = 1979-05-27 07 \n",
}

// kin is a value in a form that two readers can be compared in: a date by what
// its text says, NaN as a word.
func kin(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = kin(e)
		}
		return out
	case []map[string]any:
		out := []any{"array of tables"}
		for _, e := range v {
			out = append(out, kin(e))
		}
		return out
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, kin(e))
		}
		return out
	case time.Time:
		if strings.HasSuffix(v.Location().String(), "-local") {
			return "time " + v.Format("2006-01-02T15:04:05.999999999")
		}
		return "time " + v.UTC().Format("2006-01-02T15:04:05.999999999")
	case float64:
		return fmt.Sprint(v, " ", math.Signbit(v) && !math.IsNaN(v))
	}
	return v
}

// sameToml holds what Parse reads of a text against another TOML library: either
// reads it or both see that it is none, but where a key is given twice. There the
// other one is stricter about tables that a dotted key has made, and overlooks
// some keys.
func sameToml(t *testing.T, text string) {
	t.Helper()
	want := map[string]any{}
	_, other := oracle.Decode(text, &want)
	doc, err := toml.Parse(text)
	switch {
	case err == nil && other == nil:
		if got, want := fmt.Sprintf("%#v", kin(doc.Root)), fmt.Sprintf("%#v", kin(want)); got != want {
			t.Errorf("%q\nis  %s\nnot %s", text, got, want)
		}
	case err == nil && !keyTwice(other):
		t.Errorf("%q is read as %v, and is no TOML: %v", text, doc.Root, other)
	case other == nil && !keyTwice(err):
		t.Errorf("%q: %v, and is read elsewhere as %v", text, err, want)
	}
}

// keyTwice reports whether an error says that a key stands there already.
func keyTwice(err error) bool {
	return strings.Contains(err.Error(), "has already been defined") || strings.Contains(err.Error(), "was already created")
}

func TestTomlIsReadAsByAnotherLibrary(t *testing.T) {
	t.Parallel()
	for _, text := range tomls {
		sameToml(t, text)
	}
}

func FuzzToml(f *testing.F) {
	for _, text := range tomls {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sameToml(t, text)
		checkTomlPlaces(t, text)
	})
}

// checkTomlPlaces sees to it that the places of a text are those of its keys and
// values, by reading each value alone.
func checkTomlPlaces(t *testing.T, text string) {
	t.Helper()
	doc, err := toml.Parse(text)
	var wrong *toml.Error
	switch {
	case errors.As(err, &wrong):
		if line, col := toml.Position(text, wrong.Offset); wrong.Offset < 0 || wrong.Offset > len(text) || wrong.Message == "" || line < 1 || col < 1 {
			t.Errorf("%q: %+v", text, wrong)
		}
		return
	case err != nil:
		t.Errorf("%q: %T: %v", text, err, err)
		return
	}
	seen := map[string]toml.Place{}
	for i, p := range doc.Places {
		if p.Key < 0 || p.Key > p.Start || p.Start > p.End || p.End > len(text) || i > 0 && p.Key < doc.Places[i-1].Key {
			t.Errorf("%q: place %+v", text, p)
			return
		}
		if _, twice := seen[p.Path]; !twice {
			seen[p.Path] = p
		}
	}
	walkToml(t, text, seen, "", doc.Root)
}

func walkToml(t *testing.T, text string, places map[string]toml.Place, path string, v any) {
	// A table may have been added to after its value was read.
	_, table := v.(map[string]any)
	if p, ok := places[path]; ok && !p.Header && path != "" && !table {
		if alone, err := toml.Parse("v = " + text[p.Start:p.End]); err != nil || fmt.Sprint(alone.Root["v"]) != fmt.Sprint(v) {
			t.Errorf("%q: %s stands at %q, which is not %v: %v", text, path, text[p.Start:p.End], v, err)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if strings.ContainsAny(k, ".[") {
				continue // the path does not tell such a key from two
			}
			walkToml(t, text, places, toml.Dotted(path, k), e)
			_, inside := e.(map[string]any)
			_, listed := e.([]map[string]any)
			if _, ok := places[toml.Dotted(path, k)]; !ok && !inside && !listed {
				t.Errorf("%q: no place for %s", text, toml.Dotted(path, k))
			}
		}
	case []map[string]any:
		for i, e := range v {
			walkToml(t, text, places, fmt.Sprintf("%s[%d]", path, i), e)
		}
	case []any:
		for i, e := range v {
			walkToml(t, text, places, fmt.Sprintf("%s[%d]", path, i), e)
		}
	}
}

func TestTomlPlaces(t *testing.T) {
	t.Parallel()
	for _, text := range tomls {
		checkTomlPlaces(t, text)
	}
	doc, err := toml.Parse(tomls[2])
	must.Do(t, err)
	for path, want := range map[string]string{"hooks.disable[1].name": "8:1", "hooks.on_error": "3:3", "hooks.disable[0]": "5:1"} {
		t.Run(path, func(t *testing.T) {
			p, ok := doc.Find(path)
			line, col := toml.Position(tomls[2], p.Key)
			if got := fmt.Sprintf("%d:%d", line, col); !ok || got != want {
				t.Errorf("%s at %s, want %s", path, got, want)
			}
		})
	}
	if line, col := toml.Position("é = 1\nü", 8); line != 2 || col != 2 {
		t.Errorf("%d:%d: a column is a character", line, col)
	}
}

// What a person reads of a text that is no TOML: the place, the key, and why.
func TestTomlErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"[hooks\n", "1:7  expected ']' to close table name"},
		{"[hooks]\non_error = block\n", `2:12 hooks.on_error expected value but found "block" instead`},
		{"a = \n", `1:5 a expected value but found '\n' instead`},
		{"[[a]]\n[[a]]\nb = tru\n", `3:5 a.b expected value but found "tru" instead`},
		{"a = 1\na = 2\n", "2:1 a Key 'a' has already been defined."},
		{"[x]\na = {b = 1, b = 2}\n", "2:13 x.a.b Key 'x.a.b' has already been defined."},
		{"[a]\n[a]\n", "2:2 a Key 'a' has already been defined."},
		{"[a]\n[[a]]\n", "2:3 a Key 'a' was already created and cannot be used as an array."},
		{"a = 1\n[a.b]\n", "2:2  Key 'a' was already created as a hash."},
		{"# c\n\"k = 1\" = 99999999999999999999 # d\n", "2:11 k = 1 99999999999999999999 is out of range for int64"},
		{"a = 1e999", "1:5 a 1e999 is out of range for float64"},
		{"a = 2026-01-02T7:30:00Z", "1:5 a invalid datetime: \"2026-01-02T7:30:00Z\""},
		{"a = 2026-01-02 7:30", "1:5 a invalid datetime: \"2026-01-02 7:30\""},
		{"a = [2026-02-30]", "1:6 a[0] invalid datetime: \"2026-02-30\""},
		{"a = [1,\n2", "2:1 a array is incomplete"},
		{"a = " + strings.Repeat("[", 200) + strings.Repeat("]", 200), "1:106 a" + strings.Repeat("[0]", 101) + " values are nested more than 100 deep"},
	} {
		t.Run(fmt.Sprintf("%.80q", tt.text), func(t *testing.T) {
			_, err := toml.Parse(tt.text)
			var e *toml.Error
			if !errors.As(err, &e) {
				t.Errorf("%q: %v", tt.text, err)
				return
			}
			line, col := toml.Position(tt.text, e.Offset)
			if got := fmt.Sprintf("%d:%d %s %s", line, col, e.Key, e.Message); got != tt.want {
				t.Errorf("%q\nsays %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

// A table that a dotted key or an inline table made may be added to.
func TestTomlTablesMayBeAddedTo(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"a.b = 1\n[a]\nc = 2\n", "a = {b = 1}\n[a.c]\n", "a = {b = 1}\na.c = 2\n"} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			doc, err := toml.Parse(text)
			if err != nil {
				t.Errorf("%q: %v", text, err)
				return
			}
			if keys := slices.Sorted(maps.Keys(doc.Root["a"].(map[string]any))); fmt.Sprint(keys) != "[b c]" {
				t.Errorf("%q: %v", text, keys)
			}
		})
	}
}

// A file of a stranger takes neither long nor much: what is over a limit is an error, with its place.
func TestTomlIsBounded(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a key of many parts":     strings.Repeat("a.", 50000) + "a = 1\n",
		"a header of many parts":  "[" + strings.Repeat("a.", 50000) + "a]\n",
		"parts with long letters": "\"a" + strings.Repeat("é", 600) + "\"" + strings.Repeat(".a", 200) + " = 1\n",
		"keys below a long table": "[" + strings.Repeat("x", 300000) + "]\n" + strings.Repeat("a = 1\n", 2),
		"many keys":               many("a%d = 1\n", 50000),
		"many tables":             many("[a%d]\n", 50000),
		"many elements":           "a = [" + strings.Repeat("{b = 1},", 50000) + "]\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := toml.Parse(text)
			if e, ok := errors.AsType[*toml.Error](err); !ok || !strings.Contains(e.Message, "more than") && !strings.Contains(e.Message, "longer than") || len(e.Key) > 2000 || !utf8.ValidString(e.Key) || e.Behind("no TOML") != e.Message {
				t.Errorf("%.200v", err)
			}
		})
	}
	if _, err := toml.Parse(many("a%d = 1\n", 9000) + strings.Repeat("b.", 90) + "b = 1\n"); err != nil {
		t.Errorf("a large file: %v", err)
	}
}

func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
