package beneath

import (
	"io/fs"
	"os"
)

const atOnce, folderOnly = 0, 0

// keeps: an open folder can be neither moved nor removed, and a dispatcher that answers
// many events would hold every project that it has seen.
const keeps = false

func (r *Root) unwaited(_ string, err error) error { return err }

// linked reports whether a name leads elsewhere: a link, or a junction.
func linked(info fs.FileInfo) bool { return info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

func ManyNames(os.FileInfo) bool { return false }
