package memory

import (
	"cmp"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// readMost is how many bytes of facts, and how many of summaries, are read of a project's
// folder: over a hundred thousand of them. A clone may bring any amount, and each prompt
// would read it.
const readMost = 32 << 20

// afford leaves out the largest files of a project's folder if all of them come to more
// than is read, and reports that: small ones, which most are, count whatever
// somebody puts beside them. Nothing of them is lost.
func (p Place) afford(files []string) []string {
	if p.Within == nil {
		return files // the person's own
	}
	sizes, total := p.sizes(files)
	if total <= readMost {
		return files
	}
	largest := make([]int, len(files))
	for i := range largest {
		largest[i] = i
	}
	order.By(largest, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	out := map[int]bool{}
	for left := total; left > readMost; left -= sizes[largest[len(out)-1]] {
		out[largest[len(out)]] = true
	}
	p.Within.LeaveOut(p.Dir, "its files have %d MiB, of which at most %d are read: the largest are left out, %d files with %s", total>>20, readMost>>20, len(out), files[largest[0]])
	var kept []string
	for i, file := range files {
		if !out[i] {
			kept = append(kept, file)
		}
	}
	return kept
}

// sizes are the sizes of files, at the price of one system call each.
func (p Place) sizes(files []string) (sizes []int64, total int64) {
	sizes = make([]int64, len(files))
	var in *beneath.Folder
	dir := ""
	for i, file := range files {
		path := p.Path(file)
		if at := filepath.Dir(path); at != dir {
			if in != nil {
				in.Close()
			}
			dir = at
			in, _ = p.Within.Folder(dir)
		}
		if in == nil {
			continue // none of them is there
		}
		n, _, ok := in.Written(filepath.Base(path))
		if !ok {
			if info, err := p.Within.Stat(path); err == nil && info.Mode().IsRegular() {
				n = info.Size()
			}
		}
		sizes[i] = n
		total += n
	}
	if in != nil {
		in.Close()
	}
	return sizes, total
}
