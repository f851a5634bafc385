package shell

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// What a command proposes works where the command itself looked.
func TestACommandThatIsProposedHasTheFlagsOfThisOne(t *testing.T) {
	t.Parallel()
	folder := &cli.StringFlag{Name: "dir", Aliases: []string{"C"}}
	words := func(name string, flags ...cli.Flag) *cli.Command {
		return &cli.Command{Name: name, Flags: flags}
	}
	groups := []CommandGroup{
		{Words: "memory", Command: func(*Shell) *cli.Command {
			return &cli.Command{Name: "memory", Subcommands: []*cli.Command{words("list", folder, &cli.BoolFlag{Name: "user"}), words("rebuild-index", folder)}}
		}},
		{Words: "new", Command: func(*Shell) *cli.Command { return words("new", &cli.StringFlag{Name: "dir"}) }},
		{Words: "trust", Command: func(*Shell) *cli.Command { return words("trust", folder) }},
	}
	for text, want := range map[string]string{
		"it has no command":                       "it has no command",
		"agents-hooks trust":                      "agents-hooks trust -C /w",
		"agents-hooks trust, or ask":              "agents-hooks trust -C /w, or ask",
		"first agents-hooks trust --show: then":   "first agents-hooks trust -C /w --show: then",
		"agents-hooks trust --dir /elsewhere":     "agents-hooks trust --dir /elsewhere",
		"agents-hooks trust -C /elsewhere":        "agents-hooks trust -C /elsewhere",
		"agents-hooks new NAME writes one":        "agents-hooks new NAME writes one",
		"agents-hooks memory list -n 0":           "agents-hooks memory list -C /w --user -n 0",
		"agents-hooks memory rebuild-index":       "agents-hooks memory rebuild-index -C /w",
		"agents-hooks memory":                     "agents-hooks memory",
		"agents-hooks memory lis":                 "agents-hooks memory lis",
		"agents-hooks 1.0; agents-hooks trust":    "agents-hooks 1.0; agents-hooks trust -C /w",
		"agents-hooks memory list; agents-hooks ": "agents-hooks memory list -C /w --user; agents-hooks ",
	} {
		sh := New("agents-hooks", host.New([]string{"HOME=/h"}, "linux", t.TempDir(), "/bin/agents-hooks", time.Now), strings.NewReader(""), &strings.Builder{}, &strings.Builder{})
		sh.groups = groups
		if got := sh.Carried(text); got != text {
			t.Errorf("%q with no flag to carry: %q", text, got)
		}
		sh.Carry("C", "-C /w")
		sh.Carry("user", "--user")
		if got := sh.Carried(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
