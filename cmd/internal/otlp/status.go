package otlp

import "time"

// A Status is how the export goes. Its JSON form is stable.
type Status struct {
	Schema       int        `json:"schema"`
	Address      string     `json:"address"` // "" if nothing is exported
	Contents     bool       `json:"contents"`
	Spans        int        `json:"spans"`
	Rejected     int        `json:"rejected"`
	Dropped      int        `json:"dropped"`
	Waiting      int        `json:"waiting"`
	Open         int        `json:"open"`
	LastOK       *time.Time `json:"last_ok"`
	FailingSince *time.Time `json:"failing_since"`
	NextTry      *time.Time `json:"next_try"`
	Error        string     `json:"error"`
}

// MostCounted is the maximum number of waiting lines that are counted.
const MostCounted = 100_000

// Look says how the export to a collector goes, given its address for people; "" if
// there is none, and then no lines wait.
func Look(stateDir, to string, now time.Time) (Status, error) {
	s, err := Load(stateDir, now)
	if err != nil {
		return Status{}, err
	}
	s.forget(to)
	st := Status{
		Schema: 1, Spans: s.Spans, Rejected: s.Rejected, Dropped: s.Dropped, Open: len(s.Fold.Sessions), Error: s.Error,
		LastOK: set(s.LastOK), FailingSince: set(s.Failing), NextTry: set(s.NextTry),
	}
	if to != "" {
		st.Waiting, err = Waiting(stateDir, s, MostCounted)
	}
	return st, err
}

func set(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
