package hooksh

import (
	"errors"
	"fmt"
	"io"
	"os"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// ownFile is the program that a <( ) becomes a call of: it writes its input to a
// file, and prints the file's name.
const ownFile = "\x00file"

// able turns a script into one that the interpreter can run. On something that it
// cannot run, the interpreter would print an error and continue: a guard would let
// through what it never looked at. So a script with any such part is not started.
func able(name string, tree *syntax.File) (err error) {
	cannot := func(at syntax.Pos, what string) {
		if err == nil {
			err = fmt.Errorf("%s:%d: this sh does not support %s", name, at.Line(), what)
		}
	}
	word := func(parts []syntax.WordPart) {
		for i, part := range parts {
			s, is := part.(*syntax.ProcSubst)
			if is && s.Op == syntax.CmdIn {
				parts[i] = intoFile(s)
			} else if is {
				cannot(s.Pos(), s.Op.String()+" )")
			}
		}
	}
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			word(n.Parts)
		case *syntax.DblQuoted:
			word(n.Parts)
		case *syntax.Redirect:
			if n.N != nil && n.N.Value > "2" {
				cannot(n.Pos(), "descriptor "+n.N.Value)
			}
		case *syntax.CoprocClause:
			cannot(n.Pos(), "coproc")
		case *syntax.UnaryArithm:
			if (n.Op == syntax.Inc || n.Op == syntax.Dec) && !isName(n.X) {
				cannot(n.Pos(), n.Op.String()+" of an element of an array")
			}
		case *syntax.BinaryArithm:
			if assigns(n.Op) && !isName(n.X) {
				cannot(n.Pos(), n.Op.String()+" to an element of an array in arithmetic")
			}
		}
		return true
	})
	return err
}

func isName(x syntax.ArithmExpr) bool {
	word, is := x.(*syntax.Word)
	return is && word.Lit() != ""
}

func assigns(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn, syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	}
	return false
}

// intoFile turns <( ) into "$({ … } | a file)": the commands have ended before they
// are read.
func intoFile(s *syntax.ProcSubst) syntax.WordPart {
	call := &syntax.CallExpr{Args: []*syntax.Word{{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: ownFile}}}}}
	pipe := &syntax.BinaryCmd{Op: syntax.Pipe, X: &syntax.Stmt{Cmd: &syntax.Block{Stmts: s.Stmts}}, Y: &syntax.Stmt{Cmd: call}}
	return &syntax.DblQuoted{Parts: []syntax.WordPart{&syntax.CmdSubst{Stmts: []*syntax.Stmt{{Cmd: pipe}}}}}
}

// file stores its input in a file, until the script has ended.
func (r *run) file(c interp.HandlerContext) error {
	f, err := os.CreateTemp("", "agents-hooks-sh-")
	if err == nil {
		r.note(&r.files, f.Name())
		_, err = io.Copy(f, c.Stdin)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		fmt.Fprintf(c.Stderr, "<( ): %v\n", err)
		return interp.ExitStatus(1)
	}
	fmt.Fprintln(c.Stdout, f.Name())
	return nil
}
