package truth

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An amount is a number with what it counts in: two weeks are 14 days, and half an hour
// 30 minutes.
type amount struct {
	kind string
	of   float64 // in seconds, bytes, hundredths, hours of a day, or plain
}

func (a amount) text() string { return a.kind + " " + strconv.FormatFloat(a.of, 'g', 6, 64) }

// measures are what a number counts, by its name.
var measures = sync.OnceValue(func() map[string]amount {
	of := map[string]amount{}
	for kind, rows := range map[string]map[float64]string{
		"duration": {
			0.001: "ms millisecond milliseconds 毫秒", 1: "s sec second seconds 秒 秒钟", 60: "min minute minutes 分钟", 3600: "h hr hour hours 小时",
			86400: "day days 天 日", 7 * 86400: "week weeks 周", 14 * 86400: "fortnight", 30 * 86400: "month months 月 个月",
			91 * 86400: "quarter quarters 季度", 365 * 86400: "year years 年",
		},
		"size": {
			1 << 10: "kb kib kilobyte kilobytes", 1 << 20: "mb mib megabyte megabytes 兆", 1 << 30: "gb gib gigabyte gigabytes", 1 << 40: "tb terabyte terabytes",
		},
		"weight":  {1: "kg kilogram kilograms 公斤 千克", 1000: "t ton tons tonne tonnes 吨"},
		"percent": {1: "% percent"},
		"clock":   {1: "am pm utc cet 点 点半"},
	} {
		for size, names := range rows {
			for _, name := range strings.Fields(names) {
				of[name] = amount{kind, size}
			}
		}
	}
	return of
})

// numbers are those that are words.
var numbers = sync.OnceValue(func() map[string]float64 {
	of := map[string]float64{"half": 0.5, "半": 0.5, "twice": 2, "once": 1, "两": 2, "dozen": 12, "hundred": 100, "thousand": 1000, "million": 1e6, "fifteen": 15,
		"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
	for i, name := range strings.Fields("one two three four five six seven eight nine ten eleven twelve") {
		of[name] = float64(i + 1)
	}
	return of
})

// figure is the number that stands at a token, and how many tokens it takes; 0 if none
// does.
func (s *statement) figure(i int) (x float64, n int) {
	raw := s.all[i].raw
	if x, is := numbers()[raw]; is {
		return x, 1
	}
	if x, err := strconv.ParseFloat(strings.ReplaceAll(raw, ",", ""), 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x, 1
	}
	for ; i < len(s.all); i, n = i+1, n+1 { // 二十五
		switch d := slices.Index(chineseDigits, s.all[i].raw) + 1; {
		case d == 0:
			switch s.all[i].raw {
			case "百":
				x = max(x, 1) * 100
			case "千":
				x = max(x, 1) * 1000
			case "万":
				x = max(x, 1) * 10000
			default:
				return x, n
			}
		case d == 10:
			x = max(x, 1) * 10
		default:
			x += float64(d)
		}
	}
	return x, n
}

// amount is what a number that stands at a token is a number of, and how many tokens both
// take; 0 if there is none. An hour is one of them.
func (s *statement) amount(i int) (a amount, n int) {
	if x, n := s.figure(i); n > 0 {
		at := i + n
		if at+1 < len(s.all) && (s.all[at].raw == "a" || s.all[at].raw == "an" || s.all[at].raw == "of") && numbers()[s.all[i].raw] == 0.5 {
			at++ // half an hour
		}
		if at < len(s.all) {
			if m, is := measures()[s.all[at].raw]; is {
				return amount{m.kind, x * m.of}, at + 1 - i
			}
		}
		return amount{"number", x}, n
	}
	if m, is := measures()[s.all[i].raw]; is && m.kind == "duration" && i > 0 && slices.Contains([]string{"a", "an", "each", "every", "per"}, s.all[i-1].raw) {
		return m, 1
	}
	return a, 0
}
