// Package plan reads plans: what to do, in which order, and how to check it. It knows no
// workspace and writes nothing; package ops turns a [Plan] into nodes.
//
//	[Parse]     a plan in our format, in Markdown or JSON
//	[Read]      other programs' plans: OpenSpec, Backlog.md, beads, Task Master,
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
// Chinese keywords work as well: 依赖, 优先级, 验收. A number before a title is a key by which
// other items refer to it, and so is (key) after it.
//
// # JSON
//
//	{"name": "…", "goal": "…", "rules": ["…"], "nodes": [
//	  {"title": "…", "requirement": "…", "type": "execution", "key": "a", "after": ["b"],
//	   "priority": "high", "acceptance": [{"when": "…", "then": "…"}], "done": false, "children": [ … ]}]}
//
// or only the array of nodes. An error names the line or the member, and says what would be
// valid.
package plan
