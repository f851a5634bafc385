package hookset

import (
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// maxHookFile is how much of a HOOK.md is searched for its metadata, in bytes.
const maxHookFile = 1 << 20

// Below is the root for opening a hook's files: its project for a project's hook, nil
// for the user's own.
func Below(h *discovery.Hook, file string) *beneath.Root {
	if project := h.Within(file); project != "" {
		return beneath.At(project)
	}
	return nil
}

// Metadata is what the HOOK.md of a hook says under metadata; empty if nothing.
func Metadata(h *discovery.Hook) protocol.Object {
	if h.File == "" || h.Entry.Builtin {
		return protocol.Object{}
	}
	file, err := Below(h, h.File).Read(h.File, maxHookFile)
	if err != nil {
		return protocol.Object{}
	}
	if o := discovery.Metadata(file); o != nil {
		return o
	}
	return protocol.Object{}
}
