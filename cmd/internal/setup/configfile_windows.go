package setup

import (
	"io/fs"
	"os"
)

// manyLinks: hard links to configuration files are not usual there.
func manyLinks(fs.FileInfo) bool { return false }

// sameOwner: a new file inherits from its folder, as the old one did.
func sameOwner(*os.File, fs.FileInfo) error { return nil }
