package protocol

import (
	"strings"
	"time"
)

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
	List    func(dir string) []string // the names of the files in a folder, sorted; nil: none
	Real    func(path string) string  // the path with its links resolved; nil: as it is
}

// Quoting is how a command of the agent is quoted on the site.
func (c *Config) Quoting(s Site) Quoting {
	if s.GOOS == "windows" {
		return c.Windows
	}
	if c.Args {
		return QuoteNone
	}
	return QuoteSh
}

// Starting is how the agent starts an entry on the site.
func (c *Config) Starting(s Site, e Registered) []string {
	command := e.Command
	switch {
	case e.Apart:
		return e.Argv
	case s.GOOS != "windows" && c.Shell != nil:
		return append(c.Shell(s), command)
	case s.GOOS != "windows":
		return []string{"/bin/sh", "-c", command}
	case c.Windows == QuotePowerShell, c.Windows == QuoteNone: // a line of an older install goes there if Git Bash is not found
		return []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", command}
	case c.Windows == QuoteCmd:
		return []string{"cmd.exe", "/d", "/s", "/c", command}
	}
	return []string{"bash.exe", "-c", command}
}

// Getenv is a variable of the environment, "" if there is no environment.
func (s Site) Getenv(name string) string {
	if s.Env == nil {
		return ""
	}
	return s.Env(name)
}

// Has reports whether a file exists.
func (s Site) Has(path string) bool {
	if s.Read == nil {
		return false
	}
	_, err := s.Read(path)
	return err == nil
}

// ByScope is the one path for a project, or the other one for the user.
func (s Site) ByScope(project, user string) string {
	if s.Scope == ProjectScope {
		return project
	}
	return user
}

// Shares reports whether a file of the site goes to others with the project's
// repository. Agents keep only those out of it that they call local.
func (s Site) Shares(file string) bool {
	return s.Scope == ProjectScope && strings.HasPrefix(file, s.Project) && !strings.HasSuffix(file, ".local.json")
}

// Realpath is a path with its links resolved.
func (s Site) Realpath(path string) string {
	if s.Real == nil {
		return path
	}
	return s.Real(path)
}

// Skills is where an agent reads skills, folders with a SKILL.md: nowhere if it is
// the zero value. It is data, so nothing is computed before it is needed.
type Skills struct {
	Project string            // below a project, with slashes
	User    func(Site) string // the folder that contains "skills"
}

// Dir is the folder of skills in the site's scope, "" if there is none.
func (k Skills) Dir(s Site) string {
	switch {
	case k.User == nil:
		return ""
	case s.Scope == ProjectScope:
		return s.Join(s.Project, strings.Split(k.Project, "/")...)
	}
	return s.Join(k.User(s), "skills")
}

// SharedFolder is the user's folder that several agents read.
func SharedFolder(s Site) string { return s.Join(s.Home, ".agents") }

