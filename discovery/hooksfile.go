package discovery

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A settingsFile is the content of one hooks.toml.
type settingsFile struct {
	path     string
	layer    LayerName
	place    int // among several of a layer
	problems []Problem

	enabled, debug, logChanges, denyJSON, plainBlock, noShell setting[bool]

	onError            setting[OnError]
	order              setting[Order]
	onUnsupported      setting[protocol.Unsupported]
	stopRow, stopTotal setting[int]
	timeout            setting[time.Duration]
	async              setting[bool]
	trustAlways        setting[bool]
	sandbox            sandboxSettings
	export             setting[Export]

	plugins   []source
	disable   map[string]string // name → "FILE:LINE"
	except    []LeftOut         // [[hooks.except]]
	lock      map[string]lock
	overrides map[string]override
	builtin   map[string]map[string]any
	// builtinAt is the place of enabled in each [builtin.NAME].
	builtinAt map[string]string
}

// An override is one [[hooks.override]].
type override struct {
	priority setting[int]
	timeout  setting[time.Duration]
	async    setting[bool]
	onError  setting[OnError]
	sandbox  setting[bool]
}

// CheckSettings reads a hooks.toml as a file of that layer and returns all its
// problems. A missing file is not a problem.
func CheckSettings(path string, layer LayerName, known Behaviours) []Problem {
	return readSettings(path, layer, known).problems
}

// readSettings reads a hooks.toml; a missing one is empty.
func readSettings(path string, layer LayerName, known Behaviours) *settingsFile {
	var in *beneath.Root
	if layer == ProjectLayer {
		in = beneath.At(filepath.Dir(filepath.Dir(path)))
	}
	b, err := in.Read(path, trust.MaxSettings)
	if err != nil {
		f := &settingsFile{path: path, layer: layer}
		if beneath.Exists(path) || beneath.IsLink(path) {
			f.problems = []Problem{{File: path, Severity: Error, Message: "cannot be read: " + beneath.Why(err), Fix: "its settings are not honoured"}}
		}
		return f
	}
	return parseSettings(string(b), path, layer, known)
}

// parseSettings reads the text of a hooks.toml. A mistake in one key invalidates only
// that key; a file that is not TOML counts as empty (HM-CFG-11, HM-CFG-12).
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
	// Keys come in any order, and several may lack a place of their own.
	order.By(f.problems, func(a, b Problem) int { return strings.Compare(a.Field, b.Field) })
	sortProblems(f.problems)
	return f
}

func noTOML(err error, text, path string) Problem {
	p := Problem{File: path, Line: 1, Column: 1, Severity: Error, Message: "no valid TOML: " + err.Error(), Fix: "the file counts as empty until then"}
	if e, ok := errors.AsType[*toml.Error](err); ok {
		p.Line, p.Column = toml.Position(text, e.Offset)
		p.Field, p.Message = e.Key, e.Behind("no valid TOML")
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

// where is the place of a key or, if the path has none of its own, of the nearest table
// around it.
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

// want reports a value of the wrong type or outside the permitted range.
func (r *settingsReader) want(path string, v any, what string) {
	r.problem(Error, path, display(v), "write "+what, "%s cannot stand here and is left out", display(v))
}

// display is a TOML value as problems show it.
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

// notHere reports whether a key does not belong in this layer's file, and adds a
// problem.
func (r *settingsReader) notHere(path string, layers ...LayerName) bool {
	if slices.Contains(layers, r.layer) {
		return false
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

// tablesAt is an array of tables in either notation; an element that is not a table is
// nil.
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
