package hooks

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// However many facts there are about what the branch or a changed file is called, up to a third
// of all, the best few are told before newer others.
// BM-LOD-10, BM-LOD-20.
func TestMoreThatIsKnownOfTheWorkIsNotToldLess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, branch string
		files        []string
	}{{"branch", "feat/elevator", nil}, {"branch of several words", "ann/fix-elevator-crash", nil}, {"changed file", "main", []string{"src/elevator.go"}}} {
		for _, all := range []int{30, 90} {
			for _, days := range []int{1, 50} {
				t.Run(fmt.Sprint(c.name, all, days), func(t *testing.T) {
					t.Parallel()
					for _, part := range []int{7, 8, all / 3} {
						s := newScene(t)
						s.settings["budget"] = int64(2000)
						s.on(c.branch, c.files...)
						for i := range part {
							s.fact(fmt.Sprintf("The elevator of tower %d has a brake of type %d", i, i*7), time.Duration(days*24+i)*time.Hour)
						}
						for i := range all - part {
							s.fact(fmt.Sprintf("Room %d of the depot has lamp type %d", i, i*31), time.Duration(i)*time.Minute)
						}
						got := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
						told := len(regexp.MustCompile(`elevator of tower`).FindAllString(got, -1))
						if told < min(part, 5) {
							t.Errorf("%d of %d: %d are told:\n%s", part, all, told, got)
						}
					}
				})
			}
		}
	}
}

// Of many facts about the subject of the work those come first that share a second word with it.
// BM-LOD-20.
func TestOfManyAboutTheWorkThoseComeFirstThatShareMore(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.settings["budget"] = int64(2000)
	s.on("feat/elevator-brake")
	s.fact("The elevator of the old tower has a worn brake", 90*24*time.Hour)
	for i := range 25 {
		s.fact(fmt.Sprintf("The elevator of tower %d has door type %d", i, i*7), time.Duration(50*24+i)*time.Hour)
	}
	for i := range 80 {
		s.fact(fmt.Sprintf("Room %d of the depot has lamp type %d", i, i*31), time.Duration(i)*time.Minute)
	}
	got := s.event("memory-load", "context", "source", `"startup"`).AdditionalContext
	if !strings.Contains(got, "worn brake") || !strings.Contains(got, "elevator of tower 0 ") {
		t.Errorf("told:\n%s", got)
	}
}
