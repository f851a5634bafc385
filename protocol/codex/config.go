package codex

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuotePowerShell,
	Shell:   shell,
	Label:   `{"statusMessage": "agents-hooks"}`,
	Ledger: &protocol.Ledger{
		File:    ledger,
		Table:   "hooks.state",
		Key:     "trusted_hash",
		Files:   spellings,
		Place:   place,
		Seal:    seal,
		Enabled: "enabled",
		Off:     off,
	},
}

// home is where Codex keeps a user's files.
func home(s protocol.Site) string {
	return cmp.Or(s.Getenv("CODEX_HOME"), s.Join(s.Home, ".codex"))
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".codex", "hooks.json"), s.Join(home(s), "hooks.json"))
}

// ledger is the user's configuration, which also holds the approvals of a project's
// entries.
func ledger(s protocol.Site) string { return s.Join(home(s), "config.toml") }

// spellings are the ways in which the ledger may name a file of entries. An explicit
// CODEX_HOME is resolved there, the default one is not; a project's may be either.
func spellings(s protocol.Site, file string) []string {
	switch real := s.Realpath(file); {
	case real == file:
	case s.Scope == protocol.ProjectScope:
		return []string{file, real}
	case s.Getenv("CODEX_HOME") != "":
		return []string{real}
	}
	return []string{file}
}

// place is where an entry stands in its file, as the ledger writes it.
func place(h protocol.Handler) string {
	return ":" + label(h.Event) + ":" + strconv.Itoa(h.Group) + ":" + strconv.Itoa(h.Index)
}

// label is an event's name as the ledger writes it: pre_tool_use.
func label(event string) string {
	var b strings.Builder
	for i, c := range event {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// takesContext reports whether an event's answer may hold additionalContext, and
// its entry a limit for it.
func takesContext(event string) bool {
	n, ok := protocol.FindNative(natives, event)
	return ok && n.Can.Has(protocol.CanContext)
}

// takesMatcher reports whether an event's entries are chosen by a matcher.
func takesMatcher(event string) bool {
	return event != "UserPromptSubmit" && event != "Stop" && event != "Interrupt"
}

// seal is Codex's hash of an entry: of compact JSON with sorted keys, with defaults
// for what was left out and with the time limit that applies (codex/13).
func seal(h protocol.Handler) string {
	b := append([]byte(nil), `{"event_name":`...)
	b = protocol.AppendString(b, label(h.Event))
	b = append(b, `,"hooks":[{`...)
	if limit := h.Fields.Get("additionalContextLimit"); limit != nil && string(limit) != "2500" && takesContext(h.Event) {
		b = append(append(append(b, `"additionalContextLimit":`...), limit...), ',')
	}
	b = strconv.AppendBool(append(b, `"async":`...), h.Fields.Bool("async"))
	b = protocol.AppendString(append(b, `,"command":`...), h.Fields.Text("command"))
	if h.Fields.Has("statusMessage") {
		b = protocol.AppendString(append(b, `,"statusMessage":`...), h.Fields.Text("statusMessage"))
	}
	b = strconv.AppendInt(append(b, `,"timeout":`...), limit(h), 10)
	b = append(b, `,"type":"command"}]`...)
	if h.Matched && takesMatcher(h.Event) {
		b = protocol.AppendString(append(b, `,"matcher":`...), h.Matcher)
	}
	sum := sha256.Sum256(append(b, '}'))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// limit is the time limit of an entry that applies, in seconds.
func limit(h protocol.Handler) int64 {
	n, err := strconv.ParseInt(string(h.Fields.Get("timeout")), 10, 64)
	if h.Event == "SessionEnd" || h.Event == "Interrupt" {
		if err != nil {
			return 1
		}
		return min(max(n, 1), 3)
	}
	if err != nil {
		return 600
	}
	return max(n, 1)
}

func off(lookup func(path ...string) (any, bool)) string {
	for _, name := range []string{"hooks", "codex_hooks"} {
		if on, ok := lookup("features", name); ok && on == false {
			return "[features] " + name + " is false in config.toml"
		}
	}
	return ""
}

// shell is the account's login shell, which is usually what SHELL names; observed on
// 0.169.0.
func shell(s protocol.Site) []string {
	if sh := s.Getenv("SHELL"); len(sh) > 0 && sh[0] == '/' {
		return []string{sh, "-c"}
	}
	return []string{"/bin/sh", "-c"}
}
