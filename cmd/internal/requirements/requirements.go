// Package requirements compares what a hook uses with what an agent supports. What a
// hook uses is guessed from the text of its entry, so all results are warnings.
package requirements

import (
	"bytes"
	"fmt"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"regexp"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Unmet are warnings for what a hook asks of an agent and the agent cannot do: its
// event never happens there, or the answer to it cannot carry what the hook gives.
// policy is what the settings say becomes of that.
func Unmet(d *protocol.Dialect, h *discovery.Hook, policy protocol.Unsupported) []discovery.Problem {
	place := triggerPlace(h)
	warn := func(fix, format string, args ...any) discovery.Problem {
		p := place
		p.Severity, p.Fix, p.Message = discovery.Warning, fix, fmt.Sprintf(format, args...)
		return p
	}
	see := "agents-hooks agents " + d.ID + " shows what it can do"
	n, first, ok := translate.Native(d, h.Trigger)
	if !ok {
		return []discovery.Problem{warn(see, "%s never happens on %s: this hook does not run there", h.Trigger, d.Name)}
	}
	if h.Async {
		return nil
	}
	can := n.Can
	if !first {
		can = 0
	}
	var list []discovery.Problem
	wants := wantsOf(h)
	if h.Trigger.Prevents() && !can.Has(protocol.CanBlock) && wants.Has(protocol.CanBlock) {
		list = append(list, warn(see, "exit 2 blocks nothing on %s: it cannot be kept from %s", d.Name, h.Trigger))
	}
	if !h.Trigger.Prevents() && wants.Has(protocol.CanBlock) && !can.Has(protocol.CanBlock) && !can.Has(protocol.CanContext) {
		list = append(list, warn(see, "what stderr says with exit 2 reaches nobody on %s of %s", h.Trigger, d.Name))
	}
	for _, need := range []struct {
		can  protocol.Can
		what string
	}{
		{protocol.CanAsk, "the decision ask"},
		{protocol.CanModify, "modified_input"},
		{protocol.CanContext, "additional_context"},
		{protocol.CanContinue, "followup_message"},
		{protocol.CanMessage, "user_message"},
		{protocol.CanOutput, "modified_output"},
	} {
		if wants.Has(need.can) && !can.Has(need.can) {
			becomes := "and is dropped"
			blocks := h.Trigger == protocol.PreToolCall && can.Has(protocol.CanBlock)
			if blocks && (need.can == protocol.CanAsk && policy != protocol.UnsupportedDrop || need.can == protocol.CanModify && (policy == protocol.UnsupportedBlock || h.Insists)) {
				becomes = "and the call is blocked instead"
			}
			if need.can == protocol.CanMessage && h.Trigger != protocol.PostSession && d.TellsLater() {
				becomes = "and waits for a prompt or a stop that has one"
			}
			list = append(list, warn(see, "%s has no place on %s of %s %s", need.what, h.Trigger, d.Name, becomes))
		}
	}
	return list
}

// triggerPlace is a problem at the trigger of a hook's HOOK.md.
func triggerPlace(h *discovery.Hook) discovery.Problem {
	p := discovery.Problem{File: h.File, Field: "trigger", Value: string(h.Trigger)}
	text, err := hookset.Below(h, h.File).Read(h.File, maxScript)
	if err != nil {
		return p
	}
	line := 0
	for l := range bytes.Lines(text) {
		line++
		if rest, ok := bytes.CutPrefix(l, []byte("trigger:")); ok {
			p.Line = line
			p.Column = len("trigger:") + len(rest) - len(bytes.TrimLeft(rest, " ")) + 1
			break
		}
	}
	return p
}

// maxScript is how much of a HOOK.md or an entry is looked through, in bytes.
const maxScript = 1 << 20

// exitTwo is how scripts say exit 2. It is compiled where it is needed: no other
// command pays for it.
const exitTwo = `\b_?exit\s*\(?\s*2\b|\breturn\s+2\b|\bexitCode\s*=\s*2\b|\bSystemExit\(\s*2\b|\bhalt_error\(\s*2\b`

// wantsOf is what the entry of a hook seems to answer with: the keys of an outcome that
// occur in it. Of a program that is not text, all that is known is that it may block.
func wantsOf(h *discovery.Hook) protocol.Can {
	text, ok := textOf(h)
	if !ok {
		return protocol.CanBlock
	}
	var wants protocol.Can
	if regexp.MustCompile(exitTwo).MatchString(text) {
		wants |= protocol.CanBlock
	}
	for word, can := range map[string]protocol.Can{
		"modified_input":     protocol.CanModify,
		"additional_context": protocol.CanContext,
		"followup_message":   protocol.CanContinue,
		"user_message":       protocol.CanMessage,
		"modified_output":    protocol.CanOutput,
	} {
		if strings.Contains(text, word) {
			wants |= can
		}
	}
	if strings.Contains(text, `"ask"`) || strings.Contains(text, `'ask'`) {
		wants |= protocol.CanAsk
	}
	return wants
}

// textOf is the entry of a hook without its comments; ok is false if that is not text.
func textOf(h *discovery.Hook) (text string, ok bool) {
	script, err := hookset.Below(h, h.Entry.Path).Read(h.Entry.Path, maxScript)
	if err != nil || bytes.ContainsRune(script, 0) {
		return "", false
	}
	return withoutComments(string(script)), true
}

// withoutComments leaves out the lines that are comments.
func withoutComments(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		switch t := strings.TrimSpace(line); {
		case strings.HasPrefix(t, "#"), strings.HasPrefix(t, "//"), strings.HasPrefix(t, "::"):
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}
