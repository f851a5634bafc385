package disguise

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// single is a text as one word of a shell.
func single(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// bare is a word as people write it: quoted only if necessary.
func bare(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()[]{}*?!#~=") && !strings.Contains(word, "=") || strings.ContainsAny(word, " '\"$`&|;<>()*?\\\n") {
		return single(word)
	}
	return word
}

// Plain is a command alone on a line.
func Plain(words []string) string { return quoteAll(words, bare) }

func quoteAll(words []string, how func(string) string) string {
	return strings.Join(each(words, how), " ")
}

func each(words []string, how func(string) string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = how(w)
	}
	return out
}

// beside is a line among others, and grouped in the ways that a shell has.
func beside(line string) []Line {
	list := []Line{
		{Name: "behind true;", Text: "true; " + line},
		{Name: "before ;true", Text: line + ";true"},
		{Name: "behind &&", Text: "true && " + line},
		{Name: "behind && without blanks", Text: "true&&" + line},
		{Name: "before && true", Text: line + " && true"},
		{Name: "behind ||", Text: "false || " + line},
		{Name: "on a second line", Text: "cd .\n" + line},
		{Name: "before a second line", Text: line + "\necho done"},
		{Name: "in the background", Text: line + " &"},
		{Name: "before a pipe", Text: line + " 2>&1 | cat"},
		{Name: "output thrown away", Text: line + " >/dev/null 2>&1"},
		{Name: "in parentheses", Text: "(" + line + ")"},
		{Name: "in braces", Text: "{ " + line + "; }"},
		{Name: "in if", Text: "if true; then " + line + "; fi"},
		{Name: "in for", Text: "for i in 1; do " + line + "; done"},
		{Name: "negated", Text: "! " + line},
		{Name: "before a comment", Text: line + " # nothing to see"},
		{Name: "blanks around it", Text: "  \t" + line + "  "},
		{Name: "in a function", Text: "f() { " + line + "; }; f"},
	}
	if strings.Contains(line, "\n") {
		return list[:9] // a here-document ends where its own line does
	}
	return list
}

// nested is a line inside another command. simple says that it is one simple command
// in plain words.
func nested(line string, simple bool) []Line {
	list := []Line{
		{Name: "in sh -c", Text: "sh -c " + single(line)},
		{Name: "in bash -c", Text: "bash -c " + double(line)},
		{Name: "in eval", Text: "eval " + single(line)},
		{Name: "in two shells", Text: "bash -c " + single("sh -c "+single(line))},
		{Name: "in a substitution", Text: "echo \"$(" + line + ")\""},
		{Name: "in a here-document", Text: "bash <<'END'\n" + line + "\nEND"},
		{Name: "in a here-string", Text: "bash <<< " + single(line)},
		{Name: "in env sh -c", Text: "env -i PATH=\"$PATH\" sh -c " + single(line)},
	}
	if !simple {
		return list
	}
	for _, w := range []string{"env", "env A=1", "A=1", "sudo", "nohup", "time", "timeout 9", "command", "exec", "nice -n 5", "setsid", "xargs -I{}"} {
		text := w + " " + line
		if strings.HasPrefix(w, "xargs") {
			text = "echo x | " + text
		}
		list = append(list, Line{Name: "in " + w, Text: text})
	}
	return append(list,
		Line{Name: "in find -exec", Text: "find . -maxdepth 0 -exec " + line + ` \;`},
		Line{Name: "in backticks", Text: "echo `" + line + "`"})
}

// double is a text in double quotes.
func double(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(s) + `"`
}

// quoted are the words of a command with unnecessary quotes.
func quoted(words []string) []Line {
	if len(words) == 0 || words[0] == "" {
		return nil
	}
	for _, w := range words {
		if strings.ContainsAny(w, "$`\n") { // known only to the shell
			return nil
		}
	}
	line := quoteAll(words, bare)
	name, rest := words[0], strings.TrimPrefix(line, bare(words[0]))
	list := []Line{
		{Name: "each word in quotes", Text: quoteAll(words, single)},
		{Name: "each word in double quotes", Text: quoteAll(words, double)},
		{Name: "quotes inside of a name", Text: name[:1] + `""` + name[1:] + rest},
		{Name: "a backslash before the name", Text: `\` + name + rest},
		{Name: "the name in escapes", Text: escapes(name) + rest},
		{Name: "two blanks between words", Text: strings.Join(each(words, bare), "  ")},
		{Name: "tabs between words", Text: strings.Join(each(words, bare), "\t")},
	}
	if len(words) > 1 {
		list = append(list,
			Line{Name: "over two lines", Text: bare(name) + " \\\n  " + strings.TrimLeft(rest, " ")},
			Line{Name: "quotes inside of the last word", Text: quoteAll(words[:len(words)-1], bare) + " " + halves(words[len(words)-1])})
	}
	if !strings.Contains(name, "/") {
		list = append(list, Line{Name: "by its path", Text: "/usr/bin/" + name + rest})
	}
	return list
}

// halves is a word of two quoted halves.
func halves(word string) string {
	n := len(word) / 2
	for n > 0 && word[n]&0xc0 == 0x80 {
		n--
	}
	return single(word[:n]) + double(word[n:])
}

// escapes is a word in the escapes of $'…'.
func escapes(word string) string {
	var b strings.Builder
	for i := range len(word) {
		fmt.Fprintf(&b, `\x%02x`, word[i])
	}
	return "$'" + b.String() + "'"
}

// others have the same effect, and only the shell knows it when it runs them.
func others(line string, words []string) (list []Line) {
	add := func(name, format string, args ...any) {
		list = append(list, Line{Name: name, Text: fmt.Sprintf(format, args...), Another: true})
	}
	add("piped into a shell", "echo %s | sh", single(line))
	add("decoded as it runs", "echo %s | base64 -d | sh", base64.StdEncoding.EncodeToString([]byte(line)))
	add("in a script that is written first", "printf '%%s\\n' %s > /tmp/x.sh; sh /tmp/x.sh", single(line))
	add("by another language", "python3 -c %s", single("import os; os.system("+fmt.Sprintf("%q", line)+")"))
	if len(words) > 0 && !strings.ContainsAny(words[0], "$`'\"") {
		rest := strings.TrimSpace(quoteAll(words[1:], bare))
		add("the name in a variable", "x=%s; $x %s", words[0], rest)
		if len(words) > 1 {
			add("an operand from xargs", "echo %s | xargs %s", single(rest), words[0])
			add("words from an expansion of braces", "{%s}", strings.Join(words, ","))
		}
	}
	return list
}
