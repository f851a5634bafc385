package truth

// Evidence is what tells whether the newer statement takes the place of the older one.
func Evidence(older, newer string, sense Sense) []float64 {
	e := newMatch(older, newer, Compare(older, newer), sense).evidence()
	return e[:]
}

// Standings are the weights of what a rival's standing tells.
func Standings() []float64 { return standings[:] }

// Standing is what tells, for each rival, whether a newer statement takes its place.
func Standing(newer string, rivals []Rival, many int, sense Sense) (out [][]float64) {
	list := contenders(newer, rivals, many, sense, standings[:])
	for i, c := range list {
		s := c.standing(i, list, rivals, many)
		out = append(out, s[:])
	}
	return out
}

// AmongBy is [Among] by other weights.
func AmongBy(weights []float64, newer string, rivals []Rival, many int, sense Sense) []Judgement {
	return among(newer, rivals, many, sense, weights)
}
