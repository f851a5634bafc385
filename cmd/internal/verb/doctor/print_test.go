package doctor

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// The same fix is said once for all rows of an agent that have it, which stand together;
// another agent's rows, and rows without a fix, stay where they are.
func TestTheSameFixIsSaidOnce(t *testing.T) {
	t.Parallel()
	of := func(agent, id, message, fix string) check {
		return check{ID: id, Agent: agent, Status: checkWarn, Message: message, Fix: fix}
	}
	const again = "agents-hooks install codex"
	var out strings.Builder
	sh := &shell.Shell{Name: "agents-hooks", Host: host.New([]string{"HOME=/h", "COLUMNS=80"}, "linux", "/p", "/x", nil), Out: &out, Err: &out}
	printChecks(sh, []check{
		of("codex", "copy", "first", again),
		of("codex", "hooks", "no fix", ""),
		of("codex", "mcp", "other fix", "agents-hooks install codex --mcp"),
		of("codex", "version", "second", again),
		of("codex", "seen", "no fix either", ""),
		of("opencode", "copy", "another agent's", again),
		of("opencode", "hooks", "of three", "agents-hooks trust"),
		of("opencode", "skills", "of three", "agents-hooks trust"),
		of("opencode", "memory", "of three", "agents-hooks trust"),
	})
	const indent = "                    "
	want := strings.Join([]string{
		"OpenAI Codex",
		"  warn  copy        first",
		"  warn  version     second",
		indent + "fix for both: " + again,
		"  warn  hooks       no fix",
		"  warn  mcp         other fix",
		indent + "fix: " + again + " --mcp",
		"  warn  seen        no fix either",
		"",
		"OpenCode",
		"  warn  copy        another agent's",
		indent + "fix: " + again,
		"  warn  hooks       of three",
		"  warn  skills      of three",
		"  warn  memory      of three",
		indent + "fix for these 3: agents-hooks trust",
		"",
	}, "\n")
	if out.String() != want {
		t.Errorf("have\n%s\nwant\n%s", out.String(), want)
	}
}

// What guards is said first, as a sentence; where nothing is checked, nothing is.
func TestWhatGuardsIsASentence(t *testing.T) {
	t.Parallel()
	guards := check{ID: "guards", Status: checkOK, Message: "2 guards block", Fix: "agents-hooks trust"}
	for name, c := range map[string]struct {
		checks []check
		want   string
	}{
		"nothing":      {nil, ""},
		"guards alone": {[]check{guards}, "2 guards block.\nfix: agents-hooks trust\n\n"},
		"and an agent": {[]check{guards, {ID: "copy", Agent: "codex", Status: checkOK, Message: "there"}}, "2 guards block.\nfix: agents-hooks trust\n\nOpenAI Codex\n  ok    copy        there\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			sh := &shell.Shell{Name: "agents-hooks", Host: host.New([]string{"HOME=/h", "COLUMNS=80"}, "linux", "/p", "/x", nil), Out: &out, Err: &out}
			if printChecks(sh, c.checks); out.String() != c.want {
				t.Errorf("%q\nwant %q", out.String(), c.want)
			}
		})
	}
}
