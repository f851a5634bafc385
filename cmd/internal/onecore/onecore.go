// Package onecore makes the program that imports it run on one core and with a deep
// stack, before its other packages are initialised. An event takes a few milliseconds and
// waits for one hook at a time; idle threads looking for work took a tenth of that. Once
// main has begun it is too late, since the runtime has allocated memory for each core and
// each size of a stack by then.
package onecore

import "runtime"

var _ = begin(false)

func begin(use bool) bool {
	runtime.GOMAXPROCS(1)
	deepen(use)
	return use
}

// deepen has the stack grow at once to what an event needs, while there is next to
// nothing on it: to double it on the way, four times, is to walk all frames each time, and
// to touch a span of each size.
//
//go:noinline
func deepen(use bool) {
	if use {
		var room [16 << 10]byte
		touch(&room)
	}
}

//go:noinline
func touch(room *[16 << 10]byte) { room[0] = 1 }
