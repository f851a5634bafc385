// Package ops has everything one can do with genes, as a table of operations that both
// the command line and the MCP server use, so that they cannot differ.
//
//	d := ops.At(world, call)
//	answer, err := d.Call(ctx, "evolve_analyze", args)
//
// An answer is a value that encoding/json writes as an object with "schema": 1. An
// error is an *op.Error with a code and, if there is one, the fix, or an *op.Fault
// about the arguments.
//
// Operations that only a person may do, such as approving somebody else's gene, are
// marked as such; a server omits them.
package ops
