package store

import (
	"maps"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// format is the format of the lines. A line that an older program must not skip says so
// in needs; unknown members are skipped, and kept.
const format = 1

// An entry is one line of the file: one atomic change.
type entry struct {
	Format     int               `json:"format,omitempty"` // in the first line
	Needs      int               `json:"needs,omitempty"`
	Genes      []kept            `json:"genes,omitempty"`
	States     []state           `json:"states,omitempty"`
	Gone       []gone            `json:"gone,omitempty"`
	Elsewhere  []elsewhere       `json:"elsewhere,omitempty"`
	Outcomes   []Observation     `json:"outcomes,omitempty"`
	Replaced   map[string]string `json:"replaced,omitempty"` // an outcome, by which other
	Offers     []Suggestion      `json:"offers,omitempty"`
	Pushed     []pushed          `json:"pushed,omitempty"`
	Facts      map[string]string `json:"facts,omitempty"`
	Recoveries []Recovery        `json:"recoveries,omitempty"`
}

// A kept gene is one with what its origin said about it. Its own counts are zero: the
// local ones are computed from its outcomes.
type kept struct {
	Gene    gene.Gene `json:"gene"`
	Origin  string    `json:"origin"`
	Counts  counts    `json:"elsewhere,omitzero"`
	Created time.Time `json:"created"`
	Changed time.Time `json:"changed"`
	Trial   time.Time `json:"trial,omitzero"`
	Seeds   string    `json:"seeds,omitempty"` // the version of the seeds that a seed is from
	Gone    bool      `json:"-"`
}

type state struct {
	ID         string          `json:"id"`
	Visibility gene.Visibility `json:"visibility"`
	Changed    time.Time       `json:"changed"`
	Trial      time.Time       `json:"trial,omitzero"`
}

type gone struct {
	ID     string    `json:"id"`
	Origin string    `json:"origin,omitempty"`
	At     time.Time `json:"at"`
}

type elsewhere struct {
	ID     string `json:"id"`
	Counts counts `json:"counts"`
}

// counts is a selector.Tally.
type counts struct {
	Successes float64   `json:"good"`
	Failures  float64   `json:"bad"`
	Last      time.Time `json:"last,omitzero"`
}

type pushed struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
}

// add appends the contents of another entry.
func (e *entry) add(o *entry) {
	e.Genes, e.States, e.Gone = append(e.Genes, o.Genes...), append(e.States, o.States...), append(e.Gone, o.Gone...)
	e.Elsewhere, e.Outcomes = append(e.Elsewhere, o.Elsewhere...), append(e.Outcomes, o.Outcomes...)
	e.Offers, e.Pushed = append(e.Offers, o.Offers...), append(e.Pushed, o.Pushed...)
	e.Recoveries = append(e.Recoveries, o.Recoveries...)
	e.Replaced, e.Facts = both(e.Replaced, o.Replaced), both(e.Facts, o.Facts)
}

func both(a, b map[string]string) map[string]string {
	if a == nil {
		return b
	}
	maps.Copy(a, b)
	return a
}

// empty reports that nothing was changed.
func (e *entry) empty() bool {
	return len(e.Genes)+len(e.States)+len(e.Gone)+len(e.Elsewhere)+len(e.Outcomes)+len(e.Replaced)+len(e.Offers)+len(e.Pushed)+len(e.Facts)+len(e.Recoveries) == 0
}

// durable reports that it must survive a power failure: only suggestions may be lost.
func (e *entry) durable() bool {
	alone := *e
	alone.Offers = nil
	return !alone.empty()
}

// known is the state after all entries, applied in order.
type known struct {
	Kept       []kept
	Seen       []Observation
	Offers     []Suggestion
	Facts      map[string]string
	Recoveries []Recovery
	Puts       int // lines of genes, including those replaced since

	genes     map[string]int // in Kept, by id
	seen      map[string]int // in Seen, by id
	recovered map[string]bool
}

