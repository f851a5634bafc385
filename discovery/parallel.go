package discovery

import (
	"runtime"
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// crowd is how many hooks are worth another thread to read them.
const crowd = 100

// together reads a folder with very many hooks in several threads: reading takes three
// system calls per hook, more than anything else does. The result is the same as with
// one thread, since hooks are ordered later.
func (l *loader) together(d *beneath.Folder, folders []string, layer LayerName, place int) {
	n := min(len(folders)/crowd, runtime.NumCPU(), 8)
	parts := make([]*loader, n)
	read := func(i int) {
		for _, folder := range folders[i*len(folders)/n : (i+1)*len(folders)/n] {
			if parts[i].late(layer) {
				return
			}
			parts[i].child(d, folder, layer, place)
		}
	}
	var all crew
	for i := range parts {
		parts[i] = &loader{src: l.src, event: l.event, set: &Set{}, projects: l.projects, until: l.until, others: l.others, owing: l.owing, read: l.read, reads: l.reads, keeps: l.keeps, wished: l.wished}
		if i > 0 {
			all.add(n, func() { read(i) })
		}
	}
	all.do(func() { read(0) })
	all.wait()
	for _, part := range parts {
		l.wasLate = l.wasLate || part.wasLate
		l.set.Found += part.set.Found
		l.set.Problems = append(l.set.Problems, part.set.Problems...)
		l.hooks = append(l.hooks, part.hooks...)
		l.lacking = append(l.lacking, part.lacking...)
		l.foreign = append(l.foreign, part.foreign...)
		l.bystanders = append(l.bystanders, part.bystanders...)
	}
}

// A crew is goroutines that work for one that waits for them. Nobody else can recover
// from a panic in a goroutine, and a Go program that panics exits with 2, which would
// be a block: so a panic is passed to the one that waits.
type crew struct {
	others sync.WaitGroup
	mu     sync.Mutex
	crash  any
}

// add starts work for one of n. The dispatcher normally uses one core; from here on it
// may use n.
func (c *crew) add(n int, work func()) {
	if runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	c.others.Go(func() { c.do(work) })
}

func (c *crew) do(work func()) {
	defer func() {
		if p := recover(); p != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.crash = p
		}
	}()
	work()
}

func (c *crew) wait() {
	c.others.Wait()
	if c.crash != nil {
		panic(c.crash)
	}
}
