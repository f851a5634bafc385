// Package habits finds what works only in one agent, on one system or in another
// program: an agent's own names of tools and events, in the matcher and in scripts,
// exit 1 for a refusal, a missing interpreter, an entry that one system cannot start.
//
//	habits.go   all of them, for a hook
//	names.go    agents' names for tools and events that have a portable name
//	script.go   the scripts of a hook, as text
//	answer.go   how hooks of another program answer
//	misread.go  scripts that look for an event in the wrong place
//	ending.go   how a script reads its event, gives its reason and ends
//	flow.go     the same for shell scripts, by their grammar
//
// Scripts are read and never run. A name counts only where the script compares with it.
package habits

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/requirements"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Of are the habits of a hook, as problems. portable also asks for those that only
// matter on other systems.
func Of(h host.Host, hook *discovery.Hook, portable bool) (problems []discovery.Problem) {
	if hook.Status == discovery.Foreign || hook.Entry.Builtin {
		return nil
	}
	problems = append(problems, rooted(hook)...)
	files := scripts(hook)
	mayBlock := requirements.MayBlock(hook)
	for _, f := range files {
		problems = append(problems, f.carried()...)
		if f.file == hook.Entry.Path && !hook.Command.Given() {
			problems = append(problems, f.argued(files, mayBlock != "")...)
			problems = append(problems, f.idle()...)
		}
		problems = append(problems, f.ended()...)
	}
	if hook.Dialect == "" { // else its words are another program's
		// If the trigger is not an event, a matcher tells that it is a tool event.
		if hook.Trigger.IsTool() || hook.Trigger == "" && hook.Matcher != (discovery.Matcher{}) {
			problems = append(problems, matched(hook)...)
			problems = append(problems, unchanged(hook)...)
			for _, f := range files {
				problems = append(problems, f.compared(mayBlock != "")...)
			}
		}
		for _, f := range files {
			problems = append(problems, f.misread(mayBlock != "")...)
		}
		problems = append(problems, answered(hook, files, mayBlock)...)
	}
	problems = append(problems, refusals(hook, files, mayBlock)...)
	problems = append(problems, interpreter(h, hook)...)
	return append(problems, elsewhere(h, hook, files, portable)...)
}

// Untrue are why a hook that could run is no guard, although its author takes it for one: errors in
// its scripts, and an interpreter that this machine lacks. They are for callers that look at hooks
// without checking them.
func Untrue(h host.Host, hook *discovery.Hook) (problems []discovery.Problem) {
	if hook.Status != discovery.Ready && hook.Status != discovery.Untrusted {
		return nil
	}
	for _, p := range Of(h, hook, false) {
		if p.Field == "script" && p.Severity == discovery.Error {
			problems = append(problems, p)
		}
	}
	return append(problems, interpreter(h, hook)...)
}

// At adds to a problem about the trigger if its value is an agent's own name for an
// event.
func At(p *discovery.Problem) {
	if p.Field != "trigger" || protocol.EventType(p.Value).Known() {
		return
	}
	if event, who := agents.EventNamed(p.Value); event != "" {
		p.Message = fmt.Sprintf("%q is its name in %s", p.Value, agents.Some(who))
		p.Fix = "write " + string(event)
	}
}

// word is a name as it may appear in an expression.
var wordForm = patternOf(`[A-Za-z][A-Za-z0-9_-]*`)

// matched checks matcher.tool: an agent's own name for a tool works only in that
// agent.
func matched(hook *discovery.Hook) (problems []discovery.Problem) {
	expression := hook.Matcher.Tool
	if expression == "" || hook.Tongue != nil { // its names are those of the program that it was written for
		return nil
	}
	finds := func(tool string) bool {
		h := discovery.Hook{Name: hook.Name, Trigger: protocol.PreToolCall, Status: discovery.Ready, Matcher: discovery.Matcher{Tool: expression}}
		return h.Match(&protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Name: tool}}, &discovery.Budget{}, false).OK
	}
	bare := strings.Trim(expression, "^$()")
	for _, word := range wordForm().FindAllString(expression, -1) {
		n, ok := namesOfTools()[word]
		if !ok || slices.ContainsFunc(n.means, finds) && bare != word {
			continue
		}
		message := fmt.Sprintf("%q is its name in %s: this hook does not see that tool anywhere else", word, n.who())
		if slices.ContainsFunc(n.means, finds) {
			message = fmt.Sprintf("%q is its name in %s, and finds %s by chance only", word, n.who(), n.means[0])
		}
		p := hook.Place("matcher.tool")
		p.Severity, p.Value, p.Message, p.Fix = discovery.Warning, expression, message, "write "+n.expression()
		problems = append(problems, p)
	}
	return problems
}

// unchanged checks a matcher of tools that change nothing: path and content are tried on what a
// call changes.
func unchanged(hook *discovery.Hook) []discovery.Problem {
	m := hook.Matcher
	key := "path"
	if m.Path == "" {
		key = "content"
	}
	if m.Tool == "" || m.Path == "" && m.Content == "" {
		return nil
	}
	found := ""
	for _, tool := range protocol.PortableTools() {
		h := discovery.Hook{Name: hook.Name, Trigger: protocol.PreToolCall, Status: discovery.Ready, Matcher: discovery.Matcher{Tool: m.Tool}}
		if !h.Match(&protocol.Event{Type: protocol.PreToolCall, Call: &protocol.Call{Name: tool}}, &discovery.Budget{}, false).OK {
			continue
		}
		switch tool {
		case "Shell", "EditFile", "WriteFile":
			return nil
		}
		found = cmp.Or(found, tool)
	}
	if found == "" {
		return nil // a tool of the agent's own, or of an MCP server
	}
	p := hook.Place("matcher." + key)
	p.Severity, p.Message, p.Fix = discovery.Warning, fmt.Sprintf("is tried on what a call changes, and %s changes nothing: no call matches both", found), "write pattern in place of "+key+", or leave tool out"
	return []discovery.Problem{p}
}

