package discovery

import (
	"sync/atomic"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// An ahead checks in several threads, before anybody asks, which records of a catalog
// still match their files. For a folder with hundreds of hooks this is most of the work
// of an event, and each check waits for memory. Whatever is not checked here is checked
// when it is asked for.
type ahead struct {
	d       *beneath.Folder
	catalog *catalog
	looks   []looks
	next    atomic.Int64 // the first of the looks that nobody has taken yet
	over    func() bool  // whether time has run out
	crew    crew
}

// looks are the checks of several records at once.
type looks struct {
	done bool
	same uint32 // a bit for each record
}

const (
	stretch = 32
	// worthThread is how many looks are worth a thread: starting one takes as long as a
	// hundred of them.
	worthThread = 200
)

// lookAhead starts n threads on it, counting the one that asks.
func (c *catalog) lookAhead(d *beneath.Folder, n int, over func() bool) *ahead {
	a := &ahead{d: d, catalog: c, looks: make([]looks, (len(c.records)+stretch-1)/stretch), over: over}
	c.ahead = a
	for range n - 1 {
		a.crew.add(n, a.help)
	}
	return a
}

// finish does what the other threads have not begun, and waits for them.
func (a *ahead) finish() {
	a.crew.do(func() { a.work(a.d) })
	a.crew.wait()
}

// help is the work of another thread.
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

// knows reports whether a record was checked, and whether it matches the file.
func (a *ahead) knows(i int) (same, known bool) {
	if a == nil {
		return false, false
	}
	l := a.looks[i/stretch]
	return l.same>>(i%stretch)&1 != 0, l.done
}
