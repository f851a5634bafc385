// Package onecore lets the program that imports it run on one core, from before its
// other packages are made. An event is over in a few milliseconds, and waits for one
// hook at a time: the threads that look for something to do beside that were a tenth
// of its time. Once main has begun it is too late for most of that, since the runtime
// has handed out memory for each core by then.
package onecore

import "runtime"

var _ = runtime.GOMAXPROCS(1)
