package builtinhooks_test

import (
	"strconv"
	"strings"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// settingRow is a setting as a row of the table in spec/SETTINGS.md.
func settingRow(behaviour string, s builtinhooks.Setting) string {
	kind := s.Want()
	switch s.Kind {
	case setting.Bool:
		kind = "boolean"
	case setting.Int:
		kind = "integer, " + strings.TrimPrefix(strings.Replace(kind, " to ", "–", 1), "a whole number from ")
	case setting.Number:
		kind = "number, " + strings.TrimPrefix(strings.Replace(kind, " to ", "–", 1), "a number from ")
	case setting.Choice:
		kind = "`" + strings.ReplaceAll(kind, ` or `, "`, `") + "`"
	case setting.Text:
		kind = "text"
	case setting.List:
		kind = "array of texts"
	}
	return "| `builtin." + behaviour + "." + s.Key + "` | " + kind + " | " + code(asJSON(s)) + " | " + who(s) + " | " + code(s.Env) + " | " + s.Meaning + " |"
}

// who are the layers whose files may set it: system, user, project.
func who(s builtinhooks.Setting) string {
	switch s.Project {
	case setting.Tightens:
		return "s u, p to " + code(asJSON(s))
	case setting.Nothing:
		return "s u"
	case setting.Below:
		return "s u, p below the project"
	}
	return "s u p"
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// asJSON is the default of a setting as JSON and TOML write it, "" if it is
// nothing.
func asJSON(s builtinhooks.Setting) string {
	switch s.Kind {
	case setting.Choice, setting.Text:
		if s.Default == "" {
			return ""
		}
		return string(protocol.Quote(s.Default))
	case setting.List:
		v, _ := s.Parse(s.Default)
		return string(protocol.TextList(v.List))
	}
	return s.Default
}

// settingSchema is a setting as a property of spec/hooks-toml.schema.json.
func settingSchema(s builtinhooks.Setting) protocol.Object {
	var o protocol.Object
	o.SetText("description", s.Meaning)
	o.SetText("type", [...]string{"boolean", "integer", "number", "string", "string", "array"}[s.Kind])
	switch s.Kind {
	case setting.Int, setting.Number:
		o.Set("minimum", strconv.AppendFloat(nil, s.Min, 'f', -1, 64))
		o.Set("maximum", strconv.AppendFloat(nil, s.Max, 'f', -1, 64))
	case setting.Choice:
		o.Set("enum", protocol.TextList(s.Words))
	case setting.List:
		o.Set("items", protocol.Raw(`{"type": "string"}`))
	}
	if d := asJSON(s); d != "" {
		o.Set("default", protocol.Raw(d))
	}
	return o
}
