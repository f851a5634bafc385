// Package workspace stores the task that an agent works on: a goal, rules, and a tree of
// planning and execution nodes with their logs and problems, in plain files in the project.
// A session of an agent is bound to a workspace only on request (BW-SES-01).
//
// The format is storage 5.0 of TanmiWorkspace; each program reads what the other writes:
//
//	HOME/index.json                    all workspaces of a user, and where they are
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
// [Find] determines HOME and PROJECT. Older stores name the folders by the ids; both are
// found (BW-STO-03).
//
// graph.json is authoritative for states and the tree: a change takes effect when that file
// has its new content. The front matter of Info.md repeats title and state for people.
// Unknown JSON members, and Markdown sections that this package did not write, stay byte for
// byte.
//
// This package is linked into every event (see package builtinhooks): it imports
// neither encoding/json nor regexp. [Place.Bound] reads only what the hooks
// need. Package workspace/ops has the operations for commands and agents.
package workspace
