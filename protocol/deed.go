package protocol

// A Deed is what a tool call does, described the same way for every agent. Package
// protocol/deed reads it from a call; hooks get it as the fields commands, changes and
// result, and matchers are matched against it.
type Deed struct {
	Commands []Command
	Changes  []Change
	Result   *Result // on events after the call

	// Lines are the texts that were given to a shell, unchanged.
	Lines []string

	// Pipes are the pipes of commands in them, with quotes resolved: tried like lines.
	Pipes []string

	// Pieces are further texts for matchers only: possible commands in a text that no
	// shell grammar accepts.
	Pieces []string

	// Texts are further texts for the matcher content only: what may be written to a
	// changed file.
	Texts []string

	// Paths are further paths for the matcher path only: of files whose names are known
	// in part, as they are written.
	Paths []string

	// What could not be read completely, as words; "" if nothing. It counts as a match,
	// since a crafted call must not switch off a guard.
	UnreadCommands, UnreadChanges string
	// NoCommand says that the call is one of Shell, but no command was found in it.
	NoCommand bool
}

// A Command is one simple command, as a shell would parse it.
type Command struct {
	Text string
	Argv []string // nil if no shell grammar accepts the text
}

// An Action is what happens to a file.
type Action string

const (
	Create Action = "create" // its whole text is written
	Update Action = "update"
	Delete Action = "delete"
	Move   Action = "move"
)

// A Change describes one changed file.
type Change struct {
	Action Action
	Path   string
	To     string // where a file is moved to
	Old    string // the text that an edit removes
	New    string // the whole text, or what an edit inserts
	HasOld bool
	HasNew bool
}

// A Result is how a tool call ended, as far as the agent reports it.
type Result struct {
	OK     *bool
	Exit   *int
	Stdout *string
	Stderr *string
	Text   *string
}

// Does says what a call of a tool does. The zero value means: look at the portable
// name, or, for any other name, at the members of the input.
type Does uint8

const (
	Runs     Does = 1 << iota // runs commands
	Changes                   // changes files
	Deletes                   // deletes files
	Moves                     // moves files
	Nothing                   // none of these, whatever its members are called
	RawShell                  // runs what no shell grammar accepts: PowerShell
	Learned                   // inferred from the members of its input
)
