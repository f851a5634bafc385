package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/processor"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func newLoader(src Sources, event protocol.EventType) *loader {
	return &loader{src: src, event: event, set: &Set{}}
}

// begin finds the projects of a folder, and reads the settings.
func (l *loader) begin(workDir string) {
	l.set.loader = l
	l.ground.home = l.src.Home
	top := l.ground.within(l.src.Kept, workDir)
	near, root := l.ground.climb(workDir, top)
	l.set.Root, l.isKept = root, top != ""
	if !l.src.NoProject {
		if len(near) > 0 {
			l.set.Project = near[0]
		}
		near = l.withKept(near)
		l.take(append(near, l.around(root, near)...))
	}
	l.settings()
	l.tellLeft()
}

// take selects the projects whose hooks apply. Of a great many, the innermost are
// dropped, so that nobody can push out a guard.
func (l *loader) take(dirs []string) {
	if n := len(dirs); n > maxProjects {
		l.problem(Problem{File: dirs[0], Severity: Error, Message: fmt.Sprintf("lies in %d projects: only the hooks of the outermost %d are looked at", n-1, maxProjects)})
		dirs = dirs[n-maxProjects:]
		l.set.Project = ""
	}
	for _, dir := range dirs {
		l.projects = append(l.projects, &project{dir: dir})
	}
}

const maxProjects = 32 // one inside another

// load reads the user's and the system's hooks only: a project is read when it is asked
// for, see [Set.Open].
func load(src Sources, event protocol.EventType, workDir string) *Set {
	l := newLoader(src, event)
	l.begin(workDir)
	if event != "" && !l.set.Settings.Enabled && !l.anyLock() {
		l.opened = true
		return l.set
	}
	for place, dir := range src.System {
		l.scan(SystemLayer, filepath.Join(dir, "hooks"), place)
	}
	if src.User != "" {
		l.scan(UserLayer, filepath.Join(src.User, "hooks"), 0)
	}
	for _, f := range l.files {
		if len(f.plugins) > 0 {
			l.fromSources(f, f.place)
		}
	}
	l.mergePerson()
	if event == "" {
		l.set.Open()
		l.askRefused(l.set.Hooks)
	}
	return l.set
}

// open reads the projects, and adds the built-in hooks.
func (l *loader) open() {
	l.opened = true
	l.ownSettings()
	if l.src.Builtins != nil && (l.event == "" || l.src.BuiltinsByEnv || l.set.Settings.Builtin != nil) {
		l.builtins()
	}
	// The outermost first: a folder inside it must not use up its time.
	for place := len(l.projects) - 1; place >= 0; place-- {
		cancel := l.share()
		l.scan(ProjectLayer, hooksFolder(l.projects[place].dir), place)
		if own := l.projects[place].own; own != nil && len(own.plugins) > 0 {
			l.fromSources(own, place)
		}
		cancel()
	}
	l.mergeProject()
}

func (l *loader) problem(p Problem) { l.set.Problems = append(l.set.Problems, p) }

// scan reads the front matter of each hook in a hooks folder.
func (l *loader) scan(layer LayerName, dir string, place int) {
	l.wasLate = false
	d, err := l.below(layer, place).Folder(dir)
	missing := errors.Is(err, fs.ErrNotExist)
	if l.event == "" || !missing {
		l.set.Layers = append(l.set.Layers, Layer{layer, dir})
	}
	if missing {
		if layer == ProjectLayer {
			l.tellGone(l.projects[place].dir)
		}
		return
	}
	if err != nil && l.late(layer) {
		if beneath.Exists(dir) {
			l.tellLate(dir)
		}
		return
	}
	if errors.Is(err, beneath.ErrRefused) {
		l.problem(Problem{File: dir, Severity: Error, Message: "is not looked into: " + beneath.Why(err), Fix: "put the folder itself into the project"})
		return
	}
	var folders []string
	if err == nil {
		defer d.Close()
		c := l.recall(d, layer, place)
		if c != nil {
			defer c.finish(d)
		}
		var read []string
		if layer == ProjectLayer && l.event != "" && !l.always {
			read = l.approvedFirst(d, place)
		}
		if c != nil {
			folders, err = c.folders(d)
		} else {
			var list []beneath.Child
			list, err = d.Children()
			folders = namesOf(list)
		}
		folders = without(read, l.bounded(folders, dir))
	}
	if l.others = nil; layer == ProjectLayer && l.event != "" && !l.always {
		l.others = grace{l.src.ctx(), time.Now(), processor.Time(), strangersTime}
	}
	if err != nil {
		l.problem(Problem{File: dir, Severity: Error, Message: "the hooks in it cannot be listed: " + beneath.Why(err)})
	}
	l.children(d, folders, layer, place)
	l.tellLate(dir)
}

