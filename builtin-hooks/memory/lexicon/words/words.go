// Package words holds the lexicon of this version, linked into the large program,
// which lays it where both find it. It is kept compressed: nobody reads it here, and
// a fifth of its bytes are of no use in the program.
package words

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
)

//go:embed lexicon.bin.gz
var packed string

// Unpack writes the lexicon as package lexicon reads it.
func Unpack(w io.Writer) error {
	r, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return err
}
