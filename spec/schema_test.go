package spec

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

const schemaBase = "https://raw.githubusercontent.com/agents-hooks/agents-hooks/main/spec/"

// compile compiles a schema: that checks it against the meta-schema of draft 2020-12.
func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c, err := compiler()
	must.Do(t, err)
	s, err := c.Compile(schemaBase + name + ".schema.json")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

// compiler knows all schemas under their ids, so that references between them resolve
// and nothing is fetched, and compiles each once.
var compiler = sync.OnceValues(func() (*jsonschema.Compiler, error) {
	c := jsonschema.NewCompiler()
	for _, d := range Schemas() {
		text, _ := Schema(d.Name)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = c.AddResource(schemaBase+d.File, doc)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
	}
	return c, nil
})

func document(t *testing.T, name string) any {
	text, ok := Schema(name)
	if !ok {
		t.Fatalf("no schema %q", name)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

func TestSchemasAreValid(t *testing.T) {
	for _, d := range Schemas() {
		compile(t, d.Name)
		doc := document(t, d.Name).(map[string]any)
		if doc["$id"] != schemaBase+d.File || doc["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: $id %v, $schema %v", d.File, doc["$id"], doc["$schema"])
		}
		if doc["title"] == nil || doc["description"] == nil {
			t.Errorf("%s: no title or no description: editors show them", d.File)
		}
		requiredIsDeclared(t, d.File, doc)
	}
}

// requiredIsDeclared finds keys that are required but not described: a slip of
// the pen that a validator does not see.
func requiredIsDeclared(t *testing.T, at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if props, ok := v["properties"].(map[string]any); ok {
			for _, key := range list(v["required"]) {
				if props[key.(string)] == nil {
					t.Errorf("%s: %q is required and not described", at, key)
				}
			}
		}
		for k, sub := range v {
			requiredIsDeclared(t, at+"/"+k, sub)
		}
	case []any:
		for _, sub := range v {
			requiredIsDeclared(t, at, sub)
		}
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// keys are the described keys of a schema at a path of nested properties.
func keys(t *testing.T, name string, path ...string) []string {
	v := document(t, name).(map[string]any)
	for _, p := range path {
		v = v[p].(map[string]any)
	}
	return slices.Sorted(maps.Keys(v["properties"].(map[string]any)))
}

func TestSchemasAcceptAndReject(t *testing.T) {
	for _, d := range Schemas() {
		t.Run(d.Name, func(t *testing.T) {
			s := compile(t, d.Name)
			accepted, rejected := samples(t, d.Name)
			for _, text := range accepted {
				if err := s.Validate(sample(t, text)); err != nil {
					t.Errorf("rejects %s: %v", text, err)
				}
			}
			for _, text := range rejected {
				if s.Validate(sample(t, text)) == nil {
					t.Errorf("accepts %s", text)
				}
			}
		})
	}
	if files, err := filepath.Glob("testdata/samples/*.txt"); err != nil || len(files) != len(Schemas()) {
		t.Errorf("%d files of samples for %d schemas: %v", len(files), len(Schemas()), err)
	}
}

// samples are documents that a schema accepts, and ones that it rejects, a line each.
func samples(t *testing.T, name string) (accepted, rejected []string) {
	good, bad, ok := strings.Cut(strings.TrimPrefix(must.Read(t, filepath.Join("testdata", "samples", name+".txt")), "accepted:\n"), "\n\nrejected:\n")
	if !ok || strings.TrimSpace(good) == "" || strings.TrimSpace(bad) == "" {
		t.Fatalf("%s.txt: want lines below accepted: and below rejected:", name)
	}
	return strings.Split(good, "\n"), strings.Split(strings.TrimSuffix(bad, "\n"), "\n")
}

func sample(t *testing.T, text string) any {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return doc
}

// The tables of SPEC.md and the schemas name the same things.
func TestTablesAndSchemasAgree(t *testing.T) {
	enum := func(name, key string) []string {
		var out []string
		for _, v := range list(document(t, name).(map[string]any)["properties"].(map[string]any)[key].(map[string]any)["enum"]) {
			out = append(out, v.(string))
		}
		return out
	}
	events := column("Events", "event")
	ours := column("Events of ours", "event")
	if len(events) != 13 || len(ours) != 2 {
		t.Errorf("%d events of the format, %d of ours", len(events), len(ours))
	}
	if events = append(events, ours...); !slices.Equal(events, enum("hook", "trigger")) || !slices.Equal(events, enum("event", "event_type")) {
		t.Errorf("events: %v\nhook.schema.json: %v\nevent.schema.json: %v", events, enum("hook", "trigger"), enum("event", "event_type"))
	}
	if old := column("Old event names", "old"); len(old) != 11 {
		t.Errorf("old event names: %v", old)
	}
	for _, e := range column("Old event names", "event") {
		if !slices.Contains(events, e) {
			t.Errorf("old event names lead to %q, which is no event", e)
		}
	}
	equal(t, "Fields", column("Fields", "field"), keys(t, "event"))
	equal(t, "Outcome", column("Outcome", "key"), keys(t, "outcome"))
	var front []string
	for _, k := range column("Keys", "key") {
		if first, _, _ := strings.Cut(k, "."); !slices.Contains(front, first) {
			front = append(front, first)
		}
	}
	equal(t, "Keys", front, keys(t, "hook"))
	defaults := map[string]any{"timeout": json.Number("30000"), "async": false, "priority": json.Number("100")}
	for key, want := range defaults {
		t.Run(key, func(t *testing.T) {
			if have := document(t, "hook").(map[string]any)["properties"].(map[string]any)[key].(map[string]any)["default"]; have != want {
				t.Errorf("default of %s: %v, want %v", key, have, want)
			}
		})
	}
}

func equal(t *testing.T, section string, table, schema []string) {
	t.Helper()
	table = slices.Sorted(slices.Values(table))
	if !slices.Equal(table, schema) {
		t.Errorf("%s: SPEC.md has %v\nthe schema has %v", section, table, schema)
	}
}

// column returns the code spans of one column of the first table of a section.
func column(section, head string) []string {
	text, _ := Page("spec")
	in, col := false, -1
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if title, ok := heading(line); ok {
			in = title == section
		}
		cells := row(line)
		switch {
		case !in || cells == nil:
			if in && len(out) > 0 {
				return out
			}
		case col < 0:
			col = slices.Index(cells, head)
		case strings.HasPrefix(cells[col], "`"):
			for _, span := range codeSpan.FindAllString(cells[col], -1) {
				out = append(out, strings.Trim(span, "`"))
			}
		}
	}
	return out
}

// SETTINGS.md and hooks-toml.schema.json have the same keys, both ways, and the
// same defaults.
func TestSettingsAndSchemaAgree(t *testing.T) {
	root := document(t, "hooks-toml").(map[string]any)
	schema := map[string]map[string]any{}
	flatten(root, root, "", schema)
	table := map[string]Setting{}
	for _, s := range Settings() {
		if table[s.Key].Key != "" {
			t.Errorf("SETTINGS.md has %s twice", s.Key)
		}
		table[s.Key] = s
		if s.Type == "" || s.Who == "" || s.Meaning == "" {
			t.Errorf("SETTINGS.md: %s is incomplete: %+v", s.Key, s)
		}
		if schema[s.Key] == nil {
			t.Errorf("SETTINGS.md has %s, the schema has not", s.Key)
			continue
		}
		have := ""
		if d, ok := schema[s.Key]["default"]; ok {
			b, _ := json.Marshal(d)
			have = string(b)
		}
		if have != strings.ReplaceAll(s.Default, `", "`, `","`) {
			t.Errorf("%s: default %s in the schema, %s in SETTINGS.md", s.Key, have, s.Default)
		}
		for _, v := range list(schema[s.Key]["enum"]) {
			if !strings.Contains(s.Type, `"`+v.(string)+`"`) {
				t.Errorf("%s: SETTINGS.md does not name the value %q", s.Key, v)
			}
		}
	}
	for key := range schema {
		if table[key].Key == "" {
			t.Errorf("the schema has %s, SETTINGS.md has not", key)
		}
	}
	if len(table) < 20 {
		t.Errorf("only %d rows read from SETTINGS.md", len(table))
	}
}

// flatten lists the leaves of a schema under dotted keys; items of an array add
// "[]".
func flatten(root, v map[string]any, key string, out map[string]map[string]any) {
	if ref, ok := v["$ref"].(string); ok {
		v = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	if items, ok := v["items"].(map[string]any); ok && v["type"] == "array" && items["type"] == "object" {
		flatten(root, items, key+"[]", out)
		return
	}
	props, ok := v["properties"].(map[string]any)
	if _, several := v["type"].([]any); !ok || several {
		out[key] = v // a leaf, or a key that is either a leaf or a table
	}
	for name, sub := range props {
		flatten(root, sub.(map[string]any), strings.TrimPrefix(key+"."+name, "."), out)
	}
}
