package sqlitefile

import (
	"encoding/binary"
	"math"
)

// A Row is the values of a row, in the order of the columns; of a table without rowid,
// those of its key first.
type Row []Value

// At is a value of a column, of one that the row does not have none.
func (r Row) At(column int) Value {
	if column < 0 || column >= len(r) {
		return Value{}
	}
	return r[column]
}

const (
	integer = iota + 1
	float
	text // or a blob
)

// A Value is what stands in one column.
type Value struct {
	kind int // 0: nothing
	n    int64
	f    float64
	s    string
}

// None reports that it is NULL.
func (v Value) None() bool { return v.kind == 0 }

// Text is a text or a blob, "" of anything else.
func (v Value) Text() string { return v.s }

// Int is a number.
func (v Value) Int() int64 {
	if v.kind == float {
		return int64(v.f)
	}
	return v.n
}

// Float is a number.
func (v Value) Float() float64 {
	if v.kind == integer {
		return float64(v.n)
	}
	return v.f
}

// record reads a row: the kinds of its values, then these.
func record(b []byte) (row Row, err error) {
	size, kinds, ok := varint(b)
	if !ok || size > uint64(len(b)) || size < uint64(len(b)-len(kinds)) {
		return nil, damaged("a row whose head has %d bytes", size)
	}
	kinds, b = b[len(b)-len(kinds):size], b[size:]
	for len(kinds) > 0 {
		var k uint64
		if k, kinds, ok = varint(kinds); !ok {
			return nil, damaged("the head of a row is cut")
		}
		v, n, ok := value(k, b)
		if !ok {
			return nil, damaged("a value of kind %d is cut", k)
		}
		row, b = append(row, v), b[n:]
	}
	return row, nil
}

// value reads a value of a kind, and how many bytes it has.
func value(kind uint64, b []byte) (v Value, n int, ok bool) {
	sizes := [...]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}
	switch {
	case kind >= 12:
		size := (kind - 12) / 2
		if size > uint64(len(b)) {
			return v, 0, false
		}
		v = Value{kind: text, s: string(b[:size])}
		return v, int(size), true
	case kind >= uint64(len(sizes)):
		return v, 0, false
	}
	if n = sizes[kind]; n > len(b) {
		return v, 0, false
	}
	switch kind {
	case 0:
	case 7:
		v = Value{kind: float, f: math.Float64frombits(binary.BigEndian.Uint64(b))}
	case 8, 9:
		v = Value{kind: integer, n: int64(kind - 8)}
	default:
		v = Value{kind: integer, n: int64(int8(b[0]))}
		for _, c := range b[1:n] {
			v.n = v.n<<8 | int64(c)
		}
	}
	return v, n, true
}
