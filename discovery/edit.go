package discovery

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// SetDisabled edits the text of a hooks.toml so that it disables the hook of that name,
// or no longer does. Comments and everything unrelated stay byte for byte; a file that
// already says so is returned unchanged. Invalid TOML is an error with its position,
// and so is an edit that would not be read back as intended.
func SetDisabled(file []byte, name string, off bool) ([]byte, error) {
	if !ValidName(name) {
		return nil, fmt.Errorf("%q is not a hook name", name)
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
		text = addEntry(text, "hooks.disable", `name = "`+name+`"`)
	} else {
		text = enable(text, name)
	}
	f, err = editable(text)
	if err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	if _, is := f.disable[name]; is != off {
		return nil, fmt.Errorf("%q is in hooks.disable in a form that cannot be edited; change it by hand", name)
	}
	return []byte(text), nil
}

// SetLeftOut edits the text of a hooks.toml so that the hook of that name does not run
// in some agents, or does again, like [SetDisabled].
func SetLeftOut(file []byte, name string, agents []string, out bool) ([]byte, error) {
	if !ValidName(strings.TrimSuffix(name, allOf)) {
		return nil, fmt.Errorf("%q is not a hook name", name)
	}
	text := string(file)
	f, err := editable(text)
	if err != nil {
		return nil, err
	}
	have := f.leavesOut(name)
	left := slices.DeleteFunc(slices.Clone(agents), func(a string) bool { return slices.Contains(have, a) == out })
	if len(left) == 0 {
		return file, nil
	}
	if out {
		text = addEntry(text, "hooks.except", `name = "`+name+`"`, "agents = "+tomlValue(left))
	} else {
		text = letIn(text, name, left)
	}
	if f, err = editable(text); err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	have = f.leavesOut(name)
	if slices.ContainsFunc(left, func(a string) bool { return slices.Contains(have, a) != out }) {
		return nil, fmt.Errorf("%q is in hooks.except in a form that cannot be edited; change it by hand", name)
	}
	return []byte(text), nil
}

// leavesOut lists the agents in which a file keeps the hook of a name from running.
func (f *settingsFile) leavesOut(name string) (agents []string) {
	for _, e := range f.except {
		if e.Name == name {
			agents = append(agents, e.Agents...)
		}
	}
	return agents
}

// letIn removes agents from all entries of a name, and entries that would have none
// left.
func letIn(text, name string, agents []string) string {
	for _, agent := range agents {
		for again := true; again; {
			text, again = letInOne(text, name, agent)
		}
	}
	return text
}

// letInOne removes an agent from the first entry that has it.
func letInOne(text, name, agent string) (out string, did bool) {
	doc := parsed(text)
	for i := 0; ; i++ {
		entry, ok := doc.Find("hooks.except[" + strconv.Itoa(i) + "]")
		if !ok {
			return text, false
		}
		value, ok := doc.Find(entry.Path + ".name")
		if !ok || tomlText(text[value.Start:value.End]) != name {
			continue
		}
		var elements []toml.Place
		at := -1
		for k := 0; ; k++ {
			p, ok := doc.Find(entry.Path + ".agents[" + strconv.Itoa(k) + "]")
			if !ok {
				break
			}
			if tomlText(text[p.Start:p.End]) == agent {
				at = k
			}
			elements = append(elements, p)
		}
		switch {
		case at < 0:
			continue
		case len(elements) > 1:
			return removeElement(text, elements[at]), true
		case entry.Header:
			return removeTable(text, doc, entry), true
		default:
			return removeElement(text, entry), true
		}
	}
}

// SetBuiltin edits the text of a hooks.toml so that a key of [builtin.NAME], such as
// enabled, has a value (a bool, an int64, a float64, a string or a list of strings),
// like [SetDisabled]. The caller checks that the behaviour and the key exist.
func SetBuiltin(file []byte, name, key string, value any) ([]byte, error) {
	if !protocol.ValidName(name) {
		return nil, fmt.Errorf("%q is not a behaviour's name", name)
	}
	text := string(file)
	f, err := editable(text)
	if err != nil {
		return nil, err
	}
	if SameValue(f.builtin[name][key], value) {
		return file, nil
	}
	text = setKey(text, "builtin."+name, key, tomlValue(value))
	f, err = editable(text)
	if err != nil {
		return nil, fmt.Errorf("the edit would break the file: %w", err)
	}
	if !SameValue(f.builtin[name][key], value) {
		return nil, fmt.Errorf("builtin.%s is there in a form that cannot be edited; set %s by hand", name, key)
	}
	return []byte(text), nil
}

// SameValue reports whether a value that was read equals one that is about to be set.
func SameValue(have, want any) bool {
	list, ok := want.([]string)
	if !ok {
		return have == want
	}
	var texts []string
	elements, ok := have.([]any)
	for _, e := range elements {
		text, is := e.(string)
		ok, texts = ok && is, append(texts, text)
	}
	return ok && slices.Equal(texts, list)
}

