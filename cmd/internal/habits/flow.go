package habits

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shell is the syntax tree of a shell script; nil for others, and for one that does
// not parse.
func (s script) shell() *syntax.File {
	words := strings.FieldsFunc(strings.TrimPrefix(s.first, "#!"), func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' || r == '/' })
	isShell := slices.ContainsFunc(words, func(w string) bool { return slices.Contains([]string{"sh", "bash", "dash", "ksh", "zsh"}, w) })
	if strings.HasPrefix(s.first, "#!") && !isShell || !strings.HasPrefix(s.first, "#!") && filepath.Ext(s.file) != ".sh" {
		return nil
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(s.text), "")
	if err != nil {
		return nil
	}
	return file
}

// A flow is what is found out about a shell script.
type flow struct {
	functions map[string]*syntax.Stmt
	argument  *syntax.ParamExp // the first argument of the script that is used
	reads     bool             // something may read stdin
	trapped   bool             // a trap may decide how it ends
	sent      map[string]bool  // functions whose calls say where they print, "exec" for everything that follows
	entered   map[string]bool  // functions that get the script's arguments
	unread    []*syntax.Stmt   // what prints a reason on stdout
}

func follow(file *syntax.File) *flow {
	f := &flow{functions: map[string]*syntax.Stmt{}, sent: map[string]bool{}, entered: map[string]bool{}}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			f.functions[n.Name.Value] = n.Body
		case *syntax.Stmt:
			if c, ok := n.Cmd.(*syntax.CallExpr); ok {
				f.trapped = f.trapped || callee(c) == "trap"
				f.sent[callee(c)] = f.sent[callee(c)] || slices.ContainsFunc(n.Redirs, away)
			}
		}
		return true
	})
	f.list(file.Stmts, true, !f.sent["exec"])
	syntax.Walk(file, f.own)
	return f
}

// own finds the first use of the script's own arguments: a function has its own,
// unless it gets all of the script's, and so has code after `set --`. One with a
// default is an option.
func (f *flow) own(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.FuncDecl:
		return false
	case *syntax.CallExpr:
		name := callee(n)
		if name == "set" {
			f.reads = f.reads || slices.ContainsFunc(n.Args, func(w *syntax.Word) bool { return w.Lit() == "--" })
		}
		if body := f.functions[name]; body != nil && len(n.Args) == 2 && allArguments(n.Args[1]) {
			if !f.entered[name] {
				f.entered[name] = true
				syntax.Walk(body, f.own)
			}
			return false
		}
	case *syntax.ParamExp:
		option := n.Exp != nil && n.Exp.Word != nil && n.Exp.Op != syntax.ErrorUnset && n.Exp.Op != syntax.ErrorUnsetOrNull
		if n.Param != nil && f.argument == nil && !option && slices.Contains([]string{"1", "@", "*"}, n.Param.Value) {
			f.argument = n
		}
	}
	return true
}

func allArguments(w *syntax.Word) (all bool) {
	syntax.Walk(w, func(n syntax.Node) bool {
		p, ok := n.(*syntax.ParamExp)
		all = all || ok && p.Param != nil && p.Param.Value == "@"
		return true
	})
	return all
}

// list goes through consecutive commands. stdin says that they have the script's, and
// out that what they print goes to its stdout.
func (f *flow) list(list []*syntax.Stmt, stdin, out bool) {
	for i, st := range list {
		f.statement(st, stdin, out)
		if out && refuses(st) {
			f.reason(list[:i])
		}
	}
}

// reason examines what comes right before an exit 2. It reports nothing if any of it
// goes to stderr, or to an unknown place.
func (f *flow) reason(before []*syntax.Stmt) {
	var first *syntax.Stmt
	for i := len(before) - 1; i >= 0; i-- {
		st := before[i]
		if filtered(st) {
			first = st
			continue
		}
		c, ok := st.Cmd.(*syntax.CallExpr)
		if !ok || f.functions[callee(c)] != nil || slices.ContainsFunc(st.Redirs, away) {
			if first == nil || ok && slices.ContainsFunc(st.Redirs, toStderr) {
				return
			}
			break
		}
		if prints(c, st) {
			first = st
		}
	}
	if first != nil && !slices.Contains(f.unread, first) {
		f.unread = append(f.unread, first)
	}
}