// fromRoot is an expression that requires a path to begin with a name.
var fromRoot = patternOf(`^\^\(*(?:\?:)?(?:\\?\.|[A-Za-z_][^:])`)

// rooted checks matcher.path: paths are absolute, so none begins with a name, except
// those relative to the project's root.
func rooted(hook *discovery.Hook) []discovery.Problem {
	expression := hook.Matcher.Path
	if !fromRoot().MatchString(expression) || strings.HasPrefix(expression, `^\./`) || strings.Contains(expression, "|/") {
		return nil
	}
	p := hook.Place("matcher.path")
	p.Severity, p.Value = discovery.Warning, expression
	p.Message, p.Fix = fmt.Sprintf("%q is found in no path: they are absolute", expression), `write (^|/) in place of ^, or ^\./ for the root of the project`
	return []discovery.Problem{p}
}

// Promises are the words with which a name, a description or the title of a test says
// that something is refused; "" if it does not.
func Promises(text string) string {
	if takenBack().MatchString(text) {
		return ""
	}
	return promised().FindString(text)
}

var (
	promised  = patternOf(`(?i)\b(guards?|gate|(un)?block(s|ed|ing)?|refus(e|es|ed|al)|den(y|ies|ied)|forbid(s|den)?|prevent(s|ed|ion)?|protect(s|ed|ion)?|reject(s|ed)?|disallow(s|ed)?|prohibit(s|ed)?|ban(s|ned)?|(do|does) not (let|allow)|no [a-z]+ing|must not)\b|^no-\S+`)
	takenBack = patternOf(`(?i)\b(never|not|nothing|without|no) +(\w+ +)?(block|refus|den[yi]|prevent)|\b(blocks?|refuses?|prevents?|denies) (nothing|no )|\bunblock|\b(was|were|is|are|been|of what|whether|when) +(\w+ +)?(blocked|denied|refused|rejected)`)
)

// refusals finds exit 1 where a guard would use 2, and nothing else in the scripts
// blocks. That is an error in a hook that claims to block: it is no guard.
func refusals(hook *discovery.Hook, files []script, mayBlock string) (problems []discovery.Problem) {
	if mayBlock != "" || !requirements.Decides(hook) {
		return nil
	}
	said := cmp.Or(Promises(hook.Name), Promises(hook.Description))
	for _, f := range files {
		for i, line := range f.lines {
			if !exitOne().MatchString(line) {
				continue
			}
			p := f.at(i, discovery.Warning, "write exit 2 if this is a refusal", "exit 1 refuses nothing: the hook has failed, and what was about to happen happens")
			if said != "" && !asksInstead().MatchString(strings.Join(f.lines, "\n")) {
				p.Severity, p.Value, p.Fix = discovery.Error, "exit 1", "write exit 2"
				p.Message += fmt.Sprintf(" (HOOK.md says %q, and nothing here ends with 2)", said)
			}
			problems = append(problems, p)
			break
		}
	}
	return problems
}

// asksInstead is a script that leaves the decision to the user.
var asksInstead = patternOf(`["\\]ask\b`)

var exitOne = patternOf(`\bSystemExit\(\s*(1\b|f?["'])|\bexit\s*\(?\s*1\b|\bexitCode\s*=\s*1\b|sys\.exit\(\s*f?["']`)

// interpreter looks for the program that starts the entry.
func interpreter(h host.Host, hook *discovery.Hook) []discovery.Problem {
	if len(hook.Entry.Argv) == 0 {
		return nil
	}
	name := hook.Entry.Argv[0]
	if name == hook.Entry.Path {
		name = shebang(hook)
	}
	if h.GOOS == "windows" { // which searches the PATH for the bare name, and has our own sh
		name = base(name)
		if ownShell(name) {
			return nil
		}
	}
	if name == "" {
		return nil
	}
	if filepath.IsAbs(name) {
		if _, err := os.Stat(name); err == nil {
			return nil
		}
	} else if found(h, name) || h.GOOS == "windows" && name == "python3" && found(h, "python") {
		return nil
	}
	return []discovery.Problem{{File: hook.Entry.Path, Line: 1, Column: 1, Field: "entry", Severity: discovery.Warning, Value: name,
		Message: fmt.Sprintf("%q is not there: the hook cannot start on this machine, and a guard that does not start blocks nothing", name),
		Fix:     "install it, or say on_error: block below metadata"}}
}

// found searches the host's PATH for a program. Without a PATH it counts as found.
func found(h host.Host, name string) bool {
	if h.Getenv("PATH") == "" {
		return true
	}
	for _, dir := range filepath.SplitList(h.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if _, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// shebang is the program in a #! line.
func shebang(hook *discovery.Hook) string {
	text, err := hookset.Below(hook, hook.Entry.Path).Read(hook.Entry.Path, maxScript)
	if err != nil || len(text) < 3 || string(text[:2]) != "#!" {
		return ""
	}
	line, _, _ := strings.Cut(string(text[2:]), "\n")
	words := strings.Fields(line)
	if len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) != "env" {
		return words[0]
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
			return w
		}
	}
	return ""
}
