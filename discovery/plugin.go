package discovery

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A plugin is the folder of an agent's plugin while its hooks are read.
type plugin struct {
	tongue  *protocol.Tongue
	form    *protocol.PluginForm // of the tongue
	dir     string
	project string // that contains it, "" if none: then it needs no approval
	copy    string // the approved copy that is read and run, "" for none
	in      *beneath.Root
	layer   LayerName
	place   int
	at      Problem // place of its name in hooks.toml

	name, description string
	names             map[string]int // how many entries have each name
	hooks             []*Hook
	problems          []Problem
}

const maxEntries = 1000 // per plugin

func (p *plugin) root() string { return cmp.Or(p.copy, p.dir) }

// problem adds one; if line is 0, its place is the whole file.
func (p *plugin) problem(severity Severity, file string, line int, fix, format string, args ...any) *Problem {
	p.problems = append(p.problems, Problem{File: file, Line: line, Column: min(line, 1), Field: "hooks.source", Severity: severity,
		Message: fmt.Sprintf(format, args...), Fix: fix})
	return &p.problems[len(p.problems)-1]
}

// read reads all hooks of a plugin: those in the standard file, and those that its
// manifest names or contains.
func (p *plugin) read() []*Hook {
	p.name, p.names, p.hooks, p.problems = folderName(p.dir), map[string]int{}, nil, nil
	manifest, text := p.readJSON(p.form.Manifest)
	if n := slug(manifest.Text("name")); n != "" {
		p.name = n
	}
	p.description = manifest.Text("description")
	usual := p.file(p.form.Hooks)
	named := p.named(manifest.Get("hooks"), text)
	if !usual && !named {
		what := "has no " + p.form.Hooks
		if manifest == nil {
			what += " and no " + p.form.Manifest + ": it is no plugin"
		}
		if !slices.ContainsFunc(p.problems, func(q Problem) bool { return q.Severity == Error }) {
			q := p.at
			q.Severity, q.Message, q.Fix = Error, quoted(p.dir)+" "+what, "name the folder of a plugin that has hooks"
			p.problems = append(p.problems, q)
		}
	}
	return p.hooks
}

// folderName is the name of a plugin whose manifest has none.
func folderName(dir string) string { return cmp.Or(slug(filepath.Base(dir)), "plugin") }

// named reads what the manifest has under hooks: a file, the hooks themselves, or a
// list of these.
func (p *plugin) named(v protocol.Raw, manifest []byte) (any bool) {
	if len(v) == 0 || string(v) == "null" {
		return false
	}
	file := filepath.Join(p.dir, filepath.FromSlash(p.form.Manifest))
	switch v[0] {
	case '[':
		for _, e := range protocol.ElementsOf(v) {
			if len(e) > 0 && e[0] != '[' {
				any = p.named(e, manifest) || any
			}
		}
		return any
	case '"':
		name := path.Clean(filepath.ToSlash(protocol.TextOf(v)))
		if name == p.form.Hooks {
			return true // already read
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			p.putAt(manifest, v, p.problem(Error, file, 1, "keep the file in the plugin", "hooks: %s leads out of the plugin and is not read", quoted(name)))
			return true
		}
		if !p.file(name) {
			p.putAt(manifest, v, p.problem(Error, file, 1, "add it, or take the line out", "hooks: there is no %s", quoted(name)))
		}
		return true
	case '{':
		p.entries(protocol.ObjectOf(v), manifest, file)
		return true
	}
	p.putAt(manifest, v, p.problem(Error, file, 1, "write a path or the hooks", "hooks: %s is neither a path nor hooks", quoted(string(v))))
	return true
}

// putAt sets the place of a problem to that of a value.
func (p *plugin) putAt(text []byte, v protocol.Raw, q *Problem) {
	q.Line, q.Column = position(text, offset(text, 0, v))
}

// file reads a file of hooks, and reports whether it exists.
func (p *plugin) file(name string) bool {
	before := len(p.problems)
	o, text := p.readJSON(name)
	if o == nil {
		return len(p.problems) > before
	}
	p.description = cmp.Or(p.description, o.Text("description"))
	p.entries(o, text, filepath.Join(p.dir, filepath.FromSlash(name)))
	return true
}

