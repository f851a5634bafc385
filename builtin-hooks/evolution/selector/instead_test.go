package selector

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// What was offered just now rests, and only a gene that has helped stands
// in for it, whatever chance put first.
func TestAnotherGeneInstead(t *testing.T) {
	event := gene.Signals("error:build_failure")
	row := func(id string, layer gene.Layer, good, bad float64) Ranked {
		r := Ranked{Layer: layer}
		r.Gene = gene.Gene{ID: id, SignalsMatch: event}
		r.Global = Tally{Successes: good, Failures: bad}
		return r
	}
	for name, c := range map[string]struct {
		ranked  []Ranked
		offered []string
		want    string
	}{
		"nothing was offered":                {[]Ranked{row("a", gene.Exact, 0, 0), row("b", gene.Exact, 3, 0)}, nil, "a"},
		"it rests, nothing has helped":       {[]Ranked{row("a", gene.Exact, 0, 0), row("b", gene.Exact, 0, 0)}, []string{"a"}, "a"},
		"chance put an untested one first":   {[]Ranked{row("b", gene.Exact, 0, 0), row("a", gene.Exact, 0, 0)}, []string{"a"}, "a"},
		"another one has helped":             {[]Ranked{row("a", gene.Exact, 9, 0), row("b", gene.Exact, 0, 0), row("c", gene.Exact, 2, 1)}, []string{"a"}, "c"},
		"another one has failed more often":  {[]Ranked{row("a", gene.Exact, 9, 0), row("b", gene.Exact, 1, 2)}, []string{"a"}, "a"},
		"one that has helped is first":       {[]Ranked{row("b", gene.Exact, 2, 0), row("a", gene.Exact, 9, 0)}, []string{"a"}, "b"},
		"all rest":                           {[]Ranked{row("a", gene.Exact, 9, 0), row("b", gene.Exact, 2, 0)}, []string{"b", "a"}, "a"},
		"what was offered is about another":  {[]Ranked{row("b", gene.Exact, 0, 0), row("a", gene.Prefix, 9, 0)}, []string{"a"}, "b"},
		"another that helped is about other": {[]Ranked{row("a", gene.Exact, 0, 0), row("b", gene.Prefix, 9, 0)}, []string{"a"}, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			choice := Choice{Action: Apply, Ranked: c.ranked}
			choice.Instead(event, c.offered)
			if got := choice.Ranked[0].Gene.ID; got != c.want || len(choice.Ranked) != len(c.ranked) {
				t.Errorf("%s first, want %s", got, c.want)
			}
		})
	}
}
