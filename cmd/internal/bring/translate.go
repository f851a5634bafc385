package bring

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	words "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A Hook is made of one entry, or of several that differ only in their matcher.
type Hook struct {
	Name        string
	Trigger     protocol.EventType
	Matcher     discovery.Matcher
	Timeout     int // milliseconds, 0 for the default
	Async       bool
	LoopLimit   int               // 0 for the default
	Speaks      *protocol.Dialect // whose protocol it speaks; nil: ours
	Aside       string            // the event of that protocol that the hook has to name, "" for none
	Command     string            // for sh -c, "" if Argv is set
	Argv        []string
	Entries     []Entry
	Differences []string

	layer protocol.Scope // whose it will be
}

// maxLoops is the highest metadata.loop_limit.
const maxLoops = 1000

// maxCommand is how long a command may be, since only so much of a HOOK.md is read.
const maxCommand = 16 << 10

// maxMatcher is how long an expression may be. One that is longer finds nothing that a shorter one
// does not, and takes its time at each call.
const maxMatcher = 4 << 10

// A refusal says why an entry is not imported.
type refusal string

// translate turns an entry into a hook, or says why it cannot.
func (f *finder) translate(e Entry) (h Hook, why refusal) {
	if e.never != "" {
		return h, refusal(e.never)
	}
	h.Entries = []Entry{e}
	for _, step := range []func(*Hook, Entry) refusal{f.kindOf, f.protocolOf, f.triggerOf, f.matcherOf, f.conditionOf, f.timesOf, f.commandIn, f.scriptsOf, f.restOf} {
		if why := step(&h, e); why != "" {
			return h, why
		}
	}
	return h, ""
}

func (h *Hook) differs(format string, args ...any) {
	if d := fmt.Sprintf(format, args...); !slices.Contains(h.Differences, d) {
		h.Differences = append(h.Differences, d)
	}
}

// kindOf accepts commands, and no other kind of entry.
func (f *finder) kindOf(_ *Hook, e Entry) refusal {
	switch kind := e.kind(); kind {
	case "command":
	case "http":
		return "it asks a web address (type http), and runs no command: a script that does so with curl can be a hook"
	case "prompt", "agent":
		return refusal(fmt.Sprintf("a model answers it (type %s), and it runs no command", kind))
	case "mcp_tool":
		return "it calls a tool of an MCP server (type mcp_tool), and runs no command"
	case "powershell":
		return "it has a command for Windows alone"
	case "":
		return "it has no command"
	default:
		return refusal(fmt.Sprintf("its type is %q, which is not known: a command can be brought", kind))
	}
	if e.fields.get("enabled").text == "false" {
		return "it is switched off there: \"enabled\" is false"
	}
	if strings.TrimSpace(e.command()) == "" {
		return "its command is empty"
	}
	if len(e.command()) > maxCommand {
		return refusal(fmt.Sprintf("its command has %d bytes: put it into a script of its own", len(e.command())))
	}
	if strings.ContainsRune(e.command(), 0) {
		return "its command holds a zero byte"
	}
	return ""
}

// protocolOf determines whose protocol the hook speaks.
func (f *finder) protocolOf(h *Hook, e Entry) refusal {
	if e.Agent == nil {
		return ""
	}
	c := e.Agent.Custom
	if c == nil {
		c = new(protocol.Custom)
	}
	if c.Speaks == "" {
		return refusal(cmp.Or(c.Why, fmt.Sprintf("hooks of %s read a payload of its own, which is not spoken here", e.Agent.Name)))
	}
	if h.Speaks = e.speaks(); !spoken(h.Speaks) {
		return refusal(fmt.Sprintf("this version does not speak the protocol of %s yet", h.Speaks.Name))
	}
	return ""
}

// speaks is the agent whose protocol an entry's hook understands, nil if that is none.
func (e *Entry) speaks() *protocol.Dialect {
	if e.Agent == nil || e.Agent.Custom == nil || e.Agent.Custom.Speaks == "" {
		return nil
	}
	if c := e.Agent.Custom; c.Spelled != nil && c.Spelled(e.Event) != "" {
		return e.Agent
	}
	d, _ := agents.Lookup(e.Agent.Custom.Speaks)
	return d
}

