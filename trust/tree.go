package trust

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// The bounds of a hook's folder in a project: what is larger is not hashed on
// every event, so it cannot be trusted.
const (
	maxTreeFiles   = 4096
	maxTreeFolders = 1024 // each as often as a link leads to it
	maxTreeBytes   = 64 << 20
	maxTreeDepth   = 32
)

const (
	maxKeptFile = 64 << 10  // a text file up to this size is kept for the diff
	maxKeptTree = 512 << 10 // all kept files of one item together
)

// A treeFile is one file of a hook's folder.
type treeFile struct {
	path    string // below the folder, with slashes
	exec    bool
	size    int64
	sum     [sha256.Size]byte
	text    []byte // the content, if it was asked for and is a small text
	skipped bool   // it was asked for, and the texts of the files before were enough
}

// A treeWalk reads the files of one folder.
type treeWalk struct {
	root   string // without links
	in     *beneath.Root
	keep   bool            // keep small texts
	into   *copying        // where what is read is kept, nil: nowhere
	start  Start           // how one of the files has to begin
	links  bool            // only see to it that no link leads out
	seen   map[string]bool // folders, if it is about links only: once is enough
	owners owners          // then, too
	others error           // why somebody else may change one of them
	dirs   int
	files  []treeFile
	bytes  int64
	kept   int64
}

// read reads all files of a hook's folder, sorted by path. A link counts as
// what it points to, which must lie in the folder; anything but files, folders
// and links is an error.
func (w *treeWalk) read(ctx context.Context, dir string) ([]treeFile, error) {
	if err := w.run(ctx, dir); err != nil {
		return nil, err
	}
	return w.files, nil
}

// A Start is how a file of a folder began when it was read before: the approved bytes
// must be the ones that were acted on. The zero value is none.
type Start struct {
	Path string // below the folder, with slashes
	Size int
	// Same reports whether these bytes are equivalent to those that were read.
	Same func(begin []byte) bool
}

// owned remembers if somebody else may change a file.
func (w *treeWalk) owned(path string) {
	info, err := os.Lstat(path)
	if err == nil {
		err = w.owners.others(info)
	}
	if err != nil {
		w.others = fmt.Errorf("%s: %s", path, safefile.Reason(err))
	}
}

func (w *treeWalk) run(ctx context.Context, dir string) (err error) {
	if w.in, err = below(ctx, dir); err != nil {
		return err
	}
	w.root = w.in.Dir
	if err := w.dir(w.root, "", 0); err != nil {
		return err
	}
	sort.Slice(w.files, func(i, j int) bool { return w.files[i].path < w.files[j].path })
	return nil
}

func (w *treeWalk) dir(dir, path string, depth int) error {
	if depth > maxTreeDepth {
		return fmt.Errorf("%s: folders nested more than %d deep", path, maxTreeDepth)
	}
	// Links can turn thirty folders into a thousand million.
	if w.dirs++; w.dirs > maxTreeFolders {
		return fmt.Errorf("more than %d folders, counting one again for each link to it", maxTreeFolders)
	}
	if w.seen[dir] {
		return nil
	}
	if w.links {
		w.seen[dir] = true
		if w.others == nil {
			w.owned(dir)
		}
	}
	entries, err := w.in.List(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := w.entry(filepath.Join(dir, e.Name()), strings.TrimPrefix(path+"/"+e.Name(), "/"), e.Type(), depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *treeWalk) entry(file, path string, mode fs.FileMode, depth int) error {
	if mode&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		real, err := safefile.Resolve(file, w.root)
		if err != nil {
			return fmt.Errorf("%s: %s", path, safefile.Reason(err))
		}
		info, err := w.in.Lstat(real)
		if err != nil {
			return err
		}
		file, mode = real, info.Mode().Type()
	}
	switch {
	case mode.IsDir():
		return w.dir(file, path, depth+1)
	case mode.IsRegular():
		return w.file(file, path)
	}
	return fmt.Errorf("%s: %w", path, safefile.Irregular(mode))
}

func (w *treeWalk) file(file, path string) error {
	if len(w.files) == maxTreeFiles {
		return fmt.Errorf("more than %d files", maxTreeFiles)
	}
	if w.links {
		w.files = append(w.files, treeFile{path: path})
		if w.others == nil {
			w.owned(file)
		}
		return nil
	}
	f, err := w.in.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", path, safefile.Irregular(info.Mode()))
	}
	t := treeFile{path: path, exec: info.Mode().Perm()&0o111 != 0}
	if err := w.content(f, &t, info.Size()); err != nil {
		return fmt.Errorf("%s: %s", path, safefile.Reason(err))
	}
	w.files = append(w.files, t)
	return nil
}

