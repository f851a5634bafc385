package selector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

var now = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func tallyOf(good, bad float64, age time.Duration) Tally {
	return Tally{good, bad, now.Add(-age)}
}

const days = 24 * time.Hour

// wGlobal = max(0.2, 1 − n/100), half of it on trial.
func TestBlend(t *testing.T) {
	for _, x := range []struct {
		n      float64
		canary bool
		want   float64
	}{{0, false, 1}, {0, true, 0.5}, {10, false, 0.9}, {50, false, 0.5}, {80, false, 0.2}, {1000, false, 0.2}, {1000, true, 0.1}} {
		t.Run(fmt.Sprintf("n %v, canary %v", x.n, x.canary), func(t *testing.T) {
			if got := globalWeight(x.n, x.canary); !near(got, x.want) {
				t.Errorf("%v outcomes, on trial %v: %v, want %v", x.n, x.canary, got, x.want)
			}
		})
	}
	// 50 here (40 good), 100 everywhere (50 good): half of (41, 11) and half of (51, 51).
	b := blend(tallyOf(40, 10, 0), tallyOf(50, 50, 0), false, now)
	if !near(b.Alpha, 46) || !near(b.Beta, 31) || !near(b.Mean(), 46.0/77) {
		t.Errorf("%+v", b)
	}
	// On trial a quarter of everywhere.
	b = blend(tallyOf(40, 10, 0), tallyOf(50, 50, 0), true, now)
	if !near(b.Alpha, 0.25*51+0.75*41) {
		t.Errorf("%+v", b)
	}
}

func TestMemoryAndConfidence(t *testing.T) {
	if Memory(Tally{}, Tally{}, false, now, nil) != 0.5 || Memory(Tally{}, Tally{}, true, now, nil) != 0.35 {
		t.Error("the priors are others")
	}
	if got := Memory(tallyOf(4, 0, 0), tallyOf(4, 0, 0), false, now, nil); !near(got, 5.0/6) {
		t.Errorf("%v", got)
	}
	for _, x := range []struct{ memory, local, global, others, want float64 }{
		{0.8, 0, 0, 0, 0},
		{0.8, 2, 3, 0, 0.2},
		{0.8, 10, 10, 0, 0.8},
		{0.8, 100, 100, 0, 0.8},
		{0.8, 2, 3, 4, 0.2},
		{0.8, 2, 3, 5, 0.25},
		{0.8, 2, 3, 10, 0.3},
		{1, 50, 50, 50, 1},
	} {
		t.Run(fmt.Sprintf("memory %v, local %v, global %v, others %v", x.memory, x.local, x.global, x.others), func(t *testing.T) {
			if got := Confidence(x.memory, x.local, x.global, x.others); !near(got, x.want) {
				t.Errorf("%+v: %v", x, got)
			}
		})
	}
}

// A sample of Beta(α, β) has its mean and variance.
func TestBetaSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, b := range []Beta{{1, 1}, {2, 1}, {5, 3}, {40, 10}, {1, 30}} {
		t.Run(fmt.Sprintf("Alpha %v, Beta %v", b.Alpha, b.Beta), func(t *testing.T) {
			const n = 20000
			sum, square := 0.0, 0.0
			for range n {
				x := b.Sample(r)
				if x < 0 || x > 1 {
					t.Fatalf("%v of %+v", x, b)
				}
				sum, square = sum+x, square+x*x
			}
			mean := sum / n
			variance := square/n - mean*mean
			want := b.Alpha * b.Beta / ((b.Alpha + b.Beta) * (b.Alpha + b.Beta) * (b.Alpha + b.Beta + 1))
			if math.Abs(mean-b.Mean()) > 0.01 || math.Abs(variance-want) > 0.1*want+0.0005 {
				t.Errorf("%+v: mean %.4f, want %.4f; variance %.5f, want %.5f", b, mean, b.Mean(), variance, want)
			}
		})
	}
}

func candidate(id string, good, bad float64, signals ...gene.Signal) Candidate {
	k := tallyOf(good, bad, 0)
	if good+bad == 0 {
		k = Tally{}
	}
	return Candidate{Gene: gene.Gene{ID: id, Visibility: gene.Draft, SignalsMatch: signals}, Local: k, Global: k}
}

func sig(t string) gene.Signal { return gene.Signal{Type: t} }

var greedy = Options{Now: now, Creativity: Creativity}