func (f *flow) statement(st *syntax.Stmt, stdin, out bool) {
	stdin = stdin && !slices.ContainsFunc(st.Redirs, func(r *syntax.Redirect) bool {
		return r.Op == syntax.RdrIn || r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Op == syntax.WordHdoc
	})
	for _, r := range st.Redirs {
		f.words(stdin, r.Word, r.Hdoc)
		f.reads = f.reads || r.Word != nil && strings.HasSuffix(r.Word.Lit(), "stdin")
	}
	out = out && !slices.ContainsFunc(st.Redirs, away)
	switch c := st.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			f.statement(c.X, stdin, false)
			f.statement(c.Y, false, out)
			return
		}
		f.list(chain(st), stdin, out)
	case *syntax.CallExpr:
		f.reads = f.reads || stdin && f.functions[callee(c)] == nil && mayRead(c)
		for _, a := range c.Assigns {
			f.words(stdin, a.Value)
		}
		f.words(stdin, c.Args...)
	case *syntax.FuncDecl:
		f.statement(c.Body, stdin, out && !f.sent[c.Name.Value])
	case *syntax.Block:
		f.list(c.Stmts, stdin, out)
	case *syntax.Subshell:
		f.list(c.Stmts, stdin, out)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			f.list(c.Cond, stdin, out)
			f.list(c.Then, stdin, out)
		}
	case *syntax.WhileClause:
		f.list(c.Cond, stdin, out)
		f.list(c.Do, stdin, out)
	case *syntax.ForClause:
		f.inside(stdin, c.Loop)
		f.list(c.Do, stdin, out)
	case *syntax.CaseClause:
		f.words(stdin, c.Word)
		for _, item := range c.Items {
			f.list(item.Stmts, stdin, out)
		}
	case nil:
	default: // declarations, tests, arithmetic
		f.inside(stdin, c)
	}
}

// chain are the commands of a && b && c.
func chain(st *syntax.Stmt) []*syntax.Stmt {
	b, ok := st.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op == syntax.Pipe || b.Op == syntax.PipeAll {
		return []*syntax.Stmt{st}
	}
	return append(chain(b.X), chain(b.Y)...)
}

func (f *flow) words(stdin bool, words ...*syntax.Word) {
	for _, w := range words {
		if w != nil {
			f.inside(stdin, w)
		}
	}
}

// inside examines the substitutions in a word: they have the script's stdin, and
// print into the word.
func (f *flow) inside(stdin bool, n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			f.list(n.Stmts, stdin, false)
			f.reads = f.reads || stdin && len(n.Stmts) == 1 && n.Stmts[0].Cmd == nil && len(n.Stmts[0].Redirs) > 0 && strings.HasPrefix(n.Stmts[0].Redirs[0].Word.Lit(), "/dev/") // $(</dev/stdin)
			return false
		case *syntax.ProcSubst:
			f.list(n.Stmts, stdin, false)
			return false
		}
		return true
	})
}

// falls is the command that makes a list end with 1 if it refuses nothing: `… && exit
// 2` in last place.
func (f *flow) falls(list []*syntax.Stmt, depth int) *syntax.Stmt {
	if len(list) == 0 || depth > 20 {
		return nil
	}
	last := list[len(list)-1]
	if last.Negated || last.Background {
		return nil
	}
	switch c := last.Cmd.(type) {
	case *syntax.BinaryCmd:
		switch {
		case c.Op == syntax.AndStmt && f.ends(c.Y, depth):
			return last
		case c.Op == syntax.Pipe:
			return f.falls([]*syntax.Stmt{c.Y}, depth+1)
		}
	case *syntax.CallExpr:
		if body := f.functions[callee(c)]; body != nil && len(c.Assigns) == 0 {
			return f.falls([]*syntax.Stmt{body}, depth+1)
		}
	case *syntax.Block:
		return f.falls(c.Stmts, depth+1)
	case *syntax.Subshell:
		return f.falls(c.Stmts, depth+1)
	case *syntax.ForClause:
		return f.falls(c.Do, depth+1)
	case *syntax.WhileClause:
		return f.falls(c.Do, depth+1)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			if st := f.falls(c.Then, depth+1); st != nil {
				return st
			}
		}
	case *syntax.CaseClause:
		for _, item := range c.Items {
			if st := f.falls(item.Stmts, depth+1); st != nil {
				return st
			}
		}
	}
	return nil
}

