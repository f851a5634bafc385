package claudelike

import (
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

// AddPatch adds the files that a patch touches to a call's input: file_path is the
// first, file_paths are all. Paths are as the patch spells them, usually relative to
// the working directory.
func AddPatch(ev *protocol.Event, text string) {
	paths := patch.Files(text)
	if len(paths) == 0 {
		return
	}
	ev.Call.Derive("file_path", protocol.Quote(paths[0]))
	ev.Call.Derive("file_paths", protocol.TextList(paths))
	ev.Fields.Set("tool_input", ev.Call.Input.Raw())
}
