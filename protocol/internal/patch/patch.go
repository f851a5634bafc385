// Package patch reads the patches of apply_patch, a tool that several agents
// have adopted from Codex: text with "*** Update File: PATH" headers.
package patch

import (
	"slices"
	"strings"
)

// Files lists the files that a patch names in its headers, each once, in order. Codex
// allows white space around a header, so a guard has to as well.
func Files(patch string) []string {
	var paths []string
	for line := range strings.Lines(patch) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "*** ")
		if !ok {
			continue
		}
		for _, header := range []string{"Add File:", "Update File:", "Delete File:", "Move to:"} {
			path, ok := strings.CutPrefix(rest, header)
			if path = strings.TrimSpace(path); ok && path != "" && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
