package plan

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A reader reads Markdown line by line.
type reader struct {
	plan     *Plan
	sections []section // that are open, the outermost first
	items    []open    // that are open, the outermost first
	fence    string    // of a block of code that is open
	comment  bool      // a comment is open
	goal     []string
	boxes    bool // there is a box somewhere: then an item without one is not a task
	flat     bool // there is no heading but that of the whole
}

type section struct {
	depth int
	item  *Item
}

type open struct {
	indent int
	item   *Item
}

func parseMarkdown(text string) (*Plan, error) {
	r := &reader{plan: &Plan{}, boxes: boxed(text), flat: flat(text)}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	front := false
	for n := 0; n < len(lines); n++ {
		line := strings.TrimRight(lines[n], " \t")
		if n == 0 && line == "---" || front { // front matter says nothing here
			front = n == 0 || line != "---"
			continue
		}
		if r.fence == "" {
			line = r.uncommented(line)
			if n+1 < len(lines) && underlined(line, lines[n+1]) {
				line = map[bool]string{true: "# ", false: "## "}[lines[n+1][0] == '='] + line
				lines[n+1] = ""
			}
		}
		if err := r.line(line, "line "+strconv.Itoa(n+1)); err != nil {
			return nil, err
		}
	}
	r.plan.Goal = strings.TrimSpace(strings.Join(r.goal, "\n"))
	for _, i := range r.plan.All() {
		i.Requirement = strings.TrimSpace(i.Requirement)
	}
	r.prune()
	return r.plan, nil
}

// uncommented is a line without its comments, which may go on over several.
func (r *reader) uncommented(line string) string {
	var b strings.Builder
	for {
		if r.comment {
			_, rest, ended := strings.Cut(line, "-->")
			if !ended {
				break
			}
			r.comment, line = false, rest
		}
		before, rest, begun := strings.Cut(line, "<!--")
		b.WriteString(before)
		if !begun {
			break
		}
		r.comment, line = true, rest
	}
	return strings.TrimRight(b.String(), " \t")
}

// underlined reports whether a line is a heading by the line of = or - below it.
func underlined(line, below string) bool {
	below = strings.TrimSpace(below)
	_, _, item := bullet(line)
	return line != "" && !item && !strings.ContainsAny(line[:1], " \t#>|`~") && len(below) > 2 && (strings.Trim(below, "=") == "" || strings.Trim(below, "-") == "")
}

// boxed reports whether an item of a text has a box.
func boxed(text string) bool {
	for line := range strings.Lines(text) {
		if mark, _, ok := bullet(strings.TrimSpace(line)); ok && mark != "" {
			return true
		}
	}
	return false
}

// prune removes headings that have nothing to do below them, such as one over notes;
// what is said below them is kept, with the heading above or as notes of the whole.
func (r *reader) prune() {
	var keep func(list []*Item, said *string) []*Item
	keep = func(list []*Item, said *string) (out []*Item) {
		for _, i := range list {
			i.Children = keep(i.Children, &i.Requirement)
			switch {
			case !i.Planning || len(i.Children) > 0:
				out = append(out, i)
			case i.Requirement != "":
				*said = join(*said, i.Title+":\n"+i.Requirement)
			}
		}
		return out
	}
	r.plan.Items = keep(r.plan.Items, &r.plan.Notes)
}

func (r *reader) line(line, place string) error {
	text := strings.TrimLeft(line, " \t")
	switch {
	case r.fence != "":
		if strings.HasPrefix(text, r.fence) {
			r.fence = ""
		}
		r.more(line)
		return nil
	case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
		r.fence = text[:3]
		r.more(line)
		return nil
	}
	if depth, title := heading(text); depth > 0 && text == line {
		r.heading(depth, title, place)
		return nil
	}
	indent := width(line[:len(line)-len(text)])
	mark, body, is := bullet(text)
	if !is {
		if text != "" && len(r.items) > 0 && indent <= r.items[0].indent {
			r.items = nil
		}
		r.more(text)
		return nil
	}
	for len(r.items) > 0 && r.items[len(r.items)-1].indent >= indent {
		r.items = r.items[:len(r.items)-1]
	}
	if len(r.items) > 0 && mark == "" {
		if known, err := r.items[len(r.items)-1].item.set(body, place); known || err != nil {
			return err
		}
		r.more("- " + body) // an item without a box, below one: part of what it says
		return nil
	}
	if mark == "" && !r.tasksHere(body) {
		r.more("- " + body)
		return nil
	}
	item := &Item{Place: place}
	item.title(body)
	switch mark {
	case "x", "X":
		item.Status = Done
	case "-", "~":
		item.Status = Dropped
	case "/", ">":
		item.Status = Active
	}
	r.add(item)
	r.items = append(r.items, open{indent, item})
	return nil
}