// without removes from folders those that were read. Both are in order, mostly.
func without(read, folders []string) []string {
	next := 0
	return slices.DeleteFunc(folders, func(folder string) bool {
		if next < len(read) && read[next] == folder {
			next++
			return true
		}
		i, is := slices.BinarySearch(read, folder)
		next = i
		return is
	})
}

// children reads folders of a hooks folder, as long as there is time.
func (l *loader) children(d *beneath.Folder, folders []string, layer LayerName, place int) {
	l.wished = l.wishes(layer)
	l.keeps = l.src.Memo != nil || len(folders) >= leastIndexed/2
	if l.ahead != nil {
		l.ahead.finish()
	}
	if l.event != "" && len(folders)-l.known >= 2*crowd {
		l.together(d, folders, layer, place)
		return
	}
	for _, folder := range folders {
		if l.late(layer) {
			return
		}
		l.child(d, folder, layer, place)
	}
}

func (l *loader) tellLate(dir string) {
	if l.wasLate {
		l.problem(Problem{File: dir, Severity: Error, Message: "is not looked at any further: it takes too much of the event's time", Fix: "agents-hooks list shows all of it"})
	}
}

// maxHooks is how many hooks of one folder are read.
const maxHooks = 10_000

// bounded drops the folders beyond the limit, and says so.
func (l *loader) bounded(folders []string, dir string) []string {
	if len(folders) <= maxHooks {
		return folders
	}
	l.problem(Problem{File: dir, Severity: Error, Message: fmt.Sprintf("holds more than %d folders: the others are not looked at", maxHooks)})
	slices.Sort(folders)
	return folders[:maxHooks]
}

// late reports whether no time is left for a folder of the project. The user's hooks
// were read before.
func (l *loader) late(layer LayerName) bool {
	if l.owing || !l.over(layer) && (l.others == nil || l.others.Err() == nil) {
		return false
	}
	l.wasLate = true
	return true
}

func (l *loader) over(layer LayerName) bool {
	return layer == ProjectLayer && l.until != nil && (l.until.Err() != nil || l.src.Ctx.Err() != nil)
}

// child reads one folder of a hooks folder, if it is a hook.
func (l *loader) child(d *beneath.Folder, folder string, layer LayerName, place int) {
	if layer == ProjectLayer && len(l.read) > 0 && l.read[join(d.Path, folder)] != nil {
		return
	}
	f := &l.text
	r, err := l.front(d, folder, f)
	if r.pass != notPassed {
		if l.set.Found++; !r.kept {
			l.pass(folder, layer, place, r.pass)
		}
		return
	}
	if r.file == "" {
		if l.event == "" {
			l.nested(filepath.Join(d.Path, folder))
		}
		if l.owing {
			l.lacking = append(l.lacking, folder)
		}
		return
	}
	if err != nil {
		f.problems = []Problem{fatal(field{}, "", "", "cannot be read: %s", beneath.Why(err))}
	}
	if l.event == "" || !l.elsewhere(f, folder, layer, place) {
		l.found(d, folder, r, layer, place)
	}
	l.text = front{}
}

// found makes a hook from what was read of its HOOK.md.
func (l *loader) found(d *beneath.Folder, folder string, r reading, layer LayerName, place int) {
	f := &l.text
	h := l.newHook()
	h.Layer, h.Dir, h.folder, h.place, h.Status, h.Trusted = layer, join(d.Path, folder), folder, place, Ready, layer != ProjectLayer
	h.File = join(h.Dir, r.file)
	if layer == ProjectLayer {
		h.Project = l.projects[place].dir
		h.start = start{r.file, r.size, f.block}
	}
	h.take(f, l.src.Tongues)
	if l.wished.passes(h.brief()) {
		*h = Hook{}
		l.set.Found++
		l.pass(folder, layer, place, otherTool)
		return
	}
	l.spare = l.spare[1:]
	if h.Status == Broken && f.fields[keyTrigger].kind == absent && !anyFatal(f.problems) && handlerBeside(h.Dir) {
		h.Status = Foreign
	}
	if h.Status == Foreign {
		l.foreign = append(l.foreign, h)
		return
	}
	l.set.Found++
	l.hooks = append(l.hooks, h)
}

