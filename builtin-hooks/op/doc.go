// Package op is what an operation of a behaviour is: a thing that a person does
// with a command and a model with a tool. Each is written down once, in the table
// of its behaviour:
//
//	op.Op{
//		Name: "memory_save", Command: "save", Core: true, Needs: op.Project | op.Store,
//		People: op.Text{English: "keep one fact", Chinese: "保存一条事实"},
//		Model:  op.Text{English: "Keep one fact that will still matter …", Chinese: "…"},
//		Args:   []op.Arg{{Name: "content", Required: true, Model: op.Text{…}}},
//		Do:     save,
//	}
//
// A command line is made of a table by cmd/internal/opcli, the tools of the MCP
// server by cmd/internal/mcp, and the words that a shell completes by either. None
// of them knows a behaviour.
//
// # Arguments
//
// [Op.Take] holds the arguments of a call against the table that their schema is
// made of. What models often get wrong and nobody can misunderstand is put right:
// a number or a truth in quotes, one text for a list, null for nothing. What is
// wrong is a [Fault]; a behaviour that has words of its own for that makes them of
// it, and everybody else takes [Refuse].
//
// # What it does not do
//
// The package prints nothing, opens nothing, and links nothing that is slow: a
// behaviour's line is read by the program that runs on every event.
package op
