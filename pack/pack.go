package pack

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/toml"
	"github.com/agents-hooks/agents-hooks/pack/lockfile"
	"github.com/agents-hooks/agents-hooks/trust"
)

// A Manifest is the content of a pack.toml.
type Manifest struct {
	Name        string
	Version     string
	Description string
	Requires    string // the minimum version of agents-hooks
	Key         string // a minisign public key
}

// A Folder is one hook of a pack, without links.
type Folder struct {
	Name  string
	Files Tree
}

// A Pack is what was read from a tree.
type Pack struct {
	Manifest
	At      string   // where in the tree its hooks are, "" for the top
	Folders []Folder // sorted by name
	Left    []string // folders beside them that are not hooks

	manifest  []byte
	sums, sig []byte
}

// Files are the files of a pack that belong to no hook.
const (
	manifestFile = "pack.toml"
	sumsFile     = "pack.sums"
	sigFile      = "pack.sums.minisig"
	maxManifest  = 64 << 10
)

// Read makes a pack from a tree. alone is the folder name for a single hook at the top.
// If the top of a pack has no hooks, they may be in .agents/hooks or hooks.
func Read(t Tree, alone string) (*Pack, error) {
	p := &Pack{}
	names := hookFolders(t)
	for _, dir := range []string{".agents/hooks", "hooks"} {
		if len(names) == 0 && len(hookFolders(t.below(dir))) > 0 {
			names, p.At = hookFolders(t.below(dir)), dir
		}
	}
	hooks := t.below(p.At)
	single := len(names) == 0 && hookFile(t)
	if single {
		names = []string{alone}
	}
	if len(names) == 0 {
		return nil, noHooks(t)
	}
	if err := linksOut(hooks); err != nil {
		return nil, err
	}
	for _, name := range names {
		if !lockfile.ValidName(name) || badName(name) != "" {
			return nil, refuse(name, "cannot be the name of a hook's folder")
		}
		below := hooks.below(name)
		if single {
			below = withoutOwn(t)
		}
		if err := below.check(); err != nil {
			return nil, in(name, err)
		}
		files, err := below.flat()
		if err != nil {
			return nil, in(name, err)
		}
		p.Folders = append(p.Folders, Folder{name, files})
	}
	if err := p.Settle(); err != nil {
		return nil, err
	}
	p.Left = leftOut(hooks, names, single)
	return p, p.own(t, hooks)
}

// Whole makes a pack with all files of a tree in one folder with a name.
func Whole(t Tree, name string) (*Pack, error) {
	p := &Pack{}
	own := withoutOwn(t)
	if err := own.check(); err != nil {
		return nil, err
	}
	files, err := own.flat()
	if err != nil {
		return nil, err
	}
	p.Folders = []Folder{{name, files}}
	return p, p.own(t, t)
}

// Settle sorts the folders of a pack and their files, and returns an error if there are
// more than a pack may have.
func (p *Pack) Settle() error {
	order.By(p.Folders, func(a, b Folder) int { return strings.Compare(a.Name, b.Name) })
	if len(p.Folders) > maxHooks {
		return fmt.Errorf("the pack has %d hooks, want at most %d", len(p.Folders), maxHooks)
	}
	var all Tree
	for _, f := range p.Folders {
		order.By(f.Files, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
		for _, e := range f.Files {
			e.Path = f.Name + "/" + e.Path
			all = append(all, e)
		}
	}
	return all.check()
}

// linksOut is an error for a link beside the hooks that leads out of the pack: it may
// have been meant for a hook.
func linksOut(t Tree) error {
	for _, e := range t {
		if e.Kind == Link && !strings.Contains(e.Path, "/") && leadsOut(e) {
			return refuse(e.Path, "is a link that leads out of the pack, to %s", shown(e.Target))
		}
	}
	return nil
}

// in is an error with the hook's folder before its path.
func in(folder string, err error) error {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return &Refusal{folder + "/" + r.Path, r.Why}
	}
	return err
}

// own reads the files of the pack itself, at its top.
func (p *Pack) own(t, hooks Tree) (err error) {
	top := t
	if top.file(manifestFile) == nil {
		top = hooks
	}
	p.manifest, p.sums, p.sig = top.file(manifestFile), top.file(sumsFile), top.file(sigFile)
	if len(p.manifest) > maxManifest || len(p.sums) > MaxFiles*256 || len(p.sig) > 4096 {
		return fmt.Errorf("%s, %s or %s is too large", manifestFile, sumsFile, sigFile)
	}
	if p.manifest == nil {
		return nil
	}
	p.Manifest, err = readManifest(string(p.manifest))
	return err
}

