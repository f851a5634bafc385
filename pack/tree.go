package pack

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The limits of a pack, and of what a source may contain.
const (
	MaxFiles = 4096
	MaxBytes = 64 << 20
	maxHooks = 256
	maxDepth = 16
	maxPath  = 240 // bytes, below the pack
	maxName  = 128 // bytes
)

// A Kind is the kind of an entry in a source.
type Kind string

const (
	File Kind = "file"
	Link Kind = "link"
	// Any other kind is refused by its name: "a submodule", "a hard link".
)

// An Entry is anything in a source other than a folder.
type Entry struct {
	Path   string // with slashes, below what was asked for
	Kind   Kind
	Exec   bool
	Data   []byte
	Target string // of a link
}

// A Tree is the content of a source.
type Tree []Entry

// A Refusal says why something in a pack is refused.
type Refusal struct {
	Path string
	Why  string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", shown(r.Path), r.Why) }

func refuse(path, why string, args ...any) error { return &Refusal{path, fmt.Sprintf(why, args...)} }

// shown is a path on one line, without anything that a terminal obeys.
func shown(p string) string {
	if p == "" {
		return `""`
	}
	if strings.TrimSpace(p) != p || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || protocol.Odd(r) }) || !utf8.ValidString(p) {
		return fmt.Sprintf("%+q", p)
	}
	return p
}

// CheckPath returns an error for a path that means something else on another machine,
// or that leads elsewhere.
func CheckPath(p string) error {
	if len(p) > maxPath {
		return refuse(p[:40]+"…", "its path is longer than %d bytes", maxPath)
	}
	if strings.HasPrefix(p, "/") {
		return refuse(p, "is an absolute path")
	}
	parts := strings.Split(p, "/")
	if len(parts) > maxDepth {
		return refuse(p, "lies more than %d folders deep", maxDepth)
	}
	for _, name := range parts {
		if why := badName(name); why != "" {
			return refuse(p, "%s", why)
		}
	}
	return nil
}

// badName says why a name is refused, "" if it is not.
func badName(name string) string {
	switch {
	case name == "":
		return "has an empty name in its path"
	case name == "." || name == "..":
		return "has " + name + " in its path"
	case len(name) > maxName:
		return fmt.Sprintf("has a name of more than %d bytes", maxName)
	case !utf8.ValidString(name):
		return "its name is not UTF-8"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || protocol.Odd(r) }):
		return "has invisible or control characters in its name"
	case strings.ContainsAny(name, `\:*?"<>|`):
		return `has a character in its name that Windows forbids (\ : * ? " < > |)`
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "its name ends in a dot or a blank, which Windows leaves out"
	case device(name):
		return "is the name of a device on Windows"
	case strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1"):
		return "is a name that belongs to git"
	case !norm.NFC.IsNormalString(name):
		return "its name is not in the form NFC of Unicode: some file systems would change it"
	}
	return ""
}

// device reports whether Windows takes a name for a device, whatever its extension.
func device(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	base = strings.TrimRight(base, " ")
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if rest, ok := strings.CutPrefix(base, port); ok && rest != "" && strings.Trim(rest, "0123456789¹²³") == "" && utf8.RuneCountInString(rest) == 1 {
			return true
		}
	}
	return false
}

// Fold is the form in which file systems that ignore case, or Unicode normalization,
// compare a path.
func Fold(p string) string {
	// ß is the only letter whose other case has two letters and that is not
	// decomposed before.
	return strings.ReplaceAll(strings.Map(first, norm.NFKD.String(p)), "ß", "SS")
}

// first is the first of the letters that differ from one in case alone.
func first(r rune) rune {
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if least == '\u0345' { // an iota that is a mark below another letter, and is reordered among its marks
		return 'Ι'
	}
	return least
}

