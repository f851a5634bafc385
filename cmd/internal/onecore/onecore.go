// Package onecore makes the program that imports it run on one core, before its other
// packages are initialised. An event takes a few milliseconds and waits for one hook at
// a time; idle threads looking for work took a tenth of that. Once main has begun it is
// too late, since the runtime has allocated memory for each core by then.
package onecore

import "runtime"

var _ = runtime.GOMAXPROCS(1)
