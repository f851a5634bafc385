package discovery

import (
	"sync/atomic"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// An ahead looks which records of a catalog are of files as they are now, by several
// threads, before anybody asks: of a folder with hundreds of hooks that is most of what
// an event does, and each look waits for memory. What is not looked at is looked at when
// it is asked for.
type ahead struct {
	d       *beneath.Folder
	catalog *catalog
	looks   []looks
	next    atomic.Int64 // of the looks, that nobody has taken yet
	over    func() bool  // there is no time left
	crew    crew
}

// looks are at so many records at once.
type looks struct {
	done bool
	same uint32 // a bit for each
}

const (
	stretch = 32
	// worthThread is how many looks are worth a thread: to have one takes as long as a hundred.
	worthThread = 200
)

// lookAhead has n threads begin with it, less the one that asks.
func (c *catalog) lookAhead(d *beneath.Folder, n int, over func() bool) *ahead {
	a := &ahead{d: d, catalog: c, looks: make([]looks, (len(c.records)+stretch-1)/stretch), over: over}
	c.ahead = a
	for range n - 1 {
		a.crew.add(n, a.help)
	}
	return a
}

// finish does what the others have not begun, and waits for them.
func (a *ahead) finish() {
	a.crew.do(func() { a.work(a.d) })
	a.crew.wait()
}

// help is what another thread does.
func (a *ahead) help() {
	if d, err := a.d.Again(); err == nil {
		defer d.Close()
		a.work(&d)
	}
}

func (a *ahead) work(d *beneath.Folder) {
	records := a.catalog.records
	for {
		n := int(a.next.Add(1)) - 1
		if n >= len(a.looks) || a.over() {
			return
		}
		var same uint32
		for i, k := range records[n*stretch : min((n+1)*stretch, len(records))] {
			if a.catalog.isSame(d, &k) {
				same |= 1 << i
			}
		}
		a.looks[n] = looks{true, same}
	}
}

// knows reports whether a record was looked at, and whether it is of the file that is there.
func (a *ahead) knows(i int) (same, known bool) {
	if a == nil {
		return false, false
	}
	l := a.looks[i/stretch]
	return l.same>>(i%stretch)&1 != 0, l.done
}
