package sqlitefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// ErrDamaged is what every error about the content of a file is.
var ErrDamaged = errors.New("damaged, or not an SQLite database")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// A File is a database as it was when it was read.
type File struct {
	main     []byte
	newer    map[uint32][]byte // pages of the write-ahead log
	pages    uint32            // how many there are
	size     int               // of a page
	usable   int               // of it, what is not reserved
	version  int
	roots    map[string]uint32
	rowidCol map[string]int // the column of a table that is its rowid, -1 if none is
}

// tries is how often file and log are read while somebody changes them.
const tries = 50

// Read reads a file.
func Read(path string) (*File, error) {
	main, log, err := both(path)
	if err != nil {
		return nil, err
	}
	f := &File{main: main, newer: map[uint32][]byte{}, roots: map[string]uint32{}, rowidCol: map[string]int{}}
	if len(main) == 0 && len(log) == 0 {
		return f, nil // made, and nothing written yet
	}
	if err := f.layLog(log); err != nil {
		return nil, err
	}
	if err := f.head(); err != nil {
		return nil, err
	}
	return f, f.schema()
}

// both are the file and its write-ahead log at one moment: between two readings of the
// file the log was read, between two of the log the file, and nothing differed.
func both(path string) (main, log []byte, err error) {
	read := func() error {
		if main, err = statefile.Read(path); err == nil {
			log, err = statefile.Read(path + "-wal")
		}
		return err
	}
	if err := read(); err != nil {
		return nil, nil, err
	}
	for range tries {
		was, logWas := main, log
		if err := read(); err != nil {
			return nil, nil, err
		}
		if bytes.Equal(was, main) && bytes.Equal(logWas, log) {
			return main, log, unfinished(path)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil, nil, fmt.Errorf("%q keeps changing while it is read", path)
}

var journalMagic = []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}

// unfinished reports a rollback journal that would have to be played back first.
func unfinished(path string) error {
	b, err := statefile.Read(path + "-journal")
	if err == nil && bytes.HasPrefix(b, journalMagic) {
		err = damaged("a transaction was not finished: %q has to be played back by SQLite itself", path+"-journal")
	}
	return err
}

// layLog lays the pages of the finished transactions of a write-ahead log over those of
// the file. What comes after the last one, and what is left of an earlier round of the
// log, is told by salts and sums.
func (f *File) layLog(log []byte) error {
	const head, frame = 32, 24
	if len(log) < head {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch binary.BigEndian.Uint32(log) {
	case 0x377f0682:
	case 0x377f0683:
		order = binary.BigEndian
	default:
		return damaged("its write-ahead log is none")
	}
	size := int(binary.BigEndian.Uint32(log[8:]))
	if size < 512 || size > 65536 || size&(size-1) != 0 {
		return damaged("its write-ahead log has pages of %d bytes", size)
	}
	a, b := sum(order, 0, 0, log[:24])
	if a != binary.BigEndian.Uint32(log[24:]) || b != binary.BigEndian.Uint32(log[28:]) {
		return nil // its head was just being written: nothing in it is finished
	}
	waiting := map[uint32][]byte{}
	for at := head; at+frame+size <= len(log); at += frame + size {
		h, page := log[at:at+frame], log[at+frame:at+frame+size]
		if !bytes.Equal(h[8:16], log[16:24]) {
			break
		}
		a, b = sum(order, a, b, h[:8])
		a, b = sum(order, a, b, page)
		if a != binary.BigEndian.Uint32(h[16:]) || b != binary.BigEndian.Uint32(h[20:]) {
			break
		}
		waiting[binary.BigEndian.Uint32(h)] = page
		if pages := binary.BigEndian.Uint32(h[4:]); pages > 0 { // the end of a transaction
			maps.Copy(f.newer, waiting)
			clear(waiting)
			f.pages, f.size = pages, size
		}
	}
	return nil
}

// sum goes on with the sum of a write-ahead log.
func sum(order binary.ByteOrder, a, b uint32, data []byte) (uint32, uint32) {
	for i := 0; i+8 <= len(data); i += 8 {
		a += order.Uint32(data[i:]) + b
		b += order.Uint32(data[i+4:]) + a
	}
	return a, b
}

// head reads what the first page says of all.
func (f *File) head() error {
	first := f.newer[1]
	if first == nil {
		first = f.main
	}
	if len(first) < 100 || string(first[:16]) != "SQLite format 3\x00" {
		return damaged("it does not begin as one")
	}
	size := int(binary.BigEndian.Uint16(first[16:]))
	if size == 1 {
		size = 65536
	}
	if size < 512 || size&(size-1) != 0 || f.size != 0 && f.size != size {
		return damaged("pages of %d bytes", size)
	}
	f.size, f.usable = size, size-int(first[20])
	if f.usable < 480 {
		return damaged("%d bytes of each page are reserved", first[20])
	}
	if e := binary.BigEndian.Uint32(first[56:]); e > 1 {
		return damaged("its texts are in UTF-16")
	}
	f.version = int(binary.BigEndian.Uint32(first[60:]))
	if f.pages == 0 {
		f.pages = uint32(len(f.main) / size)
	}
	return nil
}

// Version is what its owner wrote as PRAGMA user_version.
func (f *File) Version() int { return f.version }

// page is a page by its number, from 1.
func (f *File) page(n uint32) ([]byte, error) {
	if n == 0 || n > f.pages {
		return nil, damaged("page %d of %d", n, f.pages)
	}
	if p := f.newer[n]; p != nil {
		return p, nil
	}
	if end := int64(n) * int64(f.size); end <= int64(len(f.main)) {
		return f.main[end-int64(f.size) : end], nil
	}
	return nil, damaged("page %d of %d is beyond the end of the file", n, f.pages)
}