// newHook is an empty hook, the first of the spare ones, which whoever keeps it removes
// from them. They are allocated a few at a time.
func (l *loader) newHook() *Hook {
	if len(l.spare) == 0 {
		l.spare = make([]Hook, min(16, 1+len(l.hooks)))
	}
	return &l.spare[0]
}

// join is filepath.Join for clean paths.
func join(dir, name string) string { return dir + string(filepath.Separator) + name }

// elsewhere keeps only the name of a hook that waits for another event, and reports
// whether it does.
func (l *loader) elsewhere(f *front, folder string, layer LayerName, place int) bool {
	t, ok := triggerOf(f)
	if !ok || t == l.event || len(f.problems) > 0 && anyFatal(f.problems) {
		return false
	}
	l.set.Found++
	if name, ok := nameOf(f, folder); ok {
		l.bystanders = append(l.bystanders, bystander{name: name, folder: folder, layer: layer, place: place})
	}
	return true
}

// front reads the front matter of a hook's HOOK.md into f, unless less is enough.
func (l *loader) front(d *beneath.Folder, folder string, f *front) (reading, error) {
	if l.reads != nil {
		if r, known := l.reads.front(d, folder, &l.wished, f); known {
			return r, nil
		}
	}
	for _, file := range [...]string{hookFile, "hook.md"} {
		b, stamp, err := l.readStart(d, folder, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if beneath.NoFolder(err) || errors.Is(err, beneath.ErrNowhere) && !beneath.IsFolder(join(d.Path, folder)) {
			return reading{}, nil
		}
		if err != nil {
			return reading{file: file}, err
		}
		*f = readFront(b)
		if l.reads != nil && l.keeps && file == hookFile && keepable(stamp, f) {
			l.reads.keep(d, folder, stamp, f, len(b), briefOf(f, folder, l.src.Tongues))
		}
		return reading{file: file, size: len(b)}, nil
	}
	return reading{}, nil
}

const hookFile = "HOOK.md"

// readStart reads as much of a file as the front matter needs.
func (l *loader) readStart(d *beneath.Folder, folder, file string) ([]byte, beneath.Stamp, error) {
	if l.buf == nil {
		l.buf = make([]byte, firstRead)
	}
	b, stamp, err := d.ReadStart(folder, file, l.buf[:firstRead])
	if err == nil && len(b) == firstRead {
		if _, closed := CutFront(b); !closed {
			b, stamp, err = d.ReadStart(folder, file, make([]byte, maxFrontMatter))
		}
	}
	return b, stamp, err
}

// below is the root in which a layer's hooks are opened: a project's hooks cannot reach
// outside of it, while the user's own folders may be links to anywhere.
func (l *loader) below(layer LayerName, place int) *beneath.Root {
	if layer != ProjectLayer {
		return nil
	}
	p := l.projects[place]
	if p.in == nil {
		p.in = &beneath.Root{Dir: p.dir, Ctx: l.until}
	}
	return p.in
}

// vouch takes out a project's hook that is not trusted, and a user's hook that differs
// from their lock.
func (l *loader) vouch(h *Hook) {
	if h.Layer == UserLayer && l.hasPins() {
		l.pinned(h)
	}
	if h.Layer != ProjectLayer {
		return
	}
	if h.Trusted = l.trusts(h); !h.Trusted {
		h.Status = Untrusted
	}
}

// hasPins reports whether the user has a hooks.lock. Mostly there is none; it is
// checked once.
func (l *loader) hasPins() bool {
	if !l.pinsAsked {
		l.pinsAsked, l.pinsThere = true, beneath.Exists(filepath.Join(l.src.User, lockfile.Name))
	}
	return l.pinsThere
}

// admit checks what is still open about a hook that is about to run.
func (l *loader) admit(h *Hook) { h.findEntry(l.src.GOOS) }
