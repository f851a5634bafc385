// Package behaviour defines a built-in behaviour, and the contract between its hooks
// and their caller.
//
// A hook is a function of a [Call]: the event, the effective settings, and the [Runtime],
// which is all that it may know of the machine. It puts its answer into Call.Answer.
// [Main] wraps it in the contract of a process: bytes in, bytes out, an exit code.
//
// # Fail open
//
// Any error (an unreadable event, a missing file, a lock that stays taken) ends with
// exit 0. The error becomes the "log" of the answer, which goes into the run log; the
// agent does not see it.
//
// # Time
//
// The context of a call ends a tenth before the hook's own limit, so that a waiting
// hook can still answer with what it has.
//
// # Once
//
// Some agents run the configurations of two programs, and so call everything twice. The
// same event of the same session within two seconds gets the first answer again. This
// does not apply to hooks on tool events, where the dispatcher guards calls that have
// an id and records are deduplicated by digest, nor to hooks that only read
// ([Hook].Fresh).
package behaviour

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Behaviour is a set of hooks with one switch and one table of settings.
type Behaviour struct {
	Name     string
	Purpose  string // one line, for people
	Hooks    []Hook
	Settings func() []setting.Setting
	// Files is the behaviour's folder: hooks/NAME/HOOK.md of each hook, and
	// guide/en.md and guide/zh.md if agents are told of it; nil: the one beside the
	// list, by its name.
	Files fs.FS
	// Ops are its operations, for people and for models; nil if it has none, or if
	// they need what no event may link (package tables joins those).
	Ops func(*Runtime) []op.Op
	// Markers are files below a project's root that switch the behaviour off
	// there, by slash-separated paths.
	Markers []string
	// Keys are the keys that its settings hold, or the files of the person that it
	// knows, each with the server that it goes to; nil if it has none.
	Keys func(v setting.Values, home string) []setting.Key
	// OffEnv are variables of other programs that switch it off, if they are set
	// to anything but 0, false, no or off.
	OffEnv []string
}

// Reader finds the settings of a behaviour as its hooks find them.
func (b *Behaviour) Reader(w *Runtime) setting.Reader {
	return setting.Reader{Behaviour: b.Name, Table: b.Settings(), Files: w.Settings}
}

// Variable is the environment variable that switches a behaviour on or off.
func (b *Behaviour) Variable() string {
	return "AGENTS_HOOKS_" + strings.ToUpper(strings.ReplaceAll(b.Name, "-", "_"))
}

// A Hook is one built-in hook. All but Run stands in its HOOK.md too; a test
// holds the two equal, and an event reads no file for it.
type Hook struct {
	Name        string
	Description string
	Trigger     protocol.EventType
	Tool        string // matcher.tool
	Timeout     time.Duration
	Async       bool
	Priority    int
	LoopLimit   int
	// Fresh is that the hook looks at the files each time, also at the same event
	// twice: it changes nothing that a second call could change again, and what it
	// says may be another thing a second later.
	Fresh bool
	Run   func(*Call) error
	// Idle reports at little cost that Run would do nothing; then nothing is
	// written either, not even that the event was there. nil: Run decides.
	Idle func(*Call) bool
}

// A Runtime is what a hook may know of the machine. Nothing in it is nil, except
// where a comment says so.
//
// Clock, random numbers, folders and commands are given to a hook. An
// HTTP client is not among them, because no hook links one: what asks the network
// is a command, and its packages are given the client by their caller.
type Runtime struct {
	Home  string // the person's home directory
	State string // …/agents-hooks
	Cache string
	Data  string
	// Config is …/agents of the person; "" if there is none.
	Config string
	// Approved looks up what was approved of the project of a working directory; what
	// it returns reports whether something that is no hook was approved as it is,
	// by its name in the record of approvals and its folder, and where the approved
	// bytes lie. nil: nothing was.
	Approved func(workDir string) func(name, dir string) (from string, ok bool)
	// Always reports whether whatever a project brings counts, approved or not, for
	// a working directory; nil: it never does.
	Always func(workDir string) bool
	// Repository is the folder that what is known of a project is kept under, the
	// same for all worktrees of a repository; nil: the project itself.
	Repository func(root string) string
	// On reports whether the hooks of a behaviour run for a working directory; nil:
	// nobody can tell, as in the program that runs on events.
	On func(behaviour, workDir string) bool
	// NoProject says that nothing of a project counts, and nothing is said of it.
	NoProject bool

	// Session is the directory of an agent's session in the state directory.
	Session func(id string) string
	Now     func() time.Time
	Random  func() uint64

	// Settings is [builtin.NAME] as the hooks.toml files say it, for a working
	// directory.
	Settings func(behaviour, workDir string) map[string]any

	// Usage is how full the model's context is as the agent's transcript tells, for an
	// event that does not say it. It reads the end of a file; nil: nothing is known.
	Usage func() protocol.Usage
	// Final is what the model said last in the turn that the agent's transcript ends in, ""
	// if nothing. It reads the end of a file; nil: transcripts do not tell it.
	Final func() string
	// Headless reports whether the session runs without a person, as its transcript
	// tells; nil: whoever calls would not ask a hook what the agent is to go on with.
	Headless func() (headless, known bool)

	// Program is agents-hooks itself, the one with all commands; "" if nobody
	// knows where it is.
	Program func() string
	// Touched is told each path below a project before it is opened, listed or
	// changed: a test so finds them all. nil: nobody is.
	Touched func(path string)
	// Refused is told what below a project was not opened, where no answer to an
	// event says so: of commands and tools. nil: nobody is.
	Refused func(error)
	// Unnoted is told why something could not be noted as written here, or is not sent
	// to a server, likewise.
	Unnoted func(error)
	// Tool runs a command of agents-hooks, and returns what it printed. It is for
	// what this program does not link.
	Tool func(ctx context.Context, dir string, env []string, stdin []byte, args ...string) ([]byte, error)
	// Git runs git in a directory, and returns what it printed; nil: there is none.
	Git func(ctx context.Context, dir string, env []string, args ...string) ([]byte, error)
	// Shell runs a line of a shell in a directory to its end, or to that of ctx, unless a
	// guard of the person's is against it, and returns what it wrote. An error is that it
	// did not run, or not to its end; nil: nothing of that kind is run.
	Shell func(ctx context.Context, dir string, env []string, session, line string) (exit int, said string, err error)
	// Words is the file in a cache of the words that mean nearly the same, which a command
	// unpacks when it first compares texts; nil: there is none.
	Words func(cache string) string
	// Processes are the ones that this process descends from, the nearest first, and where
	// these numbers mean processes: on a machine, in a container. nil: nobody knows.
	Processes func() (where string, pids []int)
	// Detach starts a command of agents-hooks that nobody waits for.
	Detach func(dir string, env []string, args ...string) error

	// TextBudget is how many characters the built-in hooks of one event may add
	// together: each takes what it uses, in the order of priority, so
	// that the last ones are shortened first.
	TextBudget int

	undo undo
}

