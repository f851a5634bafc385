// Package mcp is the MCP server of agents-hooks: it offers the tools of the behaviours to a
// model, over stdin and stdout.
//
//	server.go   what is offered, and calling it
//	tool.go     operations as tools
//	help.go     the tool that lists all tools, and loads more
//	answer.go   answers to a model, and the tool for the rest of one
//	session.go  one client: lines in and out, concurrent requests, cancelling
//	methods.go  the protocol's methods, in each of its versions
//	wire.go     messages of JSON-RPC 2.0, a line each
//	roots.go    where the client is
//
// The protocol is implemented by hand, in five versions: its official library links all of
// HTTP and a second JSON reader, and dropped calls with ids that it could not represent. The
// tests use that library's client as well as hand-written messages.
//
// The package knows no behaviour. It gets [Set]s of operations (package op), as values, and
// adds what they have in common:
//
//   - A set is offered while its behaviour is on in the project, its core tools
//     first, since tools cost the model tokens with each request. The tool [Help] lists
//     the others, and can load a whole set.
//   - Arguments that do not fit the schema are rejected with what would be valid.
//   - Answers are structured, and also given as text. One that is longer than Config.Most
//     characters is cut, and [More] returns the rest.
//   - Every error is an answer that the model can read: a code, what happened, and the
//     fix. So is a panic, which does not end the server.
//
// # Which project
//
// A server is started once for a window of an agent and serves one project: the folder on its
// command line, else the first root that the client reports, else its working directory.
// Protocol 2026-07-28 no longer has roots: its clients must start the server in the project,
// or name it.
package mcp
