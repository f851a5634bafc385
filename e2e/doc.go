// Package e2e proves the dispatcher on real coding agents.
//
// Everything here but package model stands behind the build tag e2e:
//
//	go test -tags e2e ./e2e -v
//
// The suite installs each agent from the npm registry (and a Node to run them
// with), builds agents-hooks from this tree, and starts itself again in a
// network namespace that has nothing but loopback. There it lays out, for every
// check, a fresh home directory and a git repository, lets `agents-hooks
// install` write the agent's configuration, drops hook folders, and runs the
// agent without a person against a scripted model (package model). What the
// agent told its model, request by request, is the proof; so are the files that
// commands and hooks left behind.
//
// # Steering
//
// Set in the environment:
//
//	AGENTS_HOOKS_E2E=require      an agent that cannot be installed fails the
//	                              suite; without it, it is skipped with the reason
//	AGENTS_HOOKS_E2E_AGENTS       a comma list of agents; default all
//	AGENTS_HOOKS_E2E_VERSIONS     "latest", or "codex=0.170.0,gemini-cli=latest";
//	                              default the versions in the recipes
//	AGENTS_HOOKS_E2E_CACHE        where packages are kept between runs; default
//	                              agents-hooks-e2e in the user's cache directory
//	AGENTS_HOOKS_E2E_BINARY       test this program rather than building one
//	AGENTS_HOOKS_E2E_REPORT       a file for the table as JSON
//	AGENTS_HOOKS_E2E_KEEP         a folder that keeps each check's home, project
//	                              and model.jsonl, the log of all model requests
//
// # Parts
//
//	agent.go, agents_*.go   the recipes, one file an agent
//	checks_*_test.go        the capabilities, one function each
//	scenes_test.go          what happens to a person, and what they have to see
//	screens_test.go         plays the scenes in terminal interfaces, see below
//	screen.go, terminal/    a recipe's terminal interface; a terminal without a person
//	testdata/screens        the screens as they have to be
//	lab.go                  one fresh machine, and a run of the agent on it
//	packages.go, bench.go   npm, the build, what all checks share
//	namespace_*.go          the network namespace
//	report.go               the table
//	unrun.go                the agents that cannot be run, and why
//
// # Screens
//
// TestScreens starts the interactive interface of each agent that has a recipe for
// it ([Agent].Screen) in a pseudo-terminal, types a prompt, and reads the screen: the
// name of the hook, what it says and the command that helps have to stand there. The
// conversation is held to a golden screen, in which folders, times and spinners are
// masked:
//
//	AGENTS_HOOKS_UPDATE=1 go test -tags e2e ./e2e -run 'TestScreens/gemini-cli'
//
// Look at what that wrote as a person who never saw the tool. Of another version
// than the recipe's only what has to be seen is asked for.
//
// A new agent is one file with its recipe and one line in Agents. A new
// capability is one function and one line in checks; what an agent is known not
// to have stands in its recipe with the reason, and is shown as "cannot". Two
// agents are tested at a time on two cores, or as many as -parallel says.
package e2e
