// Package words embeds the lexicon of this version in the large program, which writes
// it where both programs find it. It is compressed, since nothing reads it here.
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
