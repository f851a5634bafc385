// Package protocol holds what crosses a process boundary, and nothing else.
//
// An [Event] is what a hook reads on its standard input. An [Outcome] is what
// the hooks of one event decided, folded into one value. A [Dialect] is one
// coding agent: how its payload becomes events, how an outcome becomes the
// answer it understands, what it can carry at each of its events, and how our
// one dispatcher entry is written into its configuration.
//
// The path of one event is straight:
//
//	bytes → Dialect.Decode → []*Event → (hooks run) → Outcome → Dialect.Fit → Dialect.Encode → Reply → bytes
//
// Three rules shape the types here:
//
//   - No opinion is not allow. The zero [Decision] says nothing, and each
//     dialect has its own way of saying nothing.
//   - The payload survives. An agent's payload is kept in context.native with
//     its values, its key order and its number literals; fields that nobody
//     here has heard of reach the hook. [Object] exists for that: a JSON object
//     that keeps its order and its literals, which a Go map does not.
//   - What an agent cannot carry is dropped openly. [Dialect.Fit] cuts an outcome
//     down to what [Can] says about the event, and returns each loss by name, also
//     what Encode will leave out: all is known before an answer is put together.
//
// The package imports nothing of ours and starts no process, opens no file and
// reads no clock. Each agent lives in a folder of its own below this one, and
// package protocol/agents lists them. Package protocol/install writes an agent's
// configuration; it stands apart because it links editors of JSON and TOML.
//
// # An agent more
//
// A folder with a package variable Dialect, and a line in package
// protocol/agents. In the folder: the events and what their answers can carry,
// the table of tools, the quirks with their numbers, decode and encode, where the
// entries stand and in which of the shapes ([Config]): no code of package
// protocol/install has to know of a new agent, unless it has a shape of its own.
// Agents that speak like Claude Code share protocol/internal/claudelike. Beside it,
// page.md with what a user should know, of which docs/agents is made (its test, with
// AGENTS_HOOKS_UPDATE=1, writes it), and testdata/payloads with what the agent
// sends; the tests of package protocol/internal/dialecttest pin what becomes of
// it, and those of package protocol/agents hold the newcomer to the rules that
// hold on every agent, without being told of it; where the newcomer
// cannot keep one, testdata/rules.txt in its folder says so.
//
// A dialect is a composite literal of constants and functions: the linker lays it
// out, and it costs a program start nothing.
package protocol
