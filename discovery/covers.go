package discovery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// Covers says why a hook's matcher, which matches if any text of a call does, does not
// cover the whole call; "" if it does. A guard runs if any part of a call concerns it,
// but a permission must cover the whole call: each command, each line, each file.
// Without such keys, or without a matcher, the script decides.
func (h *Hook) Covers(ev *protocol.Event, b *Budget) string {
	if ev.Unread != "" {
		return "the call cannot be read whole"
	}
	m := h.Matcher
	if m.Pattern == "" && m.Command == "" && m.Path == "" && m.Content == "" {
		return ""
	}
	t := trial{hook: h, ev: ev, budget: b, left: maxHookMatch}
	d := deed.Of(ev)
	switch {
	case d.UnreadCommands != "" || d.UnreadChanges != "" || d.NoCommand && m.Command != "":
		return "the call cannot be read whole"
	case unboxed(ev) != "":
		return fmt.Sprintf("the call asks by %s to run outside of the agent's sandbox, of which a matcher says nothing", protocol.Plain(unboxed(ev)))
	case !t.commands(d):
		return "its matcher does not match each command of the call"
	case !t.changes(d):
		return "its matcher does not match each file that the call changes"
	case m.Pattern != "" && len(d.Commands) == 0 && len(d.Changes) == 0 && !t.inputs(ev):
		return "its pattern does not match each text of the input"
	case t.warning != "":
		return t.warning
	}
	return ""
}

// unboxed is the member of a call's input by which the model asks to run outside the
// agent's sandbox, "" if it does not ask. Agents name it differently, so it is
// recognized by its words: dangerouslyDisableSandbox, sandbox_permissions, sandbox:
// false.
func unboxed(ev *protocol.Event) string {
	if ev.Call == nil {
		return ""
	}
	has := func(s string, words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
	}
	for _, m := range ev.Call.Input {
		name, value := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(m.Name)), strings.ToLower(string(m.Value))
		off := slices.Contains([]string{"false", "null", `""`, "0"}, value)
		switch {
		case has(name, "escalat", "elevat", "unsandbox", "nosandbox", "disablesandbox", "bypasssandbox", "outsidesandbox"):
			if !off {
				return m.Name
			}
		case has(name, "sandbox"):
			if value == "false" || has(value, "escalat", "elevat", "danger", "disable", "none", "off", "full", "bypass") {
				return m.Name
			}
		}
	}
	return ""
}

// all reports whether a key of the matcher is set and matches each of the texts.
func (t *trial) all(k key, texts []string) bool {
	if *t.hook.Matcher.at(k) == "" || !t.hook.ready(k) {
		return false
	}
	for _, text := range texts {
		if len(text) > maxLeaf || !t.holds(t.hook.tried[k-keyTool], text, k) {
			return false
		}
	}
	return true
}

// commands reports whether each command is matched, and each line with commands. A
// variable set in front of a command is not part of it.
func (t *trial) commands(d *protocol.Deed) bool {
	texts := append(append([]string(nil), d.Lines...), d.Pieces...)
	for _, c := range d.Commands {
		if c.Argv == nil {
			return false
		}
		texts = append(texts, c.Text)
	}
	return len(texts) == 0 || t.all(keyCommand, texts) || t.hook.Matcher.Command == "" && t.all(keyPattern, texts)
}

// inputs reports whether each text is matched in the input of a call that neither runs
// nor changes anything: the model writes all of them, and only the tool knows which
// counts.
func (t *trial) inputs(ev *protocol.Event) bool {
	var texts []string
	leaves(ev, func(leaf string) bool {
		texts = append(texts, leaf)
		return true
	})
	return t.all(keyPattern, texts)
}

// changes reports whether each changed file is matched.
func (t *trial) changes(d *protocol.Deed) bool {
	if len(d.Changes)+len(d.Paths) == 0 {
		return true
	}
	paths, texts := slices.Clone(d.Paths), []string(nil)
	for _, c := range d.Changes {
		paths = append(paths, c.Path)
		if c.To != "" {
			paths = append(paths, c.To)
		}
		texts = append(texts, c.New)
	}
	return t.all(keyPath, paths) && (t.hook.Matcher.Content == "" || t.all(keyContent, texts))
}
