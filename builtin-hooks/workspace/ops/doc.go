// Package ops has the operations on workspaces: one table of named tools with typed
// arguments, which the command line and the MCP server both offer, so that they cannot
// differ.
//
//	d := ops.At(world, call)
//	answer, err := d.Call(ctx, "node_create", args)
//
// Names, arguments, answers and error codes are those of TanmiWorkspace 1.9; our
// additions are optional. An *op.Error has one of its codes and says what to do.
//
// An operator keeps nothing in memory: each call reads the files again. Tokens that wait for
// the user's confirmation, and the state of the files when an agent last read them, are
// in the state directory.
package ops
