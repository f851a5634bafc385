package hooks

import (
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/signal"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What an event says of the exit code of a command.
type code uint8

const (
	codeUnknown code = iota
	codeGood
	codeBad
)

// An output is what a command printed, and how it ended.
type output struct {
	text string
	code code
}

// shellOutput reads the answer of a shell. Agents give it in many forms: a text,
// an object with the streams and a code, a text with the code in words; a failure
// event has its text in "error".
func shellOutput(ev protocol.Object) output {
	var o output
	var parts []string
	if text := messageOf(ev.Get("error")); text != "" {
		parts = append(parts, text)
	}
	raw := ev.Get("tool_response")
	if response := protocol.ObjectOf(raw); response != nil {
		o.code = codeOf(response)
		if o.code == codeUnknown {
			o.code = codeOf(response.Sub("metadata"))
		}
		parts = append(parts, streams(response)...)
	} else if text := protocol.TextOf(raw); text != "" {
		parts = append(parts, text)
	} else if len(raw) > 0 {
		parts = append(parts, leaves(raw)...)
	}
	o.text = strings.Join(parts, "\n")
	if o.code == codeUnknown {
		o.code = codeInWords(o.text)
	}
	return o
}

func codeOf(o protocol.Object) code {
	for _, name := range [...]string{"exit_code", "exitCode", "returncode", "return_code", "code", "exit"} {
		if v := string(o.Get(name)); v != "" && v != "null" {
			if n, err := strconv.Atoi(v); err == nil {
				if n == 0 {
					return codeGood
				}
				return codeBad
			}
		}
	}
	if string(o.Get("success")) == "false" {
		return codeBad
	}
	return codeUnknown
}

// codeInWords reads the code that an agent wrote around the output: at the very
// beginning or the very end, not where a program may have printed the same.
func codeInWords(text string) code {
	s := strings.TrimSpace(text)
	first, _, _ := strings.Cut(s, "\n")
	last := s[strings.LastIndexByte(s, '\n')+1:]
	for _, n := range [...]string{after(first, "Exit code: "), after(first, "Exit code "), after(last, "completed with exit code ")} {
		if c := digits(n); c != codeUnknown {
			return c
		}
	}
	if _, rest, ok := strings.Cut(s, "<return-code>\n"); ok {
		return digits(rest)
	}
	if i := strings.LastIndex(s, "\nExit Code: "); i >= 0 {
		return digits(s[i+len("\nExit Code: "):])
	}
	return codeUnknown
}

func after(s, mark string) string {
	if _, rest, ok := strings.Cut(s, mark); ok {
		return rest
	}
	return ""
}

func digits(s string) code {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	switch v, err := strconv.Atoi(s[:n]); {
	case err != nil:
		return codeUnknown
	case v == 0:
		return codeGood
	}
	return codeBad
}

// streams are the texts of an answer that a program printed; of one that has none
// by a name that is known, all of its texts.
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

// messageOf is an error of an event, which is a text or holds one.
func messageOf(raw protocol.Raw) string {
	if text := protocol.TextOf(raw); text != "" {
		return text
	}
	return protocol.ObjectOf(raw).Text("message")
}

// masked reports whether a command line can end well although a part of it
// failed: what it printed has to be looked at then.
func masked(command string) bool {
	return strings.Contains(command, "|") || strings.Contains(command, ";") || strings.Contains(command, "\n") || strings.Contains(command, "&")
}
