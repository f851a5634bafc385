package endpoint

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// kept are packed vectors by the texts that they are of.
type kept map[uint64][]byte

func key(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

func (k kept) of(text string) []byte { return k[key(text)] }

const magic = "ahvect1\n"

// readKept reads a file of vectors. One that is damaged, or of another model, holds
// none: they are made anew.
func readKept(file, id string) (kept, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}, nil
	}
	if err != nil {
		return nil, err
	}
	head := magic + id + "\n"
	if len(b) < len(head)+4 || string(b[:len(head)]) != head {
		return kept{}, nil
	}
	b = b[len(head):]
	size := int(binary.LittleEndian.Uint32(b))
	b = b[4:]
	if size <= 0 || len(b)%(8+size) != 0 {
		return kept{}, nil
	}
	k := kept{}
	for ; len(b) > 0; b = b[8+size:] {
		k[binary.LittleEndian.Uint64(b)] = b[8 : 8+size : 8+size]
	}
	return k, nil
}

// write replaces the file. Vectors of one length are kept, that of the most.
func (k kept) write(file, id string) error {
	sizes := map[int]int{}
	size := 0
	keys := make([]uint64, 0, len(k))
	for n, v := range k {
		keys = append(keys, n)
		if len(v) > 0 {
			if sizes[len(v)]++; size == 0 || sizes[len(v)] > sizes[size] {
				size = len(v)
			}
		}
	}
	slices.Sort(keys)
	b := binary.LittleEndian.AppendUint32([]byte(magic+id+"\n"), uint32(size))
	for _, n := range keys {
		if v := k[n]; len(v) == size && size > 0 {
			b = append(binary.LittleEndian.AppendUint64(b, n), v...)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone after the rename
	_, err = temp.Write(b)
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), file)
}
