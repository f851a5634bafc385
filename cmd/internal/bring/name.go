package bring

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// nameOf names the hook as a user would: after its script, else after the program that does the
// work, else after the file that it writes, else after what it looks for or prints.
func (f *finder) nameOf(h *Hook) string {
	e := h.Entries[0]
	if n := kebab(cmp.Or(e.fields.str("name"), e.id())); n != "" {
		return n
	}
	line := e.plainLine()
	if whole, err := install.Split(line, protocol.QuoteSh); err == nil && !strings.Contains(line, `:\`) { // before what stands inside a word, such as node -e's; not of Windows
		for _, w := range whole {
			if name := scriptCalled(w); name != "" && scriptName(w) && !strings.ContainsAny(w, " ;(") {
				return name
			}
		}
	}
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
	program, about := phrase(line)
	if about != "" {
		return kebab(program + "-" + about)
	}
	for _, of := range []string{program, e.fields.str("if"), e.Matcher} {
		if word := kebab(of); word != "" && len(word) <= 24 {
			return eventWord(h.Trigger) + "-" + word
		}
	}
	return eventWord(h.Trigger) + "-command"
}

// id is what an entry is called for programs, "" if that says nothing to people; its group's, if
// it is the only entry in it.
func (e *Entry) id() string {
	id := e.fields.str("id")
	if id == "" && len(e.group.get("hooks").items) == 1 {
		id = e.group.str("id")
	}
	if strings.ContainsAny(id, "0123456789") {
		return ""
	}
	return id
}

// phrase names a line whose programs only look, test and print: the first of them that is told
// something, and the first words of that; else the first program alone.
func phrase(line string) (program, about string) {
	for _, command := range commandsOf(line) {
		words, err := install.Split(command, protocol.QuoteSh)
		if err != nil {
			continue
		}
		for len(words) > 0 && (slices.Contains(keywords, words[0]) || assigns(words[0])) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		name := kebab(filepath.Base(words[0]))
		if slices.Contains(silent, name) || name == "" {
			continue
		}
		if about := subject(words[1:]); about != "" {
			return name, about
		}
		program = cmp.Or(program, name)
	}
	return program, ""
}

// subject is the first words of a program's arguments that say what it is about.
func subject(args []string) string {
	var said []string
	length := 0
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			continue
		}
		if !strings.ContainsAny(arg, " (|") { // a file
			arg = filepath.Base(arg)
			if ext := filepath.Ext(arg); ext != arg {
				arg = strings.TrimSuffix(arg, ext)
			}
		}
		for _, w := range parts(os.Expand(arg, func(string) string { return " " })) {
			if len(w) < 2 || slices.Contains(said, w) || slices.Contains(idle, w) || strings.Trim(w, "0123456789") == "" {
				continue
			}
			if length += len(w) + 1; len(said) == 3 || len(said) > 0 && length > 24 {
				return strings.Join(said, "-")
			}
			said = append(said, w)
		}
	}
	return strings.Join(said, "-")
}

var (
	keywords = strings.Fields("if then else elif do while until ! { (")
	silent   = strings.Fields("fi done case esac for true false test exit set export local cd read source eval command sleep")
	// idle are words of events, of jq and of languages, which stand in any line that reads its input.
	idle = strings.Fields("tool input name file path command hook event json data get load loads sys stdin stdout stderr dev null tmp import from const let var require return if else for in not or and is any exit " +
		"select test print process console log endswith startswith contains ascii downcase empty true false to of the")
)

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
	name := strings.Join(parts(s), "-")
	if len(name) > 48 {
		name = strings.Trim(name[:48], "-")
	}
	return name
}

// parts are the groups of letters and digits in a text, in lower case.
func parts(s string) []string {
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
	return strings.Fields(b.String())
}

// argumentOf is the first argument of a script if it is a plain word, which selects a task if one
// script does several; else the first long flag of the line.
func argumentOf(e Entry) string {
	words, err := install.Split(e.line(), protocol.QuoteSh)
	if err != nil {
		return ""
	}
	plain := func(w string) bool { return w != "" && kebab(w) == w && len(w) <= 24 }
	script := slices.IndexFunc(words, scriptName)
	if script < 0 && len(words) > 0 && isPath(words[0]) {
		script = 0
	}
	if script >= 0 && script+1 < len(words) && plain(words[script+1]) {
		return words[script+1]
	}
	for _, w := range words {
		if flag, ok := strings.CutPrefix(w, "--"); ok && plain(flag) {
			return flag
		}
	}
	return ""
}

// christen gives each hook a name of its own: the first of its candidates that no other hook has, or
// the plainest with a number. taken reports names that are already in use.
func (f *finder) christen(hooks []*Hook, taken func(string) bool) {
	candidates := map[*Hook][]string{}
	count := map[string]int{}
	used := map[string]bool{}
	for _, h := range hooks {
		if h.Name != "" {
			used[h.Name] = true
			continue
		}
		candidates[h] = f.candidates(h)
		for _, name := range candidates[h] {
			count[name]++
		}
	}
	for _, h := range hooks {
		if h.Name != "" {
			continue
		}
		free := func(name string) bool { return protocol.ValidName(name) && !used[name] && !taken(name) }
		list := candidates[h]
		if i := slices.IndexFunc(list, func(name string) bool { return count[name] == 1 && free(name) }); i >= 0 {
			h.Name = list[i]
		}
		for n := 1; h.Name == ""; n++ {
			name := list[0]
			if n > 1 {
				name += "-" + strconv.Itoa(n)
			}
			if free(name) {
				h.Name = name
			}
		}
		used[h.Name] = true
	}
}

// candidates are names for a hook, the plainest first: with its argument, its event, its event and
// tools.
func (f *finder) candidates(h *Hook) []string {
	base, event := f.nameOf(h), eventWord(h.Trigger)
	list := []string{base}
	if arg := argumentOf(h.Entries[0]); arg != "" {
		list = append(list, base+"-"+arg)
	}
	if !strings.HasPrefix(base, event) {
		list = append(list, base+"-"+event)
	}
	if word := kebab(h.Entries[0].Matcher); word != "" && len(word) <= 24 && !strings.Contains(base, word) {
		list = append(list, base+"-"+event+"-"+word)
	}
	return list
}
