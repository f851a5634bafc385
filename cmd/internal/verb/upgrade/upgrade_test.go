package upgrade

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

func none(string) string { return "" }

// How a program came is told by where it lies, by what a package left beside it, or by
// what the toolchain wrote into it.
func TestTheWayIsToldByWhereTheProgramLies(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := host.New([]string{"HOME=" + root, "USERPROFILE=" + root}, runtime.GOOS, root, "", time.Now)
	for _, by := range []string{"deb", "rpm", "apk", "script", "somebody"} {
		must.Script(t, filepath.Join(root, by, "share", "agents-hooks", "installed-by"), by+"\n")
	}
	for project, lock := range map[string]string{"project": "package-lock.json", "of pnpm": "pnpm-lock.yaml", "of yarn": "yarn.lock", "of bun": "bun.lock", "share/pnpm/global/5": "pnpm-lock.yaml", ".config/yarn/global": "yarn.lock"} {
		must.Script(t, filepath.Join(root, filepath.FromSlash(project), "package.json"), "{}")
		must.Script(t, filepath.Join(root, filepath.FromSlash(project), lock), "")
	}
	newest := &release{"v2.1.0", "https://example.org/r"}
	for path, want := range map[string][2]string{
		"usr/lib/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":                      {"npm", "npm install -g @agents-hooks/cli@latest"},
		"usr/lib/node_modules/@agents-hooks/cli/node_modules/@agents-hooks/cli-linux-x64/bin/x":  {"npm", "npm install -g"},
		"project/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":                      {"npm", "project && npm install @agents-hooks/cli@latest"},
		"of pnpm/node_modules/.pnpm/x/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks": {"pnpm", "of pnpm' && pnpm add @agents-hooks/cli@latest"},
		"of yarn/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":                      {"yarn", "of yarn' && yarn add @agents-hooks/cli@latest"},
		"of yarn/.yarn/unplugged/x/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":    {"yarn", "of yarn' && yarn add @agents-hooks/cli@latest"},
		"of bun/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":                       {"bun", "of bun' && bun add @agents-hooks/cli@latest"},
		"share/pnpm/store/v10/links/x/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks": {"pnpm", "pnpm add -g"},
		".npm/_npx/0123/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":               {"npx", "npx @agents-hooks/cli@latest"},
		"share/pnpm/global/5/.pnpm/x/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":  {"pnpm", "pnpm add -g"},
		".bun/install/global/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":          {"bun", "bun add -g"},
		".config/yarn/global/node_modules/@agents-hooks/cli-linux-x64/bin/agents-hooks":          {"yarn", "yarn global add"},
		"opt/homebrew/Cellar/agents-hooks/1.0.0/bin/agents-hooks":                                {"brew", "brew upgrade agents-hooks"},
		"scoop/apps/agents-hooks/1.0.0/agents-hooks.exe":                                         {"scoop", "scoop update"},
		"Microsoft/WinGet/Packages/agents-hooks.agents-hooks_x/agents-hooks.exe":                 {"winget", "winget upgrade"},
		"deb/bin/agents-hooks":      {"deb", "sudo dpkg -i ./agents-hooks_2.1.0_arm64.deb"},
		"rpm/bin/agents-hooks":      {"rpm", "sudo rpm -U ./agents-hooks-2.1.0-1.aarch64.rpm"},
		"apk/bin/agents-hooks":      {"apk", "./agents-hooks_2.1.0_aarch64.apk"},
		"script/bin/agents-hooks":   {"script", "releases/latest/download/install."},
		"somebody/bin/agents-hooks": {"source", "git pull"},
		"src/agents-hooks":          {"source", "go install ./cmd/agents-hooks "},
	} {
		t.Run(path, func(t *testing.T) {
			w := wayOf(h, filepath.Join(root, filepath.FromSlash(path)))
			do := strings.Join(w.do(newest, "arm64"), "\n")
			if w.id != want[0] || !strings.Contains(do, want[1]) {
				t.Errorf("%s: %s, %q; want %s, %q", path, w.id, do, want[0], want[1])
			}
			if len(w.do(nil, "arm64")) == 0 || len(w.do(newest, "riscv64")) == 0 {
				t.Errorf("%s: nothing to do where the release or the machine is not known", path)
			}
		})
	}
}

