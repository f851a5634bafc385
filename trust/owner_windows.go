package trust

import "io/fs"

// owners tells whether others than this user may change a file: not here, where
// that is a matter of lists that hang on each file.
type owners struct{}

func (o *owners) others(fs.FileInfo) error { return nil }

// Steered is why somebody else may decide what lies in a directory: not looked at here.
func Steered(string) error { return nil }
