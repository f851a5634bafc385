package hooks

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the session's directory contains of ours.
const (
	// stateName has what was asked and when: began, told_how, turn_asked, flushed, compacted,
	// unkept; and in which processes the session began.
	stateName = "memory"
	// spoolName has a line for each prompt ({"prompt": …, "decided": true, "recalled": ids}; with
	// "wish" if it only wants to be remembered, "plans" if the agent may only plan), for
	// each call that did something ({"files": […], "ran": …, "failed": true, "purpose": …}), and
	// for each stop ({"said": …}). A prompt and a stop have the decisions and todos in them.
	spoolName = "memory"

	flushKind = "memory-flush" // a deferred item's
	flushLife = 2 * time.Hour
	loadKind  = "memory-load"
	loadLife  = 12 * time.Hour // a session may be idle before its first prompt
)

// nudge is memory-nudge: every tool call pays for it.
func nudge(c *behaviour.Call) error {
	var err error
	if acts(c.Event) {
		err = errors.Join(home(c), note(c), wrote(c))
	}
	if protocol.DoesOf(c.Event.Text("tool_name")) == 0 && c.Event.Has("tool_response") { // a tool of the agent's own
		err = errors.Join(err, answered(c))
	}
	if !delegated(c.Event) {
		deliver(c)
		early(c)
	}
	return err
}

// delegated reports an event within a subagent, which has not read the session's conversation: what
// the session's own agent is to be told or asked waits for it.
func delegated(ev protocol.Object) bool {
	return ev.Text("agent_id") != "" || ev.Text("source") == "subagent"
}

// answered records what a person chose when the agent asked: that is a decision. Whatever the tool is
// called, it answers with its questions, and what was chosen by each.
func answered(c *behaviour.Call) error {
	said := c.Event.Sub("tool_response")
	if !said.Has("questions") {
		return nil
	}
	var list []string
	for _, m := range said.Sub("answers") {
		if chosen := protocol.TextOf(m.Value); chosen != "" {
			list = append(list, gist(ends(redact.Memory.Text(m.Name+" "+chosen)), promptRoom))
		}
	}
	if list == nil {
		return nil
	}
	var record protocol.Object
	record.Set("decided", protocol.Raw("true"))
	putList(&record, "decisions", list)
	return c.State.Spool(spoolName, c.Digest(), record)
}

// acts reports whether a call may have done something; others are spared the look at where the
// session began.
func acts(ev protocol.Object) bool {
	switch ev.Text("tool_name") {
	case "Shell", "WriteFile", "EditFile":
		return true
	}
	return ev.Has("changes")
}

// recall is memory-recall.
func recall(c *behaviour.Call) error {
	err := home(c)
	sortBranches(c)
	last := c.State.Last(spoolName)
	err = errors.Join(err, cutShort(c, last, "interrupted"))
	record := turn(c)
	if !delegated(c.Event) {
		deliver(c)
		early(c)
	}
	tellHow(c)
	found, searched := searchPrompt(c)
	err = errors.Join(err, searched)
	if told := sayFound(c, found); len(told) > 0 {
		record.Set("recalled", toldAlready(told))
	}
	err = errors.Join(err, c.State.Spool(spoolName, strconv.FormatInt(c.Now.UnixNano(), 36), record))
	if last == nil || last.Has("recalled") && !last.Has("prompt") { // the first prompt of what is not compiled yet
		err = errors.Join(err, enlist(c))
	}
	return err
}

// tellHow says, at a prompt that asks to remember something, how that is saved, in a session that
// began before memory was switched on: there nobody said it. Once.
func tellHow(c *behaviour.Call) {
	if source := c.Event.Text("source"); source != "" && source != "user" || !c.Can("context") || c.Session() == "" || !wished(text.Head(c.Event.Text("prompt"), 4000)) {
		return
	}
	knows := func(o protocol.Object) bool { return o.Has("began") || o.Has("told_how") }
	if knows(c.State.Read(stateName)) {
		return
	}
	due := false
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		if due = !knows(o); !due {
			return nil
		}
		o.Set("told_how", protocol.Raw("true"))
		return o
	})
	if due && err == nil {
		c.Say(requestOf(c).remember(), "")
	}
}

