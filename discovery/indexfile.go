package discovery

import (
	"encoding/binary"
	"io"
	"os"
	"slices"
	"strings"
	"unsafe"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// A file of the index has two parts. The head is what every event reads: a mark, the
// length of the head and a sum of it, the program, the folder and its stamp (zeros if it
// is not known which names are in it), then the records, by name. Behind it lie the
// texts, each with its sum, of which an event reads those of the hooks that it may run.
const (
	indexMark  = "agents-hooks index 2\n"
	indexStart = len(indexMark) + 4 + 4
)

// An extent is a part of the texts.
type extent struct{ from, size int }

// A fresh record is what a file of the index will say of a HOOK.md.
type fresh struct{ said, text []byte }

// take reads the head of the catalog's file, which it has from now on. What is not as it
// should be leaves it empty.
func (c *catalog) take(file *os.File) {
	c.tail.file = file
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIndex || info.Size() < int64(indexStart) {
		return
	}
	start := make([]byte, indexStart)
	if _, err := io.ReadFull(file, start); err != nil {
		return
	}
	n := int64(binary.LittleEndian.Uint32(start[len(indexMark):]))
	if n > info.Size()-int64(indexStart) {
		return
	}
	head := make([]byte, n)
	if _, err := io.ReadFull(file, head); err == nil {
		c.tail.from, c.tail.size = indexStart+int(n), int(info.Size())-indexStart-int(n)
		c.parse(start, head)
	}
}

// parse reads a head. Its parts are not copied: nobody writes to it any more.
func (c *catalog) parse(start, head []byte) {
	if string(start[:len(indexMark)]) != indexMark || binary.LittleEndian.Uint32(start[len(indexMark)+4:]) != sum(head) {
		return
	}
	r := reader{rest: unsafe.String(unsafe.SliceData(head), len(head))}
	program, path, own := r.text(), r.text(), r.bytes(beneath.StampSize)
	n := r.number()
	if r.bad || program != string(c.program) || path != c.path || n > maxHooks {
		return
	}
	records := make([]record, n)
	at := 0
	for i := range records {
		k := record{name: r.text(), link: r.flag(), said: r.text()}
		k.text = extent{at, r.number()}
		at += k.text.size
		if r.bad || i > 0 && records[i-1].name >= k.name {
			return
		}
		records[i] = k
	}
	if at == c.tail.size {
		c.records, c.whole = records, c.own.Is(own)
	}
}

// bytes is the catalog as its file has it.
func (c *catalog) bytes() []byte {
	names := c.listed
	if c.whole {
		names, _ = c.children(nil)
	} else {
		slices.SortFunc(names, func(a, b beneath.Child) int { return strings.Compare(a.Name, b.Name) })
	}
	var head, texts []byte
	head = appendText(head, c.program)
	head = appendText(head, c.path)
	if own := c.own; own.Settled(c.now) {
		head = own.Append(head)
	} else {
		head = beneath.Stamp{}.Append(head)
	}
	head = binary.AppendUvarint(head, uint64(len(names)))
	at := 0
	for _, child := range names {
		k, ok := c.read[child.Name]
		if i := c.find(child.Name, &at); !ok && i >= 0 && c.records[i].said != "" {
			if text := c.tail.at(c.records[i].text); text != "" {
				k = fresh{[]byte(c.records[i].said), []byte(text)}
			}
		}
		head = appendText(head, child.Name)
		head = append(head, mark(child.Link))
		head = appendText(head, k.said)
		size := 0
		if k.said != nil {
			size = 4 + len(k.text)
			texts = binary.LittleEndian.AppendUint32(texts, sum(k.text))
			texts = append(texts, k.text...)
		}
		head = binary.AppendUvarint(head, uint64(size))
	}
	b := binary.LittleEndian.AppendUint32([]byte(indexMark), uint32(len(head)))
	b = binary.LittleEndian.AppendUint32(b, sum(head))
	return append(append(b, head...), texts...)
}

// A tail is the second part of a file of the index.
type tail struct {
	file  *os.File
	from  int // where they begin in it
	size  int
	asked int
	whole []byte // once many were asked for
}

// few is how many texts are read by themselves: more are read at once.
const few = 8

// at is a text, "" where it is not what was written.
func (t *tail) at(s extent) string {
	if s.size < 4 || s.from+s.size > t.size {
		return ""
	}
	if t.asked++; t.asked > few {
		t.all()
	}
	var b []byte
	switch {
	case t.whole != nil:
		b = t.whole[s.from : s.from+s.size]
	case t.file != nil:
		b = make([]byte, s.size)
		if _, err := t.file.ReadAt(b, int64(t.from+s.from)); err != nil {
			return ""
		}
	default:
		return ""
	}
	if binary.LittleEndian.Uint32(b) != sum(b[4:]) {
		return ""
	}
	return string(b[4:])
}

// all reads all of them.
func (t *tail) all() {
	if t.whole != nil || t.file == nil {
		return
	}
	b := make([]byte, t.size)
	if _, err := t.file.ReadAt(b, int64(t.from)); err == nil {
		t.whole = b
	}
}

func (t *tail) close() {
	t.file.Close()
	t.file = nil
}
