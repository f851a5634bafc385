package sqlitefile

import (
	"encoding/binary"
	"fmt"
	"iter"
	"regexp"
	"strings"
)

// The kinds of pages.
const (
	innerIndex = 2
	innerTable = 5
	leafIndex  = 10
	leafTable  = 13
)

const (
	deepest  = 40      // levels of a b-tree; one of 20 has more rows than there are bytes
	mostData = 1 << 28 // bytes of one row
)

// Rows are the rows of a table in the order of their keys, none of one that is not
// there. After an error there are no more.
func (f *File) Rows(table string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		root, ok := f.roots[table]
		if !ok {
			return
		}
		w := walk{File: f, seen: map[uint32]bool{}, rowid: f.rowidCol[table], yield: yield}
		if _, err := w.page(root, 0); err != nil {
			yield(nil, fmt.Errorf("table %q: %w", table, err))
		}
	}
}

// rowidOf finds the column that is the rowid in the statement that made a table.
var rowidOf = regexp.MustCompile(`(?is)^\s*(?:"?[a-z_]+"?)\s+integer\s+primary\s+key\b`)

// schema reads which tables there are, and where.
func (f *File) schema() error {
	f.roots["sqlite_schema"], f.rowidCol["sqlite_schema"] = 1, -1
	for row, err := range f.Rows("sqlite_schema") {
		if err != nil {
			return err
		}
		if len(row) < 5 || row[0].Text() != "table" {
			continue
		}
		name, sql := row[1].Text(), row[4].Text()
		if name == "sqlite_schema" {
			return damaged("a table of the name %q", name)
		}
		f.roots[name], f.rowidCol[name] = uint32(row[3].Int()), -1
		if _, columns, ok := strings.Cut(sql, "("); ok {
			for i, c := range strings.Split(columns, ",") {
				if rowidOf.MatchString(c) {
					f.rowidCol[name] = i
				}
			}
		}
	}
	return nil
}

// A walk goes through one b-tree.
type walk struct {
	*File
	seen  map[uint32]bool
	rowid int
	yield func(Row, error) bool
}

// page yields the rows of a page and of all below it, and whether more are wanted.
func (w *walk) page(n uint32, depth int) (more bool, err error) {
	p, err := w.File.page(n)
	switch {
	case err != nil:
		return false, err
	case w.seen[n] || depth > deepest:
		return false, damaged("page %d stands in its own tree", n)
	}
	w.seen[n] = true
	at := 0
	if n == 1 {
		at = 100
	}
	kind, cells := p[at], int(binary.BigEndian.Uint16(p[at+3:]))
	inner := kind == innerIndex || kind == innerTable
	pointers := at + 8
	if inner {
		pointers += 4
	}
	if !inner && kind != leafIndex && kind != leafTable {
		return false, damaged("page %d is of kind %d", n, kind)
	}
	for i := range cells {
		c := int(binary.BigEndian.Uint16(p[pointers+2*i:]))
		if c < pointers+2*cells || c >= w.usable {
			return false, damaged("page %d: a cell at %d", n, c)
		}
		if more, err := w.cell(n, p[:w.usable], c, kind, depth); err != nil || !more {
			return false, err
		}
	}
	if inner {
		return w.page(binary.BigEndian.Uint32(p[at+8:]), depth+1)
	}
	return true, nil
}

// cell yields what is below a cell of a page, and its own row.
func (w *walk) cell(n uint32, p []byte, at int, kind byte, depth int) (more bool, err error) {
	b := p[at:]
	if kind == innerTable || kind == innerIndex {
		if len(b) < 4 {
			return false, damaged("page %d: a cell is cut", n)
		}
		if more, err := w.page(binary.BigEndian.Uint32(b), depth+1); err != nil || !more || kind == innerTable {
			return more, err
		}
		b = b[4:]
	}
	size, b, ok := varint(b)
	rowid := int64(0)
	if ok && kind == leafTable {
		var id uint64
		id, b, ok = varint(b)
		rowid = int64(id)
	}
	if !ok || size > mostData {
		return false, damaged("page %d: a cell is cut, or has %d bytes", n, size)
	}
	data, err := w.payload(n, b, int(size), kind)
	if err != nil {
		return false, err
	}
	row, err := record(data)
	if err != nil {
		return false, fmt.Errorf("page %d: %w", n, err)
	}
	if kind == leafTable && w.rowid >= 0 && w.rowid < len(row) && row[w.rowid].kind == 0 {
		row[w.rowid] = Value{kind: integer, n: rowid}
	}
	return w.yield(row, nil), nil
}

// payload puts together a row of which a part lies on pages of its own.
func (w *walk) payload(n uint32, b []byte, size int, kind byte) ([]byte, error) {
	most := (w.usable-12)*64/255 - 23
	if kind == leafTable {
		most = w.usable - 35
	}
	if size <= most {
		if size > len(b) {
			return nil, damaged("page %d: a row of %d bytes is cut", n, size)
		}
		return b[:size], nil
	}
	least := (w.usable-12)*32/255 - 23
	here := least + (size-least)%(w.usable-4)
	if here > most {
		here = least
	}
	if here+4 > len(b) {
		return nil, damaged("page %d: a row of %d bytes is cut", n, size)
	}
	data, next := append(make([]byte, 0, min(size, len(w.main)+len(w.newer)*w.size)), b[:here]...), binary.BigEndian.Uint32(b[here:])
	for len(data) < size {
		p, err := w.File.page(next)
		switch {
		case err != nil:
			return nil, err
		case w.seen[next]:
			return nil, damaged("page %d stands twice", next)
		}
		w.seen[next] = true
		data = append(data, p[4:4+min(size-len(data), w.usable-4)]...)
		next = binary.BigEndian.Uint32(p)
	}
	return data, nil
}

// varint reads a number of 1 to 9 bytes.
func varint(b []byte) (n uint64, rest []byte, ok bool) {
	for i := range min(9, len(b)) {
		if i == 8 {
			return n<<8 | uint64(b[8]), b[9:], true
		}
		n = n<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return n, b[i+1:], true
		}
	}
	return 0, nil, false
}
