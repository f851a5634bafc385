package protocol

import "time"

// A Custom is what the people of an agent write into its configuration themselves:
// where their hooks lie, how an entry is read, and whose protocol these speak.
// import reads it, and no event asks for it; so it is data, which costs a program
// start nothing.
type Custom struct {
	// Files are the files of the site's scope that may hold entries, that of
	// Config among them where it is one; nil for that one alone.
	Files func(Site) []string

	// Private is the end of the names of those files of a project that are kept out
	// of its repository, "" if there are none.
	Private string

	// Speaks is the id of the agent whose protocol its hooks understand, "" if there is
	// none. Why is then the reason; otherwise it is what hooks are not given as they
	// were, and is said of each.
	Speaks string
	Why    string

	// Spelled is the dialect's name of an event that is spelled in the way in which the
	// agent speaks to a hook in its own protocol, and not in that of Speaks; "" for any
	// other spelling. nil if there is one protocol.
	Spelled func(event string) string

	// Own are words of its payloads and answers that the protocol of Speaks does not
	// have: a script that contains one of them needs that word.
	Own []string

	// Misread says what a script of its own protocol takes for something that it is no
	// longer, as there; "" if there is nothing like that. nil: nothing is known.
	Misread func(script string) string

	// Project is the variable that names the project to its hooks, "" if none does.
	Project string

	// Variables are those of its hooks' environment that have another name in the
	// protocol of Speaks.
	Variables []Renamed

	// Limit is the time limit of an entry without one, 0 if it is not known; Limits are
	// those of events that have another.
	Limit  time.Duration
	Limits []EventLimit

	// Millis is the smallest number that means milliseconds where Config.Unit is
	// seconds; 0 if none does.
	Millis int

	// Lists says that a matcher of plain words, | , commas and blanks is a list of
	// whole names and not an expression.
	Lists bool

	// Whole says that a matcher has to match the whole of the name.
	Whole bool

	// Grouped says that "async" of a group holds for those of its entries that do not
	// set it.
	Grouped bool

	// Subjects are the events without a tool whose matchers are tried on something.
	Subjects []string

	// Beside says that the user's own hooks run in the folder of the file that names
	// them, and a project's in its root, and not where the session is.
	Beside bool

	// Skipped are the names and commands of single entries that its settings switch off;
	// nil if it knows no such list.
	Skipped func(settings Object) []string

	// Plugins are how its plugins carry hooks; nil if they carry none.
	Plugins *Plugins

	// Notify is a member of its file with a program that is called when a turn is
	// over, in a form of its own; "" if there is none. NotifyLine is that call as a line
	// for sh, which reads what a Stop hook of Speaks reads, with PROGRAM for the program;
	// NotifyLacks says what is not in it.
	Notify, NotifyLine, NotifyLacks string
}

// A Renamed is a variable of a hook's environment, and its name in another protocol.
type Renamed struct{ Name, As string }

// An EventLimit is the time limit of an entry of an event that names none.
type EventLimit struct {
	Event string
	Limit time.Duration
}

// Plugins are folders with hooks and their scripts.
type Plugins struct {
	Manifest string // below a plugin, with slashes
	Hooks    string // the file of hooks that counts unless the manifest names one
	Root     string // the variable that names the folder of a plugin to its hooks

	// Index is the file in which the agent lists the plugins that are installed, and
	// Switch the member of its settings that says which of them are on.
	Index  func(Site) string
	Switch string
}
