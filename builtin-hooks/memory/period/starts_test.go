package period

import "testing"

// A day behind "from" at the end of what is said is its first one, and none of what is spoken of.
// BM-TRU-07, BM-TRU-31.
func TestFromADayAtTheEnd(t *testing.T) {
	t.Parallel()
	play(t, []row{
		{"Shift lead is Ben from 11 December", "2026-12-11", ""},
		{"The pump is serviced by Lotte from Monday.", "2026-12-07", ""},
		{"The hotline closes at 20:00 from January", "2027-01-01", ""},
		{"Deploys go through Flux from Monday, and nothing else does", "2026-12-07", ""},
		{"Use gate B from Thursday because A is repaired", "2026-12-03", ""},
		{"Restore the dump from 5 December", "", ""},
		{"Read the minutes from Friday", "", ""},
		{"The photo is from 5 December", "", ""},
		{"The stand-up moved from Monday", "", ""},
		{"Deploys go through Flux from October", "", ""},
		{"We worked from Monday", "", ""},
		{"Invoices are paid from Tuesday every week", "", ""},
	})
}

// A name is no month, a word with 起 no beginning, and "not before" none of an end.
// BM-TRU-07, BM-TRU-31.
func TestWhatOnlyLooksLikeABound(t *testing.T) {
	t.Parallel()
	play(t, []row{
		{"Never delete a clip until May has signed it off", "", ""},
		{"Nothing is merged until April says so", "", ""},
		{"until May is over", "", "2027-05-31"},
		{"三月起火的那台泵已经换掉", "", ""},
		{"三月起由洛特负责", "2027-03-01", ""},
		{"The pump is serviced by Lotte not before 9 December", "2026-12-09", ""},
		{"Do not deploy before 9 December", "", "2026-12-08"},
	})
}

// BM-TRU-33.
func TestAWeekOrMonthInWhichItIsSoIsNamed(t *testing.T) {
	t.Parallel()
	for text, unclear := range map[string]string{
		"The pump is serviced by Lotte this week":     "this week",
		"The pump is serviced by Lotte in December":   "in December",
		"Only in January: the pump is off":            "in January",
		"泵本周由洛特负责":                                    "本周",
		"Die Pumpe wartet Lotte ab 11. Dezember":      "ab 11. Dezember",
		"Der Code gilt bis Freitag":                   "bis Freitag",
		"We mended the pump this week":                "",
		"本周修好了泵":                                      "",
		"The pump was replaced in December":           "",
		"Reports are due this week's Friday":          "",
		"Sales peak in December":                      "",
		"The ab test runs on 5 servers, bis repetita": "",
	} {
		if have := Read(text, monday).Unclear; have != unclear {
			t.Errorf("%q: %q, want %q", text, have, unclear)
		}
	}
}
