package lockfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/order"
)

// Name is the file's name, and Schema the latest version that this package knows. It
// writes the lowest version that can hold a lock: 2 if there are bare hashes.
const (
	Name   = "hooks.lock"
	Schema = 2
	// Max is the maximum size of a lock in bytes.
	Max = 1 << 20
)

// A Lock is the content of the file.
type Lock struct {
	Packs []Pack // sorted by name
}

// A Pack is one source and what was installed from it.
type Pack struct {
	Name    string
	Source  string   // an address, or a path: absolute, or relative to the project
	Dir     string   // the requested folder in it, "" for its top
	Ref     string   // the requested branch, tag or commit, "" for the default one
	Commit  string   // of a git repository
	SHA256  string   // of an archive
	Version string   // as the pack itself says
	Key     string   // the public key that its signatures are checked with
	Agents  []string // the agents that it is for, sorted; none: all
	Hooks   map[string]string
	Bare    map[string]string // hashes of the folders that have an executable file, with none executable
}

// Bare reports whether a system has no executable bit: there each folder is compared
// with its bare hash.
func Bare(goos string) bool { return goos == "windows" }

// Pin is the required hash of a folder of the pack, on a system with the executable bit
// or on a bare one; "" if the pack does not have it.
func (p *Pack) Pin(folder string, bare bool) string {
	if hash := p.Bare[folder]; bare && hash != "" {
		return hash
	}
	return p.Hooks[folder]
}

// Folders are the folders of a pack, sorted.
func (p *Pack) Folders() []string { return slices.Sorted(maps.Keys(p.Hooks)) }

// Pack returns the pack with a name, nil if there is none.
func (l *Lock) Pack(name string) *Pack {
	for i := range l.Packs {
		if l.Packs[i].Name == name {
			return &l.Packs[i]
		}
	}
	return nil
}

// Folder returns the pack that a folder came from, nil if it came from none.
func (l *Lock) Folder(name string) *Pack {
	for i := range l.Packs {
		if l.Packs[i].Hooks[name] != "" {
			return &l.Packs[i]
		}
	}
	return nil
}

// With returns the lock with a pack added, or replaced by name.
func (l *Lock) With(p Pack) *Lock {
	out := l.Without(p.Name)
	out.Packs = append(out.Packs, p)
	order.By(out.Packs, func(a, b Pack) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Without returns the lock without the pack with a name.
func (l *Lock) Without(name string) *Lock {
	return &Lock{slices.DeleteFunc(slices.Clone(l.Packs), func(p Pack) bool { return p.Name == name })}
}

// MayName reports whether a lock that cannot be read may be about a folder: whether its
// text contains the name as a word. Folder names are written without escapes.
func MayName(text, folder string) bool {
	part := func(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for at := 0; ; {
		i := strings.Index(text[at:], folder)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(folder)
		before, _ := utf8.DecodeLastRuneInString(text[:begin])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if !part(before) && !part(after) {
			return true
		}
		at = begin + 1
	}
}

// Format writes a lock in its canonical form.
func (l *Lock) Format() []byte {
	var b strings.Builder
	b.WriteString("# Where the hooks beside this file came from, and which bytes they have.\n" +
		"# Written by agents-hooks add, update and remove; agents-hooks verify checks it.\n")
	schema := 1
	if slices.ContainsFunc(l.Packs, func(p Pack) bool { return len(p.Bare) > 0 }) {
		schema = 2
	}
	fmt.Fprintf(&b, "schema = %d\n", schema)
	packs := slices.Clone(l.Packs)
	order.By(packs, func(x, y Pack) int { return cmp.Compare(x.Name, y.Name) })
	for _, p := range packs {
		fmt.Fprintf(&b, "\n[pack.%s]\n", key(p.Name))
		for _, v := range []struct{ name, text string }{
			{"source", p.Source}, {"dir", p.Dir}, {"ref", p.Ref}, {"commit", p.Commit}, {"sha256", p.SHA256}, {"version", p.Version}, {"key", p.Key},
		} {
			if v.text != "" {
				fmt.Fprintf(&b, "%s = %s\n", v.name, quoted(v.text))
			}
		}
		if len(p.Agents) > 0 {
			agents := slices.Sorted(slices.Values(p.Agents))
			for i := range agents {
				agents[i] = quoted(agents[i])
			}
			fmt.Fprintf(&b, "agents = [%s]\n", strings.Join(agents, ", "))
		}
		hashes(&b, p.Name, "hooks", p.Hooks)
		if len(p.Bare) > 0 {
			hashes(&b, p.Name, "bare", p.Bare)
		}
	}
	return []byte(b.String())
}

// hashes writes a table of folders.
func hashes(b *strings.Builder, pack, table string, of map[string]string) {
	fmt.Fprintf(b, "\n[pack.%s.%s]\n", key(pack), table)
	for _, folder := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(b, "%s = %s\n", key(folder), quoted(of[folder]))
	}
}

// key is a name as a TOML key: bare if possible.
func key(name string) string {
	bare := name != ""
	for i := range len(name) {
		c := name[i]
		bare = bare && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')
	}
	if bare {
		return name
	}
	return quoted(name)
}

// quoted is a text as a TOML basic string.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\u` + fmt.Sprintf("%04X", r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// place is a line as messages name it.
func place(line int) string {
	if line == 0 {
		return Name
	}
	return Name + ":" + strconv.Itoa(line)
}
