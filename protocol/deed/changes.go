package deed

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

// The members in which agents say what they write. Those of the portable tools come
// first: they are copies of an agent's own.
var (
	fileNames = [...]string{"file_path", "filePath", "path", "filepath", "file", "filename", "file_name", "fileName", "target_file", "targetFile", "TargetFile", "notebook_path", "notebookPath", "target_notebook", "absolute_path", "AbsolutePath", "relative_path", "relative_workspace_path", "uri", "fileUri", "file_uri"}
	moveFrom  = [...]string{"source", "src", "from", "old_path", "oldPath", "source_path", "sourcePath", "old_name", "file_path", "path", "oldUri"}
	moveTo    = [...]string{"destination", "dest", "dst", "to", "new_path", "newPath", "destination_path", "destinationPath", "target", "target_path", "new_name", "newUri", "move_to", "rename_to"}
	wholes    = [...]string{"content", "contents", "file_text", "fileText", "file_content", "fileContent", "CodeContent", "text", "lines", "body", "data"}
	olds      = [...]string{"old_string", "oldString", "old_str", "oldStr", "old_text", "oldText", "old_content", "oldContent", "TargetContent", "search", "old", "find", "before", "oldSource", "regex", "needle"}
	news      = [...]string{"new_string", "newString", "new_str", "newStr", "new_text", "newText", "new_content", "newContent", "ReplacementContent", "replace", "new", "replacement", "after", "newCode", "code", "replacementText", "insert_text", "insertText", "new_source", "newSource", "code_edit", "CodeEdit", "insert_line_text", "text_to_insert", "replacement_lines", "new_lines", "newLines", "new_content_lines", "repl", "replacement_text", "replace_with", "replaceWith", "with"}
	lists     = [...]string{"edits", "edit", "replacements", "changes", "operations", "modifications", "patches", "chunks", "ReplacementChunks", "Edits", "str_replace_entries", "insert_line_entries", "files", "diffs", "edit_operations"}
	patches   = [...]string{"command", "input", "patch", "patchText", "patch_text", "diff", "changes", "unified_diff", "new_string", "content", "code", "apply_patch"}
)

// A writer collects the changes of one call.
type writer struct {
	deed *protocol.Deed
	dir  string // what relative paths are relative to
	does protocol.Does
	verb string // what the tool's name says

	given map[string]string // what is read from files that have no name: <(echo x)

	learned bool     // the tool is unknown
	tool    []string // the words of its name
}

// changes reads what a call changes.
func changes(ev *protocol.Event, c *protocol.Call, d *protocol.Deed) {
	w := &writer{deed: d, dir: ev.WorkDir, does: c.Does, verb: verbOf(c.NativeName), learned: c.Does.Has(protocol.Learned), tool: protocol.WordsOf(c.NativeName)}
	before := len(d.Changes)
	objects, unread := protocol.Nested(c.Input)
	if unread != "" {
		d.UnreadChanges = unread
	}
	for i, o := range objects {
		w.object(bare(c, o), "")
		if i == 0 && len(d.Changes) > before {
			w.rivals(o)
		}
	}
	if len(d.Changes) == before && d.UnreadChanges == "" && len(c.Input) > 0 && !looks(c.Input) {
		d.UnreadChanges = "what " + c.NativeName + " changes"
	}
}

// looks reports whether a tool that can edit only reads this time.
func looks(o protocol.Object) bool { return o.Text("command") == "view" && !writes(o) }

// writes reports whether an object says what is written: a member beside it that the
// tool does not know cannot deny that.
func writes(o protocol.Object) bool {
	return first(o, wholes[:], "") != "" || first(o, news[:], "") != ""
}

// rivals adds the files in members of other names: which of them the tool knows, and
// which it ignores, we cannot know.
func (w *writer) rivals(o protocol.Object) {
	for _, name := range [...]string{"file_path", "filePath", "path", "target_file", "notebook_path", "absolute_path"} {
		file := o.Text(name)
		if file == "" {
			continue
		}
		at := absolute(w.dir, file)
		if !slices.ContainsFunc(w.deed.Changes, func(c protocol.Change) bool { return c.Path == at || c.To == at }) {
			w.add(protocol.Change{Action: protocol.Update, Path: file})
		}
	}
}

// bare is an input without what was computed for hooks.
func bare(c *protocol.Call, o protocol.Object) protocol.Object {
	var out protocol.Object
	for _, m := range o {
		if !c.Derived(m.Name) {
			out = append(out, m)
		}
	}
	return out
}

// verbOf is the action that a tool's name says: delete, move, create, or "".
func verbOf(name string) string {
	for _, word := range protocol.WordsOf(name) {
		switch word {
		case "delete", "remove", "rm", "unlink", "trash":
			return "delete"
		case "move", "rename", "mv":
			return "move"
		case "create", "write", "save", "download":
			return "create"
		case "append":
			return "append"
		}
	}
	return ""
}

