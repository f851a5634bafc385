// Package desk is everything one can do with genes, as a table of operations:
// the command line and the MCP server both read it, so their names and arguments
// cannot differ.
//
//	d := desk.At(world, call)
//	answer, err := d.Call(ctx, "evolve_analyze", args)
//
// An answer is a value that encoding/json writes as an object with "schema": 1.
// An error is an *op.Error with a code and, where there is one, what to do, or an
// *op.Fault about the arguments.
//
// Operations that only a person may do (approve a gene of somebody else, for
// one) are marked so; a server leaves them out.
package desk
