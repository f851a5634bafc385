// Package desk is everything one can do with genes, as a table of operations:
// the command line and the MCP server both read it, so their names and arguments
// cannot differ (EVO-30).
//
//	d := desk.Desk{Dir: evolution.Dir(data), Now: time.Now, Scope: scope}
//	for _, t := range desk.Tools() { … t.Name, t.Args … }
//	answer, err := d.Call(ctx, "evolve_analyze", json.RawMessage(`{"signals": ["error:timeout"]}`))
//
// An answer is a value that encoding/json writes as an object with "schema": 1.
// An error is an [*op.Error] with a code and, where there is one, a hint.
//
// Operations that only a person may do (approve a gene of somebody else, for
// one) are marked so; a server leaves them out.
package desk