// The rank, by hand. 4 of 4: memory 5/6, confidence 5/6 × 8/20 = 1/3,
// quality 0.5: 0.35 + 0.25×5/6 + 0.15/3 + 0.05 + 0.15.
func TestRank(t *testing.T) {
	c := Choose([]gene.Signal{sig("error:oom")}, []Candidate{candidate("a", 4, 0, sig("error:oom"))}, greedy)
	if got, want := c.Ranked[0].Rank, 0.35+0.25*5/6+0.05+0.05+0.15; !near(got, want) || c.Action != Apply {
		t.Errorf("%v, want %v: %+v", got, want, c)
	}
	// Untested: 0.35 + 0.125 + 0.15.
	c = Choose([]gene.Signal{sig("error:oom")}, []Candidate{candidate("a", 0, 0, sig("error:oom"))}, greedy)
	if got := c.Ranked[0].Rank; !near(got, 0.625) {
		t.Errorf("%v", got)
	}
	// Provider and stage: 0.15 more. Another technology: a tenth of the rest.
	e := gene.Signal{Type: "error:oom", Provider: "aws", Stage: "build"}
	if got := score([]gene.Signal{e}, candidate("a", 0, 0, e), greedy); !near(got.Rank, 0.775) || !near(got.Context, 1) {
		t.Errorf("%+v", got)
	}
	got := score([]gene.Signal{{Type: "error:oom", TechStack: "go"}}, candidate("a", 0, 0, gene.Signal{Type: "error:oom", TechStack: "node"}), greedy)
	if want := 0.1 * (0.35*0.4 + 0.125); !near(got.Rank, want) || got.Layer != gene.Prefix {
		t.Errorf("%+v, want %v", got, want)
	}
	// A technology of which nobody knows whether it is the event's: half.
	if got := score([]gene.Signal{sig("error:oom")}, candidate("a", 0, 0, gene.Signal{Type: "error:oom", TechStack: "node"}), greedy); !near(got.Rank, 0.625/2) {
		t.Errorf("%+v", got)
	}
	// By words only: 0.05.
	words := candidate("a", 0, 0, sig("perf:slow_tests"))
	words.Gene.Title = "Find out what uses the memory: oom killer"
	if got := score([]gene.Signal{sig("error:oom")}, words, greedy); got.Layer != gene.Semantic || !near(got.Rank, 0.125+0.05) {
		t.Errorf("%+v", got)
	}
	for _, x := range []struct {
		forks int
		rate  float64
		want  float64
	}{{0, 0, 0}, {3, 0.3, 0.6}, {50, 1, 1}} {
		t.Run(fmt.Sprintf("forks %v", x.forks), func(t *testing.T) {
			if q := Quality(x.forks, x.rate); !near(q, x.want) {
				t.Errorf("quality of %+v: %v", x, q)
			}
		})
	}
}

// No exact match and coverage below 0.5: make a gene.
func TestSuggestsToCreate(t *testing.T) {
	event := []gene.Signal{sig("error:oom")}
	if c := Choose(event, []Candidate{candidate("a", 9, 0, sig("error:timeout"))}, greedy); c.Action != Suggest || c.Chosen() != nil || len(c.Ranked) != 1 {
		t.Errorf("%+v", c)
	}
	// Either is enough: one signal of three that is the very same, or much of it that resembles.
	if c := Choose([]gene.Signal{sig("error:oom"), sig("perf:slow_build"), sig("infra:queue_full")}, []Candidate{candidate("a", 9, 0, sig("error:oom"))}, greedy); c.Action != Apply || c.Ranked[0].Coverage >= goodCoverage {
		t.Errorf("%+v", c)
	}
	if c := Choose([]gene.Signal{{Type: "error:oom", Provider: "aws"}}, []Candidate{candidate("a", 9, 0, gene.Signal{Type: "error:timeout", Provider: "aws"})}, greedy); c.Action != Apply || c.Ranked[0].Layer == gene.Exact {
		t.Errorf("%+v", c)
	}
	if c := Choose(event, nil, greedy); c.Action != Suggest {
		t.Errorf("%+v", c)
	}
	if c := Choose(nil, []Candidate{candidate("a", 9, 0, sig("error:timeout"))}, greedy); c.Action != Nothing {
		t.Errorf("%+v", c)
	}
	quarantined := candidate("a", 9, 0, sig("error:oom"))
	quarantined.Gene.Visibility = gene.Held
	if c := Choose(event, []Candidate{quarantined}, greedy); c.Action != Suggest || len(c.Ranked) != 0 {
		t.Errorf("%+v", c)
	}
	// What fits comes before what is merely proven.
	c := Choose(event, []Candidate{candidate("proven", 90, 0, sig("error:timeout")), candidate("fits", 0, 4, sig("error:oom"))}, greedy)
	if c.Chosen().Gene.ID != "fits" {
		t.Errorf("%+v", c.Ranked)
	}
}

