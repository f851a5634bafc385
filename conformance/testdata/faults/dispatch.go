package dispatch

import (
	"os"
	"os/signal"
	"syscall"
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

// faultIgnorePipes keeps a closed pipe from ending the program.
func faultIgnorePipes() {
	if fault("own-fault-blocks") {
		signal.Ignore(syscall.SIGPIPE)
	}
}
