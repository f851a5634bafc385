package install_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A file with unexpected content is left alone, and the error names the place.
func TestBrokenFiles(t *testing.T) {
	path := "/home/dev/.claude/settings.json"
	for text, want := range map[string]string{
		"{\n  \"a\": 1\n  \"b\": 2\n}":              ":3:3: ",
		"[]":                                        ":1:1: want an object at the top",
		"{\n  \"hooks\": []\n}":                     ":2:12: \"hooks\": want an object",
		"{\"hooks\": {\n \"Stop\": {}\n}}":          ":2:10: \"Stop\": want an array",
		"{\"hooks\": {},\n\"hooks\": {}}":           ":2:1: \"hooks\" stands twice",
		"{\"hooks\": {\"Stop\": [],\n\"Stop\":[]}}": ":2:1: \"Stop\" stands twice",
		"{\"a\": ":                                  ":1:7: ",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			files := disk{path: text}
			_, err := install.Add(claude.Dialect, files.site(t), entry(claude.Dialect))
			if _, ok := errors.AsType[*install.FileError](err); !ok || !strings.Contains(err.Error(), path+want) {
				t.Errorf("%q: error %v, want …%s", text, err, want)
			}
		})
	}
	files := disk{"/home/dev/.codex/config.toml": "model = \"x\"\nb = = 1\n"}
	_, err := install.Add(codex.Dialect, files.site(t), entry(codex.Dialect))
	if fe, ok := errors.AsType[*install.FileError](err); !ok || fe.Line != 2 || fe.Path != "/home/dev/.codex/config.toml" {
		t.Errorf("config.toml: error %v", err)
	}
}

func TestBadEntries(t *testing.T) {
	for _, argv := range [][]string{
		nil,
		{"agents-hooks", "run", "--agent=claude-code"},
		{"/usr/bin/other", "run", "--agent=claude-code"},
		{"/usr/bin/agents-hooks", "--agent=claude-code"},
		{"/usr/bin/agents-hooks", "run", "--agent=codex"},
		{"/usr/bin/agents-hooks", "run", "--agent=claude-code", "--config", "/a\nb"},
	} {
		t.Run(fmt.Sprintf("%q", argv), func(t *testing.T) {
			if _, err := install.Add(claude.Dialect, disk{}.site(t), protocol.Entry{Argv: argv}); err == nil {
				t.Errorf("%q was accepted", argv)
			}
		})
	}
}
