package discovery

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// The format's defaults and ranges (HM-FMT-22 to 27).
const (
	DefaultTimeout  = 30 * time.Second
	MinTimeout      = 100 * time.Millisecond
	MaxTimeout      = 600 * time.Second
	DefaultPriority = 100
	MaxPriority     = 1000

	maxDescription = 1024 // characters
)

// Parse reads the start of a HOOK.md in a folder with that name. It reads no other
// file: the returned hook has no entry, and its status is Ready, or Broken or Foreign
// if the front matter alone shows that.
func Parse(file []byte, folder string, layer LayerName) *Hook {
	h := &Hook{Layer: layer, folder: folder, Status: Ready, Trusted: layer != ProjectLayer}
	f := readFront(file)
	h.take(&f, nil)
	return h
}

// take fills a hook from its front matter and adds all problems found there. tongues
// are the protocols that it may use.
func (h *Hook) take(f *front, tongues func() []*protocol.Tongue) {
	h.Problems = append(h.Problems, f.problems...)
	h.Timeout, h.Priority = DefaultTimeout, DefaultPriority
	unreadable := len(f.problems) > 0 && anyFatal(f.problems) && f.fields == [keyCount]field{}
	if unreadable {
		h.Name = h.folder
	} else {
		h.identify(f)
		h.describe(f)
		h.limits(f)
		if f.fields[keyDialect].kind != absent || f.fields[keyRun].kind != absent {
			h.speaks(f, tongues)
		}
		h.match(f)
		h.meta(f)
	}
	for k, v := range f.fields {
		h.given[k] = v.kind != absent && v.kind != null
	}
	if f.foreign && f.fields[keyTrigger].kind == absent {
		h.Status = Foreign
	} else if len(h.Problems) > 0 && anyFatal(h.Problems) {
		h.Status = Broken
	}
	if len(h.Problems) > 0 {
		for i := range h.Problems {
			h.Problems[i].File = h.File
		}
		sortProblems(h.Problems)
	}
}

func (h *Hook) problem(p Problem) { h.Problems = append(h.Problems, p) }

// ValidName reports whether a text is a valid hook name: 1 to 64 small letters and
// digits, of any script, in groups joined by single hyphens. A combining mark counts as
// part of its letter; a validator checks normalization, since the tables for that would
// cost every event.
func ValidName(s string) bool { return protocol.ValidName(s) || scripted(s) }

// nameOf is the effective name, the file's or else the folder's, and whether it is a
// proper one: a missing name is not, whatever the folder is called.
func nameOf(f *front, folder string) (string, bool) {
	switch v := f.fields[keyName]; {
	case v.kind == absent || v.kind == null || v.kind == list || v.kind == mapping:
		return folder, false
	case ValidName(v.text):
		return v.text, true
	}
	return folder, ValidName(folder)
}

// triggerOf is the event that a hook waits for, and whether it is a known one.
func triggerOf(f *front) (protocol.EventType, bool) {
	v := f.fields[keyTrigger]
	if v.kind != text {
		return "", false
	}
	t := protocol.EventType(v.text)
	if t.Known() {
		return t, true
	}
	t, ok := oldEvent(v.text)
	return t, ok
}

// top is the place of problems about something missing: the first line of the front
// matter.
func top() field { return field{line: 1, col: 1} }

func (h *Hook) identify(f *front) {
	name, trigger := f.fields[keyName], f.fields[keyTrigger]
	var ok bool
	h.Name, ok = nameOf(f, h.folder)
	h.nameAt = name
	switch {
	case name.kind == absent || name.kind == null:
		h.problem(fatal(orTop(name), "name", "add a line: name: "+orWord(h.folder, "my-hook"), "is missing"))
	case name.kind == list || name.kind == mapping:
		h.problem(fatal(name, "name", "write one word", "is %s, not text", name.kind))
	case !ok:
		h.problem(fatal(name, "name", "use "+nameForm, "%s is not a hook name, and neither is the folder's, %s", quoted(name.text), quoted(h.folder)))
	case name.text != h.Name:
		h.problem(wrong(name, "name", "use "+nameForm, "%s is not a hook name; the folder's name stands", quoted(name.text)))
	case h.folder != "" && h.folder != h.Name:
		h.problem(wrong(name, "name", "rename one of them", "%s is unlike the folder's name %s", quoted(name.text), quoted(h.folder)))
	}
	h.Trigger, ok = triggerOf(f)
	switch {
	case trigger.kind == absent || trigger.kind == null:
		if !f.foreign {
			h.problem(fatal(orTop(trigger), "trigger", "add a line: trigger: pre-tool-call", "is missing"))
		}
	case trigger.kind == list || trigger.kind == mapping:
		h.problem(fatal(trigger, "trigger", "write one event; a second one takes a second hook", "is %s, not one event", trigger.kind))
	case !ok:
		h.problem(fatal(trigger, "trigger", meantEvent(trigger.text), "%s is no event", quoted(trigger.text)))
	case string(h.Trigger) != trigger.text:
		h.problem(wrong(trigger, "trigger", "write "+string(h.Trigger), "%s is an old name of the event %s", quoted(trigger.text), h.Trigger))
	}
}

