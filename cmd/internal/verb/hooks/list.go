package hooks

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/recorded"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func listCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:         "list",
		Usage:        "show every hook with its status, in running order",
		ArgsUsage:    "[FOLDER...]",
		BashComplete: shell.Arguments(shell.Folders),
		Description: "Shows the hooks that count here, those that do not run included. With a\n" +
			"FOLDER, a hook or a folder of hooks, shows what lies there instead.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "built-in hooks that are not enabled too"},
			hookset.DirFlag(), shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error { return list(sh, c) },
	}
}

func list(sh *shell.Shell, c *cli.Context) error {
	words := c.Args().Slice()
	if len(words) > 0 && (c.Bool("all") || c.IsSet("dir")) {
		return shell.Usagef("list: --all and --dir go with no FOLDER")
	}
	set, err := listed(sh, c, words)
	if err != nil {
		return err
	}
	for _, p := range set.Problems {
		sh.Problem(p)
	}
	if note := recorded.RecordingNote(sh, c, words); note != "" {
		sh.Say("note: %s", note)
		sh.Hints([]string{"agents-hooks record status"})
	}
	if c.Bool("json") {
		hooks := []hookset.ListedHook{}
		for _, h := range set.Hooks {
			hooks = append(hooks, hookset.ListedHookOf(h))
		}
		return sh.JSON(map[string]any{"schema": 1, "hooks": hooks})
	}
	printList(sh, set, len(words) > 0)
	return nil
}

// listed is what list shows.
func listed(sh *shell.Shell, c *cli.Context, words []string) (*discovery.Set, error) {
	if len(words) == 0 {
		dir, err := hookset.LookFrom(sh, c)
		if err != nil {
			return nil, err
		}
		if c.Bool("all") {
			return hookset.All(sh, dir), nil
		}
		return hookset.Set(sh, dir), nil
	}
	set := &discovery.Set{}
	for _, w := range words {
		hooks, err := hookset.HooksIn(sh, w)
		if err != nil {
			return nil, err
		}
		set.Hooks = append(set.Hooks, hooks...)
	}
	return set, nil
}

// printList shows hooks by event, in the order in which they run.
func printList(sh *shell.Shell, set *discovery.Set, chosen bool) {
	if len(set.Hooks) == 0 {
		sh.Printf("no hooks\n")
		if !chosen {
			for _, l := range set.Layers {
				sh.Printf("  looked in %s (%s)\n", sh.Short(l.Dir), l.Name)
			}
			sh.Hints([]string{"agents-hooks new NAME writes one"})
		}
		return
	}
	name := nameWidth(set.Hooks)
	first := true
	for _, e := range append(protocol.EventTypes(), "") {
		position := 0
		head := false
		for _, h := range set.Hooks {
			if h.Trigger != e && (e != "" || h.Trigger.Known()) {
				continue
			}
			if !head {
				head = true
				listHead(sh, string(e), &first)
			}
			if h.Status == discovery.Ready {
				position++
			}
			listLine(sh, h, position, name)
		}
	}
	listSum(sh, set)
}

func listHead(sh *shell.Shell, event string, first *bool) {
	if !*first {
		sh.Printf("\n")
	}
	*first = false
	if event == "" {
		event = "no event"
	}
	sh.Printf("%s\n", sh.Paint(shell.Bold, event))
}

// nameWidth is the width of the column of names.
func nameWidth(hooks []*discovery.Hook) int {
	width := 8
	for _, h := range hooks {
		width = max(width, min(28, utf8.RuneCountInString(shell.Plain(h.Name))))
	}
	return width
}

// listLine shows one hook: place, name, layer, priority, status, and what it
// matches; below it why it does not run, and what is wrong with it.
func listLine(sh *shell.Shell, h *discovery.Hook, position, width int) {
	place := "-"
	if h.Status == discovery.Ready {
		place = strconv.Itoa(position)
	}
	name := shell.Plain(h.Name)
	rest := max(0, 79-(4+1+max(width, utf8.RuneCountInString(name))+2+7+2+4+2+10+2))
	line := fmt.Sprintf("%4s %-*s  %-7s  %4d  %-10s  %s", place, width, name, h.Layer, h.Priority, h.Status, shell.Clip(traits(h), rest))
	sh.Printf("%s\n", strings.TrimRight(line, " "))
	below := func(text string) { sh.Printf("       %s\n", shell.Wrap(text, 72, "       ")) }
	switch h.Status {
	case discovery.Overridden:
		below("overridden by " + sh.Tidy(h.OverriddenBy))
	case discovery.Disabled:
		if h.DisabledBy != "" {
			below("disabled by " + sh.Tidy(h.DisabledBy))
		}
	}
	for _, p := range h.Problems {
		below(sh.ProblemText(p))
	}
}

// traits are what a hook is besides its event.
func traits(h *discovery.Hook) string {
	var words []string
	if h.Async {
		words = append(words, "async")
	}
	if h.Matcher.Tool != "" {
		words = append(words, shell.Plain(h.Matcher.Tool))
	}
	if h.Matcher.Pattern != "" {
		words = append(words, "/"+shell.Plain(h.Matcher.Pattern)+"/")
	}
	return strings.Join(words, " ")
}

// listSum counts, and names what to do about those that do not run.
func listSum(sh *shell.Shell, set *discovery.Set) {
	count := map[discovery.Status]int{}
	for _, h := range set.Hooks {
		count[h.Status]++
	}
	var parts []string
	for _, s := range []discovery.Status{discovery.Ready, discovery.Untrusted, discovery.Disabled, discovery.Overridden, discovery.Broken, discovery.Foreign} {
		if n := count[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	sh.Printf("\n%s\n", strings.Join(parts, ", "))
	var hints []string
	if count[discovery.Untrusted] > 0 {
		hints = append(hints, "agents-hooks trust shows what is not trusted yet, and asks")
	}
	if count[discovery.Broken] > 0 {
		hints = append(hints, "agents-hooks validate names every problem and its fix")
	}
	sh.Hints(hints)
}
