package deed

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a line of PowerShell makes of values that it sets itself.

// maxPower is how many values a variable may have, and how many variables are followed.
const maxPower = 8

// power reads a line once more with what its variables hold, and the files that its .NET calls
// name; of a line that changes files, all texts may be written. changes is how many there were
// before the line was read.
func (r *reader) power(line string, changes int) {
	if len(line) > maxText {
		return // it is tried in pieces already
	}
	if len(r.changes.deed.Changes) == changes {
		r.cmdlets(line)
	}
	for _, made := range powerMade(lookedUp(line)) {
		if r.late() || r.unread != "" {
			r.stop()
			return
		}
		before := len(r.changes.deed.Changes)
		r.bared(pieces(made)...)
		if r.alike(made); len(r.changes.deed.Changes) == before {
			r.cmdlets(made)
		}
	}
	r.netCalls(line)
	if len(r.changes.deed.Changes) > changes {
		for _, text := range textsOf(line) {
			r.changes.may(text)
		}
	}
}

// cmdlets adds the files that cmdlets name, or get from a cmdlet before them: gci a | ri.
func (r *reader) cmdlets(line string) {
	var files []string
	for _, piece := range pieces(line) {
		words := strings.Fields(piece)
		if more := behind(words); len(more) > 0 {
			words = more
		}
		name := strings.ToLower(words[0])
		switch plain, _ := parameters(words[1:]); {
		case listed(" get-childitem gci get-item gi ls dir resolve-path ", name):
			files = plain
			continue
		case cmdlet(name) == "remove-item" && len(plain) == 0 && len(files) > 0:
			r.cmdlet(name, files)
		case cmdlet(name) != "":
			r.cmdlet(name, words[1:])
		}
		files = nil
	}
}

// powerMade is a line with values in place of the variables that it sets to plain texts or lists
// of these: $x = 'a', $x = @('a', 'b'), foreach ($x in 'a', 'b'). A list also stands as one
// row of words, which @x hands over.
func powerMade(line string) (made []string) {
	made = []string{line}
	for at, n := 0, 0; n < maxPower; n++ {
		next := strings.IndexByte(line[at:], '$')
		if next < 0 {
			break
		}
		at += next + 1
		end := at
		for end < len(line) && (isLetter(line[end]) || line[end] == '_' || line[end] >= '0' && line[end] <= '9') {
			end++
		}
		name, rest := line[at:end], strings.TrimLeft(line[end:], " \t")
		value, is := strings.CutPrefix(rest, "=")
		if !is {
			value, is = strings.CutPrefix(strings.ToLower(rest), "in ")
			value = rest[len(rest)-len(value):]
		}
		values := powerTexts(value)
		if !is || name == "" || len(values) == 0 {
			continue
		}
		if len(values) > 1 {
			values = append(values, strings.Join(values, " "))
		}
		var more []string
		for _, text := range made {
			for _, value := range values {
				more = append(more, replaceName(text, name, value))
			}
		}
		made = more[:min(len(more), maxPower)]
	}
	return slices.DeleteFunc(made, func(text string) bool { return text == line })
}

// powerTexts are the texts that begin a value: one in quotes, or several with commas.
func powerTexts(value string) (list []string) {
	value = strings.TrimLeft(value, " \t@(")
	for len(value) > 1 && (value[0] == '\'' || value[0] == '"') && len(list) < maxPower {
		end := strings.IndexByte(value[1:], value[0])
		if end < 0 || strings.ContainsAny(value[1:end+1], "$`") {
			return nil
		}
		list = append(list, value[1:end+1])
		value = strings.TrimLeft(value[end+2:], " \t")
		if after, more := strings.CutPrefix(value, ","); more {
			value = strings.TrimLeft(after, " \t\r\n")
			continue
		}
		if value != "" && strings.IndexByte(")};\r\n", value[0]) < 0 { // an operator makes another value of it
			return nil
		}
		break
	}
	return list
}

// replaceName puts a value in place of a variable: $name, ${name}, @name.
func replaceName(text, name, value string) string {
	text = strings.ReplaceAll(text, "${"+name+"}", value)
	for _, mark := range [...]string{"$" + name, "@" + name} {
		var b strings.Builder
		for {
			before, after, found := strings.Cut(text, mark)
			b.WriteString(before)
			if !found {
				break
			}
			if after != "" && (isLetter(after[0]) || after[0] == '_' || after[0] >= '0' && after[0] <= '9') {
				b.WriteString(mark)
			} else {
				b.WriteString(value)
			}
			text = after
		}
		text = b.String()
	}
	return text
}

// textsOf are the texts in quotes, here-strings included.
func textsOf(line string) (list []string) {
	for i := 0; i < len(line); i++ {
		if line[i] != '\'' && line[i] != '"' {
			continue
		}
		end := strings.IndexByte(line[i+1:], line[i])
		if end < 0 {
			break
		}
		list = append(list, line[i+1:i+1+end])
		i += end + 1
	}
	return list
}

// netCalls adds the files of calls such as [IO.File]::WriteAllText('a', …).
func (r *reader) netCalls(line string) {
	lower := strings.ToLower(line)
	for at := 0; ; {
		next := strings.Index(lower[at:], "io.file]::")
		if next < 0 {
			return
		}
		at += next + len("io.file]::")
		verb, rest, ok := strings.Cut(line[at:], "(")
		texts := powerTexts(rest)
		if !ok || len(texts) == 0 {
			continue
		}
		c := protocol.Change{Action: protocol.Update, Path: texts[0]}
		switch verb = strings.ToLower(strings.TrimSpace(verb)); {
		case strings.HasPrefix(verb, "writeall"), strings.HasPrefix(verb, "appendall"), verb == "create", verb == "createtext", verb == "openwrite", verb == "setattributes":
		case verb == "delete":
			c.Action = protocol.Delete
		case verb == "move" && len(texts) > 1:
			c.Action, c.To = protocol.Move, texts[1]
		case (verb == "copy" || verb == "replace") && len(texts) > 1:
			c.Path = texts[1]
		default:
			continue
		}
		if r.changes.names(c.Path) {
			r.changes.add(c)
		}
	}
}
