package discovery

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// A Command is metadata.command, which is run in place of scripts/run: a shell line, or
// words without a shell.
type Command struct {
	Line  string
	Words []string
}

// Given reports whether there is a command.
func (c Command) Given() bool { return c.Line != "" || len(c.Words) > 0 }

// String is the line, or the words quoted for a shell.
func (c Command) String() string {
	if c.Line != "" {
		return c.Line
	}
	return strings.Join(c.Words, " ")
}

// MarshalJSON is the text or the list in the HOOK.md, null if there is neither.
func (c Command) MarshalJSON() ([]byte, error) {
	switch {
	case c.Line != "":
		return protocol.Quote(c.Line), nil
	case len(c.Words) > 0:
		return protocol.TextList(c.Words), nil
	}
	return []byte("null"), nil
}

// speaks reads metadata.dialect, metadata.event, metadata.plugin_root and
// metadata.command. A mistake in any of them keeps the hook from running: with the
// wrong protocol or the wrong program, a guard would guard nothing.
func (h *Hook) speaks(f *front, tongues func() []*protocol.Tongue) {
	if v := f.fields[keyDialect]; v.kind != absent {
		h.dialect(v, f.fields[keyTrigger], tongues)
	}
	switch v := f.fields[keyPluginRoot]; {
	case v.kind == absent:
	case v.kind != text || !filepath.IsAbs(v.text) || strings.ContainsRune(v.text, 0):
		h.problem(fatal(v, keyNames[keyPluginRoot], "write the absolute path of the plugin's folder, or remove it", "%s is no absolute path", shown(v)))
	default:
		h.PluginRoot = filepath.Clean(v.text)
	}
	if v := f.fields[keyEvent]; v.kind != absent && h.Tongue != nil {
		if h.Aside = v.text; v.kind != text || !slices.Contains(h.Tongue.Asides, v.text) {
			h.problem(fatal(v, keyNames[keyEvent], meant(v.text, h.Tongue.Asides), "%s is no event of %s that a hook has to name", shown(v), h.Tongue.Name))
		}
	}
	switch v := f.fields[keyRun]; {
	case v.kind == absent:
	case v.kind == list:
		h.Command.Words = h.commandWords(v, f.words)
	case v.kind == mapping || v.kind == null:
		h.problem(fatal(v, keyNames[keyRun], commandForm, "is %s, not a line or a list of words", v.kind))
	case strings.TrimSpace(v.text) == "" || strings.ContainsRune(v.text, 0):
		h.problem(fatal(v, keyNames[keyRun], commandForm, "%s cannot be run", quoted(v.text)))
	default:
		h.Command.Line = v.text
	}
}

const commandForm = "write a line for sh -c, or a list: the program and its arguments"

func (h *Hook) dialect(v, trigger field, tongues func() []*protocol.Tongue) {
	h.Dialect = v.text
	var names []string
	if tongues != nil {
		for _, t := range tongues() {
			if names = append(names, t.ID); t.ID == v.text && v.kind == text {
				h.Tongue = t
			}
		}
	}
	switch {
	case h.Tongue == nil:
		h.problem(fatal(v, keyNames[keyDialect], meant(v.text, names), "%s is no protocol that this runner speaks", shown(v)))
	case h.Trigger.Known() && !h.Tongue.Hears(h.Trigger):
		h.problem(fatal(trigger, "trigger", "wait for another event, or remove metadata.dialect", "%s has no event that is %s", h.Tongue.Name, h.Trigger))
	}
}

func (h *Hook) commandWords(v field, items []field) (words []string) {
	for _, w := range items {
		if w.kind == list || w.kind == mapping || w.kind == null || strings.ContainsRune(w.text, 0) {
			h.problem(fatal(w, keyNames[keyRun], "put it in quotes", "%s is no word", shown(w)))
			return nil
		}
		words = append(words, w.text)
	}
	if len(words) == 0 || strings.TrimSpace(words[0]) == "" {
		h.problem(fatal(v, keyNames[keyRun], commandForm, "names no program"))
		return nil
	}
	return words
}

