package discovery

import (
	"os"
	"path/filepath"
)

// realDir is an absolute directory without links, or its nearest existing ancestor; ""
// for a relative path.
func (g *ground) realDir(path string) (real string) {
	if real, known := g.real[path]; known || !filepath.IsAbs(path) {
		return real
	}
	for dir, up := filepath.Clean(path), ""; real == "" && dir != up; dir, up = filepath.Dir(dir), dir {
		real, _ = filepath.EvalSymlinks(dir) // "" on error
	}
	if g.real == nil {
		g.real = map[string]string{}
	}
	g.real[path] = real
	return real
}

// isHome reports whether a directory is the user's home, under any name.
func (g *ground) isHome(dir string) bool {
	if g.home == "" || dir == g.home {
		return g.home != ""
	}
	a, err := os.Stat(dir)
	if err != nil {
		return false
	}
	b, err := os.Stat(g.home)
	return err == nil && os.SameFile(a, b)
}
