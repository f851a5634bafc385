package protocol

import "time"

// A Scope says whose configuration an entry goes into.
type Scope string

const (
	UserScope    Scope = "user"
	ProjectScope Scope = "project" // the agent's local-only file of the project, where it has one
)

// A Site is where an entry is installed: directories and a way to read files,
// given as values so that installing is a pure function that returns edits.
type Site struct {
	Scope   Scope
	GOOS    string
	Home    string
	Project string              // root of the project, for ProjectScope
	Env     func(string) string // CODEX_HOME and the like
	Read    func(path string) ([]byte, error)
}

// An Entry is what is installed.
type Entry struct {
	// Argv is the dispatcher's command: an absolute path and its arguments. A
	// dialect quotes it for the shell that its agent uses.
	Argv []string

	// Events are the native events to register, nil for all that are not Manual.
	Events []string
}

// An Edit is one file to be changed. After is nil if the file is to be removed,
// Before if there is none yet.
type Edit struct {
	Path   string
	Before []byte
	After  []byte
}

// An Installation is what stands in an agent's configuration.
type Installation struct {
	Entries []Registered
	Notes   []string // what is wrong or worth knowing, one sentence each
}

// A Registered is one entry of ours that was found.
type Registered struct {
	Event   string // native
	File    string
	Line    int
	Command string
	Argv    []string // the command, split
	Timeout time.Duration
	Trusted bool   // the agent will run it, as far as its own records tell
	Problem string // what keeps it from running, "" if nothing
}
