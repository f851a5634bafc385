package install_test

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
	"github.com/agents-hooks/agents-hooks/protocol/opencode"
)

// npmrcFile is what stands beside OpenCode's plugin.
const npmrcFile = "/home/dev/.config/opencode/.npmrc"

func TestBesideAPlugin(t *testing.T) {
	d := opencode.Dialect
	_, ours := d.Config.Beside(disk{}.site(t))
	for _, row := range []struct{ name, before, installed, more, after string }{
		{"written where no file is, and removed", "", ours, "", ""},
		{"a file that is there is left alone", "registry=https://npm.example.org\n", "registry=https://npm.example.org\n", "", "registry=https://npm.example.org\n"},
		{"what its user adds outlives us", "", ours, "registry=https://npm.example.org\n", "registry=https://npm.example.org\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			files := disk{}
			if row.before != "" {
				files[npmrcFile] = row.before
			}
			add(t, d, files, entry(d))
			if files[npmrcFile] != row.installed {
				t.Errorf("install left %q, want %q", files[npmrcFile], row.installed)
			}
			files[npmrcFile] += row.more
			again := files.copy()
			add(t, d, files, entry(d))
			if !files.equal(again) {
				t.Errorf("a second install made %q of %q", files, again)
			}
			remove(t, d, files)
			if got, there := files[npmrcFile]; got != row.after || there != (row.after != "") {
				t.Errorf("uninstall left %q (there: %v), want %q", got, there, row.after)
			}
		})
	}
}

// A project's folder belongs to its repository, so nothing is put beside the plugin there.
func TestNothingBesideAPluginOfAProject(t *testing.T) {
	site := disk{}.site(t)
	site.Scope = protocol.ProjectScope
	edits, err := install.Add(opencode.Dialect, site, entry(opencode.Dialect))
	if err != nil || len(edits) != 1 || edits[0].Path != opencode.Dialect.Config.File(site) {
		t.Errorf("edits %v, %v; want the plugin alone", edits, err)
	}
}
