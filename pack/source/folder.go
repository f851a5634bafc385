package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/pack"
)

// folder reads a folder as it is: it follows no link, waits for no pipe, and opens
// nothing outside.
func (s Source) folder(ctx context.Context) (*Fetched, error) {
	real, err := filepath.EvalSymlinks(s.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrGone, safefile.Reason(err))
	}
	root := &beneath.Root{Dir: real, Ctx: ctx}
	top := filepath.Join(real, filepath.FromSlash(s.Dir))
	all, err := names(root, top)
	if err != nil {
		return nil, err
	}
	got := &Fetched{}
	want, others := wanted(all)
	for _, e := range want {
		if e.Kind == pack.File {
			if err := read(root, top, &e); err != nil {
				return nil, fmt.Errorf("%s: %s", e.Path, beneath.Why(err))
			}
			if got.Size += int64(len(e.Data)); got.Size > pack.MaxBytes {
				return nil, fmt.Errorf("%w: its hooks are over %d MiB", ErrTooBig, pack.MaxBytes>>20)
			}
		}
		got.Tree = append(got.Tree, e)
	}
	got.Tree = append(got.Tree, others...)
	return got, nil
}

// names are the entries of a folder, without their bytes.
func names(root *beneath.Root, top string) (all pack.Tree, err error) {
	err = root.Walk(top, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		rel, err := filepath.Rel(top, p)
		if err != nil || rel == "." {
			return err
		}
		atTop := filepath.Dir(p) == top
		if e.Name() == ".git" && atTop { // of the clone, not of the pack
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() {
			if e.Name() == "node_modules" && atTop {
				return fs.SkipDir
			}
			return nil
		}
		if len(all) == maxNames {
			return fmt.Errorf("%w: more than %d files", ErrTooBig, maxNames)
		}
		entry := pack.Entry{Path: filepath.ToSlash(rel), Kind: pack.File}
		switch mode := e.Type(); {
		case mode&fs.ModeSymlink != 0:
			target, err := os.Readlink(p)
			if err != nil {
				return err
			}
			entry.Kind, entry.Target = pack.Link, filepath.ToSlash(target)
		case !mode.IsRegular():
			entry.Kind = pack.Kind(safefile.Kind(mode))
		}
		all = append(all, entry)
		return nil
	})
	return all, err
}

// read reads the bytes of an entry.
func read(root *beneath.Root, top string, e *pack.Entry) error {
	p := filepath.Join(top, filepath.FromSlash(e.Path))
	info, err := root.Lstat(p)
	if err != nil {
		return err
	}
	if beneath.ManyNames(info) {
		e.Kind = "a hard link: the file has another name"
		return nil
	}
	e.Exec = info.Mode().Perm()&0o111 != 0
	e.Data, err = root.Read(p, pack.MaxBytes)
	return err
}
