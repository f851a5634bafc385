package upgrade

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/build"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A way is how a program was installed.
type way struct {
	id   string // stable, in --json
	said string
	// do are the lines that upgrade it; newest is nil if it was not asked for.
	do func(newest *release, arch string) []string
}

func lines(list ...string) func(*release, string) []string {
	return func(*release, string) []string { return list }
}

const npmPackage = "@agents-hooks/cli@latest"

// wayOf determines how a program was installed: by the folders in which a package manager keeps
// it, by what our packages and the install script leave beside it, or by what the Go toolchain
// wrote into it.
func wayOf(h host.Host, program string) way {
	if keep.Is(h, program) {
		return ofCopy(h)
	}
	path := strings.ToLower(filepath.ToSlash(program))
	in := func(folders string) bool { return strings.Contains(path, folders) }
	switch {
	case in("/node_modules/@agents-hooks/"):
		return ofNode(path, program)
	case in("/cellar/agents-hooks/"):
		return way{"brew", "installed by Homebrew", lines("brew upgrade agents-hooks")}
	case in("/scoop/apps/agents-hooks/"):
		return way{"scoop", "installed by Scoop", lines("scoop update agents-hooks")}
	case in("/winget/packages/"), in("/winget/links/"):
		return way{"winget", "installed by winget", lines("winget upgrade agents-hooks.agents-hooks")}
	}
	if w, ok := marked(h, program); ok {
		return w
	}
	if own := build.Own(); own.Version() != "devel" && own.Commit == "" {
		return way{"go", "installed by go", lines("go install " + repository + "/cmd/agents-hooks@latest " + repository + "/cmd/agents-hooks-run@latest")}
	}
	if own := build.Own(); own.Version() == "devel" || preview(own.Version()) {
		return way{"source", "built from a working copy", lines("git pull", "go install ./cmd/agents-hooks ./cmd/agents-hooks-run")}
	}
	return way{"archive", "unpacked from an archive", archive}
}

// archive is for programs from an archive: no package manager knows which files to replace.
func archive(newest *release, _ string) []string {
	page := releases + "/latest"
	if newest != nil {
		page = newest.Page
	}
	return []string{"unpack the archive for this system over it: " + page}
}

// ofNode is for packages from the npm registry, whatever installed them: into a project, or
// globally. path is in lower case.
func ofNode(path, program string) way {
	in := func(folders string) bool { return strings.Contains(path, folders) }
	root, _, _ := strings.Cut(filepath.ToSlash(program), "/node_modules/")
	root, _, _ = strings.Cut(root, "/.yarn/unplugged/")
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, name))
		return err == nil
	}
	if has("package.json") && !in("/global/") && !in("/_npx/") {
		id, add := "npm", "npm install "
		switch {
		case has("pnpm-lock.yaml"):
			id, add = "pnpm", "pnpm add "
		case has("yarn.lock"):
			id, add = "yarn", "yarn add "
		case has("bun.lock"), has("bun.lockb"):
			id, add = "bun", "bun add "
		}
		return way{id, "a dependency of " + root, lines("cd " + text.ShellWord(root) + " && " + add + npmPackage)}
	}
	installed := func(id, name, line string) way { return way{id, "installed by " + name, lines(line)} }
	switch {
	case in("/_npx/"):
		return installed("npx", "npx, for the moment", "npx "+npmPackage+" …, or to stay: npm install -g "+npmPackage)
	case in("/pnpm/"), in("/.pnpm/"):
		return installed("pnpm", "pnpm", "pnpm add -g "+npmPackage)
	case in("/.bun/"):
		return installed("bun", "bun", "bun add -g "+npmPackage)
	case in("/yarn/"):
		return installed("yarn", "yarn", "yarn global add "+npmPackage)
	}
	return installed("npm", "npm", "npm install -g "+npmPackage)
}

// marked reads what our packages and the install script leave beside the program, in
// ../share/agents-hooks/installed-by.
func marked(h host.Host, program string) (way, bool) {
	prefix := filepath.Dir(filepath.Dir(program))
	b, err := os.ReadFile(filepath.Join(prefix, "share", "agents-hooks", "installed-by"))
	if err != nil {
		return way{}, false
	}
	switch by := strings.TrimSpace(string(b)); by {
	case "deb":
		return way{by, "installed as a Debian package", packaged("agents-hooks_%s_", map[string]string{"amd64": "amd64", "arm64": "arm64"}, ".deb", "sudo dpkg -i")}, true
	case "rpm":
		return way{by, "installed as an RPM package", packaged("agents-hooks-%s-1.", map[string]string{"amd64": "x86_64", "arm64": "aarch64"}, ".rpm", "sudo rpm -U")}, true
	case "apk":
		return way{by, "installed as an Alpine package", packaged("agents-hooks_%s_", map[string]string{"amd64": "x86_64", "arm64": "aarch64"}, ".apk", "sudo apk add --allow-untrusted")}, true
	case "script":
		if h.GOOS == "windows" {
			// The script reads a variable; a quote in a PowerShell word is doubled.
			where := "$env:AGENTS_HOOKS_PREFIX = '" + strings.ReplaceAll(prefix, "'", "''") + "'; "
			return way{by, "installed by the script", lines(where + "irm " + releases + "/latest/download/install.ps1 | iex")}, true
		}
		return way{by, "installed by the script", lines("curl -fsSL " + releases + "/latest/download/install.sh | sh -s -- --prefix " + text.ShellWord(prefix))}, true
	}
	return way{}, false
}

// packaged are the lines that fetch a package and install it.
func packaged(name string, arch map[string]string, suffix, install string) func(*release, string) []string {
	return func(newest *release, goarch string) []string {
		a := arch[goarch]
		if newest == nil || a == "" {
			return []string{install + " the " + strings.TrimPrefix(suffix, ".") + " file for this machine of " + releases + "/latest"}
		}
		file := strings.Replace(name, "%s", strings.TrimPrefix(newest.Version, "v"), 1) + a + suffix
		return []string{"curl -fsSLO " + releases + "/download/" + newest.Version + "/" + file, install + " ./" + file}
	}
}

// ofCopy is for the copy that agents start: the program that it was copied from has to be
// upgraded.
func ofCopy(h host.Host) way {
	now, ok := keep.Read(h)
	if !ok || now.From == "" {
		return way{"copy", "the copy that agents start", archive}
	}
	if _, err := os.Stat(now.From); err != nil {
		return way{"copy", "the copy that agents start; the program that it was made of is gone", func(newest *release, arch string) []string {
			return []string{"install agents-hooks again in any way (" + releases + "/latest), and call it once: the copy follows"}
		}}
	}
	w := wayOf(h, now.From)
	return way{"copy", "the copy that agents start, of a program " + w.said, func(newest *release, arch string) []string {
		return append(w.do(newest, arch), "then call agents-hooks once: the copy follows")
	}}
}
