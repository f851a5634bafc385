package deed

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/protocol"
	"mvdan.cc/sh/v3/syntax"
)

// maxParse limits the time for reading the lines of one call. A usual line takes 5
// µs; only a crafted one that nests thousands deep comes near the limit. Once it has
// passed, the process's own processor time counts instead: a guard must not stop
// harmless calls because a build keeps the machine busy.
const maxParse = 30 * time.Millisecond

// maxDepth is how deep commands may be nested.
const maxDepth = 12

// text reads a line that the agent gives to a shell.
func (r *reader) text(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	r.note(line)
	if typed := erased(line); typed != line {
		r.text(typed)
	}
	if r.raw {
		changes := len(r.changes.deed.Changes)
		r.as(line)
		r.alike(line)
		r.power(line, changes)
		return
	}
	r.line(line, 0)
}

// line parses a text with a shell's grammar; args are its $0, $1 …
func (r *reader) line(text string, depth int, args ...string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(text) > maxLine {
		r.unread = "a command of over 256 KiB"
		r.add(protocol.Command{Text: text})
		return
	}
	if depth > maxDepth {
		r.unread = "commands in one another, more than 12 deep"
		return
	}
	if r.over {
		return
	}
	var file *syntax.File
	for _, variant := range [...]syntax.LangVariant{syntax.LangBash, syntax.LangZsh} {
		f, err := r.parse(text, variant)
		if err == nil {
			file = f
			break
		}
		if errors.Is(err, errLate) {
			r.add(protocol.Command{Text: text})
			r.stop()
			return
		}
	}
	if file == nil {
		r.as(text)
		return
	}
	defer func() {
		if p := recover(); p != nil { // a panic in the walk must not end the dispatcher
			r.unread = "a command"
		}
	}()
	defer func(outer map[string]string) { r.known = outer }(r.known)
	r.known = maps.Clone(r.known)
	s := script{reader: r, source: text, depth: depth, straight: file.Stmts}
	if len(args) > 0 {
		s.set("0", args[0])
		s.arguments(args[1:])
	}
	syntax.Walk(file, s.visit)
	if ended := linesEnd(text); ended != text {
		r.line(ended, depth+1)
	}
}

var errLate = errors.New("too late")

// parse parses a text, and gives up when the time is over: the parser asks for each
// piece.
func (r *reader) parse(text string, variant syntax.LangVariant) (f *syntax.File, err error) {
	defer func() {
		if p := recover(); p != nil { // a panic in the parser must not end the dispatcher
			f, err = nil, errors.New("the parser failed")
		}
	}()
	if r.until.IsZero() {
		r.until = time.Now().Add(maxParse)
	}
	return syntax.NewParser(syntax.Variant(variant)).Parse(&clocked{text, r}, "")
}

// late reports whether the time for reading is over.
func (r *reader) late() bool {
	if time.Now().Before(r.until) {
		return false
	}
	now := processor.Time()
	if r.since == 0 {
		r.since = max(now, 1)
	}
	return now-r.since > maxParse
}

// stop ends the reading, since its time is over.
func (r *reader) stop() {
	r.over, r.unread = true, "a command that takes over 30 ms to read"
}

// A clocked text is read piece by piece, until the time is over.
type clocked struct {
	left   string
	reader *reader
}

func (c *clocked) Read(p []byte) (int, error) {
	if c.left == "" {
		return 0, io.EOF
	}
	if c.reader.late() {
		return 0, errLate
	}
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, nil
}

// A script is one parsed text.
type script struct {
	*reader
	source string
	depth  int
	given  map[*syntax.Stmt]string    // what a pipe feeds a command, if that is plain
	hints  map[*syntax.Stmt]string    // a part of it, if only that is
	pipes  map[*syntax.BinaryCmd]bool // which were read
	bodies map[string]*syntax.Stmt    // functions that it defines

	straight []*syntax.Stmt // what runs one after the other, whatever the results

	opened  map[string]string // descriptors, and what is read from them
	input   string            // the input of the loop or group that is being read
	missing bool              // the last guess contained a variable that nothing sets
	pours   bool              // what is printed may go into a file that exec opened
	saying  int               // how many commands are being examined for their output
}

func (s *script) visit(n syntax.Node) bool {
	if s.over {
		return false
	}
	switch n := n.(type) {
	case *syntax.Stmt:
		if s.late() {
			s.stop()
			return false
		}
		s.statement(n)
	case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
		dir := s.changes.dir
		syntax.Walk(n, func(in syntax.Node) bool { return in == n || in != nil && s.visit(in) })
		s.changes.dir = dir // a cd in it ends with it
		return false
	case *syntax.ForClause:
		return !s.rounds(n)
	case *syntax.CallExpr:
		if len(n.Args) == 0 {
			return true
		}
		for _, a := range n.Assigns { // which end with the command
			syntax.Walk(a, func(in syntax.Node) bool { return in == a || in != nil && s.visit(in) })
		}
		for _, word := range n.Args {
			syntax.Walk(word, s.visit)
		}
		return false
	case *syntax.Assign:
		s.assign(n)
	case *syntax.FuncDecl:
		s.define(n)
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			if !s.pipes[n] { // the outermost
				s.pipeline(n)
			}
			s.piped(n)
		}
	case *syntax.DeclClause:
		words := []string{n.Variant.Value}
		for _, a := range n.Args {
			word := s.from(a)
			if a.Name != nil && a.Value != nil {
				word = a.Name.Value + "=" + strings.Join(s.word(a.Value), " ")
			}
			words = append(words, word)
		}
		s.command(words, s.depth)
	}
	return s.unread == "" || len(s.out) < maxList
}

