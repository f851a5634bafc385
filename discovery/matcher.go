package discovery

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
	"github.com/dlclark/regexp2"
)

// The bounds of matching (HM-MAT-16, HM-MAT-17).
const (
	maxHookMatch  = 100 * time.Millisecond
	maxEventMatch = time.Second
	maxLeaf       = 256 << 10 // bytes of one text that an expression is applied to
)

// A Matcher is the matcher block of a HOOK.md: regular expressions to search for, all
// optional. On tool events all of them must match.
type Matcher struct {
	Tool    string // applied to the tool's portable name, the agent's own, and further ones
	Pattern string // applied to each text, number and boolean of the tool's input, and to each command
	Command string // applied to each simple command, and to the whole
	Path    string // applied to the path of each file that is changed
	Content string // applied to what is written into each file
}

// at is the expression of a key.
func (m *Matcher) at(k key) *string {
	return [...]*string{&m.Tool, &m.Pattern, &m.Command, &m.Path, &m.Content}[k-keyTool]
}

// matcherKeys is how many expressions a matcher has.
const matcherKeys = keyContent - keyTool + 1

// A Budget limits the total time of all matchers of one event. The zero value is a full
// budget.
type Budget struct {
	spent time.Duration
	had   time.Duration // processor time of this process, when last read
}

// A Match is the result of a hook's matcher on one event.
type Match struct {
	OK      bool
	Gate    string   // what failed: a key of the matcher, or the hook's status
	Tried   []string // what the failing (or last) expression was applied to
	Warning string   // ran out of time or over the input cap: counts as a match
}

// Match decides whether h runs for an event as it is now: first by its matcher, if it
// is a tool event, then by the checks of a hook that is about to run. If a hook turns
// out to be broken (an expression does not compile, there is no entry) or untrusted, it
// then has that status, which is also the gate. tried requests Match.Tried, which costs
// time.
func (h *Hook) Match(ev *protocol.Event, b *Budget, tried bool) Match {
	m := Match{OK: h.Status == Ready}
	if m.OK && (ev.Type.IsTool() && (h.Matcher != Matcher{}) || h.Tongue != nil) {
		t := trial{hook: h, ev: ev, budget: b, left: maxHookMatch, keep: tried}
		m = t.run(ev)
	}
	if m.OK {
		h.ask(&h.vouch)
	}
	if m.OK && h.Status == Ready {
		h.ask(&h.admit)
	}
	if h.Status != Ready {
		m.OK, m.Gate = false, string(h.Status)
	}
	return m
}

// ask runs a deferred check, once.
func (h *Hook) ask(question *func(*Hook)) {
	if f := *question; f != nil {
		*question = nil
		f(h)
	}
}

// ready prepares an expression, and reports whether the hook may go on. Anything but
// plain text is a program of a kind: a project's is not run before the project is
// trusted (HM-SEC-02).
func (h *Hook) ready(k key) bool {
	e := &h.tried[k-keyTool]
	if *e != nil {
		return true
	}
	source := h.expression(k)
	if alts, ok := literals(source); ok {
		*e = &expression{alts: alts}
		return true
	}
	if h.ask(&h.vouch); h.Status != Ready {
		return false
	}
	return h.compiled(k)
}

// A trial is one hook's matcher being applied to an event.
type trial struct {
	hook    *Hook
	ev      *protocol.Event
	budget  *Budget
	left    time.Duration // of the hook's time
	keep    bool
	tried   []string
	warning string
}

func (t *trial) run(ev *protocol.Event) Match {
	h := t.hook
	if !t.tool(ev) {
		return Match{Gate: t.gate("tool"), Tried: t.tried}
	}
	if !ev.Type.IsTool() {
		return Match{OK: true, Tried: t.tried, Warning: t.warning}
	}
	for k := keyPattern; k <= keyContent; k++ {
		if *h.Matcher.at(k) == "" {
			continue
		}
		t.tried = nil
		if !t.texts(ev, k) {
			return Match{Gate: t.gate(strings.TrimPrefix(keyNames[k], "matcher.")), Tried: t.tried, Warning: t.warning}
		}
	}
	return Match{OK: true, Tried: t.tried, Warning: t.warning}
}

