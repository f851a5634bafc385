// Package chosen records which model the user chose for memory's vectors, with agents-hooks
// memory model use: a static one in the data directory, or one that runs on this machine. It is
// one small file of the user's, which applies if the setting embedding is "auto"; a project can
// neither write nor name it.
//
//	c, err := chosen.Read(data)
//	m, err := c.Open(data)            a static model
//	defer m.Close()
//	q.Other = chosen.Vectors(m, query)
package chosen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Choice is a model; if both parts are empty, the built-in vectors.
type Choice struct {
	Name string `json:"name"` // a static model's
	// URL and Model say which model that runs on this machine.
	URL   string `json:"url"`
	Model string `json:"model"`
}

// Dir is the folder of models in the data directory.
func Dir(data string) string { return filepath.Join(data, "memory-models") }

// File is the file of a choice.
func File(data string) string { return filepath.Join(Dir(data), "chosen.json") }

// Ext is the extension of models.
const Ext = ".model"

// Path is the file of a static model.
func Path(data, name string) string { return filepath.Join(Dir(data), name+Ext) }

// IsName reports whether a model can have this name, which becomes a file's.
func IsName(name string) bool {
	if len(name) == 0 || len(name) > 64 || name[0] == '.' || name[0] == '-' {
		return false
	}
	for _, r := range name {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", r) {
			return false
		}
	}
	return true
}

// Read is the user's choice: empty if none was made.
func Read(data string) (c Choice, err error) {
	if data == "" {
		return c, nil
	}
	const most = 4 << 10
	b, err := safefile.Read(File(data), most)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	var o protocol.Object
	if err == nil {
		o, err = protocol.ParseObject(b)
	}
	c = Choice{o.Text("name"), o.Text("url"), o.Text("model")}
	if err == nil && c.Name != "" && !IsName(c.Name) {
		err = fmt.Errorf("no model can be called %q", c.Name)
	}
	if err != nil {
		return Choice{}, fmt.Errorf("reading which model was chosen: %s: %w", File(data), err)
	}
	return c, nil
}

// Open opens the static model of a choice; nil if it is not one.
func (c Choice) Open(data string) (*static.Model, error) {
	if c.Name == "" {
		return nil, nil
	}
	m, err := static.Open(Path(data, c.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the model %q is not there any more: %w", c.Name, err)
	}
	return m, err
}

// KeptName is the file name of a static model's vectors, beside a snapshot.
func KeptName(id string) string { return "agents-index" + KeptExt(id) }

// KeptExt is the extension of such a file, in any folder.
func KeptExt(id string) string { return ".m" + id }

// EndpointKept is the file name of an endpoint's vectors.
const EndpointKept = "agents-index.vectors"

// Kept is the path of such a file for a folder: in the cache if there is one, else where the
// folder's derived files are; "" if it has no place.
func Kept(at search.Folder, name string) string {
	file, beside := at.Derived(name)
	if _, err := os.Stat(beside); err == nil {
		return beside
	}
	return file
}

// Rest is how long an endpoint is not used after it failed or was late ([Late]), and SlowRest
// how long prompts do not use one that did not answer within PromptWait ([Slow]). PromptWait is
// all the time that a prompt waits for one: at most 30 ms, with the process that asks it.
const (
	Rest       = time.Minute
	SlowRest   = 10 * time.Minute
	PromptWait = 15 * time.Millisecond
)

// Late is the file, beside an endpoint's vectors, which records that it was late or failed.
func Late(file string) string { return file + ".late" }

// Slow is the file which records that it was too late for a prompt.
func Slow(file string) string { return file + ".slow" }

// Mark makes such a file, or says of the one that is there that it is of now. What stands in its
// place is not waited for: a pipe nobody reads from would be.
func Mark(file string) error {
	now := time.Now()
	if err := os.Chtimes(file, now, now); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// Resting reports whether an endpoint is not used for now: at all, or by prompts.
func Resting(file string, prompt bool) bool {
	return young(Late(file), Rest) || prompt && young(Slow(file), SlowRest)
}

func young(file string, age time.Duration) bool {
	info, err := os.Stat(file)
	return err == nil && time.Since(info.ModTime()) < age
}

// Ready reports whether an endpoint is worth a prompt's time: it has made vectors, and was in
// time when it was last asked.
func Ready(file string) bool {
	_, err := os.Stat(file)
	return err == nil && !Resting(file, true)
}

// Vectors are what a query is compared with in each folder: nil if the model's vectors are not
// stored yet.
func Vectors(m *static.Model, query string) func(search.Folder) *search.Vectors {
	v := m.Vector(query)
	return func(at search.Folder) *search.Vectors {
		if v == nil {
			return nil
		}
		kept := search.OpenKept(Kept(at, KeptName(m.ID)), m.ID)
		if kept == nil || kept.Dims() != len(v) {
			kept.Close()
			return nil
		}
		return &search.Vectors{Query: v, Kept: kept, Make: m.Vector}
	}
}
