package op_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// all is an operation with an argument of each kind.
func all() *op.Op {
	return &op.Op{Name: "all", Args: []op.Arg{
		{Name: "text", Required: true, Model: op.Text{"what to say", "要说的"}}, {Name: "blank", Empty: true},
		{Name: "word", Words: []string{"soft", "hard"}}, {Name: "truth", Kind: op.Bool}, {Name: "whole", Kind: op.Int}, {Name: "count", Kind: op.Count},
		{Name: "number", Kind: op.Number}, {Name: "texts", Kind: op.Texts}, {Name: "list", Kind: op.List}, {Name: "objects", Kind: op.Objects},
		{Name: "docs", Kind: op.Docs}, {Name: "cases", Kind: op.Cases}, {Name: "confirm", Kind: op.Confirm}, {Name: "free", Kind: op.Free}, {Name: "json", Kind: op.JSON}, {Name: "day", Kind: op.Day},
	}}
}

func object(t *testing.T, text string) op.Object {
	t.Helper()
	o, err := protocol.ParseObject([]byte(text))
	must.Do(t, err)
	return o
}

func TestArgumentsThatCannotBeMisunderstoodAreTaken(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`null`:          "",
		`"truth": true`: `"truth": true`, `"truth": "true"`: `"truth": true`,
		`"whole": -3`: `"whole": -3`, `"whole": "7"`: `"whole": 7`, `"whole": 4.0`: `"whole": 4`,
		`"count": " 2 "`: `"count": 2`, `"number": "0.5"`: `"number": 0.5`, `"number": 1e3`: `"number": 1e3`,
		`"texts": "one"`: `"texts": ["one"]`, `"texts": "[\"a\", \"b\"]"`: `"texts": ["a", "b"]`, `"texts": "[not JSON"`: `"texts": ["[not JSON"]`, `"texts": []`: `"texts": []`,
		`"list": "error:x"`: `"list": ["error:x"]`, `"list": [{"type": "x"}, "y"]`: `"list": [{"type": "x"}, "y"]`,
		`"objects": "[{\"a\": 1}]"`:  `"objects": [{"a": 1}]`,
		`"docs": [{"path": "a.md"}]`: `"docs": [{"path": "a.md"}]`, `"cases": [{"when": "a", "then": "b"}]`: `"cases": [{"when": "a", "then": "b"}]`,
		`"confirm": {"token": "t", "userInput": "u"}`: `"confirm": {"token": "t", "userInput": "u"}`,
		`"free": "{\"a\": [1]}"`:                      `"free": {"a": [1]}`, `"json": {"a": {"b": 1.50}}`: `"json": {"a": {"b": 1.50}}`,
		`"day": "2026-02-17"`: `"day": "2026-02-17"`, `"word": "hard"`: `"word": "hard"`, `"word": null`: "", `"blank": ""`: `"blank": ""`,
	} {
		t.Run(given, func(t *testing.T) {
			given, want = `{"text": "x", `+given+`}`, strings.TrimSuffix(`{"text": "x", `+want, ", ")+"}"
			if strings.Contains(given, "x\", null") {
				given = `{"text": "x"}`
			}
			got, err := all().Take(object(t, given))
			if err != nil || string(got.Raw()) != want {
				t.Errorf("%s: %s, %v; want %s", given, got.Raw(), err, want)
			}
		})
	}
}