// A ban from five outcomes on, relaxed when nothing is left. EV-FND-06.
func TestBan(t *testing.T) {
	for _, x := range []struct {
		name      string
		good, bad float64
		limit     float64
		want      bool
	}{
		{"four failures are too few", 0, 4, 0.18, false},
		{"five failures", 0, 5, 0.18, true},
		{"one success of ten", 1, 9, 0.18, true},
		{"just above the limit", 1, 8, 0.18, false /* 2/11 = 0.1818 */},
		{"a lower limit takes longer", 0, 5, 0.05, false},
		{"it is reached", 0, 19, 0.05, true /* 1/21 */},
		{"just above the lower limit", 0, 17, 0.05, false /* 1/19 */},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := Banned(tallyOf(x.good, x.bad, 0), x.limit); got != x.want {
				t.Errorf("%+v: %v", x, got)
			}
		})
	}
	event := []gene.Signal{sig("error:oom")}
	bad, fresh, worst := candidate("bad", 0, 6, sig("error:oom")), candidate("fresh", 0, 0, sig("error:oom")), candidate("worst", 0, 40, sig("error:oom"))
	if c := Choose(event, []Candidate{bad, fresh}, greedy); c.Chosen().Gene.ID != "fresh" || len(c.Out) != 1 || !c.Out[0].Banned {
		t.Errorf("%+v", c)
	}
	if c := Choose(event, []Candidate{bad, worst}, greedy); c.Chosen() == nil || c.Chosen().Gene.ID != "bad" {
		t.Errorf("relaxed: %+v", c)
	}
	if c := Choose(event, []Candidate{worst}, greedy); c.Action != Nothing {
		t.Errorf("nothing is left: %+v", c)
	}
}

// Five failures within five minutes open the breaker; after a minute one
// probe is let through. EV-FND-06.
func TestBreaker(t *testing.T) {
	at := func(s int) time.Time { return now.Add(time.Duration(s) * time.Second) }
	marks := func(list ...any) (out []Mark) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, Mark{at(list[i].(int)), list[i+1].(Kind)})
		}
		return out
	}
	five := marks(0, Failed, 60, Failed, 120, Failed, 180, Failed, 300, Failed)
	for _, x := range []struct {
		name  string
		marks []Mark
		at    int
		want  State
	}{
		{"nothing", nil, 0, Closed},
		{"four", five[:4], 200, Closed},
		{"five within five minutes", five, 300, Open},
		{"a second before the minute is over", five, 359, Open},
		{"a minute later", five, 360, Probing},
		{"five in six minutes", marks(0, Failed, 60, Failed, 120, Failed, 180, Failed, 301, Failed), 301, Closed},
		{"a success between", marks(0, Failed, 60, Failed, 120, Failed, 130, Succeeded, 180, Failed, 200, Failed), 200, Closed},
		{"the probe is out", append(slices.Clone(five), marks(365, Offered)...), 370, Open},
		{"nobody tells of the probe", append(slices.Clone(five), marks(365, Offered)...), 425, Probing},
		{"the probe failed", append(slices.Clone(five), marks(365, Offered, 370, Failed)...), 400, Open},
		{"and a minute later", append(slices.Clone(five), marks(365, Offered, 370, Failed)...), 430, Probing},
		{"the probe succeeded", append(slices.Clone(five), marks(365, Offered, 370, Succeeded)...), 371, Closed},
		{"an offer before the minute is over is no probe", append(slices.Clone(five), marks(310, Offered)...), 361, Probing},
		{"of tomorrow", five, 100, Closed},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := Broken(x.marks, at(x.at)); got != x.want {
				t.Errorf("%v, want %v", got, x.want)
			}
		})
	}
	c := candidate("a", 2, 5, sig("error:oom"))
	c.Recent = five
	o := greedy
	o.Now = at(310)
	if got := Choose([]gene.Signal{sig("error:oom")}, []Candidate{c}, o); got.Action != Nothing || !got.Out[0].Resting {
		t.Errorf("%+v", got)
	}
}

