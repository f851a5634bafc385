package discovery

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// encode is the text that the index keeps of a HOOK.md: the event that it waits for (""
// if that is not certain) and how many bytes were read, then the front matter as text
// and the fields found in it. Name and trigger come first, since nothing else is needed
// from a hook of another event.
func encode(f *front, size int) []byte {
	t, _ := triggerOf(f)
	b := appendText(nil, string(t))
	b = binary.AppendUvarint(b, uint64(size))
	text := f.block
	var fields []byte
	count := 0
	add := func(k key) {
		v := &f.fields[k]
		if v.kind == absent {
			return
		}
		at := strings.Index(text, v.text)
		if at < 0 { // a quoted value is stored as what it means
			at = len(text)
			text += v.text
		}
		fields = append(fields, byte(k), byte(v.kind))
		for _, n := range [...]int{v.line, v.col, at, len(v.text)} {
			fields = binary.AppendUvarint(fields, uint64(n))
		}
		count++
	}
	add(keyName)
	add(keyTrigger)
	for k := range keyCount {
		if k != keyName && k != keyTrigger {
			add(k)
		}
	}
	b = append(b, mark(f.foreign), byte(count))
	b = appendText(b, text)
	b = binary.AppendUvarint(b, uint64(len(f.block)))
	return append(b, fields...)
}

// decode reads what encode wrote; of a hook that waits for another event only the name
// and the trigger.
func decode(kept, event string, f *front) (size int, ok bool) {
	r := reader{rest: kept}
	t := r.text()
	size = r.number()
	foreign, count := r.flag(), int(r.byte())
	if event != "" && t != "" && t != event {
		count = min(count, 2)
	}
	text := r.text()
	block := r.number()
	if r.bad || block > len(text) {
		return 0, false
	}
	for range count {
		k, kind := key(r.byte()), kind(r.byte())
		line, col, at, n := r.number(), r.number(), r.number(), r.number()
		if r.bad || k >= keyCount || kind > mapping || at+n > len(text) {
			*f = front{}
			return 0, false
		}
		f.fields[k] = field{kind, text[at : at+n], line, col}
	}
	f.block, f.foreign = text[:block], foreign
	return size, true
}

// sum uses the IEEE polynomial, whose table is made when it is first needed: making
// Castagnoli's takes a twentieth of an event that has no index.
func sum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

func mark(on bool) byte {
	if on {
		return 1
	}
	return 0
}

// appendText adds the length of a text, and the text.
func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// A reader reads what was appended. Past the end it returns zero values and sets bad.
type reader struct {
	rest string
	bad  bool
}

func (r *reader) bytes(n int) string {
	if n > len(r.rest) {
		r.bad, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// number is at most maxIndex: all numbers are lengths and offsets.
func (r *reader) number() int {
	n := 0
	for i := 0; i < len(r.rest) && n <= maxIndex; i++ {
		n |= int(r.rest[i]&0x7f) << (7 * i)
		if r.rest[i] < 0x80 {
			if r.rest = r.rest[i+1:]; n <= maxIndex {
				return n
			}
			break
		}
	}
	r.bad, r.rest = true, ""
	return 0
}

func (r *reader) text() string { return r.bytes(r.number()) }

func (r *reader) byte() byte {
	if b := r.bytes(1); b != "" {
		return b[0]
	}
	return 0
}

func (r *reader) flag() bool { return r.byte() != 0 }
