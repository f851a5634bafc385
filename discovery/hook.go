package discovery

import (
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
	Copy        string // the approved copy of it that is run, "" if it is run where it lies
	File        string // its HOOK.md
	Entry       Entry
	// Refused is when the user refused the current state of an untrusted hook, "" if
	// they did not; at an event it is set after [Set.Untrusted] was called.
	Refused string
	// Plugin is the plugin that the hook comes with, whose folder is Dir; "" for a
	// folder with a HOOK.md.
	Plugin string

	Trigger  protocol.EventType
	Matcher  Matcher
	Timeout  time.Duration
	Async    bool
	Priority int
	OnError  OnError // how its failure counts: settings, then metadata, "" for the default
	// LoopLimit is metadata.loop_limit: how often in a row this hook may make the agent
	// go on, 0 for the general limit.
	LoopLimit int
	// MayAllow is metadata.may_allow of one of the user's hooks: its allow gives a
	// permission in the user's place.
	MayAllow bool

	// Insists is metadata.on_unsupported: a call whose input cannot be changed as the
	// hook says is blocked.
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

	// DenyJSON says that "decision": "deny" with exit 0 of this hook blocks: the
	// general setting, or that of the project for its own hooks.
	DenyJSON bool

	Status       Status
	Trusted      bool      // always outside the project layer
	OverriddenBy string    // layer and folder of the hook that stands in its place
	DisabledBy   string    // what switched it off: a file:line, or an environment name
	LeftOut      []LeftOut // the agents in which it does not run
	Held         *Hold     // the lock that holds it, nil if none does
	Problems     []Problem

	near   *Set                     // that it was found with
	folder string                   // base name of Dir
	late   bool                     // known only once the project was looked into
	place  int                      // of several directories of a layer, the first is 0
	start  start                    // of its HOOK.md as it was read, if that comes with a project
	given  [keyCount]bool           // what its HOOK.md says itself
	at     [matcherKeys]field       // where the keys of the matcher stand
	nameAt field                    // and the name
	vouch  func(*Hook)              // asks whether it is trusted, before a stranger's expression is tried
	admit  func(*Hook)              // asks what is left to be known once it is about to run
	tried  [matcherKeys]*expression // the matcher's expressions, once they were asked
}

// An Entry is what is started for a hook: a program, or for a built-in hook a function
// with the same contract.
type Entry struct {
	Path string   // the file, "scripts/run" resolved
	Argv []string // what is executed, the path included ("sh", "…/run.sh")

	// Filled says that ${NAME} in a word of Argv is replaced by the hook's variable,
	// since no shell does that.
	Filled bool

	// Builtin is set for a built-in hook: a function of the program, which a runner
	// finds by the hook's name. Path and Argv are empty then.
	Builtin bool
}

// OnError is a policy for a hook that ended without a verdict.
type OnError string

const (
	OnErrorDefault OnError = ""
	OnErrorAllow   OnError = "allow"
	OnErrorBlock   OnError = "block"
)
