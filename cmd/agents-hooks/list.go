package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func (t *tool) listCommand() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "show every hook with its status, in running order",
		ArgsUsage: "[FOLDER...]",
		Description: "Shows the hooks that count here, those that do not run included. With a\n" +
			"FOLDER, a hook or a folder of hooks, shows what lies there instead.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "built-in hooks that are not enabled too"},
			dirFlag(), jsonFlag(),
		},
		Action: t.list,
	}
}

// A listedHook is one hook as list prints it (RULINGS 8).
type listedHook struct {
	Name         string              `json:"name"`
	Description  string              `json:"description"`
	Layer        discovery.LayerName `json:"layer"`
	Dir          string              `json:"dir"`
	File         string              `json:"file"`
	Entry        string              `json:"entry"`
	Trigger      protocol.EventType  `json:"trigger"`
	Matcher      listedMatcher       `json:"matcher"`
	Priority     int                 `json:"priority"`
	Timeout      int64               `json:"timeout_ms"`
	Async        bool                `json:"async"`
	Status       discovery.Status    `json:"status"`
	Trusted      bool                `json:"trusted"`
	OverriddenBy string              `json:"overridden_by"`
	Problems     []discovery.Problem `json:"problems"`
}

type listedMatcher struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
}

func (t *tool) list(c *cli.Context) error {
	words := c.Args().Slice()
	if len(words) > 0 && (c.Bool("all") || c.IsSet("dir")) {
		return usagef("list: --all and --dir go with no FOLDER")
	}
	set, err := t.listed(c, words)
	if err != nil {
		return err
	}
	for _, p := range set.Problems {
		t.problem(p)
	}
	if note := t.recordingNote(c, words); note != "" {
		t.say("note: %s", note)
		t.hints([]string{"agents-hooks record status"})
	}
	if c.Bool("json") {
		hooks := []listedHook{}
		for _, h := range set.Hooks {
			hooks = append(hooks, listedHookOf(h))
		}
		return t.json(map[string]any{"schema": 1, "hooks": hooks})
	}
	t.printList(set, len(words) > 0)
	return nil
}

// listed is what list shows.
func (t *tool) listed(c *cli.Context, words []string) (*discovery.Set, error) {
	if len(words) == 0 {
		dir, err := t.lookFrom(c)
		if err != nil {
			return nil, err
		}
		if c.Bool("all") {
			return t.all(dir), nil
		}
		return t.set(dir), nil
	}
	set := &discovery.Set{}
	for _, w := range words {
		hooks, err := t.hooksIn(w)
		if err != nil {
			return nil, err
		}
		set.Hooks = append(set.Hooks, hooks...)
	}
	return set, nil
}

// idleBuiltin reports a built-in hook that nobody has enabled. Only --all shows
// those.
func idleBuiltin(h *discovery.Hook) bool {
	return h.Layer == discovery.BuiltinLayer && h.Status == discovery.Disabled && h.DisabledBy == ""
}

func listedHookOf(h *discovery.Hook) listedHook {
	problems := h.Problems
	if problems == nil {
		problems = []discovery.Problem{}
	}
	return listedHook{
		Name: h.Name, Description: h.Description, Layer: h.Layer, Dir: h.Dir, File: h.File, Entry: h.Entry.Path,
		Trigger: h.Trigger, Matcher: listedMatcher(h.Matcher), Priority: h.Priority, Timeout: h.Timeout.Milliseconds(),
		Async: h.Async, Status: h.Status, Trusted: h.Trusted, OverriddenBy: h.OverriddenBy, Problems: problems,
	}
}

// printList shows hooks by event, in the order in which they run.
func (t *tool) printList(set *discovery.Set, chosen bool) {
	if len(set.Hooks) == 0 {
		t.printf("no hooks\n")
		if !chosen {
			for _, l := range set.Layers {
				t.printf("  looked in %s (%s)\n", t.short(l.Dir), l.Name)
			}
			t.hints([]string{"agents-hooks new NAME writes one"})
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
				t.listHead(string(e), &first)
			}
			if h.Status == discovery.Ready {
				position++
			}
			t.listLine(h, position, name)
		}
	}
	t.listSum(set)
}

func (t *tool) listHead(event string, first *bool) {
	if !*first {
		t.printf("\n")
	}
	*first = false
	if event == "" {
		event = "no event"
	}
	t.printf("%s\n", t.paint(bold, event))
}

// nameWidth is the width of the column of names.
func nameWidth(hooks []*discovery.Hook) int {
	width := 8
	for _, h := range hooks {
		width = max(width, min(28, utf8.RuneCountInString(plain(h.Name))))
	}
	return width
}

// listLine shows one hook: place, name, layer, priority, status, and what it
// matches; below it why it does not run, and what is wrong with it.
func (t *tool) listLine(h *discovery.Hook, position, width int) {
	place := "-"
	if h.Status == discovery.Ready {
		place = strconv.Itoa(position)
	}
	name := plain(h.Name)
	rest := max(0, 79-(4+1+max(width, utf8.RuneCountInString(name))+2+7+2+4+2+10+2))
	line := fmt.Sprintf("%4s %-*s  %-7s  %4d  %-10s  %s", place, width, name, h.Layer, h.Priority, h.Status, clip(traits(h), rest))
	t.printf("%s\n", strings.TrimRight(line, " "))
	below := func(text string) { t.printf("       %s\n", wrap(text, 72, "       ")) }
	switch h.Status {
	case discovery.Overridden:
		below("overridden by " + t.tidy(h.OverriddenBy))
	case discovery.Disabled:
		if h.DisabledBy != "" {
			below("disabled by " + t.tidy(h.DisabledBy))
		}
	}
	for _, p := range h.Problems {
		below(t.problemText(p))
	}
}

// traits are what a hook is besides its event.
func traits(h *discovery.Hook) string {
	var words []string
	if h.Async {
		words = append(words, "async")
	}
	if h.Matcher.Tool != "" {
		words = append(words, plain(h.Matcher.Tool))
	}
	if h.Matcher.Pattern != "" {
		words = append(words, "/"+plain(h.Matcher.Pattern)+"/")
	}
	return strings.Join(words, " ")
}

// listSum counts, and names what to do about those that do not run.
func (t *tool) listSum(set *discovery.Set) {
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
	t.printf("\n%s\n", strings.Join(parts, ", "))
	var hints []string
	if count[discovery.Untrusted] > 0 {
		hints = append(hints, "agents-hooks trust shows what is not trusted yet, and asks")
	}
	if count[discovery.Broken] > 0 {
		hints = append(hints, "agents-hooks validate names every problem and its fix")
	}
	t.hints(hints)
}
