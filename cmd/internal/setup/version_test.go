package setup

import (
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestInstalledVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, content := range map[string]string{
		"npm/node_modules/@x/agent/package.json": `{"name": "@x/agent", "version": "1.2.3", "bin": {"agent": "bin/agent.js"}}`,
		"npm/node_modules/@x/agent/bin/agent.js": "",
		"npm/package.json":                       `{"version": "9.9.9"}`,
		"versions/2.1.329":                       "",
		"app/2.0.1-beta.1/agent":                 "",
		"plain/agent":                            "",
		"project/package.json":                   `{"name": "no-program", "version": "4.5.6"}`,
		"project/bin/agent":                      "",
		"broken/package.json":                    `{"version": `,
		"broken/agent":                           "",
	} {
		must.Script(t, filepath.Join(dir, filepath.FromSlash(path)), content)
	}
	for program, want := range map[string]string{
		"npm/node_modules/@x/agent/bin/agent.js": "1.2.3",
		"versions/2.1.329":                       "2.1.329",
		"app/2.0.1-beta.1/agent":                 "2.0.1-beta.1",
		"plain/agent":                            "",
		"project/bin/agent":                      "", // a package without a program
		"broken/agent":                           "",
		"gone":                                   "",
	} {
		t.Run(program, func(t *testing.T) {
			if got := InstalledVersion(filepath.Join(dir, filepath.FromSlash(program))); got != want {
				t.Errorf("%s: %q, want %q", program, got, want)
			}
		})
	}
}