// An undo is what puts back what the answers of one event used up. Hooks that
// were given up may still be running.
type undo struct {
	mu   sync.Mutex
	list []func()
}

// Dropped puts back what the hooks of the event said and nobody was told.
func (w *Runtime) Dropped() {
	w.undo.mu.Lock()
	list := w.undo.list
	w.undo.list = nil
	w.undo.mu.Unlock()
	for _, f := range list {
		f()
	}
}

func (w *Runtime) given(f func()) {
	w.undo.mu.Lock()
	w.undo.list = append(w.undo.list, f)
	w.undo.mu.Unlock()
}

// DefaultTextBudget is the TextBudget of an event, in characters.
const DefaultTextBudget = 8000

// A Call is one event for one hook.
type Call struct {
	Ctx      context.Context
	Runtime  *Runtime
	Env      []string
	Event    protocol.Object
	Settings setting.Values
	State    session.Dir // of the session; remembers nothing if the event names none
	Now      time.Time   // when the call came in

	Answer protocol.Outcome
	// Unanswered is called if the answer could not be given, or what it adds was
	// dropped because another hook blocked, to put back what it would have used
	// up; nil if there is nothing.
	Unanswered func()

	refused []string // not opened
	unnoted []string // why something could not be noted as written here
	reader  setting.Reader
	below   func(dir string) *beneath.Root
	ledgers func(root string) *ledger.Ledger
}

// Getenv is a variable of the hook's environment, "" if there is none.
func (c *Call) Getenv(name string) string { return setting.Getenv(c.Env, name) }

// Session is the id of the agent's session.
func (c *Call) Session() string { return c.Event.Text("session_id") }

// WorkDir is where the agent works.
func (c *Call) WorkDir() string { return c.Event.Text("work_dir") }

// Project is the root of the project or, where there is none, where the agent
// works; after [Call.Home] that of the session.
func (c *Call) Project() string {
	if dir := c.Getenv(projectDir); dir != "" {
		return dir
	}
	return c.WorkDir()
}

// Stopped reports whether the user stopped the tool call that the event is about.
func (c *Call) Stopped() bool { return c.Event.Sub("context").Sub("native").Bool("is_interrupt") }

// Names are what the agent is to call our commands by: read when a text needs
// them, and only then.
func (c *Call) Names() toolref.Names {
	var marker []byte
	if file := toolref.File(c.Runtime.State, c.Event.Sub("context").Text("agent")); file != "" {
		marker, _ = safefile.Read(file, 4<<10)
	}
	return toolref.Of(marker, c.Project(), c.Runtime.Program())
}

// Can reports whether the answer to this event can carry something: block, ask,
// modify, context, continue, message. An event in the format's own form that
// does not say can carry all that its type allows.
func (c *Call) Can(what string) bool {
	list := c.Event.Sub("context").Get("can")
	if list == nil {
		return canByType(protocol.EventType(c.Event.Text("event_type")), what)
	}
	return slices.ContainsFunc(protocol.ElementsOf(list), func(w protocol.Raw) bool { return protocol.TextOf(w) == what })
}

// canByType is what the format itself lets an event carry.
func canByType(t protocol.EventType, what string) bool {
	switch what {
	case "continue":
		return t == protocol.PreAgentTurnStop || t == protocol.PostSubagent
	case "context":
		return t != protocol.PostSession && t != protocol.PreContextCompact && t != protocol.PreAgentTurnStop
	}
	return true
}

// MayContinue reports whether a hook may ask the agent to go on: it stops for
// the first time (stop_active always wins), and can be asked. That several
// hooks ask at once is no matter: the runner makes one message of them.
func (c *Call) MayContinue() bool {
	return !c.Event.Bool("stop_active") && c.Can("continue")
}
