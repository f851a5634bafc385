package protocol

import (
	"cmp"
	"slices"
	"strings"
)

// What an unknown tool runs, by its name and the members of its input.

// CommandMembers are the members that hold commands, in the tools of all agents, each
// between spaces. They identify the commands of an unknown tool.
const CommandMembers = " command commands cmd script shell_command chars input_text keys argv "

// readers are words in a tool's name that say that it only reads.
var readers = [...]string{
	"read", "get", "list", "ls", "search", "find", "view", "stat", "info", "tree", "cat", "grep", "glob", "show", "describe", "fetch", "query", "inspect", "check", "open", "count", "diagnostics", "symbols", "outline", "lint",
}

// lookers are readers that may only be the beginning of a change: search_replace,
// find_and_edit, lint_fix. changers are the words that then follow.
var (
	lookers  = [...]string{"read", "search", "find", "view", "grep", "query", "check", "open", "lint"}
	changers = [...]string{"replace", "write", "edit", "update", "delete", "remove", "rename", "move", "overwrite", "insert", "append", "modify", "fix", "save"}
)

// reads reports whether the words of a tool's name say that it changes nothing.
func reads(words []string) (says bool) {
	for _, w := range words {
		switch {
		case slices.Contains(lookers[:], w):
			says = true
		case slices.Contains(readers[:], w):
			return true
		}
	}
	return says && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(changers[:], w) })
}

// learn infers what an unknown tool does from the members of its input, and adds
// portable names for matchers.
func (c *Call) learn(input Object) {
	words := WordsOf(c.NativeName)
	objects, unread := Nested(input)
	if unread != "" {
		c.Does |= Runs | Changes
	}
	for _, o := range objects {
		if _, program := ProgramOf(o); program || runs(o) || TypedInto(words, o) != "" || WordsIn(words, o) != "" {
			c.Does |= Runs
		}
		if code, _ := CodeOf(words, o); code != "" {
			c.Does |= Runs
		}
		if changes(c.NativeName, o) {
			c.Does |= Changes
		}
	}
	var names []string
	c.Does |= Learned
	if c.Does.Has(Runs) {
		names = append(names, Shell)
	}
	if c.Does.Has(Changes) {
		names = append(names, EditFile, WriteFile)
	}
	c.Also = append(c.Also[:len(c.Also):len(c.Also)], names...)
}

// MaxNested limits how many objects of an input are examined.
const MaxNested = 100

// Nested returns an input and the objects in it that hold the arguments of other calls,
// in a tool that passes calls on. unread is what could not be read, "" if nothing.
func Nested(input Object) (all []Object, unread string) {
	all = []Object{input}
	for i := 0; i < len(all) && len(all) < MaxNested; i++ {
		for _, m := range all[i] {
			if !passes(m) {
				continue
			}
			v := m.Value
			if text, lost := ParseText(TextOf(v)); text != nil {
				v, unread = text, cmp.Or(unread, lost)
			}
			for _, e := range append(ElementsOf(v), v) {
				if o := ObjectOf(e); o != nil && len(all) < MaxNested {
					all = append(all, o)
				}
			}
		}
	}
	if len(all) == MaxNested {
		unread = "a call that passes on more than 100 others"
	}
	return all, unread
}

// passes reports whether a member may hold the calls, or the arguments, that a tool
// passes on: tool_input, actionJson, calls.
func passes(m Member) bool {
	if len(m.Name) > 40 || len(m.Value) < 5 || m.Value[0] != '{' && m.Value[0] != '[' && m.Value[0] != '"' {
		return false
	}
	for _, word := range WordsOf(m.Name) {
		switch word {
		case "arguments", "args", "params", "parameters", "input", "inputs", "task", "tasks", "action", "actions", "request", "requests", "payload", "call", "calls", "step", "steps", "job", "jobs", "invocations", "uses", "function", "functions":
			return true
		}
	}
	return false
}

// ArgumentMembers are the members with the arguments of a program that another one
// names: a list, or a text.
var ArgumentMembers = [...]string{"args", "arguments", "argv", "parameters", "params"}

// ProgramOf is a program that an object names, with its list of arguments.
func ProgramOf(o Object) (name string, ok bool) {
	for _, member := range [...]string{"program", "executable", "exec", "binary", "bin", "run"} {
		if name = o.Text(member); name != "" && slices.ContainsFunc(ArgumentMembers[:], func(m string) bool { return len(o.Get(m)) > 2 && o.Get(m)[0] != '{' }) {
			return name, true
		}
	}
	return "", false
}

// WordsIn is the member of an object that holds the words of a command, if the tool's name says that
// it runs one and no other member holds a program; else "".
func WordsIn(tool []string, o Object) string {
	says := func(w string) bool { return w == "exec" || w == "execute" || w == "shell" || w == "spawn" }
	if _, program := ProgramOf(o); program || !slices.ContainsFunc(tool, says) || runs(o) {
		return ""
	}
	for _, member := range [...]string{"args", "arguments", "input", "words"} {
		if list := ElementsOf(o.Get(member)); len(list) > 0 && len(o.Get(member)) > 0 && o.Get(member)[0] == '[' && TextOf(list[0]) != "" && TextOf(list[0])[0] != '-' {
			return member
		}
	}
	return ""
}

