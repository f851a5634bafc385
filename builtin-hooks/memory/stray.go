package memory

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
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
	Fact
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
	p.Ledger.About()
	return strays(p.puts(), items, now), nil
}

// puts are the facts on the page, and those that replaced them, themselves or through others. No
// other line is parsed, nor looked up in the ledger: a session waits for this.
func (p Place) puts() (found []promoted) {
	left := strayBytes
	var texts, lines [][]byte
	var wanted []string
	for _, file := range slices.Backward(p.FactFiles()) {
		if strings.HasPrefix(file, localDir+"/") && !strings.HasPrefix(file, asideDir+"/") || left <= 0 {
			continue // what a session did; what others shared changes nothing of one's own
		}
		b, err := p.Read(file)
		if err != nil {
			continue // it is not read elsewhere either, and that was reported
		}
		left -= len(b)
		texts = append(texts, b)
		for _, line := range linesWith(b, promotedName) {
			if f, ok := p.promotedIn(line); ok {
				found, wanted = append(found, f), append(wanted, f.ID)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, b := range texts {
		lines = append(lines, linesWith(b, supersedesName)...)
	}
	by := map[string][]int{} // the lines that replace an id
	for i, line := range lines {
		for _, id := range supersededIn(line) {
			by[id] = append(by[id], i)
		}
	}
	taken := map[int]bool{}
	for ; len(wanted) > 0; wanted = wanted[1:] {
		for _, i := range by[wanted[0]] {
			if taken[i] {
				continue
			}
			taken[i] = true
			if f, ok := p.promotedIn(lines[i]); ok {
				found, wanted = append(found, f), append(wanted, f.ID)
			}
		}
	}
	return found
}

var promotedName, supersedesName = []byte(`"promoted_at"`), []byte(`"supersedes"`)

// linesWith are the lines of a text that contain something.
func linesWith(b, what []byte) (lines [][]byte) {
	for {
		at := bytes.Index(b, what)
		if at < 0 {
			return lines
		}
		start, end := bytes.LastIndexByte(b[:at], '\n')+1, len(b)
		if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
			end = at + i
		}
		lines, b = append(lines, b[start:end]), b[end:]
	}
}

// supersededIn are the ids that a line says it replaces.
func supersededIn(line []byte) (ids []string) {
	_, list, _ := bytes.Cut(line, supersedesName)
	list, _, _ = bytes.Cut(list, []byte("]"))
	if bytes.IndexByte(list, '\\') >= 0 { // they may be written in another way
		o, _ := protocol.ParseObject(bytes.TrimSpace(line))
		return OurIDs(protocol.TextsOf(o.Get("supersedes")))
	}
	for i, part := range strings.Split(string(list), `"`) {
		if i%2 == 1 {
			ids = append(ids, OurID(part))
		}
	}
	return ids
}

// promotedIn is the fact in a line that is in use.
func (p Place) promotedIn(line []byte) (f promoted, ok bool) {
	whose, line := InUse(p.Ledger, line)
	if whose == ledger.Nobody {
		return f, false
	}
	o, err := protocol.ParseObject(bytes.TrimSpace(line))
	if err != nil {
		return f, false
	}
	if f.Fact, ok = parseFact(o); !ok {
		return f, false
	}
	f.Deleted = f.Deleted && o.Text("deleted_by") != deletedByCleanup
	if o.Has("promoted_at") {
		if f.as = o.Text("promoted_as"); f.as == "" {
			f.as = text.OneLine(f.Content)
		}
	}
	return f, true
}

// strays are those of some facts whose lines are among the items of a page.
func strays(all []promoted, items map[string]bool, now time.Time) (out []Stray) {
	last, gone, facts := map[string]promoted{}, map[string]string{}, make([]*Fact, len(all))
	for i, f := range all {
		facts[i] = &all[i].Fact
		if was, have := last[f.ID]; !have || !f.Updated.Before(was.Updated) {
			last[f.ID] = f
		}
	}
	for _, f := range all {
		switch {
		case f.Deleted && last[f.ID].Outlives(f.Fact):
		case f.Deleted:
			gone[f.ID] = StrayDeleted
		case f.Over(now) && gone[f.ID] == "":
			gone[f.ID] = StrayOver
		}
	}
	order.By(facts, func(a, b *Fact) int { return a.Time.Compare(b.Time) }) // of several successors the newest counts
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
