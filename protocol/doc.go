// Package protocol defines what crosses a process boundary, and nothing else.
//
// An [Event] is what a hook reads on its standard input. An [Outcome] is the
// merged decision of the hooks of one event. A [Dialect] describes one coding agent:
// how its payload becomes events, how an outcome becomes an answer that it
// understands, what it can carry at each of its events, and how our dispatcher's
// entry is written into its configuration.
//
// The path of one event is straight:
//
//	bytes → Dialect.Decode → []*Event → (hooks run) → Outcome → Dialect.Fit → Dialect.Encode → Reply → bytes
//
// Three rules shape these types:
//
//   - No opinion is not allow. The zero [Decision] is no opinion, and each dialect has
//     its own form for that.
//   - The payload survives. An agent's payload is kept in context.native with its
//     values, key order and number literals, and unknown fields reach the hook.
//     [Object] exists for that: unlike a Go map, it keeps the order and the literals.
//   - What an agent cannot carry is never dropped silently. [Dialect.Fit] reduces an
//     outcome to what [Can] allows at the event, and returns each loss by name,
//     including what Encode will leave out, before the answer is encoded.
//
// The package imports no other package of this module, starts no process, opens no
// file and reads no clock. Each agent has a folder below this one, and package
// protocol/agents lists them. Package protocol/install writes an agent's configuration;
// it is separate because it links editors for JSON and TOML.
//
// # Adding an agent
//
// A new agent is a folder with a package variable Dialect, and a line in package
// protocol/agents. The folder has the events and what their answers can carry, the
// table of tools, the numbered quirks, decode and encode, and where the entries are
// and in which shape ([Config]). Package protocol/install needs no change, unless the
// agent has a new shape. Agents with Claude Code's wire format share
// protocol/internal/claudelike.
//
// page.md in the folder is for users; docs/agents is generated from it (its test
// writes it with AGENTS_HOOKS_UPDATE=1). testdata/payloads has what the agent sends.
// The tests of package protocol/internal/dialecttest check what becomes of it. Those of
// package protocol/agents apply the common rules to every agent in the list;
// testdata/rules.txt, if there is one, names the rules that this agent cannot keep.
//
// A dialect is a composite literal of constants and functions: the linker lays it
// out, so it costs nothing when a program starts.
package protocol
