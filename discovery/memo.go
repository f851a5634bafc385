package discovery

import (
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A Memo caches front matter in a process that reads hooks for many events, as long as
// the file's [beneath.Stamp] is the same. Everything else is checked each time: which
// folders there are, what they link to, and what is approved, which depends on the
// current bytes.
//
// The zero value is ready. It is safe for concurrent use.
type Memo struct {
	mu     sync.Mutex
	fronts map[string]*memorized // by folder
	size   int                   // of their texts
	record *trust.Record         // as last read
}

type memorized struct {
	stamp beneath.Stamp
	front front
	size  int // how much was read
	brief brief
}

// maxMemo is how much text is kept. Beyond it, the cache starts over.
const maxMemo = 8 << 20

// front fills f with the HOOK.md of a folder, unless the file has to be read.
func (m *Memo) front(d *beneath.Folder, folder string, w *wish, f *front) (r reading, known bool) {
	m.mu.Lock()
	k := m.fronts[join(d.Path, folder)]
	m.mu.Unlock()
	if k == nil || d.Stamp(folder, hookFile, false) != k.stamp {
		return r, false
	}
	if w.passes(k.brief) {
		return reading{pass: w.why(k.brief)}, true
	}
	*f = k.front
	return reading{file: hookFile, size: k.size}, true
}

// keep records what was read.
func (m *Memo) keep(d *beneath.Folder, folder string, stamp beneath.Stamp, f *front, size int, b brief) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// Each one keeps a kilobyte of fields, and the text that they are parts of.
	const fields = 1 << 10
	if m.size += len(f.block) + fields; m.fronts == nil || m.size > maxMemo {
		m.fronts, m.size = map[string]*memorized{}, len(f.block)+fields
	}
	m.fronts[join(d.Path, folder)] = &memorized{stamp, *f, size, b}
}

// approved is the current record of approvals, whose bytes are read each time.
func (m *Memo) approved(state string) (r *trust.Record, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.record == nil {
		m.record = &trust.Record{}
	}
	m.record, err = m.record.Again(state)
	return m.record, err
}
