package bring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// staging begins the names of folders in which new hooks are made before they get their own names.
// Such a folder that is left over comes from an import that was killed.
const staging = ".import-"

// Carry makes a plan and carries it out under a lock: of two at once, the second one finds what the
// first has made.
func Carry(h host.Host, o Options, agreed func(*Plan) error) (*Plan, error) {
	release, err := statefile.Hold(filepath.Join(h.State, "import"), 30*time.Second)
	if err != nil {
		if errors.Is(err, statefile.ErrLocked) {
			err = fmt.Errorf("waiting for another import: %w", err)
		}
		return nil, err
	}
	defer release()
	p, err := Make(h, o)
	if err != nil {
		return nil, err
	}
	if err := agreed(p); err != nil {
		return nil, err
	}
	for _, f := range p.folders {
		f.sweep()
	}
	for _, j := range p.jobs {
		if err := j.write(p.finder.files(j.hook)); err != nil {
			p.failed(j, err)
		}
	}
	return p, nil
}

// failed marks the entries of a folder that could not be written.
func (p *Plan) failed(j job, err error) {
	why := beneath.Why(err)
	p.Problems = append(p.Problems, Problem{File: j.dir, Message: "not written: " + why, Fix: "agents-hooks import, once that is fixed"})
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Folder == j.dir && r.Result != NotBrought {
			r.Result, r.State, r.Name, r.Folder, r.Reason = NotBrought, None, "", "", "it could not be written: "+why
		}
	}
}

// sweep removes what a killed import left in a hooks folder. What cannot be removed does no harm:
// it is not a hook.
func (f folder) sweep() {
	list, _ := f.in.List(f.dir)
	for _, e := range list {
		if strings.HasPrefix(e.Name(), staging) {
			_ = f.in.RemoveAll(filepath.Join(f.dir, e.Name()))
		}
	}
}

// write makes the folder, completely or not at all: it gets its name when it is complete. In an
// existing folder, the HOOK.md is replaced last, atomically.
func (j job) write(files []file) (err error) {
	up := filepath.Dir(j.dir)
	if err := j.in.MkdirAll(up, 0o755); err != nil {
		return err
	}
	stage := filepath.Join(up, staging+fmt.Sprint(os.Getpid()))
	if err := j.in.Mkdir(stage, 0o755); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.in.RemoveAll(stage)) }()
	made := filepath.Join(stage, filepath.Base(j.dir))
	for _, file := range files {
		path := filepath.Join(made, filepath.FromSlash(file.name))
		if err := j.in.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := j.in.Write(path, []byte(file.content), 0o644); err != nil {
			return err
		}
	}
	if j.fresh {
		if _, err := j.in.Lstat(j.dir); err == nil {
			return fs.ErrExist
		}
		return j.in.Rename(made, j.dir)
	}
	for i := len(files) - 1; i >= 0; i-- {
		name := filepath.FromSlash(files[i].name)
		to := filepath.Join(j.dir, name)
		if err := j.in.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := j.in.Rename(filepath.Join(made, name), to); err != nil {
			return err
		}
	}
	return nil
}
