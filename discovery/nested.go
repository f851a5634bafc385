package discovery

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
)

// nested reports hooks that lie too deep to be found (gap 19): the first one below a
// folder that is not a hook.
func (l *loader) nested(dir string) {
	if filepath.Base(dir)[0] == '.' {
		return // something being put here, or kept by a program
	}
	if file := l.firstNested(dir, 3); file != "" {
		l.problem(Problem{File: dir, Severity: Warning, Message: "is a folder of hooks, not a hook (" + strings.TrimPrefix(file, dir+string(filepath.Separator)) + "): nothing in it runs",
			Fix: "move it out of the hooks folder, then agents-hooks add FOLDER takes its hooks, and pins them"})
	}
}

// firstNested looks for a HOOK.md below a folder, some levels deep.
func (l *loader) firstNested(dir string, levels int) string {
	const most = 100 // folders of one level: this is a hint, not a search
	if l.nests++; l.nests > 10*most || levels == 0 {
		return ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, e := range entries[:min(len(entries), most)] {
		if !e.IsDir() || e.Name()[0] == '.' || e.Name() == "node_modules" {
			continue
		}
		sub := filepath.Join(dir, e.Name())
		if file := filepath.Join(sub, "HOOK.md"); beneath.Exists(file) {
			return file
		}
		if file := l.firstNested(sub, levels-1); file != "" {
			return file
		}
	}
	return ""
}
