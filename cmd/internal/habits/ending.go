package habits

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
)

// The following is about how a script reads its event, gives its reason and ends. A
// shell script is parsed; in other languages only the words are searched.

const (
	fromStdin = "read the event, one JSON object, from stdin"
	byArgs    = "%s is empty: the event comes on stdin, and a hook is started without arguments"
)

// A reader of arguments is how a language's scripts read their arguments, and how
// they read stdin.
var argumentReaders = []struct{ args, stdin pattern }{
	{patternOf(`(?:^|[^$.\w]|\bsys\.)argv\s*\[\s*[1-9:-]|\bArgumentParser\(`), patternOf(`\bstdin\b|\binput\(|\bfileinput\b|\bos\.read\(0|\bopen\(0`)},
	{patternOf(`\bprocess\.argv\b|\bDeno\.args\b|\bBun\.argv\b`), patternOf(`\bstdin\b|readFileSync\(\s*0|readSync\(\s*0|fd:\s*0|fs\.read\(0`)},
	{patternOf(`\bARGV\b|\$\*`), patternOf(`(?i)\bstdin\b|\bgets\b|\bARGF\b|\$<|\breadlines?\b|<>`)},
	{patternOf(`\$argv\s*\[`), patternOf(`(?i)\bstdin\b|php://input`)},
	{patternOf(`\$args\b`), patternOf(`(?i)\$input\b|\[Console\]::In|OpenStandardInput`)},
}

// argued finds an entry that looks for its event in its arguments and does not read
// stdin, and neither does a file beside it. guard says that the hook could block, and
// so never will.
func (s script) argued(all []script, guard bool) (problems []discovery.Problem) {
	severity := discovery.Warning
	if guard {
		severity = discovery.Error
	}
	if file := s.shell(); file != nil {
		if f := follow(file); f.argument != nil && !f.reads {
			name := "$" + f.argument.Param.Value
			problems = append(problems, s.at(int(f.argument.Pos().Line())-1, severity, fromStdin, byArgs, name))
		}
		return problems
	}
	for _, r := range argumentReaders {
		line, word := s.find(r.args)
		if word == "" || slices.ContainsFunc(all, func(other script) bool { return r.stdin().MatchString(strings.Join(other.lines, "\n")) }) {
			continue
		}
		problems = append(problems, s.at(line, severity, fromStdin, byArgs, argumentName().FindString(word)))
	}
	return problems
}

var argumentName = patternOf(`[\w$.*]+`)

// ended finds faults at the end of a shell script: a reason that is printed where
// nobody reads it, and a last command that fails whenever nothing is refused.
func (s script) ended() (problems []discovery.Problem) {
	file := s.shell()
	if file == nil {
		return s.printed()
	}
	f := follow(file)
	for _, st := range f.unread {
		problems = append(problems, s.unread(int(st.Pos().Line())-1))
	}
	if st := f.falls(file.Stmts, 0); st != nil && !f.trapped {
		problems = append(problems, s.at(int(st.Pos().Line())-1, discovery.Warning, "end with exit 0",
			"where it refuses nothing, the hook ends with 1 here, the result of its last command, and counts as failed"))
	}
	return problems
}

func (s script) unread(line int) discovery.Problem {
	return s.at(line, discovery.Warning, "print it on stderr", "exit 2 takes its reason from stderr: what is printed on stdout here nobody reads")
}

// printed finds the same in another language: the statement right before an exit 2
// prints, but not to stderr.
func (s script) printed() (problems []discovery.Problem) {
	if redirected().MatchString(strings.Join(s.lines, "\n")) {
		return nil
	}
	for i, line := range s.lines {
		at := exitWithTwo().FindStringIndex(line)
		if at == nil {
			continue
		}
		found := -1
		if printing().MatchString(line[:at[0]]) {
			found = i
		}
		window, indent := line, indentOf(line)
		for j := i - 1; j >= max(0, i-6); j-- {
			if strings.TrimSpace(s.lines[j]) == "" {
				continue
			}
			if indentOf(s.lines[j]) < indent {
				break
			}
			window += "\n" + s.lines[j]
			if printing().MatchString(s.lines[j]) {
				found = j
			}
		}
		if found >= 0 && !onStderr().MatchString(window) {
			problems = append(problems, s.unread(found))
		}
	}
	return problems
}

var (
	exitWithTwo = patternOf(`\b(?:sys\.exit|process\.exit|Deno\.exit|os\._exit|exit!?|exitCode\s*=|SystemExit|Environment\]::Exit|os\.Exit)\s*\(?\s*2\b`)
	printing    = patternOf(`(?:^|[\s;{(:])(?:print\s*\(|console\.(?:log|info)\(|puts\s|fmt\.Print\w*\(|(?:print|echo)\s+["'$]|sys\.stdout\.write\(|process\.stdout\.write\(|Write-(?:Output|Host)\b)`)
	onStderr    = patternOf(`(?i)stderr|console\.(?:error|warn)|\bwarn\b|Console\]::Error|writeSync\(\s*2|os\.write\(\s*2|>&2`)
	redirected  = patternOf(`sys\.stdout\s*=|redirect_stdout|\$stdout\s*=|\bprint\s*=|console\.log\s*=|def print\b`)
)

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
