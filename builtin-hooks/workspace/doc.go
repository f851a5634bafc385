// Package workspace is the task that an agent works on: a goal, rules that hold,
// and a tree of planning and execution nodes with their logs and problems, in
// plain files in the project. A session of an agent is bound to a workspace only
// if somebody asked for it (BW-SES-01).
//
// The format is that of storage 5.0 of TanmiWorkspace, which reads what this
// package writes, and the other way round:
//
//	HOME/index.json                    all workspaces of a person, and where they lie
//	HOME/session-bindings.json         which session works on which workspace and node
//	PROJECT/NAME_SHORTID/
//	    workspace.json                 what the workspace is
//	    graph.json                     its nodes: tree, states, references, conclusions
//	    Workspace.md                   rules, documents, goal
//	    Log.md  Problem.md
//	    nodes/TITLE_SHORTID/           Info.md, Log.md, Problem.md; the root's is called root
//	    memos/TITLE_SHORTID/Content.md
//	PROJECT/archive/NAME_SHORTID/      the same, archived
//
// HOME and PROJECT are what [Find] says. Older stores name the folders by the
// ids; both are found (BW-STO-03).
//
// graph.json is the truth about states and the tree: a change counts once that
// file has its new content. The front matter of Info.md repeats title and state
// for people. Members of JSON that this package does not know, and sections of
// Markdown that it did not write, stay byte for byte.
//
// This package is linked into every event (see package builtinhooks): it imports
// neither encoding/json nor regexp. [Place.Bound] is what the hooks need, and
// reads no more than that. The operations that commands and agents ask for lie
// in package workspace/desk.
package workspace
