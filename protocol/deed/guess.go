package deed

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a word may turn out to be, for matchers: through variables that the text
// itself sets, functions that it defines, and what it plainly prints.

// maxKnown limits the value of a variable, so that one that is repeatedly built from
// itself stays small.
const maxKnown = 256

// maxAgain limits the bytes of bodies that one call has read again: of functions with
// their arguments, of aliases, and of loops for each round.
const maxAgain = 128 << 10

// again reports whether a body may be read once more.
func (r *reader) again(size int) bool {
	if r.reread += 64 + size; r.reread > maxAgain {
		r.unread = "functions, aliases and loops that come to over 128 KiB"
		return false
	}
	return true
}

func (s *script) set(name, value string) { s.keep(name, unlisted(value)) }

func (s *script) keep(name, value string) {
	if len(value) > maxKnown {
		delete(s.known, name)
		return
	}
	if s.known == nil {
		s.known = map[string]string{}
	}
	s.known[name] = value
}

// assign notes the value of a variable or a list.
func (s *script) assign(a *syntax.Assign) {
	switch {
	case a.Name == nil:
	case a.Value != nil:
		value := s.guessed(a.Value)
		if a.Append {
			value = s.known[a.Name.Value] + value
		}
		s.set(a.Name.Value, value)
	case a.Array != nil:
		var words []string
		if a.Append {
			words = listOf(s.known[a.Name.Value+"[@]"])
		}
		for _, elem := range a.Array.Elems {
			if elem.Value != nil {
				words = append(words, s.spread(elem.Value)...)
			}
		}
		s.list(a.Name.Value+"[@]", a.Name.Value+"[*]", words)
		if len(words) > 0 {
			s.set(a.Name.Value, words[0])
		}
	}
}

// beside adds a command with the variables that are set for it alone: before it, or
// by env.
func (s *script) beside(assigns []*syntax.Assign, argv []string) {
	wraps := heldBy(program(argv[0])) == wrapped
	if len(assigns) > 0 || wraps {
		defer func(outer map[string]string) { s.known = outer }(s.known)
		s.known = maps.Clone(s.known)
	}
	for _, a := range assigns {
		s.assign(a)
	}
	for _, word := range argv[1:] {
		if wraps && isAssign(word) {
			name, value, _ := strings.Cut(word, "=")
			s.set(name, value)
		}
	}
	s.command(argv, s.depth)
	s.configured(argv)
}

// define notes the body of a function.
func (s *script) define(f *syntax.FuncDecl) {
	if f.Name == nil {
		return
	}
	if s.bodies == nil {
		s.bodies = map[string]*syntax.Stmt{}
	}
	s.bodies[f.Name.Value] = f.Body
}

// called reads a function of the text with the arguments of one call, and what set
// does to the text's own arguments.
func (s *script) called(argv []string) {
	switch {
	case argv[0] == "set" && len(argv) > 2 && argv[1] == "--":
		s.arguments(argv[2:])
		return
	case argv[0] == "set" && len(argv) > 1 && !strings.HasPrefix(argv[1], "-") && !strings.HasPrefix(argv[1], "+"):
		s.arguments(argv[1:])
		return
	case argv[0] == "printf" && len(argv) > 3 && argv[1] == "-v":
		s.set(argv[2], printed("printf", argv[3:]))
		return
	}
	if argv[0] == "alias" {
		s.alias(argv[1:])
		return
	}
	if line, ok := s.aliases[argv[0]]; ok {
		if !s.again(len(line)) {
			return
		}
		delete(s.aliases, argv[0]) // each only once
		s.line(line+" "+strings.Join(argv[1:], " "), s.depth+1)
		s.aliases[argv[0]] = line
		return
	}
	body := s.bodies[argv[0]]
	if body == nil || len(argv) == 1 {
		return // as it was read where it is defined
	}
	if !s.again(int(body.End().Offset() - body.Pos().Offset())) {
		return
	}
	in := script{reader: s.reader, source: s.source, depth: s.depth + 1, bodies: maps.Clone(s.bodies)}
	delete(in.bodies, argv[0]) // each only once
	defer func(outer map[string]string) { s.known = outer }(s.known)
	s.known = maps.Clone(s.known)
	in.arguments(argv[1:])
	if block, ok := body.Cmd.(*syntax.Block); ok {
		in.straight = block.Stmts
	}
	syntax.Walk(body, in.visit)
}

// alias notes aliases of the shell.
func (s *script) alias(args []string) {
	for _, arg := range args {
		if name, line, ok := strings.Cut(arg, "="); ok {
			if s.aliases == nil {
				s.aliases = map[string]string{}
			}
			s.aliases[name] = line
		}
	}
}

// taken notes what read makes of its input: one word for each variable, and the rest
// for the last.
func (s *script) taken(args []string, text string) {
	names, words := operands(args, "adeinNptu").rest, strings.Fields(text)
	for i, name := range names {
		if i == len(names)-1 || len(words) == 0 {
			s.set(name, strings.Join(words, " "))
			break
		}
		s.set(name, words[0])
		words = words[1:]
	}
}