// TypedInto is the member of an object that is typed into a terminal or given to a
// process, if the words of the tool's name or of another member say so; else "".
func TypedInto(tool []string, o Object) string {
	terminal := func(word string) bool {
		return slices.Contains([]string{"terminal", "pty", "tty", "stdin", "console", "term", "tmux", "shell", "bash", "sh", "zsh", "powershell", "command", "commands", "cmd"}, word)
	}
	says := slices.ContainsFunc(tool, terminal) ||
		slices.ContainsFunc(o, func(m Member) bool {
			return len(m.Name) <= 40 && slices.ContainsFunc(WordsOf(m.Name), func(w string) bool { return terminal(w) || w == "pid" || w == "process" || w == "pane" })
		})
	if !says || reads(tool) {
		return ""
	}
	for _, member := range [...]string{"input", "data", "text", "stdin", "line", "keystrokes", "value", "code", "source", "content", "characters"} {
		if o.Text(member) != "" && !(member == "content" && (o.Text("path") != "" || o.Text("file_path") != "")) {
			return member
		}
	}
	return ""
}

// Languages of programs that an interpreter, or an unknown tool, runs.
const (
	Shells     = "shell"
	Python     = "python"
	JavaScript = "javascript"
	Perl       = "perl"
	Ruby       = "ruby"
	PHP        = "php"
	Lua        = "lua"
	RLanguage  = "r"
	AWK        = "awk"

	AppleScript = "applescript"
)

// LanguageOf is the language that a word names, or that an interpreter of that name
// runs; "" for all others.
func LanguageOf(word string) string {
	switch strings.TrimRight(strings.ToLower(word), "0123456789.") {
	case "bash", "sh", "shell", "zsh", "dash", "ksh", "fish", "powershell", "pwsh":
		return Shells
	case "python", "pypy", "py", "ipython", "bpython", "micropython":
		return Python
	case "node", "nodejs", "deno", "bun", "tsx", "ts-node", "zx", "javascript", "js", "typescript", "ts", "mjs", "cjs":
		return JavaScript
	case "perl", "pl":
		return Perl
	case "ruby", "jruby", "rb":
		return Ruby
	case "php", "php-cli":
		return PHP
	case "lua", "luajit", "texlua":
		return Lua
	case "rscript", "r":
		return RLanguage
	case "awk", "gawk", "mawk", "nawk":
		return AWK
	case "osascript", "applescript":
		return AppleScript
	}
	return ""
}

// CodeOf is a program in a member of an unknown tool that holds one only as others say:
// shell, if it is more than a shell's name; code, beside a language, or in a tool whose
// name has one; "" if there is none.
func CodeOf(tool []string, o Object) (code, language string) {
	for _, member := range [...]string{"shell", "bash", "sh", "zsh", "run"} {
		if text := o.Text(member); strings.ContainsAny(strings.TrimSpace(text), " \t\n") {
			return text, Shells
		}
	}
	for _, member := range [...]string{"code", "source", "snippet", "body", "program"} {
		if code = o.Text(member); code != "" {
			break
		}
	}
	if code == "" {
		return "", ""
	}
	for _, member := range [...]string{"language", "lang", "runtime", "interpreter", "kernel", "shell", "type"} {
		if words := WordsOf(o.Text(member)); len(words) > 0 {
			if language = LanguageOf(words[len(words)-1]); language != "" {
				return code, language
			}
		}
	}
	if o.Text("language") == "" && !reads(tool) {
		for _, word := range tool {
			if language = LanguageOf(word); language != "" && language != Shells { // a shell's is typed
				return code, language
			}
		}
		if slices.Contains(tool, "code") && slices.ContainsFunc(tool, func(w string) bool { return w == "execute" || w == "run" || w == "exec" || w == "eval" }) {
			return code, Python // in a notebook it mostly is
		}
	}
	return "", ""
}

func runs(o Object) bool {
	return slices.ContainsFunc(o, func(m Member) bool {
		v := m.Value
		return len(v) > 2 && (v[0] == '"' || v[0] == '[' || v[0] == '{') && IsCommand(m.Name) && !(m.Name == "command" && IsEditVerb(o))
	})
}

// IsCommand reports whether a member of that name holds commands.
func IsCommand(member string) bool {
	return strings.Contains(CommandMembers, " "+member+" ") || saysCommand(member)
}

// saysCommand reports whether a member's name says that it holds a command: cmdline,
// command_line, shellCommand; not command_id.
func saysCommand(member string) (says bool) {
	if len(member) > 40 || !strings.Contains(member, "ommand") && !strings.Contains(member, "md") && !strings.Contains(member, "MD") && !strings.Contains(member, "COMMAND") {
		return false
	}
	for _, word := range WordsOf(member) {
		switch word {
		case "command", "commands", "cmd", "cmds", "cmdline", "commandline", "shellcommand":
			says = true
		case "line", "lines", "text", "string", "str", "shell", "bash", "sh", "zsh", "terminal", "to", "run", "exec", "execute", "the", "raw", "full", "input":
		default:
			return false
		}
	}
	return says
}

// IsEditVerb reports whether the member command of an input is not a shell command, but
// the operation of a str_replace editor.
func IsEditVerb(o Object) bool {
	switch o.Text("command") {
	case "view", "create", "str_replace", "insert", "undo_edit", "write", "append", "delete", "rename", "edit_file", "strReplace":
		return slices.ContainsFunc(pathMembers[:], o.Has)
	}
	return false
}

// WordsOf are the words of a tool's name, in lower case: the last of
// "mcp__fs__readTextFile" are read, text, file.
func WordsOf(name string) []string {
	var words []string
	from, lower := 0, func(s string) string {
		b := []byte(s)
		for i, c := range b {
			if c >= 'A' && c <= 'Z' {
				b[i] = c + 'a' - 'A'
			}
		}
		return string(b)
	}
	for i := 0; i <= len(name); i++ {
		end := i == len(name)
		switch {
		case end || !isLetter(name[i]):
			if i > from {
				words = append(words, lower(name[from:i]))
			}
			from = i + 1
		case i > from && name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a':
			words = append(words, lower(name[from:i]))
			from = i
		}
	}
	return words
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
