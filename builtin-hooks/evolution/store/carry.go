package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/sqlitefile"
)

// beforeVersion is the last version of the database that older programs kept.
const beforeVersion = 2

// Facts about what was taken over.
const (
	factCarried = "carried"        // the state of the database then
	factNewest  = "carried newest" // milliseconds of the gene that was changed last
	factOffers  = "carried offers" // the last suggestion
)

// carry imports what an older program keeps in its database. That file stays unchanged;
// as long as such a program still writes to it, new rows are imported too.
func (s *Store) carry(ctx context.Context) error {
	path := filepath.Join(filepath.Dir(s.path), evolution.Before)
	look := looks(path)
	if look == "" || look == s.Facts[factCarried] {
		return nil
	}
	f, err := sqlitefile.Read(path)
	switch {
	case errors.Is(err, sqlitefile.ErrDamaged):
		return &Damaged{path, err}
	case err != nil:
		return err
	case f.Version() > beforeVersion:
		return &Newer{path, f.Version(), beforeVersion}
	}
	return s.write(ctx, func() error {
		c := carrier{Store: s, file: f, newest: number(s.Facts[factNewest]), offers: number(s.Facts[factOffers])}
		for _, step := range []func() error{c.genes, c.outcomes, c.replaced, c.pushed, c.suggestions, c.facts} {
			if err := step(); err != nil {
				if errors.Is(err, sqlitefile.ErrDamaged) {
					err = &Damaged{path, err}
				}
				return err
			}
		}
		c.setFact(factCarried, look)
		return nil
	})
}

// looks identifies the state of a database and its log from outside, "" if there is
// none.
func looks(path string) (out string) {
	for _, name := range [...]string{path, path + "-wal"} {
		info, err := os.Stat(name)
		switch {
		case err == nil:
			out += fmt.Sprintf("%d %d ", info.Size(), info.ModTime().UnixNano())
		case name == path:
			return ""
		}
	}
	return strings.TrimSpace(out)
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64) // an empty text is 0
	return n
}

// A carrier imports what a database has and the store lacks.
type carrier struct {
	*Store
	file           *sqlitefile.File
	newest, offers int64
}