// apply applies an entry. What is already known stays.
func (k *known) apply(e *entry) {
	for _, g := range e.Genes {
		k.put(g)
	}
	for _, c := range e.States {
		if g := k.gene(c.ID); g != nil {
			g.Gene.Visibility, g.Changed, g.Trial = c.Visibility, c.Changed, c.Trial
		}
	}
	for _, d := range e.Gone {
		k.remove(d)
	}
	for _, c := range e.Elsewhere {
		if g := k.gene(c.ID); g != nil {
			g.Counts = c.Counts
		}
	}
	for _, o := range e.Outcomes {
		if _, ok := k.seen[o.ID]; !ok {
			o.Seq = int64(len(k.Seen) + 1)
			k.seen[o.ID] = len(k.Seen)
			k.Seen = append(k.Seen, o)
		}
	}
	for id, by := range e.Replaced {
		if i, ok := k.seen[id]; ok && k.Seen[i].Replaced == "" {
			k.Seen[i].Replaced = by
		}
	}
	k.Offers = append(k.Offers, e.Offers...)
	for _, p := range e.Pushed {
		if i, ok := k.seen[p.ID]; ok && k.Seen[i].Pushed.IsZero() {
			k.Seen[i].Pushed = p.At
		}
	}
	for _, r := range e.Recoveries {
		if !k.recovered[r.ID] {
			k.recovered[r.ID] = true
			k.Recoveries = append(k.Recoveries, r)
		}
	}
	maps.Copy(k.Facts, e.Facts)
}

func (k *known) put(g kept) {
	i, ok := k.genes[g.Gene.ID]
	if !ok {
		i = len(k.Kept)
		k.genes[g.Gene.ID] = i
		k.Kept = append(k.Kept, kept{})
	}
	// The text of a seed is the program's, which may have changed.
	if g.Origin == "seed" && g.Seeds != gene.SeedVersion() {
		was := k.Kept[i]
		if was.Origin != "seed" {
			was = kept{Gene: gene.Gene{ID: g.Gene.ID}, Origin: "seed", Gone: true}
		}
		was.Counts = g.Counts
		g = was
	}
	k.Puts++
	k.Kept[i] = g
}

func (k *known) remove(d gone) {
	i, ok := k.genes[d.ID]
	if !ok {
		i = len(k.Kept)
		k.genes[d.ID] = i
		k.Kept = append(k.Kept, kept{Origin: d.Origin})
	}
	k.Kept[i] = kept{Gene: gene.Gene{ID: d.ID}, Origin: k.Kept[i].Origin, Changed: d.At, Gone: true}
}

// gene is an existing gene, nil if there is none.
func (k *known) gene(id string) *kept {
	if i, ok := k.genes[id]; ok && !k.Kept[i].Gone {
		return &k.Kept[i]
	}
	return nil
}

// begin is the state before the first line: the seeds that came with the program.
func begin() (known, error) {
	k := known{Facts: map[string]string{}, genes: map[string]int{}, seen: map[string]int{}, recovered: map[string]bool{}}
	seeds, err := gene.Seeds()
	for i, g := range seeds {
		// Their times follow the order of the file; this needs no clock.
		at := time.UnixMilli(int64(i + 1)).UTC()
		k.put(kept{Gene: g, Origin: "seed", Created: at, Changed: at, Seeds: gene.SeedVersion()})
	}
	k.Puts = 0
	return k, err
}

// index maps ids to genes and outcomes.
func (k *known) index() {
	k.genes, k.seen = make(map[string]int, len(k.Kept)), make(map[string]int, len(k.Seen))
	for i := range k.Kept {
		k.genes[k.Kept[i].Gene.ID] = i
	}
	for i := range k.Seen {
		k.seen[k.Seen[i].ID] = i
	}
	k.recovered = make(map[string]bool, len(k.Recoveries))
	for i := range k.Recoveries {
		k.recovered[k.Recoveries[i].ID] = true
	}
	if k.Facts == nil {
		k.Facts = map[string]string{}
	}
}
