package habits

import (
	"bytes"
	"fmt"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

const (
	maxScript  = 1 << 20 // bytes that are read of one
	maxScripts = 50
)

// A script is a text in a hook's folder that may be part of its program.
type script struct {
	file  string
	lines []string // with comments blanked out
	text  string   // unchanged
	first string   // the first line of it
}

// at is a problem at a line, from 0.
func (s script) at(line int, severity discovery.Severity, fix, format string, args ...any) discovery.Problem {
	return discovery.Problem{File: s.file, Line: line + 1, Column: 1, Field: "script", Severity: severity, Message: fmt.Sprintf(format, args...), Fix: fix}
}

// scripts are a hook's scripts: the files in scripts/ or, if metadata.command says
// what is run, in the whole folder.
func scripts(hook *discovery.Hook) (list []script) {
	in := hookset.Below(hook, hook.Dir)
	seen := map[string]bool{}
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := in.List(dir)
		if err != nil || depth > 4 {
			return
		}
		for _, e := range entries {
			file := filepath.Join(dir, e.Name())
			switch {
			case len(list) >= maxScripts || seen[file] || file == hook.File || strings.HasSuffix(file, ".md"):
			case e.IsDir():
				if depth > 0 || e.Name() != "tests" {
					walk(file, depth+1)
				}
			default:
				seen[file] = true
				text, err := in.Read(file, maxScript)
				if err == nil && bytes.IndexByte(text, 0) < 0 {
					first, _, _ := strings.Cut(string(text), "\n")
					list = append(list, script{file, code(string(text), filepath.Ext(file)), string(text), first})
				}
			}
		}
	}
	if hook.Command.Given() {
		walk(hook.Dir, 0)
	} else {
		walk(filepath.Join(hook.Dir, "scripts"), 0)
	}
	return list
}

// code are the lines of a script; comment lines are empty. Only line comments are
// recognised: that is enough not to take an explanation for a comparison.
func code(text, ext string) []string {
	lines := strings.Split(text, "\n")
	long := ""
	for i, line := range lines {
		t := strings.TrimSpace(line)
		switch {
		case long != "":
			if strings.Contains(t, long) {
				long = ""
			}
			lines[i] = ""
		case strings.HasPrefix(t, "#"), strings.HasPrefix(t, "//"), strings.HasPrefix(t, "::"), strings.HasPrefix(strings.ToLower(t), "rem "), strings.HasPrefix(t, "* "), strings.HasPrefix(t, "/*"):
			lines[i] = ""
		case strings.HasPrefix(t, `"""`) || strings.HasPrefix(t, "'''"):
			if mark := t[:3]; !strings.Contains(t[3:], mark) {
				long = mark
			}
			lines[i] = ""
		case ext == ".ps1" && strings.HasPrefix(t, "<#"):
			long, lines[i] = "#>", ""
		default:
			if at := trailing().FindStringIndex(line); at != nil {
				lines[i] = line[:at[0]]
			}
		}
	}
	return lines
}

// trailing is a comment after code: one or two blanks, and no quote after it.
var trailing = patternOf(`\s(#|//)\s[^'"]*$`)

var (
	// asks is where a script reads the tool's name from its event.
	asks = patternOf(`\btool_name\b|\btoolName\b`)
	// keeps is the variable that it stores the name in.
	keeps = []pattern{
		patternOf(`(?:^|[\s;({,])(?:local\s+|const\s+|let\s+|var\s+|export\s+)?\$?([A-Za-z_]\w*)\s*(?::=|=)\s*[^=].*\b(?:tool_name|toolName)\b`),
		patternOf(`\b(?:tool_name|toolName)\s*:\s*([A-Za-z_]\w*)\s*[,}]`), // { tool_name: tool } = event
		patternOf(`\b(tool_name|toolName)\b`),
	}
	// lists is a variable that holds a list of names.
	lists = patternOf(`^\s*(?:const\s+|let\s+|var\s+)?([A-Za-z_]\w*)\s*=\s*(?:new Set\(|set\(|frozenset\()?\s*[\[({]`)
	// compares is what marks a line as a comparison.
	compares = patternOf(`==|!=|=~|-eq\b|-ne\b|-match\b|-in\b|\s=\s|\bin\b|\bcase\b|\bmatch\b|\bswitch\b|\bincludes\(|\bhas\(|\btest\(|\bstartswith\(|\bstartsWith\(|\bindexOf\(|\bgrep\b|\bselect\(|\.get\(|\bequals\b|\[\[`)
	// branches is an arm of a case: Bash|Edit) or case "Bash": or when "Bash"
	branches = patternOf(`^\s*\(?\s*(?:case\s+)?["']?[\w|"' *]+["']?\s*(?:\)|:)`)
	// opens is a line that is followed by arms.
	opens  = patternOf(`\bcase\b.*\bin\b|\bswitch\s*\(|\bmatch\b.*:\s*$|\bswitch\b`)
	closes = patternOf(`^\s*esac\b|^\}`)
)

