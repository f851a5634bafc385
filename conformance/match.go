package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// decodeJSON reads one JSON value and nothing after it. Numbers keep their
// spelling.
func decodeJSON(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return v, nil
}

// matchJSON reports where got is not what is wanted, "" if it is. What is wanted
// is a part: an object may have more keys than the wanted one; an array has the
// same length. Four objects stand for checks instead of values:
//
//	{"$has": "text"}    a string that holds the text
//	{"$absent": true}   there is no such key
//	{"$type": "string"} a value of this type (string, number, boolean, object, array, null)
//	{"$contains": [..]} an array that has these elements, in any order, and maybe more
func matchJSON(at string, want, got any) string {
	if w, ok := want.(map[string]any); ok {
		if op, arg := operator(w); op != "" {
			return matchOperator(at, op, arg, got)
		}
		return matchObject(at, w, got)
	}
	if w, ok := want.([]any); ok {
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s: wanted %s, got %s", name(at), show(want), show(got))
		}
		for i := range w {
			if diff := matchJSON(fmt.Sprintf("%s[%d]", at, i), w[i], g[i]); diff != "" {
				return diff
			}
		}
		return ""
	}
	if want != got {
		return fmt.Sprintf("%s: wanted %s, got %s", name(at), show(want), show(got))
	}
	return ""
}

func matchObject(at string, want map[string]any, got any) string {
	g, ok := got.(map[string]any)
	if !ok {
		return fmt.Sprintf("%s: wanted an object, got %s", name(at), show(got))
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		w := want[key]
		where := strings.TrimPrefix(at+"."+key, ".")
		value, there := g[key]
		if m, ok := w.(map[string]any); ok {
			if op, _ := operator(m); op == "$absent" {
				if there {
					return fmt.Sprintf("%s: wanted no such key, got %s", where, show(value))
				}
				continue
			}
		}
		if !there {
			return fmt.Sprintf("%s: wanted %s, got no such key", where, show(w))
		}
		if diff := matchJSON(where, w, value); diff != "" {
			return diff
		}
	}
	return ""
}

// operator is the check that an object stands for, "" if it is an object.
func operator(m map[string]any) (op string, arg any) {
	if len(m) != 1 {
		return "", nil
	}
	for key, value := range m {
		if strings.HasPrefix(key, "$") {
			return key, value
		}
	}
	return "", nil
}

func matchOperator(at, op string, arg, got any) string {
	switch op {
	case "$has":
		s, ok := got.(string)
		if want, _ := arg.(string); !ok || !strings.Contains(s, want) {
			return fmt.Sprintf("%s: wanted a text with %s, got %s", name(at), show(arg), show(got))
		}
	case "$type":
		if have := typeOf(got); have != arg {
			return fmt.Sprintf("%s: wanted a %v, got %s", name(at), arg, show(got))
		}
	case "$contains":
		return matchContains(at, arg, got)
	case "$absent":
		return fmt.Sprintf("%s: wanted nothing, got %s", name(at), show(got))
	default:
		return fmt.Sprintf("%s: the case uses an unknown check %s", name(at), op)
	}
	return ""
}

func matchContains(at string, arg, got any) string {
	list, _ := got.([]any)
	wanted, _ := arg.([]any)
	for _, w := range wanted {
		found := slices.ContainsFunc(list, func(e any) bool { return matchJSON(at, w, e) == "" })
		if !found {
			return fmt.Sprintf("%s: wanted an element like %s, got %s", name(at), show(w), show(got))
		}
	}
	return ""
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return "null"
}

// checkOperators finds unknown checks in what is wanted.
func checkOperators(v any) error {
	switch v := v.(type) {
	case map[string]any:
		switch op, _ := operator(v); op {
		case "", "$has", "$type", "$contains", "$absent":
		default:
			return fmt.Errorf("unknown check %s", op)
		}
		for _, e := range v {
			if err := checkOperators(e); err != nil {
				return err
			}
		}
	case []any:
		for _, e := range v {
			if err := checkOperators(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func name(at string) string {
	if at == "" {
		return "the object"
	}
	return at
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return clip(string(b), 300)
}

// clip shortens a text for people.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf(" … (%d bytes)", len(s))
}
