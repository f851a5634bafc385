package discovery

import (
	"cmp"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A LayerName says where a hook comes from. Later layers override earlier ones.
type LayerName string

const (
	BuiltinLayer LayerName = "builtin"
	SystemLayer  LayerName = "system"
	UserLayer    LayerName = "user"
	ProjectLayer LayerName = "project"
)

// A Status says whether a hook can run at all.
type Status string

const (
	Ready      Status = "ready"
	Disabled   Status = "disabled"
	Untrusted  Status = "untrusted"
	Overridden Status = "overridden"
	Broken     Status = "broken"
	Foreign    Status = "foreign"
)

// A Hook is one hook folder.
type Hook struct {
	Name        string
	Description string
	Layer       LayerName
	Dir         string // absolute path of the folder
	Project     string // the project that it comes with, "" if with none
	Copy        string // the approved copy that is run instead, "" if Dir itself is used
	File        string // its HOOK.md
	Entry       Entry
	// Refused is when the user refused the current state of an untrusted hook, "" if
	// they did not; at an event it is set only after a call of [Set.Untrusted].
	Refused string
	// Changed is set on an untrusted hook that the user approved in another state.
	Changed bool
	// Behaviour is the behaviour that a built-in hook belongs to, "" for any other hook.
	Behaviour string
	// Plugin is the plugin that the hook comes with, whose folder is Dir; "" for a
	// folder with a HOOK.md.
	Plugin string

	Trigger  protocol.EventType
	Matcher  Matcher
	Timeout  time.Duration
	Async    bool
	Priority int
	OnError  OnError // how its failure counts: settings, then metadata, "" for the default
	// LoopLimit is metadata.loop_limit: how many times in a row this hook may make the
	// agent go on, 0 for the general limit.
	LoopLimit int
	// MayAllow is metadata.may_allow of one of the user's hooks: its allow gives a
	// permission in the user's place.
	MayAllow bool

	// Insists is metadata.on_unsupported: if the input of a call cannot be changed as
	// the hook says, the call is blocked.
	Insists bool

	// Dialect is metadata.dialect, and Tongue its implementation: the protocol that the
	// hook uses. "" and nil: the format's own.
	Dialect string
	Tongue  *protocol.Tongue

	// Aside is metadata.event: the only event of that protocol on which the hook runs,
	// if no trigger names it.
	Aside string

	// PluginRoot is the plugin folder of a hook of another program's plugin, "" for its
	// own folder.
	PluginRoot string

	// Command is metadata.command, which is run in place of scripts/run.
	Command Command

	// Sandbox is the hook's sandbox; nil: none.
	Sandbox *Sandbox

	// DenyJSON means that "decision": "deny" from this hook blocks even with exit 0:
	// the general setting, or the project's for its own hooks.
	DenyJSON bool

	Status       Status
	Trusted      bool      // always outside the project layer
	OverriddenBy string    // layer and folder of the hook that takes its place
	DisabledBy   string    // what switched it off: a file:line, or an environment name
	LeftOut      []LeftOut // the agents in which it does not run
	Held         *Hold     // the lock that holds it, nil if none does
	Problems     []Problem

	near   *Set                     // the set that it belongs to
	folder string                   // base name of Dir
	late   bool                     // known only after the project was read
	place  int                      // of several directories of a layer, counted from 0
	start  start                    // what was read of its HOOK.md, if it comes with a project
	given  [keyCount]bool           // the keys that its HOOK.md itself sets
	at     [matcherKeys]field       // the places of the matcher's keys
	nameAt field                    // and of the name
	vouch  func(*Hook)              // checks whether it is trusted, before a stranger's expression is tried
	admit  func(*Hook)              // checks what is still open when it is about to run
	tried  [matcherKeys]*expression // the matcher's expressions, once compiled
}

// An Entry is what is started for a hook: a program or, for a built-in hook, a function
// with the same contract.
type Entry struct {
	Path string   // the file, "scripts/run" resolved
	Argv []string // the command line, including the path ("sh", "…/run.sh")

	// Filled means that ${NAME} in a word of Argv is replaced by the hook's variable,
	// since no shell does it.
	Filled bool

	// Builtin marks a built-in hook: a function of the program, which a runner finds by
	// the hook's name. Path and Argv are empty then.
	Builtin bool
}

// OnError says what happens if a hook ends without a verdict.
type OnError string

const (
	OnErrorDefault OnError = ""
	OnErrorAllow   OnError = "allow"
	OnErrorBlock   OnError = "block"
)

// FailureBlocks says why a failure of the hook blocks an event of type t, "" if it does
// not; general is what the settings say of all hooks. program means that it does so because
// the program that the hook was written for does, which says nothing of its time limit and
// its answers ([protocol.Tongue.Shuts]). Who wrote on_error wants it otherwise.
func (h *Hook) FailureBlocks(t protocol.EventType, general OnError) (why string, program bool) {
	switch {
	case cmp.Or(h.OnError, general) == OnErrorBlock:
		return `on_error = "block"`, false
	case h.OnError == OnErrorDefault && h.Tongue.FailsClosed(t):
		return "as in " + h.Tongue.Name, true
	}
	return "", false
}
