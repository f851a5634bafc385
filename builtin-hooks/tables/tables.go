// Package tables has every operation of every behaviour, for programs other than the
// dispatcher. A behaviour's line in builtinhooks.Behaviours also has its operations,
// unless they need what no event may link: an SQLite index, HTTP, encoding/json. This
// package adds those of the four behaviours.
package tables

import (
	"context"
	"encoding/json"
	"errors"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	evolution "github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	memory "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	skills "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	workspace "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
)

// Of are the operations of each behaviour of a list that has some.
func Of(list []builtinhooks.Behaviour, w *builtinhooks.Runtime) []op.Set {
	var sets []op.Set
	for _, b := range list {
		if s := set(b, w); s.Ops != nil {
			sets = append(sets, s)
		}
	}
	return sets
}

func set(b builtinhooks.Behaviour, w *builtinhooks.Runtime) op.Set {
	s := op.Set{Name: b.Name, About: b.Purpose}
	switch {
	case b.Ops != nil:
		s.Ops = b.Ops(w)
	case b.Name == "memory":
		s.About, s.Ops, s.InOrder = "what was remembered of this project: search, read, save, forget", memory.Ops(w), true
	case b.Name == "workspace":
		s.About = "the tree of tasks that this session works on: bind, focus, log, conclude"
		s.Ops = workspace.Ops(w)
	case b.Name == "evolution":
		s.About = "strategies that were learned from failures: ask, record, keep"
		s.Ops = append(append(Genes(w), sync(w)), memory.Beside(w)...)
	case b.Name == "skills":
		s.About, s.Ops = "skills that bring prompts of their own, and which of them count here", skills.Ops(w)
	}
	return s
}

// Genes are the operations on genes.
func Genes(w *builtinhooks.Runtime) []op.Op {
	return evolution.Ops(func(ctx context.Context, c op.Call) *evolution.Operator { return Evolution(ctx, w, c) })
}

// Evolution is the operator for genes, which keeps a note of what went well in memory
// if that is on.
func Evolution(ctx context.Context, w *builtinhooks.Runtime, c op.Call) *evolution.Operator {
	d := evolution.At(w, c)
	d.Words = func() *lexicon.Lexicon {
		_ = Unpack(w) // without it words mean only themselves
		l, _ := lexicon.Open(lexicon.Path(w.Cache))
		return l
	}
	d.Remember = func(text string) error {
		if w.On == nil || !w.On("memory", c.Dir) {
			return errNoMemory
		}
		return memory.Remember(ctx, w, c, "evolution", text)
	}
	return d
}

// Unpack puts into the cache the words that mean nearly the same, unless they are there.
func Unpack(w *builtinhooks.Runtime) error { return lexicon.Lay(w.Cache, words.Unpack) }

// errNoMemory says that nobody wants notes.
var errNoMemory = errors.New("memory is off")

// sync leaves the network to a process of its own, as the hooks do.
func sync(w *builtinhooks.Runtime) op.Op {
	return op.Op{
		Name: "evolve_sync", Idempotent: true, Near: "evolution sync", Needs: op.Store | op.Network,
		Model: op.Text{English: "Share genes and outcomes with the person's server, and take what changed there. Without a key nothing leaves this machine.", Chinese: "与用户的服务器分享基因与结果，并获取那里的变化。没有密钥则不会离开本机。"},
		Args:  []op.Arg{{Name: "scope", Model: op.Text{English: "of the project; default its name", Chinese: "项目的作用域，默认为项目名"}}},
		Do: func(ctx context.Context, c op.Call) (any, error) {
			command := []string{"evolution", "sync", "--json", "--deadline-ms", "20000", "--dir", c.Dir}
			if scope := c.Args.Text("scope"); scope != "" {
				command = append(command, "--scope", scope)
			}
			if c.Session != "" {
				command = append(command, "--session", c.Session)
			}
			out, err := w.Tool(ctx, c.Dir, c.Env, nil, command...)
			if err != nil {
				return nil, op.Fail("SYNC", "agents-hooks evolution doctor says what is wrong", "%v", err)
			}
			return json.RawMessage(out), nil
		},
	}
}
