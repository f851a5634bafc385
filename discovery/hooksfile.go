package discovery

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A settingsFile is one hooks.toml, as it stands.
type settingsFile struct {
	path     string
	layer    LayerName
	problems []Problem

	enabled, debug, denyJSON setting[bool]
	onError                  setting[OnError]
	order                    setting[Order]
	onUnsupported            setting[protocol.Unsupported]
	stopRow, stopTotal       setting[int]
	timeout                  setting[time.Duration]
	async                    setting[bool]
	trustAlways              setting[bool]

	disable   map[string]string // name → "FILE:LINE"
	lock      map[string]string
	overrides map[string]override
	builtin   map[string]map[string]any
	// builtinAt is where [builtin.NAME] enabled stands.
	builtinAt map[string]string
}

// An override is one [[hooks.override]].
type override struct {
	priority setting[int]
	timeout  setting[time.Duration]
	async    setting[bool]
	onError  setting[OnError]
}

// Behaviours are the built-in behaviours, as far as a hooks.toml has to know
// them. Of the zero value every [builtin.NAME] may stand there, with any key.
type Behaviours struct {
	// Names are their names; nil: not checked.
	Names func() []string
	// Key says of a key of [builtin.NAME] what is wrong with its value: what it has
	// to be, "" if it is good. known are the keys of the behaviour, nil if this is
	// one of them. loose says that a file of this layer may not set the key, or not
	// to a value that is good elsewhere. nil: not checked.
	Key func(layer LayerName, behaviour, key string, value any) (want string, known []string, loose bool)
}

// CheckSettings reads a hooks.toml as one of a layer and returns all that is
// wrong with it. A file that is not there is no problem.
func CheckSettings(path string, layer LayerName, known Behaviours) []Problem {
	return readSettings(path, layer, known).problems
}

// readSettings reads a hooks.toml; one that is not there is empty.
func readSettings(path string, layer LayerName, known Behaviours) *settingsFile {
	b, err := safefile.Read(path, trust.MaxSettings)
	if err != nil {
		f := &settingsFile{path: path, layer: layer}
		if exists(path) {
			f.problems = []Problem{{File: path, Severity: Error, Message: "cannot be read: " + safefile.Reason(err), Fix: "its settings are not honoured"}}
		}
		return f
	}
	return parseSettings(string(b), path, layer, known)
}

// parseSettings reads the text of a hooks.toml. What is wrong with one key costs
// that key only; what is no TOML counts as empty (HM-CFG-11, HM-CFG-12).
func parseSettings(text, path string, layer LayerName, known Behaviours) *settingsFile {
	f := &settingsFile{path: path, layer: layer}
	doc, err := toml.Parse(text)
	if err != nil {
		f.problems = []Problem{noTOML(err, text, path)}
		return f
	}
	r := settingsReader{settingsFile: f, text: text, behaviours: known, places: map[string]toml.Place{}}
	for _, p := range doc.Places {
		if _, twice := r.places[p.Path]; !twice {
			r.places[p.Path] = p
		}
	}
	r.root(doc.Root)
	// Keys come in any order, and several may have no place of their own.
	slices.SortFunc(f.problems, func(a, b Problem) int { return strings.Compare(a.Field, b.Field) })
	sortProblems(f.problems)
	return f
}

func noTOML(err error, text, path string) Problem {
	p := Problem{File: path, Line: 1, Column: 1, Severity: Error, Message: "no valid TOML: " + err.Error(), Fix: "the file counts as empty until then"}
	if e, ok := errors.AsType[*toml.Error](err); ok {
		p.Line, p.Column = toml.Position(text, e.Offset)
		p.Field = e.Key
	}
	return p
}

// A settingsReader checks what the TOML says, key by key.
type settingsReader struct {
	*settingsFile
	text       string
	behaviours Behaviours
	places     map[string]toml.Place
}

// where is the place of a key or, where a path has none of its own, of what
// holds it.
func (r *settingsReader) where(path string) (line, col int) {
	for {
		for _, path := range [...]string{path, path + "[0]"} {
			if p, ok := r.places[path]; ok {
				return toml.Position(r.text, p.Key)
			}
		}
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			return 1, 1
		}
		path = path[:i]
	}
}

func (r *settingsReader) at(path string) string {
	line, _ := r.where(path)
	return r.path + ":" + strconv.Itoa(line)
}

