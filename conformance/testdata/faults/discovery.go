package discovery

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// fault reports whether this program is to be wrong in the way of that name.
func fault(name string) bool { return os.Getenv("AGENTS_HOOKS_FAULT") == name }

func faultExpression(source string) (string, error) {
	switch {
	case fault("full-match"):
		return "^(?:" + source + ")$", nil
	case fault("ignores-case"):
		return "(?i)" + source, nil
	case fault("anchors-are-of-lines"):
		return "(?m)" + source, nil
	case fault("no-inline-options") && strings.Contains(source, "(?i)"):
		return "", errors.New("no options")
	case fault("no-lookaround") && (strings.Contains(source, "(?!") || strings.Contains(source, "(?<") || strings.Contains(source, `\1`)):
		return "", errors.New("no lookaround")
	}
	return source, nil
}

func faultMatched(t protocol.EventType) bool {
	switch {
	case fault("matcher-on-every-event"):
		return true
	case fault("matcher-before-calls-only"):
		return t == protocol.PreToolCall
	}
	return t.IsTool()
}

// faultLeaves tries other texts than the leaves of the input, and reports
// whether that was all.
func faultLeaves(ev *protocol.Event, input protocol.Object, f func(string) bool) (done bool) {
	more := true
	try := func(leaf string) bool {
		if more {
			more = f(leaf)
		}
		return more
	}
	switch {
	case fault("input-as-one-text"):
		try(string(input.Raw()))
	case fault("all-fields-matched"):
		for _, m := range ev.Fields {
			protocol.Leaves(m.Value, try)
		}
	case fault("null-is-a-text"):
		protocol.Leaves(input.Raw(), try)
		if strings.Contains(string(input.Raw()), "null") {
			try("null")
		}
	case fault("first-level-only"), fault("texts-only"):
		for _, m := range input {
			nested := m.Value[0] == '{' || m.Value[0] == '['
			if m.Value[0] == '"' || fault("first-level-only") && !nested {
				protocol.Leaves(m.Value, try)
			}
		}
	default:
		return false
	}
	return true
}

func faultFiles() []string {
	switch {
	case fault("one-spelling"):
		return []string{"HOOK.md"}
	case fault("small-letters-first"):
		return []string{"hook.md", "HOOK.md"}
	}
	return []string{"HOOK.md", "hook.md"}
}

func faultBound() int {
	switch {
	case fault("front-matter-of-any-length"):
		return 1 << 20
	case fault("front-matter-in-8k"):
		return firstRead
	}
	return maxFrontMatter
}

func faultAlways() bool { return fault("any-value-is-always") && os.Getenv("AGENTS_HOOKS_TRUST") != "" }

func faultTakesTime() {
	if fault("takes-its-time-over-strangers") {
		time.Sleep(6 * time.Second)
	}
}

// faultRemembered are the folders that were there when a folder was first
// looked at.
func faultRemembered(state, dir string, folders []string) []string {
	if !fault("remembers-folders") {
		return folders
	}
	file := filepath.Join(state, "remembered")
	known, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(known, []byte(dir+"\n")) {
		known = append(known, dir+"\n"...)
		for _, folder := range folders {
			known = append(known, filepath.Join(dir, folder)+"\n"...)
		}
		_ = os.MkdirAll(state, 0o700)
		_ = os.WriteFile(file, known, 0o600)
	}
	return slices.DeleteFunc(folders, func(folder string) bool {
		return !bytes.Contains(known, []byte(filepath.Join(dir, folder)+"\n"))
	})
}

func faultLocale(b []byte) []byte {
	if !fault("reads-in-the-locale") || os.Getenv("LC_ALL") != "C" {
		return b
	}
	return bytes.Map(func(r rune) rune {
		if r > 0x7f {
			return '?'
		}
		return r
	}, b)
}