// each calls do with the rows of a table.
func (c *carrier) each(table string, do func(sqlitefile.Row) error) error {
	for row, err := range c.file.Rows(table) {
		if err == nil {
			err = do(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// The columns of genes.
const (
	geneID = iota
	geneDoc
	_
	_
	geneVisibility
	_
	geneOrigin
	geneGood
	geneBad
	geneLast
	geneCreated
	geneChanged
	geneTrial
	geneDeleted
)

func (c *carrier) genes() error {
	before, newest := c.newest, c.newest
	err := c.each("genes", func(r sqlitefile.Row) error {
		id, changed := r.At(geneID).Text(), r.At(geneChanged).Int()
		k := kept{
			Origin: r.At(geneOrigin).Text(), Counts: counts{r.At(geneGood).Float(), r.At(geneBad).Float(), timeOf(r.At(geneLast).Int())},
			Created: timeOf(r.At(geneCreated).Int()), Changed: timeOf(changed), Trial: timeOf(r.At(geneTrial).Int()),
		}
		here, seen := c.Store.genes[id]
		deleted := r.At(geneDeleted).Int() != 0
		if k.Origin == "seed" {
			// A seed that no longer exists was hidden, not deleted by anybody.
			if deleted && seen && !c.Kept[here].Gone {
				c.stage(entry{Gone: []gone{{id, "seed", k.Changed}}})
			} else if k.Counts != (counts{}) && seen && c.Kept[here].Counts == (counts{}) {
				c.stage(entry{Elsewhere: []elsewhere{{id, k.Counts}}})
			}
			return nil
		}
		newest = max(newest, changed)
		if seen && (changed <= before || !k.Changed.After(c.Kept[here].Changed)) {
			return nil
		}
		if deleted {
			c.stage(entry{Gone: []gone{{id, k.Origin, k.Changed}}})
			return nil
		}
		if err := json.Unmarshal([]byte(r.At(geneDoc).Text()), &k.Gene); err != nil {
			return fmt.Errorf("gene %q: %w", id, err)
		}
		k.Gene.ID, k.Gene.Visibility = id, gene.State(r.At(geneVisibility).Text())
		c.stage(entry{Genes: []kept{k}})
		return nil
	})
	c.setFact(factNewest, strconv.FormatInt(newest, 10))
	return err
}

// outcomes imports unknown outcomes. The columns: seq, id, gene, session, scope, agent,
// signals, types, success, score, summary, reason, more, explicit, followed, weight,
// worth, counted, frozen, at.
func (c *carrier) outcomes() error {
	return c.each("observations", func(r sqlitefile.Row) error {
		o := Observation{
			ID: r.At(1).Text(), Gene: r.At(2).Text(), Session: r.At(3).Text(), Scope: r.At(4).Text(), Agent: r.At(5).Text(),
			Success: r.At(8).Int() != 0, Summary: r.At(10).Text(), Reason: r.At(11).Text(), Explicit: r.At(13).Int() != 0,
			Weight: r.At(15).Float(), Worth: r.At(16).Float(), Counted: r.At(17).Int() != 0, Frozen: r.At(18).Int() != 0, At: timeOf(r.At(19).Int()),
		}
		if _, ok := c.seen[o.ID]; ok {
			return nil
		}
		if err := json.Unmarshal([]byte(r.At(6).Text()), &o.Signals); err != nil {
			return fmt.Errorf("the signals of outcome %q: %w", o.ID, err)
		}
		if more := r.At(12).Text(); json.Valid([]byte(more)) {
			o.More = json.RawMessage(more)
		}
		if v := r.At(9); !v.None() {
			score := v.Float()
			o.Score = &score
		}
		if v := r.At(14); !v.None() {
			followed := v.Int() != 0
			o.Followed = &followed
		}
		c.stage(entry{Outcomes: []Observation{o}})
		return nil
	})
}

func (c *carrier) replaced() error {
	return c.each("replaced", func(r sqlitefile.Row) error {
		id, by := r.At(0).Text(), r.At(1).Text()
		if i, ok := c.seen[id]; ok && c.Seen[i].Replaced == "" {
			c.stage(entry{Replaced: map[string]string{id: by}})
		}
		return nil
	})
}

func (c *carrier) pushed() error {
	return c.each("pushed", func(r sqlitefile.Row) error {
		id := r.At(0).Text()
		if i, ok := c.seen[id]; ok && c.Seen[i].Pushed.IsZero() {
			c.stage(entry{Pushed: []pushed{{id, timeOf(r.At(1).Int())}}})
		}
		return nil
	})
}

// suggestions imports those after the last known one: seq, gene, session, scope, types,
// action, confidence, coverage, at.
func (c *carrier) suggestions() error {
	last := c.offers
	err := c.each("suggestions", func(r sqlitefile.Row) error {
		seq := r.At(0).Int()
		if seq <= c.offers {
			return nil
		}
		last = max(last, seq)
		g := Suggestion{Gene: r.At(1).Text(), Session: r.At(2).Text(), Scope: r.At(3).Text(), Action: selector.Action(r.At(5).Text()), Confidence: r.At(6).Float(), Coverage: r.At(7).Float(), At: timeOf(r.At(8).Int())}
		if err := json.Unmarshal([]byte(r.At(4).Text()), &g.Signals); err != nil {
			return fmt.Errorf("the signals of suggestion %d: %w", seq, err)
		}
		c.stage(entry{Offers: []Suggestion{g}})
		return nil
	})
	c.setFact(factOffers, strconv.FormatInt(last, 10))
	return err
}

func (c *carrier) facts() error {
	return c.each("meta", func(r sqlitefile.Row) error {
		name := r.At(0).Text()
		if _, ok := c.Facts[name]; !ok && name != "seeds" {
			c.setFact(name, r.At(1).Text())
		}
		return nil
	})
}

// timeOf is a time from the database: milliseconds, 0 for none.
func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
