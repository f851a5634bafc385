package truth

import (
	"slices"
	"strings"
)

// What is told to be there no more: the old file was deleted, NATS has been switched off,
// 轮询任务已经下线.
var (
	goneVerbs  = []string{"deleted", "purged", "removed", "dropped", "retired", "scrapped", "cancelled", "canceled", "emptied", "decommissioned", "uninstalled", "abandoned", "discontinued", "deprecated", "gone"}
	offVerbs   = []string{"switched", "turned", "shut", "taken", "thrown"}
	besideGone = strings.Fields("was were been is are has have 已 已经 也 都 就 全部")
	goneWords  = []string{"下线", "弃用", "废弃", "停用", "取消"}
)

// markEnded finds the words of what a statement tells to be there no more.
func (s *statement) markEnded() (of map[int]bool) {
	for i := range s.all {
		verb := i
		if s.over(i) {
			verb--
			for verb >= 0 && slices.Contains(besideGone, s.all[verb].raw) {
				verb--
			}
			if of == nil {
				of = map[int]bool{}
			}
			for n := 0; verb >= 0 && n < 4 && s.names(verb); verb, n = verb-1, n+1 {
				of[verb] = true
				if !isCJK([]rune(s.all[verb].raw)[0]) && n == 1 {
					break
				}
			}
		}
	}
	return of
}

// names reports whether a token may be part of what something is called.
func (s *statement) names(i int) bool {
	switch s.all[i].class {
	case open, happened, place, value, numbered:
		return true
	}
	return false
}

// over reports whether a token says that what stands before it is over: in words of the
// past, since what is dropped each night is there the next day.
func (s *statement) over(i int) bool {
	if i == 0 {
		return false
	}
	raw, before := s.all[i].raw, s.all[i-1].raw
	past := slices.Contains([]string{"was", "were", "been"}, before)
	switch {
	case slices.Contains(goneVerbs, raw):
		return past || raw == "gone" && (before == "is" || before == "are")
	case slices.Contains(offVerbs, raw):
		return past && i+1 < len(s.all) && slices.Contains([]string{"off", "down", "out"}, s.all[i+1].raw)
	case slices.Contains(goneWords, raw):
		return before == "已" || before == "已经" || i+1 < len(s.all) && s.all[i+1].raw == "了"
	}
	return false
}
