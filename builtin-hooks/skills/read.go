package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The largest files that are read.
const (
	maxJSON = 256 << 10
	maxText = 16 << 10
)

// A reader reads the hooks of one skill.
type reader struct {
	skill    Skill
	file     string // hooks.json
	text     []byte
	root     *beneath.Root
	problems []Problem
	names    map[string]int // the entry that has a name, from 1
}

// Hooks reads the prompts of a skill in their order, and says what is wrong with
// them. A skill without a hooks folder has none, and nothing is wrong. An entry
// with an error is left out and its neighbours stay. want chooses which are
// wanted, by all but their text: that of the others is not read, nor is an
// expression of theirs compiled; nil is all.
func (s Skill) Hooks(want func(*Hook) bool) ([]Hook, []Problem) {
	dir := s.HooksDir()
	r := &reader{skill: s, file: filepath.Join(dir, "hooks.json"), names: map[string]int{}}
	in := s.in
	if s.from != "" {
		in, dir = nil, s.from
	}
	info, err := in.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.IsDir():
		err = errors.New("hooks is not a folder") // to open a pipe would wait forever
	case err == nil:
		r.root = in.Sub(dir)
	}
	if err != nil {
		r.whole("cannot be read: %s", reason(err))
		return nil, r.problems
	}
	if r.text, err = r.read("hooks.json", maxJSON); err != nil {
		r.whole("cannot be read: %s", reason(err))
		if errors.Is(err, fs.ErrNotExist) {
			r.problems[0].Severity = Warning // the folder may have scripts of an agent's own
		}
		return nil, r.problems
	}
	var hooks []Hook
	for i, entry := range r.entries() {
		if h, ok := r.entry(i, entry, want); ok {
			hooks = append(hooks, h)
		}
	}
	return hooks, r.problems
}

// whole notes a problem of the whole file.
func (r *reader) whole(format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Severity: Error, Message: "skill " + strconv.Quote(r.skill.Name) + ": " + fmt.Sprintf(format, args...)})
}

// read reads a small file of the hooks folder, which no path and no link leaves.
func (r *reader) read(name string, most int64) ([]byte, error) {
	path := filepath.Join(r.root.Dir, filepath.FromSlash(name))
	info, err := r.root.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file") // a pipe would wait forever
	case info.Size() > most:
		return nil, tooLarge(most)
	}
	return r.root.Read(path, int(most))
}

func tooLarge(most int64) error { return fmt.Errorf("it is larger than %d KiB", most>>10) }

// entries are the elements of hooks.json.
func (r *reader) entries() []protocol.Raw {
	doc, err := protocol.ParseObject(r.text)
	if syntax, ok := errors.AsType[*protocol.SyntaxError](err); ok {
		p := Problem{File: r.file, Severity: Error, Message: fmt.Sprintf("skill %q: not JSON: %s", r.skill.Name, syntax.Msg), Fix: `write {"hooks": [...]}`}
		p.Line, p.Column = place(r.text, syntax.Offset)
		r.problems = append(r.problems, p)
		return nil
	}
	list := doc.Get("hooks")
	switch {
	case list == nil:
		r.top("hooks", "", "is missing", `write {"hooks": [...]}`)
		return nil
	case list[0] == '{':
		r.top("hooks", "", "is an object: this is the hooks file of an agent, not of a skill", "keep prompts in a list")
		return nil
	case list[0] != '[':
		r.top("hooks", string(list), "want a list, have "+kindOf(list), "")
		return nil
	}
	for _, m := range doc {
		if m.Name != "hooks" {
			r.top(m.Name, "", "is not a key of hooks.json", "remove it")
			r.problems[len(r.problems)-1].Severity = Warning
		}
	}
	return protocol.ElementsOf(list)
}

func (r *reader) top(field, value, message, fix string) {
	p := Problem{File: r.file, Field: field, Severity: Error, Value: value, Fix: fix, Message: fmt.Sprintf("skill %q: %s", r.skill.Name, message)}
	p.Line, p.Column = place(r.text, find(r.text, field))
	r.problems = append(r.problems, p)
}

// An entry is one element of hooks.json as it is read.
type entry struct {
	*reader
	index int
	obj   protocol.Object
	hook  Hook
	bad   bool
}

