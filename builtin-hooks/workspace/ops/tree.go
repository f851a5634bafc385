package ops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Line is a node as a line of the drawn tree.
type Line struct {
	Rails  string // "│  ├─ "
	Sign   string // of the state, one place wide
	Status string
	Title  string
	Tail   string // what else there is to say, "" if nothing
	Focus  bool
}

// Draw draws a part of the tree from a node down, in lines of at most width places;
// 0 is any width. The zero Part is all of it.
func Draw(s *workspace.Store, from *workspace.Node, width int, part Part) []Line {
	d := drawing{s: s, width: width, part: part, seen: map[string]bool{}}
	d.node(from, "", "")
	return d.lines
}

type drawing struct {
	s     *workspace.Store
	width int
	part  Part
	seen  map[string]bool
	lines []Line
}

func (d *drawing) node(n *workspace.Node, rails, below string) {
	if d.seen[n.ID()] {
		return // a circle in a damaged file
	}
	d.seen[n.ID()] = true
	l := Line{Rails: rails, Sign: Sign(n.Status()), Status: n.Status(), Title: protocol.Plain(d.s.Title(n)), Focus: d.s.Graph.Focus() == n.ID()}
	kids := d.s.Graph.Kids(n)
	if len(kids) > 0 {
		done := 0
		for _, k := range kids {
			if workspace.Terminal(k.Status()) {
				done++
			}
		}
		l.Tail = fmt.Sprintf("%d/%d", done, len(kids))
	}
	shown := slices.DeleteFunc(slices.Clone(kids), func(k *workspace.Node) bool { return !d.part.shows(k) })
	if len(shown) < len(kids) {
		l.Tail += fmt.Sprintf(" +%d", d.part.hidden(d.s.Graph, n))
	}
	if held := owner(d.part.held, n); held != "" {
		l.Tail = strings.TrimSpace(l.Tail + " " + held)
	}
	if by := d.s.Graph.Blockers(n); by != nil && n.Status() == workspace.Pending && n.Type() == workspace.Execution {
		l.Tail = strings.TrimSpace(l.Tail + " ← " + text.Clip(protocol.Plain(d.s.Title(by[0])), 30))
	}
	if problem, _ := d.s.Problem(n); problem != "" && !workspace.Terminal(n.Status()) {
		l.Tail = strings.TrimSpace(l.Tail + " ! " + text.FirstLine(protocol.Plain(problem)))
	}
	l.fit(d.width)
	d.lines = append(d.lines, l)
	for i, k := range shown {
		if i == len(shown)-1 {
			d.node(k, below+"└─ ", below+"   ")
		} else {
			d.node(k, below+"├─ ", below+"│  ")
		}
	}
}

// fit shortens first what else there is to say, then the title.
func (l *Line) fit(width int) {
	if width <= 0 {
		return
	}
	fixed := text.Width(l.Rails) + 2 + len(" ()") + len(l.Status)
	if l.Focus {
		fixed += 2
	}
	room := max(8, width-fixed)
	if text.Width(l.Title) > room {
		l.Title, l.Tail = text.Fit(l.Title, room), ""
		return
	}
	left := room - text.Width(l.Title) - 2
	if l.Tail = text.Fit(l.Tail, left); left < 3 {
		l.Tail = ""
	}
}

// String is the line without colours.
func (l Line) String() string {
	text := l.Rails + l.Sign + " " + l.Title + " (" + l.Status + ")"
	if l.Tail != "" {
		text += "  " + l.Tail
	}
	if l.Focus {
		text += " ◀"
	}
	return text
}

// Sign is the sign of a state.
func Sign(status string) string {
	switch status {
	case workspace.Pending:
		return "○"
	case workspace.Implementing, workspace.Planning:
		return "●"
	case workspace.Validating, workspace.Monitoring:
		return "◐"
	case workspace.Completed:
		return "✓"
	case workspace.Failed:
		return "✗"
	case workspace.Cancelled:
		return "–"
	}
	return "?"
}

func spaceStatus(c *call) (protocol.Object, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	done, all := s.Graph.Progress()
	var focus any
	if id := s.Graph.Focus(); id != "" {
		focus = id
	}
	part := c.part(s, s.Graph.Root())
	output := c.box(s, done, all, part)
	if c.text("format") == "markdown" {
		output = c.markdown(s, done, all, part)
	}
	return object("output", output, "summary", object("name", s.Entry.Name, "goal", s.Goal(), "status", s.Entry.Status,
		"totalNodes", all, "completedNodes", done, "currentFocus", focus)), nil
}

// Shown draws the part of a tree that a call of node_list asks for, and says what is
// left out.
func (d *Operator) Shown(s *workspace.Store, from *workspace.Node, width int, args protocol.Object) (lines []Line, rest string) {
	c := &call{Operator: d, args: args, now: d.Now()}
	part := c.part(s, from)
	if width == 0 && part.shown != nil { // a part is there to be short
		width = partWidth
	}
	return Draw(s, from, width, part), c.rest(part)
}

// partWidth is how wide a part of a tree is where nobody looks at a screen.
const partWidth = 90

// boxWidth is how wide the box is inside.
const boxWidth = 74

func (c *call) box(s *workspace.Store, done, all int, part Part) string {
	var b strings.Builder
	rule := strings.Repeat("─", boxWidth+2)
	line := func(s string) {
		s = text.Fit(protocol.Plain(s), boxWidth)
		b.WriteString("│ " + s + strings.Repeat(" ", boxWidth-text.Width(s)) + " │\n")
	}
	b.WriteString("┌" + rule + "┐\n")
	line(s.Entry.Name + " (" + s.Entry.Status + ")")
	line(c.say("goal: ", "目标：") + text.FirstLine(s.Goal()))
	line(fmt.Sprintf("%s %s %d/%d", c.say("done:", "进度："), bar(done, all, 20), done, all))
	if step := c.course(s, part.held).Next(); step != nil {
		line(c.say("next: ", "下一个：") + s.Title(step.Node) + " (" + s.Graph.Short(step.Node) + "), " + s.Graph.Why(*step, c.say, s.Title))
	}
	b.WriteString("├" + rule + "┤\n")
	for _, l := range Draw(s, s.Graph.Root(), boxWidth, part) {
		line(l.String())
	}
	if rest := c.rest(part); rest != "" {
		line(rest)
	}
	b.WriteString("└" + rule + "┘")
	return b.String()
}

func bar(done, all, width int) string {
	full := 0
	if all > 0 {
		full = done * width / all
	}
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

func (c *call) markdown(s *workspace.Store, done, all int, part Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", protocol.Plain(s.Entry.Name))
	fmt.Fprintf(&b, "- %s%s\n- %s%d/%d\n", c.say("goal: ", "目标："), text.FirstLine(protocol.Plain(s.Goal())), c.say("done: ", "进度："), done, all)
	if rules := s.Page().Rules(); rules != nil {
		fmt.Fprintf(&b, "- %s%d\n", c.say("rules: ", "规则："), len(rules))
	}
	b.WriteString("\n")
	for _, l := range Draw(s, s.Graph.Root(), 0, part) {
		depth := len([]rune(l.Rails)) / 3
		mark := ""
		if l.Focus {
			mark = " ◀"
		}
		fmt.Fprintf(&b, "%s- %s %s `%s`%s\n", strings.Repeat("  ", depth), l.Sign, l.Title, l.Status, mark)
	}
	if rest := c.rest(part); rest != "" {
		b.WriteString("\n" + rest + "\n")
	}
	return b.String()
}