// compared finds comparisons of tool_name with an agent's own name for a tool: an
// event has the portable one. guard says that the hook could block, and so would not.
func (s script) compared(guard bool) (problems []discovery.Problem) {
	text := strings.Join(s.lines, "\n")
	if !asks().MatchString(text) {
		return nil
	}
	variables, collections := s.names(text)
	inCase, inList := false, ""
	for i, line := range s.lines {
		about := mentions(line, variables) && !strings.Contains(line, "native")
		if m := lists().FindStringSubmatch(line); m != nil && collections[m[1]] {
			inList = m[1]
		}
		relevant := about && compares().MatchString(line) || inCase && branches().MatchString(line) || inList != ""
		if about && opens().MatchString(line) {
			inCase = true
		}
		if relevant {
			problems = append(problems, s.foreign(i, line, text, guard, inCase && !about)...)
		}
		if closes().MatchString(line) {
			inCase = false
		}
		if inList != "" && strings.ContainsAny(line, "])}") {
			inList = ""
		}
	}
	return problems
}

// names are the variables that hold the tool's name, and the lists in which it is
// looked up.
func (s script) names(text string) (variables []string, collections map[string]bool) {
	for _, re := range keeps {
		for _, m := range re().FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[0], "native") {
				continue // the agent's own name, from context.native
			}
			if !slices.Contains(variables, m[1]) {
				variables = append(variables, m[1])
			}
		}
	}
	collections = map[string]bool{}
	for _, v := range variables {
		q := regexp.QuoteMeta(v)
		for _, re := range []string{
			`\b` + q + `\b["'\])]*\s+(?:not\s+)?in\s+([A-Za-z_]\w*)`,
			`\b([A-Za-z_]\w*)\.(?:includes|has|indexOf)\(\s*[^)]*\b` + q + `\b`,
		} {
			for _, m := range regexp.MustCompile(re).FindAllStringSubmatch(text, -1) {
				collections[m[1]] = true
			}
		}
	}
	return variables, collections
}

func mentions(line string, variables []string) bool {
	return slices.ContainsFunc(variables, func(v string) bool {
		i := 0
		for {
			at := strings.Index(line[i:], v)
			if at < 0 {
				return false
			}
			at += i
			end := at + len(v)
			if (at == 0 || !isWord(line[at-1])) && (end == len(line) || !isWord(line[end])) {
				return true
			}
			i = end
		}
	})
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// foreign are the agents' own names in a line that compares. A name counts if it is
// in quotes, in an arm of a case, or in an expression, and if the script does not
// also check the portable name.
func (s script) foreign(i int, line, text string, guard, arm bool) (problems []discovery.Problem) {
	for name, n := range namesOfTools() {
		if !strings.Contains(line, name) || slices.ContainsFunc(n.means, func(m string) bool { return asked(text, m) }) {
			continue
		}
		q := regexp.QuoteMeta(name)
		forms := `\\?["']` + q + `\\?["']|[|(^]` + q + `[|)$]`
		if arm {
			forms += `|(?:^|[\s|(])` + q + `[\s|)]`
		}
		if strings.Contains(line, "=~") || strings.Contains(line, "[") || strings.Contains(line, " = ") {
			forms += `|(?:==?|=~|!=)\s*\^?` + q + `(?:\$|\s|\]|$)`
		}
		if !regexp.MustCompile(forms).MatchString(line) {
			continue
		}
		severity := discovery.Warning
		if guard {
			severity = discovery.Error
		}
		p := s.at(i, severity, fmt.Sprintf("compare with %q", n.means[0]), "tool_name is never %q, its name in %s: the event says %s", name, n.who(), strings.Join(n.means, " or "))
		p.Value = name
		problems = append(problems, p)
	}
	order.By(problems, func(a, b discovery.Problem) int { return strings.Compare(a.Value, b.Value) })
	return problems
}

// asked reports whether a script also checks a name.
func asked(text, name string) bool {
	return regexp.MustCompile(`["'|(^]` + regexp.QuoteMeta(name) + `["'|)$]`).MatchString(text)
}

// idle finds an entry in which nothing runs: an empty file, or comments alone.
func (f script) idle() []discovery.Problem {
	if slices.ContainsFunc(f.lines, func(line string) bool { return strings.TrimSpace(line) != "" }) {
		return nil
	}
	return []discovery.Problem{f.at(0, discovery.Warning, "write what it decides", "nothing in it runs: the hook has no objection to anything")}
}