// check is an error for the first thing in a tree that no pack may contain.
func (t Tree) check() error {
	var total int64
	seen := map[string]string{} // of each path and each folder above it
	files := map[string]bool{}
	if len(t) > MaxFiles {
		return refuse(t[MaxFiles].Path, "is one of more than %d files", MaxFiles)
	}
	for _, e := range t {
		if err := CheckPath(e.Path); err != nil {
			return err
		}
		if e.Kind != File && e.Kind != Link {
			return refuse(e.Path, "is %s", e.Kind)
		}
		if total += int64(len(e.Data)); total > MaxBytes {
			return refuse(e.Path, "is over %d MiB together with the others", MaxBytes>>20)
		}
		if files[e.Path] {
			return refuse(e.Path, "is there twice")
		}
		files[e.Path] = true
		for p := e.Path; p != "."; p = path.Dir(p) {
			key := Fold(p)
			if twin, ok := seen[key]; ok && twin != p {
				return refuse(p, "is the same as %s where case or forms of Unicode do not count", shown(twin))
			}
			seen[key] = p
		}
	}
	for p := range files {
		for up := path.Dir(p); up != "."; up = path.Dir(up) {
			if files[up] {
				return refuse(up, "is a file and a folder at once")
			}
		}
	}
	return nil
}

// below is what a folder contains, by its path in the folder.
func (t Tree) below(dir string) (out Tree) {
	if dir == "" || dir == "." {
		return t
	}
	for _, e := range t {
		if rest, ok := strings.CutPrefix(e.Path, dir+"/"); ok {
			e.Path = rest
			out = append(out, e)
		}
	}
	return out
}

// file is the content of a regular file, nil if there is none.
func (t Tree) file(p string) []byte {
	for _, e := range t {
		if e.Path == p && e.Kind == File {
			return append([]byte{}, e.Data...)
		}
	}
	return nil
}

// flat is a tree without links: each is replaced by its target, which has to be in
// the tree.
func (t Tree) flat() (out Tree, err error) {
	at := map[string]Entry{}
	for _, e := range t {
		at[e.Path] = e
	}
	f := flattener{at: at, tree: t}
	for _, e := range t {
		if err := f.take(e, e.Path, 0); err != nil {
			return nil, err
		}
	}
	order.By(f.out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return f.out, f.out.check()
}

type flattener struct {
	at    map[string]Entry
	tree  Tree
	out   Tree
	bytes int64
}

const maxLinks = 16 // one after the other

// leadsOut reports whether a link leads out of the tree that contains it.
func leadsOut(e Entry) bool {
	to := path.Join(path.Dir(e.Path), e.Target)
	return strings.HasPrefix(e.Target, "/") || strings.ContainsAny(e.Target, "\\:\x00") || to == ".." || strings.HasPrefix(to, "../")
}

// take adds an entry under a path: once for a file, and for everything in the folder
// that a link leads to.
func (f *flattener) take(e Entry, as string, links int) error {
	if e.Kind == File {
		if f.bytes += int64(len(e.Data)); len(f.out) >= MaxFiles || f.bytes > MaxBytes {
			return refuse(as, "is too much, with links counted as what they point to")
		}
		e.Path = as
		f.out = append(f.out, e)
		return nil
	}
	if links == maxLinks {
		return refuse(as, "is a link that leads in a circle")
	}
	if leadsOut(e) {
		return refuse(e.Path, "is a link that leads out of its hook, to %s", shown(e.Target))
	}
	to := path.Join(path.Dir(e.Path), e.Target)
	if next, ok := f.at[to]; ok {
		return f.take(next, as, links+1)
	}
	found := false
	for _, below := range f.tree {
		rest, ok := strings.CutPrefix(below.Path, to+"/")
		if to == "." {
			rest, ok = below.Path, true
		}
		if !ok {
			continue
		}
		found = true
		if err := f.take(below, as+"/"+rest, links+1); err != nil {
			return err
		}
	}
	if !found {
		return refuse(e.Path, "is a link to %s, which is not there", shown(e.Target))
	}
	return nil
}
