package truth

// Evidence is what tells whether the newer statement takes the place of the older one.
func Evidence(older, newer string, sense Sense) []float64 {
	e := newMatch(older, newer, Compare(older, newer), sense).evidence()
	return e[:]
}
