package ops

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/screen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

type importing struct {
	Genes         []json.RawMessage `json:"genes" help:"genes, as export writes them" zh:"export 输出的基因"`
	Origin        string            `json:"origin" help:"whose they are; default import" zh:"来源，默认 import"`
	GeneID        string            `json:"gene_id" help:"a gene that is here, with fork" zh:"此处已有的基因，与 fork 同用"`
	Fork          bool              `json:"fork" help:"make a copy of gene_id that is yours to change" zh:"复制 gene_id，副本可以修改"`
	Modifications json.RawMessage   `json:"modifications" help:"what is different in the copy: title, description, strategy, preconditions, signals_match" zh:"副本中的改动：title、description、strategy、preconditions、signals_match"`
	Force         bool              `json:"force" help:"a copy although it names paths, lines or the project" zh:"即使含路径、行号或项目名也复制"`
}

// An Imported is the answer of evolve_import.
type Imported struct {
	Schema   int            `json:"schema"`
	Added    int            `json:"added"`
	Updated  int            `json:"updated"`
	Skipped  int            `json:"skipped"`
	Held     []string       `json:"held"`
	Refused  []NotTaken     `json:"refused"`
	GeneID   string         `json:"gene_id,omitempty"` // of a fork
	Gene     *gene.Gene     `json:"gene,omitempty"`
	Problems []gene.Problem `json:"problems,omitempty"`
}

// A NotTaken is a gene that was not accepted.
type NotTaken struct {
	Index  int    `json:"index"`
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

const mostImported = 5000

func (d *Operator) importGenes(ctx context.Context, a importing) (any, error) {
	switch {
	case a.Fork && a.GeneID == "", !a.Fork && len(a.Genes) == 0:
		return nil, &op.Error{Code: op.BadArgument, Message: "want genes, or fork and the gene_id of one that is here"}
	case len(a.Genes) > mostImported:
		return nil, &op.Error{Code: op.BadArgument, Message: fmt.Sprintf("%d genes at once: want at most %d", len(a.Genes), mostImported)}
	case a.Fork:
		return in(d, ctx, func(s *store.Store) (*Imported, error) { return d.fork(ctx, s, a) })
	}
	out := &Imported{Schema: 1, Held: []string{}, Refused: []NotTaken{}}
	var list []gene.Gene
	for i, raw := range a.Genes {
		g, err := gene.Parse(raw)
		if err == nil {
			err = usable(&g)
		}
		if err != nil {
			out.Refused = append(out.Refused, NotTaken{i, g.ID, err.Error()})
			continue
		}
		list = append(list, g)
	}
	return in(d, ctx, func(s *store.Store) (*Imported, error) {
		m, err := s.Merge(ctx, list, cmp.Or(a.Origin, "import"), false, d.Now())
		if err != nil {
			return nil, err
		}
		out.Added, out.Updated, out.Skipped = m.Added, m.Updated, m.Skipped
		waiting, err := s.List(ctx, store.Filter{Visibility: gene.Held})
		for i := range waiting {
			out.Held = append(out.Held, waiting[i].ID)
		}
		return out, err
	})
}

// usable refuses a gene without the form of one, and removes secrets from one that
// somebody else wrote. What could do harm is given as the reason for holding it; what
// it claims about its own standing is not believed.
func usable(g *gene.Gene) error {
	g.Author, g.Reviewed, g.Evidence = "", "", nil
	g.HeldFor = cmp.Or(screen.Reason(gene.Screen(g)), "it is from elsewhere, and nobody here has read it")
	gene.Redact(g)
	for _, p := range gene.Check(g) {
		if p.Kind == "form" {
			return fmt.Errorf("%s", p)
		}
	}
	return nil
}

// released is a gene that is not held.
func released(ctx context.Context, s *store.Store, id string) (store.Row, error) {
	r, err := s.Get(ctx, id)
	if err == nil && !r.Visibility.Usable() {
		err = fmt.Errorf("gene %q: %w", id, store.ErrHeld)
	}
	return r, err
}

// fork copies a gene to a new one of the user's own.
func (d *Operator) fork(ctx context.Context, s *store.Store, a importing) (*Imported, error) {
	parent, err := released(ctx, s, a.GeneID)
	if err != nil {
		return nil, err
	}
	g := parent.Gene
	if len(a.Modifications) > 0 {
		mod, err := gene.Parse(a.Modifications)
		if err != nil {
			return nil, &op.Error{Code: "REFUSED", Message: "modifications: " + err.Error()}
		}
		change(&g, &mod)
	}
	g.ID, g.Parent, g.Generation, g.Forks = "", parent.ID, parent.Generation+1, 0
	g.Visibility, g.CreatedBy, g.Scope, g.Author, g.Reviewed, g.HeldFor, g.Evidence = gene.Draft, cmp.Or(d.Agent, "local"), "", "", "", "", nil
	screened(&g)
	g.Successes, g.Failures, g.LastUsed = 0, 0, time.Time{}
	out := &Imported{Schema: 1, Held: []string{}, Refused: []NotTaken{}, Problems: gene.Check(&g, d.Project, d.Scope)}
	for _, p := range out.Problems {
		if !a.Force || !p.Forceable() {
			out.Refused = append(out.Refused, NotTaken{0, parent.ID, p.String()})
			return out, nil
		}
	}
	if len(out.Problems) > 0 {
		g.Scope = d.Scope
	}
	row, err := s.Put(ctx, g, "local", d.Now())
	if err != nil {
		return nil, err
	}
	parent.Forks++
	out.Added, out.GeneID, out.Gene = 1, row.ID, &row.Gene
	return out, d.replace(ctx, s, &parent)
}

// change applies the changes in mod to a gene.
func change(g, mod *gene.Gene) {
	g.Title, g.Description = cmp.Or(mod.Title, g.Title), cmp.Or(mod.Description, g.Description)
	if len(mod.Strategy) > 0 || mod.Title != "" {
		g.Translations = nil // they would say something else
	}
	if len(mod.Strategy) > 0 {
		g.Strategy = mod.Strategy
	}
	if len(mod.Preconditions) > 0 {
		g.Preconditions = mod.Preconditions
	}
	if len(mod.SignalsMatch) > 0 {
		g.SignalsMatch = mod.SignalsMatch
	}
}

type choosing struct {
	GeneIDs []string `json:"gene_ids" need:"1" help:"the genes" zh:"基因"`
}

// A Changed is the answer of operations that change several genes.
type Changed struct {
	Schema int      `json:"schema"`
	Status string   `json:"status"` // ok
	Genes  []string `json:"genes"`
	// Visibility is their new state, "" if they are gone.
	Visibility gene.Visibility `json:"visibility"`
	// Read is the text of the approved genes: whoever approves a gene must have read
	// it.
	Read []Read `json:"read,omitempty"`
}

// A Read is the part of a gene that a person reads before it is used.
type Read struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Author   string   `json:"author"` // "" if unknown
	HeldFor  string   `json:"held_for"`
	Strategy []string `json:"strategy"`
}

