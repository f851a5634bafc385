package period

import (
	"strings"
	"time"
)

// lately is how long ago a day without a year may be to be meant as one that has passed, and not as
// that of the next year, where the verb may be of what was.
const lately = 90 * 24 * time.Hour

// Verbs in a form that tells what was, whatever stands before them; and those that tell it unless
// something is so: was held, and is held.
const (
	alwaysPast = " was were had did went began became came drew drove ate fell flew grew knew lay rose rang chose wore broke hid forgot gave spoke wrote sang swam took saw ran stole woke rode shook threw tore bore got "
	oftenPast  = " led stood held kept sat built bought sold paid met sent left lost made told said used slept spent found brought thought taught caught fought felt won hung dealt meant lent fed "
)

// wasDone reports whether the word at a place may be a verb of what was.
func wasDone(words []string, k int) bool {
	w, before := " "+words[k]+" ", ""
	if k > 0 {
		before = " " + words[k-1] + " "
	}
	switch {
	case among(alwaysPast, w):
		return true
	case among(" is are be been being get gets getting have has having not must only still currently temporarily the a an our my your their his her its ", before) && before != "", k == 0:
		return false
	case among(oftenPast, w):
		return true
	}
	return len(words[k]) > 4 && strings.HasSuffix(words[k], "ed") && !strings.HasSuffix(words[k], "eed")
}

// passed reports whether a day without a year is one of the last weeks, in words that may tell what
// was: Nina worked here until 29 November.
func (r *reader) passed(s span, words []string) bool {
	if !r.recent(s) || future(words) {
		return false
	}
	for k := range words {
		if wasDone(words, k) {
			return true
		}
	}
	return false
}

// recent reports whether the last such day is over, and not long ago.
func (r *reader) recent(s span) bool {
	if s.in == nil {
		return false
	}
	last := r.last(s)
	return !last.end.After(r.today) && r.today.Sub(last.end) < lately
}

// wentOn reports whether a Chinese clause may tell what was so up to a day.
func wentOn(words string) bool {
	return containsAny(words, "都", "一直", "了", "过", "曾", "才")
}