// 0.35/√n × 0.3 with good coverage, × 0.6 else. 0.35/2 × 0.3 = 0.0525.
func TestExploration(t *testing.T) {
	for _, x := range []struct {
		n     int
		cover float64
		want  float64
	}{{4, 1, 0.0525}, {4, 0.5, 0.0525}, {4, 0.49, 0.105}, {1, 1, 0.105}, {0, 1, 0}} {
		t.Run(fmt.Sprintf("n %v, cover %v", x.n, x.cover), func(t *testing.T) {
			if got := exploration(0.35, x.n, x.cover); !near(got, x.want) {
				t.Errorf("%+v: %v", x, got)
			}
		})
	}
	event := []gene.Signal{sig("error:oom")}
	list := []Candidate{candidate("best", 30, 0, sig("error:oom")), candidate("other", 1, 2, sig("error:oom")), candidate("stack", 0, 0, gene.Signal{Type: "error:oom", TechStack: "node"}), candidate("far", 50, 0, sig("error:timeout"))}
	explored := map[string]int{}
	o := greedy
	o.Random = rand.New(rand.NewPCG(3, 4))
	n := slowtest.Count(8000, 20000)
	for range n {
		if c := Choose(event, list, o); c.Action == Explore {
			explored[c.Chosen().Gene.ID]++
		}
	}
	// "best" and "other" are tried for each other, and nothing else for them.
	got, want := float64(explored["best"]+explored["other"])/float64(n), exploration(0.35, 2, 1)
	if math.Abs(got-want) > 0.006 || explored["stack"]+explored["far"] > 0 {
		t.Errorf("explored %v: %.4f, want %.4f", explored, got, want)
	}
	o.Creativity = 0
	if c := Choose(event, list, o); c.Action == Explore {
		t.Error("explored without creativity")
	}
}

// Thompson sampling chooses the better gene more often, and the worse one too;
// greedy always the better, whatever the order, as often as one asks.
func TestSelectors(t *testing.T) {
	event := []gene.Signal{sig("error:oom")}
	list := []Candidate{candidate("b", 5, 5, sig("error:oom")), candidate("a", 8, 4, sig("error:oom")), candidate("c", 1, 3, sig("error:oom"))}
	want := Choose(event, list, greedy)
	for range 20 {
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got := Choose(event, list, greedy); got.Chosen().Gene.ID != "a" || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("greedy: %+v", got)
		}
	}
	seeded := func(seed uint64) (out []string) {
		o := Options{Now: now, Random: rand.New(rand.NewPCG(seed, 0))}
		for range 500 {
			rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			c := Choose(event, list, o)
			out = append(out, c.Chosen().Gene.ID)
		}
		return out
	}
	one := seeded(7)
	if !slices.Equal(one, seeded(7)) {
		t.Error("the same seed chose otherwise")
	}
	count := map[string]int{}
	for _, id := range one {
		count[id]++
	}
	if count["a"] <= count["b"] || count["b"] <= count["c"] || count["b"] == 0 {
		t.Errorf("%v", count)
	}
}

// Whatever is known: all numbers lie in their range, more success never lowers
// the rank, and nothing that is out is chosen.
func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	types := []string{"error:oom", "error:timeout", "perf:slow_build", "task:x"}
	for range 2000 {
		var event []gene.Signal
		for range 1 + r.IntN(3) {
			event = append(event, gene.Signal{Type: types[r.IntN(4)], TechStack: []string{"", "go", "node"}[r.IntN(3)]})
		}
		var list []Candidate
		for i := range r.IntN(6) {
			c := candidate(fmt.Sprint("g", i), float64(r.IntN(30)), float64(r.IntN(30)), gene.Signal{Type: types[r.IntN(4)], TechStack: []string{"", "go", "node"}[r.IntN(3)]})
			c.Others = float64(r.IntN(20))
			list = append(list, c)
		}
		o := greedy
		if r.IntN(2) == 0 {
			o.Random = r
		}
		c := Choose(event, list, o)
		for i, x := range append(slices.Clone(c.Ranked), c.Out...) {
			for name, v := range map[string]float64{"coverage": x.Coverage, "memory": x.Memory, "confidence": x.Confidence, "context": x.Context, "quality": x.Quality} {
				if v < 0 || v > 1 || math.IsNaN(v) {
					t.Fatalf("%s %v of %+v", name, v, x)
				}
			}
			if out := i >= len(c.Ranked); out != (x.Banned || x.Resting) {
				t.Fatalf("%+v", x)
			}
		}
		if chosen := c.Chosen(); chosen != nil && !about(*chosen) {
			t.Fatalf("%+v is not about %+v", chosen, event)
		}
		if len(list) > 0 {
			better := list[0]
			better.Local.Successes++
			better.Global.Successes++
			if a, b := score(event, list[0], greedy), score(event, better, greedy); b.Rank < a.Rank-1e-9 && a.Global.N() > 0 {
				t.Fatalf("one success more: %v after %v", b.Rank, a.Rank)
			}
		}
	}
}