func (r *settingsReader) problem(severity Severity, path, value, fix, format string, args ...any) {
	line, col := r.where(path)
	r.problems = append(r.problems, Problem{File: r.path, Line: line, Column: col, Field: path, Severity: severity,
		Message: fmt.Sprintf(format, args...), Value: value, Fix: fix})
}

func (r *settingsReader) unknown(path string, known ...string) {
	name := path[strings.LastIndexByte(path, '.')+1:]
	r.problem(Warning, path, name, meant(name, known), "unknown key %s", quoted(name))
}

// want reports a value of the wrong type or outside what a key may be.
func (r *settingsReader) want(path string, v any, what string) {
	r.problem(Error, path, display(v), "write "+what, "%s cannot stand here and is left out", display(v))
}

// display is a TOML value as a problem shows it.
func display(v any) string {
	switch v := v.(type) {
	case string:
		return quoted(v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "an array"
	case time.Time:
		return "a date"
	}
	return fmt.Sprint(v)
}

// notHere reports whether a key has no business in this layer's file, and says
// so.
func (r *settingsReader) notHere(path string, layers ...LayerName) bool {
	for _, l := range layers {
		if l == r.layer {
			return false
		}
	}
	r.problem(Warning, path, "", "set it in your own hooks.toml", "has no effect in the %s's hooks.toml", r.layer)
	return true
}

func (r *settingsReader) tableAt(path string, v any) map[string]any {
	t, ok := v.(map[string]any)
	if !ok {
		r.want(path, v, "a table")
	}
	return t
}

// tablesAt is an array of tables, however it is written; nil stands for an
// element that is none.
func (r *settingsReader) tablesAt(path string, v any) []map[string]any {
	switch v := v.(type) {
	case []map[string]any:
		return v
	case []any:
		var out []map[string]any
		for i, e := range v {
			t, ok := e.(map[string]any)
			if !ok {
				r.want(path+"["+strconv.Itoa(i)+"]", e, "a table")
			}
			out = append(out, t)
		}
		return out
	}
	r.want(path, v, "an array of tables, [["+path+"]]")
	return nil
}

func (r *settingsReader) root(t map[string]any) {
	for name, v := range t {
		switch name {
		case "hooks":
			r.hooks(r.tableAt(name, v))
		case "trust":
			r.trust(r.tableAt(name, v))
		case "builtin":
			r.builtins(r.tableAt(name, v))
		default:
			r.unknown(name, "hooks", "trust", "builtin")
		}
	}
}

func (r *settingsReader) hooks(t map[string]any) {
	for name, v := range t {
		path := "hooks." + name
		switch name {
		case "enabled":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.enabled = r.boolean(path, v)
			}
		case "debug":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.debug = r.boolean(path, v)
			}
		case "on_error":
			r.onError = typed[OnError](r.policy(path, v, "allow"))
		case "deny_json":
			s := r.policy(path, v, "warn")
			r.denyJSON = setting[bool]{s.ok, s.value == "block", s.at}
		case "on_unsupported":
			r.onUnsupported = typed[protocol.Unsupported](r.policy(path, v, "drop"))
		case "order":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.order = typed[Order](r.word(path, v, string(OrderPriority), string(OrderLayer)))
			}
		case "stop_limit":
			if !r.notHere(path, UserLayer) {
				r.stopLimit(path, v)
			}
		case "defaults":
			r.defaults(r.tableAt(path, v))
		case "disable":
			r.disable = r.names(path, v)
		case "lock":
			if !r.notHere(path, SystemLayer, UserLayer) {
				r.lock = r.names(path, v)
			}
		case "override":
			r.override(path, v)
		default:
			r.unknown(path, "enabled", "debug", "on_error", "order", "deny_json", "on_unsupported", "stop_limit",
				"defaults", "disable", "override", "lock")
		}
	}
}

// stopLimit is a number, the most continuations in a row, or a table with row
// and total.
func (r *settingsReader) stopLimit(path string, v any) {
	t, ok := v.(map[string]any)
	if !ok {
		r.stopRow = r.number(path, v, 0, 1000)
		return
	}
	for name, v := range t {
		sub := path + "." + name
		switch name {
		case "row":
			r.stopRow = r.number(sub, v, 0, 1000)
		case "total":
			r.stopTotal = r.number(sub, v, 0, 1000)
		default:
			r.unknown(sub, "row", "total")
		}
	}
}

