// Package otlp sends what the run log says to a collector, as traces of
// OpenTelemetry: sessions, turns, execute_tool and execute_hook. No event waits for it:
// a worker does it, which the dispatcher has started at most every few seconds, see
// package wake.
//
//	lines of the log → a [Fold] of them → spans → OTLP over HTTP, in JSON
//
// What is kept is one file below the state directory: how far the log was sent, which
// sessions, turns and calls are open at that place, and how it went. It is written once
// a batch was taken. So a worker that is killed while it sends sends that batch again;
// the ids of spans are made of what the log says, so that a collector can tell that they
// are the same. A collector that is down costs nothing but tries, further and further
// apart; what it missed is sent once it is back, for as long as the log is kept. One
// worker works at a time, held by a lock of the operating system.
//
// Names are those of OpenTelemetry's semantic conventions, [SchemaURL]. OTLP is written
// here in its JSON form, which every receiver of OTLP over HTTP reads: the whole of it is
// one file, where the SDK with its generated types is megabytes, and makes spans of what
// runs in its own process, at the time when it runs.
package otlp
