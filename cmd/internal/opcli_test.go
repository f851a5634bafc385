package internal_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
)

// noteOp is an operation with an argument of each kind that a command line has.
func noteOp() op.Op {
	return op.Op{
		Name: "note_keep", Command: "keep", Words: []string{"boxId", "text"}, People: op.Text{English: "keep a note"}, Model: op.Text{English: "Keeps a note."},
		Offer: func(from string, c op.Call) []op.Word {
			return []op.Word{{Word: from + "-" + c.Args.Text("text"), Text: "a box"}}
		},
		Args: []op.Arg{
			{Name: "boxId", From: "boxes", Model: op.Text{English: "where"}}, {Name: "text", Model: op.Text{English: "what"}},
			{Name: "colour", Words: []string{"red", "blue"}, Model: op.Text{English: "of it"}}, {Name: "loud", Kind: op.Bool, Model: op.Text{English: "read it out"}},
			{Name: "days", Kind: op.Count, Default: "3", People: op.Text{English: "`N` days"}}, {Name: "weight", Kind: op.Number, Model: op.Text{English: "how heavy"}},
			{Name: "steps", Kind: op.Texts, Model: op.Text{English: "in order"}}, {Name: "tags", Kind: op.List, Split: true, Known: []string{"home", "work"}, Model: op.Text{English: "to find it by"}},
			{Name: "docs", Kind: op.Docs, Model: op.Text{English: "beside it"}}, {Name: "cases", Kind: op.Cases, Model: op.Text{English: "when"}},
			{Name: "confirmation", Kind: op.Confirm, Model: op.Text{English: "a yes"}}, {Name: "params", Kind: op.Free, Model: op.Text{English: "values"}},
			{Name: "meta", Kind: op.JSON, Model: op.Text{English: "anything"}}, {Name: "inner", Kind: op.Objects, NoFlag: true},
		},
	}
}

// tryOp runs a command line of one operation, and returns the result.
func tryOp(t *testing.T, o op.Op, stdin string, args ...string) (given, stdout, stderr string, exit int) {
	t.Helper()
	sh := shelltest.New(t)
	var out, errs strings.Builder
	sh.In, sh.Out, sh.Err = strings.NewReader(stdin), &out, &errs
	parent := shell.CommandGroup{Words: "keep", Command: func(sh *shell.Shell) *cli.Command {
		return opcli.Command(sh, o, "keep", nil, func(_ *cli.Context, got op.Object) error {
			given = string(got.Raw())
			return nil
		})
	}}
	exit = sh.Run([]shell.CommandGroup{parent}, append([]string{"keep"}, args...))
	return given, out.String(), errs.String(), exit
}

func TestWhatIsTypedIsWhatAModelWouldSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args, stdin, want string
	}{
		{"b1 hello", "", `{"boxId": "b1", "text": "hello"}`},
		{"hello --box b1", "", `{"boxId": "b1", "text": "hello"}`},
		{"b1 -", "from\nstdin\n", `{"boxId": "b1", "text": "from\nstdin"}`},
		{"--text - --boxId b1", "x", `{"boxId": "b1", "text": "x"}`},
		{"--colour red --loud --days 7 --weight 0.5", "", `{"colour": "red", "loud": true, "days": 7, "weight": 0.5}`},
		{"--steps a,b --steps c", "", `{"steps": ["a,b", "c"]}`},
		{`--tags a,b --tags {"type":"x,y"} --tags {no`, "", `{"tags": ["a", "b", {"type": "x,y"}, "{no"]}`},
		{"--docs a.md=one --docs b.md", "", `{"docs": [{"path": "a.md", "description": "one"}, {"path": "b.md", "description": ""}]}`},
		{`--docs [{"path":"a"}]`, "", `{"docs": [{"path": "a"}]}`},
		{"--cases it=>works", "", `{"cases": [{"when": "it", "then": "works"}]}`},
		{"--confirmation tok=yes=no", "", `{"confirmation": {"token": "tok", "userInput": "yes=no"}}`},
		{"--params a=1 --params b=2 --params a=3", "", `{"params": {"a": ["1", "3"], "b": "2"}}`},
		{`--params {"a":{"b":1}}`, "", `{"params": {"a": {"b": 1}}}`},
		{`--meta {"a":[1]}`, "", `{"meta": {"a": [1]}}`},
		{"", "", `{}`},
	} {
		t.Run(fmt.Sprintf("%q", c.args), func(t *testing.T) {
			if got, _, errs, exit := tryOp(t, noteOp(), c.stdin, strings.Fields(c.args)...); got != c.want || exit != 0 {
				t.Errorf("%s: %s, exit %d %s; want %s", c.args, got, exit, errs, c.want)
			}
		})
	}
}

func TestWhatCannotBeReadIsAWrongUse(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"a b c":              "keep: too many arguments (c), want at most boxId, text",
		"a b --text x":       "keep: too many arguments (b), want at most boxId",
		"--weight NaN":       "keep: --weight: want a number",
		"--meta {":           "keep: --meta: want JSON",
		"--confirmation yes": "keep: --confirmation: want TOKEN=ANSWER",
		"--params x":         `keep: --params: "x": want NAME=TEXT`,
		`--docs [{"path":`:   "keep: --docs: ",
		"--days soon":        `keep: --days: "soon" is not a whole number`,
		"--inner {}":         "keep: no such flag: --inner",
		"--workspace-id w":   "keep: no such flag: --workspace-id",
	} {
		t.Run(args, func(t *testing.T) {
			if got, out, errs, exit := tryOp(t, noteOp(), "", strings.Fields(args)...); exit != shell.ExitUsage || !strings.Contains(errs, want) || got != "" || out != "" {
				t.Errorf("%s: exit %d, %q %q; want %s", args, exit, out, errs, want)
			}
		})
	}
	list := noteOp()
	list.Words, list.Rest, list.Usage = []string{"steps"}, true, "[STEP...]"
	if got, _, errs, _ := tryOp(t, list, "", "a", "b,c"); got != `{"steps": ["a", "b,c"]}` {
		t.Errorf("%s %s", got, errs)
	}
	if _, _, errs, exit := tryOp(t, list, "", "a", "--steps", "b"); exit != shell.ExitUsage || !strings.Contains(errs, "steps is given twice") {
		t.Errorf("exit %d, %s", exit, errs)
	}
}

