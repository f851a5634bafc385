package hooks

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// commandOf is what an event runs: the line given to the tool, else the commands that
// were parsed from it.
func commandOf(ev protocol.Object) string {
	if line := ev.Sub("tool_input").Text("command"); line != "" {
		return line
	}
	var list []string
	for _, raw := range protocol.ElementsOf(ev.Get("commands")) {
		list = append(list, protocol.ObjectOf(raw).Text("text"))
	}
	return strings.Join(list, "\n")
}

// endOf is how a command ended: by the event's result, which is the same for all
// agents, or, if the event has none, by the form of the agent's answer.
func endOf(ev protocol.Object, failed bool) failure.End {
	e := shellOutput(ev)
	if r := ev.Sub("result"); r != nil {
		if n, err := strconv.Atoi(string(r.Get("exit_code"))); err == nil {
			e.Exit = n
		}
		var parts []string
		for _, name := range [...]string{"text", "stdout", "stderr"} {
			if text := r.Text(name); text != "" {
				parts = append(parts, text)
			}
		}
		if parts != nil {
			e.Text = strings.Join(parts, "\n")
		}
	}
	e.Failed = e.Failed || failed
	if string(ev.Sub("result").Get("ok")) == "true" && !failed {
		// The agent knows that it succeeded: the output does not matter.
		e.Failed = false
		if e.Exit == noCode {
			e.Exit = 0
		}
	}
	return e
}

// noCode stands for an unknown exit code.
const noCode = -1

// shellOutput reads the answer of a shell. Agents give it in many forms: a text, an
// object with the streams and a code, a text with the code in words; a failure event
// has its text in "error".
func shellOutput(ev protocol.Object) failure.End {
	o := failure.End{Exit: noCode}
	var parts []string
	if text := messageOf(ev.Get("error")); text != "" {
		parts = append(parts, text)
	}
	raw := ev.Get("tool_response")
	if response := protocol.ObjectOf(raw); response != nil {
		if o.Exit = codeOf(response); o.Exit == noCode {
			o.Exit = codeOf(response.Sub("metadata"))
		}
		o.Failed = string(response.Get("success")) == "false"
		parts = append(parts, streams(response)...)
	} else if text := protocol.TextOf(raw); text != "" {
		parts = append(parts, text)
	} else {
		parts = append(parts, leaves(raw)...)
	}
	o.Text = strings.Join(parts, "\n")
	if o.Exit == noCode {
		o.Exit = codeInWords(o.Text)
	}
	return o
}

func codeOf(o protocol.Object) int {
	for _, name := range [...]string{"exit_code", "exitCode", "returncode", "return_code", "code", "exit"} {
		if v := string(o.Get(name)); v != "" && v != "null" {
			if n, err := strconv.Atoi(v); err == nil {
				return n
			}
		}
	}
	return noCode
}

// codeInWords reads the code that an agent wrote around the output: only at the very
// beginning or the very end, since a program may have printed the same elsewhere.
func codeInWords(text string) int {
	s := strings.TrimSpace(text)
	first, _, _ := strings.Cut(s, "\n")
	last := s[strings.LastIndexByte(s, '\n')+1:]
	for _, n := range [...]string{after(first, "Exit code: "), after(first, "Exit code "), after(last, "completed with exit code ")} {
		if c := digits(n); c != noCode {
			return c
		}
	}
	if _, rest, ok := strings.Cut(s, "<return-code>\n"); ok {
		return digits(rest)
	}
	if i := strings.LastIndex(s, "\nExit Code: "); i >= 0 {
		return digits(s[i+len("\nExit Code: "):])
	}
	return noCode
}

func after(s, mark string) string {
	if _, rest, ok := strings.Cut(s, mark); ok {
		return rest
	}
	return ""
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if v, err := strconv.Atoi(s[:n]); err == nil {
		return v
	}
	return noCode
}

// streams are the output texts of an answer; if it has none under a known name, all of
// its texts.
func streams(o protocol.Object) (list []string) {
	for _, name := range [...]string{"stdout", "output", "result", "content", "text_result_for_llm", "textResultForLlm", "llmContent", "returnDisplay", "stderr", "error"} {
		if name == "returnDisplay" && len(list) > 0 {
			continue
		}
		raw := o.Get(name)
		if text := messageOf(raw); text != "" {
			list = append(list, text)
		} else if len(raw) > 0 && raw[0] == '[' {
			list = append(list, leaves(raw)...)
		}
	}
	if list == nil {
		list = leaves(o.Raw())
	}
	return list
}

func leaves(raw protocol.Raw) (list []string) {
	size := 0
	protocol.Leaves(raw, func(leaf string) bool {
		list = append(list, leaf)
		size += len(leaf)
		return size < 4*signal.Most
	})
	return list
}

// messageOf is the error of an event, which is a text or contains one.
func messageOf(raw protocol.Raw) string {
	if text := protocol.TextOf(raw); text != "" {
		return text
	}
	return protocol.ObjectOf(raw).Text("message")
}
