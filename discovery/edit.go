package discovery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// SetDisabled edits the text of a hooks.toml so that a hook of that name is
// disabled in it, or is not. Comments and all that has nothing to do with it
// keep every byte; a file that says so already is returned as it is. A file that
// is no TOML is an error with its place, and so is an edit that would not read
// back as meant.
func SetDisabled(file []byte, name string, off bool) ([]byte, error) {
	if !protocol.ValidName(name) {
		return nil, fmt.Errorf("%q is no name of a hook", name)
	}
	text := string(file)
	f, err := editable(text)
	if err != nil {
		return nil, err
	}
	if _, is := f.disable[name]; is == off {
		return file, nil
	}
	if off {
		text = disable(text, name)
	} else {
		text = enable(text, name)
	}
	f, err = editable(text)
	if err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	if _, is := f.disable[name]; is != off {
		return nil, fmt.Errorf("%q stands in hooks.disable in a form that cannot be edited; change it by hand", name)
	}
	return []byte(text), nil
}

// SetBuiltin edits the text of a hooks.toml so that [builtin.NAME] is enabled,
// or is not, by the rules of [SetDisabled].
func SetBuiltin(file []byte, name string, on bool) ([]byte, error) {
	if !slices.Contains(behaviours, name) {
		return nil, fmt.Errorf("%q is no built-in behaviour; %s", name, meant(name, behaviours))
	}
	text := string(file)
	f, err := editable(text)
	if err != nil {
		return nil, err
	}
	if is, ok := f.builtin[name]["enabled"].(bool); ok && is == on {
		return file, nil
	}
	text = enableBuiltin(text, name, on)
	f, err = editable(text)
	if err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	if is, ok := f.builtin[name]["enabled"].(bool); !ok || is != on {
		return nil, fmt.Errorf("builtin.%s stands there in a form that cannot be edited; set enabled = %t by hand", name, on)
	}
	return []byte(text), nil
}

// editable reads a hooks.toml, or says where it is no TOML.
func editable(text string) (*settingsFile, error) {
	f := parseSettings(text, "hooks.toml", UserLayer, nil)
	for _, p := range f.problems {
		if strings.HasPrefix(p.Message, "no valid TOML") {
			p.Fix = ""
			return nil, fmt.Errorf("%s", p)
		}
	}
	return f, nil
}

// disable adds an entry: a table of its own at the end or, where the entries
// stand in one array, an element of that.
func disable(text, name string) string {
	if list, ok := find(tomlPlaces(text), "hooks.disable"); ok && !list.header && strings.HasPrefix(text[list.start:], "[") {
		return insertElement(text, list, `{name = "`+name+`"}`)
	}
	return appendTable(text, "[[hooks.disable]]\nname = \""+name+"\"\n")
}

// appendTable adds a table behind all else, a blank line before it.
func appendTable(text, table string) string {
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	table = strings.ReplaceAll(table, "\n", eol)
	if text == "" || text == "\ufeff" {
		return text + table
	}
	if !strings.HasSuffix(text, "\n") {
		text += eol
	}
	return text + eol + table
}

func find(places []tomlPlace, path string) (tomlPlace, bool) {
	i := slices.IndexFunc(places, func(p tomlPlace) bool { return p.path == path })
	if i < 0 {
		return tomlPlace{}, false
	}
	return places[i], true
}

// insertElement adds an element at the end of an array on its own.
func insertElement(text string, list tomlPlace, element string) string {
	end := list.start + 1 // behind the last element or the comma after it
	comma := true
	for _, p := range tomlPlaces(text) {
		if p.start > list.start && p.end < list.end && p.end > end {
			end, comma = p.end, false
		}
	}
	if !comma {
		rest := placer{text: text, i: end}
		if rest.space(true); rest.at(',') {
			end, comma = rest.i+1, true
		}
	}
	switch {
	case !comma:
		element = ", " + element
	case text[end-1] == ',':
		element = " " + element + ","
	}
	return text[:end] + element + text[end:]
}

// enable takes every entry of a name away.
func enable(text, name string) string {
	for {
		places := tomlPlaces(text)
		entry, ok := entryOf(text, places, name)
		if !ok {
			return text
		}
		if entry.header {
			text = removeTable(text, places, entry)
		} else {
			text = removeElement(text, entry)
		}
	}
}