func (r *reader) entry(i int, raw protocol.Raw, want func(*Hook) bool) (Hook, bool) {
	e := &entry{reader: r, index: i, obj: protocol.ObjectOf(raw)}
	if e.obj == nil {
		e.fail("", string(raw), "want an object, have "+kindOf(raw), "")
		return Hook{}, false
	}
	e.fields()
	if want != nil && (e.bad || !want(&e.hook)) {
		return Hook{}, false
	}
	e.expressions()
	if e.hook.File != "" {
		e.content()
	}
	return e.hook, !e.bad
}

// fail notes what excludes the entry; warn what does not. "" is the entry.
func (e *entry) fail(field, value, message, fix string) {
	e.bad = true
	if field == "" {
		e.note(Error, value, message, fix)
		return
	}
	e.note(Error, value, message, fix, field)
}

// failTool is fail of one name in tool_filter.
func (e *entry) failTool(i int, value, message string) {
	e.bad = true
	e.note(Error, value, message, "", "tool_filter", i)
}

func (e *entry) warn(field, value, message, fix string) { e.note(Warning, value, message, fix, field) }

// note notes a problem at a path below the entry, of names and indexes.
func (e *entry) note(severity Severity, value, message, fix string, path ...any) {
	name := fmt.Sprintf("entry %d", e.index+1)
	if text := e.obj.Text("name"); text != "" {
		name = "entry " + strconv.Quote(text)
	}
	path = append([]any{"hooks", e.index}, path...)
	full := ""
	for _, step := range path {
		if i, ok := step.(int); ok {
			full += fmt.Sprintf("[%d]", i)
			continue
		}
		full = strings.TrimPrefix(fmt.Sprintf("%s.%s", full, step), ".")
	}
	p := Problem{File: e.file, Field: full, Severity: severity, Value: value, Fix: fix,
		Message: fmt.Sprintf("skill %q, %s: %s", e.skill.Name, name, message)}
	p.Line, p.Column = place(e.text, find(e.text, path...))
	e.problems = append(e.problems, p)
}

// keys are those of an entry.
var keys = [...]string{"name", "file", "timing", "role", "persistent", "tool_filter", "when", "match", "max_copies"}

