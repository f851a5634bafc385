// Package texts shows the user a repository's texts that no agent is told yet (package
// ledger), and lets them be approved: as items of trust, or with a command that takes
// them as the user's own.
package texts

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Items are a project's texts: of the behaviours that are on there.
func Items(sh *shell.Shell, dir string) (list []ledger.Item, err error) {
	w, call := builtin.Standalone(sh.Host), builtin.Call(sh.Host, dir)
	if w.On("memory", dir) {
		item, err := memoryops.At(w, call).Texts()
		if err != nil {
			return nil, fmt.Errorf("memory: %w", err)
		}
		list = append(list, item)
	}
	if w.On("workspace", dir) {
		items, err := ops.At(w, call).Texts()
		if err != nil {
			return nil, fmt.Errorf("workspace: %w", err)
		}
		list = append(list, items...)
	}
	return list, nil
}

// Tell reports a project's pending texts on stderr, beside an answer about something
// else.
func Tell(sh *shell.Shell, dir string) {
	items, _ := Items(sh, dir)
	for _, item := range items {
		if item.Waits() {
			sh.Say("%s: not written here, so told to no agent: %s in %s; agents-hooks trust, or agents-hooks %s accept",
				item.Name, text.Count(ledger.Count(item.Files), "text"), sh.Short(item.Path), item.Name)
		}
	}
}

// Diff shows pending texts as additions to what is known.
func Diff(item ledger.Item) string {
	var b strings.Builder
	for _, f := range item.Files {
		var known []byte
		if f.Known != "" {
			known = []byte(odd(f.Known))
		}
		b.WriteString(shell.UnifiedDiff(f.Name, known, []byte(odd(f.Text))))
	}
	return b.String()
}

// odd spells out bytes that no text has, so that everything approved was visible.
func odd(text string) string {
	if utf8.ValidString(text) && !strings.ContainsRune(text, 0) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Flags are those of a command that takes texts as the user's own.
func Flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "show", Usage: "only show, ask nothing"},
		&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "accept them without asking"},
		hookset.DirFlag(), shell.JSONFlag(),
	}
}

// Accept shows what is pending, asks, and takes it as the user's own.
func Accept(sh *shell.Shell, c *cli.Context, command string, items []ledger.Item) error {
	rows, accepted := []map[string]any{}, []string{}
	n := 0
	for _, item := range items {
		if item.Waits() {
			n += ledger.Count(item.Files)
		}
	}
	take := n > 0 && !c.Bool("show") && (c.Bool("yes") || !c.Bool("json"))
	if take {
		if err := sh.OnlyPerson(command); err != nil {
			return err
		}
	}
	for _, item := range items {
		if item.Waits() {
			rows = append(rows, map[string]any{"name": item.Name, "path": item.Path, "waiting": ledger.Count(item.Files), "diff": Diff(item)})
		}
		if !c.Bool("json") && item.Waits() {
			sh.Printf("%s\n%s", sh.Paint(shell.Bold, shell.Plain(item.Name)+" "+sh.Short(item.Path)), shell.PaintDiff(sh, Diff(item)))
		}
	}
	if take {
		if err := sh.Confirm(c.Bool("yes"), "is all of this yours, and may agents be told of it?", command); err != nil {
			return err
		}
		for _, item := range items {
			if !item.Waits() {
				continue
			}
			if err := item.Let(true); err != nil {
				return fmt.Errorf("%s: %w", command, err)
			}
			accepted = append(accepted, item.Name)
		}
	}
	switch {
	case c.Bool("json"):
		return sh.JSON(map[string]any{"schema": 1, "items": rows, "accepted": accepted})
	case n == 0:
		sh.Printf("nothing waits\n")
	case take:
		sh.Printf("%d taken as yours\n", n)
	}
	return nil
}
