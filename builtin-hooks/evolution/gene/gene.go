package gene

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
)

// A Category says what a gene is for.
type Category string

const (
	Repair     Category = "repair"     // repairs what is broken
	Optimize   Category = "optimize"   // improves what works
	Innovate   Category = "innovate"   // does something new
	Diagnostic Category = "diagnostic" // finds out what is wrong
)

// A Visibility is the state of a gene: who may see it, and whether it may be used.
type Visibility string

const (
	Draft  Visibility = "draft"  // only its author's
	Trial  Visibility = "trial"  // others get it too, and are told that it is on trial
	Shared Visibility = "shared" // proven, or somebody vouches for it
	Held   Visibility = "held"   // never used until somebody who read it releases it
	Seed   Visibility = "seed"   // came with the program
)

// originals are the original's words for the states, used in its files and its
// service's answers.
var originals = map[Visibility]Visibility{Draft: "private", Trial: "canary", Shared: "published", Held: "quarantined"}

// State reads a state in either spelling; any other word stays as it is.
func State(word string) Visibility {
	for v, theirs := range originals {
		if string(theirs) == word {
			return v
		}
	}
	return Visibility(word)
}

// UnmarshalText reads a state, in either spelling.
func (v *Visibility) UnmarshalText(b []byte) error {
	*v = State(string(b))
	return nil
}

// Original is the state as the original spells it.
func (v Visibility) Original() string { return string(cmp.Or(originals[v], v)) }

// Usable reports whether a gene in this state may be suggested.
func (v Visibility) Usable() bool { return v != Held && v != "" }

// A Signal says what shows a problem, for example "error:timeout", and where.
type Signal struct {
	Type      string `json:"type"`
	Provider  string `json:"provider,omitempty"`
	Stage     string `json:"stage,omitempty"`
	Severity  string `json:"severity,omitempty"`
	TechStack string `json:"techStack,omitempty"`
}

// Signals makes plain signals with these types.
func Signals(types ...string) []Signal {
	out := make([]Signal, len(types))
	for i, t := range types {
		out[i] = Signal{Type: t}
	}
	return out
}

// Types are the types of signals in order, without duplicates.
func Types(list []Signal) []string {
	out := []string{}
	for _, s := range list {
		if !slices.Contains(out, s.Type) {
			out = append(out, s.Type)
		}
	}
	return out
}

// Constraints limit the use of a gene. They are kept for programs that know credits and
// retries; ours only shows them.
type Constraints struct {
	MaxCredits   int      `json:"max_credits"`
	MaxRetries   int      `json:"max_retries"`
	Capabilities []string `json:"required_capabilities"`
}

// DefaultConstraints are those of a gene without any.
func DefaultConstraints() Constraints {
	return Constraints{MaxCredits: 100, MaxRetries: 3, Capabilities: []string{}}
}

// A Text is the readable part of a gene, in one language.
type Text struct {
	Title    string   `json:"title"`
	Strategy []string `json:"strategy"`
}

// When describes the messages of the failures that a gene is about. A phrase is in
// lower case, without numbers; a * in it stands for anything. A word after code:,
// exit:, symbol:, signal:, around: or command: is compared with another part of the
// failure: its code, how it ended, what it is about, its coarse kind, the text around
// the message, what was run.
type When struct {
	Says   []string `json:"says,omitempty"`   // any of these
	On     []string `json:"on,omitempty"`     // and a word of these in the command or the message, if given
	Of     []string `json:"of,omitempty"`     // and one of these, if given: the kind of failure that it has to be
	Unless []string `json:"unless,omitempty"` // and none of these
	Only   bool     `json:"only,omitempty"`   // only for this cause: never found by the signal alone
	Broad  bool     `json:"broad,omitempty"`  // failures with these phrases in common may need different cures
	// Literal means that its phrases belong to this cause alone: codes, classes of
	// exceptions, sentences of one program. They may contain numbers.
	Literal bool `json:"literal,omitempty"`
}

// MostCures is how many failures a gene remembers having cured.
const MostCures = 12

// Cured adds a failure to those that a gene cured, in place of an earlier one of the
// same kind.
func (g *Gene) Cured(f failure.Failure) {
	f.ID, f.Place, f.Count, f.Around, f.Said, f.Where = "", 0, 0, "", "", ""
	g.Cures = append(slices.DeleteFunc(slices.Clone(g.Cures), func(old failure.Failure) bool { return old.Kind == f.Kind }), f)
	g.Cures = g.Cures[max(0, len(g.Cures)-MostCures):]
}

