package dispatch

import (
	"os"
	"time"
)

// fault reports whether this program is to be wrong in the way of that name.
func fault(name string) bool { return os.Getenv("AGENTS_HOOKS_FAULT") == name }

func faultAfter(d time.Duration) <-chan time.Time {
	if fault("waits-for-the-end-of-stdin") {
		d = time.Hour
	}
	return time.After(d)
}
