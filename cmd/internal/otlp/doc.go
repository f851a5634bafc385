// Package otlp exports the run log to a collector, as OpenTelemetry traces: sessions, turns,
// execute_tool and execute_hook. No event waits for it: a worker does it, which the dispatcher
// starts at most every few seconds, see package wake.
//
//	lines of the log → a [Fold] of them → spans → OTLP over HTTP, in JSON
//
// Its state is one file below the state directory: the position up to which the log was sent,
// the sessions, turns and calls that are open there, and the last result. It is written after
// a batch was accepted. So if a worker is killed while sending, the batch is sent again; span
// ids are derived from the log, so that a collector can recognise duplicates. If a collector is
// down, retries back off, and everything it missed is sent later, as long as the log is kept.
// An operating system lock allows one worker at a time.
//
// Names are those of OpenTelemetry's semantic conventions, [SchemaURL]. OTLP is written
// in its JSON form, which every receiver of OTLP over HTTP accepts and which takes one file
// here. The SDK with its generated types takes megabytes, and creates spans only for its own
// process, while it runs.
package otlp
