package server

import (
	"testing"
	"time"
)

// What one machine deletes or edits stays so, whichever machine's clock is ahead or behind: a fact
// that nobody changed is not sent again.
// BM-SHR-26.
func TestNoClockBringsBackWhatAnotherMachineDeletedOrEdited(t *testing.T) {
	t.Parallel()
	for name, ahead := range map[string][3]time.Duration{ // the writer's as it saves, and as it syncs, and the other one's
		"the writer ahead": {10 * time.Minute, 10 * time.Minute, 0}, "ahead and set right since": {10 * time.Minute, 0, 0},
		"the writer behind": {-10 * time.Minute, -10 * time.Minute, 0}, "the other ahead": {0, 0, 10 * time.Minute},
		"the other behind": {0, 0, -10 * time.Minute}, "far apart": {48 * time.Hour, -48 * time.Hour, 48 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, desk, lap, bob := devices(t, t.TempDir()+"/serve.sqlite")
			lap.ahead, desk.ahead = ahead[0], ahead[2]
			lap.save(t, "W", "Dredge seven is idle")
			lap.save(t, "W", "The mill turns on Mondays")
			lap.ahead = ahead[1]
			for _, h := range []home{lap, desk, bob, lap} {
				h.synced(t)
			}
			lap.ahead, desk.ahead = lap.ahead+5*time.Second, desk.ahead+5*time.Second
			desk.delete(t, desk.theirs(t, "Dredge seven is idle"))
			desk.edit(t, desk.theirs(t, "The mill turns on Mondays"), "The mill turns on Fridays")
			for round := range 3 {
				for _, h := range []home{desk, lap, bob} {
					if r := h.synced(t); r.Pushed+r.Ended != 0 && (round > 0 || h != desk) {
						t.Errorf("nobody changed anything: %+v", r)
					}
				}
			}
			desk.wants(t, "desk", "The mill turns on Fridays")
			lap.wants(t, "laptop", "The mill turns on Fridays")
			bob.wants(t, "bob", "ada: The mill turns on Fridays")
		})
	}
}
