package workspace

import (
	"slices"
	"strconv"
	"strings"
)

// The evidence that a node is right is in its log: what we saw, a commit, a test run or
// a check that was run, and what somebody said is evidence. A row that somebody else
// writes does not begin as ours do (see [Unseen]).

// Kinds of what was seen.
const (
	Commit = "commit" // its hash and subject
	Passed = "passed" // a command that tests something, or is a criterion
	Broken = "failed"
)

// seenWords are what rows of each kind begin with, in two languages.
var seenWords = map[string][2]string{
	Commit: {"seen: commit ", "实测：提交 "},
	Passed: {"seen: passed: ", "实测：通过："},
	Broken: {"seen: failed: ", "实测：失败："},
}

// A Seen is one thing that was seen of the work on a node.
type Seen struct{ Kind, What string }

// Event is the row of a log for it.
func (s Seen) Event(chinese bool) string {
	if words := seenWords[s.Kind]; chinese {
		return words[1] + s.What
	} else {
		return words[0] + s.What
	}
}

// Seen is what a row says was seen; ok is false for every other row.
func (r Row) Seen() (s Seen, ok bool) {
	for kind, words := range seenWords {
		for _, w := range words {
			if what, is := strings.CutPrefix(r.Event, w); is {
				return Seen{kind, what}, true
			}
		}
	}
	return s, false
}

// Unseen is a text of somebody's for a log: one that begins as rows of what we saw do
// is a quotation.
func Unseen(event string) string {
	for _, head := range []string{"seen:", "实测"} {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(event)), head) {
			return "“" + strings.TrimSpace(event) + "”"
		}
	}
	return event
}

// Evidence is the row of a log for what somebody says shows that a node is right.
func Evidence(text string, chinese bool) string {
	if chinese {
		return "证据：" + text
	}
	return "evidence: " + text
}

// A Proof is what shows that a node is right, since it was last started.
type Proof struct {
	Seen []Seen // the oldest first
	Said []string
}

// Proof is that of a node.
func (s *Store) Proof(n *Node) (p Proof) {
	for _, r := range s.Logs(n) {
		if r.begins() {
			p = Proof{}
			continue
		}
		if seen, ok := r.Seen(); ok {
			p.Seen = append(p.Seen, seen)
			continue
		}
		for _, head := range []string{"evidence: ", "证据："} {
			if text, ok := strings.CutPrefix(r.Event, head); ok {
				p.Said = append(p.Said, text)
			}
		}
	}
	return p
}

// Last is how a command ended that was seen last, "" if it was not seen.
func (p Proof) Last(command string) (kind string) {
	for _, s := range p.Seen {
		if s.What == command && s.Kind != Commit {
			kind = s.Kind
		}
	}
	return kind
}

// Lacks are the criteria, by their place from 1, for which there is nothing: a command
// that did not pass, and any other one that no evidence names by its number or its
// words. Where there is only one criterion all evidence is for it, and so is a test
// that passed.
func (p Proof) Lacks(list []Criterion) (places []int) {
	for i, c := range list {
		if command := c.Command(); command != "" {
			if p.Last(command) != Passed {
				places = append(places, i+1)
			}
			continue
		}
		if !p.shows(i+1, c, len(list) == 1) {
			places = append(places, i+1)
		}
	}
	return places
}

func (p Proof) shows(place int, c Criterion, only bool) bool {
	for _, text := range p.Said {
		number, rest, ok := strings.Cut(strings.TrimLeft(text, "#"), ":")
		if !ok {
			number, rest, ok = strings.Cut(strings.TrimLeft(text, "#"), "：")
		}
		switch {
		case only:
			return true
		case ok && strings.TrimSpace(number) == strconv.Itoa(place) && strings.TrimSpace(rest) != "":
			return true
		case names(text, c.When) || names(text, c.Then):
			return true
		}
	}
	return slices.ContainsFunc(p.Seen, func(s Seen) bool { return only && s.Kind == Passed && p.Last(s.What) == Passed })
}

// names reports whether a text quotes a part of a criterion. A word such as "done" is
// in too many texts to mean one.
func names(text, part string) bool {
	part = strings.ToLower(strings.TrimSpace(part))
	return len([]rune(part)) >= 6 && strings.Contains(strings.ToLower(text), part)
}

// Command is the line of a shell that a criterion is checked by, "" if it has none:
// either half may be one, behind "cmd:".
func (c Criterion) Command() string {
	for _, half := range []string{c.When, c.Then} {
		half = strings.TrimSpace(half)
		if len(half) > 4 && strings.EqualFold(half[:4], "cmd:") {
			return strings.TrimSpace(strings.Trim(strings.TrimSpace(half[4:]), "`"))
		}
	}
	return ""
}

// String is a criterion on one line.
func (c Criterion) String() string { return c.When + " → " + c.Then }

// begins reports whether a row says that work on a node began, or began again.
func (r Row) begins() bool {
	if !r.transition() {
		return false
	}
	_, to, _ := strings.Cut(r.Event, " → ")
	to, _, _ = strings.Cut(to, " ")
	return to == Implementing
}

// Who began and who finished a node: "Human", or which agent, where that is known.
const (
	memberStartedBy = "startedBy"
	memberDoneBy    = "doneBy"
)

// SetBy notes who began a node, or finished it.
func (n *Node) SetBy(who string) {
	member := memberStartedBy
	if Terminal(n.Status()) {
		member = memberDoneBy
	} else {
		n.Delete(memberDoneBy)
	}
	if who == AI {
		n.Delete(member)
	} else {
		n.SetText(member, who)
	}
}

// memberApproved is when a person approved the plan that a node is.
const memberApproved = "approvedAt"

// Approve notes that a person approved the plan that a node is.
func (n *Node) Approve(stamp string) {
	n.SetText(memberApproved, stamp)
	n.SetText("updatedAt", stamp)
}

// By is who began a node, and who finished it; "" where nobody noted it.
func (n *Node) By() (started, done string) { return n.Text(memberStartedBy), n.Text(memberDoneBy) }