// gate is the hook's status if that is why an expression failed, else the key's name.
func (t *trial) gate(name string) string {
	if t.hook.Status != Ready {
		return string(t.hook.Status)
	}
	return name
}

func (t *trial) tool(ev *protocol.Event) bool {
	h := t.hook
	if h.Tongue != nil {
		return len(t.said(ev)) > 0
	}
	if h.Matcher.Tool == "" {
		return true
	}
	if !h.ready(keyTool) {
		return false
	}
	return slices.ContainsFunc(ToolNames(ev), func(name string) bool { return t.try(h.tried[0], name, keyTool) })
}

// ToolNames are the names of an event's tool, none if it calls no tool.
func ToolNames(ev *protocol.Event) []string {
	if ev.Call != nil {
		return ev.Call.Names()
	}
	if name := ev.Fields.Text("tool_name"); name != "" {
		return []string{name}
	}
	return nil
}

// texts applies the expression of a key to each of its texts. A text that is too long
// counts as a match, and so does a call that nobody can read, but only if no other text
// matches.
func (t *trial) texts(ev *protocol.Event, k key) bool {
	if !t.hook.ready(k) {
		return false
	}
	e := t.hook.tried[k-keyTool]
	found, long := false, 0
	whole := k == keyCommand && !tied(*t.hook.Matcher.at(k))
	unread := each(ev, k, whole, func(text string) bool {
		if len(text) > maxLeaf && e.re != nil {
			long = len(text)
			t.note(text)
			return true
		}
		found = t.holds(e, text, k)
		return !found
	})
	switch {
	case found:
		return true
	case long > 0:
		t.warning = fmt.Sprintf("%s was not tried on a text of %d KiB, over %d KiB; it counts as a match", keyNames[k], long>>10, maxLeaf>>10)
		return true
	case unread != "":
		t.warning = fmt.Sprintf("%s was not tried on %s; it counts as a match", keyNames[k], unread)
		return true
	}
	return false
}

