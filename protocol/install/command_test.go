package install_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// Golden strings for each agent and system: only what needs quoting is quoted, for
// the shell that runs it.
func TestQuote(t *testing.T) {
	for _, c := range []struct {
		d    *protocol.Dialect
		goos string
		path string
		want string
	}{
		{claude.Dialect, "linux", "/usr/local/bin/agents-hooks", "/usr/local/bin/agents-hooks run --agent=claude-code"},
		{claude.Dialect, "darwin", "/Users/Jo Doe/bin/agents-hooks", "'/Users/Jo Doe/bin/agents-hooks' run --agent=claude-code"},
		{claude.Dialect, "linux", "/o'brien/$HOME/`x`/agents-hooks", "'/o'\\''brien/$HOME/`x`/agents-hooks' run --agent=claude-code"},
		{codex.Dialect, "windows", `C:\Users\Jo\agents-hooks.exe`, `C:\Users\Jo\agents-hooks.exe run --agent=codex`},
		{codex.Dialect, "windows", `C:\Program Files\o'x\agents-hooks.exe`, `& 'C:\Program Files\o''x\agents-hooks.exe' run --agent=codex`},
	} {
		t.Run(c.path, func(t *testing.T) {
			q := c.d.Config.Quoting(protocol.Site{GOOS: c.goos})
			argv := []string{c.path, "run", "--agent=" + c.d.ID}
			got := install.Quote(argv, q)
			if got != c.want {
				t.Errorf("%s on %s: %s, want %s", c.d.ID, c.goos, got, c.want)
			}
			back, err := install.Split(got, q)
			if err != nil || !slices.Equal(back, argv) {
				t.Errorf("%s: split into %q, %v", got, back, err)
			}
			if !install.Ours(back, c.d) {
				t.Errorf("%s is not recognised", got)
			}
		})
	}
}

// A real shell reads what Quote wrote.
func TestQuoteForARealShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no sh")
	}
	t.Parallel()
	argv := []string{"a b", "o'x", `"q"`, `back\slash`, "$HOME", "`id`", "*", "~", "a;b|c&d", "(x)", "é 日本", "tab\there", "-n", "", "!x", "{a,b}", "#c", "a=b", "x%y", "@,+:"}
	out, err := exec.Command("sh", "-c", "printf '%s\\036' "+install.Quote(argv, protocol.QuoteSh)).Output()
	must.Do(t, err)
	if got := strings.Split(strings.TrimSuffix(string(out), "\x1e"), "\x1e"); !slices.Equal(got, argv) {
		t.Errorf("sh reads %q\nwant     %q", got, argv)
	}
}

// A program in a folder whose name breaks careless quoting is started with its
// arguments by each shell on this machine. Nothing but a link is written before it is
// executed.
func TestQuotedProgramIsStarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names of folders that Windows does not have")
	}
	t.Parallel()
	real, err := exec.LookPath("printf")
	if err != nil {
		t.Skip("no printf here")
	}
	dir := filepath.Join(t.TempDir(), `a b'c "d" $HOME \ &;|<>()[]{}*?!#~%^ é日本`+" `id` $(id)")
	must.Do(t, os.Mkdir(dir, 0o755))
	program := filepath.Join(dir, "printf")
	linktest.Make(t, real, program)
	args := []string{"run", "--agent=claude-code", "--config=" + dir, "$HOME", `back\slash`, `"q"`, "'", "é 日本"}
	argv := append([]string{program, `%s\036`}, args...)
	for _, shell := range []struct {
		name  string
		flags []string
		q     protocol.Quoting
	}{
		{"sh", []string{"-c"}, protocol.QuoteSh},
		{"bash", []string{"-c"}, protocol.QuoteSh},
		{"bash", []string{"--posix", "-c"}, protocol.QuoteSh},
		{"dash", []string{"-c"}, protocol.QuoteSh},
		{"zsh", []string{"-f", "-c"}, protocol.QuoteSh},
		{"ksh", []string{"-c"}, protocol.QuoteSh},
		{"busybox", []string{"sh", "-c"}, protocol.QuoteSh},
		{"pwsh", []string{"-NoProfile", "-NonInteractive", "-Command"}, protocol.QuotePowerShell},
	} {
		t.Run(shell.name, func(t *testing.T) {
			path, err := exec.LookPath(shell.name)
			if err != nil {
				t.Skip("not installed here")
			}
			out, err := exec.Command(path, append(shell.flags, install.Quote(argv, shell.q))...).Output()
			if err != nil {
				t.Fatalf("%v: %s", err, install.Quote(argv, shell.q))
			}
			if got := strings.Split(strings.TrimSuffix(string(out), "\x1e"), "\x1e"); !slices.Equal(got, args) {
				t.Errorf("gets %q\nwant %q", got, args)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		command string
		q       protocol.Quoting
		want    []string
	}{
		{`a  b	c`, protocol.QuoteSh, []string{"a", "b", "c"}},
		{`"a \"b\" \x $HOME" 'c\d'e\ f ''`, protocol.QuoteSh, []string{`a "b" \x $HOME`, `c\de f`, ""}},
		{`a\`, protocol.QuoteSh, []string{`a\`}},
		{`a \b`, protocol.QuoteSh, []string{"a", "b"}},
		{`& 'C:\a b\x.exe' "c ""d"" ` + "`\"" + `" e`, protocol.QuotePowerShell, []string{`C:\a b\x.exe`, `c "d" "`, "e"}},
		{`"C:\a b\x.exe" run`, protocol.QuotePowerShell, []string{`C:\a b\x.exe`, "run"}},
		{``, protocol.QuoteSh, nil},
	} {
		t.Run(fmt.Sprintf("%q", c.command), func(t *testing.T) {
			got, err := install.Split(c.command, c.q)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s: %q, %v, want %q", c.command, got, err, c.want)
			}
		})
	}
	if _, err := install.Split(`a 'b`, protocol.QuoteSh); err == nil {
		t.Error("an open quote was accepted")
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("/a b/agents-hooks", "--config=o'x", true)
	f.Add("$`\"\\", "", false)
	f.Fuzz(func(t *testing.T, a, b string, sh bool) {
		q := protocol.QuotePowerShell
		if sh {
			q = protocol.QuoteSh
		}
		argv := []string{a, b, "x"}
		got, err := install.Split(install.Quote(argv, q), q)
		if err != nil || !slices.Equal(got, argv) {
			t.Fatalf("%q became %q, %v", argv, got, err)
		}
	})
}
