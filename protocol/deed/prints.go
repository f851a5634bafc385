package deed

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a command prints, if that is plain to see.

// substituted reads what a substitution in one of the words prints into a shell.
func (s *script) substituted(parts []syntax.WordPart) {
	for _, p := range parts {
		var in []*syntax.Stmt
		switch p := p.(type) {
		case *syntax.DblQuoted:
			s.substituted(p.Parts)
		case *syntax.CmdSubst:
			in = p.Stmts
		case *syntax.ProcSubst:
			in = p.Stmts
		}
		if len(in) == 1 {
			s.line(s.says(in[0]), s.depth+1)
		}
	}
}

// says is what a command prints, if that is plain to see; "" otherwise.
func (s *script) says(stmt *syntax.Stmt) string {
	var list []*syntax.Stmt
	switch c := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		return s.saysCall(stmt, c)
	case *syntax.Block:
		list = c.Stmts
	case *syntax.Subshell:
		list = c.Stmts
	}
	if len(list) == 0 || !s.again(sizeOf(stmt)) {
		return ""
	}
	var lines []string
	for _, st := range list {
		text := s.says(st)
		if text == "" || slices.ContainsFunc(st.Redirs, isOutput) {
			return ""
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

func (s *script) saysCall(stmt *syntax.Stmt, call *syntax.CallExpr) string {
	if len(call.Args) == 0 || s.saying > maxDepth || s.saying > 0 && !s.again(sizeOf(stmt)) {
		return ""
	}
	if name := call.Args[0].Lit(); isPlain(name) && !says(name) {
		return ""
	}
	s.saying++ // what one prints may be what another printed
	defer func() { s.saying-- }()
	said := s.settled(call.Args)
	if len(said) == 0 {
		return ""
	}
	switch said[0] {
	case "echo", "printf":
		return printed(said[0], said[1:])
	case "pwd":
		return s.changes.dir
	case "cat", "tee":
		if said[0] == "cat" && len(said) == 2 {
			if text := s.wrote(said[1]); text != "" {
				return text
			}
		}
		if text, ok := s.handedTo(stmt); ok && (said[0] == "tee" || len(said) == 1 || said[1] == "-" || said[1] == "/dev/stdin") {
			return text
		}
	}
	return ""
}

// says reports whether it is known of a program what it prints.
func says(name string) bool {
	switch name {
	case "echo", "printf", "pwd", "cat", "tee":
		return true
	}
	return false
}

// settled are the words of a command, with values for those that the text itself
// sets.
func (s *script) settled(list []*syntax.Word) (words []string) {
	defer func(missing bool) { s.missing = missing }(s.missing)
	for _, w := range list {
		if expands(w.Parts) {
			if text, ok := s.sure(w); ok {
				words = append(words, text)
				continue
			}
		}
		words = append(words, s.word(w)...)
	}
	return words
}

// isOutput reports whether a redirection sends stdout into a file.
func isOutput(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		return r.N == nil || r.N.Value == "1"
	}
	return false
}

func sizeOf(n syntax.Node) int { return int(n.End().Offset() - n.Pos().Offset()) }

// poured notes what may get into a file that a statement writes, if that is not
// plain: its input, everything that is printed inside it, and what a program is told
// to make of its input.
func (s *script) poured(stmt *syntax.Stmt) {
	if !s.again(sizeOf(stmt)) {
		return
	}
	if text, ok := s.handedTo(stmt); ok {
		s.changes.may(text)
	}
	syntax.Walk(stmt, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			call, ok := n.Cmd.(*syntax.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if text := s.saysCall(n, call); text != "" {
				s.changes.may(text)
			} else if argv := s.settled(call.Args); len(argv) > 1 {
				s.changes.may(scripted(argv[0], argv[1:])...)
			} else if len(argv) == 1 && s.bodies[argv[0]] != nil {
				body := s.bodies[argv[0]]
				delete(s.bodies, argv[0]) // each only once
				s.poured(body)
				s.bodies[argv[0]] = body
			}
		case *syntax.WordIter:
			s.changes.may(strings.Join(s.settled(n.Items), " "))
		}
		return true
	})
}

// filled notes what variables make of a here-document, if a file is written.
func (s *script) filled(stmt *syntax.Stmt) {
	for _, redir := range stmt.Redirs {
		if redir.Hdoc != nil && expands(redir.Hdoc.Parts) && (slices.ContainsFunc(stmt.Redirs, isOutput) || s.stores(stmt)) {
			s.changes.may(spaced(s.guess(redir.Hdoc.Parts, true)))
		}
	}
}

// substitutes reports whether a file in a command's words is the output of another
// command.
func substitutes(list []*syntax.Word) bool {
	return slices.ContainsFunc(list, func(w *syntax.Word) bool {
		return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool { _, is := p.(*syntax.ProcSubst); return is })
	})
}

// printed is what echo or printf prints.
func printed(name string, args []string) string {
	if name == "printf" && len(args) > 1 && args[0] == "--" {
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if format := args; name == "printf" && len(args) > 1 && strings.Contains(args[0], "%") {
		var b strings.Builder
		for args = args[1:]; len(args) > 0; {
			left := len(args)
			for i := 0; i < len(format[0]); i++ {
				c := format[0][i]
				switch {
				case c != '%' || i+1 == len(format[0]):
					b.WriteByte(c)
				case format[0][i+1] == '%':
					b.WriteByte(c)
					i++
				default:
					i += 1 + len(format[0][i+1:]) - len(strings.TrimLeft(format[0][i+1:], "-+ #0123456789.")) // at the verb
					if len(args) > 0 {
						b.WriteString(args[0])
						args = args[1:]
					}
				}
			}
			if len(args) == left {
				break
			}
		}
		text = b.String()
	} else if name == "echo" && len(args) > 1 && (args[0] == "-e" || args[0] == "-n" || args[0] == "-ne" || args[0] == "-en") {
		text = strings.Join(args[1:], " ")
		if strings.Contains(args[0], "e") {
			for _, digit := range "01234567" { // three digits follow a zero there
				text = strings.ReplaceAll(text, `\0`+string(digit), `\`+string(digit))
			}
			return ansi(text)
		}
	}
	if name == "printf" {
		return ansi(text)
	}
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text)
}

// partly is what a group of commands prints as far as that is plain to see, if only
// some of them are: (crontab -l; echo x).
func (s *script) partly(stmt *syntax.Stmt) string {
	var list []*syntax.Stmt
	switch c := stmt.Cmd.(type) {
	case *syntax.Block:
		list = c.Stmts
	case *syntax.Subshell:
		list = c.Stmts
	}
	if len(list) < 2 || !s.again(sizeOf(stmt)) {
		return ""
	}
	var lines []string
	for _, st := range list {
		if text := s.says(st); text != "" && !slices.ContainsFunc(st.Redirs, isOutput) {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}
