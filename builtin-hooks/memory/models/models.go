// Package models manages the user's static models: what agents-hooks memory model adds,
// lists, removes and uses. Each is a file that searches map, and a file that says where
// it is from:
//
//	data/memory-models/potion-base-8M.model   package static reads it
//	data/memory-models/potion-base-8M.json    [Info]
//	data/memory-models/chosen.json            package chosen reads it
//
// Only [Store.Download] downloads, when the user names a model; a download is accepted
// only by its SHA-256, and converted only then.
package models

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/chosen"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/model2vec"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// BuiltIn is what the vectors are called that need no model.
const BuiltIn = "built-in"

// An Info is what is known of a model.
type Info struct {
	Name   string            `json:"name"`
	ID     string            `json:"id"`
	Kind   string            `json:"kind"` // WordPiece, Unigram, …
	Dims   int               `json:"dims"`
	Tokens int               `json:"tokens"`
	Bytes  int64             `json:"bytes"`
	From   string            `json:"from"`
	SHA256 map[string]string `json:"sha256"`
	Added  string            `json:"added"`
	Used   bool              `json:"used"`
	Wrong  string            `json:"wrong"` // "" if it is whole
}

// A Store is where a person's models lie.
type Store struct {
	Data string // the data directory
	Now  func() time.Time
}

func (s Store) info(name string) string { return filepath.Join(chosen.Dir(s.Data), name+".json") }

// Add reads a model from a folder, or the file with its tensors, and keeps it under a
// name. want is the SHA-256 that model.safetensors has to have, "" for any; from says
// where it is from.
func (s Store) Add(path, name, want, from string) (Info, error) {
	if !chosen.IsName(name) || name == BuiltIn || name == Local {
		return Info{}, fmt.Errorf("a model cannot be called %q: want letters, digits, dots, dashes (--name NAME)", name)
	}
	src, err := model2vec.Open(path)
	if err != nil {
		return Info{}, fmt.Errorf("reading the model in %q: %w", path, err)
	}
	defer src.Close()
	if got := src.Sums[model2vec.Tensors]; want != "" && !strings.EqualFold(got, want) {
		return Info{}, fmt.Errorf("%s in %q has the SHA-256 %s, and not %s: it is another model, or was changed", model2vec.Tensors, path, got, want)
	}
	dir := chosen.Dir(s.Data)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Info{}, err
	}
	temp, err := os.CreateTemp(dir, ".*.tmp")
	if err != nil {
		return Info{}, err
	}
	defer os.Remove(temp.Name()) // gone after the rename
	head, err := src.Convert(temp)
	if err = errors.Join(err, temp.Close()); err != nil {
		return Info{}, fmt.Errorf("reading the model in %q: %w", path, err)
	}
	i := Info{Name: name, ID: head.ID, Kind: head.Model, Dims: head.Dims, Tokens: head.Tokens, From: from, SHA256: src.Sums, Added: s.Now().UTC().Format(time.RFC3339)}
	b, err := json.MarshalIndent(i, "", "  ")
	if err == nil {
		err = os.Rename(temp.Name(), chosen.Path(s.Data, name))
	}
	if err == nil {
		err = statefile.Update(s.info(name), lockWait, func([]byte) ([]byte, error) { return append(b, '\n'), nil })
	}
	if err != nil {
		return Info{}, fmt.Errorf("keeping the model %q: %w", name, err)
	}
	return s.Get(name)
}

// lockWait is how long a file is waited for that somebody else writes.
const lockWait = 5 * time.Second

