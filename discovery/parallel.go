package discovery

import (
	"runtime"
	"sync"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// crowd is how many hooks are worth a thread that helps to read them.
const crowd = 100

// together reads the hooks of a folder that has very many by several threads:
// reading is three calls of the system a hook, and nothing else takes as long.
// What the threads found is the same as one alone would find, as the order of
// hooks comes later. The dispatcher, which makes do with one core, has more from here.
func (l *loader) together(d *beneath.Folder, children []beneath.Child, layer LayerName, place int) {
	n := min(len(children)/crowd, runtime.NumCPU(), 8)
	if runtime.GOMAXPROCS(0) < n {
		runtime.GOMAXPROCS(n)
	}
	parts := make([]*loader, n)
	crashes := make([]any, n)
	read := func(i int) {
		// Nobody else can recover from a panic in a goroutine, and a Go program
		// that panics leaves with 2, which would be a block.
		defer func() { crashes[i] = recover() }()
		for _, c := range children[i*len(children)/n : (i+1)*len(children)/n] {
			if parts[i].late(layer) {
				return
			}
			parts[i].child(d, c, layer, place)
		}
	}
	var others sync.WaitGroup
	for i := range parts {
		parts[i] = &loader{src: l.src, event: l.event, set: &Set{}, projects: l.projects, until: l.until, owing: l.owing, read: l.read, reads: l.reads, keeps: l.keeps, wished: l.wished}
		if i > 0 {
			others.Go(func() { read(i) })
		}
	}
	read(0)
	others.Wait()
	for i, part := range parts {
		if crashes[i] != nil {
			panic(crashes[i])
		}
		l.wasLate = l.wasLate || part.wasLate
		l.set.Found += part.set.Found
		l.set.Problems = append(l.set.Problems, part.set.Problems...)
		l.hooks = append(l.hooks, part.hooks...)
		l.lacking = append(l.lacking, part.lacking...)
		l.foreign = append(l.foreign, part.foreign...)
		l.bystanders = append(l.bystanders, part.bystanders...)
	}
}
