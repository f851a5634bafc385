// Package onecore makes the program that imports it run on one core and with a deep
// stack, before its other packages are initialised. An event takes a few milliseconds and
// waits for one hook at a time; idle threads looking for work took a tenth of that. Once
// main has begun it is too late, since the runtime has allocated memory for each core and
// each size of a stack by then.
package onecore

import "runtime"

var _ = begin(false)

func begin(use bool) bool {
	deepen(use) // while the runtime's threads get going, for which the next line would wait
	runtime.GOMAXPROCS(1)
	return use
}

// deepen grows the stack at once to what an event needs, while it is almost empty:
// doubling it on the way, four times, would walk all frames each time, and touch a
// span of each size.
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
