package lockfile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/internal/toml"
)

// An Error says why a text is not a lock.
type Error struct {
	Line    int // from 1
	Message string
	Fix     string
}

func (e *Error) Error() string { return e.Place() + ": " + e.Message + "; " + e.Fix }

// Place is the file and the line.
func (e *Error) Place() string { return place(e.Line) }

const byHand = "take back what was edited (git checkout, or an older copy), or remove the pack and add it again"

// Parse reads a lock. The error is an [*Error].
func Parse(file string) (*Lock, error) {
	if len(file) > Max {
		return nil, &Error{0, fmt.Sprintf("%d bytes, over the limit of %d", len(file), Max), byHand}
	}
	if !utf8.ValidString(file) {
		return nil, &Error{0, "is not UTF-8", byHand}
	}
	if line := mergeMark(file); line > 0 {
		return nil, &Error{line, "marks of a merge that is not finished", "keep the [pack.…] blocks of both sides, take the marks out, then agents-hooks verify"}
	}
	doc, err := toml.Parse(file)
	if err != nil {
		at, _ := errors.AsType[*toml.Error](err)
		line, _ := toml.Position(file, at.Offset)
		fix := byHand
		if at.Limit {
			fix = "remove packs that you do not use (agents-hooks remove), or else " + byHand
		}
		return nil, &Error{line, at.Behind("is not TOML"), fix}
	}
	r := reader{file: file, doc: doc}
	lock := r.lock()
	if r.err != nil {
		return nil, r.err
	}
	return lock, nil
}

// mergeMark is the first line that git leaves at a conflict, 0 if there is none.
func mergeMark(file string) int {
	n := 0
	for line := range strings.Lines(file) {
		n++
		for _, mark := range []string{"<<<<<<<", ">>>>>>>", "|||||||", "======="} {
			rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), mark)
			if ok && (rest == "" || rest[0] == ' ') {
				return n
			}
		}
	}
	return 0
}

// A reader keeps the first error.
type reader struct {
	file string
	doc  *toml.Document
	err  error
}

func (r *reader) fail(path, fix, format string, args ...any) {
	if r.err != nil {
		return
	}
	line := 1
	p, ok := r.doc.Find(path)
	if !ok {
		p, ok = r.doc.Find(path + "[0]") // of an array where a table is expected
	}
	if ok {
		line, _ = toml.Position(r.file, p.Key)
	}
	r.err = &Error{line, fmt.Sprintf(format, args...), fix}
}

func (r *reader) lock() *Lock {
	switch v := r.doc.Root["schema"].(type) {
	case nil:
		r.fail("", byHand, "has no schema = %d", Schema)
	case int64:
		if v > Schema {
			r.fail("schema", "upgrade agents-hooks", "schema %d was written by a later version of agents-hooks, this one knows %d", v, Schema)
		} else if v < 1 {
			r.fail("schema", byHand, "schema %d is unknown", v)
		}
	default:
		r.fail("schema", byHand, "schema is not a number")
	}
	r.only(r.doc.Root, "", "schema", "pack")
	lock := &Lock{}
	packs, ok := r.doc.Root["pack"].(map[string]any)
	if !ok && r.doc.Root["pack"] != nil {
		r.fail("pack", byHand, "pack is not a table of packs")
	}
	for _, name := range slices.Sorted(maps.Keys(packs)) {
		path := "pack." + name
		if !ValidName(name) {
			r.fail(path, byHand, "%q cannot be the name of a pack", name)
		}
		table, ok := packs[name].(map[string]any)
		if !ok {
			r.fail(path, byHand, "%s is not a table", path)
			continue
		}
		lock.Packs = append(lock.Packs, r.pack(name, path, table))
	}
	owner := map[string]string{}
	for _, p := range lock.Packs {
		for _, folder := range p.Folders() {
			if other, twice := owner[strings.ToLower(folder)]; twice {
				r.fail("pack."+p.Name+".hooks."+folder, "keep it in one of them", "the folder %q is of the pack %q already", folder, other)
			}
			owner[strings.ToLower(folder)] = p.Name
		}
	}
	return lock
}

