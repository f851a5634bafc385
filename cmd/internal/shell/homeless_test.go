package shell

import (
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// On a machine that does not say where the user's files are, commands that would
// write there are refused before they begin; help and commands that only read a
// project are not.
func TestWithoutAHomeNothingIsWrittenWhereOneStands(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{"enable x": exitFailed, "enable --help": ExitDone, "validate": ExitDone, "nonsense": ExitUsage} {
		t.Run(line, func(t *testing.T) {
			ran := ""
			var errs strings.Builder
			h := host.New([]string{"PATH=/bin"}, "linux", t.TempDir(), "/bin/agents-hooks", time.Now)
			h.Home, h.Config, h.State, h.Data = "", "", "", ""
			sh := New("agents-hooks", h, strings.NewReader(""), &strings.Builder{}, &errs)
			command := func(name string) CommandGroup {
				return CommandGroup{Words: name, Command: func(*Shell) *cli.Command {
					return &cli.Command{Name: name, ArgsUsage: "[NAME]", Action: func(*cli.Context) error { ran = name; return nil }}
				}}
			}
			exit := sh.Run([]CommandGroup{command("enable"), command("validate")}, strings.Fields(line))
			if exit != want || (ran == "enable") || want == exitFailed && !strings.Contains(errs.String(), "hint: HOME=FOLDER agents-hooks enable x") {
				t.Errorf("%s: exit %d, ran %q, %s", line, exit, ran, errs.String())
			}
		})
	}
}