// A Gene is a way to solve a problem that was seen before. Times are in UTC.
type Gene struct {
	ID            string
	Category      Category
	Title         string
	Description   string
	Visibility    Visibility
	SignalsMatch  []Signal
	Preconditions []string
	Strategy      []string // steps, in order
	Constraints   Constraints
	Successes     int
	Failures      int
	LastUsed      time.Time // zero: never
	CreatedBy     string
	DistilledFrom []string
	Parent        string // the gene it was forked from
	Forks         int
	Generation    int
	Quality       float64
	Scope         string
	Translations  map[string]Text // by language, "zh"
	When          When
	Cures         []failure.Failure // that ended after its steps were followed
	Platitude     bool              // says only that one should look: for agents that have tried nothing yet
	Author        string            // who shared it, as the server knows them; "": not shared by anybody else
	Reviewed      string            // who in the team approved it after reading it
	HeldFor       string            // why it is held
	Evidence      *Evidence         // all that a server knows about it

	extra  []member            // unknown members, unchanged
	blanks map[string][]string // by language: the steps with blanks that a failure fills
}

// Foreign reports that a gene has members that this program does not know; they are
// kept unchanged.
func (g *Gene) Foreign() bool { return len(g.extra) > 0 }

// Clone is a copy that shares no list with the gene.
func (g Gene) Clone() Gene {
	g.SignalsMatch, g.Preconditions, g.Strategy = slices.Clone(g.SignalsMatch), slices.Clone(g.Preconditions), slices.Clone(g.Strategy)
	g.Constraints.Capabilities, g.DistilledFrom = slices.Clone(g.Constraints.Capabilities), slices.Clone(g.DistilledFrom)
	g.Translations, g.Cures = maps.Clone(g.Translations), slices.Clone(g.Cures)
	return g
}

// Evidence is the support for a gene, as counted by a server: persons, not calls, each
// with one voice however often they used it.
type Evidence struct {
	Persons  int     `json:"persons"`  // who used it
	Helped   float64 `json:"helped"`   // of their voices
	Failed   float64 `json:"failed"`   //
	Projects int     `json:"projects"` // different ones
	Outcomes int     `json:"outcomes"` // calls
}

// In is the readable text of a gene in a language.
func (g *Gene) In(language string) Text {
	if t, ok := g.Translations[language]; ok && t.Title != "" && len(t.Strategy) > 0 {
		return t
	}
	return Text{g.Title, g.Strategy}
}

// NewID is an unused id: gene_<category>_<base 36 of milliseconds>.
func NewID(c Category, now time.Time, taken func(id string) bool) string {
	for ms := now.UnixMilli(); ; ms++ {
		if id := "gene_" + string(c) + "_" + strconv.FormatInt(ms, 36); !taken(id) {
			return id
		}
	}
}

// Coverage is how much of an event's signals the signals of a gene cover, from 0 to 1,
// and by which layer. Each signal of the event counts with its best match: one of the
// same type, unless some field contradicts, counts by the share of its fields that both
// have; one with the same prefix ("error:") counts 0.4, plus 0.1 for the same provider,
// 0.1 for the same stage and 0.05 for the same severity.
func Coverage(event, pattern []Signal) (cover float64, layer Layer) {
	if len(event) == 0 {
		return 0, None
	}
	for _, e := range event {
		best := 0.0
		for _, p := range pattern {
			c, l := match(e, p)
			best, layer = max(best, c), max(layer, l)
		}
		cover += best
	}
	return cover / float64(len(event)), layer
}

// A Layer is how a gene was found.
type Layer uint8

const (
	None     Layer = iota
	Semantic       // by words
	Prefix         // by the part of a signal before the colon
	Exact
)

func (l Layer) String() string { return [...]string{"none", "semantic", "prefix", "exact"}[l] }

func match(e, p Signal) (float64, Layer) {
	if e.Type == p.Type {
		fields, same, against := 1, 1, false
		for _, f := range [...][2]string{{e.Provider, p.Provider}, {e.Stage, p.Stage}, {e.Severity, p.Severity}, {e.TechStack, p.TechStack}} {
			if f[0] == "" {
				continue
			}
			fields++
			if f[0] == f[1] {
				same++
			}
			against = against || f[1] != "" && f[0] != f[1]
		}
		if !against {
			return float64(same) / float64(fields), Exact
		}
	}
	head, _, ok := strings.Cut(e.Type, ":")
	theirs, _, _ := strings.Cut(p.Type, ":")
	if !ok || head != theirs {
		return 0, None
	}
	c := 0.4
	if e.Provider != "" && e.Provider == p.Provider {
		c += 0.1
	}
	if e.Stage != "" && e.Stage == p.Stage {
		c += 0.1
	}
	if e.Severity != "" && e.Severity == p.Severity {
		c += 0.05
	}
	return c, Prefix
}
