package hooks

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a tool call ran, and how it ended, is in the fields commands and result of the
// event. In a bound session a commit, a run of tests, and a run of a criterion's
// command become a row in the log of the node that it works on, if they show whether it
// is right. Other commands of criteria are run when the node is done.

// linked notes what the call says about the node in focus. A call that runs none of
// that costs only a look at its commands.
func linked(c *behaviour.Call) error {
	commands := commandsOf(c.Event)
	if len(commands) == 0 {
		return nil
	}
	committed := slices.ContainsFunc(commands, commits)
	if !committed && !slices.ContainsFunc(commands, tests) {
		return nil
	}
	p, result := placeOf(c), c.Event.Sub("result")
	s, ok, err := bound(c, p)
	if err != nil || !ok || s.Focus == nil || s.Focus.Type != workspace.Execution {
		return err
	}
	var seen []workspace.Seen
	if committed && !failedOf(result, c) {
		if what := head(c); what != "" {
			seen = append(seen, workspace.Seen{Kind: workspace.Commit, What: what})
		}
	}
	seen = append(seen, runs(c, s, commands, result)...)
	chinese := locale.Of(c.Settings.Of("language").Text, c.Getenv) == locale.Chinese
	for _, one := range seen {
		one.What = redact.Memory.Text(one.What)
		if s.Known(one) {
			continue
		}
		if _, err := p.Log(s.Workspace, s.Focus.ID, workspace.AI, one.Event(chinese), c.Now); err != nil {
			return err
		}
	}
	return nil
}

// A ran is one simple command of a call.
type ran struct {
	text string
	argv []string
}

func commandsOf(ev protocol.Object) (list []ran) {
	for _, raw := range protocol.ElementsOf(ev.Get("commands")) {
		o := protocol.ObjectOf(raw)
		one := ran{text: o.Text("text")}
		one.argv = protocol.TextsOf(o.Get("argv"))
		list = append(list, one)
	}
	return list
}

// commits reports whether a command makes a commit.
func commits(c ran) bool {
	if len(c.argv) < 2 || program(c.argv[0]) != "git" {
		return false
	}
	words := c.argv[1:]
	for len(words) > 1 && (words[0] == "-C" || words[0] == "-c") {
		words = words[2:]
	}
	if len(words) == 0 || slices.Contains(words, "--dry-run") || slices.Contains(words, "--abort") {
		return false
	}
	return slices.Contains([]string{"commit", "merge", "cherry-pick", "revert"}, words[0])
}

