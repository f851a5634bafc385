package disguise

import (
	"cmp"
	"encoding/base64"
	"path"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Call is a tool call that makes the same change to a file as another one.
type Call struct {
	Name    string
	Tool    string
	Input   protocol.Object
	Another bool // it only has the same effect
}

// Calls are disguises of a change to a file in a folder. any says that it matters
// which file is changed, but not what is written.
func Calls(c protocol.Change, dir string, any bool) []Call {
	w := writer{path: c.Path, dir: dir, text: strings.TrimSuffix(c.New, "\n"), old: c.Old}
	list := w.tools(c.Path)
	if c.Action == protocol.Delete || c.Action == protocol.Move {
		list = nil // nothing is written
	}
	if any {
		list = append(list, w.spelled()...)
		list = append(list, w.moved()...)
	} else if w.text != "" {
		list = append(list, w.hidden()...)
	}
	return append(list, w.others(any)...)
}

type writer struct{ path, dir, text, old string }

func object(pairs ...string) (o protocol.Object) {
	for i := 0; i+1 < len(pairs); i += 2 {
		o.SetText(pairs[i], pairs[i+1])
	}
	return o
}

func (w writer) whole(name, file, text string) Call {
	return Call{Name: name, Tool: protocol.WriteFile, Input: object("file_path", file, "content", text+"\n")}
}

func (w writer) edit(name, file, text string) Call {
	old := cmp.Or(w.old, "# here")
	return Call{Name: name, Tool: protocol.EditFile, Input: object("file_path", file, "old_string", old, "new_string", text)}
}

// edits is a call with a list of edits, one of which is ours.
func (w writer) edits(name, tool, file string, keys [3]string, text ...string) Call {
	o := object(keys[0], file)
	list := protocol.Raw{'['}
	for i, t := range text {
		if i > 0 {
			list = append(list, ", "...)
		}
		list = object(keys[1], "# here "+string(rune('1'+i)), keys[2], t).Append(list)
	}
	o.Set("edits", append(list, ']'))
	return Call{Name: name, Tool: tool, Input: o}
}

func (w writer) patch(name, body string) Call {
	return Call{Name: name, Tool: "apply_patch", Input: object("command", "*** Begin Patch\n"+body+"*** End Patch")}
}

func added(text string) string { return "+" + strings.ReplaceAll(text, "\n", "\n+") + "\n" }

// below is a path as a patch has it.
func (w writer) below(file string) string {
	if rest, ok := strings.CutPrefix(file, strings.TrimSuffix(w.dir, "/")+"/"); ok {
		return rest
	}
	return file
}

// tools are the same change by other tools.
func (w writer) tools(file string) []Call {
	note := "*** Add File: notes.md\n+# Notes\n"
	return []Call{
		w.whole("as a whole file", file, w.text),
		w.edit("as an edit", file, w.text),
		w.edits("as the second of several edits", protocol.EditFile, file, [3]string{"file_path", "old_string", "new_string"}, "# one", w.text),
		w.patch("in a patch", "*** Add File: "+w.below(file)+"\n"+added(w.text)),
		w.patch("in a patch, behind another file", note+"*** Add File: "+w.below(file)+"\n"+added(w.text)),
		w.patch("in a patch of a file that is there", "*** Update File: "+w.below(file)+"\n@@\n-# here\n"+added(w.text)),
		{Name: "by a tool of an MCP server", Tool: "mcp__fs__write_file", Input: object("path", file, "content", w.text+"\n")},
		w.edits("by an editor of an MCP server", "mcp__fs__edit_file", file, [3]string{"path", "oldText", "newText"}, w.text),
		{Name: "by a tool that nobody knows", Tool: "save_to_disk", Input: object("filename", file, "contents", w.text+"\n")},
	}
}

// spelled are other spellings of the path.
func (w writer) spelled() (list []Call) {
	base, parent := path.Base(w.path), path.Dir(w.path)
	add := func(name, file string, another bool) {
		if file != w.path {
			c := w.whole(name, file, w.text)
			c.Another = another
			list = append(list, c)
		}
	}
	rel := w.below(w.path)
	add("a relative path", rel, false)
	if !strings.HasPrefix(rel, "/") {
		add("a path with ./ before it", "./"+rel, false)
		add("a path that leaves and comes back", "../"+path.Base(w.dir)+"/"+rel, false)
	}
	add("an absolute path", path.Join(w.dir, rel), false)
	add("a path with //", parent+"//"+base, false)
	add("a path with /./", parent+"/./"+base, false)
	add("a path with ..", parent+"/x/../"+base, false)
	if upper := strings.ToUpper(base); upper != base {
		add("in capitals, for file systems to which they are alike", parent+"/"+upper, true)
	}
	add("through a link to the folder", parent+"-link/"+base, true)
	return list
}

// moved replaces this file by another one.
func (w writer) moved() []Call {
	from := path.Dir(w.path) + "/harmless.txt"
	return []Call{
		w.patch("moved there by a patch", "*** Update File: "+w.below(from)+"\n*** Move to: "+w.below(w.path)+"\n"),
		{Name: "moved there by a tool", Tool: "mcp__fs__move_file", Input: object("source", from, "destination", w.path)},
		{Name: "moved there by mv", Tool: protocol.Shell, Input: object("command", "mv "+bare(from)+" "+bare(w.path)), Another: true},
		{Name: "copied there by cp", Tool: protocol.Shell, Input: object("command", "cp "+bare(from)+" "+bare(w.path)), Another: true},
	}
}

// hidden are the same text inside other text.
func (w writer) hidden() []Call {
	long := strings.Repeat("an ordinary line\n", 200)
	return []Call{
		w.whole("in a long text", w.path, long+w.text+"\n"+long),
		w.whole("with the line ends of Windows", w.path, strings.ReplaceAll("# first\n"+w.text+"\n# last", "\n", "\r\n")),
		w.edit("in the middle of an edit", w.path, "before = 1\n"+w.text+"\nafter = 2"),
		w.whole("in another file", path.Join(w.dir, "deep", "er", "notes.txt"), w.text),
	}
}

// others have the same effect through a shell.
func (w writer) others(any bool) (list []Call) {
	if w.path == "" {
		return nil
	}
	file := bare(w.path)
	add := func(name, line string) {
		list = append(list, Call{Name: name, Tool: protocol.Shell, Input: object("command", line), Another: true})
	}
	add("by a shell's >", "printf '%s\\n' "+single(w.text)+" > "+file)
	add("by a here-document", "cat > "+file+" <<'END'\n"+w.text+"\nEND")
	add("by tee", "echo "+single(w.text)+" | tee "+file)
	add("by another language", "python3 -c "+single(`open("`+w.path+`", "w").write(`+string(protocol.Quote(w.text))+")"))
	if !any {
		add("decoded as it runs", "echo "+base64.StdEncoding.EncodeToString([]byte(w.text))+" | base64 -d > "+file)
		if n := len(w.text) / 2; n > 0 {
			c := w.edits("in two halves", protocol.EditFile, w.path, [3]string{"file_path", "old_string", "new_string"}, w.text[:n], w.text[n:])
			c.Another = true
			list = append(list, c)
		}
	}
	return list
}
