// Package mcp is the MCP server of agents-hooks: the tools of the behaviours for
// a model, over stdin and stdout.
//
//	server.go   what is offered, and a call of it
//	tool.go     operations as tools
//	help.go     the tool that says what there is, and loads more
//	answer.go   what a model is answered, and the tool for the rest of it
//	session.go  one client: lines in and out, requests side by side, their end
//	methods.go  what the protocol asks, in each of its versions
//	wire.go     messages of JSON-RPC 2.0, a line each
//	roots.go    where the client is
//
// The protocol is spoken by hand, in five versions: its official library links all of
// HTTP and a second reader of JSON, and it left out calls whose ids it could not
// keep. The tests speak to the server by that library's client, and by hand.
//
// The package knows nothing of any behaviour. It is given [Set]s of operations
// (package op), as values, and adds what all of them have in common:
//
//   - A set is offered while its behaviour is on in the project, its core tools
//     first: tools cost the model tokens with each request. The tool named
//     [Help] says what else there is, and can load a whole set.
//   - Arguments that do not fit the table which the schema is made of are told of
//     with what would.
//   - Answers are structured, with the same as text beside it. One that is
//     longer than Config.Most characters is cut, and [More] gives the rest.
//   - Whatever goes wrong is an answer that the model can read: a code, what
//     happened, and how to mend it. A panic is one too, and ends nothing.
//
// # Which project
//
// A server is started once for a window of an agent and asked about one project:
// the folder that its command line names, else the first root that the client
// tells of, else where it was started. Protocol 2026-07-28 has no roots any more:
// a client that speaks it has to start the server in the project, or name it.
package mcp
