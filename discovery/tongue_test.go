package discovery

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
	"github.com/agents-hooks/agents-hooks/protocol/copilot"
	"github.com/agents-hooks/agents-hooks/protocol/cursor"
	"github.com/agents-hooks/agents-hooks/protocol/gemini"
)

func decoded(t *testing.T, d *protocol.Dialect, payload string) *protocol.Event {
	t.Helper()
	o, err := protocol.ParseObject([]byte(payload))
	must.Do(t, err)
	events, err := d.Decode(protocol.Input{Payload: o})
	must.Do(t, err)
	if len(events) == 0 {
		t.Fatal("no event")
	}
	return events[0]
}

// HM-DIA-22: whichever program a hook was written for, and whatever that calls the file
// of a call, the hook is told of those files that its path finds.
func TestOfSeveralFilesAHookIsToldOfThoseThatItsPathFinds(t *testing.T) {
	for _, d := range []*protocol.Dialect{claude.Dialect, copilot.Dialect, cursor.Dialect, gemini.Dialect} {
		t.Run(d.ID, func(t *testing.T) {
			ev := decoded(t, codex.Dialect, `{"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "apply_patch", "tool_input": {"command": "*** Begin Patch\n*** Add File: ok.txt\n+x\n*** Add File: a.ts\n+x\n*** End Patch"}}`)
			h := &Hook{Trigger: protocol.PreToolCall, Status: Ready, Tongue: d.Tongue, Matcher: Matcher{Path: `\.ts$`}}
			said := h.Told(ev, &Budget{})
			if len(said) != 1 || !strings.Contains(string(said[0].Bytes()), "/p/a.ts") {
				t.Errorf("%d payloads: %v", len(said), said)
			}
		})
	}
}

// A program that tries an expression on the whole of a tool's name is not told of one
// that only contains it.
func TestAnExpressionForTheWholeName(t *testing.T) {
	for matcher, want := range map[string]string{"edit|create": "edit create", "edit": "edit", "e.*": "edit", "": "edit create str_replace_editor", "*": "edit create str_replace_editor", "(?i)EDIT": "edit"} {
		t.Run(matcher, func(t *testing.T) {
			var found []string
			for _, tool := range []string{"edit", "create", "str_replace_editor"} {
				h := &Hook{Trigger: protocol.PreToolCall, Status: Ready, Tongue: copilot.Dialect.Tongue, Matcher: Matcher{Tool: matcher}}
				ev := decoded(t, copilot.Dialect, `{"sessionId": "s", "hookName": "preToolUse", "toolName": "`+tool+`", "toolArgs": {"path": "/p/a"}}`)
				if len(h.Told(ev, &Budget{})) > 0 {
					found = append(found, tool)
				}
			}
			if got := strings.Join(found, " "); got != want {
				t.Errorf("finds %q, want %q", got, want)
			}
		})
	}
}

// An event that cannot be read bypasses no hook whose failure blocks, whoever says so.
func TestWhatMustNotBeBypassedUnseen(t *testing.T) {
	tongue := copilot.Dialect.Tongue
	for name, c := range map[string]struct {
		hook    Hook
		general OnError
		why     string
	}{
		"of its own":                   {Hook{OnError: OnErrorBlock}, "", `blocks where it fails (on_error = "block")`},
		"by the settings":              {Hook{}, OnErrorBlock, `blocks where it fails (on_error = "block")`},
		"not, whatever these say":      {Hook{OnError: OnErrorAllow}, OnErrorBlock, ""},
		"by its program":               {Hook{Tongue: tongue}, "", "blocks where it fails (as in GitHub Copilot CLI)"},
		"not, whatever that does":      {Hook{Tongue: tongue, OnError: OnErrorAllow}, "", ""},
		"of a program that fails open": {Hook{Tongue: claude.Dialect.Tongue}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.hook.Trigger, c.hook.Status = protocol.PreToolCall, Ready
			s := &Set{Hooks: []*Hook{&c.hook}, Settings: Settings{OnError: c.general}}
			if h, why := s.HoldsUnseen(protocol.PreToolCall); why != c.why || (h != nil) != (why != "") {
				t.Errorf("%q, want %q", why, c.why)
			}
		})
	}
}

// An expression is what its author wrote: that it stands in a group, to find a whole name,
// neither makes one of what is none, nor hides what is wrong with it.
func TestWhatIsNoExpressionIsNoneInAGroup(t *testing.T) {
	for matcher, want := range map[string]string{"edit)|(create": "unexpected ) in `edit)|(create`", "(edit": "missing closing ) in `(edit`"} {
		t.Run(matcher, func(t *testing.T) {
			h := &Hook{Trigger: protocol.PreToolCall, Status: Ready, Tongue: copilot.Dialect.Tongue, Matcher: Matcher{Tool: matcher}}
			ev := decoded(t, copilot.Dialect, `{"sessionId": "s", "hookName": "preToolUse", "toolName": "edit", "toolArgs": {"path": "/p/a"}}`)
			if told := h.Told(ev, &Budget{}); len(told) > 0 || h.Status != Broken || !strings.HasSuffix(h.Problems[0].Message, want) {
				t.Errorf("told %d, %s: %v, want %s", len(told), h.Status, h.Problems, want)
			}
		})
	}
}
