package install_test

import (
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A path with spaces and quotes is a path on every shape and platform, and is
// known again as ours.
func TestShapesQuote(t *testing.T) {
	eachShape(t, func(t *testing.T, s shape, d *protocol.Dialect) {
		for _, c := range []struct {
			name, goos string
			windows    protocol.Quoting
			program    string
		}{
			{"Linux", "linux", "", "/home/it's me/a \"b\"/agents-hooks"},
			{"PowerShell", "windows", protocol.QuotePowerShell, `C:\Program Files\it's\agents-hooks.exe`},
			{"sh on Windows", "windows", protocol.QuoteSh, `C:\Program Files\it's\agents-hooks.exe`},
			{"cmd", "windows", protocol.QuoteCmd, `C:\Program Files\it's (me)\agents-hooks.exe`},
		} {
			t.Run(c.name, func(t *testing.T) {
				files := disk{}
				site := files.site(t)
				site.GOOS = c.goos
				d.Config.Windows = c.windows
				e := protocol.Entry{Argv: []string{c.program, "run", "--agent=probe", "--config=/a b"}}
				edits, err := install.Add(d, site, e)
				must.Do(t, err)
				files.apply(t, edits)
				now, err := install.Inspect(d, site)
				if err != nil || len(now.Entries) != 2 || !slices.Equal(now.Entries[0].Argv, e.Argv) {
					t.Errorf("%s %s: found %+v, %v in %v", c.goos, c.windows, now.Entries, err, files)
				}
				edits, err = install.Add(d, site, e)
				if err != nil || len(edits) != 0 {
					t.Errorf("%s %s: installing again: %v, %v", c.goos, c.windows, edits, err)
				}
				edits, err = install.Remove(d, site)
				must.Do(t, err)
				files.apply(t, edits)
				if len(files) != 0 {
					t.Errorf("%s %s: left %v", c.goos, c.windows, files)
				}
			})
		}
	})
}

// What cmd.exe cannot be given is refused.
func TestCmdRefuses(t *testing.T) {
	d := shapes[1].dialect()
	d.Config.Windows = protocol.QuoteCmd
	site := disk{}.site(t)
	site.GOOS = "windows"
	for _, program := range []string{`C:\100%\agents-hooks.exe`, `C:\a"b\agents-hooks.exe`} {
		if _, err := install.Add(d, site, protocol.Entry{Argv: []string{program, "run", "--agent=probe"}}); err == nil {
			t.Errorf("%s was accepted", program)
		}
	}
}
