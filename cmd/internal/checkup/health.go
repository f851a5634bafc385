package checkup

// A Health is what the doctor of the whole program says, for whoever shows it
// elsewhere.
type Health struct {
	Guards  Check   // whether guards hold, and where not
	Agents  []Agent // that were found
	Machine []Check // what is of no agent
}

// An Agent is one of them.
type Agent struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Holds  bool    `json:"holds"` // guards hold in it
	Why    string  `json:"why"`   // not, "" if they do
	Checks []Check `json:"checks"`
}
