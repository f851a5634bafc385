package memory

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/texts"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

func acceptCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name: "accept", Usage: "take what waits in this memory as yours",
		Description: "What agents-hooks did not write on this machine is told to no agent before\n" +
			"you have looked at it: what others wrote, what you wrote by hand, and what\n" +
			"an earlier version wrote. This shows it, asks, and takes it as your own.\n" +
			"What others wrote is better let in by agents-hooks trust: it is then told\n" +
			"as the repository's.",
		Flags: texts.Flags(),
		Action: func(c *cli.Context) error {
			_, m, err := readMemory(sh, c)
			if err != nil {
				return err
			}
			item, err := m.Texts()
			if err != nil {
				return failed("accept", err)
			}
			return texts.Accept(sh, c, "memory accept", []ledger.Item{item})
		},
	}
}

// tellWaiting says on stderr that something waits for approval.
func tellWaiting(sh *shell.Shell, m ops.Memory) {
	if m.Within == nil {
		return
	}
	files, err := m.Place.News(m.Now)
	if n := ledger.Count(files); err == nil && n > 0 {
		sh.Say("not written here, and waiting for you: %s of this memory; agents-hooks trust, or agents-hooks memory accept", text.Count(n, "text"))
	}
}
