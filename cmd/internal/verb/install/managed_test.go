package install

import (
	"bytes"
	"cmp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Each agent that has a file of an administrator gets one that its own form reads, on
// each system: every event that install registers is there, with the command of nobody.
func TestManagedFilesOfEachAgent(t *testing.T) {
	t.Parallel()
	had := 0
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, d := range agentarg.Installable() {
			if d.Managed == nil || d.Managed.Entry(goos) == "" {
				continue
			}
			had++
			var out, errs bytes.Buffer
			sh := &shell.Shell{Name: "agents-hooks", Host: host.New([]string{"HOME=/h"}, goos, "/p", "/x", nil), Out: &out, Err: &errs}
			if err := printManaged(sh, managedOptions{d, usualProgram(goos)}); err != nil {
				t.Errorf("%s on %s: %v", d.ID, goos, err)
				continue
			}
			root, err := protocol.ParseObject(out.Bytes())
			text := out.String()
			if d.Managed.TOML {
				_, err = toml.Parse(text)
			}
			if err != nil || !d.Managed.TOML && !root.Has("hooks") {
				t.Errorf("%s on %s: %v\n%s", d.ID, goos, err, text)
			}
			for _, n := range d.NativeEvents {
				name := cmp.Or(n.As, n.Name)
				if !n.Manual && !strings.Contains(text, name) {
					t.Errorf("%s on %s lacks %s", d.ID, goos, name)
				}
			}
			for _, word := range []string{"--config", "--state", "--user", "/h/"} {
				if strings.Contains(text, word) {
					t.Errorf("%s on %s names a person's directory (%s):\n%s", d.ID, goos, word, text)
				}
			}
			if !strings.Contains(text, "--agent="+d.ID) || !strings.Contains(errs.String(), d.Managed.Entry(goos)) {
				t.Errorf("%s on %s: %s\n%s", d.ID, goos, errs.String(), text)
			}
		}
	}
	if had < 20 {
		t.Errorf("%d files: this test looks in the wrong place", had)
	}
}
