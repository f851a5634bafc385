package period

import "testing"

// A time counted from today ends what tells how something stands now, or what begins with that time, and
// is named in what is done again and again, or made for that time.
// BM-TRU-36.
func TestATimeFromNowOnEndsWhatIsSoNow(t *testing.T) {
	t.Parallel()
	named(t, map[string]string{
		"Customers can order until 14:00 for the next day.":                  "for the next day",
		"The order list is printed for the next day.":                        "for the next day",
		"Growers get the task list for the next day at 17:00.":               "for the next day",
		"The forecast gives numbers for the next two weeks.":                 "for the next two weeks",
		"After a spill a bay stays closed for the next three days.":          "for the next three days",
		"The planner books vans for the next week.":                          "for the next week",
		"We order substrate for the next month.":                             "for the next month",
		"The on-call engineer of a P1 is off for the rest of the day.":       "for the rest of the day",
		"The Monday meeting sets priorities for the rest of the week.":       "for the rest of the week",
		"A patient who faints is excluded from tests for the next two days.": "for the next two days",
		"Each winner is barred for the next two months.":                     "for the next two months",
		"Guests can park in the yard for the rest of the day.":               "for the rest of the day",
		"Locked accounts stay locked for the next two days.":                 "for the next two days",
		"The cache holds results for the next two days.":                     "for the next two days",
		"Do not water seedlings for the next two days after planting.":       "for the next two days",
		"On Fridays the van is reserved for the next week.":                  "for the next week",
		"The kitchen is open for the next day's orders.":                     "",
		"The menu is for the next week.":                                     "for the next week",
		"Shift plans for the next four weeks are in the wiki.":               "for the next four weeks",
		"For the next day, customers order until 14:00.":                     "For the next day",
	})
	play(t, []row{
		{"Bay 4 is closed for the next three days.", "", "2026-12-03"},
		{"Bay 7 can't be used for the next week.", "", "2026-12-07"},
		{"The intern isn't available for the next two weeks.", "", "2026-12-14"},
		{"Marta is away for the next two weeks.", "", "2026-12-14"},
		{"Ivo is on leave for the next two months.", "", "2027-01-30"},
		{"Mail alerts are paused for the rest of the week.", "", "2026-12-06"},
		{"The freeze holds for the next month.", "", "2026-12-30"},
		{"The west door stays shut for the next week.", "", "2026-12-07"},
		{"The parking deck remains closed for the rest of the week.", "", "2026-12-06"},
		{"No deploys for the rest of the week.", "", "2026-12-06"},
		{"Don't touch the staging database for the next three days.", "", "2026-12-03"},
		{"We are without a designer for the next two weeks.", "", "2026-12-14"},
		{"For the next two weeks Tomas approves all recipe changes.", "", "2026-12-14"},
		{"The seedling room runs at 21 °C for the rest of this week.", "", "2026-12-06"},
	})
}