// tasksHere reports whether an item without a box is a task: in a plan without boxes
// that has headings, below one of them, unless it is a remark that ends in a colon.
// Below that of the whole it is where nothing is said before, or no other one follows.
func (r *reader) tasksHere(body string) bool {
	if r.boxes || body == "" || strings.HasSuffix(body, ":") || strings.HasSuffix(body, "：") {
		return false
	}
	if len(r.sections) == 0 {
		return r.plan.Name != "" && (r.flat || strings.TrimSpace(strings.Join(r.goal, "")) == "")
	}
	return !notes(r.sections[len(r.sections)-1].item.Title)
}

// flat reports whether a text has one heading at most.
func flat(text string) bool {
	n, last := 0, ""
	for line := range strings.Lines(text) {
		if depth, _ := heading(strings.TrimSpace(line)); depth > 0 || underlined(last, line) {
			n++
		}
		last = strings.TrimSpace(line)
	}
	return n < 2
}

// notes reports whether what is below a heading is not tasks.
func notes(title string) bool {
	switch strings.ToLower(strings.Trim(title, " :：")) {
	case "rules", "规则", "notes", "备注", "context", "background", "背景", "goal", "目标", "why", "non-goals", "risks", "references", "acceptance", "acceptance criteria", "验收标准", "open questions", "overview", "summary":
		return true
	}
	return false
}

func (r *reader) heading(depth int, title, place string) {
	r.items = nil
	if depth == 1 && r.plan.Name == "" && len(r.sections) == 0 {
		r.plan.Name = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(title, "Tasks:"), "Plan:"))
		return
	}
	for len(r.sections) > 0 && r.sections[len(r.sections)-1].depth >= depth {
		r.sections = r.sections[:len(r.sections)-1]
	}
	item := &Item{Planning: true, Place: place}
	item.title(title)
	r.add(item)
	r.sections = append(r.sections, section{depth, item})
}

// add hangs an item below what is open.
func (r *reader) add(item *Item) {
	switch {
	case len(r.items) > 0:
		up := r.items[len(r.items)-1].item
		up.Children = append(up.Children, item)
	case len(r.sections) > 0:
		up := r.sections[len(r.sections)-1].item
		up.Children = append(up.Children, item)
	default:
		r.plan.Items = append(r.plan.Items, item)
	}
}

// more adds a line to what is being said.
func (r *reader) more(text string) {
	switch {
	case len(r.items) > 0:
		i := r.items[len(r.items)-1].item
		i.Requirement += "\n" + strings.TrimSpace(text)
	case len(r.sections) > 0:
		i := r.sections[len(r.sections)-1].item
		switch title := strings.ToLower(strings.Trim(i.Title, " :：")); title {
		case "rules", "规则":
			if rule, ok := strings.CutPrefix(text, "- "); ok {
				r.plan.Rules = append(r.plan.Rules, strings.TrimSpace(rule))
			}
		case "goal", "目标", "why":
			r.goal = append(r.goal, text)
		default:
			i.Requirement += "\n" + text
		}
	default:
		r.goal = append(r.goal, text)
	}
}

