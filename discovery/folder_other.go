//go:build !linux

package discovery

import (
	"io/fs"
	"os"
)

// children lists the folders and links of a folder, without those whose name
// begins with a dot.
func (d *folder) children() ([]child, error) {
	entries, err := os.ReadDir(d.path)
	var out []child
	for _, e := range entries {
		link := e.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0
		if (e.IsDir() || link) && e.Name()[0] != '.' {
			out = append(out, child{e.Name(), link})
		}
	}
	return out, err
}
