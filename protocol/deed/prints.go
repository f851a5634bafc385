package deed

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What a command prints, if that is plain to see, and where it goes.

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

// scripted are the texts that a program is told to make of its input.
func scripted(name string, args []string) (texts []string) {
	switch name {
	case "sed", "gsed", "perl", "ex", "vi", "vim", "nvim":
		for _, arg := range args {
			texts = append(texts, replacements(arg)...)
		}
	case "sd":
		if rest := operands(args, "nf", "--max-replacements", "--flags").rest; len(rest) > 1 {
			texts = rest[1:2]
		}
	case "awk", "gawk", "mawk", "jq", "yq", "ruby", "node", "python", "python3", "php":
		texts = []string{strings.Join(args, " ")}
	}
	return texts
}

// replacements are what an expression of sed or ed inserts: after the second
// delimiter of an s, and after a, i and c.
func replacements(text string) (puts []string) {
	for i := 0; i < len(text); i++ {
		begins := i == 0 || !isLetter(text[i-1])
		switch c := text[i]; {
		case !begins || i+1 == len(text):
		case c == 's' && strings.IndexByte("/|#,@!:%~_+=;{", text[i+1]) >= 0:
			mark := text[i+1]
			_, end := until(text, i+2, mark)
			if mark == '{' {
				if next := strings.IndexByte(text[min(end, len(text)):], '{'); next >= 0 {
					end += next + 1
				}
			}
			put, end := until(text, end, mark)
			puts, i = append(puts, put), max(i, end-1)
		case (c == 'a' || c == 'i' || c == 'c') && strings.IndexByte(" \\\n\t", text[i+1]) >= 0:
			put := text[i+1:]
			if put[0] == '\n' {
				put, _, _ = strings.Cut(put, "\n.")
			} else {
				put = put[:lineEnd(put)]
			}
			puts = append(puts, strings.TrimSpace(strings.ReplaceAll(put, "\\\n", "\n")))
			i += len(put)
		}
	}
	return puts
}

// lineEnd is where a line ends that goes on behind a backslash at its end.
func lineEnd(text string) int {
	for i := range len(text) {
		if text[i] == '\n' && (i == 0 || text[i-1] != '\\') {
			return i
		}
	}
	return len(text)
}

// until is what precedes the next delimiter, and the position to continue at.
func until(text string, from int, mark byte) (string, int) {
	if mark == '{' {
		mark = '}'
	}
	for i := min(from, len(text)); i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case mark:
			return text[from:i], i + 1
		}
	}
	return text[min(from, len(text)):], len(text)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

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
			return ansi(text)
		}
	}
	if name == "printf" {
		return ansi(text)
	}
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text)
}

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
