// Package op defines an operation of a behaviour: an action that a person performs with a
// command and a model with a tool. Each is defined once, in the table of its behaviour:
//
//	op.Op{
//		Name: "memory_save", Command: "save", Core: true, Needs: op.Project | op.Store,
//		People: op.Text{English: "keep one fact", Chinese: "保存一条事实"},
//		Model:  op.Text{English: "Keep one fact that will still matter …", Chinese: "…"},
//		Args:   []op.Arg{{Name: "content", Required: true, Model: op.Text{…}}},
//		Do:     save,
//	}
//
// cmd/internal/opcli generates a command line from a table, cmd/internal/mcp the tools of
// the MCP server. Neither knows a behaviour.
//
// # Arguments
//
// [Op.Take] checks the arguments of a call against the table from which their schema is
// generated. It corrects common mistakes of models that are unambiguous: a number or a
// boolean in quotes, one text for a list, null for a missing value. Any other mistake is a
// [Fault]; a behaviour can report it in its own words, or with [Refuse].
//
// # What it does not do
//
// The package prints nothing, opens nothing, and links nothing that is slow, since a
// behaviour's line is linked into the program that runs on every event.
package op