// set takes a line such as "after: x, y" of an item; known is false for others.
func (i *Item) set(body, place string) (known bool, err error) {
	name, value, ok := strings.Cut(strings.ReplaceAll(body, "：", ":"), ":")
	if !ok || utf8.RuneCountInString(name) > 24 {
		return false, nil
	}
	value = strings.TrimSpace(value)
	switch strings.ToLower(strings.Trim(name, " *_`")) {
	case "after", "depends on", "depends", "dependencies", "blocked by", "requires", "依赖", "前置":
		i.After = append(i.After, list(value)...)
	case "priority", "优先级":
		if i.Priority = level(value); i.Priority == "" && fold(value) != "medium" && fold(value) != "normal" && value != "中" && value != "2" {
			return true, wrong(place, "high, low, or leave it out", "priority %q", value)
		}
	case "accept", "acceptance", "done when", "验收":
		i.accept(value)
	case "key", "id":
		i.Key = value
	case "requirement", "需求":
		i.Requirement += "\n" + value
	case "done", "conclusion", "结论":
		i.Conclusion = value
	case "type", "类型":
		i.Planning = value == "planning" || value == "规划"
	default:
		return false, nil
	}
	return true, nil
}

func (i *Item) accept(text string) {
	for _, arrow := range []string{"=>", "→", "->"} {
		if when, then, ok := strings.Cut(text, arrow); ok {
			i.Acceptance = append(i.Acceptance, Criterion{strings.TrimSpace(when), strings.TrimSpace(then)})
			return
		}
	}
	if text != "" {
		i.Acceptance = append(i.Acceptance, Criterion{"done", text})
	}
}

// title reads a title with what may be around it: a number before it, and after it a
// key in parentheses or (after: x, y).
func (i *Item) title(s string) {
	s = strings.TrimSpace(s)
	for strings.HasSuffix(s, ")") || strings.HasSuffix(s, "）") {
		at := strings.LastIndexAny(s, "(（")
		if at <= 0 {
			break
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		inside := strings.TrimRight(s[at+n:], ")）")
		if known, err := i.set(inside, ""); !known || err != nil {
			break
		}
		s = strings.TrimSpace(s[:at])
	}
	s = strings.TrimSpace(strings.ReplaceAll(s, "**", ""))
	if number, rest, ok := strings.Cut(s, " "); ok && i.Key == "" && isNumber(number) {
		i.Key, s = strings.Trim(number, ".)"), strings.TrimSpace(rest)
	}
	i.Title = s
}

// isNumber reports whether a word is a number of a list, such as 1. 1.2 T012 2.3)
func isNumber(s string) bool {
	core := strings.TrimRight(s, ".):")
	digits := strings.TrimPrefix(core, "T")
	if digits == "" || core == s && !strings.Contains(core, ".") && digits == core {
		return false
	}
	return strings.Trim(digits, "0123456789.") == "" && digits[0] != '.'
}

func heading(line string) (depth int, title string) {
	rest := strings.TrimLeft(line, "#")
	if depth = len(line) - len(rest); depth == 0 || depth > 6 || !strings.HasPrefix(rest, " ") {
		return 0, ""
	}
	return depth, strings.TrimSpace(strings.TrimRight(rest, "# "))
}

// bullet reads "- [x] text", "* text", "1. text"; mark is what stands in the box,
// " " of an empty one, "" if there is none.
func bullet(line string) (mark, body string, ok bool) {
	switch {
	case strings.HasPrefix(line, "- "), strings.HasPrefix(line, "* "), strings.HasPrefix(line, "+ "):
		body = strings.TrimSpace(line[2:])
	default:
		number, rest, cut := strings.Cut(line, " ")
		if !cut || strings.Trim(number, "0123456789") != "." && strings.Trim(number, "0123456789") != ")" || len(number) < 2 || number[0] < '0' || number[0] > '9' {
			return "", "", false
		}
		body = strings.TrimSpace(rest)
		if !strings.HasPrefix(body, "[") {
			body = number + " " + body
		}
	}
	if len(body) >= 3 && body[0] == '[' && body[2] == ']' && (len(body) == 3 || body[3] == ' ') {
		return body[1:2], strings.TrimSpace(body[3:]), true
	}
	return "", body, true
}

// width is how far a line is indented.
func width(s string) (n int) {
	for _, r := range s {
		if r == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}