// entryOf finds an entry of hooks.disable by its name.
func entryOf(text string, places []tomlPlace, name string) (tomlPlace, bool) {
	for i := 0; ; i++ {
		entry, ok := find(places, "hooks.disable["+strconv.Itoa(i)+"]")
		if !ok {
			return entry, false
		}
		if value, ok := find(places, entry.path+".name"); ok && tomlText(text[value.start:value.end]) == name {
			return entry, true
		}
	}
}

// tomlText is the text of a string that may be the name of a hook: those hold
// nothing that would need an escape.
func tomlText(s string) string { return strings.Trim(s, `"'`) }

// removeTable takes away the header of a table and its entries. What stands
// between them, comments and blank lines, stays, but for the one blank line that
// appendTable puts in front.
func removeTable(text string, places []tomlPlace, table tomlPlace) string {
	cuts := []tomlPlace{table}
	for _, p := range places {
		if strings.HasPrefix(p.path, table.path+".") && !p.inline {
			cuts = append(cuts, p)
		}
	}
	for _, p := range slices.Backward(cuts) {
		begin, end := wholeLines(text, p.key, p.end)
		if p.header && strings.TrimSpace(firstLine(text[end:])) == "" {
			begin -= blankLineBefore(text[:begin])
		}
		text = text[:begin] + text[end:]
	}
	return text
}

// blankLineBefore is the length of the line that ends s if that line is blank.
func blankLineBefore(s string) int {
	rest := strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	if len(rest) < len(s) && (rest == "" || strings.HasSuffix(rest, "\n")) {
		return len(s) - len(rest)
	}
	return 0
}

func firstLine(s string) string { return s[:lineLen(s)] }

// wholeLines widens a range to whole lines, with the line break at the end.
func wholeLines(text string, start, end int) (int, int) {
	start = strings.LastIndexByte(text[:start], '\n') + 1
	end += lineLen(text[end:])
	if end < len(text) {
		end++
	}
	return start, end
}

// removeElement takes away an element of an array, and the comma that parted it
// from its neighbour.
func removeElement(text string, e tomlPlace) string {
	rest := placer{text: text, i: e.end}
	if rest.space(true); rest.at(',') {
		end := rest.i + 1
		for end < len(text) && text[end] == ' ' {
			end++
		}
		return text[:e.start] + text[end:]
	}
	begin := e.start
	before := strings.TrimRight(text[:begin], " \t\r\n")
	if strings.HasSuffix(before, ",") {
		begin = len(before) - 1
	}
	return text[:begin] + text[e.end:]
}

// enableBuiltin sets builtin.NAME.enabled where it stands, else below the
// header of its table, else in a new table.
func enableBuiltin(text, name string, on bool) string {
	places := tomlPlaces(text)
	value := strconv.FormatBool(on)
	if p, ok := find(places, "builtin."+name+".enabled"); ok {
		return text[:p.start] + value + text[p.end:]
	}
	table, ok := find(places, "builtin."+name)
	switch {
	case ok && table.header:
		_, end := wholeLines(text, table.start, table.end)
		line := "enabled = " + value + "\n"
		if strings.HasSuffix(text[:end], "\r\n") {
			line = "enabled = " + value + "\r\n"
		} else if !strings.HasSuffix(text[:end], "\n") {
			line = "\nenabled = " + value
		}
		return text[:end] + line + text[end:]
	case ok && strings.HasPrefix(text[table.start:], "{"):
		inside := "enabled = " + value
		if strings.TrimSpace(text[table.start+1:table.end-1]) != "" {
			inside += ", "
		}
		return text[:table.start+1] + inside + text[table.start+1:]
	}
	// Dotted keys have made the table already: the new one goes before them.
	for _, p := range places {
		if rest, ok := strings.CutPrefix(p.path, "builtin."+name+"."); ok && !p.inline {
			if i := strings.LastIndex(text[p.key:p.start], rest); i >= 0 {
				return text[:p.key] + text[p.key:p.key+i] + "enabled = " + value + "\n" + text[p.key:]
			}
		}
	}
	if b, ok := find(places, "builtin"); ok && !b.header && strings.HasPrefix(text[b.start:], "{") {
		inside := name + " = {enabled = " + value + "}"
		if strings.TrimSpace(text[b.start+1:b.end-1]) != "" {
			inside += ", "
		}
		return text[:b.start+1] + inside + text[b.start+1:]
	}
	return appendTable(text, "[builtin."+name+"]\nenabled = "+value+"\n")
}
