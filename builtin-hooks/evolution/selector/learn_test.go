package selector

import (
	"testing"
	"time"
)

// α = s+1 and β = f+1, decayed by half in 30 days, neither below 1.
func TestPosterior(t *testing.T) {
	for _, x := range []struct {
		name        string
		t           Tally
		alpha, beta float64
	}{
		{"nothing known is even", Tally{}, 1, 1},
		{"each outcome counts", tallyOf(3, 1, 0), 4, 2},
		{"half as much after a half-life", tallyOf(3, 1, 30*days), 2, 1},
		{"a quarter after two", tallyOf(7, 0, 60*days), 2, 1},
		{"nothing is left after ten", tallyOf(7, 3, 300*days), 1, 1},
		{"a clock that goes wrong is no reason to doubt", tallyOf(3, 1, -days), 4, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			if b := Posterior(x.t, now); !near(b.Alpha, x.alpha) || !near(b.Beta, x.beta) {
				t.Errorf("%+v: %+v, want %v %v", x.t, b, x.alpha, x.beta)
			}
		})
	}
}

// Learning rests from 20 outcomes with more than 80 % failures on, until
// fewer than 30 % fail.
func TestFreeze(t *testing.T) {
	for _, x := range []struct {
		name      string
		was       bool
		n, failed int
		want      bool
	}{
		{"too few to tell", false, 19, 19, false},
		{"four of five fail", false, 20, 16, false},
		{"more than that", false, 20, 17, true},
		{"frozen, it stays at 30 %", true, 20, 6, true},
		{"it thaws below", true, 20, 5, false},
		{"it thaws if nothing happened", true, 0, 0, false},
		{"a third of three keeps it", true, 3, 1, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := Freeze(x.was, x.n, x.failed); got != x.want {
				t.Errorf("%+v: %v", x, got)
			}
		})
	}
}

// A gene on trial.
func TestTrial(t *testing.T) {
	since := now.Add(-48 * time.Hour)
	for _, x := range []struct {
		name string
		t    Trial
		want Verdict
	}{
		{"enough of all", Trial{since, 3, 11, 9, 0}, Promote},
		{"half of it failed", Trial{since, 3, 10, 10, 0}, Stay},
		{"a second too early", Trial{since.Add(time.Second), 3, 20, 0, 0}, Stay},
		{"in too few sessions", Trial{since, 2, 20, 0, 0}, Stay},
		{"too few outcomes", Trial{since, 3, 19, 0, 0}, Stay},
		{"a third was made worse", Trial{since, 3, 30, 10, 10}, Demote},
		{"four failures are too few to tell", Trial{now, 1, 0, 4, 4}, Stay},
		{"five failures", Trial{now, 1, 0, 5, 5}, Demote},
		{"just 20 %", Trial{now, 1, 1, 4, 4}, Stay},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := x.t.Judge(now); got != x.want {
				t.Errorf("%+v: %s, want %s", x.t, got, x.want)
			}
		})
	}
}

// When a gene can be distilled.
func TestRipe(t *testing.T) {
	for _, x := range []struct {
		name   string
		good   int
		recent float64
		last   time.Time
		want   bool
	}{
		{"ten successes", 10, 0.7, time.Time{}, true},
		{"nine", 9, 1, time.Time{}, false},
		{"of late they were fewer", 10, 0.69, time.Time{}, false},
		{"a day has not passed", 10, 1, now.Add(-23 * time.Hour), false},
		{"it has", 10, 1, now.Add(-24 * time.Hour), true},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := Ripe(x.good, x.recent, x.last, now); got != x.want {
				t.Errorf("%+v: %v", x, got)
			}
		})
	}
}

func TestTalliesAddUp(t *testing.T) {
	sum := tallyOf(3, 1, 2*days).Add(tallyOf(2, 5, days))
	if want := tallyOf(5, 6, days); sum != want {
		t.Errorf("%+v, want %+v", sum, want)
	}
	if sum := tallyOf(1, 0, days).Add(Tally{}); sum != tallyOf(1, 0, days) {
		t.Errorf("with nothing: %+v", sum)
	}
}