// entries reads the hooks of an object, which may be under its key "hooks".
func (p *plugin) entries(o protocol.Object, text []byte, file string) {
	if inner := o.Get("hooks"); len(inner) > 0 {
		if o = protocol.ObjectOf(inner); o == nil {
			p.putAt(text, inner, p.problem(Error, file, 1, `write {"hooks": {EVENT: [...]}}`, "hooks: is no object"))
			return
		}
	}
	for _, m := range o {
		t := p.form.Event(m.Name)
		switch groups := protocol.ElementsOf(m.Value); {
		case m.Name == "description" || m.Name == "$schema":
		case t == "":
			p.putAt(text, m.Value, p.problem(Warning, file, 1, "", "%s has no event here that is the same: its hooks are not run", quoted(m.Name)))
		case len(m.Value) == 0 || m.Value[0] != '[':
			p.putAt(text, m.Value, p.problem(Error, file, 1, `write [{"matcher": …, "hooks": […]}]`, "%s: is no list", quoted(m.Name)))
		default:
			from := offset(text, 0, m.Value)
			for _, g := range groups {
				from = p.group(m.Name, t, g, text, file, from)
			}
		}
	}
}

// group reads the entries of one matcher, and returns its offset in the file.
func (p *plugin) group(event string, t protocol.EventType, g protocol.Raw, text []byte, file string, from int) int {
	from = offset(text, from, g)
	o := protocol.ObjectOf(g)
	list := o.Get("hooks")
	at := entryPlace{event: event, trigger: t, file: file}
	if len(list) == 0 || list[0] != '[' {
		at.line, at.col = position(text, from)
		q := p.problem(Error, file, at.line, `write {"matcher": …, "hooks": [{"type": "command", "command": …}]}`, "%s: a group without a list of hooks", quoted(event))
		q.Column = at.col
		return from
	}
	if m := o.Get("matcher"); len(m) > 0 && m[0] != '"' && string(m) != "null" {
		at.badMatcher = string(m)
	}
	at.matcher = o.Text("matcher")
	step := from
	for _, e := range protocol.ElementsOf(list) {
		step = offset(text, step, e)
		at.line, at.col = position(text, step)
		if len(p.hooks) == maxEntries {
			p.problem(Error, file, at.line, "", "holds more than %d hooks: the others are not looked at", maxEntries)
			return from
		}
		p.entry(protocol.ObjectOf(e), at)
		step += len(e)
	}
	return from + 1
}

// An entryPlace is what an entry inherits from around it.
type entryPlace struct {
	event      string
	trigger    protocol.EventType
	matcher    string
	badMatcher string
	file       string
	line, col  int
}

// entry makes a hook of an entry. One that cannot be run is listed as broken, with the
// reason.
func (p *plugin) entry(o protocol.Object, at entryPlace) {
	command := o.Text("command")
	h := &Hook{Layer: p.layer, Dir: p.dir, Project: p.project, Copy: p.copy, File: at.file, Plugin: p.name, place: p.place, Status: Ready, Trusted: true,
		Trigger: at.trigger, Priority: DefaultPriority, Dialect: p.tongue.ID, Tongue: p.tongue}
	h.Name = p.nameOf(at.trigger, command, o.Text("type"))
	h.folder = h.Name
	h.nameAt = field{kind: text, text: h.Name, line: at.line, col: at.col}
	h.Description = cmp.Or(p.description, at.event+" of the plugin "+p.name)
	h.Matcher.Tool = at.matcher
	h.at[0] = field{kind: text, text: at.matcher, line: at.line, col: at.col}
	say := func(severity Severity, fatal bool, field, fix, format string, args ...any) {
		h.Problems = append(h.Problems, Problem{File: at.file, Line: at.line, Column: at.col, Field: field, Severity: severity, Fatal: fatal,
			Message: fmt.Sprintf(format, args...), Fix: fix})
	}
	switch kind := o.Text("type"); {
	case o == nil:
		say(Error, true, "hooks", `write {"type": "command", "command": …}`, "an entry that is no object")
	case slices.Contains(p.form.Foreign, kind):
		say(Error, true, "type", "leave it to the agent that knows it: agents-hooks disable "+h.Name, "%s is run by the agent itself, which no other one does: it is kept out", quoted(kind))
	case kind != p.form.Command:
		say(Error, true, "type", `write "type": "`+p.form.Command+`"`, "%s is no type that is known", quoted(kind))
	case strings.ContainsRune(command, 0):
		say(Error, true, "command", "say what to run", "%s cannot be run", quoted(command))
	case command == "":
		say(Error, true, "command", "say what to run", "names no command")
	case at.badMatcher != "":
		say(Error, true, "matcher", "write a text", "%s is no text", quoted(at.badMatcher))
	}
	p.limits(h, o, say)
	p.condition(h, o, say)
	h.Command = p.commandOf(o, command, say)
	for _, m := range o {
		if !slices.Contains(p.form.Words, m.Name) && !slices.Contains(p.form.Foreign, o.Text("type")) {
			say(Warning, false, m.Name, "", "is not known and has no effect")
		}
	}
	if anyFatal(h.Problems) {
		h.Status = Broken
	} else if h.Trigger.IsTool() {
		h.compile()
	}
	p.hooks = append(p.hooks, h)
}

