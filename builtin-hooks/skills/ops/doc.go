// Package ops is what commands and the MCP server do with the prompts of skills:
// list them with which of them count in a project and why others do not, say how
// near a coding agent comes to what they want, and put them into the messages of a
// program that owns its messages.
//
//	ops.List(world, call)    the skills that an event in a folder would find
//	ops.FidelityOf(dialect)  what becomes of each timing in an agent
//	ops.ReadBoard(text)      messages, to which a Manager of package skills is put
//	ops.Talk                 a Loop of package skills, line by line
//	ops.Ops(world)           the table
//
// Finding skills and giving their prompts is a matter of packages skills and
// skills/hooks.
package ops