// object reads one object that describes a change: the whole input, or an entry of a
// list in it, which may inherit the file from the object around it.
func (w *writer) object(o protocol.Object, path string) {
	if looks(o) {
		return
	}
	if len(w.deed.Changes) >= maxList {
		w.deed.UnreadChanges = "a call of more than 500 changes"
		return
	}
	if w.patched(o, first(o, fileNames[:], path)) && first(o, wholes[:], "") == "" {
		return
	}
	if own := first(o, fileNames[:], ""); own != "" {
		path = own
	} else if path == "" && w.learned {
		if path = protocol.PathOf(o); path == "" {
			path = protocol.TargetOf(w.tool, o)
		}
	}
	switch {
	case w.verb == "move" && o.Text("symbol") != "":
		w.deed.UnreadChanges = "the files in which a symbol is renamed"
		return
	case w.does.Has(protocol.Moves) || w.verb == "move" || o.Text("command") == "rename" && !writes(o):
		if from, to := first(o, moveFrom[:], path), first(o, moveTo[:], ""); from != "" && to != "" {
			w.add(protocol.Change{Action: protocol.Move, Path: from, To: to})
			return
		}
	case w.does.Has(protocol.Deletes) || w.verb == "delete" && !hasAny(o, wholes[:]) && !hasAny(o, news[:]) || o.Text("command") == "delete" && !writes(o):
		w.deleted(o, path)
		return
	}
	listed := w.listed(o, path)
	if path == "" {
		if w.learned {
			for _, file := range protocol.TargetsOf(w.tool, o) {
				w.add(protocol.Change{Action: protocol.Update, Path: file})
			}
		}
		return
	}
	switch {
	case w.numbered(o, path):
	case w.edit(o, path):
	case !listed && w.pathOnly(path):
		w.others(o)
	}
}

// others adds the texts of an object whose meaning is unknown: one of them may be
// what is written.
func (w *writer) others(o protocol.Object) {
	for _, m := range o {
		text := protocol.TextOf(m.Value)
		if _, added, ok := patch.Blocks(text); ok {
			w.may(added)
		} else if !slices.Contains(fileNames[:], m.Name) {
			protocol.Leaves(m.Value, func(leaf string) bool {
				w.may(leaf)
				return len(w.deed.Texts) < maxList
			})
		}
	}
}

// may adds a text that may end up in a file.
func (w *writer) may(texts ...string) {
	for _, text := range texts {
		if text != "" && len(w.deed.Texts) < maxList {
			w.deed.Texts = append(w.deed.Texts, text)
		}
	}
}

// deleted reads a tool that deletes files: one path, or a list.
func (w *writer) deleted(o protocol.Object, path string) {
	for _, name := range [...]string{"file_paths", "paths", "files", "filePaths"} {
		for _, e := range elements(o.Get(name)) {
			text := protocol.TextOf(e)
			if text == "" {
				text = first(protocol.ObjectOf(e), fileNames[:], "")
			}
			if text != "" {
				w.add(protocol.Change{Action: protocol.Delete, Path: text})
			}
		}
	}
	if w.learned {
		for _, file := range protocol.TargetsOf(w.tool, o) {
			w.add(protocol.Change{Action: protocol.Delete, Path: file})
		}
	}
	if path == "" {
		path = first(o, moveFrom[:], "")
	}
	if path != "" {
		w.add(protocol.Change{Action: protocol.Delete, Path: path})
	}
}

// elements are those of a list, which may be encoded in a text.
func elements(raw protocol.Raw) []protocol.Raw {
	if v, _ := protocol.ParseText(protocol.TextOf(raw)); v != nil {
		raw = v
	}
	if len(raw) > 0 && raw[0] == '{' {
		return []protocol.Raw{raw}
	}
	return protocol.ElementsOf(raw)
}

// listed reads lists of edits.
func (w *writer) listed(o protocol.Object, path string) (any bool) {
	for _, name := range w.listsOf(o) {
		if files := protocol.ObjectOf(o.Get(name)); byPath(files) {
			any = true
			for _, f := range files {
				w.object(protocol.ObjectOf(f.Value), f.Name)
			}
			continue
		}
		for _, e := range elements(o.Get(name)) {
			switch {
			case e[0] == '{':
				any = true
				w.object(protocol.ObjectOf(e), path)
			case e[0] == '"' && name == "files":
				any = true
				w.add(protocol.Change{Action: protocol.Update, Path: protocol.TextOf(e)})
			case e[0] == '"' && path != "":
				any = true
				if old, added, ok := patch.Blocks(protocol.TextOf(e)); ok {
					w.add(protocol.Change{Action: protocol.Update, Path: path, Old: old, New: added, HasOld: true, HasNew: true})
					continue
				}
				w.add(protocol.Change{Action: protocol.Update, Path: path, New: protocol.TextOf(e), HasNew: true})
			}
		}
	}
	return any
}

// listsOf are the members that hold lists of edits: those of the tools that are known,
// and any list of objects in another.
func (w *writer) listsOf(o protocol.Object) []string {
	names := lists[:]
	if !w.learned {
		return names
	}
	for _, m := range o {
		if first := protocol.ElementsOf(m.Value); len(first) > 0 && first[0][0] == '{' && !slices.Contains(names, m.Name) {
			names = append(names[:len(names):len(names)], m.Name)
		}
	}
	return names
}

