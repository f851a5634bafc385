package packs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/trust"
)

// show shows what a pack is and what it will do; diffs also shows its texts.
func (pl *Plan) show(sh *shell.Shell, p PlaceOptions, diffs bool) {
	line := func(label, format string, args ...any) {
		sh.Printf("%-9s %s\n", label, text.Wrap(shell.Plain(fmt.Sprintf(format, args...)), sh.Columns()-10, strings.Repeat(" ", 10)))
	}
	title := pl.Pack
	if pl.Version != "" {
		title += " " + pl.Version
	}
	if pl.About != "" {
		title += ": " + pl.About
	}
	line("pack", "%s", title)
	line("from", "%s", pl.origin())
	line("signed", "%s", pl.signature())
	line("size", "%s, %s, %s", text.Count(len(pl.pack.Folders), "hook"), text.Count(pl.Files, "file"), size(pl.Bytes))
	line("into", "%s%s", sh.Short(pl.To), map[bool]string{true: ": yours, in every project", false: ""}[p.User])
	if len(pl.Agents) > 0 {
		line("agents", "%s", strings.Join(pl.Agents, ", "))
	}
	if len(pl.Left) > 0 {
		line("left out", "%s: no hooks", strings.Join(pl.Left, ", "))
	}
	for _, n := range pl.Notes {
		line("note", "%s", n)
	}
	sh.Printf("\n")
	for _, h := range pl.Hooks {
		h.show(sh)
	}
	switch {
	case pl.Tested != "":
		line("tests", "not played: %s", pl.Tested)
	case pl.tried():
		line("tests", "played in a sandbox: no network, nothing but the pack and the system to read, a folder that is thrown away to write in")
	}
	for _, h := range pl.Hooks {
		if diffs && h.Diff != "" {
			sh.Printf("\n%s\n%s", sh.Paint(shell.Bold, shell.Plain(h.Folder)), shell.PaintDiff(sh, h.Diff))
		}
	}
}

func (pl *Plan) tried() bool {
	for _, h := range pl.Hooks {
		if h.Tests != nil {
			return true
		}
	}
	return false
}

// origin is where a pack comes from, exactly.
func (pl *Plan) origin() string {
	s := pl.at.String()
	switch {
	case pl.Commit != "":
		s += " (commit " + pl.Commit[:12] + ")"
	case pl.SHA256 != "":
		s += " (SHA-256 " + pl.SHA256[:12] + "…)"
	}
	return s
}

func (pl *Plan) signature() string {
	switch {
	case pl.Signed == nil:
		return "by nobody"
	case pl.Signed.By == "lock":
		return "by the key of the lock, " + pl.Signed.Key
	case pl.Signed.By == "--key":
		return "by the key that you named, " + pl.Signed.Key
	}
	return "by " + pl.Signed.Key + ", which its own pack.toml names: nobody has seen that key before; from now on it has to stay"
}

func size(n int64) string {
	switch {
	case n < 10_000:
		return text.Count(int(n), "byte")
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", (n+500)/1000)
	}
	return fmt.Sprintf("%d MB", (n+500_000)/1_000_000)
}

// show shows one hook: what triggers it, what it runs, and what the user should know.
func (h *hook) show(sh *shell.Shell) {
	c := map[string]shell.Colour{isNew: shell.Green, isChanged: shell.Yellow, isSame: shell.Dim, isGone: shell.Red}[h.Change]
	head := shell.Plain(h.Folder)
	if h.Name != h.Folder && h.Change != isGone {
		head += " (" + shell.Plain(h.Name) + ")"
	}
	sh.Printf("  %s %s\n", sh.Paint(c, fmt.Sprintf("%-8s", h.Change)), head)
	if h.Change == isSame || h.Change == isGone {
		return
	}
	below := func(format string, args ...any) {
		sh.Printf("           %s\n", text.Wrap(shell.Plain(fmt.Sprintf(format, args...)), sh.Columns()-11, strings.Repeat(" ", 11)))
	}
	below("on %s%s, runs %s", h.Trigger, h.when(), strings.Join(h.Runs, " "))
	if h.Sandbox != nil {
		below("%s", h.Sandbox.Text())
	}
	if t := h.Tests; t != nil {
		below("tests: %s", t.text())
		for _, w := range t.Wrong {
			below("not as wanted: %s", w)
		}
	}
	for _, r := range h.Replaces {
		below("replaces %s", r)
	}
	for _, r := range h.Outside {
		below("%s:%d: %s: %s", trust.ShownPath(r.File), r.Line, r.Text, r.Why)
	}
	if h.Edited {
		below("was changed here since it was added: what is different below takes that back")
	}
	for _, w := range h.Warnings {
		below("warning: %s", w)
	}
	for _, u := range h.Unseen {
		below("%s cannot be shown: %d bytes, %s", trust.ShownPath(u.Path), u.Size, u.Why)
	}
}

// when is what the event has to match.
func (h *hook) when() string {
	var words []string
	if h.Async {
		words = append(words, "not waited for")
	}
	for _, m := range []struct{ key, expression string }{{"tool", h.Matcher.Tool}, {"pattern", h.Matcher.Pattern}, {"command", h.Matcher.Command}, {"path", h.Matcher.Path}, {"content", h.Matcher.Content}} {
		if m.expression != "" {
			words = append(words, m.key+" /"+text.Clip(m.expression, 60)+"/")
		}
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}

// text is the tests' results, on one line.
func (t *tests) text() string {
	if t.Problem != "" {
		return t.Problem
	}
	s := fmt.Sprintf("%d of %d as wanted", t.Passed, t.Own)
	if t.Own == 0 {
		s = "none of its own"
	}
	if t.Trials > 0 {
		s += fmt.Sprintf("; hostile: %s, %s", text.Count(t.Trials, "trial"), text.Count(t.Holes, "hole"))
	}
	if t.Missed > 0 && t.Own > 0 {
		s += fmt.Sprintf("; not by the tools of %s", text.Count(t.Missed, "agent"))
	}
	if t.Unproven != "" {
		s += "; unproven: " + t.Unproven
	}
	return s
}

// asks asks for the confirmation that a change needs, and for one for each file that
// cannot be shown. again is the command line that needs no terminal.
func (pl *Plan) asks(sh *shell.Shell, yes bool, what, question, again string) error {
	if !yes && !shell.IsTerminal(sh.In) {
		if err := sh.OnlyPerson(what); err != nil {
			return err
		}
		return shell.WithHint(fmt.Errorf("%s: there is no terminal to ask on, so nothing was changed", what), again)
	}
	if err := sh.Confirm(yes, question, what); err != nil {
		return err
	}
	for _, h := range pl.Hooks {
		for _, u := range h.Unseen {
			note := fmt.Sprintf("%s: %s (%d bytes, %s) was not shown", shell.Plain(h.Folder), trust.ShownPath(u.Path), u.Size, u.Why)
			if yes {
				sh.Say("%s: %s", what, note)
				continue
			}
			if err := sh.Confirm(false, note+"; take it unseen?", what); err != nil {
				if errors.Is(err, shell.ErrDeclined) {
					return fmt.Errorf("%s: %w", what, err)
				}
				return err
			}
		}
	}
	return nil
}