func (r *settingsReader) defaults(t map[string]any) {
	for name, v := range t {
		path := "hooks.defaults." + name
		switch name {
		case "timeout":
			r.timeout = r.milliseconds(path, v)
		case "async":
			r.async = r.boolean(path, v)
		default:
			r.unknown(path, "timeout", "async")
		}
	}
}

// names reads [[hooks.disable]] and [[hooks.lock]].
func (r *settingsReader) names(path string, v any) map[string]string {
	out := map[string]string{}
	for i, t := range r.tablesAt(path, v) {
		if t == nil {
			continue
		}
		entry := path + "[" + strconv.Itoa(i) + "]"
		for key := range t {
			if key != "name" {
				r.unknown(entry+"."+key, "name")
			}
		}
		if name, ok := r.name(entry, t); ok {
			out[name] = r.at(entry)
		}
	}
	return out
}

// name is the name of a hook in an entry of one of the arrays.
func (r *settingsReader) name(entry string, t map[string]any) (string, bool) {
	v, ok := t["name"]
	if !ok {
		r.problem(Error, entry, "", `write name = "…"`, "names no hook")
		return "", false
	}
	name, ok := v.(string)
	if !ok || name == "" {
		r.want(entry+".name", v, "the name of a hook")
		return "", false
	}
	return name, true
}

func (r *settingsReader) override(path string, v any) {
	r.overrides = map[string]override{}
	for i, t := range r.tablesAt(path, v) {
		if t == nil {
			continue
		}
		entry := path + "[" + strconv.Itoa(i) + "]"
		var o override
		for key, v := range t {
			sub := entry + "." + key
			switch key {
			case "name":
			case "priority":
				o.priority = r.number(sub, v, 0, MaxPriority)
			case "timeout":
				o.timeout = r.milliseconds(sub, v)
			case "async":
				o.async = r.boolean(sub, v)
			case "on_error":
				o.onError = typed[OnError](r.policy(sub, v, "allow"))
			default:
				r.unknown(sub, "name", "priority", "timeout", "async", "on_error")
			}
		}
		if name, ok := r.name(entry, t); ok {
			last := r.overrides[name]
			r.overrides[name] = override{o.priority.or(last.priority), o.timeout.or(last.timeout), o.async.or(last.async), o.onError.or(last.onError)}
		}
	}
}

func (r *settingsReader) trust(t map[string]any) {
	for name, v := range t {
		path := "trust." + name
		switch {
		case name != "project":
			r.unknown(path, "project")
		case !r.notHere(path, UserLayer):
			s := r.word(path, v, "ask", "always")
			r.trustAlways = setting[bool]{s.ok, s.value == "always", s.at}
		}
	}
}

// builtins reads the [builtin.NAME] tables: their enabled is known here, the rest
// to whoever knows the behaviours.
func (r *settingsReader) builtins(t map[string]any) {
	r.builtin, r.builtinAt = map[string]map[string]any{}, map[string]string{}
	var names []string
	if r.behaviours.Names != nil && len(t) > 0 {
		names = r.behaviours.Names()
	}
	for name, v := range t {
		path := "builtin." + name
		if names != nil && !slices.Contains(names, name) {
			r.unknown(path, names...)
			continue
		}
		table := r.tableAt(path, v)
		values := map[string]any{}
		for key, v := range table {
			sub := path + "." + key
			switch v.(type) {
			case string, int64, float64, bool, []any:
			default:
				r.want(sub, v, "a text, a number, a boolean or an array of these")
				continue
			}
			if key == "enabled" {
				if s := r.boolean(sub, v); !s.ok {
					continue
				}
				r.builtinAt[name] = r.at(sub)
			} else if !r.builtinKey(name, key, sub, v) {
				continue
			}
			values[key] = v
		}
		r.builtin[name] = values
	}
}

// builtinKey reports whether a setting of a behaviour may be used, and what is
// wrong with it. One that nobody knows does no harm.
func (r *settingsReader) builtinKey(behaviour, key, path string, v any) bool {
	if r.behaviours.Key == nil {
		return true
	}
	want, known, loose := r.behaviours.Key(r.layer, behaviour, key, v)
	switch {
	case known != nil:
		r.unknown(path, append(known, "enabled")...)
		return false
	case want != "":
		r.want(path, v, want)
	case loose: // the value may be a key
		r.problem(Warning, path, "", "set it in your own hooks.toml", "a project may not set it so; it is left out")
	}
	return want == "" && !loose
}
