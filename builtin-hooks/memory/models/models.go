// Package models manages the user's static models: what agents-hooks memory model adds, lists,
// removes and uses. Each is a file that searches map, and a file that says where it comes from:
//
//	data/memory-models/potion-base-8M.model   package static reads it
//	data/memory-models/potion-base-8M.json    [Info]
//	data/memory-models/chosen.json            package chosen reads it
//
// Only [Store.Download] downloads, when the user names a model; a download is accepted only by
// its SHA-256, and converted only then.
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

// BuiltIn is the name of the vectors that need no model.
const BuiltIn = "built-in"

// An Info describes a model.
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
	Wrong  string            `json:"wrong"` // "" if it is usable
}

// A Store has a user's models.
type Store struct {
	Data string // the data directory
	Now  func() time.Time
}

func (s Store) info(name string) string { return filepath.Join(chosen.Dir(s.Data), name+".json") }

// Add reads a model from a folder, or from the file with its tensors, and stores it under a
// name. want is the required SHA-256 of model.safetensors, "" for any; from says where it comes
// from.
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

// lockWait is how long to wait for a file that somebody else writes.
const lockWait = 5 * time.Second

// NameOf is the name for a model at a path: its folder's, or the one that the download library
// uses.
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

func (s Store) Get(name string) (i Info, err error) {
	if !chosen.IsName(name) {
		return i, fmt.Errorf("no model can be called %q", name)
	}
	const most = 64 << 10
	b, err := safefile.Read(s.info(name), most)
	if err == nil {
		err = json.Unmarshal(b, &i)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil // the model itself has the rest
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

// List are all of them, by name.
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

// Remove removes a model, and its vectors in the cache and in the user's own memory. If it was
// in use, the built-in vectors are used again.
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

// Tidy removes the vectors of models that no longer exist, in the cache and in the user's own
// memory: also if the model's file was deleted, or replaced under the same name. If a model
// cannot be read, its vectors cannot be recognized, and nothing is removed.
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

// gone removes a file, if it exists.
func gone(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Choose selects the model that applies if the setting embedding is "auto"; the empty choice is
// the built-in vectors.
func (s Store) Choose(c chosen.Choice) error {
	if err := os.MkdirAll(chosen.Dir(s.Data), 0o700); err != nil {
		return err
	}
	return statefile.Update(chosen.File(s.Data), lockWait, func([]byte) ([]byte, error) {
		b, err := json.MarshalIndent(c, "", "  ")
		return append(b, '\n'), err
	})
}

// Local is the word that selects a model on this machine.
const Local = "local"
