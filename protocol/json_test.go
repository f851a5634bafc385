package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// decode reads JSON with the standard library and keeps the spelling of numbers.
func decode(t testing.TB, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("encoding/json: %v in %q", err, b)
	}
	return v
}

func TestParseObject(t *testing.T) {
	deep := func(n int) string {
		return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1)
	}
	for _, c := range []struct{ in, err string }{
		{`{}`, ""},
		{" \t\r\n{\"a\" : [ 1 , {\"b\":null} ] } \n", ""},
		{"\xef\xbb\xbf{}", ""},
		{`{"a":-0,"b":1E+2,"c":0.10,"d":1e400,"e":12345678901234567890123}`, ""},
		{`{"a":"\ud83d\ude00\ud800\udc"}`, "four hexadecimal digits"},
		{`{"a":"\ud800","b":"\udc00\ud800x","":1}`, ""},
		{deep(maxDepth), ""},
		{`{"a":` + strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1) + "}", ""},
		{``, "empty"},
		{" \n", "empty"},
		{"\xef\xbb\xbf", "empty"},
		{`[]`, "want a JSON object"},
		{`null`, "want a JSON object"},
		{`{} {}`, "text after"},
		{`{}x`, "text after"},
		{"{}\x00", "text after"},
		{`{"a":1,}`, "want a name"},
		{`{,}`, "want a name"},
		{`{"a" 1}`, "want a colon"},
		{`{"a":}`, "unexpected '}'"},
		{`{"a":1 "b":2}`, "after a member"},
		{`{"a":[1 2]}`, "after an element"},
		{`{"a":[1,]}`, "unexpected ']'"},
		{`{"a":01}`, "after a member"},
		{`{"a":+1}`, "unexpected '+'"},
		{`{"a":1.}`, "after the decimal point"},
		{`{"a":.5}`, "unexpected '.'"},
		{`{"a":1e}`, "in the exponent"},
		{`{"a":-}`, "want a digit"},
		{`{"a":tru}`, "want true"},
		{`{"a":NaN}`, "unexpected 'N'"},
		{`{'a':1}`, "want a name"},
		{`{"a":"\x41"}`, "unknown escape"},
		{`{"a":"\u12g4"}`, "four hexadecimal digits"},
		{"{\"a\":\"x\ny\"}", "control character"},
		{"{\"a\":\"x\x00y\"}", "control character"},
		{"{\"a\":\"\xff\"}", "not UTF-8"},
		{`{"a":"x`, "without an end"},
		{`{"a":"x\`, "ends inside a string"},
		{`{"a":1`, "ends inside an object"},
		{`{"a":[1`, "ends inside an array"},
		{`{"a":`, "a value is due"},
		{`{`, "ends inside an object"},
		{`{"a":1,"a":2}`, `"a" stands twice`},
		{`{"a":1,"\u0061":2}`, `"a" stands twice`},
		{`{"x":[{"b":1,"b":1}]}`, `"b" stands twice`},
		{`{/*c*/}`, "want a name"},
		{deep(maxDepth + 1), "nested deeper"},
		{`{"a":` + strings.Repeat("[", 2_000_000), "nested deeper"},
	} {
		t.Run(fmt.Sprintf("%d bytes of %.60q", len(c.in), c.in), func(t *testing.T) {
			_, err := ParseObject([]byte(c.in))
			name := c.in[:min(len(c.in), 60)]
			switch {
			case c.err == "" && err != nil:
				t.Errorf("%q: %v", name, err)
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("%q: error %v, want %q", name, err, c.err)
			}
			if se, ok := err.(*SyntaxError); ok && (se.Offset < 0 || se.Offset > len(c.in)) {
				t.Errorf("%q: offset %d", name, se.Offset)
			}
		})
	}
	many := "{"
	for i := range 5000 {
		many += `"k` + strconv.Itoa(i) + `":0,`
	}
	if _, err := ParseObject([]byte(many + `"k4999":1}`)); err == nil {
		t.Error("a name that stands twice among many was accepted")
	}
}

// The wire spelling is a promise: one line, ": " and ", ", no needless escapes,
// number literals and key order as they came.
func TestWireSpelling(t *testing.T) {
	for in, want := range map[string]string{
		`{}`: `{}`,
		"{\n\t\"b\" :1 ,\"a\":[ ] , \"c\" : { \"d\":[1,2] }\n}": `{"b": 1, "a": [], "c": {"d": [1, 2]}}`,
		`{"a":"\u003cscript\u003e \/ \u00e9 \ud83d\ude00"}`:     `{"a": "<script> / é 😀"}`,
		`{"a":"\u2028\u007f\u0000\u001f\b\f\n\r\t\"\\"}`:        "{\"a\": \"\u2028\x7f\\u0000\\u001f\\b\\f\\n\\r\\t\\\"\\\\\"}",
		`{"a":"x\ud800y\udc00","b":"\ud800\ud83d\ude00"}`:       `{"a": "x\ud800y\udc00", "b": "\ud800😀"}`,
		`{"n":[1.0,1e3,-0.0,1E+2,100000000000000000001]}`:       `{"n": [1.0, 1e3, -0.0, 1E+2, 100000000000000000001]}`,
		`{"a, b: c":"x, y: z [ { "}`:                            `{"a, b: c": "x, y: z [ { "}`,
		`{"\u0061\n":true}`:                                     `{"a\n": true}`,
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			o, err := ParseObject([]byte(in))
			if err != nil {
				t.Errorf("%s: %v", in, err)
				return
			}
			if got := string(o.Raw()); got != want {
				t.Errorf("%s\n got %s\nwant %s", in, got, want)
			}
			if got := string(AppendValue(nil, o.verbatim())); got != want {
				t.Errorf("%s, verbatim\n got %s\nwant %s", in, got, want)
			}
		})
	}
}

func TestAppendString(t *testing.T) {
	for in, want := range map[string]string{
		"":                 `""`,
		"plain é 日本":       `"plain é 日本"`,
		"q\" b\\ n\n<&>":   `"q\" b\\ n\n<&>"`,
		"\x00\x1f\x7f":     "\"\\u0000\\u001f\x7f\"",
		"bad\xffbytes\xc3": "\"bad\uFFFDbytes\uFFFD\"",
	} {
		t.Run(fmt.Sprintf("%q", in), func(t *testing.T) {
			if got := string(AppendString(nil, in)); got != want {
				t.Errorf("%q: got %s, want %s", in, got, want)
			}
		})
	}
}

func TestObject(t *testing.T) {
	o, err := ParseObject([]byte(`{"s": "x", "t": true, "f": false, "n": null, "o": {"a": 1}, "e": {}, "l": [1, "2"], "d": 5}`))
	must.Do(t, err)
	if o.Text("s") != "x" || o.Text("d") != "" || o.Text("absent") != "" {
		t.Error("Text")
	}
	if !o.Bool("t") || o.Bool("f") || o.Bool("s") || o.Bool("absent") {
		t.Error("Bool")
	}
	if o.Sub("o").Get("a") == nil || o.Sub("e") == nil || o.Sub("n") != nil || o.Sub("l") != nil {
		t.Error("Sub")
	}
	if len(ElementsOf(o.Get("l"))) != 2 || ElementsOf(o.Get("o")) != nil {
		t.Error("ElementsOf")
	}
	c := o.Clone()
	c.SetText("s", "y")
	c.Delete("t")
	c.Set("new", Raw("1"))
	if o.Text("s") != "x" || !o.Has("t") || o.Has("new") || c.Text("s") != "y" || c.Has("t") || !c.Has("new") {
		t.Error("a clone is not its own")
	}
	if Object(nil).Clone() != nil || (Object{}).Clone() == nil {
		t.Error("Clone mixes up empty and nil")
	}
	b, err := json.Marshal(map[string]any{"raw": Raw("[1, 2]"), "none": Raw(nil), "object": o.Sub("o")})
	if err != nil || string(b) != `{"none":null,"object":{"a":1},"raw":[1,2]}` {
		t.Errorf("in encoding/json: %s, %v", b, err)
	}
}

func TestLeaves(t *testing.T) {
	var got []string
	Leaves(Raw(` {"key": "v\u00e9", "a": [1.50, {"b": true, "c": null}, [], "x"], "d": false} `), func(leaf string) bool {
		got = append(got, leaf)
		return true
	})
	if want := []string{"vé", "1.50", "true", "x", "false"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	n := 0
	Leaves(Raw(`[1, 2, 3]`), func(string) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("%d leaves after false", n)
	}
}

// encoding/json accepts what ParseObject accepts, and reads the same; writing it out
// changes no value; and writing it twice changes nothing more.
func FuzzParseObject(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":"\ud800\u0000\/"}`, `{"a":[1e400,-0,{"b":null}],"\u0061b":true}`, "\xef\xbb\xbf{\"é\":\"日本\"}", `{"a":"\ud83d\ude00"}`, `{"x":"` + "\u2028" + `"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := ParseObject(b)
		if err != nil {
			return
		}
		plain := bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
		if !json.Valid(plain) {
			t.Fatalf("encoding/json refuses %q", b)
		}
		want := decode(t, plain)
		raw := o.Raw()
		if got := decode(t, raw); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %q", b, raw)
		}
		if bytes.ContainsAny(raw, "\n\r") || !utf8.Valid(raw) {
			t.Fatalf("not one line of UTF-8: %q", raw)
		}
		again, err := ParseObject(raw)
		if err != nil || !bytes.Equal(again.Raw(), raw) {
			t.Fatalf("%q is spelled %q, then %q, %v", b, raw, again.Raw(), err)
		}
		for _, m := range o {
			if err := ValidValue(m.Value); err != nil {
				t.Fatalf("member %q of %q: %v", m.Name, b, err)
			}
			v := want.(map[string]any)[m.Name]
			if s, ok := v.(string); ok && TextOf(m.Value) != s {
				t.Fatalf("text %q, want %q", TextOf(m.Value), s)
			}
		}
		leaves := 0
		Leaves(o.verbatim(), func(string) bool { leaves++; return true })
		if leaves != count(want) {
			t.Fatalf("%d leaves in %q, want %d", leaves, b, count(want))
		}
	})
}

func count(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += count(e)
		}
	case []any:
		for _, e := range v {
			n += count(e)
		}
	case nil:
	default:
		n = 1
	}
	return n
}

// A string that was appended reads back unchanged, except for bytes that are not
// UTF-8.
func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\x00\u2028😀")
	f.Add("\xff\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, s string) {
		q := Quote(s)
		must.Do(t, ValidValue(q))
		want := strings.ToValidUTF8(s, "\uFFFD")
		var std string
		must.Do(t, json.Unmarshal(q, &std))
		if got := TextOf(q); got != std || utf8.ValidString(s) && got != want {
			t.Fatalf("%q became %q, encoding/json reads %q", s, got, std)
		}
	})
}

// A walk rejects what ParseObject rejects, and reports everything that the readers of
// single values find, inner values first.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `{"a":1}`, `{"a": [1, -2.5e3 ,true,null], "b\"\\\u0022{" : {"c": "}]\\"} }`, "{\"\": [ \"\" ,\n{\"x\":[]},[[]],\"a,b\" ]}", `{"a":{"b":{"c":[{"d":"e"}]}}}`,
		`{"long names of more than eight bytes":"and values, too \\\\\"","ünïcode":"日本語"}`, `{"a":5`, `{"a":{"b":1,"b":2}}`, `{"a"`, `{"a":`, `{"a":["\`, "\xef\xbb\xbf{}", "{} x",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, want []string
		err := Walk(b, func(depth int, name []byte, value Raw) {
			got = append(got, fmt.Sprintf("%d %t %s %s", depth, name == nil, name, value))
		})
		o, wanted := ParseObject(b)
		if fmt.Sprint(err) != fmt.Sprint(wanted) {
			t.Fatalf("%q: %v, want %v", b, err, wanted)
		}
		if err != nil {
			return
		}
		var tell func(depth int, value Raw)
		tell = func(depth int, value Raw) {
			for _, m := range ObjectOf(value) {
				tell(depth+1, m.Value)
				want = append(want, fmt.Sprintf("%d false %s %s", depth, m.Name, m.Value))
			}
			for _, e := range ElementsOf(value) {
				tell(depth+1, e)
				want = append(want, fmt.Sprintf("%d true  %s", depth, e))
			}
		}
		for _, m := range o {
			tell(2, m.Value)
			want = append(want, fmt.Sprintf("1 false %s %s", m.Name, m.Value))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", b, got, want)
		}
	})
}

// Names of a large object are compared in whatever order they come.
func TestNamesOfLargeObjectsStandOnce(t *testing.T) {
	t.Parallel()
	for _, seed := range []int{1, 7, 19} { // 1: in order
		var members []string
		for i := range 40 {
			members = append(members, strconv.Quote("n"+strconv.Itoa(100+i*seed%40))+":1")
		}
		if _, err := ParseObject([]byte("{" + strings.Join(members, ",") + "}")); err != nil {
			t.Errorf("%d: %v", seed, err)
		}
		for _, at := range []int{0, 5, 16, 17, 38, 39} {
			again := "{" + strings.Join(members, ",") + "," + members[at] + "}"
			if _, err := ParseObject([]byte(again)); err == nil || !strings.Contains(err.Error(), "stands twice") {
				t.Errorf("%d, name %d again: %v", seed, at, err)
			}
		}
	}
}

// Many objects with names in order do not each make room for all of the text behind them.
func TestObjectsInOrderTakeNoMoreRoomThanTheyHave(t *testing.T) {
	var one strings.Builder
	for i := range 20 {
		fmt.Fprintf(&one, `"n%02d": 1, `, i)
	}
	text := `{"list": [` + strings.Repeat("{"+strings.TrimSuffix(one.String(), ", ")+"}, ", 4000) + `{}]}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	must.Do(t, must.Err(ParseObject([]byte(text))))
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 40*uint64(len(text)) {
		t.Errorf("%d bytes of memory for %d of text", took, len(text))
	}
}
