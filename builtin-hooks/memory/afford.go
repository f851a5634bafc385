package memory

import (
	"cmp"
	"errors"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// readMost is how many bytes of facts, and how many of summaries, are read of a project's
// folder: over a hundred thousand of them. A clone may bring any amount, and each prompt
// would read it.
const readMost = 32 << 20

// afford leaves out what is no file of a project's folder, or a link that leads where nothing is
// read, so that it is in the way of nothing else; and the largest files of a project's folder if all of them come to more
// than is read, and reports that: small ones, which most are, count whatever
// somebody puts beside them. Nothing of them is lost.
func (p Place) afford(files []string) []string {
	if p.Within == nil {
		return files // the person's own
	}
	files, sizes, total := p.sizes(files)
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

// sizes are those of some paths that can be files, and their sizes, at the price of one system call
// each. The others are reported.
func (p Place) sizes(paths []string) (files []string, sizes []int64, total int64) {
	files, sizes = make([]string, 0, len(paths)), make([]int64, 0, len(paths))
	var in *beneath.Folder
	dir := ""
	for _, file := range paths {
		path := p.Path(file)
		if at := filepath.Dir(path); at != dir {
			if in != nil {
				in.Close()
			}
			dir = at
			in, _ = p.Within.Folder(dir)
		}
		var n int64
		if in != nil { // else none of them is there
			var ok bool
			if n, _, ok = in.Written(filepath.Base(path)); !ok {
				info, err := p.Within.Stat(path)
				switch {
				case errors.Is(err, beneath.ErrRefused):
					continue
				case err == nil && !info.Mode().IsRegular():
					p.Within.LeaveOut(path, "it is no file: %s; remove it", info.Mode().Type())
					continue
				case err == nil:
					n = info.Size()
				}
			}
		}
		files, sizes, total = append(files, file), append(sizes, n), total+n
	}
	if in != nil {
		in.Close()
	}
	return files, sizes, total
}
