package deed

import (
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a program in another language plainly runs and changes: calls of the functions
// that people use for it, whose arguments are texts, or names that the program gave one.

// A coded program is one that is being read.
type coded struct {
	*reader
	language string
	tokens   []lexeme
	values   map[string]value
	modules  map[string]string // names that the program gives to modules
	depth    int
	nested   int
	given    int  // bytes of values
	tells    bool // the second reading, when all names are known
}

// interpreted reads a program. A name may be used before it gets its value, as in a
// list that is made by a loop: so it is read twice.
func (r *reader) interpreted(language, text string, depth int) {
	if language == "" || strings.TrimSpace(text) == "" || r.over {
		return
	}
	if len(text) > maxLine || depth > maxDepth {
		r.unread = "a program of over 256 KiB, or more than 12 deep"
		return
	}
	if r.until.IsZero() {
		r.until = time.Now().Add(maxParse)
	}
	defer func(dir string) {
		r.changes.dir = dir
		if p := recover(); p != nil { // a panic in the reading must not end the dispatcher
			r.unread = "a program"
		}
	}(r.changes.dir)
	if language == protocol.Python {
		text = r.cells(text, depth)
	}
	p := &coded{reader: r, language: language, tokens: tokensOf(language, text), values: map[string]value{}, modules: map[string]string{}, depth: depth}
	p.imports()
	changes := len(r.changes.deed.Changes)
	for _, p.tells = range [...]bool{false, true} {
		for i := 0; i < len(p.tokens); i++ { // a bracket that nothing opened ends nothing
			i = p.walk(i)
		}
	}
	if len(r.changes.deed.Changes) > changes {
		for _, tok := range p.tokens {
			if tok.kind == 's' {
				r.changes.may(tok.text)
			}
		}
	}
}

// imports notes what the program calls its modules: import shutil as s, f = require('fs').
func (p *coded) imports() {
	for i := range p.tokens {
		switch {
		case p.at(i).kind != 'i':
		case p.at(i).text == "as" && p.at(i-1).kind == 'i':
			p.modules[p.at(i+1).text] = p.at(i - 1).text
			p.renamed(p.at(i+1).text, p.at(i-1).text)
		case p.is(i+1, ":") && p.at(i+2).kind == 'i' && (p.is(i-1, "{") || p.is(i-1, ",")) && p.language == protocol.JavaScript: // const {execSync: x} = …
			p.renamed(p.at(i+2).text, p.at(i).text)
		case p.at(i).text == "require" && p.is(i+1, "(") && p.is(i-1, "=") || p.at(i).text == "from" && p.at(i+1).kind == 's' && p.language == protocol.JavaScript:
			name, module := i-2, i+2
			if p.at(i).text == "from" {
				name, module = i-1, i+1
			}
			p.modules[p.at(name).text] = moduleOf(p.at(module).text)
		}
	}
}

// renamed notes another name for a function.
func (p *coded) renamed(name, function string) {
	if doesOf("", function) != 0 {
		p.values[name] = value{means: [2]string{"", function}}
	}
}

// moduleOf is a module by its short name: fs for node:fs/promises.
func moduleOf(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, "node:"), "/promises")
}

func (p *coded) at(i int) lexeme {
	if i < 0 || i >= len(p.tokens) {
		return lexeme{}
	}
	return p.tokens[i]
}

// is reports whether a token is a mark.
func (p *coded) is(i int, marks string) bool {
	t := p.at(i)
	return t.kind != 0 && t.kind != 'i' && t.kind != 's' && t.kind != 'l' && t.kind != 'x' && t.kind != 'n' && strings.IndexByte(marks, t.kind) >= 0
}

// walk reads statements up to the bracket that closes them, and returns its place.
func (p *coded) walk(i int) int {
	if p.nested++; p.nested > 200 {
		p.unread = "a program that is nested more than 200 deep"
		p.nested--
		return len(p.tokens)
	}
	defer func() { p.nested-- }()
	for i < len(p.tokens) && !p.is(i, ")]}") && p.unread == "" {
		if p.late() {
			p.stop()
			break
		}
		if next := p.loop(i); next > i {
			i = next
			continue
		}
		if p.at(i).kind == 'i' && p.is(i+1, "=") && !p.is(i+2, "=>~") {
			v, next := p.expression(i + 2)
			p.give(p.at(i).text, v)
			i = max(next, i+2)
			continue
		}
		if p.at(i).kind == 'i' && p.is(i+1, "+") && p.is(i+2, "=") {
			v, next := p.expression(i + 3)
			p.grow(p.at(i).text, v)
			i = max(next, i+3)
			continue
		}
		if next := p.told(i); next > i {
			i = next
			continue
		}
		_, next := p.operand(i)
		i = max(next, i+1)
	}
	return i
}

