// Package demo is the demo command: a captured session, three hooks, and what each agent is
// told, in a temporary folder.
//
//	demo.go     the command: it plays the session, then the blocked call once more
//	machine.go  the temporary machine, and one event on it
//	step.go     the steps, their results, and the expected ones
//
// the output, while it happens
package demo

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
)

// Command is the demo command.
func Command(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "play a recorded session of an agent, with three hooks",
		Description: "Everything happens in a temporary folder. The events are those that a real\n" +
			"agent sent; each is given to a process of this very program, as the agent\n" +
			"would, and what that process answers is shown. The demo checks itself: it\n" +
			"exits with 1 if something did not go as it should.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "keep", Usage: "keep the temporary folder"},
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			keep, asJSON := c.Bool("keep"), c.Bool("json")
			m, err := newMachine(sh.Host)
			if err != nil {
				return fmt.Errorf("demo: %w", err)
			}
			if !keep {
				defer os.RemoveAll(m.root)
			}
			s := newScreen(sh, m)
			if asJSON {
				s.out = io.Discard
			}
			r := demo(m, s)
			err = sh.Answer(asJSON, r, func() { s.closing(r, keep) })
			for _, p := range r.Problems {
				sh.Say("demo: %s", p)
			}
			if !r.OK {
				err = errors.Join(err, shell.ErrReported)
			}
			return err
		},
	}
}

// played is the result of a demo. Its JSON form is stable.
type played struct {
	AsyncWrote string   `json:"async_wrote"`
	Dir        string   `json:"dir"`
	OK         bool     `json:"ok"`
	Others     []result `json:"others"`
	Problems   []string `json:"problems"`
	Schema     int      `json:"schema"`
	Steps      []result `json:"steps"`
}

// demo plays the session on a machine, and then the blocked call as other agents would have
// sent it. The screen shows each part as it happens.
func demo(m *machine, s *screen) played {
	r := played{Schema: 1, Dir: m.root, Problems: []string{}}
	s.opening()
	for _, step := range m.script.Steps {
		got := m.play(step)
		r.Steps = append(r.Steps, got)
		s.step(got)
	}
	var problem string
	if r.AsyncWrote, problem = m.wrote(r.Steps); problem != "" {
		r.Problems = append(r.Problems, problem)
	}
	s.wrote(r.AsyncWrote)
	s.others()
	for _, step := range m.script.Others {
		got := m.play(step)
		r.Others = append(r.Others, got)
		s.other(got)
	}
	for _, list := range [][]result{r.Steps, r.Others} {
		for _, got := range list {
			for _, p := range got.Problems {
				r.Problems = append(r.Problems, got.Agent+" "+got.Native+": "+p)
			}
		}
	}
	r.OK = len(r.Problems) == 0
	return r
}