func (e *entry) fields() {
	h := &e.hook
	h.Skill, h.Name = e.skill.Name, e.required("name")
	if h.Name != "" && (utf8.RuneCountInString(h.Name) > 100 || strings.ContainsFunc(h.Name, func(r rune) bool { return unicode.IsControl(r) || r == '/' })) {
		e.fail("name", h.Name, fmt.Sprintf("%.40q is not a name", h.Name), "use up to 100 characters, no slash and no control character")
	}
	// The first one has the name even if it is left out: which of two runs must
	// not depend on that.
	if first := e.names[h.Name]; first > 0 && h.Name != "" {
		e.fail("name", h.Name, fmt.Sprintf("%q is the name of entry %d too, which comes first", h.Name, first), "give it another name")
	} else {
		e.names[h.Name] = e.index + 1
	}
	if file := e.required("file"); file != "" {
		switch {
		case !filepath.IsLocal(filepath.FromSlash(file)) || strings.Contains(file, `\`):
			e.fail("file", file, fmt.Sprintf("%q leaves the hooks folder", file), "put the file into "+e.skill.HooksDir())
		case strings.ContainsFunc(file, unicode.IsControl):
			e.fail("file", file, fmt.Sprintf("%q has control characters", file), "rename the file")
		default:
			h.File = filepath.Join(e.skill.HooksDir(), filepath.FromSlash(file))
		}
	}
	h.Timing = Timing(e.oneOf("timing", words(Timings())...))
	h.Role = Role(e.oneOf("role", string(System), string(User)))
	switch v := e.obj.Get("persistent"); string(v) {
	case "true":
		h.Persistent = true
	case "false":
	case "":
		e.fail("", "", "persistent is missing", "write true or false")
	default:
		e.fail("persistent", string(v), "want true or false, have "+kindOf(v), "")
	}
	e.options()
	for _, m := range e.obj {
		if !slices.Contains(keys[:], m.Name) {
			e.warn(m.Name, "", fmt.Sprintf("%q is not a key of an entry", m.Name), "one of "+strings.Join(keys[:], ", "))
		}
	}
}

// options are the members that may be missing.
func (e *entry) options() {
	h := &e.hook
	if v := e.obj.Get("tool_filter"); v != nil {
		switch {
		case v[0] != '[':
			e.fail("tool_filter", string(v), "want a list of names of tools, have "+kindOf(v), `write ["NAME"]`)
		case h.Timing != AfterToolCall && h.Timing != "":
			e.warn("tool_filter", string(v), "counts at after_tool_call only, and is ignored at "+string(h.Timing), "remove it")
		default:
			for i, raw := range protocol.ElementsOf(v) {
				name := protocol.TextOf(raw)
				if name == "" {
					e.failTool(i, string(raw), "want names of tools, have "+kindOf(raw))
				}
				h.Tools = append(h.Tools, name)
			}
		}
	}
	if e.obj.Has("when") {
		h.Invoked = e.oneOf("when", "always", "invoked") == "invoked"
	}
	if v := e.obj.Get("match"); v != nil {
		if h.Match = protocol.TextOf(v); h.Match == "" {
			e.fail("match", string(v), "want a regular expression, have "+kindOf(v), "")
		}
	}
	if v := e.obj.Get("max_copies"); v != nil {
		n, err := strconv.Atoi(string(v))
		if err != nil || n < 0 || n > 1000 {
			e.fail("max_copies", string(v), "want a whole number from 0 to 1000, have "+string(v), "0 is any number")
		}
		h.MaxCopies = n
	}
	if h.Persistent && h.MaxCopies == 0 && (h.Timing == BeforeEachAgent || h.Timing == AfterToolCall) {
		e.warn("persistent", "true", "a persistent prompt at "+string(h.Timing)+" adds one more copy each time", "bound it with max_copies")
	}
}

// expressions compiles what the entry is matched by.
func (e *entry) expressions() {
	h := &e.hook
	h.prepare()
	for i, x := range h.tools {
		if err := x.wrong(); err != nil {
			e.failTool(i, h.Tools[i], fmt.Sprintf("%q does not compile: %s", h.Tools[i], err))
		}
	}
	if err := h.match.wrong(); err != nil {
		e.fail("match", h.Match, fmt.Sprintf("%q does not compile: %s", h.Match, err), "")
	}
}

// content reads the text of the entry.
func (e *entry) content() {
	name := e.obj.Text("file")
	b, err := e.read(name, maxText)
	switch {
	case err != nil:
		e.fail("file", name, fmt.Sprintf("%q cannot be read: %s", name, reason(err)), "")
	case !utf8.Valid(b):
		e.fail("file", name, fmt.Sprintf("%q is not UTF-8", name), "")
	default:
		if e.hook.Content = clean(string(b)); strings.TrimSpace(e.hook.Content) == "" {
			e.fail("file", name, fmt.Sprintf("%q is empty", name), "write the prompt into it")
		}
	}
}

// required is a member that has to be a text.
func (e *entry) required(name string) string {
	v := e.obj.Get(name)
	text := protocol.TextOf(v)
	switch {
	case v == nil:
		e.fail("", "", name+" is missing", "")
	case text == "":
		e.fail(name, string(v), "want a text, have "+kindOf(v), "")
	}
	return text
}

// oneOf is a member that has to be one of some words.
func (e *entry) oneOf(name string, words ...string) string {
	text := e.required(name)
	if text != "" && !slices.Contains(words, text) {
		e.fail(name, text, fmt.Sprintf("%q is not a %s", text, name), "one of "+strings.Join(words, ", "))
		return ""
	}
	return text
}

func words(list []Timing) (out []string) {
	for _, t := range list {
		out = append(out, string(t))
	}
	return out
}

// kindOf says what a JSON value is.
func kindOf(raw protocol.Raw) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		if len(raw) == 2 {
			return "an empty text"
		}
		return "a text"
	case 't', 'f':
		return string(raw)
	case 'n':
		return "null"
	}
	return "a number"
}

// reason is an error without the path that it names, in the same words on every
// system where that matters.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "it is not there"
	}
	return beneath.Why(err)
}