// array notes what mapfile makes of its input: a list of lines.
func (s *script) array(args []string, text string) {
	name := "MAPFILE"
	if rest := operands(args, "dnOsuCc").rest; len(rest) > 0 {
		name = rest[0]
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	s.list(name+"[@]", name+"[*]", lines)
	s.set(name, lines[0])
}

// rounds reads the body of a loop over words once for each of them, and reports
// whether it did. Words that are numbers count as one.
func (s *script) rounds(f *syntax.ForClause) bool {
	loop, ok := f.Loop.(*syntax.WordIter)
	if !ok {
		return false
	}
	var words []string
	for _, item := range loop.Items {
		words = append(words, s.spread(item)...)
	}
	if !loop.InPos.IsValid() {
		words = listOf(s.known["@"])
	}
	number := false
	for round, word := range words {
		if strings.Trim(word, "0123456789") == "" {
			if number {
				continue
			}
			number = true
		}
		if round > 0 && !s.again(int(f.End().Offset()-f.Pos().Offset())) {
			break
		}
		s.set(loop.Name.Value, word)
		for _, stmt := range f.Do {
			syntax.Walk(stmt, s.visit)
		}
	}
	for _, item := range loop.Items {
		syntax.Walk(item, s.visit)
	}
	return len(words) > 0
}

// guessed is a word as it may turn out; unknown parts are left out.
func (s *script) guessed(w *syntax.Word) string {
	var words []string
	for _, parts := range s.braces(w) {
		words = append(words, spaced(s.guess(parts, false)))
	}
	return strings.Join(words, " ")
}

func (s *script) guess(parts []syntax.WordPart, quoted bool) string {
	var b strings.Builder
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.ParamExp:
			if p.Param != nil && p.Param.Value == "IFS" {
				b.WriteString(s.parts(parts[i:i+1], quoted, false))
				continue
			}
			b.WriteString(s.value(p))
		case *syntax.CmdSubst:
			text := ""
			if len(p.Stmts) == 1 {
				text = unlisted(strings.TrimSpace(s.says(p.Stmts[0])))
				s.missing = s.missing || len(p.Stmts[0].Redirs) > 0 // of a here-document: substituted reads it
			}
			s.missing = s.missing || text == ""
			b.WriteString(text)
		case *syntax.DblQuoted:
			b.WriteString(s.guess(p.Parts, true))
		default:
			b.WriteString(unlisted(s.parts(parts[i:i+1], quoted, false)))
		}
	}
	return b.String()
}

// value is what a variable is set to, or its default.
func (s *script) value(p *syntax.ParamExp) string {
	if p.Param == nil {
		if p.Exp != nil && p.Exp.Word != nil { // ${:-x} of zsh
			return s.guessed(p.Exp.Word)
		}
		return ""
	}
	name := p.Param.Value
	element := -1
	if lit, ok := p.Index.(*syntax.Word); ok {
		if lit.Lit() == "@" || lit.Lit() == "*" {
			name += "[" + lit.Lit() + "]"
		} else if n, err := strconv.Atoi(lit.Lit()); err == nil && s.known[name+"[@]"] != "" {
			name, element = name+"[@]", n
		}
	}
	value, known := s.known[name]
	if list := listOf(value); known && element >= 0 {
		if known = element < len(list); known {
			value = list[element]
		}
	}
	switch list, plain := name == "@" || strings.HasSuffix(name, "[@]"), p.Exp == nil && p.Repl == nil && p.Slice == nil && !p.Length && !p.Excl && !p.Width; {
	case p.Slice != nil && known && list:
		value = sliced(listOf(value), p.Slice, name == "@")
	case known && !list:
		value, known = s.shaped(p, value)
	case plain && !known:
		value, known = s.usual(name)
	}
	s.missing = s.missing || !known
	if p.Exp != nil && p.Exp.Word != nil {
		switch p.Exp.Op {
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
			if !known {
				return s.guessed(p.Exp.Word)
			}
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			return s.guessed(p.Exp.Word)
		}
	}
	return value
}

// usual is the value of a variable that every shell has.
func (s *script) usual(name string) (value string, known bool) {
	switch name {
	case "PWD":
		return s.changes.dir, s.changes.dir != ""
	case "HOME":
		return "~", true
	case "SHELL", "BASH", "0":
		return "sh", true
	}
	return "", false
}

// sure is a word whose variables are all set by the text itself.
func (s *script) sure(w *syntax.Word) (string, bool) {
	s.missing = false
	text := s.guessed(w)
	return text, !s.missing && text != "" && !strings.Contains(text, ifs)
}

// resolved reads a command again if the text sets everything in its words.
func (s *script) resolved(list []*syntax.Word) {
	var argv []string
	for _, w := range list {
		s.missing = false
		words := s.spread(w)
		if s.missing || strings.Contains(strings.Join(words, ""), ifs) {
			return
		}
		argv = append(argv, words...)
	}
	if len(argv) == 0 || argv[0] == "" {
		return
	}
	s.command(argv, s.depth+1)
	s.called(argv)
}

// handed are the commands that xargs builds from its input: one, or one for each line if
// a word of them stands for it; nil for all others.
func handed(argv []string, text string) (made [][]string) {
	for range maxDepth {
		in := insideOf(argv)
		if len(in.commands) != 1 {
			return nil
		}
		inner := in.commands[0]
		if name := program(argv[0]); name != argv[0] || name != "xargs" && name != "gxargs" {
			argv = inner
			continue
		}
		text = strings.ReplaceAll(text, "\x00", "\n")
		mark := "{}"
		if o := operands(argv[1:len(argv)-len(inner)], "IJ", "--replace"); len(o.values) > 0 {
			if own := last(append(o.valuesOf("I", "--replace"), o.values["J"]...)); own != "" {
				mark = own
			}
		}
		if !slices.ContainsFunc(inner, func(word string) bool { return strings.Contains(word, mark) }) {
			return [][]string{append(slices.Clone(inner), strings.Fields(text)...)}
		}
		size := 0
		for line := range strings.Lines(strings.TrimSpace(text)) {
			line = strings.TrimSpace(line)
			words := slices.Clone(inner)
			for n, word := range words {
				size += strings.Count(word, mark) * len(line)
				if size > maxListed || len(made) == maxBraces {
					return made
				}
				words[n] = strings.ReplaceAll(word, mark, line)
			}
			made = append(made, words)
		}
		return made
	}
	return nil
}
