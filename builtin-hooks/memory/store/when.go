package store

import (
	"strconv"
	"strings"
	"time"
)

// validity is the period for which a text says that it holds, if it names a day: "until
// 2026-12-31", "since 1 March 2026", "有效期至 2026年12月31日". The last day is included.
func validity(text string) (since, until time.Time) {
	low := strings.ToLower(text)
	for _, word := range [...]string{"valid until ", "until ", "through ", "valid to ", "expires on ", "expires ", "有效期至", "有效至", "截至", "截止到", "直到", "直至", "到期日"} {
		if at, ok := dayAfter(low, word); ok {
			until = at.AddDate(0, 0, 1)
			break
		}
	}
	for _, word := range [...]string{"since ", "as of ", "starting ", "from ", "effective ", "自", "从"} {
		if at, ok := dayAfter(low, word); ok {
			since = at
			break
		}
	}
	if !until.IsZero() && !since.IsZero() && !since.Before(until) {
		return time.Time{}, time.Time{}
	}
	return since, until
}

// dayAfter is the day right after a word.
func dayAfter(text, word string) (time.Time, bool) {
	for {
		at := strings.Index(text, word)
		if at < 0 {
			return time.Time{}, false
		}
		before := text[:at]
		text = text[at+len(word):]
		if before != "" && word[0] < 0x80 && isLetter(before[len(before)-1]) {
			continue
		}
		if day, ok := dayAt(strings.TrimLeft(text, " :：")); ok {
			return day, true
		}
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// dayAt is the day at the beginning of a text.
func dayAt(text string) (time.Time, bool) {
	end := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789-/年月日", r) })
	if end < 0 {
		end = len(text)
	}
	bare := strings.NewReplacer("年", "-", "月", "-", "日", "", "/", "-").Replace(text[:end])
	if f := strings.Split(strings.Trim(bare, "-"), "-"); len(f) == 3 && len(f[0]) == 4 {
		return dayOf(f[0], f[1], f[2])
	}
	f := strings.Fields(strings.NewReplacer(",", " ", ".", " ", ";", " ").Replace(text[:min(len(text), 40)]))
	if len(f) < 3 {
		return time.Time{}, false
	}
	if m := month(f[0]); m > 0 { // march 1 2026
		return dayOf(f[2], strconv.Itoa(m), f[1])
	}
	if m := month(f[1]); m > 0 { // 1 march 2026
		return dayOf(f[2], strconv.Itoa(m), f[0])
	}
	return time.Time{}, false
}

func month(word string) int {
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if word == name || len(word) >= 3 && word == name[:3] {
			return int(m)
		}
	}
	return 0
}

func dayOf(year, month, day string) (time.Time, bool) {
	y, err1 := strconv.Atoi(year)
	m, err2 := strconv.Atoi(month)
	d, err3 := strconv.Atoi(strings.TrimRight(day, "sthndr"))
	if err1 != nil || err2 != nil || err3 != nil || y < 1970 || y > 9999 {
		return time.Time{}, false
	}
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return at, at.Day() == d && int(at.Month()) == m
}
