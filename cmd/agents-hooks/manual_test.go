package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
)

// request is what a line of roff may begin with here.
var request = regexp.MustCompile(`^(\.(TH|SH|TP|B|PP|nf|fi)(\s|$)|\\&[.']|[^.'])`)

// Each command that people see has its page of man, which has all of its flags, and no
// line of a text is taken for a request.
func TestEveryCommandHasItsManual(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if exit, out, errs := call(t, "__manual", dir); exit != shell.ExitDone || out+errs != "" {
		t.Fatalf("exit %d, %s%s", exit, out, errs)
	}
	pages := 1 // of the program
	leaves(shelltest.New(t).Commands(commandGroups(), ""), nil, func(path []string, c *cli.Command) {
		if c.Hidden {
			return
		}
		pages++
		name := "agents-hooks-" + strings.Join(path, "-") + ".1"
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			return
		}
		for _, f := range c.VisibleFlags() {
			if flag := strings.ReplaceAll("-"+f.Names()[0], "-", `\-`); !strings.Contains(string(text), flag) {
				t.Errorf("%s lacks %s", name, flag)
			}
		}
		for line := range strings.Lines(string(text)) {
			if strings.TrimSpace(line) != "" && !request.MatchString(line) {
				t.Errorf("%s: %q is a request", name, line)
			}
		}
	})
	if files, err := os.ReadDir(dir); err != nil || len(files) < pages || pages < 100 {
		t.Errorf("%d files for %d commands: %v", len(files), pages, err)
	}
}