type saying func(severity Severity, fatal bool, field, fix, format string, args ...any)

// limits reads how long an entry may take, and whether anybody waits for it.
func (p *plugin) limits(h *Hook, o protocol.Object, say saying) {
	h.Timeout = min(p.form.Limit, MaxTimeout)
	if v := o.Get("timeout"); len(v) > 0 && string(v) != "null" {
		n, err := strconv.ParseFloat(string(v), 64)
		limit := time.Duration(math.Min(n*float64(p.form.Unit), float64(MaxTimeout)))
		if err != nil || n <= 0 || math.IsNaN(n) {
			say(Error, false, "timeout", "write a number of seconds", "%s is no number of seconds; %s stand", quoted(string(v)), h.Timeout)
		} else {
			h.Timeout = max(limit, MinTimeout)
		}
		h.given[keyTimeout] = true
	}
	h.Async = o.Bool("async") || o.Bool("asyncRewake")
	h.given[keyAsync] = true
	if o.Bool("asyncRewake") {
		say(Warning, false, "asyncRewake", "", "runs as async: nothing wakes the agent when it ends")
	}
	if o.Bool("once") {
		say(Warning, false, "once", "", "is not known of a plugin's hook: it runs each time")
	}
	if h.Async && h.Trigger.Prevents() {
		say(Warning, false, "async", "", "nobody waits for this hook, so it cannot block %s", h.Trigger)
	}
}

// commandOf is what an entry runs. The shell fills in the plugin's folder through its
// variable, even in single quotes, as the agent does.
func (p *plugin) commandOf(o protocol.Object, command string, say saying) (c Command) {
	if strings.Contains(command, "${user_config.") {
		say(Error, true, "command", "", "reads the plugin's own configuration, which the agent keeps: it is kept out")
	}
	if args := o.Get("args"); len(args) > 0 && args[0] == '[' {
		c.Words = []string{command}
		for _, a := range protocol.ElementsOf(args) {
			word := protocol.TextOf(a)
			if a[0] != '"' || strings.ContainsRune(word, 0) {
				say(Error, true, "args", "write texts", "%s is no text that can be given to a program", quoted(string(a)))
			}
			c.Words = append(c.Words, word)
		}
		return c
	}
	command = inQuotes(command, "${"+p.form.Root+"}")
	switch sh := o.Text("shell"); sh {
	case "", "bash":
		c.Line = command
	case "powershell":
		c.Words = []string{"pwsh", "-NoProfile", "-NonInteractive", "-Command", command}
	default:
		say(Error, true, "shell", `write "bash"`, "%s is no shell that is known", quoted(sh))
	}
	return c
}

// inQuotes makes a shell expand a variable even in single quotes.
func inQuotes(command, variable string) string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == '\'' && strings.HasPrefix(command[i:], variable):
			b.WriteString(`'"` + variable + `"'`)
			i += len(variable) - 1
			continue
		case quote != '\'' && c == '\\' && i+1 < len(command):
			b.WriteByte(c)
			i++
		case quote == c:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
		b.WriteByte(command[i])
	}
	return b.String()
}

// nameOf is the name of an entry: PLUGIN/EVENT-WHAT, with a number if that name is
// taken. Adding other entries does not change it.
func (p *plugin) nameOf(t protocol.EventType, command, kind string) string {
	name := string(t)
	if word := cmp.Or(program(command), slug(kind)); word != "" {
		name += "-" + word
	}
	p.names[name]++
	if n := p.names[name]; n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	return p.name + "/" + name
}

// program is the word that tells what a command runs: the script named in its first
// part, else the program.
func program(command string) string {
	if end := strings.IndexAny(command, ";&|<>\n"); end > 0 {
		command = command[:end]
	}
	first := ""
	for _, w := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\"'`()", r) }) {
		base := path.Base(w)
		ext := path.Ext(base)
		switch {
		case strings.HasPrefix(w, "-") || strings.Contains(w, "="):
		case ext != "" && slug(strings.TrimSuffix(base, ext)) != "":
			return slug(strings.TrimSuffix(base, ext))
		case first == "" || slices.Contains([]string{"sh", "bash", "zsh", "env", "exec", "python", "python3", "node", "bun", "deno", "ruby", "perl"}, first):
			first = cmp.Or(base, first)
		}
	}
	return slug(first)
}

// slug is a text in the form of a part of a hook's name, "" if nothing of it is left.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxSlug {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

const maxSlug = 40 // characters

// offset is where a value read from a text stands in it, at or after from.
func offset(text []byte, from int, v protocol.Raw) int {
	if from > len(text) {
		return len(text)
	}
	return from + max(0, bytes.Index(text[from:], v))
}

func position(text []byte, offset int) (line, col int) { return toml.Position(string(text), offset) }
