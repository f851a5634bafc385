package bring

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/discovery"
	words "github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A file of a hook's folder.
type file struct {
	name    string // below the folder
	content string
}

// entrySeal changes when the entry does, so that a later import notices.
func (h *Hook) entrySeal() string {
	var b strings.Builder
	for _, e := range h.Entries {
		fmt.Fprintf(&b, "%s\x00%s\x00%s\x00", e.Event, e.group.get("matcher").json(), e.fields.json())
		if e.Plugin != nil {
			b.WriteString(e.Plugin.Dir)
		}
	}
	return seal(b.String())
}

// seal is short: it has to show changes, not to withstand deliberate deception.
func seal(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// sealLine begins the line with the seal of a HOOK.md (computed without it): the last such line
// counts, since a command may contain anything.
const sealLine = "\n    written: "

// sealed inserts the seal into a HOOK.md.
func sealed(hook string) string {
	at := strings.LastIndex(hook, sealLine) + len(sealLine)
	return hook[:at] + "'" + seal(hook) + "'" + hook[at:]
}

// untouched reports whether a HOOK.md is unchanged since it was written.
func untouched(hook string) bool {
	at := strings.LastIndex(hook, sealLine)
	if at < 0 {
		return false
	}
	at += len(sealLine)
	was, rest, _ := strings.Cut(hook[at:], "\n")
	return strings.Trim(was, "'") == seal(hook[:at]+"\n"+rest)
}

func (f *finder) hookFile(h *Hook) string {
	d := discovery.Hook{Name: h.Name, Description: f.description(h), Trigger: h.Trigger, Matcher: h.Matcher, Timeout: time.Duration(h.Timeout) * time.Millisecond,
		Async: h.Async, LoopLimit: h.LoopLimit, Aside: h.Aside, Command: discovery.Command{Line: h.Command, Words: h.Argv}}
	if h.Speaks != nil {
		d.Dialect = h.Speaks.ID
	}
	e := h.Entries[0]
	if h.closed() {
		d.OnError = discovery.OnErrorBlock
	}
	imported := []string{"  imported:", "    from: " + quoteYAML(f.from(e, h.layer)), "    event: " + quoteYAML(e.Event), "    entry: '" + h.entrySeal() + "'", sealLine[1:]}
	return sealed(HookFile(&d, imported, f.prose(h)))
}

// HookFile is a HOOK.md that describes a hook: its front matter, with additional lines of metadata,
// and prose below it.
func HookFile(h *discovery.Hook, metadata []string, prose string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("---")
	line("name: %s", h.Name)
	line("description: %s", quoteYAML(h.Description))
	line("trigger: %s", h.Trigger)
	if m := h.Matcher; m != (discovery.Matcher{}) {
		line("matcher:")
		for _, k := range [][2]string{{"tool", m.Tool}, {"pattern", m.Pattern}, {"command", m.Command}, {"path", m.Path}} {
			if k[1] != "" {
				line("  %s: %s", k[0], quoteYAML(k[1]))
			}
		}
	}
	if h.Timeout > 0 {
		line("timeout: %d", h.Timeout.Milliseconds())
	}
	if h.Async {
		line("async: true")
	}
	line("metadata:")
	if h.Dialect != "" {
		line("  dialect: %s", h.Dialect)
	}
	if h.Aside != "" {
		line("  event: %s", h.Aside)
	}
	if h.Command.Line != "" {
		line("  command: %s", block(h.Command.Line))
	} else {
		list := make([]string, len(h.Command.Words))
		for i, w := range h.Command.Words {
			list[i] = quoteYAML(w)
		}
		line("  command: [%s]", strings.Join(list, ", "))
	}
	if h.OnError != "" {
		line("  on_error: %s", h.OnError)
	}
	if h.LoopLimit > 0 {
		line("  loop_limit: %d", h.LoopLimit)
	}
	for _, l := range metadata {
		line("%s", l)
	}
	line("---")
	line("")
	line("# %s", h.Name)
	line("")
	line("%s", words.Wrap(prose, 110, ""))
	return b.String()
}

// from is an entry's origin as the folder of a layer records it: in a project, a path that is the same
// for everyone who has it; for the user, one that no other project has.
func (f *finder) from(e Entry, layer protocol.Scope) string {
	if f.project != "" && layer == protocol.ProjectScope {
		if rel, err := filepath.Rel(f.project, e.Path); err == nil && filepath.IsLocal(rel) && e.Scope == protocol.ProjectScope {
			return filepath.ToSlash(rel)
		}
	}
	return f.h.Short(e.Path)
}

// description is one sentence for the user.
func (f *finder) description(h *Hook) string {
	e := h.Entries[0]
	when := " on " + e.Event
	var names []string
	for _, e := range h.Entries {
		if !anything(e.Matcher) && !slices.Contains(names, e.Matcher) {
			names = append(names, e.Matcher)
		}
	}
	if len(names) > 0 {
		when += " (" + words.Clip(shell.Plain(strings.Join(names, ", ")), 80) + ")"
	}
	return "Runs " + words.Clip(words.OneLine(shell.Plain(e.plainLine())), 120) + when
}

// prose says, below the front matter, where the hook comes from.
func (f *finder) prose(h *Hook) string {
	e := h.Entries[0]
	text := "Brought by `agents-hooks import` from " + f.from(e, h.layer)
	if e.Agent != nil {
		text += ", an entry of " + e.Agent.Name + " for " + e.Event
	}
	text += "; its command is run as it stands there."
	for _, d := range h.Differences {
		text += " Unlike there: " + shell.Plain(d) + "."
	}
	return text
}

// quoteYAML puts a text into single quotes, where YAML has no escapes, or, if some characters are
// not allowed there, into double quotes with each of those escaped.
func quoteYAML(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	return `"` + b.String() + `"`
}

// block is a command as YAML: on one line, or with its line breaks.
func block(s string) string {
	lines := strings.Split(s, "\n")
	plain := len(lines) > 1 && lines[0] != "" && lines[0][0] != ' ' && lines[len(lines)-1] != ""
	for _, l := range lines {
		if strings.ContainsFunc(l, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' }) || strings.TrimRight(l, " \t") == "" && l != "" {
			plain = false
		}
	}
	if !plain {
		return quoteYAML(s)
	}
	return "|-\n    " + strings.ReplaceAll(strings.Join(lines, "\n    "), "\n    \n", "\n\n")
}

// files are the folder's files: the HOOK.md, and tests that show what its matcher finds.
func (f *finder) files(h *Hook) []file {
	files := []file{{"HOOK.md", f.hookFile(h)}}
	if text := f.refused(h); text != "" {
		files = append(files, file{"tests/refuses.txtar", text})
	}
	if !h.Trigger.IsTool() || h.Matcher == (discovery.Matcher{}) {
		return files
	}
	if text := f.aside(h); text != "" {
		files = append(files, file{"tests/passes-by.txtar", text})
	}
	return files
}

// maxSearch bounds the whole search for tests: a stranger's matcher may be made to take long.
const maxSearch = 3 * time.Second

// aside is a test in which the hook's matcher does not find a call, "" if there is none.
func (f *finder) aside(h *Hook) string {
	key := fmt.Sprintf("%s %q", h.Trigger, h.Matcher)
	text, ok := f.asides[key]
	if ok || f.h.Now().Sub(f.began) > maxSearch {
		return text
	}
	const dir = "/sample/project"
	hook := &discovery.Hook{Name: h.Name, Trigger: h.Trigger, Matcher: h.Matcher}
	if h.Speaks != nil {
		hook.Tongue = h.Speaks.Tongue
	}
	if ev, ok := sample.Aside(f.h, hook, dir); ok {
		event := strings.ReplaceAll(strings.TrimSpace(string(ev.JSON())), dir, "@PROJECT@")
		text = string(conformance.FirstTest([]byte(event)))
	}
	f.asides[key] = text
	return text
}