// The copy that agents start is brought up to date by what it was made of, or by
// installing anew where that is gone.
func TestTheWayOfTheCopyIsThatOfItsProgram(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := host.New([]string{"HOME=" + root, "USERPROFILE=" + root}, runtime.GOOS, root, "", time.Now)
	brought := filepath.Join(root, "node_modules", "@agents-hooks", "cli-linux-x64", "bin", "agents-hooks")
	must.Script(t, brought, "a program")
	must.Do(t, must.Err(keep.Put(h, keep.Source{Whole: brought, Version: "v1.0.0"})))
	copied := keep.Program(h, keep.Whole)
	if w := wayOf(h, copied); w.id != "copy" || !strings.HasSuffix(w.said, "installed by npm") || !strings.Contains(strings.Join(w.do(nil, "amd64"), " "), "npm install -g") {
		t.Errorf("%s, %s, %q", w.id, w.said, w.do(nil, "amd64"))
	}
	must.Do(t, os.Remove(brought))
	if w := wayOf(h, copied); !strings.Contains(w.said, "is gone") || !strings.Contains(w.do(nil, "amd64")[0], "install agents-hooks again") {
		t.Errorf("%s, %q", w.said, w.do(nil, "amd64"))
	}
}

func TestVersionsAreComparedWithTheNewestRelease(t *testing.T) {
	t.Parallel()
	for _, tc := range [][3]string{
		{"v1.2.3", "v1.2.3", "current"}, {"v1.2.3", "v1.3.0", "older"}, {"v1.3.0", "v1.2.9", "current"},
		{"v1.10.0", "v1.9.0", "current"}, {"v1.2.0-rc.1", "v1.2.0", "older"}, {"v1.2.1-0.20261123010203-abcdefabcdef", "v1.2.0", "current"},
		{"v1.2.0", "v1.2.0-rc.1", "current"}, {"v1.2.0+dirty", "v1.2.0", "current"}, {"devel", "v1.2.0", "unknown"},
	} {
		t.Run(tc[0]+" and "+tc[1], func(t *testing.T) {
			if got := state(tc[0], tc[1]); got != tc[2] {
				t.Errorf("%s against %s: %s, want %s", tc[0], tc[1], got, tc[2])
			}
		})
	}
}

// What is to be done is said, but not where this is the newest release.
func TestWhatIsToBeDoneIsSaidUnlessItIsDone(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{"current": "nothing to do", "older": "v2.0.0 is newer: https://example.org", "unknown": "none that could be compared"} {
		t.Run(state, func(t *testing.T) {
			sh := shelltest.New(t)
			r := report{Version: "v1.0.0", Program: "/bin/x", Newest: &release{"v2.0.0", "https://example.org"}, State: state, Do: []string{"git pull"}}
			must.Do(t, tell(sh, r, way{said: "by hand"}, options{check: true}))
			if said := fmt.Sprint(sh.Out); !strings.Contains(said, want) || strings.Contains(said, "git pull") != (state != "current") {
				t.Errorf("%q, want %q", said, want)
			}
		})
	}
}

// What a server answers is a release or an error, and never a line that does something
// else in a shell.
func TestWhatAServerAnswersIsAReleaseOrAnError(t *testing.T) {
	t.Parallel()
	var agents []string
	answers := map[string]string{
		"/good":  `{"tag_name": "v2.0.0", "html_url": "https://example.org/v2.0.0", "assets": []}`,
		"/page":  `{"tag_name": "v2.0.0", "html_url": "javascript:alert(1)"}`,
		"/shell": `{"tag_name": "v2.0.0-$(rm -rf ~)", "html_url": "https://example.org"}`,
		"/lines": `{"tag_name": "v2.0.0\nrm", "html_url": "https://example.org"}`,
		"/none":  `{"message": "hello"}`,
		"/html":  `<html>`,
		"/long":  strings.Repeat(" ", mostAnswer) + `{"tag_name": "v2.0.0", "html_url": "https://example.org"}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agents = append(agents, r.Header.Get("User-Agent"))
		text, ok := answers[r.URL.Path]
		if r.URL.Path == "/limit" {
			w.WriteHeader(http.StatusForbidden)
		} else if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	for path, want := range map[string]release{
		"/good": {"v2.0.0", "https://example.org/v2.0.0"}, "/page": {"v2.0.0", releases},
		"/shell": {}, "/lines": {}, "/none": {}, "/html": {}, "/long": {}, "/limit": {}, "/missing": {},
	} {
		t.Run(path, func(t *testing.T) {
			got, err := ask(context.Background(), server.URL+path, none)
			if got != want || (err == nil) != (want != release{}) {
				t.Errorf("%s: %+v, %v", path, got, err)
			}
		})
	}
	for _, a := range agents {
		if a != "agents-hooks" {
			t.Errorf("the server was told of %q", a)
		}
	}
	address := server.URL
	server.Close()
	if _, err := ask(context.Background(), address, none); err == nil {
		t.Error("a server that is down gave a release")
	}
}