func orTop(f field) field {
	if f.kind == absent {
		return top()
	}
	return f
}

func (h *Hook) describe(f *front) {
	switch v := f.fields[keyDescription]; {
	case v.kind == absent || v.kind == null:
		h.problem(wrong(orTop(v), "description", "say in one sentence what the hook does", "is missing"))
	case v.kind == list || v.kind == mapping:
		h.problem(wrong(v, "description", "write one sentence", "is %s, not text", v.kind))
	case strings.TrimSpace(v.text) == "":
		h.problem(wrong(v, "description", "say in one sentence what the hook does", "is empty"))
	default:
		h.Description = v.text
		if n := utf8.RuneCountInString(v.text); n > maxDescription {
			v.text = quoted(v.text)
			h.problem(wrong(v, "description", "move the details into the text below", "has %d characters, at most %d may stand here", n, maxDescription))
		}
	}
}

func (h *Hook) limits(f *front) {
	h.Timeout = time.Duration(h.number(f, keyTimeout)) * time.Millisecond
	h.Priority = h.number(f, keyPriority)
	switch v := f.fields[keyAsync]; {
	case v.kind == absent || v.kind == null:
	case v.kind == boolean:
		h.Async = strings.EqualFold(v.text, "true")
	default:
		h.problem(wrong(v, "async", "write true or false", "%s is no boolean; false stands", shown(v)))
	}
	if h.Async && h.Trigger.Prevents() {
		h.problem(dubious(f.fields[keyAsync], "async", "leave async out if the hook is to block", "nobody waits for this hook, so it cannot block %s", h.Trigger))
	}
}

// A span is the range of a number, and its default.
type span struct {
	def, least, most int
	unit             string
}

func spanOf(k key) span {
	if k == keyTimeout {
		return span{int(DefaultTimeout / time.Millisecond), int(MinTimeout / time.Millisecond), int(MaxTimeout / time.Millisecond), " (milliseconds)"}
	}
	return span{DefaultPriority, 0, MaxPriority, ""}
}

// clamp returns a value as the nearest number in a span; ok is false if it is not an
// integer.
func (s span) clamp(v field) (n int, ok bool) {
	n, err := strconv.Atoi(v.text)
	if v.kind != integer && v.kind != other || err != nil && !isRange(err) {
		return s.def, false
	}
	return min(max(n, s.least), s.most), true
}

// number reads an integer in a range. Outside the range the nearer bound is used; for
// anything but an integer, the default.
func (h *Hook) number(f *front, k key) int {
	v, s := f.fields[k], spanOf(k)
	if v.kind == absent || v.kind == null {
		return s.def
	}
	n, ok := s.clamp(v)
	m, err := strconv.Atoi(v.text)
	if ok && err == nil && m == n {
		return n
	}
	want := "write a whole number from " + strconv.Itoa(s.least) + " to " + strconv.Itoa(s.most) + s.unit
	if ok && k == keyTimeout && err == nil && secondsMeant(m) {
		want = "seconds meant? write " + strconv.Itoa(m*1000)
	}
	if ok {
		h.problem(wrong(v, keyNames[k], want, "%s is outside %d to %d; %d stands", v.text, s.least, s.most, n))
	} else {
		h.problem(wrong(v, keyNames[k], want, "%s is no whole number; %d stands", shown(v), n))
	}
	return n
}

func isRange(err error) bool {
	ne, ok := err.(*strconv.NumError)
	return ok && ne.Err == strconv.ErrRange
}

// shown is a value as problems show it.
func shown(v field) string {
	if v.kind == list || v.kind == mapping {
		return v.kind.String()
	}
	return quoted(v.text)
}

