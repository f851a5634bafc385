package deed

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

// patched reads the members that hold a patch, if there are any.
func (w *writer) patched(o protocol.Object, path string) (any bool) {
	var seen []string
	for _, name := range patches {
		text := o.Text(name)
		if text == "" || slices.Contains(seen, text) {
			continue
		}
		seen = append(seen, text)
		any = w.patchIn(o, name, text, path) || any
	}
	return any
}

// patchIn reads one member, if it holds a patch.
func (w *writer) patchIn(o protocol.Object, name, text, path string) bool {
	switch {
	case strings.Contains(text, "*** Begin Patch") || name != "content" && name != "new_string" && strings.Contains(text, "*** Update File:"),
		strings.Contains(text, "*** Add File:") && path == "", strings.Contains(text, "*** Delete File:") && path == "":
		if path != "" && (name == "content" || name == "new_string") {
			return false // a text about patches
		}
		w.patch(text)
		return true
	case name == "diff" || name == "patch" || name == "unified_diff" || name == "new_string":
		if old, added, ok := patch.Blocks(text); ok && path != "" && !o.Has("old_string") {
			w.add(protocol.Change{Action: protocol.Update, Path: path, Old: old, New: added, HasOld: true, HasNew: true})
			return true
		}
		if name == "new_string" {
			return false
		}
		w.diff(text, path)
		return true
	}
	return false
}

// diff reads a unified diff; path is its file if it names none.
func (w *writer) diff(text, path string) {
	files, ok := patch.Unified(text, path)
	if !ok {
		w.unread("a diff")
	}
	for _, f := range files {
		w.add(f)
	}
}

// patch reads a patch of apply_patch.
func (w *writer) patch(text string) {
	files, ok := patch.Envelope(text)
	if !ok {
		w.unread("a patch")
	}
	for _, f := range files {
		w.add(f)
	}
}

// unread notes what could not be read.
func (w *writer) unread(what string) { w.deed.UnreadChanges = what + " that no grammar reads" }