// triggerOf determines the event.
func (f *finder) triggerOf(h *Hook, e Entry) refusal {
	if e.Agent == nil {
		return ""
	}
	if e.notifies() {
		h.Trigger, h.Async = protocol.PostAgentTurnStop, true
		h.differs("%s", e.Agent.Custom.NotifyLacks)
		return ""
	}
	n, ok := nativeOf(e.Agent, e.Event)
	if !ok {
		if near := e.meant(); near != "" {
			return refusal(fmt.Sprintf("no event of %s that is known is called %s: did you mean %s?", e.Agent.Name, e.Event, near))
		}
		return refusal(fmt.Sprintf("nothing happens in other agents as %s does", cmp.Or(e.Event, "an entry without an event")))
	}
	h.Trigger = n.MapsTo[0]
	if h.Trigger == protocol.PostAgentTurn && !slices.Contains(h.Speaks.Tongue.Asides, e.Event) {
		return refusal(fmt.Sprintf("%s is one of the ways in which a turn ends, and post-agent-turn comes at each of them", e.Event))
	}
	if _, ok := nativeOf(h.Speaks, e.Event); h.Speaks != e.Agent && !ok {
		return refusal(fmt.Sprintf("the protocol of %s has no %s", h.Speaks.Name, e.Event))
	}
	if len(n.Instead) > 0 && n.Instead[0] == protocol.PostToolCallFailure {
		h.differs("it is not called where the tool has failed, which is post-tool-call-failure here")
	}
	return ""
}

// nativeOf is an agent's event, in whichever way it is spelled.
func nativeOf(d *protocol.Dialect, event string) (protocol.Native, bool) {
	if d.Custom != nil && d.Custom.Spelled != nil {
		if name := d.Custom.Spelled(event); name != "" {
			event = name
		}
	}
	return d.Native(event)
}

// meant is the event of the agent that a mistyped one was probably meant to be, "" if it is one
// that is known.
func (e *Entry) meant() string {
	if e.Event == "" || slices.Contains(e.Agent.Others, e.Event) {
		return ""
	}
	names := make([]string, len(e.Agent.NativeEvents))
	for i, n := range e.Agent.NativeEvents {
		if names[i] = n.Name; strings.EqualFold(n.Name, e.Event) {
			return n.Name
		}
	}
	return words.Nearest(e.Event, names, 2)
}

// matcherOf translates the matcher.
func (f *finder) matcherOf(h *Hook, e Entry) refusal {
	if e.Agent == nil {
		return ""
	}
	if t := e.group.get("matcher"); t.kind != absent && t.kind != text {
		return refusal(fmt.Sprintf("its matcher is %s, not a string", t.kind))
	}
	for _, expression := range []string{e.Matcher, e.group.str("commandRegex"), e.fields.str("if")} {
		if len(expression) > maxMatcher {
			return refusal(fmt.Sprintf("its matcher has %d bytes, and at most %d are tried", len(expression), maxMatcher))
		}
	}
	if slices.Contains(h.Speaks.Tongue.Asides, e.Event) {
		h.Aside = e.Event
		if !anything(e.Matcher) {
			h.Matcher.Tool = e.Matcher // compared with the subject of the event: a line, a tool
		}
		return badExpression(h.Matcher)
	}
	if strings.Contains(e.Matcher, " == ") || strings.Contains(e.Matcher, " matches ") {
		return refusal(fmt.Sprintf("its matcher %q is neither a tool's name nor an expression for one, so it never runs: a condition belongs in \"if\"", e.Matcher))
	}
	if e.group.str("commandRegex") != "" {
		h.Matcher.Command = e.group.str("commandRegex")
	}
	switch {
	case h.Trigger.IsTool() || h.Trigger == protocol.PermissionRequest:
		h.Matcher.Tool = matcherIn(h.Speaks, e.Agent, e.Matcher)
		if h.Matcher.Tool == "" && !anything(e.Matcher) {
			return refusal(fmt.Sprintf("its matcher %q finds no tool that %s and %s both have", e.Matcher, e.Agent.Name, h.Speaks.Name))
		}
		if !anything(e.Matcher) && !strings.Contains(e.Matcher, "mcp") && !knownTool(e.Agent, e.Matcher) {
			h.differs("%s", aimless(e.Agent, e.Matcher))
		}
	case anything(e.Matcher) || !asked(e.Agent, e.Event): // the agent does not use it either
	case !asked(h.Speaks, e.Event):
		h.differs("its matcher %q is not asked on %s", e.Matcher, e.Event)
	default:
		h.Matcher.Tool = e.Matcher
	}
	if why := badExpression(h.Matcher); why != "" {
		return refusal(fmt.Sprintf("its matcher %q is tried on the names of tools: %s", e.Matcher, why))
	}
	return ""
}

