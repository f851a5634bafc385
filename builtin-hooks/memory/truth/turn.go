package truth

import (
	"slices"
	"strings"
)

// turnWords are words of what is so from some time on, or is so again, beside those of change.
var turnWords = strings.Fields(`back again cancelled canceled undone revert reverted taken took over goes since instead already
	automatically automated rewritten 又 取消 以后 接手 全部 统一 自动 自建 自研 已 已经`)

// turns reports whether the newer has a word of what is so from some time on.
func (m *match) turns() bool {
	for i, t := range m.new.all {
		switch {
		case t.text == "back" && (t.raw != "back" || i > 0 && !m.returns(m.new.all[i-1])), // it puts the plan back, it is backed up
			(t.raw == "taken" || t.raw == "took") && !m.new.off(i), // backups are taken daily
			t.raw == "instead" && m.new.rather && !m.new.cue,       // podman instead of docker
			t.raw == "over" && !m.new.isOver(i):                    // handed over on Mondays, sent over HTTPS
		case slices.Contains(turnWords, t.raw), slices.Contains(turnWords, t.text):
			return true
		}
	}
	return false
}

// isOver reports whether an "over" says that something ended or went to somebody, and not by
// what it goes: over HTTPS.
func (s *statement) isOver(i int) bool {
	if i+1 < len(s.all) && s.all[i+1].class == value {
		return false
	}
	return i > 0 && (slices.Contains(beforeOver, s.all[i-1].raw) || i+1 == len(s.all) || s.all[i+1].raw == "to" || i > 1 && slices.Contains(beforeOver, s.all[i-2].raw))
}

var beforeOver = strings.Fields("is are was were be been took taken takes take handed hands hand went goes passed moved switched came carried")

// off reports whether behind a token stands one of where something is taken: off, over.
func (s *statement) off(i int) bool {
	return slices.ContainsFunc(s.all[i+1:min(len(s.all), i+4)], func(t token) bool {
		return slices.Contains([]string{"off", "over", "out", "away", "down", "from", "back"}, t.raw)
	})
}

// returns reports whether a word before "back" says that what was so is so again.
func (c *comparison) returns(t token) bool {
	return t.raw == "is" || t.raw == "are" || t.class == changed || slices.Contains([]string{"been", "went", "came", "got", "be"}, t.raw)
}
