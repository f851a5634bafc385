package discovery

import (
	"encoding/binary"
	"io"
	"os"
	"strings"
	"unsafe"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// An index file has two parts. Every event reads the head: a mark, the length and
// checksum of the head, the program, the folder and its stamp (zeros if the names in it
// are not known), the briefs, then the records, by name. The texts follow, each with
// its checksum; an event reads those of the hooks that it may run.
const (
	indexMark  = "agents-hooks index 3\n"
	indexStart = len(indexMark) + 4 + 4
)

// An extent is a part of the texts.
type extent struct{ from, size int32 }

// A fresh record is what an index file will say about a HOOK.md.
type fresh struct {
	stamp string
	brief brief
	text  []byte
}

// take reads the head of a file, and keeps the file for the catalog. If anything in it
// is wrong, the catalog stays empty.
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
	kinds := r.number()
	if r.bad || program != string(c.program) || path != c.path || kinds > maxHooks {
		return
	}
	briefs := make([]brief, kinds)
	for i := range briefs {
		briefs[i] = brief{protocol.EventType(r.text()), r.text()}
	}
	n := r.number()
	if r.bad || n > maxHooks {
		return
	}
	records := make([]record, n)
	at := 0
	for i := range records {
		k := &records[i]
		k.name = r.text()
		if k.link = r.flag(); r.flag() {
			k.stamp, k.brief = r.bytes(beneath.StampSize), int32(r.number())
			k.text = extent{int32(at), int32(r.number())}
			at += int(k.text.size)
		}
		if r.bad || at > c.tail.size || i > 0 && records[i-1].name >= k.name || k.stamp != "" && int(k.brief) >= kinds {
			return
		}
	}
	if at == c.tail.size {
		c.briefs, c.records, c.whole = briefs, records, c.own.Is(own)
	}
}

// bytes is the catalog in the form of its file.
func (c *catalog) bytes() []byte {
	names := c.listed
	if c.whole {
		for _, k := range c.records {
			names = append(names, beneath.Child{Name: k.name, Link: k.link})
		}
	} else {
		order.By(names, func(a, b beneath.Child) int { return strings.Compare(a.Name, b.Name) })
	}
	var head, texts []byte
	head = appendText(head, c.program)
	head = appendText(head, c.path)
	if own := c.own; own.Settled(c.now) {
		head = own.Append(head)
	} else {
		head = beneath.Stamp{}.Append(head)
	}
	var list []byte
	var briefs []brief
	kinds := map[brief]int{}
	at := 0
	for _, child := range names {
		list = appendText(list, child.Name)
		k, ok := c.read[child.Name]
		if !ok {
			k, ok = c.again(child.Name, &at)
		}
		list = append(list, mark(child.Link), mark(ok))
		if !ok {
			continue
		}
		kind, known := kinds[k.brief]
		if !known {
			kind, briefs = len(briefs), append(briefs, k.brief)
			kinds[k.brief] = kind
		}
		list = binary.AppendUvarint(append(list, k.stamp...), uint64(kind))
		list = binary.AppendUvarint(list, uint64(4+len(k.text)))
		texts = binary.LittleEndian.AppendUint32(texts, sum(k.text))
		texts = append(texts, k.text...)
	}
	head = binary.AppendUvarint(head, uint64(len(briefs)))
	for _, b := range briefs {
		head = appendText(appendText(head, string(b.event)), b.tool)
	}
	head = append(binary.AppendUvarint(head, uint64(len(names))), list...)
	b := binary.LittleEndian.AppendUint32([]byte(indexMark), uint32(len(head)))
	b = binary.LittleEndian.AppendUint32(b, sum(head))
	return append(append(b, head...), texts...)
}

// again is what the file already said about a folder, if all of it is still there.
func (c *catalog) again(folder string, at *int) (k fresh, ok bool) {
	i := c.find(folder, at)
	if i < 0 || c.records[i].stamp == "" {
		return k, false
	}
	text := c.tail.at(c.records[i].text)
	return fresh{c.records[i].stamp, c.briefs[c.records[i].brief], []byte(text)}, text != ""
}

// A tail is the second part of an index file.
type tail struct {
	file  *os.File
	from  int // where the texts begin
	size  int
	asked int
	whole []byte // all of them, once many were asked for
}

// few is how many texts are read one by one; beyond that, all are read at once.
const few = 8

// at is a text, "" if it is not what was written.
func (t *tail) at(s extent) string {
	from, size := int(s.from), int(s.size)
	if size < 4 || from+size > t.size {
		return ""
	}
	if t.asked++; t.asked > few {
		t.all()
	}
	var b []byte
	switch {
	case t.whole != nil:
		b = t.whole[from : from+size]
	case t.file != nil:
		b = make([]byte, size)
		if _, err := t.file.ReadAt(b, int64(t.from+from)); err != nil {
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

// all reads all texts.
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