// asked reports whether an agent uses matchers at an event without a tool.
func asked(d *protocol.Dialect, event string) bool {
	return d.Custom != nil && slices.Contains(d.Custom.Subjects, event)
}

// conditionOf translates "if".
func (f *finder) conditionOf(h *Hook, e Entry) refusal {
	rule := e.fields.get("if")
	if rule.kind == absent || rule.text == "" {
		return ""
	}
	if e.Agent == nil || e.Agent.Tongue == nil || e.Agent.Tongue.Plugin == nil || rule.kind != text {
		return "it has a condition \"if\" that is not understood; without it, it would run too often"
	}
	if !h.Trigger.IsTool() {
		return refusal(fmt.Sprintf("it has an \"if\", which is never met on %s", e.Event))
	}
	c, why := e.Agent.Tongue.Plugin.Condition(rule.text)
	if why != "" {
		return refusal(fmt.Sprintf("its condition \"if\": %q cannot be said in a matcher: %s; without it, it would run too often", rule.text, why))
	}
	if h.Matcher.Tool = discovery.Among(h.Speaks.Tongue, h.Trigger, h.Matcher.Tool, c.Tools); h.Matcher.Tool == "" {
		return refusal(fmt.Sprintf("its \"if\" is about none of the tools of its matcher %q: it never runs", e.Matcher))
	}
	h.Matcher.Command, h.Matcher.Path, h.Matcher.Pattern = cmp.Or(c.Command, h.Matcher.Command), c.Path, c.Pattern
	return badExpression(h.Matcher)
}

// groupIsAsync reports whether an entry is asynchronous because its group is.
func (e Entry) groupIsAsync() bool {
	return e.Agent != nil && e.Agent.Custom.Grouped && e.fields.get("async").kind == absent && e.group.is("async")
}

// timesOf translates the time limit, and whether the agent waits.
func (f *finder) timesOf(h *Hook, e Entry) refusal {
	h.Async = h.Async || e.fields.is("async") || e.fields.is("asyncRewake") || e.groupIsAsync()
	if e.fields.is("asyncRewake") {
		h.differs("asyncRewake: nobody is told when it ends with 2, its answer stands in the log")
	}
	if e.fields.is("once") {
		h.differs("once: it runs each time")
	}
	if v := e.fields.get("loop_limit"); v.kind == scalar && v.text != "null" {
		n, err := strconv.Atoi(v.text)
		if h.LoopLimit = n; err != nil || n < 1 || n > maxLoops {
			h.LoopLimit = 0
			h.differs("loop_limit: %s is left out: our own limit holds", v.text)
		}
	}
	limit, given := f.limitOf(e)
	switch {
	case limit == 0:
	case limit > maxTimeout:
		h.Timeout = int(maxTimeout / time.Millisecond)
		if given {
			h.differs("it may take %s and not %s", maxTimeout, limit)
		}
	default:
		h.Timeout = int(max(limit, minTimeout) / time.Millisecond)
	}
	if v := e.fields.get("timeout"); v.kind != absent && !given && v.text != "null" {
		h.differs("its timeout %q is not a number: it gets the usual one", v.text)
	}
	return ""
}

const (
	minTimeout = 100 * time.Millisecond
	maxTimeout = 600 * time.Second
)

// limitOf is an entry's time limit, 0 if unknown, and whether the entry sets it itself.
func (f *finder) limitOf(e Entry) (limit time.Duration, given bool) {
	if e.Agent == nil {
		return 0, false
	}
	c := e.Agent.Config
	for _, name := range []string{c.Timeout, "timeout", "timeoutSec"} {
		v := e.fields.get(name)
		n, err := strconv.ParseFloat(v.text, 64)
		if name == "" || v.kind != scalar || err != nil || n <= 0 || n > 1e9 {
			continue
		}
		unit := c.Unit
		if least := e.Agent.Custom.Millis; least > 0 {
			if unit = time.Second; n >= float64(least) {
				unit = time.Millisecond
			}
		}
		return time.Duration(n * float64(unit)), true
	}
	for _, l := range e.Agent.Custom.Limits {
		if l.Event == e.Event {
			return l.Limit, false
		}
	}
	return e.Agent.Custom.Limit, false
}

// spoken reports whether hooks can speak an agent's protocol here.
func spoken(d *protocol.Dialect) bool { return d != nil && d.Tongue != nil }