func TestFaultsSayWhatIsWrongAndWhatWouldDo(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{}`:                          "all: text is missing: a string",
		`{"text": ""}`:                "all: text is missing: a string",
		`{"text": " "}`:               "all: text is missing: a string",
		`{"text": null}`:              "all: text is missing: a string",
		`{"text": 5}`:                 "all: text is 5; want a string",
		`{"txet": "a"}`:               `all has no argument "txet"`,
		`{"text": "x", "word": "so"}`: `all: word is "so"; want one of soft, hard`, `{"text": "x", "word": ""}`: `want one of soft, hard`,
		`{"text": "x", "truth": 1}`: "want true or false", `{"text": "x", "whole": 1.5}`: "want a whole number", `{"text": "x", "whole": "many"}`: "want a whole number",
		`{"text": "x", "count": -1}`: "want a whole number", `{"text": "x", "whole": 1e17}`: "want a whole number", `{"text": "x", "count": 1e12}`: "want a whole number", `{"text": "x", "number": "NaN"}`: "want a number", `{"text": "x", "number": "Inf"}`: "want a number",
		`{"text": "x", "texts": [1]}`: "want an array of strings", `{"text": "x", "list": {}}`: "want an array", `{"text": "x", "objects": 1}`: "want an array",
		`{"text": "x", "docs": [{"description": "y"}]}`: "want an array", `{"text": "x", "cases": [{"when": "y"}]}`: "want an array",
		`{"text": "x", "confirm": {"token": ""}}`: "want an object", `{"text": "x", "free": []}`: "want an object", `{"text": "x", "json": "soon"}`: "want an object",
	} {
		t.Run(fmt.Sprintf("%q", given), func(t *testing.T) {
			_, err := all().Take(object(t, given))
			var f *op.Fault
			var e *op.Error
			if !errors.As(err, &f) || !strings.Contains(f.Error(), want) {
				t.Errorf("%s: %v, want %s", given, err, want)
			} else if !errors.As(op.Refuse(err), &e) || e.Code != op.BadArgument || !e.Usage() || !strings.HasPrefix(e.Fix, "arguments of all: text, blank?, word?") {
				t.Errorf("%s: refused with %+v", given, e)
			}
		})
	}
	other := errors.New("another")
	if op.Refuse(other) != other {
		t.Error("an error that is no fault does not stay as it is")
	}
	if fix := (&op.Op{Name: "none"}).Arguments(); fix != "none takes no arguments" {
		t.Error(fix)
	}
}

func TestSchemaIsThatOfTheArguments(t *testing.T) {
	t.Parallel()
	o := all()
	schema := o.Schema(false)
	if protocol.ValidValue(schema.Raw()) != nil || string(schema.Get("required")) != `["text"]` || string(schema.Get("additionalProperties")) != "false" {
		t.Errorf("%s", schema.Raw())
	}
	for name, want := range map[string]string{
		"text": `{"type": "string", "description": "what to say"}`, "word": `{"type": "string", "enum": ["soft", "hard"]}`, "count": `{"type": "integer", "minimum": 0}`,
		"texts": `{"type": "array", "items": {"type": "string"}}`, "objects": `{"type": "array", "items": {"type": "object"}}`,
		"cases": `{"type": "array", "items": {"type": "object", "properties": {"when": {"type": "string"}, "then": {"type": "string"}}, "required": ["when", "then"]}}`,
		"json":  `{"type": "object"}`, "number": `{"type": "number"}`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := schema.Sub("properties").Get(name); string(got) != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	if got := o.Schema(true).Sub("properties").Sub("text").Text("description"); got != "要说的" {
		t.Errorf("in Chinese: %s", got)
	}
	o.Args = o.Args[1:]
	if o.Schema(false).Has("required") {
		t.Error("nothing is required, and the schema lists it")
	}
	if o.ListsRequired = true; string(o.Schema(false).Get("required")) != "[]" {
		t.Error("an empty list of what is required is wanted, and missing")
	}
}

func TestNamesOfFlags(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"workspaceId": "workspace-id workspace workspaceId", "title": "title", "rawContext": "raw-context rawContext", "gene_id": "gene-id gene gene_id", "topic_key": "topic-key topic_key",
	} {
		t.Run(name, func(t *testing.T) {
			a := op.Arg{Name: name}
			if got := strings.Join(a.Names(), " "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	if a := (op.Arg{Name: "topic_key", Flags: []string{"topic-key"}}); a.Flag() != "topic-key" || len(a.Names()) != 1 {
		t.Error("what is said of the names does not hold")
	}
}

func FuzzTake(f *testing.F) {
	f.Add(`{"text": "x", "whole": "1e3", "docs": "[{\"path\": \"a\"}]"}`)
	f.Add(`{"text": "\"", "texts": "[", "free": "{"}`)
	f.Fuzz(func(t *testing.T, text string) {
		given, err := protocol.ParseObject([]byte(text))
		if err != nil {
			return
		}
		got, err := all().Take(given)
		if err != nil {
			return
		}
		if protocol.ValidValue(got.Raw()) != nil {
			t.Errorf("%s becomes %s", text, got.Raw())
		}
		if again, err := all().Take(got); err != nil || string(again.Raw()) != string(got.Raw()) {
			t.Errorf("%s is taken as %s, and then as %s, %v", text, got.Raw(), again.Raw(), err)
		}
	})
}

// What only people have is no argument of a model's: it stands in no schema, and is
// refused as what is not known.
func TestModelsAreNotOfferedWhatOnlyPeopleHave(t *testing.T) {
	t.Parallel()
	o := op.Op{Name: "drop", Args: []op.Arg{{Name: "id"}, {Name: "purge", Kind: op.Bool, NoTool: true}}}
	given := object(t, `{"id": "a", "purge": true}`)
	if _, err := o.Take(given); err != nil {
		t.Errorf("a person: %v", err)
	}
	m := o.ForModels()
	if _, err := m.Take(given); err == nil || err.Error() != `drop has no argument "purge"` {
		t.Errorf("a model: %v", err)
	}
	if text := string(m.Schema(false).Raw()); strings.Contains(text, "purge") || len(o.Args) != 2 {
		t.Errorf("%s, of %d arguments", text, len(o.Args))
	}
}

func TestWhatWillNotDoSaysWhatWould(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 50} {
		if err := op.Within("most", n, 1, 50); err != nil {
			t.Error(err)
		}
	}
	var e *op.Error
	if err := op.Refuse(op.Within("most", 51, 1, 50)); !errors.As(err, &e) || e.Code != op.BadArgument || e.Message != "most is 51" || e.Fix != "most is 1 to 50" {
		t.Errorf("%+v", e)
	}
	words := []string{"soft", "firm", "hard"}
	for given, want := range map[string]string{`{}`: "soft", `{"word": "hard"}`: "hard", `{"word": ""}`: "", `{"word": "x"}`: ""} {
		t.Run(fmt.Sprintf("%q", given), func(t *testing.T) {
			if got, err := (op.Call{Args: object(t, given)}).OneOf("word", words); got != want || (err == nil) != (want != "") {
				t.Errorf("%s: %q, %v", given, got, err)
			}
		})
	}
}
