package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A mistake is a command line with one thing wrong, and how it has to end.
type mistake struct {
	kind string
	path []string // the command; nil if there is none
	args []string
	exit int
	says string // all of it stands in the message
	json bool   // whoever types it without --json gets a document too: a command of agents
}

// TestOneExitCodeForOneKindOfError plays each kind of error at each verb, flag and
// argument that can have it: docs/exit-codes.md is the table. What a place takes is
// read from its completions, so that a command that comes has the same kinds.
func TestOneExitCodeForOneKindOfError(t *testing.T) {
	t.Parallel()
	home := shelltest.New(t).Host.Home
	project := filepath.Join(home, "w")
	stage := shelltest.Host(home, project)
	must.Write(t, filepath.Join(stage.Config, "hooks", "guard-one", "HOOK.md"), "---\nname: guard-one\ndescription: a guard\ntrigger: pre-tool-call\n---\n")
	must.Script(t, filepath.Join(stage.Config, "hooks", "guard-one", "scripts", "run"), "#!/bin/sh\nexit 0\n")
	must.Write(t, filepath.Join(project, ".agents", "hooks", "of-project", "HOOK.md"), "---\nname: of-project\ndescription: a guard\ntrigger: pre-tool-call\n---\n")
	commands := shell.New("agents-hooks", stage, nil, nil, nil).Commands(commandGroups(), "")
	var all []mistake
	groups(commands, nil, func(path []string) {
		all = append(all, mistake{"unknown command", path, append(path, "no-such-word"), shell.ExitUsage, "no such command", false})
	})
	leaves(commands, nil, func(path []string, c *cli.Command) {
		if !c.SkipFlagParsing && !c.Hidden {
			all = append(all, mistakes(commands, filepath.Join(home, "no", "such", "place"), path, c)...)
		}
	})
	count := map[string]int{}
	for i, m := range all {
		if count[m.kind]++; slowtest.Part(i, 4) {
			checkMistake(t, stage, m)
		}
	}
	for kind, least := range map[string]int{"unknown command": 10, "unknown flag": 100, "a flag without its value": 100, "no number": 10, "too few arguments": 30, "too many arguments": 50, "unknown agent": 10, "mistyped agent": 10, "unknown event": 3, "no such file": 7, "no such folder": 50, "unknown hook": 2} {
		t.Run(kind, func(t *testing.T) {
			if count[kind] < least {
				t.Errorf("played %d times, want at least %d: the test looks in the wrong place", count[kind], least)
			}
		})
	}
}

// groups calls f with the words of each command that wants another word.
func groups(list []*cli.Command, path []string, f func(path []string)) {
	for _, c := range list {
		if len(c.Subcommands) > 0 && !c.Hidden {
			here := append(path[:len(path):len(path)], c.Name)
			f(here[:len(here):len(here)])
			groups(c.Subcommands, here, f)
		}
	}
}

// rawCall is how the system names an error, which nobody has to know.
var rawCall = regexp.MustCompile(`\b(stat|lstat|open|readlink|mkdir|fstatat|openat|readdirent) [/~.]`)

