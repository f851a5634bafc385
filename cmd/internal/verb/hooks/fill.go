package hooks

import (
	"embed"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

//go:embed skeletons
var skeletons embed.FS

// fill fills in one of the embedded skeletons: the parts that this hook needs, with its values.
func (s skeleton) fill(name string) string {
	mark := "#"
	if name == "node" {
		mark = "//"
	}
	raw, err := skeletons.ReadFile("skeletons/" + name)
	if err != nil {
		panic(err) // a missing one is a bug
	}
	return fill(string(raw), map[string]string{
		"Name": s.Name, "Description": quoteYAML(s.Description), "Trigger": string(s.Trigger), "Matcher": s.matching(),
		"Comment": comment(mark, s), "Marker": marker, "Field": s.Field, "Answer": s.Answer, "Does": s.Does,
		"Told": s.told(), "Filter": s.filter(), "Unread": strconv.Itoa(s.unread()),
		"OfTool": yes(s.ofTool()), "Guards": yes(s.guards()), "Commands": yes(s.commands()), "Changes": yes(s.changes()), "Both": yes(s.commands() && s.changes()),
		"Whole": yes(s.whole()), "Open": yes(!s.whole()), "Searches": yes(s.guards() && !s.whole()), "Untold": yes(s.told() == ""),
	})
}

// yes is a value for {{if}}.
func yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

// fill fills in a text. {{NAME}} is a value; {{if NAME}}, {{else if NAME}}, {{else}} and
// {{end}} choose a part by the first value that is not empty; "{{- " removes the white space
// before it. (It is a small part of text/template, which would link every exported method of
// every type into the program.)
func fill(text string, values map[string]string) string {
	type choice struct{ made, here bool }
	var out strings.Builder
	var open []choice
	value := func(name string) string {
		v, ok := values[name]
		if !ok {
			panic("a skeleton has no value " + name)
		}
		return v
	}
	write := func(s string) {
		for _, c := range open {
			if !c.here {
				return
			}
		}
		out.WriteString(s)
	}
	for {
		before, rest, more := strings.Cut(text, "{{")
		word, after, _ := strings.Cut(rest, "}}")
		if trimmed, ok := strings.CutPrefix(word, "- "); ok {
			before, word = strings.TrimRight(before, " \n"), trimmed
		}
		write(before)
		if !more {
			return out.String()
		}
		text = after
		switch action, name, _ := strings.Cut(word, " "); action {
		case "if":
			is := value(name) != ""
			open = append(open, choice{is, is})
		case "else":
			name, tests := strings.CutPrefix(name, "if ")
			last := &open[len(open)-1]
			last.here = !last.made && (!tests || value(name) != "")
			last.made = last.made || last.here
		case "end":
			open = open[:len(open)-1]
		default:
			write(value(word))
		}
	}
}

// quoteYAML puts a value into single quotes, where YAML has no escapes: just right for a
// regular expression.
func quoteYAML(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// comment is the head of a script: when it runs, what it reads, and what it may answer.
func comment(mark string, s skeleton) string {
	lines := []string{s.Name + ": runs when " + s.When + ".", "", "stdin   the event, one JSON object: event_type, session_id, work_dir,"}
	for part := range strings.SplitSeq(text.Wrap(s.Fields, 66, ""), "\n") {
		lines = append(lines, "        "+part)
	}
	lines = append(lines,
		"exit 0  no objection; stdout is empty, or one JSON object: the outcome",
		"exit 2  block: "+s.Block+" (stderr says why)",
		"        any other exit code means that this hook failed, which blocks nothing",
		"",
		"agents-hooks test plays its tests; agents-hooks spec tells the rest.",
	)
	for i, line := range lines {
		lines[i] = strings.TrimRight(mark+" "+line, " ")
	}
	return strings.Join(lines, "\n")
}