// An argument without a flag has to be given as a word, and a text may consist of
// several; arguments that only people have are flags anyway.
func TestWordsWithoutAFlag(t *testing.T) {
	t.Parallel()
	find := op.Op{Name: "find", Words: []string{"query"}, Rest: true, Usage: "QUERY", Wants: "what to look for", Args: []op.Arg{
		{Name: "query", Required: true, NoFlag: true}, {Name: "since", Kind: op.Day, NoTool: true},
	}}
	if got, _, errs, _ := tryOp(t, find, "", "red", "-", "--since", "-"); got != `{"since": "-", "query": "red -"}` {
		// --since follows the words, and is still a flag
		t.Errorf("%s %s", got, errs)
	}
	for args, want := range map[string]string{"": "keep: want what to look for", "--query x": "keep: no such flag: --query"} {
		t.Run(fmt.Sprintf("%q", args), func(t *testing.T) {
			if _, _, errs, exit := tryOp(t, find, "", strings.Fields(args)...); exit != shell.ExitUsage || !strings.Contains(errs, want) {
				t.Errorf("%s: exit %d, %s; want %s", args, exit, errs, want)
			}
		})
	}
	wrong := opcli.Failed("find", op.Within("max_hits", 9, 1, 5))
	if _, err := (op.Call{Args: op.Object{{Name: "way", Value: op.Raw(`"q"`)}}}).OneOf("way", []string{"a", "b", "c"}); wrong.Error() != "find: --max-hits 9: want 1 to 5" || opcli.Failed("find", err).Error() != `find: --way "q": want a, b or c` {
		t.Errorf("%v; %v", wrong, err)
	}
}

func TestHelpTellsOfEveryArgument(t *testing.T) {
	t.Parallel()
	o := noteOp()
	o.Order = []string{"text", "boxId"}
	_, help, _, _ := tryOp(t, o, "", "--help")
	for _, want := range []string{
		"keep - keep a note", "keep [FLAGS] [BOX] [TEXT]", "Keeps a note.", "--box-id, --box, --boxId VALUE", "of it (red, blue)", "--days N", "N days (default: 3)",
		"beside it (PATH=TEXT); repeats", "when (WHEN=>THEN); repeats", "a yes (TOKEN=ANSWER)", "values (NAME=TEXT); repeats", "in order; repeats",
	} {
		if !strings.Contains(help, want) {
			t.Errorf("no %q in\n%s", want, help)
		}
	}
	if strings.Contains(help, "inner") {
		t.Error("what cannot be typed stands in the help")
	}
	o.Order = nil
	for _, a := range o.Args {
		o.Order = append([]string{a.Name}, o.Order...)
	}
	_, help, _, _ = tryOp(t, o, "", "--help")
	if strings.Index(help, "--meta") > strings.Index(help, "--text") {
		t.Errorf("the order does not hold:\n%s", help)
	}
}

// An argument's declaration says what a shell completes.
func TestCompletionAsksTheArguments(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	commands := sh.Commands([]shell.CommandGroup{{Words: "keep", Command: func(sh *shell.Shell) *cli.Command {
		return opcli.Command(sh, noteOp(), "keep", nil, func(*cli.Context, op.Object) error { return nil })
	}}}, "")
	for line, want := range map[string]string{
		"keep --colour +":        "red blue",
		"keep --tags +w":         "work",
		"keep --text hi --box +": "boxes-hi",
		"keep --text hi +":       "boxes-hi",
		"keep b1 +":              "",
		"keep --text +":          "",
	} {
		t.Run(line, func(t *testing.T) {
			words := strings.Fields(line)
			words[len(words)-1] = strings.TrimPrefix(words[len(words)-1], "+")
			list, _ := cli.Complete(commands, words)
			var got []string
			for _, s := range list {
				got = append(got, s.Word)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: %v, want %s", line, got, want)
			}
		})
	}
}

// A behaviour with operations has a group, unless there is already one of its name.
func TestRoomsForBehavioursThatHaveNone(t *testing.T) {
	t.Parallel()
	set := op.Set{Name: "notes", Ops: []op.Op{noteOp(), {Name: "note_only"}, {Name: "note_list", Command: "box list", Do: func(context.Context, op.Call) (any, error) {
		return map[string]any{"boxes": []string{"a"}}, nil
	}}}}
	sh := shelltest.New(t)
	parent := opcli.CommandGroup(sh, set, "keeps notes")
	var names []string
	for _, c := range parent.Subcommands {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"keep", "box"}) || parent.Subcommands[1].Subcommands[0].Name != "list" {
		t.Errorf("%v", names)
	}
	set.Ops = set.Ops[1:2]
	if c := opcli.CommandGroup(sh, set, ""); c.Name != "" || len(c.Subcommands) > 0 {
		t.Errorf("a room without commands: %+v", c)
	}
	have := []shell.CommandGroup{{Words: "memory"}, {Words: "workspace ws"}}
	if got := opcli.Groups(have, sh.Host.Behaviours()); len(got) != 2 {
		t.Errorf("%d rooms: the behaviours that come with the program have theirs", len(got))
	}
}
