package hooks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// wrote records what the agent itself has just written into the memory on this machine: with a
// command of ours that may not write outside the project, and with its own tool for edits. What
// was in a file before is not recorded: an agent that rewrites a whole file may have copied it
// there.
func wrote(c *behaviour.Call) error {
	input := c.Event.Sub("tool_input")
	switch c.Event.Text("tool_name") {
	case "Shell":
		command := input.Text("command")
		if !strings.Contains(command, "memory save") && !strings.Contains(command, "memory summary") {
			return nil
		}
		place := storeOf(c)
		if place.Ledger == nil {
			return nil
		}
		said := memory.Normal(command)
		return place.NoteLines(c.Now, func(text string) bool {
			text = memory.Normal(text)
			return len(text) > 3 && strings.Contains(said, text)
		})
	case "EditFile":
		file := input.Text("file_path")
		if name := filepath.Base(file); name != memory.CoreFile && name != memory.NotesFile {
			return nil
		}
		place := storeOf(c)
		page, err := filepath.Rel(place.Dir, file)
		page = filepath.ToSlash(page)
		if place.Ledger == nil || err != nil || !slices.Contains(memory.Pages(), page) {
			return nil
		}
		before, after := edits(input)
		return place.NotePieces(page, func(p ledger.Piece) bool {
			return strings.Contains(after, p.Text) && !strings.Contains(before, p.Text)
		})
	}
	return nil
}

// edits are the texts that an edit removes and inserts, by the names that tools have for them.
func edits(input protocol.Object) (before, after string) {
	add := func(o protocol.Object) {
		for _, name := range [...]string{"old_string", "old_str", "old_text", "oldText"} {
			before += o.Text(name) + "\n"
		}
		for _, name := range [...]string{"new_string", "new_str", "new_text", "newText"} {
			after += o.Text(name) + "\n"
		}
	}
	add(input)
	for _, e := range protocol.ElementsOf(input.Get("edits")) {
		add(protocol.ObjectOf(e))
	}
	return strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
}