// told reads what is run and written without a call: print > "x" and print | "x" of awk,
// do shell script "x".
func (p *coded) told(i int) int {
	text := p.at(i + 1)
	if p.language == protocol.AppleScript && p.at(i).text == "shell" && text.text == "script" {
		if v := p.filled(p.at(i + 2)); p.tells && p.at(i+2).kind == 's' {
			p.line(v.text, p.depth+1)
		}
		return i + 3
	}
	if p.language != protocol.AWK {
		return i
	}
	switch {
	case !p.tells:
		return i
	case p.at(i).kind == 's' && p.is(i+1, "|") && p.at(i+2).text == "getline":
		p.line(p.at(i).text, p.depth+1)
	case p.at(i).kind == 'i' && p.is(i+1, "|") && p.at(i+2).text == "getline" && p.values[p.at(i).text].known:
		p.line(p.values[p.at(i).text].text, p.depth+1)
	case text.kind != 's' || !p.prints(i):
		return i
	case p.is(i, ">"):
		p.change(protocol.Update, value{text: text.text, known: true}, value{})
	case p.is(i, "|"):
		p.line(text.text, p.depth+1)
	default:
		return i
	}
	return i + 2
}

// prints reports whether a mark follows a print of the same statement: elsewhere > compares.
func (p *coded) prints(i int) bool {
	for i--; i >= 0 && p.at(i).kind != 'n' && !p.is(i, "{}"); i-- {
		if p.at(i).text == "print" || p.at(i).text == "printf" {
			return true
		}
	}
	return false
}

// loop reads the head of a loop: for X in LIST, for (const x of LIST).
func (p *coded) loop(i int) int {
	if p.at(i).text != "for" && p.at(i).text != "foreach" || p.at(i).kind != 'i' {
		return i
	}
	var names []string
	bracket := false
	for i++; i < len(p.tokens); i++ {
		switch t := p.at(i); {
		case t.kind == 'i' && (t.text == "in" || t.text == "of") || p.language == protocol.Perl && t.kind == '(' && len(names) > 0:
			v, next := p.expression(i + 1)
			for n, name := range names {
				if n > 0 {
					v = value{text: "*", known: v.known}
				}
				p.give(name, v)
			}
			if (bracket || t.kind == '(') && p.is(next, ")") {
				next++
			}
			return next
		case t.kind == 'i' && !slices.Contains([]string{"const", "let", "var", "my", "await"}, t.text):
			names = append(names, t.text)
		case t.kind == '(':
			bracket = true
		case t.kind == 'i' || t.kind == ',' || t.kind == '[' || t.kind == ']' || t.kind == ')':
		default:
			return i
		}
	}
	return i
}

// expression is operands that are put together, up to what ends them.
func (p *coded) expression(i int) (v value, next int) {
	v, i = p.operand(i)
	for i < len(p.tokens) {
		switch t := p.at(i); {
		case t.kind == 's' && v.known && p.at(i-1).kind == 's': // 'a' 'b' of Python
			w, n := p.operand(i)
			v.text, v.known, i = v.text+w.text, w.known, n
		case p.is(i, ".") && p.is(i+1, ".") && p.language == protocol.Lua:
			w, n := p.operand(i + 2)
			v, i = added(v, w), n
		case p.is(i, "+") || p.is(i, ".") && (p.language == protocol.Perl || p.language == protocol.PHP):
			w, n := p.operand(i + 1)
			v, i = added(v, w), n
		case p.is(i, "=") && p.is(i+1, ">"): // x => body
			v, i = p.expression(i + 2)
		case p.is(i, "/") && v.file:
			w, n := p.operand(i + 1)
			v, i = joinedPath([]value{v, w}), n
		case t.kind == 'n' || p.is(i, ",)]}:"):
			return v, i
		default:
			if p.is(i, "|") && v.known && v.text == "w" { // flags of open
				_, i = p.operand(i + 1)
				continue
			}
			_, n := p.operand(i)
			i = max(n, i+1)
			if t.kind != 'i' || t.text != "for" && t.text != "if" && t.text != "as" && t.text != "or" { // what follows does not change it
				v = value{}
			}
		}
	}
	return v, i
}

// operand is a text, a list, a name, or a chain of calls: Path("a").unlink().
func (p *coded) operand(i int) (v value, next int) {
	switch t := p.at(i); {
	case t.kind == 's':
		if next := p.told(i); next > i {
			return v, next
		}
		v, i = p.filled(t), i+1
	case t.kind == 'l':
		v, i = value{list: strings.Fields(t.text), known: true}, i+1
	case t.kind == 'x':
		if p.tells {
			p.line(t.text, p.depth+1)
		}
		return value{}, i + 1
	case p.is(i, "(["):
		args, end := p.arguments(i)
		if v = listedValues(args); p.is(i, "(") && len(args) == 1 {
			v = args[0]
		}
		i = end
	case p.is(i, "{"):
		for n := i + 1; n < i+8; n++ { // {args: ["push"]}
			if p.at(n).text == "args" && p.is(n+1, ":") {
				v, _ = p.operand(n + 2)
			}
		}
		return v, p.walk(i+1) + 1
	case t.kind == 'i' && (t.text == "await" || t.text == "new" || t.text == "return" || t.text == "not"):
		return p.operand(i + 1)
	case t.kind == 'i' && (t.text == "for" || t.text == "foreach"):
		return value{}, p.loop(i)
	case t.kind == 'i' && p.is(i-1, ".") && p.language == protocol.JavaScript: // of what is no plain value: /x/.exec(y)
		v, i = p.called("?", value{}, i)
	case t.kind == 'i':
		v, i = p.called("", value{}, i)
	default:
		return value{}, i + 1
	}
	for p.is(i, ".") && p.at(i+1).kind == 'i' && !(p.language == protocol.Perl || p.language == protocol.PHP) || p.is(i, "-") && p.is(i+1, ">") || p.is(i, "?") && p.is(i+1, ".") || p.is(i, ":") && p.is(i+1, ":") {
		from := p.receiver(i - 1)
		if i++; p.at(i).kind != 'i' {
			i++
		}
		v, i = p.called(from, v, i)
	}
	return v, i
}