// NameOf is what a model is called by where it lies: its folder, or what the library
// for downloads calls it.
func NameOf(path string) string {
	path = filepath.Clean(path)
	if filepath.Base(path) == model2vec.Tensors {
		path = filepath.Dir(path)
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	name := filepath.Base(path)
	if up := filepath.Dir(path); filepath.Base(up) == "snapshots" {
		parts := strings.Split(filepath.Base(filepath.Dir(up)), "--")
		name = parts[len(parts)-1]
	}
	return name
}

// Get is one model.
func (s Store) Get(name string) (i Info, err error) {
	if !chosen.IsName(name) {
		return i, fmt.Errorf("no model can be called %q", name)
	}
	const most = 64 << 10
	b, err := safefile.Read(s.info(name), most)
	if err == nil {
		err = json.Unmarshal(b, &i)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil // the model says the rest of itself
	}
	if err != nil {
		return i, fmt.Errorf("what is known of the model %q: %w", name, err)
	}
	i.Name = name
	info, err := os.Stat(chosen.Path(s.Data, name))
	if errors.Is(err, fs.ErrNotExist) {
		return i, fmt.Errorf("there is no model %q here: %w", name, err)
	}
	if err != nil {
		return i, err
	}
	i.Bytes = info.Size()
	m, err := static.Open(chosen.Path(s.Data, name))
	if err == nil {
		i.ID, i.Kind, i.Dims, i.Tokens = m.ID, m.Model, m.Dims, m.Tokens
		err = m.Check()
		m.Close()
	}
	if err != nil {
		i.Wrong = err.Error()
	}
	c, _ := chosen.Read(s.Data)
	i.Used = c.Name == name
	return i, nil
}

// List is all of them, by their names.
func (s Store) List() (out []Info, err error) {
	files, err := os.ReadDir(chosen.Dir(s.Data))
	if errors.Is(err, fs.ErrNotExist) {
		return []Info{}, nil
	}
	out = []Info{}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), chosen.Ext)
		if !ok || !chosen.IsName(name) {
			continue
		}
		i, bad := s.Get(name)
		if bad != nil {
			i.Wrong = bad.Error()
		}
		out = append(out, i)
	}
	slices.SortFunc(out, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	return out, err
}

// Remove takes a model away, and the vectors by it in the cache and in the person's own
// memory. Whoever uses it has the built-in ones again.
func (s Store) Remove(name, cache string) error {
	i, err := s.Get(name)
	if err != nil {
		return err
	}
	if i.Used {
		if err := s.Choose(chosen.Choice{}); err != nil {
			return err
		}
	}
	if err := os.Remove(chosen.Path(s.Data, name)); err != nil {
		return fmt.Errorf("removing the model %q: %w", name, err)
	}
	return errors.Join(gone(s.info(name)), gone(s.info(name)+".lock"), s.Tidy(cache))
}

// Tidy takes away the vectors by models that are not there any more, in the cache and
// in the person's own memory: also by one whose file somebody took away, and by what was
// called the same before. Where a model cannot be read, nobody knows which are its own.
func (s Store) Tidy(cache string) error {
	files, err := os.ReadDir(chosen.Dir(s.Data))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	there := map[string]bool{}
	for _, f := range files {
		if filepath.Ext(f.Name()) != chosen.Ext {
			continue
		}
		m, err := static.Open(filepath.Join(chosen.Dir(s.Data), f.Name()))
		if err != nil {
			return nil
		}
		there[chosen.KeptExt(m.ID)] = true
		m.Close()
	}
	kept, _ := filepath.Glob(filepath.Join(s.Data, "memory", chosen.KeptName("*")))
	if cache != "" {
		more, _ := filepath.Glob(filepath.Join(cache, "memory", "*"+chosen.KeptExt("*")))
		kept = append(kept, more...)
	}
	err = nil
	for _, path := range kept {
		if !there[filepath.Ext(path)] {
			err = errors.Join(err, gone(path))
		}
	}
	return err
}

// gone removes a file, if it is there.
func gone(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Choose makes a model the one that counts where the setting embedding is "auto"; the
// empty one is the built-in vectors.
func (s Store) Choose(c chosen.Choice) error {
	if err := os.MkdirAll(chosen.Dir(s.Data), 0o700); err != nil {
		return err
	}
	return statefile.Update(chosen.File(s.Data), lockWait, func([]byte) ([]byte, error) {
		b, err := json.MarshalIndent(c, "", "  ")
		return append(b, '\n'), err
	})
}

// Local is what a model on this machine is chosen by.
const Local = "local"
