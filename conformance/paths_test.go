package conformance

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// paths visits the placeholders that name a path: the line, what stands before it
// there, and its argument.
func paths(data string, each func(line, before, arg string)) {
	for line := range strings.Lines(data) {
		for _, at := range placeholder.FindAllStringSubmatchIndex(line, -1) {
			if _, ok := (place{}).path(line[at[2]:at[3]]); ok {
				arg := ""
				if at[4] >= 0 {
					arg = line[at[4]:at[5]]
				}
				each(line, line[:at[0]], arg)
			}
		}
	}
}

// breaks says how a path in a file of a case breaks where the path holds a quote, a
// dollar or a blank; "" for one that holds under any root.
func breaks(name, data string) (why string) {
	command := strings.HasPrefix(data, "#!")
	paths(data, func(line, before, arg string) {
		quoted := strings.Count(before, "'")%2 == 1 || strings.Count(before, `"`)%2 == 1
		key, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch ext := path.Ext(name); {
		case path.Base(path.Dir(name)) == "scripts" || ext == ".sh" || ext == ".py":
			if arg != "" || quoted {
				why = "it is a quoted word already"
			}
		case ext == ".json" || ext == ".toml":
			whole := strings.HasSuffix(before, `"`) && !strings.HasSuffix(before, `\"`) && (path.Base(name) == "event.json" || !strings.HasSuffix(before, `"command": "`))
			if arg == "" && !whole {
				why = "behind other words of a string it is one of a command: :word"
			} else if inner := before[strings.LastIndex(strings.ReplaceAll(before, `\"`, "''"), `"`)+1:]; arg != "" && (strings.Count(inner, "'")%2 == 1 || strings.Count(inner, `\"`)%2 == 1) {
				why = "it is a quoted word already"
			}
		case command || key == "command" || key == "run":
			if arg == "" {
				why = "it is one of a command: :word"
			} else if quoted {
				why = "it is a quoted word already"
			}
		}
	})
	return why
}

// The place where the suite is played may be called anything: no case has a path in
// it that the letters of a folder's name break.
func TestPathsOfCasesHoldUnderAnyRoot(t *testing.T) {
	cases, err := Cases()
	must.Do(t, err)
	for _, c := range cases {
		a, err := parseArchive([]byte(c.Source))
		must.Do(t, err)
		for _, f := range a.files {
			if why := breaks(f.name, string(f.data)); why != "" {
				t.Errorf("%s:%d: %s: %s", c.ID, f.line, f.name, why)
			}
		}
	}
}

func TestUnsafePathsAreFound(t *testing.T) {
	for _, c := range []struct {
		name, text string
		safe       bool
	}{
		{"user/a/scripts/run", "cat >@OUT@/x", true},
		{"user/a/scripts/run", "cat >'@OUT@/x'", false},
		{"user/a/scripts/run", `cat >"@OUT@/x"`, false},
		{"user/a/scripts/run", "cat >@OUT:word@/x", false},
		{"user/a/scripts/run.py", "open(@OUT@ + '/x')", true},
		{"user/a/scripts/run.py", "open('@OUT@/x')", false},
		{"tree/home/p/hooks.json", `{"command": "echo >>'@OUT@/x'"}`, false},
		{"tree/home/p/hooks.json", `{"command": "echo >>\"@OUT@/x\""}`, false},
		{"tree/home/p/hooks.json", `{"command": "echo >>@OUT@/x"}`, false},
		{"tree/home/p/hooks.json", `{"command": "echo 'it is' >>@OUT:word@/x"}`, true},
		{"tree/home/p/hooks.json", `{"command": "echo >>'@OUT:word@/x'"}`, false},
		{"tree/home/p/hooks.json", `{"command": "@ROOT@/x"}`, false},
		{"tree/home/p/hooks.json", `{"command": "@ROOT:word@/x"}`, true},
		{"tree/home/p/hooks.json", `{"cwd": "@ROOT@/x"}`, true},
		{"user.toml", `command = '@OUT@/x'`, false},
		{"user/a/HOOK.md", "  command: touch '@OUT@/x'", false},
		{"user/a/HOOK.md", "  command: touch @OUT:word@/x", true},
		{"tree/home/p/check", "#!/bin/sh\necho >>\"@OUT@/x\"", false},
		{"tree/home/w/.git", "gitdir: @PROJECT@/.git", true},
		{"event.json", `{"work_dir": "@PROJECT@", "cwd":"@PROJECT@/a"}`, true},
	} {
		t.Run(fmt.Sprintf("%q", c.text), func(t *testing.T) {
			if why := breaks(c.name, c.text); (why == "") != c.safe {
				t.Errorf("%s: %s: %q, want safe %v", c.name, c.text, why, c.safe)
			}
		})
	}
}
