package period

import "testing"

// How long something holds from now on is read in days, weeks and months, and a quarter may have a year.
func TestWhatHoldsFromNowOn(t *testing.T) {
	play(t, []row{
		{"未来三天发布需要审批", "", "2026-12-03"},
		{"未来两周发布需要审批", "", "2026-12-14"},
		{"未来两个月发布需要审批", "", "2027-01-30"},
		{"Until the end of Q2 2028 the price is 5", "", "2028-06-30"},
	})
}
