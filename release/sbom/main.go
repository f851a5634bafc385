// Command sbom writes what the programs of an archive are made of, as CycloneDX 1.6:
// the modules of each, with their sums, as the Go toolchain wrote them into it. It reads
// the archive that people get, not the tree that it came from.
//
//	go run ./sbom ARCHIVE DOCUMENT
//
// Neither a time nor a random number goes in: two builds give one document.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/agents-hooks/agents-hooks/release/archive"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom ARCHIVE DOCUMENT")
		os.Exit(64)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	bom, err := describe(from)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	encoder := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true)
	if err := encoder.EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return err
	}
	return os.WriteFile(to, text.Bytes(), 0o644)
}

// describe reads the programs out of an archive.
func describe(from string) (*cdx.BOM, error) {
	files, err := archive.Read(from)
	if err != nil {
		return nil, err
	}
	var programs, modules []cdx.Component
	var needs []cdx.Dependency
	version := ""
	for _, f := range files {
		info, err := buildinfo.Read(bytes.NewReader(f.Data))
		if err != nil {
			continue // no program of Go
		}
		version = info.Main.Version
		sum := sha256.Sum256(f.Data)
		program := cdx.Component{
			BOMRef: "program:" + path.Base(f.Name), Type: cdx.ComponentTypeApplication, Name: path.Base(f.Name), Version: version,
			PackageURL: purl(info.Main.Path, version),
			Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		}
		programs = append(programs, program)
		of := []cdx.Component{{Type: cdx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion, PackageURL: purl("std", info.GoVersion)}}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			of = append(of, cdx.Component{
				Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: purl(m.Path, m.Version),
				Properties: &[]cdx.Property{{Name: "go:sum", Value: m.Sum}},
			})
		}
		var refs []string
		for _, c := range of {
			c.BOMRef = c.PackageURL
			refs = append(refs, c.BOMRef)
			if !slices.ContainsFunc(modules, func(m cdx.Component) bool { return m.BOMRef == c.BOMRef }) {
				modules = append(modules, c)
			}
		}
		needs = append(needs, cdx.Dependency{Ref: program.BOMRef, Dependencies: &refs})
	}
	if len(programs) == 0 {
		return nil, fmt.Errorf("%s holds no program of Go", from)
	}
	slices.SortFunc(modules, func(a, b cdx.Component) int { return cmp.Compare(a.BOMRef, b.BOMRef) })
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{BOMRef: "archive", Type: cdx.ComponentTypeApplication, Name: filepath.Base(from), Version: version}}
	all := append(programs, modules...)
	bom.Components, bom.Dependencies = &all, &needs
	return bom, nil
}

func purl(module, version string) string {
	return "pkg:golang/" + strings.ToLower(module) + "@" + strings.ReplaceAll(version, "+", "%2B")
}
