package deed

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a command prints, where that is plain to see, and where it goes.

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

// says is what a command prints, where that is plain to see; "" otherwise.
func (s *script) says(stmt *syntax.Stmt) string {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	said, _ := s.words(call.Args)
	if len(said) == 0 {
		return ""
	}
	switch said[0] {
	case "echo", "printf":
		return printed(said[0], said[1:])
	case "cat":
		for _, redir := range stmt.Redirs {
			if redir.Hdoc != nil {
				return s.document(redir)
			}
		}
	}
	return ""
}

// printed is what echo or printf prints.
func printed(name string, args []string) string {
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
	}
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text)
}

// handedTo is what a statement gets to read, where that is plain to see.
func (s *script) handedTo(stmt *syntax.Stmt) (text string, ok bool) {
	text, ok = s.given[stmt]
	for _, redir := range stmt.Redirs {
		switch {
		case redir.N != nil && redir.N.Value != "0":
		case redir.Hdoc != nil:
			text, ok = s.document(redir), true
		case redir.Op == syntax.WordHdoc:
			text, ok = strings.Join(s.word(redir.Word), " "), true
		case redir.Op == syntax.RdrIn && len(redir.Word.Parts) == 1:
			if from, is := redir.Word.Parts[0].(*syntax.ProcSubst); is && len(from.Stmts) == 1 {
				text, ok = s.says(from.Stmts[0]), true
			}
		}
	}
	return text, ok
}

// piped notes what a command prints into the next one, where that is plain to see.
func (s *script) piped(b *syntax.BinaryCmd) {
	from := b.X
	for {
		left, ok := from.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		from = left.Y
	}
	text := s.says(from)
	if text != "" {
		if s.given == nil {
			s.given = map[*syntax.Stmt]string{}
		}
		s.given[b.Y] = text
	}
}
