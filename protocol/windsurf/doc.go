// Package windsurf is the dialect of Cascade, the agent of Windsurf, which is now
// named Devin Desktop.
//
// Not observed: it runs only with an account, in a window. What is here is from
// docs.windsurf.com/windsurf/cascade/hooks.
//
// Our entry stands in ~/.codeium/windsurf/hooks.json or, for a project, in its
// .windsurf/hooks.json, which git carries; the plugin for JetBrains reads
// ~/.codeium/hooks.json instead, which install does not write.
//
// Cascade has an event for each kind of tool and no name of the tool. It reads no
// answer: exit code 2 blocks, with the reason on stderr, and whatever stands on
// stdout is at most shown. So only a block can be said, and no opinion is empty.
package windsurf
