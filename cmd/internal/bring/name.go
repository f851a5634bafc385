package bring

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// nameOf names the hook as a user would: after its script, else after the program that does the
// work, else after its event.
func (f *finder) nameOf(h *Hook) string {
	e := h.Entries[0]
	if n := e.fields.str("name"); n != "" && kebab(n) != "" {
		return kebab(n)
	}
	line := e.plainLine()
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;|&()<>\"'`,=", r) })
	for _, w := range words {
		if scriptName(w) {
			if name := scriptCalled(w); name != "" {
				return name
			}
		}
	}
	if name := programCalled(line, 0); name != "" {
		return name
	}
	for _, w := range words { // a file that it writes to
		if ext := filepath.Ext(w); slices.Contains([]string{".txt", ".log", ".jsonl", ".csv"}, ext) {
			if name := kebab(strings.TrimSuffix(filepath.Base(w), ext)); name != "" {
				return name
			}
		}
	}
	for _, of := range []string{e.fields.str("if"), e.Matcher} {
		if word := kebab(of); word != "" && len(word) <= 24 {
			return eventWord(h.Trigger) + "-" + word
		}
	}
	return eventWord(h.Trigger) + "-command"
}

// programCalled is the name of the first program in a line that does work of its own: not one that
// only prepares, and if one runs another, the latter.
func programCalled(line string, depth int) string {
	for _, command := range commandsOf(line) {
		words, err := install.Split(command, protocol.QuoteSh)
		if err != nil {
			continue
		}
		shell := true
		for len(words) > 0 {
			w := words[0]
			words = words[1:]
			base := kebab(strings.TrimSuffix(filepath.Base(w), filepath.Ext(w)))
			switch {
			case strings.HasPrefix(w, "-") && (strings.HasSuffix(w, "c") || !shell && (w == "-e" || w == "--eval")): // a program in the line itself
				if shell && len(words) > 0 && depth < 3 {
					if name := programCalled(words[0], depth+1); name != "" {
						return name
					}
				}
				words = nil
			case strings.HasPrefix(w, "-"), assigns(w), w == "!", w == "then", w == "do", w == "else", w == "if", w == "while":
			case runs(base):
				shell = strings.HasSuffix(base, "sh")
			case general(base), strings.Trim(base, "0123456789-") == "", strings.ContainsAny(w, "{}[]*<>`\\") || strings.HasPrefix(w, "$") && !strings.Contains(w, "/"):
				words = nil
			default:
				return withCommand(base, line, w, words)
			}
		}
	}
	return ""
}

// commandsOf splits a line into simple commands, respecting quotes.
func commandsOf(line string) (list []string) {
	from, quote := 0, byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("|;&\n()", c) >= 0:
			list = append(list, line[from:i])
			from = i + 1
		}
	}
	return append(list, line[min(from, len(line)):])
}

// scriptCalled is the name of a script, or of its folder if the script's own is vague.
func scriptCalled(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	name := withoutHook(kebab(base))
	for dir := filepath.Dir(path); vague(name) && dir != "." && dir != "/"; dir = filepath.Dir(dir) {
		up := withoutHook(kebab(filepath.Base(dir)))
		if up == "" || vague(up) || strings.HasPrefix(filepath.Base(dir), ".") || strings.Contains(filepath.Base(dir), "$") {
			continue
		}
		return up
	}
	return name
}

// withoutHook removes the word "hook", which any hook's name could have.
func withoutHook(name string) string {
	return strings.TrimPrefix(strings.TrimSuffix(name, "-hook"), "hook-")
}

// vague reports whether a file's name does not tell what it does.
func vague(name string) bool {
	return slices.Contains([]string{"", "hook", "hooks", "main", "index", "run", "script", "scripts", "start", "cli", "bin", "dist", "src", "lib", "build", "handler", "entry", "entrypoint", "wrapper", "cmd", "tools", "utils",
		"stop", "subagent-stop", "session-start", "session-end", "user-prompt-submit", "prompt-submit", "notification", "pre-tool-use", "post-tool-use", "pre-compact"}, name)
}

// withCommand adds the subcommand that follows a program's name: "lefthook-validate" for "lefthook
// run validate".
func withCommand(name, line, program string, rest []string) string {
	for len(rest) > 0 && slices.Contains([]string{"run", "exec", "hook", "hooks"}, rest[0]) {
		program += " " + rest[0]
		rest = rest[1:]
	}
	if len(rest) == 0 || kebab(rest[0]) != rest[0] || general(rest[0]) || !strings.Contains(line, program+" "+rest[0]) {
		return name
	}
	return kebab(name + "-" + rest[0])
}

