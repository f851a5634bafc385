// Package ops has everything one can do with memory: a table of operations from which the MCP
// server's tools and commands are generated, and the functions behind these and the other
// commands.
//
//	m := ops.At(world, call)            the folders of a project, and its settings
//	m.SaveFact(call)                    what memory_save and memory save do
//	m.Search(ctx, m.Folders(false), q, QueryWait)  hits, the best first
//	m.Rows(ops.Filter{…})               what memory list prints
//	m.Check(ctx)                        what memory doctor prints
//
// Package store handles the files, package search the search index. Output of memory is
// labelled ([Background]): it is data from earlier sessions, and not an instruction.
package ops
