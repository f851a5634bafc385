package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// installWait is how long an install waits for another one to finish.
const installWait = 10 * time.Second

// receiptsFile is the path of the receipts in the state directory, and the maximum
// size for readers that only look.
const (
	receiptsFile = "install.json"
	mostReceipts = 4 << 20
)

// Receipts record what install did to other programs' files, so that uninstall can
// restore every byte. They are in install.json in the state directory, with the
// original files in backup/ beside it, named by the hash of their content: never
// beside an agent's own files.
//
//	{"schema": 1, "files": {PATH: {"by", "before", "left", "dirs"}}}
type Receipts struct {
	Schema int                 `json:"schema"`
	Files  map[string]*receipt `json:"files"` // by the file itself, after following links

	dir     string
	project string   // that may have configurations, "" for the user's
	gone    []string // folders that were created for files that are now gone
}

// A receipt is about one file.
type receipt struct {
	// By are our entries in the file: agent, scope, project.
	By []string `json:"by"`

	// Before is the backup with the bytes before the first of them, "" if there was
	// no file. Left is the hash of our last change's result. While Left matches,
	// nobody else has touched the file, and Before is what to restore.
	Before string `json:"before"`
	Left   string `json:"left"`

	// Mixed says that the bytes before already had entries of ours, so that there is
	// nothing to restore.
	Mixed bool `json:"mixed,omitempty"`

	// Dirs are the folders that were created for the file, outermost first.
	Dirs []string `json:"dirs,omitempty"`
}

// hasEntries reports whether the user has an entry in any agent.
func hasEntries(stateDir string) bool {
	raw, err := safefile.Read(filepath.Join(stateDir, receiptsFile), mostReceipts)
	if err != nil {
		return false
	}
	r, err := parseReceipts(stateDir, "", raw)
	if err != nil {
		return false
	}
	for _, f := range r.Files {
		if slices.ContainsFunc(f.By, func(by string) bool { return strings.HasSuffix(by, " "+string(protocol.UserScope)) }) {
			return true
		}
	}
	return false
}

// WithReceipts reads the receipts, passes them to change, and writes the result, all
// under one lock, so that two installs at once do not interfere. If change fails,
// what it recorded until then is written all the same, because files were changed
// accordingly.
func WithReceipts(stateDir, project string, change func(r *Receipts) error) error {
	var failed error
	err := statefile.UpdateDurable(filepath.Join(stateDir, receiptsFile), installWait, func(old []byte) ([]byte, error) {
		r, err := keptReceipts(stateDir, project, old)
		if err != nil {
			return nil, err
		}
		failed = change(r)
		removeEmpty(r.gone, project)
		if len(r.Files) == 0 && old == nil {
			return nil, nil
		}
		b, err := json.MarshalIndent(r, "", "  ")
		return append(b, '\n'), err
	})
	return errors.Join(failed, err)
}

// PeekReceipts reads the receipts for a dry run: nothing is written, not even the
// lock, and unreadable ones count as none.
func PeekReceipts(stateDir, project string) (*Receipts, error) {
	b, err := statefile.Read(filepath.Join(stateDir, receiptsFile))
	if err != nil {
		return nil, err
	}
	r, err := parseReceipts(stateDir, project, b)
	if err != nil {
		return parseReceipts(stateDir, project, nil)
	}
	return r, nil
}

// keptReceipts reads the receipts, and moves an unreadable file aside: without
// receipts an uninstall still removes our entries, it only cannot restore the
// original bytes.
func keptReceipts(stateDir, project string, b []byte) (*Receipts, error) {
	r, err := parseReceipts(stateDir, project, b)
	if err == nil {
		return r, nil
	}
	if _, err := statefile.Keep(filepath.Join(stateDir, receiptsFile), time.Now(), b); err != nil {
		return nil, err
	}
	return parseReceipts(stateDir, project, nil)
}

// parseReceipts parses the file's content, nil for none.
func parseReceipts(stateDir, project string, b []byte) (*Receipts, error) {
	r := &Receipts{Schema: 1, Files: map[string]*receipt{}, dir: stateDir, project: project}
	if b == nil {
		return r, nil
	}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, err
	}
	if r.Schema != 1 || r.Files == nil {
		return nil, fmt.Errorf("the receipts are of another version: %d", r.Schema)
	}
	for path, rec := range r.Files {
		if rec == nil || filepath.Base(rec.Before) != rec.Before && rec.Before != "" {
			delete(r.Files, path)
		}
	}
	return r, nil
}

// untouched reports whether only we have changed a file since our last change to it.
func (r *Receipts) untouched(f ConfigFile) bool {
	rec := r.Files[f.Real]
	return rec != nil && rec.Left == hashOf(f.Content)
}

// Others reports whether an entry other than by also needs a file.
func (r *Receipts) Others(f ConfigFile, by string) bool {
	rec := r.Files[f.Real]
	return rec != nil && slices.ContainsFunc(rec.By, func(other string) bool { return other != by })
}

// Share records one more entry that needs a file which is already correct.
func (r *Receipts) Share(path, by string) error {
	f, err := OpenConfig(path, r.project)
	if err != nil {
		return err
	}
	rec := r.Files[f.Real]
	if rec == nil {
		rec = &receipt{Mixed: true, Left: hashOf(f.Content)}
		r.Files[f.Real] = rec
	}
	if !slices.Contains(rec.By, by) {
		rec.By = append(rec.By, by)
	}
	return nil
}

func (rec *receipt) clone() *receipt {
	if rec == nil {
		return nil
	}
	c := *rec
	c.By, c.Dirs = slices.Clone(rec.By), slices.Clone(rec.Dirs)
	return &c
}

// By names an entry of ours in a receipt.
func By(d *protocol.Dialect, s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return fmt.Sprintf("%s %s %s", d.ID, s.Scope, s.Project)
	}
	return fmt.Sprintf("%s %s", d.ID, s.Scope)
}

// Forsake removes the copy of the programs once no entry names it any more: neither
// one in a receipt, nor an existing one. left are running programs, which Windows
// does not remove.
func Forsake(h host.Host, project string) (left []string) {
	if r, err := PeekReceipts(h.State, ""); err != nil || len(r.Files) > 0 || len(Entries(h, project)) > 0 {
		return nil
	}
	left, _ = keep.Remove(h)
	return left
}

// ProjectsWithEntries are the projects with entries in receipts.
func ProjectsWithEntries(stateDir string) (projects []string) {
	r, err := PeekReceipts(stateDir, "")
	if err != nil {
		return nil
	}
	for _, rec := range r.Files {
		for _, by := range rec.By {
			words := strings.SplitN(by, " ", 3) // as By writes them
			if len(words) == 3 && words[1] == string(protocol.ProjectScope) && !slices.Contains(projects, words[2]) {
				projects = append(projects, words[2])
			}
		}
	}
	slices.Sort(projects)
	return projects
}