func (h *Hook) match(f *front) {
	m := f.fields[keyMatcher]
	switch m.kind {
	case absent, null:
		return
	case mapping:
	default:
		h.problem(fatal(m, "matcher", "write tool: or pattern: below it, indented", "%s is no mapping", shown(m)))
		return
	}
	copy(h.at[:], f.fields[keyTool:])
	h.Matcher.Tool = h.regexp(f.fields[keyTool], "matcher.tool", "join alternatives with |: Shell|EditFile")
	for k := keyPattern; k <= keyContent; k++ {
		*h.Matcher.at(k) = h.regexp(f.fields[k], keyNames[k], "join alternatives with |")
	}
	if h.Trigger != "" && !h.Trigger.IsTool() && (h.Matcher != Matcher{}) && h.Tongue == nil {
		h.problem(dubious(m, "matcher", "remove it", "has no meaning on %s: it applies to the events of a tool call only", h.Trigger))
	}
}

func (h *Hook) meta(f *front) {
	if m := f.fields[keyMetadata]; m.kind != absent && m.kind != null && m.kind != mapping {
		h.problem(wrong(m, "metadata", "write key: value below it, indented", "%s is no mapping", shown(m)))
	}
	switch v := f.fields[keyOnError]; {
	case v.kind == absent || v.kind == null:
	case v.text == string(OnErrorBlock) && v.kind == text:
		h.OnError = OnErrorBlock
		if h.Trigger.Known() && !h.Trigger.Prevents() {
			h.problem(dubious(v, "metadata.on_error", "remove it, or wait for the event before it", "has no meaning on %s: nothing is prevented there any more, and exit 2 is feedback", h.Trigger))
		}
	case v.text == string(OnErrorAllow) && v.kind == text:
		// A project may only tighten what the user set.
		if h.Layer != ProjectLayer {
			h.OnError = OnErrorAllow
		}
	default:
		h.problem(wrong(v, "metadata.on_error", "write block or allow", "%s is neither block nor allow", shown(v)))
	}
	switch v := f.fields[keyLoopLimit]; {
	case v.kind == absent || v.kind == null:
	default:
		n, err := strconv.Atoi(v.text)
		if v.kind != integer || err != nil || n < 1 {
			h.problem(wrong(v, "metadata.loop_limit", "write a whole number from 1", "%s is no whole number above 0; the general limit stands", shown(v)))
			break
		}
		h.LoopLimit = n
	}
	switch v := f.fields[keyOnUnsupported]; {
	case v.kind == absent || v.kind == null:
	case v.text == string(protocol.UnsupportedBlock) && v.kind == text:
		h.Insists = true
		if h.Trigger.Known() && h.Trigger != protocol.PreToolCall {
			h.problem(dubious(v, "metadata.on_unsupported", "remove it", "has no meaning on %s: nothing but the input of a tool call can be changed", h.Trigger))
		}
	default:
		h.problem(wrong(v, "metadata.on_unsupported", "write block, or remove it", "%s is not block", shown(v)))
	}
	h.mayAllow(f.fields[keyMayAllow])
	if f.fields[keySandbox].kind != absent {
		h.asksForSandbox(f)
	}
}

// mayAllow reads whether a hook may give permission in the user's place.
func (h *Hook) mayAllow(v field) {
	switch on := strings.EqualFold(v.text, "true"); {
	case v.kind == absent || v.kind == null || v.kind == boolean && !on:
	case v.kind != boolean:
		h.problem(wrong(v, "metadata.may_allow", "write true or false", "%s is no boolean; false stands", shown(v)))
	case h.Layer != UserLayer && h.Layer != SystemLayer:
		h.problem(dubious(v, "metadata.may_allow", "remove it", "counts for the user's own hooks (the layers user and system), not for one that comes with a project"))
	case h.Trigger.Known() && !h.Trigger.Permits():
		h.problem(dubious(v, "metadata.may_allow", "remove it", "has no meaning on %s: a permission is given on pre-tool-call and permission-request", h.Trigger))
	case h.Async:
		h.problem(dubious(v, "metadata.may_allow", "leave async out", "nobody waits for this hook, so it gives no permission"))
	default:
		h.MayAllow = true
	}
}

// breakWith marks a hook as broken.
func (h *Hook) breakWith(p Problem) {
	p.File = cmp.Or(p.File, h.File)
	if !slices.Contains(h.Problems, p) {
		h.problem(p)
		sortProblems(h.Problems)
	}
	h.Status = Broken
}
