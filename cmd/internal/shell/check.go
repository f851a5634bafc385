package shell

// A memoryCheck is one check of memory doctor --json.
type Check struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // ok, off, warn, error
	Message string `json:"message"`
	Fix     string `json:"fix"`
}