func program(word string) string {
	name := path.Base(strings.ReplaceAll(word, `\`, "/"))
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// fresh is how old a commit may be that a command has just made.
const fresh = 2 * time.Minute

// head is the hash and the subject of the commit that was just made, "" if there is
// none: a command that ends well may have had nothing to commit.
func head(c *behaviour.Call) string {
	if c.Runtime.Git == nil {
		return ""
	}
	out, err := c.Runtime.Git(c.Ctx, c.WorkDir(), c.Env, "log", "-1", "--format=%ct %h %s")
	if err != nil {
		return ""
	}
	at, what, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if age := c.Now.Sub(time.Unix(seconds, 0)); err != nil || age > fresh || age < -fresh {
		return ""
	}
	return text.Clip(text.OneLine(what), 120)
}

// runs are the tests and criteria's commands that the call ran, as far as its end says
// how each of them did.
func runs(c *behaviour.Call, s workspace.State, list []ran, result protocol.Object) (seen []workspace.Seen) {
	ok, known := outcome(c, result)
	if !known {
		return nil
	}
	kind := workspace.Broken
	if ok {
		kind = workspace.Passed
	}
	line := strings.TrimSpace(c.Event.Sub("tool_input").Text("command"))
	for _, a := range s.Focus.Acceptance {
		if command := a.Command(); command != "" && (command == line || strings.HasSuffix(line, "&& "+command) && ok) {
			seen = append(seen, workspace.Seen{Kind: kind, What: command})
		}
	}
	about := slices.DeleteFunc(slices.Clone(list), func(c ran) bool {
		return len(c.argv) > 0 && slices.Contains([]string{"cd", "export", "set", "pushd", "source", "."}, c.argv[0])
	})
	// If there are several, the end says something about each only if one that fails
	// ends them all.
	if len(about) > 1 && (!ok || !conjunction(line)) {
		return seen
	}
	for _, one := range about {
		what := text.Clip(text.OneLine(one.text), 160)
		if tests(one) && !slices.ContainsFunc(seen, func(s workspace.Seen) bool { return s.What == what }) {
			seen = append(seen, workspace.Seen{Kind: kind, What: what})
		}
	}
	return seen
}

// outcome is how a call ended; known is false where the agent did not tell.
func outcome(c *behaviour.Call, result protocol.Object) (ok, known bool) {
	if code := result.Get("exit_code"); code != nil {
		return string(code) == "0", true
	}
	if result.Has("ok") {
		return result.Bool("ok"), true
	}
	if c.Event.Text("event_type") == string(protocol.PostToolCallFailure) {
		return false, true
	}
	return false, false
}

func failedOf(result protocol.Object, c *behaviour.Call) bool {
	ok, known := outcome(c, result)
	return known && !ok
}

// conjunction reports whether the commands of a line are joined by && alone.
func conjunction(line string) bool {
	var b strings.Builder
	quote := rune(0)
	for _, r := range strings.ReplaceAll(line, `\`, "") {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		default:
			b.WriteRune(r)
		}
	}
	rest := strings.NewReplacer("&&", "", "2>&1", "", "&>", "").Replace(b.String())
	return quote == 0 && !strings.ContainsAny(rest, "|;&\n!`") && !strings.Contains(rest, "$(")
}

// tests reports whether a command runs tests.
func tests(c ran) bool {
	words := c.argv
	for len(words) > 1 && (slices.Contains([]string{"env", "time", "nice", "npx", "bunx", "uv", "poetry", "pipenv", "bundle", "rye", "hatch", "pdm"}, program(words[0])) || strings.Contains(words[0], "=") || words[0] == "run" || words[0] == "exec") {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	name, rest := program(words[0]), words[1:]
	switch {
	case slices.Contains([]string{"pytest", "py.test", "jest", "vitest", "mocha", "ava", "rspec", "phpunit", "pest", "ctest", "tox", "nox", "bats", "prove", "busted", "ginkgo", "gotestsum", "minitest"}, name):
		return true
	case strings.HasPrefix(name, "python"):
		return len(rest) > 1 && rest[0] == "-m" && (rest[1] == "pytest" || rest[1] == "unittest")
	case name == "node":
		return slices.Contains(rest, "--test")
	}
	words = slices.DeleteFunc(slices.Clone(rest), func(w string) bool { return strings.HasPrefix(w, "-") })
	if len(words) > 0 && words[0] == "run" {
		words = words[1:]
	}
	return len(words) > 0 && slices.Contains(testWords(name), words[0])
}

// testWords are the words by which a program that does many things runs tests.
func testWords(program string) []string {
	switch program {
	case "go", "deno", "mix", "swift", "flutter", "dart", "zig", "stack", "cabal", "dotnet", "bazel", "meson", "sbt", "rake", "task", "just", "playwright", "composer", "rails":
		return []string{"test"}
	case "cargo":
		return []string{"test", "nextest", "t"}
	case "npm", "pnpm", "yarn", "bun":
		return []string{"test", "t", "tst", "jest", "vitest", "test:unit", "test:e2e"}
	case "make", "gmake", "mvn", "mvnw", "gradle", "gradlew":
		return []string{"test", "check", "verify"}
	case "cypress":
		return []string{"run"}
	}
	return nil
}

// agentOf is the agent that an event is of.
func agentOf(c *behaviour.Call) string { return c.Event.Sub("context").Text("agent") }

// unfinished is what a session that stops is told of the nodes that it claimed and did
// not finish, "" if there are none. A node with an open problem waits for somebody.
func unfinished(c *behaviour.Call) (string, error) {
	p := placeOf(c)
	s, ok, err := bound(c, p)
	if err != nil || !ok {
		return "", err
	}
	var list []string
	first := ""
	for id, held := range p.Claims(s.Workspace.ID, c.Now) {
		n := s.Graph.Node(id)
		if held.Session != c.Session() || n == nil || n.Status() != workspace.Implementing && n.Status() != workspace.Validating || s.Waits(n) {
			continue
		}
		list = append(list, "“"+text.Clip(protocol.Plain(s.Title(n)), 80)+"”")
		first = s.Graph.Short(n)
	}
	if list == nil {
		return "", nil
	}
	slices.Sort(list)
	return textsOf(c).Unfinished(list, s.Workspace.ID, first), nil
}