func (d *Operator) each(ctx context.Context, list []string, now gene.Visibility, do func(*store.Store, string) error) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Changed, error) {
		for _, id := range list { // all of them, or none
			if _, err := s.Get(ctx, id); err != nil {
				return nil, err
			}
		}
		for _, id := range list {
			if err := do(s, id); err != nil {
				return nil, err
			}
		}
		return &Changed{Schema: 1, Status: "ok", Genes: list, Visibility: now}, nil
	})
}

func (d *Operator) waiting(ctx context.Context, s *store.Store, id string) error {
	if r, err := s.Get(ctx, id); err != nil || r.Visibility == gene.Held {
		return err
	}
	return &op.Error{Code: "REFUSED", Message: fmt.Sprintf("gene %q is not held", id), Fix: "agents-hooks evolution list --visibility held"}
}

func (d *Operator) approve(ctx context.Context, a choosing) (any, error) {
	var read []Read
	answer, err := d.each(ctx, a.GeneIDs, gene.Draft, func(s *store.Store, id string) error {
		if err := d.waiting(ctx, s, id); err != nil {
			return err
		}
		r, err := s.Get(ctx, id)
		if err != nil {
			return err
		}
		read = append(read, Read{id, r.Title, r.Author, r.HeldFor, orEmpty(r.Strategy)})
		return s.Set(ctx, id, gene.Draft, d.Now())
	})
	if c, ok := answer.(*Changed); ok && err == nil {
		c.Read = read
	}
	return answer, err
}

