package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// The index is the state after a number of bytes of the file, in a form that is read at
// once: numbers as varints, texts with their lengths, members in the order of the
// types. It is derived: if it is of another program, other seeds or another file, or
// truncated, it is ignored and rebuilt.
const (
	indexMagic = "agents-hooks genes 1\n"
	indexEvery = 16 << 10 // bytes of the file that are read line by line
)

// form distinguishes indexes of programs with other types or seeds.
var form = sync.OnceValue(func() string { return indexMagic + shape(reflect.TypeFor[known]()) + gene.SeedVersion() + "\n" })

// shape is a hash of everything that the encoding of a type depends on.
func shape(t reflect.Type) string {
	var all strings.Builder
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		fmt.Fprint(&all, t.Kind(), " ")
		switch t.Kind() {
		case reflect.Struct:
			if t == timeType {
				return
			}
			for i := range t.NumField() {
				if f := t.Field(i); f.IsExported() {
					fmt.Fprint(&all, f.Name, " ")
					walk(f.Type)
				}
			}
		case reflect.Map:
			walk(t.Key())
			walk(t.Elem())
		case reflect.Slice, reflect.Pointer:
			walk(t.Elem())
		}
	}
	walk(t)
	return fmt.Sprintf("%08x ", crc32.Checksum([]byte(all.String()), table()))
}

var (
	timeType = reflect.TypeFor[time.Time]()
	geneType = reflect.TypeFor[gene.Gene]()
)

// keepIndex writes the index if possible; without it everything is only slower.
func (s *Store) keepIndex() {
	if len(s.broken) > 0 || s.size == 0 {
		return // they still have to be moved aside; there is no store yet
	}
	body := binary.AppendUvarint(nil, uint64(s.size))
	body = binary.AppendUvarint(body, uint64(s.sum))
	short := s.known
	short.Kept = slices.Clone(short.Kept)
	for i := range short.Kept {
		if k := &short.Kept[i]; k.asItCame() {
			k.Gene = gene.Gene{ID: k.Gene.ID} // its text is in the program
		}
	}
	body = encode(body, reflect.ValueOf(&short).Elem())
	head := binary.BigEndian.AppendUint32([]byte(form()), crc32.Checksum(body, table()))
	_ = statefile.Update(s.path+".index", 20*time.Millisecond, func([]byte) ([]byte, error) { return append(head, body...), nil })
}

// readIndex reads the state, and how much of the file it covers.
func readIndex(path string) (k known, size int64, sum uint32, ok bool) {
	b, err := statefile.Read(path)
	if err != nil || len(b) < len(form())+4 || string(b[:len(form())]) != form() {
		return k, 0, 0, false
	}
	body := b[len(form())+4:]
	if crc32.Checksum(body, table()) != binary.BigEndian.Uint32(b[len(form()):]) {
		return k, 0, 0, false
	}
	r := reader{rest: string(body)}
	size, sum = int64(r.number()), uint32(r.number())
	r.take(reflect.ValueOf(&k).Elem())
	if r.err != nil || r.rest != "" || size < 0 {
		return known{}, 0, 0, false
	}
	k.index()
	seeds, err := gene.Seeds()
	if err != nil {
		return known{}, 0, 0, false
	}
	for i := range seeds {
		if at, ok := k.genes[seeds[i].ID]; ok && k.Kept[at].asItCame() {
			k.Kept[at].Gene = seeds[i]
		}
	}
	return k, size, sum, true
}

// asItCame reports whether a gene is an unchanged seed.
func (k *kept) asItCame() bool {
	return k.Origin == "seed" && !k.Gone && k.Changed.Equal(k.Created) && len(k.Gene.Cures) == 0 && !k.Gene.Foreign()
}

// encode appends a value.
func encode(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Float64:
		return binary.BigEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return encode(append(b, 1), v.Elem())
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = encode(b, v.Index(i))
		}
		return b
	case reflect.Map:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, c reflect.Value) int { return strings.Compare(a.String(), c.String()) })
		for _, key := range keys {
			b = encode(encode(b, key), v.MapIndex(key))
		}
		return b
	case reflect.Struct:
		return encodeStruct(b, v)
	}
	panic("evolution/store: an index has no " + v.Kind().String())
}

func encodeStruct(b []byte, v reflect.Value) []byte {
	switch v.Type() {
	case timeType:
		t := v.Interface().(time.Time)
		if t.IsZero() {
			return binary.AppendVarint(b, math.MinInt64)
		}
		return binary.AppendVarint(b, t.UnixMilli())
	case geneType:
		// One with members that this program does not know keeps them unchanged.
		g := v.Addr().Interface().(*gene.Gene)
		if g.Foreign() {
			doc, err := json.Marshal(g)
			if err == nil {
				return append(binary.AppendUvarint(append(b, 1), uint64(len(doc))), doc...)
			}
		}
		b = append(b, 0)
	}
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			b = encode(b, v.Field(i))
		}
	}
	return b
}

// A reader reads values from the beginning of a text; texts in the values are parts of
// it.
type reader struct {
	rest string
	err  error
}

var errShort = errors.New("an index that is cut")

func (r *reader) bytes(n uint64) (s string) {
	if n > uint64(len(r.rest)) {
		r.err, r.rest = errShort, ""
		return ""
	}
	s, r.rest = r.rest[:n], r.rest[n:]
	return s
}

func (r *reader) number() (n uint64) {
	for shift := 0; shift < 64; shift += 7 {
		c := r.bytes(1)
		if c == "" {
			return 0
		}
		n |= uint64(c[0]&0x7f) << shift
		if c[0] < 0x80 {
			break
		}
	}
	return n
}

func (r *reader) signed() int64 {
	n := r.number()
	return int64(n>>1) ^ -int64(n&1)
}

// length is the number of values that follow: each takes at least a byte.
func (r *reader) length() int {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.err, r.rest = errShort, ""
		return 0
	}
	return int(n)
}

// take reads a value.
func (r *reader) take(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.bytes(r.number()))
	case reflect.Bool:
		v.SetBool(r.bytes(1) == "\x01")
	case reflect.Int, reflect.Int64:
		v.SetInt(r.signed())
	case reflect.Float64:
		if b := r.bytes(8); b != "" {
			v.SetFloat(math.Float64frombits(binary.BigEndian.Uint64([]byte(b))))
		}
	case reflect.Pointer:
		if r.bytes(1) == "\x01" {
			v.Set(reflect.New(v.Type().Elem()))
			r.take(v.Elem())
		}
	case reflect.Slice:
		r.takeSlice(v)
	case reflect.Map:
		n := r.length()
		if n == 0 {
			return
		}
		v.Set(reflect.MakeMapWithSize(v.Type(), n))
		for range n {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			r.take(key)
			r.take(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		r.takeStruct(v)
	}
}

func (r *reader) takeSlice(v reflect.Value) {
	n := r.length()
	if n == 0 {
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes([]byte(r.bytes(uint64(n))))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		r.take(v.Index(i))
	}
}

func (r *reader) takeStruct(v reflect.Value) {
	switch v.Type() {
	case timeType:
		if ms := r.signed(); ms != math.MinInt64 {
			v.Set(reflect.ValueOf(time.UnixMilli(ms).UTC()))
		}
		return
	case geneType:
		if r.bytes(1) == "\x01" {
			if err := json.Unmarshal([]byte(r.bytes(r.number())), v.Addr().Interface()); err != nil {
				r.err = err
			}
			return
		}
	}
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			r.take(v.Field(i))
		}
	}
}
