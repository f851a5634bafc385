package session

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Spool keeps one record of a hot event: an append, and nothing else. id tells
// the same event from another: of two records with the same id one counts.
func (d Dir) Spool(name, id string, record protocol.Object) error {
	if d.path == "" {
		return nil
	}
	record.SetText("id", id)
	return statefile.Append(d.file(name+".spool"), wait, record.Append(nil))
}

// Spooled are the records that are in a spool, each id once, in their order.
// They stay there.
func (d Dir) Spooled(name string) []protocol.Object {
	if d.path == "" {
		return nil
	}
	seen := map[string]bool{}
	var list []protocol.Object
	for _, file := range []string{name + ".draining", name + ".spool"} {
		b, _ := statefile.Read(d.file(file))
		list = appendRecords(list, b, seen)
	}
	return list
}

// lastRead is how much of a spool's end is read for its last record.
const lastRead = 16 << 10

// Last is the last record of a spool, nil if there is none, or none that is whole and short enough.
func (d Dir) Last(name string) protocol.Object {
	if d.path == "" {
		return nil
	}
	f, err := os.Open(d.file(name + ".spool"))
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	b := make([]byte, min(info.Size(), lastRead))
	if _, err := f.ReadAt(b, info.Size()-int64(len(b))); err != nil {
		return nil
	}
	b = bytes.TrimRight(b, "\n")
	return parse(b[bytes.LastIndexByte(b, '\n')+1:])
}

// Changed is when a spool got its last record; known is false if there is none.
func (d Dir) Changed(name string) (at time.Time, known bool) {
	for _, file := range []string{name + ".draining", name + ".spool"} {
		if info, err := os.Stat(d.file(file)); d.path != "" && err == nil {
			at, known = info.ModTime(), true
		}
	}
	return at, known
}

// Drain hands the records of a spool to use, and removes them once use has
// returned without an error. If the process dies in between they are handed out
// again: use must be able to take one twice. Events that come in meanwhile start
// a new spool.
func (d Dir) Drain(name string, use func([]protocol.Object) error) error {
	if d.path == "" {
		return nil
	}
	// The lock of the drain is that of an empty file of its own: appends go on.
	return statefile.Update(d.file(name+".drain"), wait, func([]byte) ([]byte, error) {
		draining := d.file(name + ".draining")
		b, err := statefile.Read(draining)
		if err != nil {
			return nil, err
		}
		if b == nil {
			if err := statefile.Move(d.file(name+".spool"), draining, wait); err != nil {
				if errors.Is(err, fs.ErrNotExist) {
					return nil, nil
				}
				return nil, err
			}
			if b, err = statefile.Read(draining); err != nil {
				return nil, err
			}
		}
		if list := appendRecords(nil, b, map[string]bool{}); len(list) > 0 {
			if err := use(list); err != nil {
				return nil, err
			}
		}
		return nil, os.Remove(draining)
	})
}

// appendRecords reads lines. One that is damaged is passed over: its neighbours
// are not to blame.
func appendRecords(list []protocol.Object, b []byte, seen map[string]bool) []protocol.Object {
	for len(b) > 0 {
		line := b
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			line, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		o := parse(line)
		if id := o.Text("id"); o != nil && !seen[id] {
			seen[id] = id != ""
			list = append(list, o)
		}
	}
	return list
}
