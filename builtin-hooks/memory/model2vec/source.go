package model2vec

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// The files of a model.
const (
	Tensors   = "model.safetensors"
	Tokenizer = "tokenizer.json"
	Config    = "config.json"
)

// Their size limits.
const (
	tokenizerMax = 128 << 20
	configMax    = 1 << 20
	tensorsMax   = 8 << 30
)

// A Source is a model as it was published.
type Source struct {
	// Sums are the SHA-256 of its files, by name.
	Sums map[string]string

	file    *os.File
	tensors *tensors
	words   *vocabulary
	config  config
}

type config struct {
	Normalize *bool `json:"normalize"`
	SeqLength int   `json:"seq_length"`
}

// Close closes a source.
func (s *Source) Close() error { return s.file.Close() }

// folderOf is the folder of a model that the user names, and the one with its tensors: the
// same, or the static part of a sentence-transformers model.
func folderOf(path string) (dir, in string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", "", err
	}
	if !info.IsDir() {
		if strings.HasSuffix(path, ".safetensors") && filepath.Base(path) != Tensors {
			return "", "", fmt.Errorf("%q: want a file of the name %s beside its %s, or their folder", path, Tensors, Tokenizer)
		}
		if filepath.Base(path) != Tensors {
			return "", "", fmt.Errorf("%q is no model: want a folder with %s and %s", path, Tensors, Tokenizer)
		}
		path = filepath.Dir(path)
	}
	const nested = "0_StaticEmbedding"
	if _, err := os.Lstat(filepath.Join(path, Tensors)); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(filepath.Join(path, nested, Tensors)); err == nil {
			return path, filepath.Join(path, nested), nil
		}
	}
	return path, path, nil
}

// Open reads a model's description, and checks it.
func Open(path string) (s *Source, err error) {
	dir, in, err := folderOf(path)
	if err != nil {
		return nil, err
	}
	s = &Source{Sums: map[string]string{}}
	f, err := open(dir, filepath.Join(in, Tensors), tensorsMax)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Tensors, err)
	}
	s.file = f
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	if s.Sums[Tensors], err = sumOf(f); err != nil {
		return nil, fmt.Errorf("%s: %w", Tensors, err)
	}
	if s.tensors, err = readTensors(f); err != nil {
		return nil, fmt.Errorf("%s: %w", Tensors, err)
	}
	b, err := s.read(dir, filepath.Join(in, Tokenizer), tokenizerMax)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Tokenizer, err)
	}
	if s.words, err = readTokenizer(b); err != nil {
		return nil, fmt.Errorf("%s: %w", Tokenizer, err)
	}
	b, err = s.read(dir, filepath.Join(dir, Config), configMax)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil // a sentence-transformers model may have none
	}
	if err == nil {
		if err = json.Unmarshal(b, &s.config); err != nil {
			err = at(err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Config, err)
	}
	return s, nil
}

func (s *Source) read(dir, path string, most int64) ([]byte, error) {
	f, err := open(dir, path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most))
	sum := sha256.Sum256(b)
	s.Sums[filepath.Base(path)] = hex.EncodeToString(sum[:])
	return b, err
}

func sumOf(f *os.File) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	_, err := f.Seek(0, io.SeekStart)
	return hex.EncodeToString(h.Sum(nil)), err
}

// open opens a file in a model's folder. A link must stay inside, or lead to the blobs that the
// download library keeps beside its folders.
func open(dir, path string, most int64) (*os.File, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	home, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	blobs := filepath.Join(filepath.Dir(filepath.Dir(home)), "blobs")
	in := func(dir string) bool { return strings.HasPrefix(real, dir+string(filepath.Separator)) }
	if !in(home) && !(filepath.Base(filepath.Dir(home)) == "snapshots" && in(blobs)) {
		return nil, fmt.Errorf("it %w its folder, to %q: put a copy in its place", safefile.ErrOutside, real)
	}
	f, err := safefile.Open(real)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = safefile.Irregular(info.Mode())
	case info.Size() > most:
		err = fmt.Errorf("%d bytes, over the limit of %d", info.Size(), most)
	default:
		return f, nil
	}
	_ = f.Close()
	return nil, err
}
