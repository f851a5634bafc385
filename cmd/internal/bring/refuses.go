package bring

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// refused is a test that the hook blocks a call that its matcher finds, if its command line shows
// that it refuses whatever the call is; "" otherwise: only a script knows what it says about a
// call, and nothing is run.
func (f *finder) refused(h *Hook) string {
	if h.Trigger != protocol.PreToolCall || h.Speaks == nil {
		return ""
	}
	reason, ok := refusesAll(h.Command)
	if !ok || f.h.Now().Sub(f.began) > maxSearch {
		return ""
	}
	const dir = "/sample/project"
	hook := &discovery.Hook{Name: h.Name, Trigger: h.Trigger, Matcher: h.Matcher, Tongue: h.Speaks.Tongue, Aside: h.Aside}
	ev, fits, err := sample.For(f.h, hook, dir)
	if err != nil || !fits {
		return ""
	}
	event := strings.ReplaceAll(strings.TrimSpace(string(ev.JSON())), dir, "@PROJECT@")
	return string(conformance.RefusingTest([]byte(event), reason))
}

// refusesAll reports whether a shell line only prints and exits with 2. reason is the first text
// that it prints to stderr.
func refusesAll(line string) (reason string, ok bool) {
	parsed, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil || len(parsed.Stmts) == 0 {
		return "", false
	}
	var list []*syntax.Stmt
	for _, st := range parsed.Stmts {
		list = append(list, inOrder(st)...)
	}
	for i, st := range list {
		c, isCall := st.Cmd.(*syntax.CallExpr)
		if !isCall || st.Negated || st.Background || len(c.Assigns) > 0 {
			return "", false
		}
		words := literals(c.Args)
		switch {
		case len(words) == 2 && words[0] == "exit" && words[1] == "2":
			return reason, i > 0 && reason != ""
		case len(words) != 2 || words[0] != "echo" || len(st.Redirs) > 1:
			return "", false
		case len(st.Redirs) == 1:
			r := st.Redirs[0]
			if r.Op != syntax.DplOut || r.Word.Lit() != "2" {
				return "", false
			}
			if reason == "" && !strings.ContainsAny(words[1], "\\\n") {
				reason = strings.TrimSpace(words[1])
			}
		}
	}
	return "", false
}

// inOrder are the statements that "a && b" and "a; b" run one after another, since no echo fails.
func inOrder(st *syntax.Stmt) []*syntax.Stmt {
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt && len(st.Redirs) == 0 && !st.Negated && !st.Background {
		return append(inOrder(b.X), inOrder(b.Y)...)
	}
	return []*syntax.Stmt{st}
}

// literals are words that need no expansion, nil if one does.
func literals(args []*syntax.Word) (words []string) {
	for _, a := range args {
		var b strings.Builder
		for _, part := range a.Parts {
			switch p := part.(type) {
			case *syntax.Lit:
				b.WriteString(p.Value)
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				if slices.ContainsFunc(p.Parts, func(q syntax.WordPart) bool { _, lit := q.(*syntax.Lit); return !lit }) {
					return nil
				}
				for _, q := range p.Parts {
					b.WriteString(q.(*syntax.Lit).Value)
				}
			default:
				return nil
			}
		}
		words = append(words, b.String())
	}
	return words
}