// turn is the record of a prompt. What the agent itself sends, such as the end of a background
// task, is not a turn of the user.
func turn(c *behaviour.Call) protocol.Object {
	var record protocol.Object
	if source := c.Event.Text("source"); source != "" && source != "user" {
		record.SetText("source", source)
		return record
	}
	prompt := c.Event.Text("prompt")
	clean := ends(redact.Memory.Text(prompt))
	record.SetText("prompt", gist(clean, promptRoom))
	if onlyPlans(c) {
		record.Set("plans", protocol.Raw("true"))
	}
	if head := text.Head(prompt, 4000); decides(head) {
		record.Set("decided", protocol.Raw("true"))
		if !decidesBeside(head) {
			record.Set("wish", protocol.Raw("true"))
		}
		putList(&record, "decisions", settledIn(clean, decides))
	}
	putList(&record, "todos", openIn(clean))
	return record
}

// promptRoom is how much of a prompt is kept.
const promptRoom = 160

// ends are the beginning and the end of a long text: what is asked stands there, and not in what
// was pasted between them.
func ends(s string) string {
	const most = 4000
	head := text.Head(s, most)
	if len(head) == len(s) {
		return s
	}
	runes := []rune(s[len(head):])
	tail := string(runes[max(0, len(runes)-most):])
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i] // whole lines, which show what they are
	}
	if _, rest, ok := strings.Cut(tail, "\n"); ok && len(runes) > most {
		tail = rest
	}
	return head + "\n" + tail
}

func putList(record *protocol.Object, name string, list []string) {
	if len(list) > 0 {
		record.Set(name, protocol.TextList(list))
	}
}

// deliver gives the agent what no earlier event could carry (BM-LOD-18).
func deliver(c *behaviour.Call) {
	if onlyPlans(c) { // it may save nothing now (BM-SAV-17)
		deliverOf(c, loadKind, rememberKind)
		return
	}
	deliverOf(c, loadKind, rememberKind, flushKind)
}

// deliverOf is deliver for some kinds.
func deliverOf(c *behaviour.Call, kinds ...string) {
	if !c.Can("context") || !c.State.Waiting() {
		return
	}
	items, err := c.State.Take(c.Now, kinds...)
	if err != nil || len(items) == 0 {
		return
	}
	items = besideMemories(c, items)
	for _, item := range items {
		c.Say(dueText(c, item, items), "")
	}
	c.Unanswered = func() {
		for _, item := range items {
			_ = c.State.Defer(item)
		}
	}
}

// besideMemories are the items without those that leave too little of the budget to the memories
// that are told with them, and wait for the event after it.
func besideMemories(c *behaviour.Call, items []session.Item) (now []session.Item) {
	load := slices.ContainsFunc(items, func(item session.Item) bool { return item.Kind == loadKind })
	var texts []string
	for _, item := range items {
		switch {
		case !load || item.Kind == loadKind:
			now = append(now, item)
		case fits(c, append(texts, item.Text)...):
			now, texts = append(now, item), append(texts, item.Text)
		default:
			_ = c.State.Defer(item)
		}
	}
	return now
}

// dueText is the text of a deferred item. What is remembered is read when it is told, and leaves
// room for the others of all that is told with it.
func dueText(c *behaviour.Call, item session.Item, all []session.Item) string {
	if item.Kind != loadKind {
		return item.Text
	}
	var texts []string
	for _, item := range all {
		if item.Kind != loadKind {
			texts = append(texts, item.Text)
		}
	}
	text, _ := memories(c, storeOf(c), treeOf(c), item.Text == "compact", texts...) // what could not be noted as told may be told again
	return text
}

// requestOf is the information about a call that the texts need.
func requestOf(c *behaviour.Call) request {
	id := c.Session()
	if id == "" {
		id = "unknown"
	}
	return request{
		lang: locale.Of(c.Settings.Of("language").Text, c.Getenv), names: c.Names(), session: id,
		folder: storeOf(c).Folder(),
	}
}

// storeOf is the memory that a call is about.
func storeOf(c *behaviour.Call) memory.Place {
	place := memory.Find(c.Project(), c.Runtime.Data, c.Settings.Of("data_dir").Text, c.Below, c.Ledger)
	place.Git = c.Settings.Of("git").Text
	return place
}

// askAgain defers a request.
func askAgain(c *behaviour.Call, text string) error {
	return c.State.Defer(session.Item{Kind: flushKind, Text: text, Expires: c.Now.Add(flushLife)})
}

func integer(o protocol.Object, name string) int64 {
	n, err := strconv.ParseInt(string(o.Get(name)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func short(s string, most int) string { return text.Clip(text.OneLine(s), most) }
