package ledger

import (
	"bytes"
	"os"
	"strings"
)

// Records are the sorted ones of a ledger. Of a long file only the parts are read that are
// looked into: each event asks for a few of tens of thousands.
type records struct {
	all  []byte   // nil: they are in the file
	file *os.File // which the runtime closes when nobody has the ledger any more
	n    int
	read map[int][]byte // parts of it, by their number
	err  error          // of reading
}

const (
	wholeMost = 64 << 10 // bytes of a file that is read at once
	partSize  = 128      // records
)

func sortedIn(b []byte) records { return records{all: b, n: len(b) / recordSize} }

// part is one part of the records, the last of which may be short.
func (r *records) part(i int) []byte {
	if b, have := r.read[i]; have {
		return b
	}
	b := make([]byte, min(partSize, r.n-i*partSize)*recordSize)
	if _, err := r.file.ReadAt(b, int64(headSize+i*partSize*recordSize)); err != nil {
		r.err, b = err, nil
	}
	if r.read == nil {
		r.read = map[int][]byte{}
	}
	r.read[i] = b
	return b
}

// find is whose the record of a key is. Keys are hashes, so that where one stands can be told
// from itself, give or take a part.
func (r *records) find(key []byte) Whose {
	if r.all != nil || r.n == 0 {
		return search(r.all, key)
	}
	parts := (r.n + partSize - 1) / partSize
	from, to := 0, parts
	at := min(int(place(key)*float64(r.n))/partSize, parts-1)
	for tries := 0; from < to; tries++ {
		b := r.part(at)
		switch {
		case len(b) == 0:
			return Nobody // it could not be read
		case bytes.Compare(key, keyOf(b)) < 0:
			to, at = at, at-1
		case bytes.Compare(key, keyOf(b[len(b)-recordSize:])) > 0:
			from, at = at+1, at+1
		default:
			return search(b, key)
		}
		if at < from || at >= to || tries > 2 {
			at = (from + to) / 2
		}
	}
	return Nobody
}

func search(sorted, key []byte) Whose {
	from, to := 0, len(sorted)/recordSize
	for from < to {
		mid := (from + to) / 2
		r := sorted[mid*recordSize:]
		switch c := bytes.Compare(keyOf(r), key); {
		case c == 0:
			return Whose(r[0])
		case c < 0:
			from = mid + 1
		default:
			to = mid
		}
	}
	return Nobody
}

func keyOf(record []byte) []byte { return record[1 : recordSize-1] }

// inOrder are the letters of keys as bytes sort them.
const inOrder = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

// place is where among all keys one would stand, from 0 to 1.
func place(key []byte) (at float64) {
	part := 1.0
	for _, c := range key[:4] {
		part /= float64(len(inOrder))
		at += part * float64(max(0, strings.IndexByte(inOrder, c)))
	}
	return at
}

// whole are all of them.
func (r *records) whole() []byte {
	if r.all == nil && r.n > 0 && r.err == nil {
		all := make([]byte, r.n*recordSize)
		if _, r.err = r.file.ReadAt(all, headSize); r.err == nil {
			r.all = all
		}
	}
	return r.all
}
