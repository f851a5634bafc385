package selector

import (
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// Of genes that are about a failure the one that fits best comes first, of two that fit
// as well the one that helped more; what is held, what mostly fails and what
// failed often just now is left out, and the choice is the same each time. EV-FND-06,
// EV-FND-07, EV-FND-08, EV-FND-09.
func TestAmong(t *testing.T) {
	t.Parallel()
	fit := func(id string, score float64, v gene.Visibility, good, bad float64) Fit {
		f := Fit{Score: score, Why: "because of " + id}
		f.Gene = gene.Gene{ID: id, Visibility: v, SignalsMatch: gene.Signals("error:timeout")}
		f.Local, f.Global = tallyOf(good, bad, time.Hour), tallyOf(good, bad, time.Hour)
		return f
	}
	failing := fit("resting", 0.9, gene.Draft, 0, 0)
	for i := range 6 {
		failing.Recent = append(failing.Recent, Mark{At: now.Add(-time.Duration(6-i) * 10 * time.Second), Kind: Failed})
	}
	for _, c := range []struct {
		name string
		list []Fit
		want string
	}{
		{"nothing", nil, ""},
		{"what fits best", []Fit{fit("a", 0.6, gene.Seed, 0, 0), fit("b", 0.8, gene.Seed, 0, 0)}, "b"},
		{"of equals the one that helped", []Fit{fit("a", 0.7, gene.Seed, 0, 0), fit("b", 0.7, gene.Draft, 5, 0)}, "b"},
		{"of equals not the one that failed", []Fit{fit("a", 0.7, gene.Draft, 1, 3), fit("b", 0.7, gene.Seed, 0, 0)}, "b"},
		{"a record does not make up for a fit", []Fit{fit("a", 0.95, gene.Seed, 0, 0), fit("b", 0.55, gene.Draft, 9, 0)}, "a"},
		{"of equals without a record the first by name", []Fit{fit("b", 0.7, gene.Seed, 0, 0), fit("a", 0.7, gene.Seed, 0, 0)}, "a"},
		{"held", []Fit{fit("a", 0.9, gene.Held, 0, 0)}, ""},
		{"what mostly fails", []Fit{fit("a", 0.9, gene.Draft, 0, 20), fit("b", 0.6, gene.Seed, 0, 0)}, "b"},
		{"what failed often just now", []Fit{failing, fit("b", 0.6, gene.Seed, 0, 0)}, "b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 3 {
				choice := Among(c.list, Options{Now: now})
				got := ""
				if len(choice.Ranked) > 0 {
					got = choice.Ranked[0].Gene.ID
				}
				if got != c.want || (choice.Action == Apply) != (c.want != "") || c.want != "" && choice.Reason != "because of "+c.want {
					t.Errorf("%q (%s, %q), want %q", got, choice.Action, choice.Reason, c.want)
				}
			}
		})
	}
}

// A platitude is offered for its own signal and technology alone, and nothing else is
// found beside it. EV-FND-04.
func TestPlatitudesAreOfTheirSignal(t *testing.T) {
	t.Parallel()
	of := func(id string, platitude bool, s gene.Signal) Candidate {
		return Candidate{Gene: gene.Gene{ID: id, Visibility: gene.Seed, Platitude: platitude, SignalsMatch: []gene.Signal{s}}}
	}
	list := []Candidate{
		of("any", true, gene.Signal{Type: "error:build_failure"}), of("go", true, gene.Signal{Type: "error:build_failure", TechStack: "go"}),
		of("tests", true, gene.Signal{Type: "error:test_failure"}), of("real", false, gene.Signal{Type: "error:build_failure"}),
	}
	for _, c := range []struct {
		name  string
		event gene.Signal
		want  string
	}{
		{"of any language", gene.Signal{Type: "error:build_failure"}, "any"},
		{"of the language of the event", gene.Signal{Type: "error:build_failure", TechStack: "go"}, "go"},
		{"of another signal", gene.Signal{Type: "error:test_failure"}, "tests"},
		{"of no signal there is", gene.Signal{Type: "error:oom"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			choice := Platitudes([]gene.Signal{c.event}, list, Options{Now: now})
			got := ""
			if len(choice.Ranked) > 0 {
				got = choice.Ranked[0].Gene.ID
			}
			for _, r := range append(choice.Ranked, choice.Out...) {
				if !r.Gene.Platitude {
					t.Errorf("%+v: %s is none", c.event, r.Gene.ID)
				}
			}
			if got != c.want {
				t.Errorf("%+v: %q, want %q", c.event, got, c.want)
			}
		})
	}
}

// Where only signals are known a gene of one cause is not chosen, however well its
// signal fits. EV-FND-14.
func TestASignalAloneIsNoCause(t *testing.T) {
	t.Parallel()
	event := gene.Signals("error:timeout")
	one := Candidate{Gene: gene.Gene{ID: "a", Visibility: gene.Seed, SignalsMatch: event, When: gene.When{Says: []string{"x"}, Only: true}}}
	general := Candidate{Gene: gene.Gene{ID: "b", Visibility: gene.Seed, SignalsMatch: event}}
	if c := Choose(event, []Candidate{one, general}, Options{Now: now}); len(c.Ranked) != 1 || c.Ranked[0].Gene.ID != "b" {
		t.Errorf("%+v", c.Ranked)
	}
	if c := Choose(event, []Candidate{one}, Options{Now: now}); c.Action != Suggest {
		t.Errorf("%s: %s", c.Action, c.Reason)
	}
}
