package ops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// A Decision is what a person decided about a gene that they were shown.
type Decision struct {
	Do       string // approve, hold, edit or delete
	Gene     string
	Seen     string // the mark of what they saw
	Title    string // for an edit
	Strategy []string
}

// heldByPerson is the reason given for a gene that a person held.
const heldByPerson = "a person here held it"

// Decide carries out a person's decision, if the gene is still what they were shown.
func (d *Operator) Decide(ctx context.Context, c Decision) error {
	_, err := in(d, ctx, func(s *store.Store) (struct{}, error) { return struct{}{}, d.decide(ctx, s, c) })
	return d.told(err)
}

func (d *Operator) decide(ctx context.Context, s *store.Store, c Decision) error {
	r, err := s.Get(ctx, c.Gene)
	if err != nil {
		return err
	}
	if gene.Mark(&r.Gene) != c.Seen {
		return &op.Error{Code: "CHANGED", Message: fmt.Sprintf("gene %q is not what was shown any more", c.Gene)}
	}
	if r.Origin == "seed" && c.Do != "delete" {
		return &op.Error{Code: "REFUSED", Message: fmt.Sprintf("gene %q came with the program: it can be deleted here, and nothing else", c.Gene)}
	}
	switch c.Do {
	case "approve":
		if r.Visibility != gene.Held {
			return &op.Error{Code: "REFUSED", Message: fmt.Sprintf("gene %q is not held", c.Gene)}
		}
		return s.Set(ctx, c.Gene, gene.Draft, d.Now())
	case "hold":
		r.Visibility, r.HeldFor = gene.Held, heldByPerson
		return d.replace(ctx, s, &r)
	case "edit":
		return d.reword(ctx, s, &r, c)
	case "delete":
		return s.Delete(ctx, c.Gene, d.Now())
	}
	return &op.Error{Code: op.BadArgument, Message: fmt.Sprintf("do %q: want approve, hold, edit or delete", c.Do)}
}

// reword changes the words of a gene. Whatever would be refused when creating a gene is
// refused here too, and words that could do harm hold it until they are read again.
func (d *Operator) reword(ctx context.Context, s *store.Store, r *store.Row, c Decision) error {
	if r.Origin == "remote" {
		return &op.Error{Code: "REFUSED", Message: fmt.Sprintf("gene %q is somebody else's: agents-hooks evolution import --fork --gene-id %s makes a copy that is yours", c.Gene, c.Gene)}
	}
	steps := slices.DeleteFunc(slices.Clone(c.Strategy), func(step string) bool { return strings.TrimSpace(step) == "" })
	change(&r.Gene, &gene.Gene{Title: strings.TrimSpace(c.Title), Strategy: steps})
	for _, p := range gene.Check(&r.Gene, d.Project, d.Scope) {
		if r.Scope == "" || r.Scope == "global" || !p.Forceable() {
			return &op.Error{Code: "REFUSED", Message: p.String()}
		}
	}
	screened(&r.Gene)
	return d.replace(ctx, s, r)
}

// replace stores a gene together with its results from elsewhere.
func (d *Operator) replace(ctx context.Context, s *store.Store, r *store.Row) error {
	r.Successes, r.Failures, r.LastUsed = int(r.Elsewhere.Successes), int(r.Elsewhere.Failures), r.Elsewhere.Last
	_, err := s.Put(ctx, r.Gene, r.Origin, d.Now())
	return err
}