// ends reports whether a command is an exit 2, or a group or function that ends with
// one.
func (f *flow) ends(st *syntax.Stmt, depth int) bool {
	switch c := st.Cmd.(type) {
	case *syntax.Block:
		return len(c.Stmts) > 0 && f.ends(c.Stmts[len(c.Stmts)-1], depth)
	case *syntax.Subshell:
		return len(c.Stmts) > 0 && f.ends(c.Stmts[len(c.Stmts)-1], depth)
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && f.ends(c.Y, depth)
	case *syntax.CallExpr:
		if body := f.functions[callee(c)]; body != nil && depth < 20 {
			return f.ends(body, depth+1)
		}
	}
	return refuses(st)
}

func refuses(st *syntax.Stmt) bool {
	c, ok := st.Cmd.(*syntax.CallExpr)
	return ok && callee(c) == "exit" && len(c.Args) == 2 && c.Args[1].Lit() == "2"
}

func callee(c *syntax.CallExpr) string {
	if len(c.Args) == 0 {
		return ""
	}
	return c.Args[0].Lit()
}

// prints reports whether a command writes a text of its own to stdout.
func prints(c *syntax.CallExpr, st *syntax.Stmt) bool {
	switch callee(c) {
	case "echo", "printf":
		return !(callee(c) == "printf" && len(c.Args) > 1 && c.Args[1].Lit() == "-v")
	case "cat":
		return len(c.Args) == 1 && slices.ContainsFunc(st.Redirs, func(r *syntax.Redirect) bool { return r.Hdoc != nil })
	}
	return false
}

// filtered reports whether a command prints a text of its own through a filter to
// stdout.
func filtered(st *syntax.Stmt) bool {
	b, ok := st.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.Pipe || slices.ContainsFunc(b.Y.Redirs, away) {
		return false
	}
	to, ok := b.Y.Cmd.(*syntax.CallExpr)
	if !ok || !slices.Contains([]string{"cat", "cut", "fmt", "fold", "head", "jq", "sed", "sort", "tail", "tr", "uniq"}, callee(to)) {
		return false
	}
	from, ok := b.X.Cmd.(*syntax.CallExpr)
	return ok && prints(from, b.X) || filtered(b.X)
}

// away is a redirection of stdout.
func away(r *syntax.Redirect) bool {
	stdout := r.N == nil || r.N.Value == "1"
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.DplOut, syntax.RdrClob:
		return stdout
	}
	return r.Op == syntax.RdrAll || r.Op == syntax.AppAll
}

func toStderr(r *syntax.Redirect) bool {
	return away(r) && (r.Op == syntax.DplOut && r.Word.Lit() == "2" || strings.HasSuffix(r.Word.Lit(), "/stderr"))
}

// mayRead reports whether a command may read stdin: all may except those known not
// to.
func mayRead(c *syntax.CallExpr) bool {
	operands := 0
	for _, w := range c.Args[min(1, len(c.Args)):] {
		if l := w.Lit(); l == "-" || strings.HasSuffix(l, "stdin") || l == "/proc/self/fd/0" {
			return true
		} else if !strings.HasPrefix(l, "-") {
			operands++
		}
	}
	switch name := callee(c); {
	case slices.Contains(noReaders, name):
		return false
	case name == "cat":
		return operands == 0
	case name == "grep" || name == "jq" || name == "sed":
		return operands < 2
	}
	return true
}

var noReaders = []string{"", "echo", "printf", "test", "[", "true", "false", ":", "exit", "return", "shift", "cd", "set", "export", "unset", "local",
	"type", "date", "mkdir", "touch", "rm", "pwd", "dirname", "basename", "umask", "mktemp", "sleep", "kill", "ls", "hash", "shopt", "command", "git", "logger"}
