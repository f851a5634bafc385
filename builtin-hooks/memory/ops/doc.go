// Package ops is everything one can do with memory: a table of operations that
// the MCP server offers and commands are made of, and what the other commands and
// the operations do it with.
//
//	m := ops.At(world, call)            the folders of a project, and its settings
//	m.SaveFact(call)                    what memory_save and memory save do
//	m.Search(ctx, m.Folders(false), q, QueryWait)  hits, the best first
//	m.Rows(ops.Filter{…})               what memory list prints
//	m.Check(ctx)                        what memory doctor prints
//
// The files themselves are a matter of package keeper, searching them of find. What comes out of memory is labelled ([Background]): it is data from
// earlier sessions, and no instruction.
package ops
