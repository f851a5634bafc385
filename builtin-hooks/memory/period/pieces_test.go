package period

import "testing"

// named plays texts of which nothing bounds the fact: want is what is named of each, "" for nothing.
func named(t *testing.T, rows map[string]string) {
	t.Helper()
	for text, want := range rows {
		t.Run(text, func(t *testing.T) {
			if p := Read(text, monday); !p.Since.IsZero() || !p.Until.IsZero() || p.Unclear != want {
				t.Errorf("%v to %v, %q", p.Since, p.Until, p.Unclear)
			}
		})
	}
}

// A number before the last day is what something is until then, and no first day, unless "from" or a
// dash says so.
// BM-TRU-07, BM-TRU-31.
func TestANumberBeforeTheLastDayIsNoFirstDay(t *testing.T) {
	t.Parallel()
	play(t, []row{
		{"We stay on Postgres 14 until 31 January 2027", "", "2027-01-31"},
		{"Retries stay at 3 until 15 December", "", "2026-12-15"},
		{"Batch size is 10 until 31 January 2027", "", "2027-01-31"},
		{"Pin node to 20 until 28 February 2027", "", "2027-02-28"},
		{"The desk closes at 10 until 30 January", "", "2027-01-30"},
		{"Replicas are at 6 through 20 December", "", "2026-12-20"},
		{"Canary weight is 5 till 9 December", "", "2026-12-09"},
		{"版本定为 14 2027年1月31日前不升级", "", "2027-01-31"},
		{"The booth is rented from 10 until 20 December", "2026-12-10", "2026-12-20"},
		{"The booth is rented 10–20 December", "2026-12-10", "2026-12-20"},
		{"The booth is rented 10 to 20 December", "2026-12-10", "2026-12-20"},
	})
}

// What bounds one of two clauses is named, whichever it is, and however they are joined; a clause of
// the same, or a list, is bounded whole.
// BM-TRU-36.
func TestWhatBoundsOneOfTwoClausesIsNamed(t *testing.T) {
	t.Parallel()
	named(t, map[string]string{
		"Elm shop is shut until 2027-03-03, Oak sells rope":                     "until 2027-03-03",
		"Elm shop is shut until 2027-03-03 and Oak sells rope":                  "until 2027-03-03",
		"Elm shop is shut until 2027-03-03, and Oak sells rope":                 "until 2027-03-03",
		"Elm shop is shut until 2027-03-03 but Oak sells rope":                  "until 2027-03-03",
		"Elm shop is shut until 2027-03-03 (Oak sells rope)":                    "until 2027-03-03",
		"Oak sells rope, Elm shop is shut until 2027-03-03":                     "until 2027-03-03",
		"Oak sells rope and Elm shop is shut until 2027-03-03":                  "until 2027-03-03",
		"Until 2027-03-03 Elm shop is shut, Oak sells rope":                     "Until 2027-03-03",
		"Use gate B until Friday, the door code is 4711":                        "until Friday",
		"Elm is shut until 3 March and Oak until 4 April":                       "until 4 April",
		"Trucks use gate 5 and the ramp is closed until 14 February":            "until 14 February",
		"仓库A封闭到2027年3月3日,仓库B照常发货":                                               "到2027年3月3日",
		"仓库B照常发货，仓库A封闭到2027年3月3日":                                               "到2027年3月3日",
		"仓库B照常发货，3月3日之前仓库A封闭":                                                   "3月3日之前",
		"仓库A封闭到2027年3月3日而仓库B照常发货":                                               "到2027年3月3日",
		"On Mondays Ola leads the team, and Per helps until 4 May":              "until 4 May",
		"Node 20 is the default and Node 18 stays in the matrix until 31 March": "until 31 March",
	})
	play(t, []row{
		{"Old laptops and phones are banned until Friday", "", "2026-12-04"},
		{"The doors of hall B and the gate are shut until Friday", "", "2026-12-04"},
		{"Ann, Bert and Cleo are on leave until Friday", "", "2026-12-04"},
		{"Elm shop, which belongs to Ola, is shut until 3 March", "", "2027-03-03"},
		{"Elm shop is shut until 3 March, so use Oak", "", "2027-03-03"},
		{"Elm shop is shut until 3 March because the roof leaks", "", "2027-03-03"},
		{"Because the roof leaks, the archive is kept in hall C until 28 February", "", "2027-02-28"},
		{"Until 3 March, Elm is shut and Oak sells rope", "", "2027-03-03"},
		{"If the fan rattles, call Ola until 3 March", "", "2027-03-03"},
		{"到2027年3月31日为止，报表继续用旧模板", "", "2027-03-31"},
		{"东门封到12月20日，请走西门", "", "2026-12-20"},
		{"发布冻结到12月20日，紧急修复除外", "", "2026-12-20"},
		{"On rainy days, call Ola until 4 May", "", "2027-05-04"},
		{"Blue badges are valid until Monday, 7 December.", "", "2026-12-07"},
	})
}

