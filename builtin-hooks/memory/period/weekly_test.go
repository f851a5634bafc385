package period

import "testing"

// From one weekday to another something is so each week, at whatever time of the day it begins and ends.
// BM-TRU-36.
func TestFromOneWeekdayToAnotherIsEachWeek(t *testing.T) {
	t.Parallel()
	named(t, map[string]string{
		"Alert mails are muted from Friday 20:00 until Monday 6:00.":                "from Friday 20:00 until Monday 6:00",
		"Heating is lowered from Saturday noon until Sunday evening.":               "from Saturday noon until Sunday evening",
		"No deploys from Friday noon until Monday morning.":                         "from Friday noon until Monday morning",
		"The office is closed from Saturday until Monday.":                          "from Saturday until Monday",
		"From Wednesday until Friday the gate is shut":                              "From Wednesday until Friday",
		"Nina is away from Tuesday until Thursday.":                                 "from Tuesday until Thursday",
		"Deliveries stop Friday noon until Monday morning.":                         "until Monday",
		"The boiler runs from Friday evening until Monday morning.":                 "",
		"The gate is locked from Friday 18:00 to Monday 5:00.":                      "",
		"The pager goes to the agency from Friday 5 p.m. until Monday 9 a.m.":       "",
		"The lift is blocked from Wednesday early morning until Friday, 6 o'clock.": "from Wednesday early morning until Friday",
		"周末从周五晚上到周一早上不发布。":                                                          "",
		"周五晚上八点到周一早上六点关闭告警。":                                                        "",
		"从周四20:00一直到周五6:00锁库。":                                                      "",
		"星期五下班后到星期一上班前不合并。":                                                         "",
	})
	play(t, []row{
		{"No deploys from Friday, 4 December, noon until Monday, 7 December.", "2026-12-04", "2026-12-07"},
		{"The gate is shut from 4 December 20:00 until 7 December 6:00.", "2026-12-04", "2026-12-07"},
		{"The gate is shut until Friday 18:00.", "", "2026-12-04"},
		{"从12月4日晚上到12月7日早上停机", "2026-12-04", "2026-12-07"},
	})
}