// receiver is the name before a dot: of a module, or the module that require names.
func (p *coded) receiver(i int) string {
	if p.is(i, ")") && p.at(i-1).kind == 's' && p.is(i-2, "(") {
		return moduleOf(p.at(i - 1).text)
	}
	if name := p.at(i).text; p.at(i).kind == 'i' {
		if module := p.modules[name]; module != "" {
			return module
		}
		return name
	}
	return "?"
}

// called is a name, with the call of it if one follows.
func (p *coded) called(from string, of value, i int) (value, int) {
	name := p.at(i).text
	if means := p.values[name].means; from == "" && means[1] != "" { // another name for it
		from, name = means[0], means[1]
	}
	p.parameter(of, name, i+1)
	switch {
	case p.is(i+1, "("):
		args, end := p.arguments(i + 1)
		return p.call(from, of, name, args), end
	case (p.language == protocol.Perl || p.language == protocol.Ruby) && doesOf(from, name) != 0 && !p.is(i+1, "=.)]},") && p.at(i+1).kind != 'n' && i+1 < len(p.tokens):
		args, end := p.list(i + 1)
		return p.call(from, of, name, args), end
	case doesOf(from, name) != 0 && !p.is(i+1, "."):
		return value{means: [2]string{from, name}}, i + 1
	case from != "":
		return p.member(of, name), i + 1
	}
	return p.values[name], i + 1
}

// parameter gives a name to each of what a method is called for: x.forEach(f => …),
// x.each { |f| … }.
func (p *coded) parameter(of value, name string, i int) {
	if !of.known || name != "forEach" && name != "map" && name != "each" && name != "each_entry" && name != "each_child" {
		return
	}
	for n := i; n < i+6; n++ {
		t := p.at(n)
		if t.kind == 'i' && t.text != "do" && t.text != "async" && t.text != "function" {
			p.give(t.text, of)
			return
		}
	}
}

// arguments are those between brackets, with the place behind them.
func (p *coded) arguments(i int) (args []value, end int) {
	if p.nested++; p.nested > 200 {
		p.unread = "a program that is nested more than 200 deep"
		p.nested--
		return nil, len(p.tokens)
	}
	defer func() { p.nested-- }()
	for i++; i < len(p.tokens) && !p.is(i, ")]}"); {
		if p.at(i).kind == 'n' || p.is(i, ",:") {
			i++
			continue
		}
		if p.at(i).kind == 'i' && p.is(i+1, "=") && !p.is(i+2, "=>") { // an argument by name
			v, next := p.expression(i + 2)
			if name := p.at(i).text; name == "inplace" && (p.at(i+2).text == "True" || p.is(i+2, "1")) {
				args = append(args, value{text: "w", known: true})
			} else if name == "args" || name == "file" || name == "path" || name == "mode" {
				args = append(args, v)
			}
			i = next
			continue
		}
		spread := false
		for p.is(i, "*.") { // *list, ...list
			spread = true
			i++
		}
		v, next := p.expression(i)
		if name := p.values[p.at(i).text]; spread && name.list != nil && p.is(i+1, ",)]") { // behind dots a name is no member
			v = name
		}
		if args, i = append(args, v), max(next, i+1); spread && v.list != nil {
			args = args[:len(args)-1]
			for _, text := range v.list {
				args = append(args, value{text: text, known: v.known})
			}
		}
	}
	return args, i + 1
}

// list are arguments without brackets, up to the end of the statement.
func (p *coded) list(i int) (args []value, end int) {
	for i < len(p.tokens) && p.at(i).kind != 'n' && !p.is(i, ")]}") {
		if p.is(i, ",") {
			i++
			continue
		}
		v, next := p.expression(i)
		args, i = append(args, v), max(next, i+1)
	}
	return args, i
}

// change adds a change of a file, if its name is known.
func (p *coded) change(action protocol.Action, file value, text value) {
	names := file.list
	if names == nil {
		names = []string{file.text}
	}
	for _, name := range names {
		if p.tells && file.known && p.changes.names(name) {
			c := protocol.Change{Action: action, Path: name}
			if text.known && text.list == nil {
				c.New, c.HasNew = text.text, true
			}
			p.changes.add(c)
		}
	}
}