// statement reads a simple command, with the input that a here-document gives it.
func (s *script) statement(stmt *syntax.Stmt) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		s.redirected(stmt)
		if text, ok := s.handedTo(stmt); ok {
			s.input = text
		}
		return
	}
	argv, loose := s.words(call.Args)
	if len(argv) == 0 {
		return
	}
	for _, text := range loose {
		s.piece(text)
		s.piece(pieces(strings.TrimPrefix(text, "eval "))...)
	}
	if name := s.looked(call.Args[0]); name != "" {
		s.piece(strings.Join(append([]string{name}, argv[1:]...), " "))
	}
	s.handsFiles(call.Args)
	s.beside(call.Assigns, argv)
	s.called(argv)
	if len(loose) > 0 {
		s.resolved(call.Args)
	}
	if slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return expands(w.Parts) }) || substitutes(call.Args) {
		if program := innermost(argv); len(program) > 0 && (isShell(program[0]) || program[0] == "eval" || program[0] == "source" || program[0] == ".") {
			for _, word := range call.Args {
				s.substituted(word.Parts)
			}
		}
	}
	switch argv[0] {
	case "cd", "pushd":
		s.cd(call.Args)
	case "shift": // elsewhere it may not happen
		if slices.Contains(s.straight, stmt) {
			s.shift(argv)
		}
	}
	if argv[0] == "exec" && len(argv) == 1 {
		s.open(stmt)
		s.pours = s.pours || slices.ContainsFunc(stmt.Redirs, s.toFile)
	} else if s.pours { // into what exec opened
		s.changes.may(s.says(stmt))
	}
	s.redirected(stmt)
	s.filled(stmt)
	if touches(argv[0]) && substitutes(call.Args) {
		s.poured(stmt)
	}
	switch text, ok := s.handedTo(stmt); {
	case ok && len(argv) == 1 && argv[0] == "exec":
		s.input = text
	case ok:
		s.fed(argv, text)
	case s.hints[stmt] != "":
		s.input = s.hints[stmt]
		fallthrough
	case takesLines(argv[0]) || s.input != "" && readsCommands(innermost(argv)) || argv[0] == "crontab":
		s.fed(argv, s.input)
	}
}

// looked is the program that a word looks up: $(which rm), $(command -v rm).
func (s *script) looked(w *syntax.Word) string {
	parts := w.Parts
	if quoted, ok := parts[0].(*syntax.DblQuoted); ok && len(quoted.Parts) > 0 {
		parts = quoted.Parts
	}
	sub, ok := parts[0].(*syntax.CmdSubst)
	if !ok || len(parts) > 1 || len(w.Parts) > 1 || len(sub.Stmts) != 1 {
		return ""
	}
	call, ok := sub.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 {
		return ""
	}
	if argv, _ := s.words(call.Args); len(argv) > 1 && slices.Contains([]string{"which", "command", "type"}, argv[0]) {
		return argv[len(argv)-1]
	}
	return ""
}

// redirected reads the files that a statement's output goes to.
func (s *script) redirected(stmt *syntax.Stmt) {
	for _, redir := range stmt.Redirs {
		switch redir.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut:
		case syntax.DplOut: // >&FILE is &>FILE; >&2 and >&- name no file
			if to := s.from(redir.Word); to == "-" || strings.Trim(to, "0123456789-") == "" {
				continue
			}
		default:
			continue
		}
		target := s.word(redir.Word)
		if expands(redir.Word.Parts) {
			if file, ok := s.sure(redir.Word); ok {
				target = []string{file}
			}
		}
		if len(target) != 1 || !s.changes.names(target[0]) {
			continue
		}
		text := ""
		if isOutput(redir) {
			if text = s.says(stmt); text == "" {
				s.poured(stmt)
			}
		}
		s.writes(target[0], text, redir.Op == syntax.AppOut || redir.Op == syntax.AppAll || text == "")
	}
}

// writes adds a file that a command writes, with its text if that is plain.
func (s *script) writes(name, text string, more bool) {
	c := protocol.Change{Action: protocol.Create, Path: name, New: text, HasNew: text != ""}
	if more {
		c.Action = protocol.Update
	}
	s.changes.add(c)
}

// command adds a command and what runs inside it.
func (r *reader) command(argv []string, depth int) {
	if len(argv) == 0 || r.unread != "" && len(r.out) >= maxList {
		return
	}
	if depth > maxDepth {
		r.unread = "commands in one another, more than 12 deep"
		return
	}
	r.add(protocol.Command{Text: strings.Join(argv, " "), Argv: argv})
	if touches(argv[0]) {
		r.touched(argv)
	}
	if argv[0] == "git" {
		r.aliased(argv, depth)
	}
	if len(argv) > 1 && isPatcher(argv[0]) {
		r.changes.patch(argv[len(argv)-1])
	}
	if hasLong(argv) {
		if whole := spelled(argv); whole != nil {
			r.command(whole, depth+1)
		}
	}
	r.written(argv, depth)
	if language := protocol.LanguageOf(program(argv[0])); language != "" && language != protocol.Shells {
		code, _, _ := codeOf(language, argv[1:])
		r.interpreted(language, code, depth+1)
	}
	r.inside(insideOf(argv), depth)
}

// inside adds what runs inside a command.
func (r *reader) inside(in inside, depth int) {
	if at := r.changes.dir; in.dir != "" {
		r.changes.to(in.dir)
		defer func() { r.changes.dir = at }()
	}
	for _, inner := range in.commands {
		r.command(inner, depth+1)
	}
	for _, line := range in.lines {
		changes := len(r.changes.deed.Changes)
		r.line(line, depth+1, in.args...)
		if in.power {
			r.power(line, changes)
		}
	}
}

// from is a node's source text.
func (s *script) from(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(s.source) || from > to {
		return ""
	}
	return s.source[from:to]
}