func (r *reader) pack(name, path string, table map[string]any) Pack {
	r.only(table, path, "source", "dir", "ref", "commit", "sha256", "version", "key", "agents", "hooks", "bare")
	p := Pack{Name: name}
	for word, to := range map[string]*string{"source": &p.Source, "dir": &p.Dir, "ref": &p.Ref, "commit": &p.Commit, "sha256": &p.SHA256, "version": &p.Version, "key": &p.Key} {
		*to = r.text(table, path, word)
	}
	switch {
	case p.Source == "":
		r.fail(path, byHand, "the pack %q has no source", name)
	case p.Commit != "" && !Hex(p.Commit, 40) && !Hex(p.Commit, 64):
		r.fail(path+".commit", byHand, "%q is not a commit", p.Commit)
	case p.SHA256 != "" && !Hex(p.SHA256, 64):
		r.fail(path+".sha256", byHand, "%q is not a SHA-256", p.SHA256)
	}
	agents, ok := table["agents"].([]any)
	if !ok && table["agents"] != nil {
		r.fail(path+".agents", byHand, "agents is not a list")
	}
	for _, a := range agents {
		id, ok := a.(string)
		if !ok || !ValidName(id) {
			r.fail(path+".agents", byHand, "%v is not an agent's id", a)
		}
		p.Agents = append(p.Agents, id)
	}
	if p.Hooks = r.hashes(table, path, "hooks"); len(p.Hooks) == 0 {
		r.fail(path, byHand, "the pack %q has no hooks", name)
	}
	p.Bare = r.hashes(table, path, "bare")
	for _, folder := range slices.Sorted(maps.Keys(p.Bare)) {
		if p.Hooks[folder] == "" {
			r.fail(path+".bare."+folder, byHand, "%q is none of the pack's hooks", folder)
		}
	}
	return p
}

// hashes are those in a table of folders.
func (r *reader) hashes(table map[string]any, path, word string) map[string]string {
	of, ok := table[word].(map[string]any)
	if !ok && table[word] != nil {
		r.fail(path+"."+word, byHand, "%s is not a table of folders", word)
	}
	all := map[string]string{}
	for _, folder := range slices.Sorted(maps.Keys(of)) {
		at := path + "." + word + "." + folder
		hash, ok := of[folder].(string)
		switch {
		case !ValidName(folder):
			r.fail(at, byHand, "%q cannot be the folder of a hook", folder)
		case !ok || !Hex(hash, 64):
			r.fail(at, byHand, "%v is not a hash of the folder %q", of[folder], folder)
		}
		all[folder] = hash
	}
	return all
}

func (r *reader) text(table map[string]any, path, word string) string {
	s, ok := table[word].(string)
	if !ok && table[word] != nil {
		r.fail(path+"."+word, byHand, "%s is not text", word)
	}
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		r.fail(path+"."+word, byHand, "%s holds control characters", word)
	}
	return s
}

// only fails for a key that is not in the list.
func (r *reader) only(table map[string]any, path string, known ...string) {
	for _, word := range slices.Sorted(maps.Keys(table)) {
		if slices.Contains(known, word) {
			continue
		}
		fix := byHand
		if near := text.Nearest(word, known, 2); near != "" {
			fix = "did you mean " + near + "?"
		}
		r.fail(toml.Dotted(path, word), fix, "unknown key %q", word)
	}
}

// Hex reports whether a text consists of so many hexadecimal digits, in lower case.
func Hex(s string, n int) bool {
	return len(s) == n && strings.Trim(s, "0123456789abcdef") == ""
}

// ValidName reports whether a text can name a folder or a pack: one element of a path.
// Code that creates folders checks further restrictions.
func ValidName(s string) bool {
	if s == "" || len(s) > 128 || s[0] == '.' || s[0] == '-' {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|'`, r)
	})
}
