package truth_test

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
)

func judged(older, newer string, sense truth.Sense) truth.Judgement {
	return truth.Among(newer, []truth.Rival{{Text: older, Score: 0.6, Shares: 0.6}}, 20, sense)[0]
}

// A word of change before a noun names a part of a thing, and a switch is a device: each part has its own.
// BM-TRU-03.
func TestAWordOfChangeInANameIsNone(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, p := range [][2]string{
		{"The upper tank is refilled at 20 %.", "The lower tank is refilled at 35 %."},
		{"The middle deck has 40 trays.", "The lower deck has 36 trays."},
		{"The upper deck has 40 trays.", "The lower deck holds 36 trays."},
		{"Upper bays are cleaned by Ilse.", "Lower bays are cleaned by Femke."},
		{"In upper bays the lights are on for 14 h.", "In lower bays the lights are on for 16 h."},
		{"The ground bed is watered at 7:00.", "The raised bed is watered at 8:00."},
		{"Our ground beds get 4 l of water.", "Our raised beds get 6 l of water."},
		{"Router 2 has 8 ports.", "Switch 2 has 24 ports."},
		{"Switch 3 has 48 ports.", "Switch 2 has 24 ports."},
		{"The hub in rack 4 has 5 ports.", "The switch in rack 4 has 24 ports."},
		{"The fixed camera records at 5 fps.", "The moved camera records at 2 fps."},
		{"The upper limit for pH is 6.4.", "The lower limit for pH is 5.4."},
		{"The upper threshold of the CO2 alarm is 1500 ppm.", "The lower threshold of the CO2 alarm is 600 ppm."},
		{"The higher shelf gets 300 lux.", "The lower shelf gets 250 lux."},
		{"Bay 3 upper shelf holds basil.", "Bay 3 lower shelf holds rocket."},
	} {
		t.Run(p[1], func(t *testing.T) {
			for _, pair := range [][2]string{p, {p[1], p[0]}} {
				if j := judged(pair[0], pair[1], sense); j.Verdict == truth.Update {
					t.Errorf("%q takes the place of %q: %.2f", pair[1], pair[0], j.Sure)
				}
			}
		})
	}
}

// The same words say that something changed where they are verbs.
// BM-TRU-02.
func TestAVerbOfChangeIsOne(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, p := range [][2]string{
		{"The upload limit is 5 MB.", "The limit was raised to 10 MB."},
		{"The upper limit for pH is 6.4.", "The upper limit for pH was lowered to 6.2."},
		{"CI runs on Jenkins.", "We moved CI to Buildkite."},
		{"CI runs on Jenkins.", "Moved CI to Buildkite."},
		{"We use npm.", "Switched from npm to pnpm."},
		{"We use npm.", "The switch to pnpm is done."},
		{"The frontend uses npm.", "We switch to pnpm for the frontend."},
		{"The timeout is 30 s.", "Lowered the timeout to 5 s."},
		{"The log retention is 30 days.", "Lower log retention to 7 days."},
		{"The retry limit is 5.", "Raised retry limit to 8."},
		{"The lower tank is refilled at 35 %.", "The lower tank is refilled at 40 %."},
		{"Switch 2 has 24 ports.", "Switch 2 has 48 ports."},
	} {
		t.Run(p[1], func(t *testing.T) {
			if j := judged(p[0], p[1], sense); j.Verdict != truth.Update {
				t.Errorf("%q is kept beside: %s, %.2f", p[0], j.Verdict, j.Sure)
			}
		})
	}
}

// What a participle names may be another thing than the first, or that one as it is now: it is asked about.
// BM-TRU-03.
func TestWhatAParticipleNamesIsAskedAbout(t *testing.T) {
	t.Parallel()
	sense := newSense(t)
	for _, p := range [][2]string{
		{"The full payload is 4 MB.", "The reduced payload is 1 MB."},
		{"The standard warranty lasts 2 years.", "The extended warranty lasts 5 years."},
		{"The base model weighs 2 kg.", "The upgraded model weighs 3 kg."},
	} {
		if j := judged(p[0], p[1], sense); j.Verdict == truth.Update || !j.Ask {
			t.Errorf("%q and %q: %s, %.2f", p[0], p[1], j.Verdict, j.Sure)
		}
	}
	if j := judged("The old fee is 12 euros.", "The increased fee is 14 euros.", sense); j.Verdict != truth.Update {
		t.Errorf("the increased fee is kept beside the old one: %s, %.2f", j.Verdict, j.Sure)
	}
}