// general reports whether a word of a command is there only for the sake of another one.
func general(word string) bool { return runs(word) || slices.Contains(fillers, word) }

var fillers = strings.Fields("if then else elif fi for do done while case esac in exit true false test cd read printf echo cat grep egrep rg sed awk tr cut head tail sort uniq tee wc jq set export local source set e x exec command eval null dev stdin stdout stderr mkdir rm cp mv ln touch chmod date sleep ls find kill pwd basename dirname 1 2")

// runs reports whether a program's purpose is to run another one.
func runs(word string) bool {
	return slices.Contains([]string{"sh", "bash", "zsh", "fish", "dash", "env", "sudo", "node", "python", "python3", "uv", "uvx", "run", "npx", "npm", "pnpm", "yarn", "bun", "bunx", "deno", "pipx", "poetry", "xargs", "nohup", "time", "timeout", "exec", "command", "dlx", "ruby", "perl", "php", "tsx", "ts-node", "powershell", "pwsh", "cmd"}, word)
}

// eventWord is a short word for an event.
func eventWord(t protocol.EventType) string {
	switch t {
	case protocol.PreSession:
		return "at-start"
	case protocol.PostSession:
		return "at-end"
	case protocol.PreAgentTurn:
		return "on-prompt"
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		return "on-stop"
	case protocol.PreToolCall:
		return "before"
	case protocol.PostToolCall:
		return "after"
	case protocol.PostToolCallFailure:
		return "on-failure"
	case protocol.PreSubagent:
		return "on-subagent"
	case protocol.PostSubagent:
		return "after-subagent"
	case protocol.PreContextCompact:
		return "before-compact"
	case protocol.PostContextCompact:
		return "after-compact"
	case protocol.PermissionRequest:
		return "on-permission"
	}
	return "on-notice"
}

// kebab turns a text into a name: lower-case letters and digits, in groups joined by single
// hyphens, at most 48 characters.
func kebab(s string) string {
	var b strings.Builder
	lower := false
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			if lower {
				b.WriteByte('-')
			}
			lower = false
			b.WriteRune(r + 'a' - 'A')
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			lower = true
			b.WriteRune(r)
		default:
			lower = false
			b.WriteByte(' ')
		}
	}
	name := strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == ' ' || r == '-' }), "-")
	if len(name) > 48 {
		name = strings.Trim(name[:48], "-")
	}
	return name
}

// argumentOf is the first argument of a script if it is a plain word: it selects a task if one
// script does several.
func argumentOf(e Entry) string {
	words, err := install.Split(e.line(), protocol.QuoteSh)
	if err != nil {
		return ""
	}
	script := slices.IndexFunc(words, scriptName)
	if script < 0 && len(words) > 0 && isPath(words[0]) {
		script = 0
	}
	if script < 0 || script+1 >= len(words) || kebab(words[script+1]) != words[script+1] || len(words[script+1]) > 24 {
		return ""
	}
	return words[script+1]
}

// christen gives each hook a name of its own. Hooks with the same name are distinguished by their
// events, then by their tools, then by a number. taken reports names that are already in use.
func (f *finder) christen(hooks []*Hook, taken func(string) bool) {
	base := map[*Hook]string{}
	count := map[string]int{}
	for _, h := range hooks {
		if h.Name == "" {
			base[h] = f.nameOf(h)
			count[base[h]]++
		}
	}
	used := map[string]bool{}
	for _, h := range hooks {
		if h.Name != "" {
			used[h.Name] = true
			count[h.Name] += 2
		}
	}
	for _, h := range hooks {
		if h.Name != "" {
			continue
		}
		names := []string{base[h]}
		if count[base[h]] > 1 {
			names = nil
		}
		if arg := argumentOf(h.Entries[0]); arg != "" {
			names = append(names, base[h]+"-"+arg)
		}
		if word := eventWord(h.Trigger); !strings.HasPrefix(base[h], word) {
			names = append(names, base[h]+"-"+word)
		}
		if word := kebab(h.Entries[0].Matcher); word != "" && len(word) <= 24 && !strings.Contains(base[h], word) {
			names = append(names, base[h]+"-"+eventWord(h.Trigger)+"-"+word)
		}
		for n := 2; ; n++ {
			name := base[h] + "-" + strconv.Itoa(n)
			if len(names) > 0 {
				name, names, n = names[0], names[1:], 1
			}
			if protocol.ValidName(name) && !used[name] && !taken(name) {
				h.Name = name
				used[name] = true
				break
			}
		}
	}
}
