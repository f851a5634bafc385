package install_test

import (
	"io/fs"
	"path"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A disk is the files of a site. Install is a pure function of what it reads, so a
// map is as real as a directory.
type disk map[string]string

func (d disk) site(t testing.TB) protocol.Site {
	return protocol.Site{
		Scope: protocol.UserScope, GOOS: "linux", Home: "/home/dev", Project: "/home/dev/project",
		Env: func(string) string { return "" },
		Read: func(path string) ([]byte, error) {
			s, ok := d[path]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(s), nil
		},
		List: func(dir string) []string {
			var names []string
			for p := range d {
				if path.Dir(p) == dir {
					names = append(names, path.Base(p))
				}
			}
			slices.Sort(names)
			return names
		},
	}
}

// apply carries out edits, checking that each knows what it replaces.
func (d disk) apply(t testing.TB, edits []protocol.Edit) {
	t.Helper()
	for _, e := range edits {
		have, ok := d[e.Path]
		if ok != (e.Before != nil) || have != string(e.Before) {
			t.Fatalf("edit of %s: before = %q, file = %q", e.Path, e.Before, have)
		}
		if e.After == nil {
			delete(d, e.Path)
			continue
		}
		d[e.Path] = string(e.After)
	}
}

func (d disk) copy() disk {
	c := disk{}
	for k, v := range d {
		c[k] = v
	}
	return c
}

func (d disk) equal(o disk) bool {
	if len(d) != len(o) {
		return false
	}
	for k, v := range d {
		if w, ok := o[k]; !ok || v != w {
			return false
		}
	}
	return true
}

func entry(d *protocol.Dialect) protocol.Entry {
	return protocol.Entry{Argv: []string{"/usr/local/bin/agents-hooks", "run", "--agent=" + d.ID}}
}

func add(t testing.TB, d *protocol.Dialect, files disk, e protocol.Entry) {
	t.Helper()
	edits, err := install.Add(d, files.site(t), e)
	must.Do(t, err)
	files.apply(t, edits)
}

func remove(t testing.TB, d *protocol.Dialect, files disk) {
	t.Helper()
	edits, err := install.Remove(d, files.site(t))
	must.Do(t, err)
	files.apply(t, edits)
}
