// Command npm makes the npm packages of a release out of its archives: one with the
// programs for each system, and @agents-hooks/cli, which depends on all of them as
// options; and beside them @agents-hooks/client, for agents in TypeScript. npm installs the
// one that fits the machine. No script runs at an install and
// nothing is fetched beside the packages themselves.
//
//	go run ./npm DIST TO
//
// DIST is what goreleaser made, checksums.txt included; TO gets a folder and a .tgz for
// each package. It needs npm.
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agents-hooks/agents-hooks/release/archive"
	"github.com/agents-hooks/agents-hooks/release/sums"
)

//go:embed start.js
var launcher []byte

const scope = "@agents-hooks/"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: npm DIST TO")
		os.Exit(64)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "npm:", err)
		os.Exit(1)
	}
}

// A manifest is a package.json, in the order in which people read one.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage"`
	Repository  map[string]string `json:"repository"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Files       []string          `json:"files"`
	Options     map[string]string `json:"optionalDependencies,omitempty"`
	Publish     map[string]string `json:"publishConfig"`
	// A package manager that keeps packages zipped has to unpack a program.
	Unplugged bool `json:"preferUnplugged,omitempty"`
}

func run(dist, to string) error {
	list, err := sums.Archives(dist, "agents-hooks")
	if err != nil {
		return err
	}
	cli := newManifest("cli")
	cli.Description = "One folder of hooks for every coding agent."
	cli.Options = map[string]string{}
	cli.Engines = map[string]string{"node": ">=18"}
	cli.Bin = map[string]string{"agents-hooks": "start.js"}
	cli.Files = []string{"start.js"}
	var rest []archive.File // what is not for one system
	var dirs []string
	for _, a := range list {
		files, err := archive.Read(filepath.Join(dist, a.Name))
		if err != nil {
			return err
		}
		p := forSystem(a.OS, a.Arch)
		p.Version, cli.Version = a.Version, a.Version
		cli.Options[p.Name] = p.Version
		dir := filepath.Join(to, strings.TrimPrefix(p.Name, scope))
		if err := write(dir, p, programs(files)); err != nil {
			return err
		}
		dirs = append(dirs, dir)
		rest = files
	}
	files := []archive.File{{Name: "start.js", Mode: 0o755, Data: launcher}}
	for _, f := range rest {
		if f.Name == "README.md" || f.Name == "LICENSE" {
			files = append(files, f)
		}
	}
	dir := filepath.Join(to, "cli")
	if err := write(dir, cli, files); err != nil {
		return err
	}
	library, err := writeClient(filepath.Join(to, "client"), cli.Version)
	if err != nil {
		return err
	}
	return pack(to, append(dirs, dir, library))
}

// client is where the client for agents in TypeScript stands, from this module's folder.
var client = filepath.Join("..", "clients", "typescript")

// writeClient copies the client for agents in TypeScript, as a package of a version. It
// depends on none of the others: whoever has the program by another way needs no second.
func writeClient(dir, version string) (string, error) {
	text, err := os.ReadFile(filepath.Join(client, "package.json"))
	if err != nil {
		return "", err
	}
	was := regexp.MustCompile(`"version": "[^"]*"`)
	if len(was.FindAll(text, -1)) != 1 {
		return "", fmt.Errorf("%s: want one version in it", filepath.Join(client, "package.json"))
	}
	if err := os.CopyFS(filepath.Join(dir, "src"), os.DirFS(filepath.Join(client, "src"))); err != nil {
		return "", err
	}
	files := map[string]string{"README.md": filepath.Join(client, "README.md"), "LICENSE": filepath.Join("..", "LICENSE")}
	for name, from := range files {
		data, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return "", err
		}
	}
	text = was.ReplaceAll(text, []byte(`"version": "`+version+`"`))
	return dir, os.WriteFile(filepath.Join(dir, "package.json"), text, 0o644)
}

func newManifest(name string) manifest {
	return manifest{
		Name: scope + name, License: "MIT", Homepage: "https://github.com/agents-hooks/agents-hooks",
		Repository: map[string]string{"type": "git", "url": "git+https://github.com/agents-hooks/agents-hooks.git"},
		Publish:    map[string]string{"access": "public"}, // who publishes by hand has no provenance to give
	}
}

// forSystem is the package of one system, in npm's words for it.
func forSystem(goos, goarch string) manifest {
	system := cmp.Or(map[string]string{"windows": "win32"}[goos], goos)
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[goarch]
	p := newManifest("cli-" + system + "-" + cpu)
	p.Description = "The programs of " + scope + "cli for " + system + " on " + cpu + "."
	p.OS, p.CPU, p.Files, p.Unplugged = []string{system}, []string{cpu}, []string{"bin"}, true
	return p
}

// programs are what a package of one system has: the programs below bin, and the license.
func programs(files []archive.File) (list []archive.File) {
	for _, f := range files {
		switch strings.TrimSuffix(f.Name, ".exe") {
		case "agents-hooks", "agents-hooks-run":
			list = append(list, archive.File{Name: "bin/" + f.Name, Mode: 0o755, Data: f.Data})
		case "LICENSE":
			list = append(list, f)
		}
	}
	return list
}

func write(dir string, m manifest, files []archive.File) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	for _, f := range append(files, archive.File{Name: "package.json", Mode: 0o644, Data: text.Bytes()}) {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, f.Mode); err != nil {
			return err
		}
	}
	return nil
}

func pack(to string, dirs []string) error {
	for _, dir := range dirs {
		cmd := exec.Command("npm", "pack", "--silent", "--pack-destination", ".", "./"+filepath.Base(dir))
		cmd.Dir, cmd.Stderr = to, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("npm pack %s: %w", dir, err)
		}
	}
	return nil
}
