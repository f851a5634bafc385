package kiro

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{Files: files}

// files are all files in the folder of hooks, whatever their names.
func files(s protocol.Site) []string {
	ours := file(s)
	dir := ours[:len(ours)-len("/agents-hooks.json")]
	if s.List == nil {
		return []string{ours}
	}
	var list []string
	for _, name := range s.List(dir) {
		if strings.HasSuffix(name, ".json") {
			list = append(list, s.Join(dir, name))
		}
	}
	return list
}