func checkMistake(t *testing.T, h host.Host, m mistake) {
	t.Helper()
	var out, errs strings.Builder
	exit := run(h, m.args, strings.NewReader(""), &out, &errs)
	said := errs.String()
	if exit != m.exit || (out.Len() > 0) != m.json || !strings.HasPrefix(said, "agents-hooks: ") || !strings.Contains(said, "\nhint: ") || !strings.Contains(strings.ReplaceAll(said, `\\`, `\`), m.says) || rawCall.MatchString(said) {
		t.Errorf("%s: %s\nexit %d, want %d, a document only from a command of agents, a hint and %q: %q\n%s", m.kind, strings.Join(m.args, " "), exit, m.exit, m.says, out.String(), said)
	}
	if command := "agents-hooks: " + strings.Join(m.path, " ") + ": "; !strings.HasPrefix(said, command) && !strings.HasPrefix(said, "agents-hooks: no such agent: ") {
		t.Errorf("%s: %s\nwant a message that begins with %q: %s", m.kind, strings.Join(m.args, " "), command, said)
	}
	if m.kind != "a flag without its value" { // --json would be its value
		checkMistakeInJSON(t, h, m)
	}
}

// checkMistakeInJSON checks that a program that asks for JSON is told the same by it.
func checkMistakeInJSON(t *testing.T, h host.Host, m mistake) {
	t.Helper()
	var out, errs strings.Builder
	exit := run(h, append(slices.Clone(m.args), "--json"), strings.NewReader(""), &out, &errs)
	schema, err := compileSchema("error")
	must.Do(t, err)
	var doc any
	if err = json.Unmarshal([]byte(out.String()), &doc); err == nil {
		err = schema.Validate(doc)
	}
	if err != nil || exit != m.exit && exit != shell.ExitUsage { // a command may have no --json
		t.Errorf("%s: %s --json\nexit %d: %v: %q", m.kind, strings.Join(m.args, " "), exit, err, out.String())
	}
}

// The example of docs/exit-codes.md is what is printed.
func TestTheErrorOnThePageIsTheOnePrinted(t *testing.T) {
	t.Parallel()
	_, page, _ := strings.Cut(must.Read(t, filepath.Join("..", "..", "docs", "exit-codes.md")), "```json\n")
	page, _, _ = strings.Cut(page, "```\n")
	var out, errs strings.Builder
	home := t.TempDir()
	if run(shelltest.Host(home, home), []string{"list", "--event", "--json"}, strings.NewReader(""), &out, &errs); out.String() != page {
		t.Errorf("the page has\n%s\nprinted is\n%s", page, out.String())
	}
}

// exempt are places that take what is not there: new makes the folder, a project of the
// log may be gone, and two want more before they look.
var exempt = []string{"new x --dir", "log --project", "workspace import run", "evolution import x.json --dir"}

// besides is what a command wants before it looks at what is wrong.
var besides = map[string][]string{
	"new": {"x"}, "test": {"guard-one"}, "untrust": {"x"}, "enable": {"guard-one"}, "disable": {"guard-one"}, "add": {"./x"}, "remove": {"x"},
	"replay": {"x.jsonl"}, "memory search": {"x"}, "memory edit": {"x"}, "memory delete": {"x"}, "memory confirm": {"x"}, "memory promote": {"x"}, "memory merge": {"x", "y", "--content", "z"}, "memory separate": {"x"}, "memory restore": {"x"},
	"memory model add": {"x"}, "memory model use": {"x"}, "memory model remove": {"x"},
	"workspace import run": {"openspec", "x"}, "evolution import": {"x.json"}, "evolution web-load": {"https://example.com"},
	"skills inject": {"--timing", "before_planning"}, "skills run": {"--stream"}, "conformance hook": {"x"},
}

// mistakes are those that can be made at one command.
func mistakes(commands []*cli.Command, none string, path []string, c *cli.Command) (list []mistake) {
	add := func(kind string, exit int, says string, words ...string) {
		list = append(list, mistake{kind, path, slices.Concat(path, words), exit, says, c.AnswersJSON})
	}
	add("unknown flag", shell.ExitUsage, "no such flag: --no-such-flag", "--no-such-flag")
	if c.ArgsUsage != "" && c.ArgsUsage[0] != '[' {
		add("too few arguments", shell.ExitUsage, "")
	}
	if c.ArgsUsage == "" && len(c.Subcommands) == 0 { // else it is an unknown command
		add("too many arguments", shell.ExitUsage, "too many arguments", "surplus-one")
	}
	offered := func(words ...string) (string, cli.Kind) {
		found, kind := cli.Complete(commands, slices.Concat(path, words, []string{""}))
		return "|" + strings.Join(suggested(found), "|") + "|", kind
	}
	place := func(words []string, found string, kind cli.Kind) {
		if at := strings.Join(slices.Concat(path, words), " "); slices.Contains(exempt, at) {
			return
		}
		switch {
		case kind == cli.FileNames, len(words) == 0 && slices.Equal(path, []string{"import"}): // an agent, or a file
			add("no such file", 1, filepath.Join("no", "such", "place"), append(words, none)...)
		case kind == cli.FolderNames:
			add("no such folder", 1, filepath.Join("no", "such", "place"), append(words, none)...)
		case strings.Contains(found, "|claude-code|"):
			add("unknown agent", shell.ExitUsage, `no such agent: "no-such-agent"`, append(words, "no-such-agent")...)
			add("mistyped agent", shell.ExitUsage, "\nhint: did you mean claude-code? agents-hooks agents lists them", append(words, "claude-cod")...)
		case strings.Contains(found, "|pre-tool-call|"):
			add("unknown event", shell.ExitUsage, `no such event: "no-such-event"`, append(words, "no-such-event")...)
		case strings.Contains(found, "|guard-one|"), strings.Contains(found, "|of-project|"):
			add("unknown hook", 1, `"no-such-hook" here`, append(words, "no-such-hook")...)
		}
	}
	if c.ArgsUsage != "" {
		found, kind := offered()
		place(nil, found, kind)
	}
	for _, f := range c.Flags {
		name := "--" + f.Names()[0]
		if f.Names()[0] == "help" || takesNothing(f) {
			continue
		}
		add("a flag without its value", shell.ExitUsage, name+" needs a value", name)
		if takesNumber(f) {
			add("no number", shell.ExitUsage, `"soon" is not `, name, "soon")
		}
		found, kind := offered(name)
		place(append(besides[strings.Join(path, " ")], name), found, kind)
	}
	return list
}

func suggested(list []cli.Suggestion) (words []string) {
	for _, s := range list {
		words = append(words, s.Word)
	}
	return words
}

func takesNothing(f cli.Flag) bool {
	return !f.TakesValue()
}

func takesNumber(f cli.Flag) bool {
	switch f.(type) {
	case *cli.IntFlag, *cli.Int64Flag, *cli.Float64Flag, *cli.DurationFlag:
		return true
	}
	return false
}

// Where the folder is gone in which a command was typed, one that looks from there says so
// and does nothing else: what it would say of no project looks like an answer about this.
func TestACommandSaysThatItsFolderIsGone(t *testing.T) {
	t.Parallel()
	home := shelltest.New(t).Host.Home
	gone := shelltest.Host(home, "")
	said := 0
	leaves(shell.New("agents-hooks", gone, nil, nil, nil).Commands(commandGroups(), ""), nil, func(path []string, c *cli.Command) {
		name := strings.Join(path, " ")
		if c.Hidden || !hasFlag(c, "dir") || slices.Contains([]string{"new", "mcp", "evolution import"}, name) { // a hook of the user's; what an agent starts; it reads first
			return
		}
		var out, errs strings.Builder
		exit := run(gone, path, strings.NewReader(""), &out, &errs)
		if exit == shell.ExitUsage { // it wants more before it looks
			return
		}
		if said++; exit != 1 || !onlyError(c, out.String()) || !strings.Contains(errs.String(), "the working directory is gone\nhint: cd to ") {
			t.Errorf("%s: exit %d: %s%s", name, exit, out.String(), errs.String())
		}
	})
	if said < 50 {
		t.Errorf("%d commands said so: the test looks in the wrong place", said)
	}
}
