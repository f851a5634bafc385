package conformance

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// What lies outside of a project is sealed before a step: its bytes, names and
// modes are noted, and it is made to look as if nobody had read it for years. A
// file system that keeps the time of the last access then tells of each reader;
// one that keeps none tells of writers only.

// A sealed file is one as it was before a step.
type sealed struct {
	mode    fs.FileMode
	content string // of a regular file, or where a link leads
}

// longAgo is the time of the last access of what is sealed.
var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// seal notes all that lies below paths of the tree, and the folder above them.
func (p place) seal(paths []string) map[string]sealed {
	all := map[string]sealed{}
	for _, rel := range paths {
		_ = filepath.WalkDir(p.at(rel), func(path string, e fs.DirEntry, err error) error {
			if err == nil {
				all[path] = sealOf(path)
			}
			return nil
		})
	}
	for path, s := range all {
		if s.mode&fs.ModeSymlink == 0 {
			_ = os.Chtimes(path, longAgo, time.Now())
		}
	}
	return all
}

func sealOf(path string) sealed {
	info, err := os.Lstat(path)
	if err != nil {
		return sealed{}
	}
	s := sealed{mode: info.Mode()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		s.content, _ = os.Readlink(path)
	case info.Mode().IsRegular():
		b, _ := os.ReadFile(path)
		s.content = string(b)
	}
	return s
}

// broken says what was read or written of what was sealed.
func (p place) broken(before map[string]sealed) (list []string) {
	tells := len(before) > 0 && keepsAccess(p.root)
	for _, path := range sortedKeys(before) {
		if tells && before[path].mode&fs.ModeSymlink == 0 && !accessed(path).Equal(longAgo) {
			list = append(list, path+" was read")
		}
	}
	for _, path := range sortedKeys(before) {
		was := before[path]
		switch now := sealOf(path); {
		case now != was:
			list = append(list, fmt.Sprintf("%s was %v %s, is %v %s", path, was.mode, clip(was.content, 200), now.mode, clip(now.content, 200)))
		case was.mode.IsDir():
			entries, _ := os.ReadDir(path)
			for _, e := range entries {
				at := filepath.Join(path, e.Name())
				if _, known := before[at]; !known {
					list = append(list, at+" is new")
				}
			}
		}
	}
	return list
}

// keepsAccess reports whether a file system tells when a file was last read.
func keepsAccess(dir string) bool {
	probe, err := os.CreateTemp(dir, "access")
	if err != nil {
		return false
	}
	defer os.Remove(probe.Name())
	_, err = probe.WriteString("x")
	probe.Close()
	if err != nil || os.Chtimes(probe.Name(), longAgo, time.Now()) != nil || !accessed(probe.Name()).Equal(longAgo) {
		return false
	}
	_, err = os.ReadFile(probe.Name())
	return err == nil && !accessed(probe.Name()).Equal(longAgo)
}
