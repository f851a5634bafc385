//go:build e2e && unix

package e2e

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// An Agent is a recipe: how one real coding agent is had, pointed at the
// scripted model and run without a person, and what it can do. It is data and
// small functions; everything that is done with it is the same for all agents.
type Agent struct {
	ID      string // what `agents-hooks install` takes
	Mode    string // "" or what is special, where an agent has two recipes
	Package string // in the npm registry
	Module  string // the Go module to build it from, where its package in npm does not have the program
	Version string // the version that is tested unless AGENTS_HOOKS_E2E_VERSIONS says otherwise
	Command string // what its users type
	Program string // the file to run, below node_modules; {os} and {arch} as npm spells them; a Module's is Command
	Node    bool   // Program is JavaScript, run by our Node
	Wire    model.Wire

	// Env is what the agent needs in its environment, on top of the lab's.
	Env func(l *Lab) []string
	// Prepare writes the configuration that a user of the agent would have
	// before our entry is installed: the provider, and what keeps it quiet.
	Prepare func(l *Lab)
	// Args are the arguments for one prompt without a person.
	Args func(l *Lab, prompt string) []string
	// Resume are the arguments for one more prompt in the last session.
	Resume func(l *Lab, prompt string) []string

	// Serve are the arguments that start the agent as a server, Attach those of
	// one prompt that is given to it at url. nil if a plain run waits for what
	// hooks make of its stop.
	Serve  []string
	Attach func(l *Lab, url, prompt string) []string

	// Asking are the arguments for one prompt under which the agent would ask its
	// person before a command runs; nil if there is no such way without one.
	Asking func(l *Lab, prompt string) []string
	// Ask runs a script under which the agent asks, where that takes more than a
	// command line; nil: Asking does.
	Ask func(l *Lab, script model.Script) *Run
	// AskingShell is Shell in a form for which it asks; nil if any will do.
	AskingShell func(command string) model.Call
	// Notices says when it tells its person something: "" at any run, "asking"
	// where it asks, "asked by a hook" where a hook makes it ask.
	Notices string

	// Watch are arguments that make the agent show what hooks have for the
	// person, Seen finds a text there. nil: that cannot be seen without a person.
	Watch []string
	Seen  func(r *Run, text string) bool

	// Settles says what the first run changes in the agent's own settings; "" if
	// they stay as they are. Such an agent is run once before we compare them.
	Settles string

	// Config are the files, relative to the home directory, that hold our entry
	// once it is installed. They must be as before once it is uninstalled.
	Config []string

	// OwnHook adds to the configuration a hook that the user had before us: a
	// command that runs when a prompt comes in.
	OwnHook func(l *Lab, command string)

	// TrustProject does what a user does so that the agent reads its settings in
	// the project, nil if nothing is needed.
	TrustProject func(l *Lab)

	// The agent's own tools, as its model calls them.
	Shell func(command string) model.Call

	// MCP is a call of a tool of our MCP server, as a model of this agent makes
	// it; AllowMCP lets it be called without a person there, nil if it may be.
	MCP      func(tool string, args map[string]any) model.Call
	AllowMCP func(l *Lab)
	Failing  model.Call // a call that fails as a tool; without a name: failures are not reported
	// Write makes a file, nil if the agent has no tool for that.
	Write func(path, content string) model.Call
	// Edit replaces a text in a file, with the tool that the agent has for that; nil
	// if there is none.
	Edit func(path, old, new string) model.Call
	// Subagent starts a subagent, nil if there is none; Await, if it is not nil,
	// is the call that waits for it, made of the request that follows.
	Subagent func(prompt string) model.Call
	Await    func(r *model.Request) model.Call
	// Finish is the call with which a subagent ends; without a name it ends with
	// a text.
	Finish model.Call
	// ShellTool is the native name of the shell tool, as it stands in
	// context.native, and ShellKey the key of its command there.
	ShellTool, ShellKey string
	// Native finds the tool and the command in context.native, nil where they
	// stand as tool_name and tool_input[ShellKey].
	Native func(e event) (tool, command string)

	// StopsBelow says why its stop events also come at the end of a subagent's
	// turn; "" if they do not.
	StopsBelow string
	// Late says why hooks of some events may still run when the agent has ended;
	// "" if it waits for all.
	Late string
	// BlockEnds: a block of a tool call ends the run, so that there is no model
	// left to be told the reason; but for a command of the shell.
	BlockEnds bool
	// ShowsUs says why a block of a tool call tells the model our command line; "" if
	// it does not.
	ShowsUs string
	// StopMax is how often in a row the agent lets hooks make it go on, whatever
	// they say. 0: as often as they like.
	StopMax int

	// Screen is its terminal interface, nil if that is not driven.
	Screen *Screen

	// Compact says how its context comes to be compacted.
	Compact Compaction

	// Apart says why what happens in a subagent is told as what happens in another
	// session; "" if it is told as part of the one that started it.
	Apart string
	// Untold are the fields, as EVENT.FIELD, that its payloads do not have.
	Untold []string

	// Events are the events of the format that reach hooks on this agent; Never
	// says why each other one does not.
	Events []string
	Never  map[string]string

	// Cannot names the capabilities (rows of the table) that the agent does not
	// have, with the reason. What stands here is not tested.
	Cannot map[string]string
	// But names the capabilities that the agent has in a way of its own, and how.
	But map[string]string
	// Proves are the only capabilities that are tested, nil for all; Instead says
	// what stands for the others.
	Proves  []string
	Instead string
}

// A Compaction is how to make an agent compact its context.
type Compaction struct {
	// Tokens is what the model claims the first request to have cost, so that
	// the agent compacts by itself. 0: it does not.
	Tokens int
	// Prompt is a command that is given to a resumed session. "": none is needed.
	Prompt string
	// Cost is what the model claims the last request before the compaction to have
	// cost, and much is said in it, where the agent gives up a compaction that
	// saves nothing, or looks only then how full its context is. 0: it does not.
	Cost int
	// Summary is the form in which the agent wants a summary. "": any.
	Summary string
	// Mark stands in the request for a summary, where that offers tools as the
	// requests of the conversation do, or comes in the same run.
	Mark string
	// After stands in the requests after a compaction, where those no longer say
	// the prompt.
	After string
}

// Agents are all recipes, in the order of the table. To add one, write a file
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

// Column is the agent's name in the table.
func (a *Agent) Column() string { return strings.TrimSpace(a.ID + " " + a.Mode) }

// writes is a tool that makes a file, by its name and those of what it takes.
func writes(tool, pathKey, contentKey string) func(path, content string) model.Call {
	return func(path, content string) model.Call {
		return model.Call{Name: tool, Args: map[string]any{pathKey: path, contentKey: content}}
	}
}

// edits is a tool that replaces a text in a file.
func edits(tool, pathKey, oldKey, newKey string) func(path, old, new string) model.Call {
	return func(path, old, new string) model.Call {
		return model.Call{Name: tool, Args: map[string]any{pathKey: path, oldKey: old, newKey: new}}
	}
}
