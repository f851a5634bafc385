//go:build !linux

package beneath

import "io/fs"

// Children lists the folders and links of a folder, without those whose name
// begins with a dot.
func (d *Folder) Children() ([]Child, error) {
	entries, err := d.in.List(d.Path)
	var out []Child
	for _, e := range entries {
		link := e.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0
		if (e.IsDir() || link) && e.Name()[0] != '.' {
			out = append(out, Child{e.Name(), link})
		}
	}
	return out, err
}
