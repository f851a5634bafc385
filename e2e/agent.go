//go:build e2e && unix

package e2e

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// An Agent is a recipe: how to get one real coding agent, point it at the scripted
// model and run it unattended, and what it can do. It consists of data and small
// functions; everything done with it is the same for all agents.
type Agent struct {
	ID      string // the argument of `agents-hooks install`
	Mode    string // "", or what is special if an agent has two recipes
	Package string // in the npm registry
	Module  string // the Go module to build it from, where its package in npm does not have the program
	Version string // the version that is tested unless AGENTS_HOOKS_E2E_VERSIONS says otherwise
	Command string // what its users type
	Program string // the file to run, below node_modules; {os} and {arch} as npm spells them; a Module's is Command
	Node    bool   // Program is JavaScript, run by our Node
	Wire    model.Wire

	// Env is what the agent needs in its environment, besides the lab's.
	Env func(l *Lab) []string
	// Prepare writes the configuration that a user of the agent would have before our
	// entry is installed: the provider, and what keeps it from the network.
	Prepare func(l *Lab)
	// Args are the arguments for one unattended prompt.
	Args func(l *Lab, prompt string) []string
	// Resume are the arguments for one more prompt in the last session.
	Resume func(l *Lab, prompt string) []string

	// Serve are the arguments that start the agent as a server, Attach those for one
	// prompt given to it at url. nil if a plain run waits for the hooks of its stop.
	Serve  []string
	Attach func(l *Lab, url, prompt string) []string

	// Asking are the arguments for one prompt under which the agent would ask its user
	// before a command runs; nil if there is no such way when unattended.
	Asking func(l *Lab, prompt string) []string
	// Ask runs a script under which the agent asks, if that takes more than a command
	// line; nil: Asking does.
	Ask func(l *Lab, script model.Script) *Run
	// AskingShell is Shell in a form about which the agent asks; nil if any will do.
	AskingShell func(command string) model.Call
	// Notices says when it notifies its user: "" in any run, "asking" when it asks,
	// "asked by a hook" when a hook makes it ask.
	Notices string

	// Watch are arguments that make the agent show what hooks say to the user, Seen
	// finds a text there. nil: that cannot be seen when unattended.
	Watch []string
	Seen  func(r *Run, text string) bool

	// Settles says what the first run changes in the agent's own settings; "" if they
	// stay the same. Such an agent is run once before they are compared.
	Settles string

	// Config are the files, relative to the home directory, that contain our entry once
	// it is installed. After uninstalling they must be as before.
	Config []string

	// OwnHook adds to the configuration a hook that the user had before us: a command
	// that runs on each prompt.
	OwnHook func(l *Lab, command string)

	// TrustProject makes the agent read its settings in the project, as a user would;
	// nil if nothing is needed.
	TrustProject func(l *Lab)

	// The agent's own tools, as its model calls them.
	Shell func(command string) model.Call

	// MCP is a call of a tool of our MCP server, as a model of this agent makes it;
	// AllowMCP lets it run unattended, nil if it may anyway.
	MCP      func(tool string, args map[string]any) model.Call
	AllowMCP func(l *Lab)
	Failing  model.Call // a call that fails as a tool; without a name: failures are not reported
	// Write makes a file, nil if the agent has no tool for it.
	Write func(path, content string) model.Call
	// Edit replaces a text in a file with the agent's own tool; nil if there is none.
	Edit func(path, old, new string) model.Call
	// Subagent starts a subagent, nil if there are none; Await, if not nil, makes the
	// call that waits for it from the request that follows.
	Subagent func(prompt string) model.Call
	Await    func(r *model.Request) model.Call
	// Finish is the call with which a subagent ends; without a name it ends with a
	// text.
	Finish model.Call
	// ShellTool is the native name of the shell tool in context.native, and ShellKey
	// the key of its command there.
	ShellTool, ShellKey string
	// Native finds the tool and the command in context.native, nil if they are
	// tool_name and tool_input[ShellKey].
	Native func(e event) (tool, command string)

	// StopsBelow says why its stop events also come at the end of a subagent's turn; ""
	// if they do not.
	StopsBelow string
	// Late says why hooks of some events may still run after the agent has ended; "" if
	// it waits for all.
	Late string
	// BlockEnds means that blocking a tool call, other than a shell command, ends the
	// run, so that no model is left to be told the reason.
	BlockEnds bool
	// ShowsUs says why a blocked tool call shows the model our command line; "" if it
	// does not.
	ShowsUs string
	// StopMax is how many times in a row the agent lets hooks make it go on. 0:
	// unlimited.
	StopMax int

	// Screen is its terminal interface, nil if it is not tested.
	Screen *Screen

	// Compact says how to make it compact its context.
	Compact Compaction

	// Apart says why events in a subagent are reported as those of another session; ""
	// if they belong to the session that started it.
	Apart string
	// Untold are the fields, as EVENT.FIELD, that its payloads lack.
	Untold []string

	// Events are the events of the format that reach hooks on this agent; Never says
	// for each of the others why it does not.
	Events []string
	Never  map[string]string

	// Cannot names the capabilities (rows of the table) that the agent lacks, with the
	// reason. They are not tested.
	Cannot map[string]string
	// But names the capabilities that the agent has in its own way, and how.
	But map[string]string
}

// A Compaction is how to make an agent compact its context.
type Compaction struct {
	// Tokens is the claimed cost of the first request, which makes the agent compact by
	// itself. 0: it does not.
	Tokens int
	// Prompt is a command to give to a resumed session. "": none is needed.
	Prompt string
	// Cost is the claimed cost of the last request before the compaction, which also
	// gets a long answer, for agents that abandon a compaction that saves nothing, or
	// that check only then how full the context is. 0: not needed.
	Cost int
	// Summary is the form in which the agent expects a summary. "": any.
	Summary string
	// Mark identifies the request for a summary, if it offers tools like the requests
	// of the conversation, or comes in the same run.
	Mark string
	// After identifies the requests after a compaction, if they no longer contain the
	// prompt.
	After string
}

// Agents lists all recipes, in the order of the table. To add one, write a file
// agents_NAME.go and a line here.
func Agents() []*Agent {
	return []*Agent{
		claudeCode(),
		codex(),
		codexCodeMode(),
		geminiCLI(),
		qoder(),
		qwenCode(),
		copilotCLI(),
		augment(),
		kimiCode(),
		openCode(),
		kilo(),
		cline(),
		pi(),
		factoryDroid(),
		crush(),
	}
}

// Column is the head of the agent's column in the table.
func (a *Agent) Column() string { return strings.TrimSpace(a.ID + " " + a.Mode) }

// writes describes a tool that makes a file, by its name and those of its arguments.
func writes(tool, pathKey, contentKey string) func(path, content string) model.Call {
	return func(path, content string) model.Call {
		return model.Call{Name: tool, Args: map[string]any{pathKey: path, contentKey: content}}
	}
}

// edits describes a tool that replaces a text in a file.
func edits(tool, pathKey, oldKey, newKey string) func(path, old, new string) model.Call {
	return func(path, old, new string) model.Call {
		return model.Call{Name: tool, Args: map[string]any{pathKey: path, oldKey: old, newKey: new}}
	}
}