// tomlValue is a value in TOML.
func tomlValue(value any) string {
	switch v := value.(type) {
	case string:
		return string(protocol.Quote(v))
	case []string:
		return string(protocol.TextList(v))
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	return fmt.Sprint(value)
}

// editable reads a hooks.toml, or says where it is invalid TOML.
func editable(text string) (*settingsFile, error) {
	f := parseSettings(text, "hooks.toml", UserLayer, Behaviours{})
	for _, p := range f.problems {
		if strings.HasPrefix(p.Message, "no valid TOML") {
			return nil, fmt.Errorf("line %d: %s", p.Line, p.Message)
		}
	}
	return f, nil
}

// addEntry adds an entry: a table of its own at the end or, if the existing entries are
// in one array, an element of it.
func addEntry(text, path string, keys ...string) string {
	if list, ok := parsed(text).Find(path); ok && !list.Header && strings.HasPrefix(text[list.Start:], "[") {
		return insertElement(text, list, "{"+strings.Join(keys, ", ")+"}")
	}
	return appendTable(text, "[["+path+"]]\n"+strings.Join(keys, "\n")+"\n")
}

// appendTable adds a table at the end, after a blank line.
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

// blank is what may come between the elements of an array.
const blank = " \t\r\n#"

// parsed is the document of a text that is known to be TOML, and an empty one
// otherwise.
func parsed(text string) *toml.Document {
	doc, err := toml.Parse(text)
	if err != nil {
		return &toml.Document{}
	}
	return doc
}

// insertElement adds an element at the end of an inline array.
func insertElement(text string, list toml.Place, element string) string {
	end := list.Start + 1 // after the last element or the comma that follows it
	comma := true
	for _, p := range parsed(text).Places {
		if p.Start > list.Start && p.End < list.End && p.End > end {
			end, comma = p.End, false
		}
	}
	if !comma {
		if i := toml.Skip(text, end, blank); strings.HasPrefix(text[i:], ",") {
			end, comma = i+1, true
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

// enable removes every entry of a name.
func enable(text, name string) string {
	for {
		doc := parsed(text)
		entry, ok := entryOf(text, doc, name)
		if !ok {
			return text
		}
		if entry.Header {
			text = removeTable(text, doc, entry)
		} else {
			text = removeElement(text, entry)
		}
	}
}

// entryOf finds an entry of hooks.disable by its name.
func entryOf(text string, doc *toml.Document, name string) (toml.Place, bool) {
	for i := 0; ; i++ {
		entry, ok := doc.Find("hooks.disable[" + strconv.Itoa(i) + "]")
		if !ok {
			return entry, false
		}
		if value, ok := doc.Find(entry.Path + ".name"); ok && tomlText(text[value.Start:value.End]) == name {
			return entry, true
		}
	}
}

// tomlText is the value of a string that may be the name of a hook: no name has
// anything to escape.
func tomlText(s string) string { return strings.Trim(s, `"'`) }

// removeTable removes the header of a table and its entries. Comments and blank lines
// between them stay, except for the one blank line that appendTable puts in front.
func removeTable(text string, doc *toml.Document, table toml.Place) string {
	cuts := []toml.Place{table}
	for _, p := range doc.Places {
		if strings.HasPrefix(p.Path, table.Path+".") && !p.Inline {
			cuts = append(cuts, p)
		}
	}
	for _, p := range slices.Backward(cuts) {
		begin, end := wholeLines(text, p.Key, p.End)
		if p.Header && strings.TrimSpace(firstLine(text[end:])) == "" {
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

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// wholeLines widens a range to whole lines, with the line break at the end.
func wholeLines(text string, start, end int) (int, int) {
	start = strings.LastIndexByte(text[:start], '\n') + 1
	end += len(firstLine(text[end:]))
	if end < len(text) {
		end++
	}
	return start, end
}

// removeElement removes an element of an array, and the comma between it and its
// neighbour.
func removeElement(text string, e toml.Place) string {
	if i := toml.Skip(text, e.End, blank); strings.HasPrefix(text[i:], ",") {
		end := i + 1
		for end < len(text) && text[end] == ' ' {
			end++
		}
		return text[:e.Start] + text[end:]
	}
	begin := e.Start
	before := strings.TrimRight(text[:begin], " \t\r\n")
	if strings.HasSuffix(before, ",") {
		begin = len(before) - 1
	}
	return text[:begin] + text[e.End:]
}

// setKey sets a key of a table ("builtin.memory") in place if it exists, else below the
// header of its table, else in a new table.
func setKey(text, path, key, value string) string {
	doc := parsed(text)
	if p, ok := doc.Find(path + "." + key); ok {
		return text[:p.Start] + value + text[p.End:]
	}
	table, ok := doc.Find(path)
	switch {
	case ok && table.Header:
		_, end := wholeLines(text, table.Start, table.End)
		line := key + " = " + value + "\n"
		if strings.HasSuffix(text[:end], "\r\n") {
			line = key + " = " + value + "\r\n"
		} else if !strings.HasSuffix(text[:end], "\n") {
			line = "\n" + key + " = " + value
		}
		return text[:end] + line + text[end:]
	case ok && strings.HasPrefix(text[table.Start:], "{"):
		return intoInline(text, table, key+" = "+value)
	}
	// Dotted keys have already made the table: the new one goes before them.
	for _, p := range doc.Places {
		if rest, ok := strings.CutPrefix(p.Path, path+"."); ok && !p.Inline && !p.Header {
			if i := strings.LastIndex(text[p.Key:p.Start], rest); i >= 0 {
				return text[:p.Key] + text[p.Key:p.Key+i] + key + " = " + value + "\n" + text[p.Key:]
			}
		}
	}
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		if b, ok := doc.Find(path[:i]); ok && !b.Header && strings.HasPrefix(text[b.Start:], "{") {
			return intoInline(text, b, path[i+1:]+" = {"+key+" = "+value+"}")
		}
	}
	return appendTable(text, "["+path+"]\n"+key+" = "+value+"\n")
}

// intoInline adds an entry at the start of a table in braces.
func intoInline(text string, table toml.Place, entry string) string {
	if strings.TrimSpace(text[table.Start+1:table.End-1]) != "" {
		entry += ", "
	}
	return text[:table.Start+1] + entry + text[table.Start+1:]
}