// byPath reports whether an object has paths as names, each with an object.
func byPath(o protocol.Object) bool {
	return len(o) > 0 && o[0].Value[0] == '{' && strings.ContainsAny(o[0].Name, "./")
}

// numbered reads old_str_1, new_str_1, old_str_2 …
func (w *writer) numbered(o protocol.Object, path string) (any bool) {
	for _, m := range o {
		tail, ok := strings.CutPrefix(m.Name, "new_str_")
		if !ok {
			tail, ok = strings.CutPrefix(m.Name, "insert_text_")
		}
		if !ok || tail == "" || strings.Trim(tail, "0123456789") != "" {
			continue
		}
		any = true
		c := protocol.Change{Action: protocol.Update, Path: path, New: protocol.TextOf(m.Value), HasNew: true}
		if old := o.Get("old_str_" + tail); old != nil {
			c.Old, c.HasOld = protocol.TextOf(old), true
		}
		w.add(c)
	}
	return any
}

// edit reads a replacement, an insertion, or a whole text.
func (w *writer) edit(o protocol.Object, path string) bool {
	old, hasOld := text(o, olds[:])
	added, hasNew := text(o, news[:])
	whole, hasWhole := text(o, wholes[:])
	c := protocol.Change{Action: protocol.Update, Path: path, Old: old, New: added, HasOld: hasOld, HasNew: hasNew}
	switch {
	case !hasOld && !hasNew && !hasWhole:
		return false
	case hasWhole && !hasOld && (!hasNew || o.Has("file_text") && o.Text("command") == "create"):
		c.New, c.HasNew = whole, true
		if c.Action = protocol.Create; o.Text("command") == "append" || o.Text("mode") == "append" || o.Bool("append") || w.verb == "append" {
			c.Action = protocol.Update
		}
		if w.does.Has(protocol.Changes) && o.Text("command") == "insert" {
			c.Action = protocol.Update
		}
	case hasOld && old == "" && hasNew && !o.Has("edit_mode"):
		c.Action = protocol.Create // each of these tools creates a file with it
		c.HasOld = false
	case o.Text("edit_mode") == "delete" || o.Text("editType") == "delete":
		c.New, c.HasNew = "", false
	case hasWhole && !hasNew:
		c.New, c.HasNew = whole, true
	}
	w.add(c)
	return true
}

// pathOnly is a tool of which only the file is known.
func (w *writer) pathOnly(path string) bool {
	c := protocol.Change{Action: protocol.Update, Path: path}
	if w.verb == "create" {
		c.Action = protocol.Create
	}
	w.add(c)
	return true
}

// add adds a change, with absolute paths; edits of the same file are merged.
func (w *writer) add(c protocol.Change) {
	c.Path = absolute(w.dir, c.Path)
	if c.To != "" {
		c.To = absolute(w.dir, c.To)
	}
	for i := range w.deed.Changes {
		have := &w.deed.Changes[i]
		if have.Path != c.Path || have.To != c.To || have.Action != c.Action {
			continue
		}
		if *have == c {
			return
		}
		have.Old, have.HasOld = both(have.Old, have.HasOld, c.Old, c.HasOld)
		have.New, have.HasNew = both(have.New, have.HasNew, c.New, c.HasNew)
		return
	}
	if len(w.deed.Changes) == maxList {
		w.deed.UnreadChanges = "a call of more than 500 changes"
		return
	}
	w.deed.Changes = append(w.deed.Changes, c)
}

func both(a string, hasA bool, b string, hasB bool) (string, bool) {
	switch {
	case !hasB:
		return a, hasA
	case !hasA:
		return b, hasB
	}
	return a + "\n" + b, true
}

func first(o protocol.Object, names []string, other string) string {
	for _, name := range names {
		v := o.Get(name)
		if text := protocol.TextOf(v); text != "" {
			return text
		}
		// VS Code's own form of a URI.
		if sub := protocol.ObjectOf(v); sub != nil {
			for _, name := range [...]string{"fsPath", "path", "uri"} {
				if text := sub.Text(name); text != "" {
					return text
				}
			}
		}
	}
	return other
}

// text is the first of several members that exists, as a text: joined lines if it is
// a list.
func text(o protocol.Object, names []string) (string, bool) {
	for _, name := range names {
		v := o.Get(name)
		switch {
		case len(v) == 0 || string(v) == "null":
		case v[0] == '"':
			return protocol.TextOf(v), true
		case v[0] == '[':
			var parts []string
			for _, e := range protocol.ElementsOf(v) {
				if e[0] != '"' {
					return string(v), true
				}
				parts = append(parts, protocol.TextOf(e))
			}
			return strings.Join(parts, "\n"), true
		case v[0] == '{' && (name == "content" || name == "data" || name == "body"):
			return string(v), true
		}
	}
	return "", false
}

func hasAny(o protocol.Object, names []string) bool {
	_, ok := text(o, names)
	return ok
}
