package protocol

import (
	"bytes"
	"slices"
	"strings"
)

// What an unknown tool changes, by its name and the members of its input.

// pathMembers are those that name a file.
var pathMembers = [...]string{
	"file_path", "path", "filePath", "filepath", "file", "filename", "file_name", "fileName", "file_paths", "paths", "files",
	"target_file", "targetFile", "TargetFile", "notebook_path", "target_notebook", "absolute_path", "AbsolutePath", "relative_path",
	"uri", "fileUri", "file_uri", "source", "src", "old_path", "oldPath", "source_path", "sourcePath",
}

func changes(name string, o Object) bool {
	if patched(o) || slices.ContainsFunc(o, func(m Member) bool { return (writes(m.Name) || !reads(WordsOf(name))) && names(name, m.Value) }) {
		return true
	}
	if !slices.ContainsFunc(pathMembers[:], func(m string) bool { return len(o.Get(m)) > 2 }) && PathOf(o) == "" {
		return TargetOf(WordsOf(name), o) != "" || len(TargetsOf(WordsOf(name), o)) > 0
	}
	if slices.ContainsFunc(o, func(m Member) bool { return writes(m.Name) }) {
		return true
	}
	return o.Text("command") != "view" && !reads(WordsOf(name))
}

// PathOf is the path of a file in a member of an unknown tool whose name says so:
// pathInProject, target_path, outputFile; "" if there is none.
func PathOf(o Object) string {
	for _, m := range o {
		if len(m.Name) > 40 || len(m.Value) < 3 || m.Value[0] != '"' || !strings.Contains(m.Name, "ath") && !strings.Contains(m.Name, "ile") {
			continue
		}
		says := false
		other := slices.ContainsFunc(WordsOf(m.Name), func(word string) bool {
			switch word {
			case "path", "filepath", "file", "filename":
				says = true
			case "in", "of", "to", "the", "project", "workspace", "repo", "repository", "target", "output", "out", "relative", "rel", "absolute", "abs", "full", "local", "new", "document", "name":
			default:
				return true
			}
			return false
		})
		if says && !other {
			return TextOf(m.Value)
		}
	}
	return ""
}

// TargetOf is the file in a member such as target or destination, of an unknown tool
// whose name says that it changes files: fs, write, or of an object that says so and
// names what looks like a file: op, replace; "" if there is none.
func TargetOf(tool []string, o Object) string {
	files := slices.ContainsFunc(tool, aboutFiles)
	if !files && !operates(o) || reads(tool) {
		return ""
	}
	for _, member := range [...]string{"target", "destination", "dest", "dst", "location", "from", "to", "name"} {
		if text := o.Text(member); text != "" && (files || strings.ContainsAny(text, "./\\") && !strings.ContainsAny(text, " \n")) {
			return text
		}
	}
	return ""
}

// TargetsOf are the files in a list of an unknown tool whose name says that it changes
// files: items, targets.
func TargetsOf(tool []string, o Object) []string {
	if reads(tool) || !slices.ContainsFunc(tool, aboutFiles) {
		return nil
	}
	for _, member := range [...]string{"items", "targets", "names", "entries", "list"} {
		if texts := TextsOf(o.Get(member)); len(texts) > 0 && !slices.Contains(texts, "") {
			return texts
		}
	}
	return nil
}

func aboutFiles(word string) bool {
	return slices.Contains([]string{"fs", "file", "files", "filesystem", "folder", "directory", "dir"}, word)
}

// operates reports whether an object says itself what it does to a file: op, replace.
func operates(o Object) bool {
	for _, member := range [...]string{"op", "operation", "action", "type", "kind", "method"} {
		if slices.ContainsFunc(WordsOf(o.Text(member)), func(word string) bool {
			return slices.Contains(changers[:], word) || word == "create" || word == "add" || word == "set"
		}) {
			return true
		}
	}
	return false
}

// names reports whether a list has an object that names a file.
func names(tool string, list Raw) bool {
	if o := ObjectOf(list); len(o) > 0 && o[0].Value[0] == '{' && strings.ContainsAny(o[0].Name, "./") {
		return true
	}
	return slices.ContainsFunc(ElementsOf(list), func(e Raw) bool {
		o := ObjectOf(e)
		return o != nil && (slices.ContainsFunc(pathMembers[:], o.Has) || TargetOf(WordsOf(tool), o) != "")
	})
}

// patched reports whether a text of the input is a patch.
func patched(o Object) bool {
	return slices.ContainsFunc(o, func(m Member) bool {
		return HasPatch(m.Value) || (m.Name == "diff" || m.Name == "patch") && bytes.Contains(m.Value, []byte("+++ "))
	})
}

// writes reports whether a member holds text that is written.
func writes(member string) bool {
	switch member {
	case "content", "contents", "file_text", "fileText", "file_content", "fileContent", "new_string", "newString", "new_str", "newStr", "new_text", "newText",
		"new_content", "newContent", "replacement", "insert_text", "insertText", "edits", "changes", "files", "replacement_lines", "patch", "diff", "new_source", "newSource", "code_edit", "CodeContent", "ReplacementContent":
		return true
	}
	return false
}
