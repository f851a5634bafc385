package protocol

import "slices"

// A Tongue is the protocol of an agent from its other end: how hooks are spoken to
// that were written for that agent, whichever agent calls. A hook says which one is
// its own in metadata.dialect.
type Tongue struct {
	ID     string // of the agent
	Name   string
	Events []EventType // what a hook that speaks it can wait for
}

// Hears reports whether the agent has an event that t is.
func (t *Tongue) Hears(e EventType) bool { return slices.Contains(t.Events, e) }
