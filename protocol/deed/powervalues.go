package deed

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a line of PowerShell makes of values that it sets itself.

// Limits. A variable may have maxValues, and up to so many texts are made with all values beside
// all others; of more, each value is in one. maxPower texts are read as a whole, and of the others
// the lines with values.
const (
	maxPower  = 8
	maxValues = 64
)

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
	r.valued(lookedUp(line))
	r.netCalls(line)
	if len(r.changes.deed.Changes) > changes {
		for _, text := range textsOf(line) {
			r.changes.may(text)
		}
	}
}

// valued reads what a line is with the values of its variables.
func (r *reader) valued(line string) {
	for i, made := range r.powerMade(line) {
		texts := []string{made}
		if i >= maxPower { // each as a whole would take too long
			texts = unlike(made, line)
		}
		for _, text := range texts {
			if r.unread != "" {
				return
			}
			if r.late() {
				r.stop()
				return
			}
			before := len(r.changes.deed.Changes)
			r.bared(pieces(text)...)
			if r.alike(text); len(r.changes.deed.Changes) == before {
				r.cmdlets(text)
			}
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
func (r *reader) powerMade(line string) []string {
	made := []string{line}
	for _, v := range r.powerSets(line) {
		count := len(made) * len(v.values)
		every := count <= maxValues
		if !every { // not with all others, but each once
			count = max(len(made), len(v.values))
		}
		more := make([]string, 0, count)
		for i := range count {
			if r.late() {
				r.stop()
				return nil
			}
			text := made[i%len(made)]
			if every {
				text = made[i/len(v.values)]
			}
			text, ok := replaceName(text, v.name, v.values[i%len(v.values)])
			if !ok {
				r.unread = "a line of PowerShell that comes to over 64 KiB with the values of its variables"
				return nil
			}
			more = append(more, text)
		}
		made = more
	}
	return slices.DeleteFunc(made, func(text string) bool { return text == line })
}

// unlike are the lines of a text that are not those of another; the whole text if it has more.
func unlike(text, other string) (list []string) {
	lines, others := strings.Split(text, "\n"), strings.Split(other, "\n")
	if len(lines) != len(others) {
		return []string{text}
	}
	for i, line := range lines {
		if line != others[i] {
			list = append(list, line)
		}
	}
	return list
}

// A powerSet is a variable, and what a line sets it to, one value after the other.
type powerSet struct {
	name   string
	values []string
}

// powerSets are the variables that a line sets; $X is $x.
func (r *reader) powerSets(line string) (sets []powerSet) {
	places := map[string]int{}
	for at := 0; ; {
		next := strings.IndexByte(line[at:], '$')
		if next < 0 {
			return sets
		}
		at += next + 1
		end := nameEnd(line, at)
		value, is := setTo(strings.TrimLeft(line[end:], " \t"))
		if !is || end == at {
			continue
		}
		values := powerTexts(value)
		if len(values) == 0 {
			continue
		}
		if len(values) > 1 {
			values = append(values, strings.Join(values, " "))
		}
		if r.late() {
			r.stop()
			return nil
		}
		name := strings.ToLower(line[at:end])
		place, have := places[name]
		if !have {
			place = len(sets)
			places[name], sets = place, append(sets, powerSet{name: name})
		}
		sets[place].values = append(sets[place].values, values...)
		if len(sets[place].values) > maxValues {
			r.unread = "a line of PowerShell that gives a variable over 60 values"
			return nil
		}
	}
}

// setTo is what stands behind the = or in that follows a variable.
func setTo(rest string) (value string, is bool) {
	if value, is = strings.CutPrefix(rest, "="); !is && len(rest) > 2 && strings.EqualFold(rest[:3], "in ") {
		return rest[3:], true
	}
	return value, is
}

// nameEnd is where the name of a variable ends.
func nameEnd(text string, at int) int {
	for at < len(text) && (isLetter(text[at]) || text[at] == '_' || text[at] >= '0' && text[at] <= '9') {
		at++
	}
	return at
}

// powerTexts are the texts that begin a value: one in quotes, or several with commas.
func powerTexts(value string) (list []string) {
	value = strings.TrimLeft(value, " \t@(")
	for len(value) > 1 && (value[0] == '\'' || value[0] == '"') && len(list) < maxValues {
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

// replaceName puts a value in place of a variable: $name, ${name}, @name; not if that makes
// over 64 KiB.
func replaceName(text, name, value string) (string, bool) {
	var b strings.Builder
	from := 0
	for at := 0; at < len(text); at++ {
		if text[at] != '$' && text[at] != '@' {
			continue
		}
		start := at + 1
		braced := strings.HasPrefix(text[at:], "${")
		if braced {
			start++
		}
		end := nameEnd(text, start)
		if !strings.EqualFold(text[start:end], name) || braced && (end == len(text) || text[end] != '}') {
			continue
		}
		if braced {
			end++
		}
		if b.Len()+at-from+len(value) > maxText {
			return "", false
		}
		b.WriteString(text[from:at])
		b.WriteString(value)
		from, at = end, end-1
	}
	if b.Len()+len(text)-from > maxText {
		return "", false
	}
	b.WriteString(text[from:])
	return b.String(), true
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
	const class = "io.file]::"
	for at := 0; ; {
		next := strings.Index(line[at:], "]::")
		if next < 0 {
			return
		}
		at += next + len("]::")
		if at < len(class) || !strings.EqualFold(line[at-len(class):at], class) {
			continue
		}
		if r.late() {
			r.stop()
			return
		}
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
