package protocol

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// However deep an event is nested it is read, and what is inside 60 levels is gone.
func TestParseEventEmptiesWhatIsTooDeep(t *testing.T) {
	arrays := func(n int, inside string) string {
		return strings.Repeat("[", n) + inside + strings.Repeat("]", n)
	}
	most := arrays(MaxEventDepth-1, "")
	for _, c := range []struct{ name, in, want, unread, err string }{
		{"as deep as may be", `{"x": ` + most + `}`, `{"x": ` + most + `}`, "", ""},
		{"a number too deep", `{"x": ` + arrays(MaxEventDepth-1, "1") + `, "y": 2}`, `{"x": ` + most + `, "y": 2}`, TooDeep, ""},
		{"space there", `{"x": ` + arrays(MaxEventDepth-1, " \n") + `}`, `{"x": ` + most + `}`, "", ""},
		{"a thousand", `{"y": 1, "x":` + arrays(1001, "") + `}`, `{"y": 1, "x": ` + most + `}`, TooDeep, ""},
		{"a million", `{"x":` + arrays(1e6, `{"a": [1, "]", {}, [], {"b": -1e2, "c": null}]}`) + `, "y": 1}`, `{"x": ` + most + `, "y": 1}`, TooDeep, ""},
		{"objects", `{"x":` + strings.Repeat(`{"a":`, 2000) + "true" + strings.Repeat("}", 2000) + `}`, `{"x": ` + strings.Repeat(`{"a": `, MaxEventDepth-2) + "{}" + strings.Repeat("}", MaxEventDepth-2) + `}`, TooDeep, ""},
		{"no end", `{"x":` + strings.Repeat("[", 5000), "", "", "ends"},
		{"another end", `{"x":` + strings.Repeat("[", 5000) + "}", "", "", "unexpected '}'"},
		{"no value after a comma", `{"x":` + arrays(100, "1,") + `}`, "", "", "unexpected ']'"},
		{"no value before one", `{"x":` + arrays(100, ",1") + `}`, "", "", "unexpected ','"},
		{"no name", `{"x":` + arrays(100, "{1}") + `}`, "", "", "want a name"},
		{"no name after a comma", `{"x":` + arrays(100, `{"a":1,}`) + `}`, "", "", "want a name"},
		{"no comma", `{"x":` + arrays(100, "1 2") + `}`, "", "", "unexpected '2'"},
		{"a control character", `{"x":` + arrays(100, "\"\n\"") + `}`, "", "", "control character"},
		{"a name twice above it", `{"x":1,"x":` + arrays(100, "") + `}`, "", "", "stands twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, unread, err := ParseEvent([]byte(c.in))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("%v, want %q", err, c.err)
				}
				return
			}
			if err != nil || unread != c.unread || string(o.Raw()) != c.want {
				t.Errorf("%.200s, %q, %v", o.Raw(), unread, err)
			}
		})
	}
}

// Of what a model wrote as a text hooks get what their JSON reader can take, and what
// they do not get is said.
func TestParseTextSaysWhatHooksDoNotGet(t *testing.T) {
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	for _, c := range []struct{ name, in, want, unread string }{
		{"an object", ` {"a": 1} `, `{"a": 1}`, ""},
		{"an array", `[1]`, `[1]`, ""},
		{"a name twice", `{"a": 1, "b": 2, "a": 3}`, `{"a": 3, "b": 2}`, Twice},
		{"a name twice, once escaped", `{"a": 1, "\u0061": 3}`, `{"a": 3}`, Twice},
		{"a name twice inside", `{"a": {"b": 1, "b": 2}}`, `{"a": {"b": 1, "b": 2}}`, Twice},
		{"too deep", `{"a": 1, "x": ` + deep + `}`, `{"a": 1, "x": ` + strings.Repeat("[", MaxEventDepth-1) + strings.Repeat("]", MaxEventDepth-1) + `}`, TooDeep},
		{"two of them", `{"a": 1} {"a": 2}`, "", ""},
		{"prose", `{not json}`, "", ""},
		{"a string", `"a"`, "", ""},
		{"nothing", ``, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, unread := ParseText(c.in)
			if got := string(AppendValue(nil, v)); got != c.want || unread != c.unread {
				t.Errorf("%q, %q, want %q, %q", got, unread, c.want, c.unread)
			}
		})
	}
}

// twiceAmong is a text of an object with a name that stands twice, and so many others.
func twiceAmong(many int) string {
	var b strings.Builder
	b.WriteString(`{"a": 1, "a": 2`)
	for i := range many {
		fmt.Fprintf(&b, `, "n%d": %d`, i, i)
	}
	return b.String() + "}"
}

func TestANameTwiceAmongManyTakesItsLastValue(t *testing.T) {
	const many = 200_000 // each searched among all before it, these would be minutes
	v, unread := ParseText(twiceAmong(many))
	o := ObjectOf(v)
	if unread != Twice || len(o) != many+1 || string(o[0].Value) != "2" || o[many].Name != "n199999" {
		t.Errorf("%q, %d members", unread, len(o))
	}
}

func BenchmarkParseTextWithANameTwice(b *testing.B) {
	for _, many := range []int{1_000, 10_000, 100_000} {
		b.Run(strconv.Itoa(many), func(b *testing.B) {
			for text := twiceAmong(many); b.Loop(); {
				ParseText(text)
			}
		})
	}
}