func (w *treeWalk) content(f *os.File, t *treeFile, size int64) error {
	h := sha256.New()
	to := []io.Writer{h}
	var kept bytes.Buffer
	keep := w.keep && size <= maxKeptFile && w.kept+size <= maxKeptTree
	if keep {
		to = append(to, &kept)
	}
	t.skipped = w.keep && !keep
	var copied *os.File
	if w.into != nil {
		var err error
		if copied, err = w.into.file(*t); err != nil {
			return err
		}
		defer copied.Close()
		to = append(to, copied)
	}
	from := io.Reader(f)
	if t.path == w.start.Path {
		begin, err := w.start.check(f)
		if err != nil {
			return err
		}
		from = io.MultiReader(bytes.NewReader(begin), f)
	}
	n, err := io.Copy(writer(to), io.LimitReader(from, maxTreeBytes-w.bytes+1))
	if err != nil {
		return err
	}
	if w.bytes += n; w.bytes > maxTreeBytes {
		return fmt.Errorf("the hook's files add up to more than %d MiB", maxTreeBytes>>20)
	}
	t.size = n
	h.Sum(t.sum[:0])
	if keep && n <= maxKeptFile && showable(kept.Bytes()) {
		t.text = append([]byte{}, kept.Bytes()...)
		w.kept += n
	}
	if copied != nil {
		return copied.Sync()
	}
	return nil
}

// writer is one writer for all.
func writer(all []io.Writer) io.Writer {
	if len(all) == 1 {
		return all[0]
	}
	return io.MultiWriter(all...)
}

// check reads the beginning of a file.
func (s Start) check(f *os.File) ([]byte, error) {
	begin := make([]byte, s.Size)
	if _, err := io.ReadFull(f, begin); err != nil || !s.Same(begin) {
		return nil, errChanged
	}
	return begin, nil
}

// showable reports whether a person can read a file: a text, some odd bytes of which
// are written out when it is shown.
func showable(b []byte) bool {
	odd := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\t' && r != '\r' {
			odd++
		}
		i += n
	}
	return odd*10 <= len(b)
}

// A TreeHash makes the hash that stands for a folder, in an approval and in the lock of a pack: of the
// path, the executable bit and the content of each file, in the order of their paths (HM-SEC-05).
type TreeHash struct{ of hash.Hash }

// NewTreeHash begins one.
func NewTreeHash() TreeHash {
	h := TreeHash{sha256.New()}
	io.WriteString(h.of, "agents-hooks tree 1\n")
	return h
}

// Add adds a file.
func (h TreeHash) Add(path string, exec bool, sum [sha256.Size]byte) {
	mode := "-"
	if exec {
		mode = "x"
	}
	// Neither a path nor what follows can hold a NUL.
	io.WriteString(h.of, path+"\x00"+mode+"\x00"+hex.EncodeToString(sum[:])+"\n")
}

func (h TreeHash) String() string { return hex.EncodeToString(h.of.Sum(nil)) }

func treeHash(files []treeFile) string {
	h := NewTreeHash()
	for _, f := range files {
		h.Add(f.path, f.exec, f.sum)
	}
	return h.String()
}
