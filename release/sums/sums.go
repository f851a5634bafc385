// Package sums reads checksums.txt of a release, which names each of its files.
package sums

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An Archive is one of programs for a system.
type Archive struct {
	Name, Version, OS, Arch string
	Sum                     string // SHA-256, in hexadecimal
}

// Archives are those of a program (agents-hooks, agents-hooks-server) in a folder that
// goreleaser made, each of which has the sum that it should have: one for every system,
// or it is an error.
func Archives(dist, program string) (list []Archive, err error) {
	name := regexp.MustCompile("^" + program + `_(.+)_(linux|darwin|windows)_(amd64|arm64)\.(tar\.gz|zip)$`)
	text, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		sum, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
		m := name.FindStringSubmatch(file)
		if m == nil {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dist, file))
		if err != nil {
			return nil, err
		}
		if got := sha256.Sum256(b); hex.EncodeToString(got[:]) != sum {
			return nil, fmt.Errorf("%s is not what checksums.txt says", file)
		}
		list = append(list, Archive{file, m[1], m[2], m[3], sum})
	}
	if len(list) != 6 {
		return nil, fmt.Errorf("%s: archives of %s for %d systems, want 6", dist, program, len(list))
	}
	slices.SortFunc(list, func(a, b Archive) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
