package deed

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// PowerShell and cmd have grammars of their own, which this package does not read. What
// looks as in sh also means the same: matchers are tried on it, and files that plain
// commands name are changes.

// as takes a line as one command that cannot be read, and what may be commands in it
// for matchers.
func (r *reader) as(line string) {
	r.add(protocol.Command{Text: line})
	line = strings.NewReplacer("`\r\n", " ", "`\n", " ").Replace(line)
	spellings := []string{line}
	if direct := lookedUp(line); direct != line {
		spellings = append(spellings, direct)
	}
	if strings.Contains(line, `\`) { // part of a path there
		spellings = append(spellings, strings.ReplaceAll(line, `\`, "/"))
	}
	for _, line := range spellings {
		r.bared(pieces(line)...)
	}
}

// bared adds pieces, and each without what precedes a command in it.
func (r *reader) bared(texts ...string) {
	for _, text := range texts {
		r.piece(text)
		for words := strings.Fields(text); ; {
			if words = behind(words); len(words) == 0 {
				break
			}
			r.piece(strings.Join(words, " "))
		}
	}
}

// behind is the command that follows the first words of a piece; nil if they are the
// command.
func behind(words []string) []string {
	if len(words) < 2 {
		return nil
	}
	if at := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(strings.ToLower(w), ".exe") }); at >= 0 {
		return append([]string{program(words[at])}, words[at+1:]...)
	}
	switch first := strings.ToLower(words[0]); {
	case words[1] == "=" && strings.HasPrefix(first, "$"):
		return words[2:]
	case listed(" = & . iex invoke-expression then do else try catch finally % foreach-object icm invoke-command start-job return ", first), first[0] == '[' && first[len(first)-1] == ']':
		return words[1:]
	case isStart(first):
		return started(words[1:])
	}
	return nil
}

// alike reads a line of PowerShell as far as it is valid sh too.
func (r *reader) alike(line string) {
	as := &reader{changes: r.changes, until: r.until, since: r.since}
	as.line(strings.ReplaceAll(line, `\`, "/"), 0)
	for _, c := range as.out {
		r.piece(c.Text)
	}
	r.piece(as.pieces...)
	r.unread = cmp.Or(r.unread, as.unread)
}

// powered is what the shells of Windows are told to run.
func powered(name string, args []string) (lines []string) {
	if name == "cmd" {
		return commanded(args)
	}
	for i, arg := range args {
		word, rest := strings.ToLower(arg), args[i+1:]
		switch {
		case len(word) < 2:
		case len(rest) > 0 && (strings.HasPrefix("-command", word) || strings.HasPrefix("-commandwithargs", word) || word == "-cwa" || word == "/c" || word == "/command"):
			return joined(rest)
		case len(rest) > 0 && (strings.HasPrefix("-encodedcommand", word) || word == "-ec"):
			return joined([]string{decoded(rest[0])})
		case strings.HasPrefix("-file", word):
			return nil
		case word[0] != '-' && name == "powershell" && (i == 0 || !listed(" -executionpolicy -ep -ex -version -v -windowstyle -w -inputformat -outputformat -configurationname -psconsolefile ", strings.ToLower(args[i-1]))):
			return joined(args[i:])
		}
	}
	return nil
}

// commanded is the line of cmd's /c, which may be written in one word with it. Git's
// sh writes //c.
func commanded(args []string) []string {
	for i, arg := range args {
		option, is := strings.CutPrefix(arg, "/")
		if option = strings.TrimPrefix(option, "/"); is && option != "" && strings.IndexByte("cCkK", option[0]) >= 0 {
			line := option[1:] + " " + strings.Join(args[i+1:], " ")
			return joined([]string{strings.ReplaceAll(strings.TrimSpace(line), "^", "")})
		}
	}
	return nil
}

// decoded is the line of -EncodedCommand: base64 of UTF-16.
func decoded(word string) string {
	b, err := base64.StdEncoding.DecodeString(word)
	if err != nil {
		return ""
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
	}
	return string(utf16.Decode(units))
}

// powerReads reports whether a shell of Windows reads its lines from its input.
func powerReads(args []string) bool {
	for i, arg := range args {
		switch word := strings.ToLower(arg); {
		case word == "-" || len(word) > 1 && strings.HasPrefix("-command", word) && i+1 < len(args) && args[i+1] == "-":
			return true
		case word[:min(1, len(word))] != "-" || strings.HasPrefix("-file", word) || strings.HasPrefix("-command", word) || strings.HasPrefix(word, "-e"):
			return false
		}
	}
	return true
}

func isStart(name string) bool { return listed(" start-process saps start ", name) }

// cmdletRuns is what a cmdlet runs: a line, a program with its arguments, or a block.
func cmdletRuns(name string, args []string) (lines []string) {
	switch name = strings.ToLower(name); {
	case isStart(name):
		return joined(started(args))
	case name == "iex" || name == "invoke-expression":
		return joined(behindOptions(args))
	}
	if open := slices.Index(args, "{"); open >= 0 {
		args = args[open+1:]
		if end := slices.Index(args, "}"); end >= 0 {
			args = args[:end]
		}
		return joined(args)
	}
	return nil
}

// started is the command of Start-Process, and of cmd's start.
func started(args []string) (words []string) {
	for i := 0; i < len(args); i++ {
		switch arg := strings.ToLower(args[i]); {
		case listed(" -verb -workingdirectory -windowstyle -redirectstandardoutput -redirectstandarderror -redirectstandardinput -credential ", arg):
			i++
		case listed(" -filepath -argumentlist -args -wait -nonewwindow -nnw -passthru -loaduserprofile /b /wait /min /max /i ", arg), args[i] == "" && len(words) == 0:
		default:
			words = append(words, strings.FieldsFunc(args[i], func(c rune) bool { return c == ',' || c == ' ' })...)
		}
	}
	return words
}

// cmdlet adds what a cmdlet changes: the files in its parameters or its first words.
func (r *reader) cmdlet(name string, args []string) {
	plain, params := parameters(args)
	take := func(names ...string) (list []string) {
		for _, n := range names {
			if params[n] != "" {
				return strings.Split(params[n], ",")
			}
		}
		if len(plain) > 0 {
			list, plain = strings.Split(plain[0], ","), plain[1:]
		}
		return list
	}
	add := func(c protocol.Change) {
		if r.changes.names(c.Path) {
			r.changes.add(c)
		}
	}
	kind := cmdlet(name)
	if kind == "invoke-webrequest" {
		add(protocol.Change{Action: protocol.Create, Path: params["outfile"]})
		return
	}
	files := take("path", "literalpath", "filepath")
	switch kind {
	case "remove-item":
		for _, file := range append(files, plain...) {
			add(protocol.Change{Action: protocol.Delete, Path: file})
		}
		return
	case "copy-item":
		add(protocol.Change{Action: protocol.Create, Path: strings.Join(take("destination"), ",")})
		return
	}
	for _, file := range files {
		c := protocol.Change{Action: protocol.Update, Path: file}
		switch kind {
		case "set-content", "add-content", "new-item":
			c.New = strings.Join(take("value"), ",")
			c.HasNew = c.New != ""
		case "move-item", "rename-item":
			c.Action, c.To = protocol.Move, strings.Join(take("destination", "newname"), ",")
		}
		add(c)
	}
}

// parameters parts the words of a cmdlet: those with a name (-Path x, -Path:x, short
// -Pa x), and the others. The switches of cmd are left out.
func parameters(args []string) (plain []string, named map[string]string) {
	named = map[string]string{}
	for i := 0; i < len(args); i++ {
		param, ok := strings.CutPrefix(args[i], "-")
		param, value, inline := strings.Cut(param, ":")
		name := parameter(strings.ToLower(param))
		switch {
		case !ok && len(args[i]) < 4 && strings.HasPrefix(args[i], "/"):
		case !ok:
			plain = append(plain, args[i])
		case inline:
			named[name] = value
		case name != "" && i+1 < len(args):
			i++
			named[name] = args[i]
		}
	}
	return plain, named
}

// parameter is the parameter with a value whose name begins with a word; "" for none.
func parameter(word string) string {
	names := [...]string{"path", "literalpath", "filepath", "value", "destination", "newname", "name", "outfile", "itemtype", "encoding", "include", "exclude", "filter", "uri", "method", "body", "headers"}
	if at := slices.IndexFunc(names[:], func(n string) bool { return word != "" && strings.HasPrefix(n, word) }); at >= 0 {
		return names[at]
	}
	return ""
}

// cmdlet is the cmdlet that changes files, in its usual spelling, also for its alias,
// and for what cmd has in its place; "" for all others.
func cmdlet(name string) string {
	switch name = strings.ToLower(name); name {
	case "remove-item", "set-content", "add-content", "clear-content", "out-file", "tee-object", "new-item", "copy-item", "move-item", "rename-item", "invoke-webrequest":
		return name
	case "ri", "del", "erase", "rd":
		return "remove-item"
	case "sc":
		return "set-content"
	case "ac":
		return "add-content"
	case "clc":
		return "clear-content"
	case "ni":
		return "new-item"
	case "cpi", "copy", "xcopy":
		return "copy-item"
	case "mi", "move":
		return "move-item"
	case "rni", "ren":
		return "rename-item"
	case "iwr", "invoke-restmethod", "irm":
		return "invoke-webrequest"
	}
	return ""
}
