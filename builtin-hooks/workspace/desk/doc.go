// Package desk holds the operations on workspaces: one table of named tools with
// typed arguments, which the command line and the MCP server both offer, so that
// they cannot differ.
//
//	d := desk.At(world, call)
//	answer, err := d.Call(ctx, "node_create", args)
//
// Names, arguments, answers and error codes are those of TanmiWorkspace 1.9; what
// is ours on top is optional. An *op.Error has one of its codes and says what to
// do.
//
// A desk keeps nothing in memory: each call reads the files as they are. Tokens
// that wait for a person's confirmation, and what the files looked like when an
// agent last read them, lie in the state directory.
package desk