func (d *Operator) reject(ctx context.Context, a choosing) (any, error) {
	return d.each(ctx, a.GeneIDs, "", func(s *store.Store, id string) error {
		if err := d.waiting(ctx, s, id); err != nil {
			return err
		}
		return s.Delete(ctx, id, d.Now())
	})
}

func (d *Operator) remove(ctx context.Context, a choosing) (any, error) {
	return d.each(ctx, a.GeneIDs, "", func(s *store.Store, id string) error { return s.Delete(ctx, id, d.Now()) })
}

type exporting struct {
	GeneIDs []string `json:"gene_ids" help:"the genes; default all that are yours" zh:"基因，默认为你自己的全部"`
	All     bool     `json:"all" help:"those that came with the program, or from elsewhere, too" zh:"也包括内置的与外来的"`
}

// An Exported is the answer of evolve_export, which evolve_import reads.
type Exported struct {
	Schema int         `json:"schema"`
	Type   string      `json:"type"` // GeneFile
	Genes  []gene.Gene `json:"genes"`
}

func (d *Operator) export(ctx context.Context, a exporting) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Exported, error) {
		out := &Exported{1, "GeneFile", []gene.Gene{}}
		if len(a.GeneIDs) > 0 {
			for _, id := range a.GeneIDs {
				r, err := s.Get(ctx, id)
				if err != nil {
					return nil, err
				}
				out.Genes = append(out.Genes, r.Gene)
			}
			return out, nil
		}
		rows, err := s.List(ctx, store.Filter{})
		for i := range rows {
			if a.All || rows[i].Origin == "local" {
				out.Genes = append(out.Genes, rows[i].Gene)
			}
		}
		return out, err
	})
}

// skillFrom is how many successes a gene needs to become a skill.
const skillFrom = 5

type skilling struct {
	GeneID string `json:"gene_id" need:"1" help:"the gene" zh:"基因"`
	Force  bool   `json:"force" help:"with fewer than five successes too" zh:"成功少于五次也导出"`
}

// A Skill is the answer of evolve_export_skill.
type Skill struct {
	Schema  int    `json:"schema"`
	Name    string `json:"name"`
	Content string `json:"content"` // of SKILL.md
}

func (d *Operator) exportSkill(ctx context.Context, a skilling) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Skill, error) {
		r, err := released(ctx, s, a.GeneID)
		if err != nil {
			return nil, err
		}
		if r.Successes < skillFrom && !a.Force {
			return nil, &op.Error{Code: "TOO_EARLY", Message: fmt.Sprintf("gene %q has %s: want at least %d", a.GeneID, text.Count(r.Successes, "success"), skillFrom), Fix: "--force"}
		}
		name, content := gene.Skill(&r.Gene, d.Language)
		return &Skill{1, name, content}, nil
	})
}

type publishing struct {
	GeneID     string `json:"gene_id" need:"1" help:"the gene" zh:"基因"`
	SkipCanary bool   `json:"skip_canary" help:"at once, without a time on trial" zh:"立即发布，不经试用"`
}

// publish lets others use a gene. It refuses one for a single scope and one that does
// not transfer: what was forced stays here.
func (d *Operator) publish(ctx context.Context, a publishing) (any, error) {
	return in(d, ctx, func(s *store.Store) (*Changed, error) {
		r, err := released(ctx, s, a.GeneID)
		if err != nil {
			return nil, err
		}
		if problems := gene.Check(&r.Gene, d.Project, d.Scope); len(problems) > 0 {
			return nil, &op.Error{Code: "REFUSED", Message: fmt.Sprintf("gene %q would not help elsewhere: %s", a.GeneID, problems[0]), Fix: "agents-hooks evolution show " + a.GeneID}
		}
		if r.Scope != "" && r.Scope != "global" {
			return nil, &op.Error{Code: "REFUSED", Message: fmt.Sprintf("gene %q is for the scope %s only", a.GeneID, r.Scope), Fix: "agents-hooks evolution import --fork --gene-id " + a.GeneID}
		}
		v := gene.Trial
		if a.SkipCanary || r.Visibility == gene.Shared {
			v = gene.Shared
		}
		if r.Visibility != gene.Seed {
			err = s.Set(ctx, a.GeneID, v, d.Now())
		} else {
			v = gene.Seed
		}
		return &Changed{Schema: 1, Status: "ok", Genes: []string{a.GeneID}, Visibility: v}, err
	})
}
