// Package e2e tests the dispatcher with real coding agents.
//
// Everything here except package model needs the build tag e2e:
//
//	go test -tags e2e ./e2e -v
//
// The suite installs each agent from the npm registry (and a Node to run them
// with) or builds it from its Go module, builds agents-hooks from this tree, and starts
// itself again in a network namespace that has only loopback. There it creates, for every check, a new
// home directory and a git repository, lets `agents-hooks install` write the agent's
// configuration, adds hook folders, and runs the agent unattended against a scripted
// model (package model). The checks examine the agent's requests to its model, and the
// files that commands and hooks left behind.
//
// # Options
//
// In the environment:
//
//	AGENTS_HOOKS_E2E=require      an agent that cannot be installed fails the
//	                              suite; without it, it is skipped with the reason
//	AGENTS_HOOKS_E2E_AGENTS       a comma list of agents; default all
//	AGENTS_HOOKS_E2E_VERSIONS     "latest", or "codex=0.170.0,gemini-cli=latest";
//	                              default the versions in the recipes
//	AGENTS_HOOKS_E2E_CACHE        where packages are kept between runs; default
//	                              agents-hooks-e2e in the user's cache directory
//	AGENTS_HOOKS_E2E_BINARY       test this program instead of building one
//	AGENTS_HOOKS_E2E_REPORT       a file for the table as JSON
//	AGENTS_HOOKS_E2E_KEEP         a folder that keeps each check's home, project
//	                              and model.jsonl, the log of all model requests
//
// With -short, agents take turns: of the checks and scenes that several agents have, each
// agent plays every second one, and its neighbours in the list the others.
//
// # Parts
//
//	agent.go, agents_*.go   the recipes, one file an agent
//	checks_*_test.go        the capabilities, one function each
//	scenes_test.go          situations of a user, and what they must see
//	screens_test.go         plays the scenes in terminal interfaces, see below
//	screen.go, terminal/    a recipe's terminal interface; an unattended terminal
//	testdata/screens        the expected screens
//	lab.go                  one fresh machine, and a run of the agent on it
//	packages.go, module.go  programs of npm, and those built from a Go module
//	bench.go                the build of ours, what all checks share
//	namespace_*.go          the network namespace
//	report.go               the table
//	unrun.go                the agents that cannot be run, and why
//
// # Screens
//
// TestScreens starts the interactive interface of each agent that has a recipe for
// it ([Agent].Screen) in a pseudo-terminal, types a prompt, and reads the screen: the
// name of the hook, its message and the command that helps must be there. The conversation
// is compared with a golden screen, in which folders, times and spinners are masked:
//
//	AGENTS_HOOKS_UPDATE=1 go test -tags e2e ./e2e -run 'TestScreens/gemini-cli'
//
// Read the result like somebody who has never seen the tool. For a version other than the
// recipe's only the required texts are checked.
//
// A new agent is one file with its recipe and one line in Agents. A new capability is one
// function and one line in checks; a recipe lists, with the reason, what the agent is known
// not to support, which is shown as "cannot". Two agents are tested at a time on two cores,
// or as many as -parallel says.
package e2e
