package discovery

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// reread reads a hook that was passed over.
func (l *loader) reread(o bystander) *Hook {
	if o.builtin != nil {
		return o.builtin
	}
	project := ""
	if o.layer == ProjectLayer {
		project = l.projects[o.place].dir
	}
	h, _ := readFolder(l.src, project, filepath.Join(l.hooksIn(o.layer, o.place), o.folder), o.layer)
	if h.place = o.place; h.Status == Ready {
		l.vouch(h)
	}
	if h.Status == Ready {
		l.admit(h)
	}
	return h
}

// ReadFolder reads one hook completely, wherever it is, as a hook of a layer. It does
// not check whether the hook is trusted, overridden or disabled.
func ReadFolder(src Sources, dir string, layer LayerName) *Hook {
	dir = filepath.Clean(dir)
	hooks := filepath.Dir(dir)
	project := filepath.Dir(filepath.Dir(hooks))
	if hooks != hooksFolder(project) {
		project = hooks
	}
	h, err := readFolder(src, project, dir, layer)
	if h.Status != Foreign && err == nil {
		h.findEntry(src.GOOS)
	}
	return h
}

// readFolder is ReadFolder for a known project, without the entry.
func readFolder(src Sources, project, dir string, layer LayerName) (*Hook, error) {
	h := &Hook{Layer: layer, Dir: dir, File: join(dir, "HOOK.md"), folder: filepath.Base(dir), Status: Ready, Trusted: layer != ProjectLayer}
	l := newLoader(Sources{GOOS: src.GOOS, Memo: src.Memo}, "")
	if layer == ProjectLayer {
		h.Project = project
		l.take([]string{project})
	}
	var f front
	d, err := l.below(layer, 0).Folder(filepath.Dir(dir))
	if err == nil {
		defer d.Close()
		var r reading
		if r, err = l.front(d, h.folder, &f); err == nil && r.file == "" {
			err = errors.New("there is none")
		} else if err == nil {
			h.File = join(dir, r.file)
			h.start = start{r.file, r.size, f.block}
		}
	}
	if err != nil {
		f.problems = []Problem{fatal(field{}, "", "", "cannot be read: %s", beneath.Why(err))}
	}
	h.take(&f, src.Tongues)
	if h.Status == Broken && f.fields[keyTrigger].kind == absent && !anyFatal(f.problems) && handlerBeside(dir) {
		h.Status = Foreign
	}
	if h.Status == Ready {
		if h.Trigger.IsTool() || h.Tongue != nil {
			h.compile()
		} else {
			h.checkUnused()
		}
	}
	return h, err
}

// projectHooks reads the hooks of a project completely.
func (l *loader) projectHooks(dir string) []*Hook {
	l.take([]string{dir})
	l.scan(ProjectLayer, hooksFolder(dir), 0)
	for _, h := range l.hooks {
		l.look(h)
	}
	order.By(l.hooks, func(a, b *Hook) int { return strings.Compare(a.folder, b.folder) })
	return l.hooks
}

// look completes a hook: whether it is trusted, whether its expressions compile, and
// what its entry is. At an event it stops at a hook that is not trusted.
func (l *loader) look(h *Hook) {
	if h.Layer == ProjectLayer && h.Plugin == "" {
		h.Trusted = l.trusts(h)
		if !h.Trusted && l.event != "" {
			h.Status = Untrusted
			return
		}
	}
	if h.Layer == UserLayer && l.hasPins() {
		l.pinned(h)
	}
	if h.Status == Broken {
		return
	}
	if h.Trigger.IsTool() || h.Tongue != nil {
		h.compile()
	} else {
		h.checkUnused()
	}
	if h.Status == Ready || l.event == "" {
		h.findEntry(l.src.GOOS)
	}
}
