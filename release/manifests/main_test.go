package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Manifests that fit their archives pass, and each member that does not is told.
func TestManifestsAreHeldToTheArchives(t *testing.T) {
	t.Parallel()
	if err := run(dist(t, nil)); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][4]string{ // file, what stands there, what is put there, what is said
		{"agents-hooks.json", `"version": "1.2.3"`, `"version": "1.2.4"`, "scoop: version"},
		{"agents-hooks.json", `"license"`, `"licence"`, "scoop: json: unknown field"},
		{"agents-hooks.json", "_1.2.3_windows_arm64.zip", "_1.2.3_windows_amd64.zip", "scoop: arm64: the address"},
		{"agents-hooks.json", "download/v1.2.3", "download/1.2.3", "the address"},
		{"agents-hooks.json", `"hash": "`, `"hash": "0`, "the sum"},
		{"agents-hooks.json", "/agents-hooks.exe", "/bin/agents-hooks.exe", "does not hold"},
		{"agents-hooks.json", `, "agents-hooks_1.2.3_windows_arm64/agents-hooks.exe"`, "", "the programs are"},
		{"installer.yaml", "InstallerType: zip", "InstallerType: exe", "winget: installers of type"},
		{"installer.yaml", "RelativeFilePath", "RelativePath", "field RelativePath not found"},
		{"installer.yaml", `_arm64\agents-hooks.exe`, `_arm64\bin\agents-hooks.exe`, "does not hold"},
		{"installer.yaml", "PortableCommandAlias: agents-hooks-run", "PortableCommandAlias: run", "is called"},
		{"installer.yaml", "InstallerSha256: ", "InstallerSha256: 0", "the sum"},
		{"installer.yaml", "Architecture: arm64", "Architecture: arm", "no portable programs for arm64"},
		{"installer.yaml", "2026-12-01", "today", "installers of type"},
		{"agents-hooks.agents-hooks.yaml", "ManifestType: version", "ManifestType: singleton", "winget: version has"},
		{"agents-hooks.agents-hooks.yaml", "ManifestVersion: 1.12.0", "ManifestVersion: 2", "winget: version has"},
		{"locale.en-US.yaml", "PackageVersion: 1.2.3", "PackageVersion: 1.2.2", "winget: defaultLocale has"},
		{"locale.en-US.yaml", "ShortDescription: Hooks.", "", "winget: the locale has"},
	} {
		t.Run(fmt.Sprintf("c %q", c[1]), func(t *testing.T) {
			spoiled := 0
			at := dist(t, func(name, text string) string {
				if !strings.HasSuffix(name, c[0]) || !strings.Contains(text, c[1]) {
					return text
				}
				spoiled++
				return strings.ReplaceAll(text, c[1], c[2])
			})
			if err := run(at); spoiled != 1 || err == nil || !strings.Contains(err.Error(), c[3]) {
				t.Errorf("%s, %q: %v, want %q", c[0], c[2], err, c[3])
			}
		})
	}
}

// dist is a folder as goreleaser makes it; change may spoil a manifest.
func dist(t *testing.T, change func(name, text string) string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if change != nil {
			text = change(name, text)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var empty bytes.Buffer
	gzip.NewWriter(&empty).Close()
	checksums, bin, nested, installers := "", "", "", ""
	for _, system := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64"} {
		name, data := "agents-hooks_1.2.3_"+system, empty.String()
		suffix := ".tar.gz"
		if _, arch, windows := strings.Cut(system, "windows_"); windows {
			suffix, data = ".zip", zipped(t, name)
			theirs := map[string][2]string{"amd64": {"64bit", "x64"}, "arm64": {"arm64", "arm64"}}[arch]
			url := "https://github.com/agents-hooks/agents-hooks/releases/download/v1.2.3/" + name + suffix
			bin += fmt.Sprintf(`, %q: {"url": %q, "hash": "%x", "bin": ["%[4]s/agents-hooks-run.exe", "%[4]s/agents-hooks.exe"]}`, theirs[0], url, sha256.Sum256([]byte(data)), name)
			nested = ""
			for _, p := range []string{"agents-hooks", "agents-hooks-run"} {
				nested += fmt.Sprintf("      - RelativeFilePath: %s\\%s.exe\n        PortableCommandAlias: %[2]s\n", name, p)
			}
			installers += fmt.Sprintf("  - Architecture: %s\n    NestedInstallerType: portable\n    NestedInstallerFiles:\n%s    InstallerUrl: %s\n    InstallerSha256: %x\n", theirs[1], nested, url, sha256.Sum256([]byte(data)))
		}
		write(name+suffix, data)
		checksums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(data)), name+suffix)
	}
	write("checksums.txt", checksums)
	write("scoop/bucket/agents-hooks.json", `{"version": "1.2.3", "homepage": "https://example.org", "license": "MIT", "description": "Hooks.", "architecture": {`+bin[2:]+"}}")
	folder, head := "winget/manifests/a/agents-hooks/agents-hooks/1.2.3/agents-hooks.agents-hooks", "PackageIdentifier: agents-hooks.agents-hooks\nPackageVersion: 1.2.3\nManifestVersion: 1.12.0\nManifestType: "
	write(folder+".yaml", head+"version\nDefaultLocale: en-US\n")
	write(folder+".installer.yaml", head+"installer\nInstallerType: zip\nReleaseDate: \"2026-12-01\"\nInstallers:\n"+installers)
	write(folder+".locale.en-US.yaml", head+"defaultLocale\nPackageLocale: en-US\nPublisher: somebody\nPackageName: agents-hooks\nLicense: MIT\nShortDescription: Hooks.\n")
	return dir
}

func zipped(t *testing.T, folder string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range programs {
		if _, err := z.Create(folder + "/" + p); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