// JSONBeside are the JSON files in the folder of one, whatever their names: that one alone
// where no folder can be listed.
func (s Site) JSONBeside(file string) []string {
	if s.List == nil {
		return []string{file}
	}
	dir := file[:max(0, strings.LastIndexAny(file, `/\`))]
	var list []string
	for _, name := range s.List(dir) {
		if strings.HasSuffix(name, ".json") {
			list = append(list, s.Join(dir, name))
		}
	}
	return list
}

// Join joins elements of a path as the site's system does.
//
//go:noinline
func (s Site) Join(dir string, elements ...string) string {
	sep := "/"
	if s.GOOS == "windows" {
		sep = `\`
	}
	for _, e := range elements {
		if n := len(dir); n == 0 || dir[n-1] != '/' && dir[n-1] != sep[0] {
			dir += sep
		}
		dir += e
	}
	return dir
}

// A Shape is the form in which an agent keeps its entries. In all of JSON,
// comments and trailing commas are allowed, and kept.
type Shape string

const (
	// NestedJSON is a JSON file with groups of entries for each event, an event
	// that is Flat aside:
	//
	//	{"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …, "timeout": …}]}]}}
	NestedJSON Shape = "nested-json"

	// FlatJSON is a JSON file with the entries of each event in a row:
	//
	//	{"version": 1, "hooks": {EVENT: [{"command": …, "timeout": …, "matcher": …}]}}
	FlatJSON Shape = "flat-json"

	// ListJSON is a JSON file with the entries of all events in one row:
	//
	//	{"version": "v1", "hooks": [{"name": …, "trigger": EVENT, "matcher": …,
	//	  "action": {"type": "command", "command": …}, "timeout": …}]}
	ListJSON Shape = "list-json"

	// BlockTOML is a TOML file with a table for each entry, ours between two
	// marks at its end:
	//
	//	[[hooks]]
	//	event = EVENT
	//	command = …
	//	timeout = …
	BlockTOML Shape = "block-toml"

	// Plugin is a program of ours in a file of its own, Config.Text, which calls
	// the dispatcher. What it has to know stands in its line "const ENTRY = null",
	// which install turns into
	//
	//	const ENTRY = {"argv": [PROGRAM, "run", …], "limits": {EVENT: milliseconds}}
	//
	// with a limit for each event that is registered, and no other.
	Plugin Shape = "plugin"

	// Wrappers is a folder, named by Config.File, with one executable file for
	// each event, named after it: a shell script, on Windows EVENT.ps1.
	Wrappers Shape = "wrappers"
)

// A Quoting is the language of the shell that an agent hands a command to.
type Quoting string

const (
	QuoteSh         Quoting = "sh"
	QuotePowerShell Quoting = "powershell"
	QuoteCmd        Quoting = "cmd"

	// QuoteNone is no shell: the command is the program's path, and its arguments are
	// a list beside it, "args".
	QuoteNone Quoting = "none"
)

// A Config says where an agent keeps its entries and how one is spelled. Package
// protocol/install reads and writes them. What is JSON here is a constant text,
// so that it costs a program start nothing.
type Config struct {
	Shape  Shape
	Events string            // the member that holds the events, "hooks"; "" if the whole file does
	File   func(Site) string // the file of the site's scope, "" if the agent has none there
	Unit   time.Duration     // what 1 means as a timeout

	// Named is the "name" of our entry, where the agent shows or switches entries
	// by name; that of a ListJSON entry has its event added.
	Named string

	// EventsIn is Events where that depends on the file; nil if it does not.
	EventsIn func(s Site, file string) string

	// Files are the files of the site's scope where an entry has to stand in more
	// than one, File among them if it is needed; nil for File alone.
	Files func(Site) []string

	// Head is what a file that we create contains before the events, as a JSON object:
	// {"version": 1}. A file that has content already is left as it is.
	Head string

	// Fields is what each entry needs beside its command and its time limit, as a
	// JSON object: {"type": "command"}. The type of a NestedJSON or ListJSON entry
	// need not be named.
	Fields string

	// Label is what an entry is given when it is first written, as a JSON object: what
	// the agent shows of it while it runs. An entry without it is not touched to add
	// it: an approval may depend on its bytes.
	Label string

	// Closed is what an entry gets if its own failure is to block, as a JSON object:
	// {"onFailure": "block"}; "" if the agent continues whatever happens to an entry.
	Closed string

	// Command and Timeout are the members of an entry with the command and the
	// time limit, where they are not "command" and "timeout"; Timeout is "-" where
	// an entry has no time limit of its own.
	Command, Timeout string

	// CommandWindows is Command on Windows, where it differs: "powershell".
	CommandWindows string

	// Text is the source of a Plugin; dispatching an event does not need it.
	Text func() string

	// Beside is another file that a Plugin needs, and its text; "" in a scope without
	// one, nil if there never is. A file that is there already is left as it is.
	Beside func(Site) (file, text string)

	// Windows is the quoting of the shell that the agent uses there; elsewhere
	// it is sh.
	Windows Quoting

	// Args says that an entry names the program and its arguments separately outside
	// Windows too, as QuoteNone does there, although the agent would take one line for
	// a shell.
	Args bool

	// Shell is what the agent hands a command to outside Windows, with the
	// arguments before the command; nil: /bin/sh -c. doctor --probe starts an
	// entry in the same way.
	Shell func(Site) []string

	// Direct is set if no shell runs the command, or none is known to: then an entry
	// cannot check that its program is still there before it starts it.
	Direct bool

	// Off says why the agent will not run our entry, judged by its settings as
	// plain JSON; "" if nothing in them speaks against it.
	Off func(settings Object) string

	// Ledger is the file in which the agent keeps which entries it trusts; nil
	// if it trusts what stands in its configuration.
	Ledger *Ledger
}

// A Ledger is a TOML file in which an agent records which entries its user
// approved, by place and content: in Table, under a name that is the file's and
// the entry's place, Key is a seal of the entry's content. An entry that it does
// not know is skipped without a word, so that install has to record ours.
type Ledger struct {
	File  func(Site) string
	Table string // "hooks.state"
	Key   string // "trusted_hash"

	// Files are the spellings of an entry's file that the agent may use; more
	// than one where that cannot be told.
	Files func(s Site, file string) []string

	Place func(h Handler) string // ":pre_tool_use:0:0"
	Seal  func(h Handler) string // "sha256:…"

	// Enabled is the member beside Key that, if false, switches the entry off.
	Enabled string

	// Off is as in [Config], judged by the ledger's own file: lookup is the value
	// at a path of keys.
	Off func(lookup func(path ...string) (value any, ok bool)) string
}

// A Handler is one entry as it stands in an agent's file.
type Handler struct {
	Event   string // native
	Matcher string
	Matched bool // its group has a matcher, be it empty
	Group   int  // place of its group among the event's
	Index   int  // place of the handler in its group
	Fields  Object
}

// An Entry is what is installed.
type Entry struct {
	// Argv is the dispatcher's command: an absolute path, "run", "--agent=ID" and
	// further flags. It is quoted for the shell that the agent uses; --event=NAME
	// is added for a native event that is Unnamed.
	Argv []string

	// Gone is what the entry tells the user when its program is no longer there, in
	// plain ASCII without quotes: see Config.Direct. "" for an entry that does not
	// check.
	Gone string

	// Events are the native events to register, nil for all that are not Manual.
	Events []string

	// Closed are those on which a failure of the entry itself is to block, even a
	// missing program, if Config.Closed can express that.
	Closed []string
}

// An Edit is one file to be changed. After is nil if the file is to be removed,
// Before if there is none yet.
type Edit struct {
	Path   string
	Before []byte
	After  []byte
	Exec   bool // the file is to be executable
}

// An Installation describes our entries in an agent's configuration.
type Installation struct {
	Entries []Registered
	Notes   []string // what is wrong or worth knowing, one sentence each
}

// A Registered is one entry of ours that was found.
type Registered struct {
	Event   string // native; as it is spelled there if it is none of ours
	File    string
	Line    int
	Command string
	Argv    []string // the command, split
	Apart   bool     // its arguments stand beside the program: no shell starts it
	Timeout time.Duration
	Closed  bool   // a failure of the entry itself blocks: Config.Closed
	Trusted bool   // the agent will run it, as far as its own records tell
	Problem string // what keeps it from running, "" if nothing
}