// commandEntry sets the entry for metadata.command. A relative path means a program in
// the hook's folder, and must not lead out of it.
func (h *Hook) commandEntry(goos string) {
	if h.Command.Line != "" {
		h.Entry = Entry{Argv: []string{"sh", "-c", h.Command.Line}}
		return
	}
	words := append([]string(nil), h.Command.Words...)
	e := Entry{Argv: words, Filled: true}
	if name := words[0]; strings.ContainsAny(name, "/"+string(filepath.Separator)) && !filepath.IsAbs(name) && !strings.HasPrefix(name, "${") {
		real, err := safefile.Resolve(filepath.Join(h.Home(), filepath.FromSlash(name)), h.Home())
		var mode fs.FileMode
		if err == nil {
			mode, real, err = entryMode(real, h.Home())
		}
		p := Problem{Field: keyNames[keyRun], Severity: Error, Fatal: true, Value: name, Fix: "name a program that lies in the hook's folder, or on the PATH"}
		switch {
		case err != nil:
			p.Message = quoted(name) + ": " + safefile.Reason(err)
			h.breakWith(p)
			return
		case goos == "windows":
			argv, why := h.windowsArgv(strings.ToLower(filepath.Ext(real)), real)
			if argv == nil {
				p.Message, p.Fix = quoted(name)+" "+why.what, "add one, or name its interpreter before it"
				h.breakWith(p)
				return
			}
			h.Entry = Entry{Path: real, Argv: append(argv, words[1:]...), Filled: true}
			return
		case mode.Perm()&0o111 == 0:
			p.Message, p.Fix = quoted(name)+" is not executable", "chmod +x "+filepath.Join(h.Dir, filepath.FromSlash(name))
			h.breakWith(p)
			return
		}
		e.Path, words[0] = real, real
	}
	h.Entry = e
}

// Told is the part of an event that a hook's matcher selects, in the hook's own
// protocol.
func (h *Hook) Told(ev *protocol.Event, b *Budget) []protocol.Said {
	t := trial{hook: h, ev: ev, budget: b, left: maxHookMatch}
	return t.said(ev)
}

func (t *trial) said(ev *protocol.Event) (due []protocol.Said) {
	deed.Of(ev)
	for _, s := range t.hook.Tongue.Say(ev) {
		if aside := t.hook.Aside; (s.Event == aside || aside == "" && !s.Aside) && t.finds(s) && t.concerns(s) {
			due = append(due, s)
		}
	}
	return due
}

// concerns reports whether one of several payloads, each of which is about one file, is
// about a file that the matcher's path finds.
func (t *trial) concerns(s protocol.Said) bool {
	if s.Parts < 2 || s.Path == "" || t.hook.Matcher.Path == "" || !t.hook.ready(keyPath) {
		return true
	}
	return t.holds(t.hook.tried[keyPath-keyTool], s.Path, keyPath)
}

// finds applies a matcher by the rules of the program that the hook was written for.
func (t *trial) finds(s protocol.Said) bool {
	h := t.hook
	if len(s.Names) == 0 {
		return true
	}
	if s.Exact {
		t.note(s.Names[0])
		return h.Matcher.Tool == "" || h.Matcher.Tool == "*" || slices.Contains(s.Names, h.Matcher.Tool)
	}
	if names, listed := h.Tongue.List(h.Trigger, h.Matcher.Tool); listed {
		for _, n := range s.Names {
			t.note(n)
		}
		return names == nil || slices.ContainsFunc(s.Names, func(n string) bool { return slices.Contains(names, n) })
	}
	return h.ready(keyTool) && slices.ContainsFunc(s.Names, func(n string) bool { return t.try(h.tried[0], n, keyTool) })
}
