package processor

import (
	"testing"
	"time"
)

// Work is counted, and time in which there was none is not.
func TestTimeIsThatOfWork(t *testing.T) {
	began, wall := Time(), time.Now()
	time.Sleep(100 * time.Millisecond)
	if idle := Time() - began; idle > time.Since(wall)/2 {
		t.Errorf("%v of %v without work", idle, time.Since(wall))
	}
	// Windows counts in steps of a sixty-fourth of a second.
	for began = Time(); Time() <= began; {
	}
}
