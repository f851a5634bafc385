// Package plan reads plans: what is to be done, in which order, and how one knows
// that it is right. It knows no workspace and writes nothing; package desk makes
// nodes of a [Plan].
//
//	[Parse]     a plan of our own, in Markdown or JSON
//	[Read]      what other programs keep: OpenSpec, Backlog.md, beads, Task Master,
//	            an agent's own tasks, and any Markdown list of tasks
//
// # Markdown
//
//	# Name of the whole
//	The goal, until the first heading or item.
//
//	## Part                              a planning node; ### one below it
//	- [ ] Verify tokens                  an execution node; [x] is done already
//	  Check the signature.               its requirement
//	  - after: Make keys, 1.2            titles, numbers or keys of other items
//	  - priority: high                   high or low
//	  - accept: expired => 401           when => then
//	  - [ ] a sub-task                   makes the item above a planning node
//
// Chinese words will do as well: 依赖, 优先级, 验收. A number before a title is a key
// by which others name it, and so is (key) behind it.
//
// # JSON
//
//	{"name": "…", "goal": "…", "rules": ["…"], "nodes": [
//	  {"title": "…", "requirement": "…", "type": "execution", "key": "a", "after": ["b"],
//	   "priority": "high", "acceptance": [{"when": "…", "then": "…"}], "done": false, "children": [ … ]}]}
//
// or the array of nodes alone. An error names the line or the member, and says what
// would do.
package plan
