package memory

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// indexMax limits git's index, which is searched for a name.
const indexMax = 256 << 20

// tracks reports whether git tracks a file in this working tree, given its path. It is not known
// if the index cannot be read here.
func (c *Checkout) tracks(file string) (yes, known bool) {
	if c.index == nil {
		c.index, c.indexed = []byte{}, false
		b, err := safefile.Read(filepath.Join(c.dir, "index"), indexMax)
		parts, _ := filepath.Glob(filepath.Join(c.dir, "sharedindex.*")) // the names are in two files
		switch {
		case errors.Is(err, fs.ErrNotExist):
			c.indexed = true
		case err == nil && len(parts) == 0:
			c.index, c.indexed = indexNames(b)
		}
	}
	if file == "" {
		return false, c.indexed
	}
	dir := path.Dir(file)
	if _, have := c.folders[dir]; !have {
		if c.folders == nil {
			c.folders = map[string][]byte{}
		}
		c.folders[dir] = folderIn(c.index, dir)
	}
	return inIndex(c.folders[dir], bytes.HasPrefix(c.index, []byte("DIRC")), file), c.indexed
}

// folderIn is the part of an index with the files of a folder, and what precedes a name in it.
func folderIn(index []byte, dir string) []byte {
	if dir == "." {
		return index
	}
	prefix := []byte(dir + "/")
	first := bytes.Index(index, prefix)
	if first < 0 {
		return nil
	}
	last := first
	for more := 0; more >= 0; more = bytes.Index(index[last+1:], prefix) {
		if more > 0 {
			last += 1 + more
		}
	}
	end := bytes.IndexByte(index[last:], 0)
	return index[max(0, first-4) : last+end+1]
}

// inIndex reports whether a name is in a whole index, or in names, and not only the end of another.
func inIndex(index []byte, whole bool, name string) bool {
	for at := 0; ; at++ {
		i := bytes.Index(index[at:], []byte(name+"\x00"))
		if i < 0 {
			return false
		}
		at += i
		if !whole && at > 0 && index[at-1] == 0 || whole && (lengthAt(index, at-2) == len(name) || lengthAt(index, at-4) == len(name)) {
			return true
		}
	}
}

// lengthAt is the length of the name that follows flags in an index, up to what they can say.
func lengthAt(index []byte, flags int) int {
	if flags < 0 {
		return -1
	}
	return int(binary.BigEndian.Uint16(index[flags:]) & 0xfff)
}

// indexNames is an index with names in full, or these names, each between zero bytes.
func indexNames(index []byte) (names []byte, ok bool) {
	if len(index) < 12 || string(index[:4]) != "DIRC" {
		return []byte{}, false
	}
	if binary.BigEndian.Uint32(index[4:]) < 4 {
		return index, true
	}
	for _, hash := range [...]int{20, 32} { // SHA-1 and SHA-256: the repository's settings know
		if names, ok := shortNames(index, hash); ok {
			return names, true
		}
	}
	return []byte{}, false
}

// shortNames are the names in an index of version 4, in which each says how much of the one
// before it leaves out, and what follows.
func shortNames(index []byte, hash int) (names []byte, ok bool) {
	const stat = 40 // times, device, mode, owner and size
	at, last := 12, []byte{}
	names = append(make([]byte, 0, len(index)), 0)
	for range binary.BigEndian.Uint32(index[8:]) {
		flags := at + stat + hash
		if flags+4 > len(index) {
			return nil, false
		}
		at = flags + 2
		if index[flags]&0x40 != 0 { // more flags follow
			at += 2
		}
		less := 0
		for more := true; more; at++ {
			if at >= len(index) || less > len(last) {
				return nil, false
			}
			less = less<<7 + int(index[at]&0x7f)
			if more = index[at]&0x80 != 0; more {
				less++
			}
		}
		end := bytes.IndexByte(index[at:], 0)
		if end < 0 || less > len(last) {
			return nil, false
		}
		name := append(bytes.Clone(last[:len(last)-less]), index[at:at+end]...)
		if bytes.Compare(name, last) < 0 || len(names) > indexMax { // they are in order
			return nil, false
		}
		names, last, at = append(append(names, name...), 0), name, at+end+1
	}
	return names, true
}
