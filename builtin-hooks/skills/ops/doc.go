// Package ops has what commands and the MCP server do with the prompts of skills: list
// them, and which of them apply in a project and why others do not; say how closely a
// coding agent can follow them; and put them into the messages of a program that owns
// its messages.
//
//	ops.List(world, call)    the skills that an event in a folder would find
//	ops.FidelityOf(dialect)  how an agent handles each timing
//	ops.ReadBoard(text)      messages, for a Manager of package skills
//	ops.Talk                 a Loop of package skills, line by line
//	ops.Ops(world)           the table
//
// Packages skills and skills/hooks find skills and give their prompts.
package ops
