// Package windsurf is the dialect of Cascade, the agent of Windsurf, now
// called Devin Desktop.
//
// Not observed: it runs only with an account, in a window. This is from
// docs.windsurf.com/windsurf/cascade/hooks.
//
// Our entry is in ~/.codeium/windsurf/hooks.json or, for a project, in its
// .windsurf/hooks.json, which is committed; the plugin for JetBrains reads
// ~/.codeium/hooks.json instead, which install does not write.
//
// Cascade has an event for each kind of tool and does not name the tool. It reads no
// answer: exit code 2 blocks, with the reason on stderr, and stdout is at most shown.
// So an answer can only block, and no opinion is empty output.
package windsurf
