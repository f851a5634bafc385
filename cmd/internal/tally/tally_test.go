package tally

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// The quantiles are those of sorting all durations, to three digits, however they are
// distributed and in whatever parts they are counted.
func TestTimesAreThoseOfSorting(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for name, draw := range map[string]func() float64{
		"microseconds": func() float64 { return float64(r.IntN(900)) },
		"one":          func() float64 { return 123_456 },
		"wide":         func() float64 { return math.Exp(r.Float64() * 23) },
		"two humps":    func() float64 { return float64(3000 + r.IntN(2)*4_000_000 + r.IntN(700)) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 20, 1001} {
				var all, part Times
				var list []time.Duration
				for i := range n {
					d := time.Duration(draw()) * time.Microsecond
					list = append(list, d)
					if part.Add(d); i%7 == 0 {
						all.join(&part)
						part = Times{}
					}
				}
				all.join(&part)
				slices.Sort(list)
				for _, q := range []float64{0.5, 0.95, 1} {
					want := list[int(math.Ceil(q*float64(n)))-1]
					got := all.Quantile(q)
					if off := math.Abs(float64(got-want)) / max(1, float64(want)); off > 0.005 || want < time.Millisecond && got != want {
						t.Errorf("%s, %d of them: quantile %v is %v, want %v", name, n, q, got, want)
					}
				}
				if all.N != n || all.Max != list[n-1] || len(all.class) > 900*9 {
					t.Errorf("%s: %d of %d, most %v of %v, %d classes", name, all.N, n, all.Max, list[n-1], len(all.class))
				}
			}
		})
	}
	var none Times
	if none.Quantile(0.5) != 0 {
		t.Error("none have a median")
	}
}

// A tally counts what a line says once, wherever the line is.
func TestTally(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	place := time.FixedZone("east", 2*3600)
	at := time.Date(2026, 11, 20, 21, 59, 0, 0, time.UTC) // a minute before midnight in the east
	hook := func(name string, result runner.Verdict, ms int, decision string) runner.LogHook {
		return runner.LogHook{Name: name, Layer: "user", Result: result, Duration: time.Duration(ms) * time.Millisecond, Decision: decision}
	}
	for i, l := range []runner.LogLine{
		{Agent: "a", Session: "1", Decision: "block", Duration: time.Second, Hooks: []runner.LogHook{hook("x", runner.Blocked, 10, ""), hook("y", runner.OK, 1, "ask")}},
		{Agent: "a", Session: "1", Decision: "none", Hooks: []runner.LogHook{hook("x", runner.Failed, 20, ""), hook("y", runner.Skipped, 0, "")}},
		{Agent: "b", Session: "1", Decision: "ask", Async: []string{"z"}, Hooks: []runner.LogHook{hook("x", runner.TimedOut, 500, ""), hook("y", runner.OK, 3, "ask")}},
		{Agent: "b", Session: "1", Decision: "none", Ref: "3", Hooks: []runner.LogHook{hook("z", runner.NotStarted, 0, "")}},
	} {
		l.Time, l.ID = at.Add(time.Duration(i)*time.Minute), fmt.Sprint(i)
		must.Do(t, runner.AppendLog(state, &l))
	}
	got, errs := Of(state, runlog.Filter{}, place)
	if errs != nil || got.Events != 3 || got.Blocked != 1 || got.Asked != 1 || got.Sessions != 2 || !got.First.Equal(at) || !got.Last.Equal(at.Add(3*time.Minute)) {
		t.Errorf("%+v, %v", got, errs)
	}
	x, y, z := got.Hooks["x"], got.Hooks["y"], got.Hooks["z"]
	if x.Runs != 3 || x.Blocks != 1 || x.Failures != 1 || x.TimeOuts != 1 || x.Times.Quantile(0.5) != 20*time.Millisecond || x.Times.Total != 530*time.Millisecond || x.Layer != "user" {
		t.Errorf("x: %+v", x)
	}
	if y.Runs != 2 || y.Asks != 2 || y.Skipped != 1 || y.Failures != 0 || z.Runs != 1 || z.Failures != 1 {
		t.Errorf("y: %+v, z: %+v", y, z)
	}
	if a, b := got.Agents["a"], got.Agents["b"]; a.Events != 2 || a.Runs != 3 || a.Failures != 1 || a.Times.Max != time.Second || b.Events != 1 || b.Failures != 2 || b.Asked != 1 {
		t.Errorf("a: %+v, b: %+v", a, b)
	}
	if d := got.Days["2026-11-20"]; len(got.Days) != 2 || d.Events != 1 || d.Blocked != 1 {
		t.Errorf("days: %+v", got.Days)
	}
	if got.Slowest[0].Hook != "x" || got.Slowest[0].Took != 500*time.Millisecond || len(got.Slowest) != mostSlow {
		t.Errorf("slowest: %+v", got.Slowest)
	}
	if one, _ := Of(state, runlog.Filter{Hook: "y"}, place); len(one.Hooks) != 1 || one.Events != 3 || one.Agents["a"].Runs != 1 || one.Agents["b"].Times.Max != 3*time.Millisecond || one.Projects[""].Runs != 2 {
		t.Errorf("of one hook: %+v", one)
	}
	if none, errs := Of(t.TempDir(), runlog.Filter{}, place); errs != nil || none.Events != 0 || protocol.Block.String() != "block" {
		t.Errorf("no log: %+v, %v", none, errs)
	}
}
