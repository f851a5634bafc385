// Package words holds the lexicon of this version, the file lexicon.bin: linked
// into the large program, which lays it where both find it.
package words

import _ "embed"

// File is the lexicon as package lexicon reads it.
//
//go:embed lexicon.bin
var File string
