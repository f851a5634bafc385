// Command manifests holds what goreleaser wrote for Scoop and winget to the archives of
// the same release: each member is one that these programs know, each address names an
// archive whose sum stands beside it, and each program that is named lies in it.
//
//	go run ./manifests DIST
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/agents-hooks/agents-hooks/release/archive"
	"github.com/agents-hooks/agents-hooks/release/sums"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manifests DIST")
		os.Exit(64)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

func run(dist string) error {
	list, err := sums.Archives(dist, "agents-hooks")
	if err != nil {
		return err
	}
	return errors.Join(scoop(dist, list), winget(dist, list))
}

var programs = []string{"agents-hooks-run.exe", "agents-hooks.exe"}

// A download is an archive as a manifest names it.
type download struct {
	url, sum string
	programs []string // paths in the archive
}

// holds reports what is wrong with the download for a processor.
func (d download) holds(dist string, list []sums.Archive, arch string) error {
	i := slices.IndexFunc(list, func(a sums.Archive) bool { return a.OS == "windows" && a.Arch == arch })
	a := list[i]
	tag := "v" + a.Version
	if strings.Contains(tag, "-snapshot.") { // nobody tagged it: the address is of the tag before
		tag = path.Base(path.Dir(d.url))
	}
	if want := "https://github.com/agents-hooks/agents-hooks/releases/download/" + tag + "/" + a.Name; d.url != want {
		return fmt.Errorf("%s: the address is %q, want %q", arch, d.url, want)
	}
	if !strings.EqualFold(d.sum, a.Sum) {
		return fmt.Errorf("%s: the sum is %q, want %q", arch, d.sum, a.Sum)
	}
	files, err := archive.Read(filepath.Join(dist, a.Name))
	if err != nil {
		return err
	}
	folder := strings.TrimSuffix(a.Name, ".zip")
	var names []string
	for _, p := range d.programs {
		p = strings.ReplaceAll(p, `\`, "/")
		if !slices.ContainsFunc(files, func(f archive.File) bool { return folder+"/"+f.Name == p }) {
			return fmt.Errorf("%s: %s does not hold %q", arch, a.Name, p)
		}
		names = append(names, path.Base(p))
	}
	slices.Sort(names)
	if !slices.Equal(names, programs) {
		return fmt.Errorf("%s: the programs are %q, want %q", arch, names, programs)
	}
	return nil
}

// scoop holds Scoop's manifest.
func scoop(dist string, list []sums.Archive) error {
	var m struct {
		Version, Homepage, License, Description string
		Architecture                            map[string]struct {
			URL, Hash string
			Bin       []string
		}
	}
	data, err := os.ReadFile(filepath.Join(dist, "scoop", "bucket", "agents-hooks.json"))
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return fmt.Errorf("scoop: %w", err)
	}
	if m.Version != list[0].Version || m.Homepage == "" || m.License != "MIT" || m.Description == "" || len(m.Architecture) != 2 {
		return fmt.Errorf("scoop: version %q, home %q, license %q, description %q, %d processors", m.Version, m.Homepage, m.License, m.Description, len(m.Architecture))
	}
	for ours, theirs := range map[string]string{"amd64": "64bit", "arm64": "arm64"} {
		a := m.Architecture[theirs]
		if err := (download{a.URL, a.Hash, a.Bin}).holds(dist, list, ours); err != nil {
			return fmt.Errorf("scoop: %w", err)
		}
	}
	return nil
}

// What each of winget's three files has.
type (
	head struct {
		PackageIdentifier string `yaml:"PackageIdentifier"`
		PackageVersion    string `yaml:"PackageVersion"`
		ManifestType      string `yaml:"ManifestType"`
		ManifestVersion   string `yaml:"ManifestVersion"`
	}
	version struct {
		head          `yaml:",inline"`
		DefaultLocale string `yaml:"DefaultLocale"`
	}
	installers struct {
		head            `yaml:",inline"`
		InstallerLocale string      `yaml:"InstallerLocale"`
		InstallerType   string      `yaml:"InstallerType"`
		ReleaseDate     string      `yaml:"ReleaseDate"`
		Installers      []installer `yaml:"Installers"`
	}
	installer struct {
		Architecture         string `yaml:"Architecture"`
		NestedInstallerType  string `yaml:"NestedInstallerType"`
		NestedInstallerFiles []struct {
			RelativeFilePath     string `yaml:"RelativeFilePath"`
			PortableCommandAlias string `yaml:"PortableCommandAlias"`
		} `yaml:"NestedInstallerFiles"`
		InstallerURL    string `yaml:"InstallerUrl"`
		InstallerSha256 string `yaml:"InstallerSha256"`
		UpgradeBehavior string `yaml:"UpgradeBehavior"`
	}
	locale struct {
		head             `yaml:",inline"`
		PackageLocale    string `yaml:"PackageLocale"`
		Publisher        string `yaml:"Publisher"`
		PublisherURL     string `yaml:"PublisherUrl"`
		PackageName      string `yaml:"PackageName"`
		PackageURL       string `yaml:"PackageUrl"`
		License          string `yaml:"License"`
		LicenseURL       string `yaml:"LicenseUrl"`
		ShortDescription string `yaml:"ShortDescription"`
		Moniker          string `yaml:"Moniker"`
	}
)

var (
	schemaVersion = regexp.MustCompile(`^1\.\d+\.\d+$`)
	date          = regexp.MustCompile(`^20\d\d-\d\d-\d\d$`)
)

// winget holds winget's three files.
func winget(dist string, list []sums.Archive) error {
	const id = "agents-hooks.agents-hooks"
	dir := filepath.Join(dist, "winget", "manifests", "a", "agents-hooks", "agents-hooks", list[0].Version)
	var v version
	var i installers
	var l locale
	for file, of := range map[string]any{id + ".yaml": &v, id + ".installer.yaml": &i, id + ".locale.en-US.yaml": &l} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return err
		}
		d := yaml.NewDecoder(bytes.NewReader(data))
		d.KnownFields(true)
		if err := d.Decode(of); err != nil {
			return fmt.Errorf("winget: %s: %w", file, err)
		}
	}
	for kind, h := range map[string]head{"version": v.head, "installer": i.head, "defaultLocale": l.head} {
		if h.PackageIdentifier != id || h.PackageVersion != list[0].Version || h.ManifestType != kind || !schemaVersion.MatchString(h.ManifestVersion) {
			return fmt.Errorf("winget: %s has %+v", kind, h)
		}
	}
	if v.DefaultLocale != "en-US" || l.PackageLocale != "en-US" {
		return fmt.Errorf("winget: the locale is %q, and %q is told of", v.DefaultLocale, l.PackageLocale)
	}
	if n := len(l.ShortDescription); l.Publisher == "" || l.PackageName == "" || l.License != "MIT" || n < 3 || n > 256 {
		return fmt.Errorf("winget: the locale has %+v", l)
	}
	if i.InstallerType != "zip" || !date.MatchString(i.ReleaseDate) || len(i.Installers) != 2 {
		return fmt.Errorf("winget: installers of type %q, of %q, %d", i.InstallerType, i.ReleaseDate, len(i.Installers))
	}
	for ours, theirs := range map[string]string{"amd64": "x64", "arm64": "arm64"} {
		n := slices.IndexFunc(i.Installers, func(a installer) bool { return a.Architecture == theirs && a.NestedInstallerType == "portable" })
		if n < 0 {
			return fmt.Errorf("winget: no portable programs for %s", theirs)
		}
		a := i.Installers[n]
		d := download{url: a.InstallerURL, sum: a.InstallerSha256}
		for _, f := range a.NestedInstallerFiles {
			d.programs = append(d.programs, f.RelativeFilePath)
			if want := strings.TrimSuffix(path.Base(strings.ReplaceAll(f.RelativeFilePath, `\`, "/")), ".exe"); f.PortableCommandAlias != want {
				return fmt.Errorf("winget: %s is called %q", f.RelativeFilePath, f.PortableCommandAlias)
			}
		}
		if err := d.holds(dist, list, ours); err != nil {
			return fmt.Errorf("winget: %w", err)
		}
	}
	return nil
}