// What an outcome counts, and when nothing is learnt.
func TestLearning(t *testing.T) {
	for n, want := range map[int]float64{0: 1, 1: 0.5, 3: 0.125, 4: 0.0625} {
		t.Run(fmt.Sprintf("after %d the same day", n), func(t *testing.T) {
			if got := Weight(n); got != want {
				t.Errorf("the %dth: %v", n+1, got)
			}
		})
	}
	half, good := 0.4, 0.9
	for _, x := range []struct {
		name                       string
		r                          Report
		worth                      float64
		learns, reflects, remember bool
	}{
		{"concluded, of a signal", Report{Success: true, Signals: []string{"error:oom"}}, 0.5, true, false, false},
		{"concluded, of anything", Report{Success: true, Signals: []string{"error:generic"}}, 0.25, true, false, false},
		{"concluded, of nothing", Report{Success: true, Signals: []string{"session:end"}}, 0, false, false, false},
		{"somebody looked", Report{Signals: []string{"error:oom"}, Summary: "it did not help", Explicit: true}, 1, true, true, false},
		{"poorly", Report{Success: true, Signals: []string{"error:oom"}, Score: &half}, 0.7, true, true, false},
		{"well", Report{Success: true, Signals: []string{"error:oom"}, Score: &good}, 0.7, true, false, true},
		{"in Chinese", Report{Success: true, Signals: []string{"error:oom"}, Summary: "把输入减半之后峰值也减半了，问题已经解决了"}, 0.8, true, false, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := Worth(x.r); !near(got, x.worth) || Learns(1, got) != x.learns || Reflects(x.r) != x.reflects || Remembers(x.r) != x.remember {
				t.Errorf("%v %v %v %v", got, Learns(1, got), Reflects(x.r), Remembers(x.r))
			}
		})
	}
	if Learns(0.1, 1) || !Learns(0.125, 1) || Learns(1, 0.2) {
		t.Error("the limits are others")
	}
}

// The three numbers, by hand.
func TestNorthStarFigures(t *testing.T) {
	at := func(h float64) time.Time { return now.Add(time.Duration(h * float64(time.Hour))) }
	one := func(h float64, session, gene string, ok bool, signals ...string) Capsule {
		return Capsule{"one", session, gene, signals, ok, at(h)}
	}
	n := NorthStar([]Capsule{
		one(0, "s1", "g", false, "oom"),  // first of oom: failed
		one(0.5, "s2", "g", true, "oom"), // within the hour: no repeat
		one(3, "s3", "g", true, "oom"),   // came back
		one(3.1, "s3", "g", true, "oom"),
		one(5, "s3", "g", true, "oom"),                  // three successes behind it
		one(0, "s1", "", true, "timeout"),               // first of timeout: solved
		one(9, "s1", "", false, "timeout"),              // the same session: no repeat
		{"two", "s9", "", []string{"oom"}, true, at(1)}, // of another agent
	})
	// Problems: one/oom (repeated), one/timeout, two/oom. First: failed, solved, solved.
	// With experience: 1 of 1. Without: false true true true, true false, true: 5 of 7.
	if !near(*n.RepeatRate, 1.0/3) || !near(*n.FirstRate, 2.0/3) || !near(*n.Gain, 1-5.0/7) {
		t.Errorf("%v %v %v", *n.RepeatRate, *n.FirstRate, *n.Gain)
	}
	if n := NorthStar(nil); n.RepeatRate != nil || n.FirstRate != nil || n.Gain != nil {
		t.Errorf("%+v", n)
	}
}
