package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
)

// Who asks for JSON gets one document, also where there is no answer; who does not gets
// nothing on stdout there.
func TestAnErrorIsTheDocumentOfWhoAsksForJSON(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct{ Code, Message, Fix string }{
		"fails --json":                {"FAILED", "fails: it is not there", "look elsewhere"},
		"fails --no-such-flag --json": {"USAGE", "fails: no such flag: --no-such-flag", "it has --json, -x, --help\nagents-hooks fails --help"},
		"fials --json":                {"USAGE", `no such command: "fials"`, "agents-hooks fails\nagents-hooks --help"},
		"answers --json":              {},
		"partly --json":               {},
		"fails -json=T":               {"FAILED", "fails: it is not there", "look elsewhere"},
		"fails --json=1":              {"FAILED", "fails: it is not there", "look elsewhere"},
		"fails --json --json=false":   {},
		"fails --x --json":            {},
		"fails --y -json=t":           {"USAGE", "fails: no such flag: --y", "it has --json, -x, --help\nagents-hooks fails --help"},
		"fails --y --json --json=0":   {},
		"fials --json=1":              {"USAGE", `no such command: "fials"`, "agents-hooks fails\nagents-hooks --help"},
		"fails":                       {},
		"fails -- --json":             {},
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			var out, errs strings.Builder
			sh := New("agents-hooks", host.New([]string{"HOME=/h"}, "linux", t.TempDir(), "/bin/agents-hooks", time.Now), strings.NewReader(""), &out, &errs)
			failed := WithHint(errors.New("fails: it is not there"), "look elsewhere")
			command := func(name string, act func() error) CommandGroup {
				return CommandGroup{Words: name, Command: func(*Shell) *cli.Command {
					return &cli.Command{Name: name, ArgsUsage: "[X]", Flags: []cli.Flag{JSONFlag(), &cli.StringFlag{Name: "x"}}, Action: func(*cli.Context) error { return act() }}
				}}
			}
			exit := sh.Run([]CommandGroup{
				command("fails", func() error { return failed }),
				command("answers", func() error { return errors.Join(sh.JSON(map[string]int{"schema": 1}), ErrReported) }),
				command("partly", func() error { return errors.Join(sh.Line(map[string]int{"schema": 1}), failed) }),
			}, strings.Fields(line))
			var doc struct {
				Schema int
				Error  *struct{ Code, Message, Fix string }
			}
			if err := json.Unmarshal([]byte(out.String()), &doc); err != nil && (want.Code != "" || out.Len() > 0) {
				t.Fatalf("%v: %q", err, out.String())
			}
			switch {
			case want.Code == "" && doc.Error != nil, want.Code != "" && (doc.Error == nil || *doc.Error != want || doc.Schema != 1):
				t.Errorf("%q, want %v", out.String(), want)
			case exit == ExitDone, want.Code != "" && !strings.Contains(errs.String(), want.Message):
				t.Errorf("exit %d, said %q", exit, errs.String())
			}
		})
	}
}

// What somebody decided is no mistake of theirs: nothing is proposed, and Ctrl-C has its own code.
func TestADecisionHasNoHint(t *testing.T) {
	t.Parallel()
	for text, tc := range map[string]struct {
		err   error
		exit  int
		hints int
	}{
		"a change ended midway": {fmt.Errorf("remove: %w", context.Canceled), ExitInterrupted, 0},
		"interrupted at work":   {fmt.Errorf("test: %w", ErrStopped), ExitInterrupted, 0},
		"a no":                  {ErrDeclined, exitFailed, 0},
		"no answer":             {fmt.Errorf("trust: %w", errNoAnswer), exitFailed, 0},
		"another failure":       {errors.New("x: it is not there"), exitFailed, 1},
	} {
		var errs strings.Builder
		sh := New("agents-hooks", host.New([]string{"HOME=/h"}, "linux", t.TempDir(), "/bin/agents-hooks", time.Now), strings.NewReader(""), &strings.Builder{}, &errs)
		sh.running = "agents-hooks x"
		if exit := sh.exit(tc.err); exit != tc.exit || strings.Count(errs.String(), "hint: ") != tc.hints {
			t.Errorf("%s: exit %d, %s", text, exit, errs.String())
		}
	}
}
