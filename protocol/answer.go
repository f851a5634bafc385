package protocol

import (
	"bytes"
	"fmt"
	"strings"
)

// A HookAnswer is the parsed stdout of a hook that exited with 0.
type HookAnswer struct {
	Outcome
	Deny     bool     // "decision":"deny", which blocks only if [hooks] deny_json = "block"
	Warnings []string // what was wrong and had to be left out, with the fix
}

// ParseAnswer reads the stdout of a hook that exited with 0: nothing, or exactly one
// JSON object. Anything else is an error (the hook failed); a member of the wrong
// type is left out with a warning. Bytes that are not UTF-8 are replaced.
func ParseAnswer(stdout []byte) (HookAnswer, error) {
	var a HookAnswer
	text := bytes.TrimSpace(stdout)
	if len(text) == 0 {
		return a, nil
	}
	o, err := ParseObject(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	if err != nil {
		return a, fmt.Errorf("stdout is not one JSON object: %w", err)
	}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return a, fmt.Errorf("stdout is not one JSON object: %w", &SyntaxError{0, "byte order mark"})
	}
	for _, m := range o {
		a.member(m)
	}
	return a, nil
}

func (a *HookAnswer) member(m Member) {
	text := func(dst *string) {
		if m.Value[0] != '"' {
			if string(m.Value) != "null" {
				a.warn("%s: want a string, have %s; left out", m.Name, kind(m.Value))
			}
			return
		}
		*dst = TextOf(m.Value)
	}
	object := func(dst *Object) {
		if m.Value[0] != '{' {
			if string(m.Value) != "null" {
				a.warn("%s: want an object, have %s; left out", m.Name, kind(m.Value))
			}
			return
		}
		*dst = ObjectOf(m.Value)
	}
	switch m.Name {
	case "decision":
		a.decision(m.Value)
	case "reason":
		text(&a.Reason)
	case "modified_input":
		object(&a.ModifiedInput)
	case "additional_context":
		text(&a.AdditionalContext)
	case "modified_output":
		if text(&a.ModifiedOutput); m.Value[0] == '"' {
			a.ModifiedOutput = Output(a.ModifiedOutput)
		}
	case "user_message":
		text(&a.UserMessage)
	case "followup_message":
		text(&a.FollowupMessage)
	case "env":
		object(&a.Env)
	case "log":
		a.Log = m.Value
	case "hookSpecificOutput", "permissionDecision", "systemMessage", "continue", "updatedInput", "additionalContext":
		a.warn("%s: an agent's own key, which means nothing here; see the outcome keys of the format (agents-hooks spec)", m.Name)
		a.Extra = append(a.Extra, m)
	default:
		a.Extra = append(a.Extra, m)
	}
}

// MaxOutput is the maximum length of a result that a hook sets, in bytes.
const MaxOutput = 64 << 10

// Output is what a model reads in place of a result. It is never empty: agents take
// an empty one for no answer, and the model would read the result.
func Output(text string) string {
	if strings.TrimSpace(text) == "" {
		return "[removed by a hook]"
	}
	if len(text) <= MaxOutput {
		return text
	}
	const note = "\n[cut here by agents-hooks, at 64 KiB]"
	n := MaxOutput - len(note)
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + note
}

func (a *HookAnswer) decision(raw Raw) {
	if raw[0] != '"' {
		if string(raw) != "null" {
			a.warn("decision: want \"allow\", \"ask\" or \"deny\", have %s; left out", kind(raw))
		}
		return
	}
	switch word := TextOf(raw); word {
	case "allow", "approve":
		a.Decision = Allow
		if word != "allow" {
			a.warn("decision: %q is not of this format; read as \"allow\"", word)
		}
	case "ask":
		a.Decision = Ask
	case "deny", "block", "reject":
		a.Deny = true
	case "":
	default:
		a.warn("decision: want \"allow\", \"ask\" or \"deny\", have %q; left out", word)
	}
}

func (a *HookAnswer) warn(format string, args ...any) {
	a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...))
}

func kind(raw Raw) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
