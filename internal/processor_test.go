package internal_test

import (
	"github.com/agents-hooks/agents-hooks/internal/processor"
	"testing"
	"time"
)

// Work is counted, and time in which there was none is not.
func TestTimeIsThatOfWork(t *testing.T) {
	began, wall := processor.Time(), time.Now()
	time.Sleep(100 * time.Millisecond)
	if idle := processor.Time() - began; idle > time.Since(wall)/2 {
		t.Errorf("%v of %v without work", idle, time.Since(wall))
	}
	// Windows counts in steps of a sixty-fourth of a second.
	for began = processor.Time(); processor.Time() <= began; {
	}
}