// A time that is called from today is another one each time in a rule, and ends what is told of now.
// BM-TRU-36.
func TestWhatARuleCountsFromEachTimeIsNoEnd(t *testing.T) {
	t.Parallel()
	named(t, map[string]string{
		"财务每月 25 号关账,之后的费用算到下个月。":                                                "",
		"25 号之后的报销算到下个月。":                                                        "",
		"月底的工单一般拖到下周。":                                                           "",
		"超出的调用次数计到下个月的账单":                                                        "",
		"本月没用完的流量可以用到下个月":                                                        "本月",
		"请假余额可以留到下个季度用":                                                          "到下个季度",
		"Leftover quota rolls over until the end of next month.":                 "until the end of next month",
		"Unused quota of a month stays valid to the end of next month":           "valid to the end of next month",
		"By default a session lasts until the end of the day":                    "until the end of the day",
		"Unread messages stay in the queue until the end of the week":            "until the end of the week",
		"Orders ship until the end of next week":                                 "until the end of next week",
		"What is not used this month is good to use until the end of next month": "until the end of next month",
		"Unused vacation carries over until 31 March":                            "until 31 March",
		"From the 25th on expenses usually go on next month's account":           "",
	})
	play(t, []row{
		{"The freeze lasts until the end of next month", "", "2026-12-31"},
		{"Deploys are frozen until the end of next month", "", "2026-12-31"},
		{"Nina is away until the end of next week", "", "2026-12-13"},
		{"Starting next month leftover quota rolls over", "2026-12-01", ""},
		{"冻结持续到下个月底", "", "2026-12-31"},
		{"测试库只读到下周", "", "2026-12-13"},
		{"下个月起每天备份", "2026-12-01", ""},
	})
}

// The rest of a time ends with it.
// BM-TRU-07, BM-TRU-33, BM-TRU-36.
func TestTheRestOfATimeEndsWithIt(t *testing.T) {
	t.Parallel()
	play(t, []row{
		{"Deploys are blocked for the rest of this week", "", "2026-12-06"},
		{"Deploys are blocked for the rest of the week.", "", "2026-12-06"},
		{"For the rest of this month, refunds are paid by hand", "", "2026-11-30"},
		{"The gate is shut the rest of today", "", "2026-11-30"},
		{"The pool is empty for the remainder of the year", "", "2026-12-31"},
		{"Merges are on hold through the rest of December", "", "2026-12-31"},
		{"本周剩下的时间禁止部署", "", "2026-12-06"},
	})
	named(t, map[string]string{
		"The lab stays dark for the rest of the sprint": "for the rest of the sprint",
		"Tokens are valid for the rest of the day":      "for the rest of the day",
		"The rest of the week is planned in the wiki":   "",
		"We were blocked for the rest of the week":      "",
		"For the rest of the team the door is open":     "",
	})
}

// A day without a year that is just over is none of the next year where the verb may be of what was.
// BM-TRU-31.
func TestADayThatIsJustOverEndsWhatWas(t *testing.T) {
	t.Parallel()
	named(t, map[string]string{
		"Nina worked here until 29 November":         "",
		"Bert led the team until 29 November":        "",
		"The mill stood here until 28 November":      "",
		"The barn belonged to Ole until 20 November": "",
		"Cleo kept the keys until 3 November":        "",
		"直到 11 月 29 日都用旧系统":                          "",
		"11 月 20 日之前一直用旧系统":                          "",
		"旧系统用到了 11 月 25 日":                           "",
	})
	play(t, []row{
		{"The gate is closed until 20 November", "", "2027-11-20"},
		{"The badge is needed until 1 November", "", "2027-11-01"},
		{"The desk is held for Bert until 29 March", "", "2027-03-29"},
		{"直到十二月五日都用旧系统", "", "2026-12-05"},
	})
}

// What is left of a text without the words for when it holds is what it says then.
// BM-TRU-42.
func TestWhatIsLeftWithoutTheWordsForWhen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"The lock master is Bram until 30 January 2027":        "The lock master is Bram",
		"Until Friday, the staging database is db-2.":          "the staging database is db-2.",
		"The booth is Ann's from 10 to 20 December, all of it": "The booth is Ann's, all of it",
		"Deploys are frozen for the next two weeks":            "Deploys are frozen",
		"从 12 月 1 日起，运费 5 元":                                   "运费 5 元",
		"锁管员是阿布，直到２０２７年１月３０日":                                  "锁管员是阿布",
		"until Friday":                       "until Friday",
		"The gate is shut until Easter":      "The gate is shut until Easter",
		"The gate was shut until 1 May 2026": "The gate was shut until 1 May 2026",
		"The port is 8080":                   "The port is 8080",
	} {
		if have := Read(text, monday).Rest; have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}