// each calls f with the texts for a key, until f has enough, and says which could not
// be read. whole includes whole lines besides commands.
func each(ev *protocol.Event, k key, whole bool, f func(string) bool) (unread string) {
	more := true
	try := func(text string) bool {
		more = more && f(text)
		return more
	}
	switch k {
	case keyPattern:
		leaves(ev, try)
		if more && ev.Call != nil && ev.Call.Does.Has(protocol.Runs|protocol.RawShell) {
			unread = commands(deed.Of(ev), try)
		}
		if ev.Unread != "" {
			unread = ev.Unread
		}
	case keyCommand:
		d := deed.Of(ev)
		unread = commands(d, try)
		if d.NoCommand {
			unread = "a call of Shell in which no command is found"
		}
		for i := 0; whole && i < len(d.Lines); i++ {
			try(d.Lines[i])
		}
		for i := 0; whole && i < len(d.Pipes); i++ {
			try(d.Pipes[i])
		}
	case keyPath:
		d := deed.Of(ev)
		for _, c := range d.Changes {
			for _, path := range [...]string{c.Path, c.To} {
				if path != "" && try(path) && strings.Contains(path, `\`) {
					try(strings.ReplaceAll(path, `\`, "/"))
				}
			}
		}
		for _, path := range d.Paths {
			try(path)
		}
		unread = d.UnreadChanges
	case keyContent:
		d := deed.Of(ev)
		for _, c := range d.Changes {
			if c.HasNew {
				try(c.New)
			}
		}
		for _, text := range d.Texts {
			try(text)
		}
		unread = d.UnreadChanges
	}
	return unread
}

// commands calls f with each simple command.
func commands(d *protocol.Deed, f func(string) bool) (unread string) {
	for _, c := range d.Commands {
		if !f(c.Text) {
			return ""
		}
	}
	for _, piece := range d.Pieces {
		if !f(piece) {
			return ""
		}
	}
	return d.UnreadCommands
}

// leaves calls f with each leaf of the tool's input. A value that occurs twice, under
// its portable and its native key, is passed once.
func leaves(ev *protocol.Event, f func(string) bool) {
	input := ev.Fields.Sub("tool_input")
	if ev.Call != nil {
		input = ev.Call.Input
	}
	if input == nil {
		protocol.Leaves(ev.Fields.Get("tool_input"), f)
		return
	}
	more := true
	for i, m := range input {
		if twin(input, i) {
			continue
		}
		protocol.Leaves(m.Value, func(leaf string) bool {
			more = f(leaf)
			return more
		})
		if !more {
			return
		}
	}
}

// twin reports whether an earlier member has the same value.
func twin(o protocol.Object, i int) bool {
	if i >= 32 {
		return false
	}
	for _, m := range o[:i] {
		if string(m.Value) == string(o[i].Value) {
			return true
		}
	}
	return false
}

func (t *trial) note(s string) {
	if t.keep && !slices.Contains(t.tried, s) {
		t.tried = append(t.tried, s)
	}
}

// try applies one expression to one text, within the remaining time.
func (t *trial) try(e *expression, s string, k key) bool {
	t.note(s)
	if e.re == nil {
		return slices.ContainsFunc(e.alts, func(l literal) bool { return l.in(s) })
	}
	limit := min(t.left, maxEventMatch-t.budget.spent)
	if limit <= 0 { // mutant: a nanosecond is no time either
		return t.late(k)
	}
	ok, took, err := t.budget.match(e, s, limit)
	t.left -= took
	t.budget.spent += took
	if err != nil {
		return t.late(k)
	}
	return ok
}

// A search that took long is checked: did it have a processor?
const (
	long     = 5 * time.Millisecond
	attempts = 5
)

// match searches s, and tells how much of the time it was working. On an overloaded
// machine a search may exceed its limit without ever having run, and so may the next.
// It is then repeated, or a harmless call would count as a match for every guard.
func (b *Budget) match(e *expression, s string, limit time.Duration) (ok bool, took time.Duration, err error) {
	if b.had == 0 {
		b.had = processor.Time()
	}
	for range attempts {
		start := time.Now()
		ok, err = e.match(s, limit)
		if took = time.Since(start); took < long && err == nil {
			break
		}
		had := processor.Time()
		took, b.had = min(took, had-b.had), had
		if err == nil || took > limit/2 {
			break
		}
	}
	if err != nil {
		took = max(took, limit) // or each further text would wait as long
	}
	return ok, took, err
}

// holds applies an expression to a text, and one about paths below some folder also to
// the text relative to that folder.
func (t *trial) holds(e *expression, text string, k key) bool {
	if t.try(e, text, k) {
		return true
	}
	mark := ""
	if k == keyPath || k == keyPattern {
		mark = rooted(*t.hook.Matcher.at(k))
	}
	if mark != "" {
		text = t.from(mark, text)
	}
	return mark != "" && text != "" && t.try(e, text, k)
}

// late counts a match that could not be finished as a match: a crafted argument must
// not switch off a guard.
func (t *trial) late(k key) bool {
	which := "the time that matchers have, 100 ms a hook"
	if t.budget.spent >= maxEventMatch {
		which = "the time that the matchers of one event have, 1 s"
	}
	t.warning = fmt.Sprintf("%s ran out of %s; it counts as a match", keyNames[k], which)
	return true
}

// An expression is a prepared regular expression: an alternation of texts, or a
// compiled one.
type expression struct {
	alts []literal
	re   *regexp2.Regexp
}

// clock makes regexp2 check the time each millisecond. Its own period is 100 ms, so
// that a limit of 100 ms would fire after 200 (performance.md 3).
var clock sync.Once

// newExpression prepares an expression. An error is the text's fault.
func newExpression(source string) (e *expression, err error) {
	if alts, ok := literals(source); ok {
		return &expression{alts: alts}, nil
	}
	clock.Do(func() { regexp2.SetTimeoutCheckPeriod(time.Millisecond) })
	defer func() {
		// A stranger's expression must not end the dispatcher.
		if p := recover(); p != nil {
			e, err = nil, fmt.Errorf("the compiler of regular expressions failed: %v", p)
		}
	}()
	re, err := regexp2.Compile(source, regexp2.None)
	if err != nil {
		return nil, err
	}
	return &expression{re: re}, nil
}

// match searches s. An error means that it did not finish.
func (e *expression) match(s string, limit time.Duration) (ok bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			ok, err = false, fmt.Errorf("the matcher failed: %v", p)
		}
	}()
	e.re.MatchTimeout = limit
	return e.re.MatchString(s)
}
