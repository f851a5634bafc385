package checkup

// A Health is the result of the program's doctor, for showing it elsewhere.
type Health struct {
	Guards  Check   // whether guards work, and where not
	Agents  []Agent // the agents that were found
	Machine []Check // problems that belong to no agent
}

// An Agent is one of them.
type Agent struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Holds  bool    `json:"holds"` // guards work in it
	Why    string  `json:"why"`   // why they do not, "" if they do
	Checks []Check `json:"checks"`
}
