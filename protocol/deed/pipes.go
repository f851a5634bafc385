package deed

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Where it goes that a command prints: through pipes, files and descriptors.

// stores reports whether a command writes its input into a file that its words name.
func (s *script) stores(stmt *syntax.Stmt) bool {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 {
		return false
	}
	program := innermost(s.settled(call.Args))
	return len(program) > 1 && slices.Contains([]string{"tee", "sponge", "dd", "ed", "ex"}, program[0])
}

// handedTo is a statement's input, if that is plain to see.
func (s *script) handedTo(stmt *syntax.Stmt) (text string, ok bool) {
	text, ok = s.given[stmt]
	for _, redir := range stmt.Redirs {
		switch {
		case redir.N != nil && redir.N.Value != "0":
		default:
			if from, is := s.opens(redir); is {
				text, ok = from, true
			}
		}
	}
	return text, ok
}

// opens is what a redirection gives to read, if that is plain to see: a here-document,
// a file that the call has written, or a descriptor that was opened on one of them.
func (s *script) opens(redir *syntax.Redirect) (text string, ok bool) {
	switch {
	case redir.Hdoc != nil:
		return s.document(redir), true
	case redir.Op == syntax.WordHdoc:
		return strings.Join(s.word(redir.Word), " "), true
	case redir.Op == syntax.DplIn:
		text, ok = s.opened[s.from(redir.Word)]
	case redir.Op == syntax.RdrIn || redir.Op == syntax.RdrInOut:
		if from, is := redir.Word.Parts[0].(*syntax.ProcSubst); is && len(redir.Word.Parts) == 1 && len(from.Stmts) == 1 {
			return s.says(from.Stmts[0]), true
		}
		if names := s.word(redir.Word); len(names) == 1 {
			text = s.wrote(names[0])
		}
		ok = text != ""
	}
	return text, ok
}

// wrote is what the call has written into a file, as often as that may be read again.
func (s *script) wrote(file string) string {
	text := s.changes.written(file)
	if text == "" || !s.again(len(text)) {
		return ""
	}
	return text
}

// open notes what exec makes of descriptors: exec 3<file.
func (s *script) open(stmt *syntax.Stmt) {
	for _, redir := range stmt.Redirs {
		if redir.N == nil {
			continue
		}
		if text, ok := s.opens(redir); ok {
			if s.opened == nil {
				s.opened = map[string]string{}
			}
			s.opened[redir.N.Value] = text
		}
	}
}

// toFile reports whether a redirection opens a file to write.
func (s *script) toFile(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut:
		return known(s.from(r.Word))
	}
	return false
}

// piped notes what a command prints into the next one, if that is plain to see, and
// what may get through it into a file.
func (s *script) piped(b *syntax.BinaryCmd) {
	if s.pipes[b] {
		return
	}
	if s.pipes == nil {
		s.pipes = map[*syntax.BinaryCmd]bool{}
	}
	s.pipes[b] = true
	if slices.ContainsFunc(b.Y.Redirs, isOutput) || s.stores(b.Y) {
		s.poured(b.X)
	}
	from := b.X
	if left, ok := from.Cmd.(*syntax.BinaryCmd); ok {
		if from = left.Y; (left.Op == syntax.Pipe || left.Op == syntax.PipeAll) && !s.over {
			s.piped(left) // what it hands on, cat and tee pass on
		}
	}
	text := s.says(from)
	if text == "" {
		text = s.listedBy(from, b.Y)
	}
	if text != "" {
		if s.given == nil {
			s.given = map[*syntax.Stmt]string{}
		}
		s.given[b.Y] = text
	} else if text := s.partly(from); text != "" {
		if s.hints == nil {
			s.hints = map[*syntax.Stmt]string{}
		}
		s.hints[b.Y] = text
	}
}

// pipeline notes a pipe of commands as a line of its own, with quotes resolved: a guard
// on what is fetched and run looks at both commands.
func (s *script) pipeline(b *syntax.BinaryCmd) {
	if !s.again(sizeOf(b)) {
		return
	}
	var texts []string
	for from := (&syntax.Stmt{Cmd: b}); from != nil; {
		stmt := from
		left, ok := from.Cmd.(*syntax.BinaryCmd)
		if from = nil; ok {
			from, stmt = left.X, left.Y
		}
		if call, ok := stmt.Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			texts = append(texts, spaced(strings.Join(s.settled(call.Args), " ")))
		} else {
			texts = append(texts, s.from(stmt))
		}
	}
	slices.Reverse(texts)
	if line := strings.Join(texts, " | "); line != strings.TrimSpace(s.source) && len(s.pipelines) < maxList {
		s.pipelines = append(s.pipelines, line)
	}
}

// listedBy are the files that find, ls or git ls-files hand to an xargs or a loop, as far
// as their names are plain.
func (s *script) listedBy(from, to *syntax.Stmt) string {
	call, ok := from.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 {
		return ""
	}
	switch next := to.Cmd.(type) {
	case *syntax.CallExpr:
		if len(next.Args) == 0 || program(next.Args[0].Lit()) != "xargs" {
			return ""
		}
	case *syntax.WhileClause: // while read f; do … done
	default:
		return ""
	}
	switch words := s.settled(call.Args); words[0] {
	case "find", "gfind":
		return strings.Join(foundBy(words[1:]), "\n")
	case "git":
		if words[1] == "ls-files" {
			return strings.Join(operands(words[2:], "xX", "--exclude", "--exclude-from").rest, "\n")
		}
	case "ls":
		return strings.Join(operands(words[1:], "").rest, "\n")
	}
	return ""
}
