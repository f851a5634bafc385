package period

import "testing"

// A month or a quarter bounds a fact behind "starting in" and "throughout" as behind "from" and "until".
// BM-TRU-07.
func TestAMonthAndAQuarterBoundAFact(t *testing.T) {
	t.Parallel()
	play(t, []row{
		{"Starting in March 2027 all sensors report in UTC.", "2027-03-01", ""},
		{"Beginning in January, trays are made of steel.", "2027-01-01", ""},
		{"Orders need a deposit starting in February.", "2027-02-01", ""},
		{"From Q2 2027 the ERP is Odoo.", "2027-04-01", ""},
		{"We keep the old ERP export running through Q1 2027.", "", "2027-03-31"},
		{"The old ERP export runs throughout Q1 2027.", "", "2027-03-31"},
		{"The crane is rented until Q2 2027.", "", "2027-06-30"},
		{"We go through Q1 2027 figures on Monday.", "", ""},
		{"The project starting in March is called Heron.", "", ""},
		{"The heating is on throughout January.", "", ""},
	})
}
