package memory

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Why a line of MEMORY.md no longer says what its fact does.
const (
	StrayReplaced = "replaced"
	StrayEdited   = "edited"
	StrayOver     = "over"
	StrayDeleted  = "deleted"
)

// A Stray is a line of MEMORY.md on which a fact was put, and that no longer says what holds. It
// is told to nobody, and stays on the page until somebody decides.
type Stray struct {
	Text string // the line's, without its mark
	ID   string // the fact's
	By   string // the fact that took its place, or ID if it was edited; "" if there is none
	Why  string
}

// PageItem is the text of an item in a line of a page, "" if the line is none.
func PageItem(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range [...]string{"- ", "* ", "+ "} {
		if rest, is := strings.CutPrefix(line, mark); is {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// promoted is a fact that was put on the page, or that names others it replaces.
type promoted struct {
	*Fact
	as string // the item that it was put on the page as, "" if it was not
}

// deletedByCleanup is who hid a fact for being old. Its line on the page is not wrong because
// of that.
const deletedByCleanup = "cleanup"

// strayBytes is how much of the folder's facts is searched for those on the page, the newest
// files first: tens of thousands of facts, in a few milliseconds.
const strayBytes = 16 << 20

// Strays are the lines of MEMORY.md whose facts were replaced, edited or deleted, or have ended.
func (p Place) Strays(now time.Time) ([]Stray, error) {
	page, err := p.WholePage(coreFile)
	if err != nil {
		return nil, err
	}
	items := map[string]bool{}
	for line := range strings.Lines(string(Both(page))) {
		if item := PageItem(line); item != "" {
			items[item] = true
		}
	}
	if len(items) == 0 {
		return nil, nil
	}
	found, any := p.puts()
	if !any {
		return nil, nil
	}
	return strays(found, items, now), nil
}

// puts are the facts on the page and those that replace others, in the order of their files; any
// is false if none is on the page.
func (p Place) puts() (found []promoted, any bool) {
	left := strayBytes
	for _, file := range slices.Backward(p.FactFiles()) {
		if strings.HasPrefix(file, localDir+"/") && !strings.HasPrefix(file, asideDir+"/") || left <= 0 {
			continue // what a session did; what others shared changes nothing of one's own
		}
		b, err := p.Read(file)
		if err != nil {
			continue // it is not read elsewhere either, and that was reported
		}
		left -= len(b)
		if !bytes.Contains(b, []byte(`"promoted_at"`)) && !bytes.Contains(b, []byte(`"supersedes"`)) {
			continue
		}
		var here []promoted
		p.Ledger.About()
		for line := range bytes.Lines(b) {
			if !bytes.Contains(line, []byte(`"promoted_at"`)) && !bytes.Contains(line, []byte(`"supersedes"`)) || p.Ledger.Of(ledger.LineKey(line)) == ledger.Nobody {
				continue
			}
			o, err := protocol.ParseObject(bytes.TrimSpace(line))
			if err != nil {
				continue
			}
			f, ok := parseFact(o)
			if !ok {
				continue
			}
			f.Deleted = f.Deleted && o.Text("deleted_by") != deletedByCleanup
			one := promoted{&f, ""}
			if o.Has("promoted_at") {
				if one.as = o.Text("promoted_as"); one.as == "" {
					one.as = text.OneLine(f.Content)
				}
				any = true
			}
			here = append(here, one)
		}
		found = append(lastPromoted(here), found...)
	}
	return found, any
}

// lastPromoted keeps what lastOfEach does.
func lastPromoted(here []promoted) []promoted {
	facts, kept := make([]*Fact, len(here)), map[*Fact]bool{}
	for i, f := range here {
		facts[i] = f.Fact
	}
	for _, f := range lastOfEach(facts) {
		kept[f] = true
	}
	return slices.DeleteFunc(here, func(f promoted) bool { return !kept[f.Fact] })
}

// strays are those of some facts whose lines are among the items of a page.
func strays(all []promoted, items map[string]bool, now time.Time) (out []Stray) {
	last, gone, facts := map[string]promoted{}, map[string]string{}, make([]*Fact, len(all))
	for i, f := range all {
		facts[i] = f.Fact
		switch last[f.ID] = f; {
		case f.Deleted:
			gone[f.ID] = StrayDeleted
		case f.Over(now) && gone[f.ID] == "":
			gone[f.ID] = StrayOver
		}
	}
	by := Replaced(facts, now)
	said := map[string]bool{}
	for id, f := range last {
		if gone[id] == "" && f.Begun(now) && by[id] == "" {
			said[text.OneLine(f.Content)] = true
		}
	}
	told := map[string]bool{}
	for _, f := range all {
		f = last[f.ID]
		if f.as == "" || !items[f.as] || said[f.as] || told[f.as] {
			continue
		}
		told[f.as] = true
		s := Stray{Text: f.as, ID: f.ID, By: lastOf(by, f.ID), Why: gone[f.ID]}
		if s.By != "" {
			s.Why = StrayReplaced
		} else if s.Why == "" {
			if text.OneLine(f.Content) == f.as { // its beginning may lie ahead
				continue
			}
			s.By, s.Why = f.ID, StrayEdited
		}
		out = append(out, s)
	}
	return out
}

// lastOf is what took the place of a fact and that nothing stands for, "" if nothing took it.
func lastOf(by map[string]string, id string) (last string) {
	for seen := map[string]bool{}; by[id] != "" && !seen[id]; id = last {
		seen[id], last = true, by[id]
	}
	return last
}

// WithoutStrays is a text of MEMORY.md without some lines.
func WithoutStrays(page string, list []Stray) string {
	if len(list) == 0 {
		return page
	}
	var kept strings.Builder
	for line := range strings.Lines(page) {
		item := PageItem(line)
		if item == "" || !slices.ContainsFunc(list, func(s Stray) bool { return s.Text == item }) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// TrueNow is [Place.Page] without the lines whose facts no longer hold.
func (p Place) TrueNow(file string, now time.Time) (ledger.Parts, error) {
	parts, err := p.Page(file)
	if err != nil || parts.Known == "" || !slices.Contains(PageFiles(coreFile), file) {
		return parts, err
	}
	list, err := p.Strays(now)
	for _, t := range []*string{&parts.Known, &parts.Own, &parts.Let} {
		*t = WithoutStrays(*t, list)
	}
	return parts, err
}
