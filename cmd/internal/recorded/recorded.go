// Package recorded says what was recorded of a project and whether recording is on:
// for record, replay, list and doctor.
package recorded

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

func Recordings(sh *shell.Shell) record.Store { return record.Store{State: sh.Host.State} }

// BytesText is a size for a person.
func BytesText(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// RecordingNote says that recording is on where list looks, "" if it is not:
// whoever asks what happens to an event should know.
func RecordingNote(sh *shell.Shell, c *cli.Context, folders []string) string {
	dir, err := hookset.LookFrom(sh, c)
	if err != nil || len(folders) > 0 {
		return ""
	}
	_, root := discovery.FindProject(dir, sh.Host.Home)
	if !Recordings(sh).On(root) {
		return ""
	}
	return "what agents send in " + sh.Short(root) + " is being recorded"
}

// Files completes the argument of replay: the recordings of this project, and
// any other file.
func Files(sh *shell.Shell) shell.Words {
	return func(shell.Line) (list []shell.Suggestion, kind shell.Kind) {
		_, root := discovery.FindProject(sh.Host.WorkDir, sh.Host.Home)
		p, err := Recordings(sh).Project(root)
		if err != nil {
			return nil, shell.FileNames
		}
		for _, s := range p.Sessions {
			name := strings.TrimSuffix(filepath.Base(s.Path), ".jsonl")
			list = append(list, shell.Suggestion{Word: s.Path, Text: name + ", " + s.Last.Local().Format(time.DateTime)})
		}
		return list, shell.FileNames
	}
}
