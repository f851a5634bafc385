package outside

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A script is a shell script under examination.
type script struct {
	file, dir string
	line      int               // the offset of a piece inside it, added to the parser's
	vars      map[string]string // assigned values, as far as they are known
	refs      []Ref
	depth     int
}

// shellRefs examines a shell script.
func shellRefs(file, content, dir string) []Ref {
	s := &script{file: file, dir: dir, vars: map[string]string{}}
	s.source(content)
	return s.refs
}

// source examines a piece of shell code.
func (s *script) source(content string) {
	content = strings.ToValidUTF8(content, "?")
	f, err := parse(content)
	if f == nil {
		s.add(1, s.file, "cannot be read as a shell script ("+err.Error()+"): look at it yourself")
		// Whatever precedes the error is run all the same.
		for st := range syntax.NewParser(syntax.RecoverErrors(100)).StmtsSeq(strings.NewReader(content)) {
			if st != nil {
				s.walk(st)
			}
		}
		return
	}
	s.walk(f)
}

func (s *script) walk(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			s.assign(n)
		case *syntax.CallExpr:
			s.call(n)
		case *syntax.Stmt:
			s.redirected(n)
		case *syntax.BinaryCmd:
			s.piped(n)
		}
		return true
	})
}

// parse parses a script as bash, which most are or resemble, and else as zsh or the
// system's shell would.
func parse(content string) (f *syntax.File, err error) {
	for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX, syntax.LangMirBSDKorn} {
		f, e := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(content), "")
		if e == nil {
			return f, nil
		}
		if err == nil {
			err = e
		}
	}
	return nil, err
}

func (s *script) add(line int, text, why string) {
	r := Ref{s.file, s.line + line, shown(text), why}
	if why != "" && len(s.refs) < maxRefs && !slices.Contains(s.refs, r) {
		s.refs = append(s.refs, r)
	}
}

func (s *script) at(n syntax.Node, why string) {
	var b strings.Builder
	_ = syntax.NewPrinter(syntax.SingleLine(true)).Print(&b, n)
	s.add(int(n.Pos().Line()), b.String(), why)
}

// assign stores a variable, and examines those that say where code comes from.
func (s *script) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	value := s.text(a.Value)
	if a.Append {
		value = s.vars[a.Name.Value] + value
	}
	s.vars[a.Name.Value] = value
	why, ok := loadsFrom[a.Name.Value]
	if !ok {
		return
	}
	if a.Name.Value == "PYTHONSAFEPATH" || strings.HasSuffix(a.Name.Value, "OPTIONS") || strings.HasSuffix(a.Name.Value, "OPT") {
		s.at(a, why)
		return
	}
	for i, entry := range strings.Split(value, ":") {
		if entry == "" && (a.Name.Value != "PATH" || i > 0 && strings.TrimRight(value, ":") == "") || entry == anyMark {
			continue
		}
		if p := placeOf(entry, s.dir); p != inside && p != system {
			s.at(a, why)
			return
		}
	}
}

// text is a word as a shell would expand it, with marks for what is only known when
// it runs.
func (s *script) text(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	return s.parts(w.Parts)
}

func (s *script) parts(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(s.parts(p.Parts))
		case *syntax.ParamExp:
			b.WriteString(s.expansion(p))
		case *syntax.CmdSubst:
			b.WriteString(s.output(p.Stmts))
		default:
			b.WriteString(anyMark)
		}
	}
	return b.String()
}

// expansion is a variable's value.
func (s *script) expansion(p *syntax.ParamExp) string {
	if p.Param == nil {
		return anyMark
	}
	name := p.Param.Value
	plain := p.Exp == nil && p.Repl == nil && p.Slice == nil && !p.Length && p.Index == nil
	if p.Exp != nil && (name == "0" || name == "BASH_SOURCE") && strings.HasPrefix(p.Exp.Op.String(), "%") {
		return path.Dir(hookMark + "/scripts/run") // ${0%/*}
	}
	if p.Exp != nil && strings.HasSuffix(p.Exp.Op.String(), "-") && known(name) != "" {
		return known(name) // ${AGENTS_HOOKS_HOOK_DIR:-…}
	}
	if have, ok := s.vars[name]; ok && plain {
		return have
	}
	if mark := known(name); mark != "" && (plain || name == "BASH_SOURCE") {
		return mark
	}
	return anyMark
}

// known are the values of variables of the format, of shells and of agents.
func known(name string) string {
	switch name {
	case "AGENTS_HOOKS_HOOK_DIR":
		return hookMark
	case "0", "BASH_SOURCE":
		return hookMark + "/scripts/run"
	case "AGENTS_HOOKS_SOURCE_DIR", "PWD", "OLDPWD":
		return projectMark
	case "HOME", "AGENTS_HOOKS_STATE_DIR", "AGENTS_HOOKS_BIN", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "PATH":
		return homeMark
	}
	if strings.HasSuffix(name, "_PROJECT_DIR") { // ours, and those of agents
		return projectMark
	}
	return ""
}

// output is what a command prints, if that is a known path.
func (s *script) output(stmts []*syntax.Stmt) string {
	if len(stmts) != 1 {
		return anyMark
	}
	switch c := stmts[0].Cmd.(type) {
	case *syntax.BinaryCmd: // cd "$(dirname "$0")" && pwd
		if to, ok := c.X.Cmd.(*syntax.CallExpr); ok && len(to.Args) > 1 && s.text(to.Args[0]) == "cd" {
			return s.text(to.Args[len(to.Args)-1])
		}
	case *syntax.CallExpr:
		var words []string
		for _, a := range c.Args {
			words = append(words, s.text(a))
		}
		last := ""
		if len(words) > 1 {
			last = words[len(words)-1]
		}
		switch {
		case len(words) == 0:
		case words[0] == "pwd":
			return projectMark
		case words[0] == "git" && slices.Contains(words, "--show-toplevel"):
			return projectMark
		case words[0] == "dirname" && last != "":
			return path.Dir(last)
		case words[0] == "realpath" || words[0] == "readlink" || words[0] == "echo":
			return last
		}
	}
	return anyMark
}
