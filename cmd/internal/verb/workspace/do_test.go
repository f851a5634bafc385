package workspace

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
)

// What an operator refuses ends with the same code, whether JSON was asked for or not.
func TestARefusalHasOneExitCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{op.BadArgument: shell.ExitUsage, op.InvalidParams: shell.ExitUsage, noWorkspace: 1} {
		for _, asJSON := range []bool{false, true} {
			sh := shelltest.New(t)
			refused := &cli.Command{Name: "x", Action: func(*cli.Context) error {
				return tell(sh, op.Op{Command: "x"}, asJSON, nil, op.Fail(code, "a fix", "it is wrong"))
			}}
			exit := sh.Run([]shell.CommandGroup{{Words: "x", Command: func(*shell.Shell) *cli.Command { return refused }}}, []string{"x"})
			if out := sh.Out.(*strings.Builder).String(); exit != want || asJSON != strings.Contains(out, `"code": "`+code+`"`) {
				t.Errorf("%s, JSON %t: exit %d, want %d: %s", code, asJSON, exit, want, out)
			}
		}
	}
}