// hookFolders are the folders at the top of a tree that have a HOOK.md.
func hookFolders(t Tree) []string {
	names := map[string]bool{}
	for _, e := range t {
		name, file, ok := strings.Cut(e.Path, "/")
		if ok && (file == "HOOK.md" || file == "hook.md") && name != "" && (name[0] != '.' || badName(name) != "") {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func hookFile(t Tree) bool { return t.file("HOOK.md") != nil || t.file("hook.md") != nil }

// withoutOwn is a hook that is itself the pack, without the pack's own files.
func withoutOwn(t Tree) Tree {
	return slices.DeleteFunc(slices.Clone(t), func(e Entry) bool {
		return e.Path == manifestFile || e.Path == sumsFile || e.Path == sigFile || strings.HasPrefix(e.Path, ".git/")
	})
}

// leftOut are folders beside the hooks that are not hooks.
func leftOut(t Tree, hooks []string, single bool) []string {
	names := map[string]bool{}
	for _, e := range t {
		name, _, ok := strings.Cut(e.Path, "/")
		if (ok || e.Kind == Link) && !single && name[0] != '.' && !slices.Contains(hooks, name) {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// ErrNoHooks is wrapped by the error for a tree without hooks in the expected places.
var ErrNoHooks = errors.New("no hooks in it")

// noHooks says where in a tree hooks are, if there are any.
func noHooks(t Tree) error {
	dirs := map[string]bool{}
	for _, e := range t {
		if rest, ok := strings.CutSuffix(e.Path, "/HOOK.md"); ok {
			if at := strings.LastIndexByte(rest, '/'); at > 0 {
				dirs[rest[:at]] = true
			}
		}
	}
	if len(dirs) == 0 {
		return fmt.Errorf("%w: a pack is a folder of hook folders, each with a HOOK.md", ErrNoHooks)
	}
	list := slices.Sorted(maps.Keys(dirs))
	for i := range list {
		list[i] = "//" + shown(list[i])
	}
	if len(list) > 5 {
		list = append(list[:5], "…")
	}
	return fmt.Errorf("%w at its top; there are some in %s", ErrNoHooks, strings.Join(list, ", "))
}

func readManifest(text string) (m Manifest, err error) {
	fail := func(offset int, format string, args ...any) error {
		line, _ := toml.Position(text, offset)
		return fmt.Errorf("%s:%d: %s", manifestFile, line, fmt.Sprintf(format, args...))
	}
	doc, err := toml.Parse(text)
	if err != nil {
		e, _ := errors.AsType[*toml.Error](err)
		return m, fail(e.Offset, "%s", e.Behind("is not TOML"))
	}
	to := map[string]*string{"name": &m.Name, "version": &m.Version, "description": &m.Description, "requires": &m.Requires, "key": &m.Key}
	for _, place := range doc.Places {
		field, known := to[place.Path]
		if !known {
			continue // from a later version, or somebody's own
		}
		s, ok := doc.Root[place.Path].(string)
		if !ok || len(s) > 1000 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return m, fail(place.Key, "%s is not one line of text; want %s = \"…\"", place.Path, place.Path)
		}
		if *field = s; place.Path == "name" && (!lockfile.ValidName(s) || badName(s) != "") {
			return m, fail(place.Key, "%q cannot be the name of a pack", s)
		}
	}
	return m, nil
}

// Size returns the number of files and bytes in a pack.
func (p *Pack) Size() (files int, bytes int64) {
	for _, f := range p.Folders {
		files += len(f.Files)
		for _, e := range f.Files {
			bytes += int64(len(e.Data))
		}
	}
	return files, bytes
}

// Hash is the hash of a folder in a lock and an approval, see package trust.
func (f Folder) Hash() string { return f.Pin(false) }

// Pin is the hash of a folder on a system with the executable bit or, bare, on one
// without.
func (f Folder) Pin(bare bool) string {
	h := trust.NewTreeHash()
	for _, e := range f.Files {
		h.Add(e.Path, e.Exec && !bare, sha256.Sum256(e.Data))
	}
	return h.String()
}

// Hashes returns the hashes of all folders, and the bare ones that differ.
func (p *Pack) Hashes() (all, bare map[string]string) {
	all, bare = map[string]string{}, map[string]string{}
	for _, f := range p.Folders {
		all[f.Name] = f.Hash()
		if hash := f.Pin(true); hash != all[f.Name] {
			bare[f.Name] = hash
		}
	}
	return all, bare
}
