package memory

import (
	"bytes"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// NotePurged remembers the lines of some entries as removed for good, by their hashes: a merge may
// bring them back from where they were not removed, and nobody is told of them then.
func (p Place) NotePurged(ids map[string]bool) error {
	p.EveryBranch = true
	var keys []ledger.Key
	for _, file := range append(p.FactFiles(), p.SummaryFiles()...) {
		b, err := p.Read(file)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(b) {
			if o, err := protocol.ParseObject(bytes.TrimSpace(line)); mayName(line, ids) && err == nil && ids[IDOf(o)] {
				keys = append(keys, ledger.LineKey(line))
			}
		}
	}
	return p.Ledger.Purge(keys)
}

// PurgePage replaces a file of MEMORY.md, and remembers what is gone from it as removed for good.
func (p Place) PurgePage(file string, change func(old []byte) ([]byte, error)) error {
	return p.ReplacePage(file, func(old []byte) ([]byte, error) {
		content, err := change(old)
		if err != nil || content == nil {
			return content, err
		}
		stay := map[ledger.Key]bool{}
		for _, k := range ledger.PageKeys(string(content)) {
			stay[k] = true
		}
		var gone []ledger.Key
		for _, piece := range ledger.Pieces(string(old)) {
			if !stay[piece.Key] && !bytes.Contains(content, []byte(piece.Text)) { // else it only stands below another one now
				gone = append(gone, piece.Key)
			}
		}
		return content, p.Ledger.Purge(gone)
	})
}

// InGit are the files of the folder that have some entries and that git tracks, or may track where
// its index cannot be read: its commits keep what is removed from them.
func (p Place) InGit(ids map[string]bool) (files []string) {
	p.EveryBranch, p.Waiting = true, true
	c := p.Checkout()
	if c.dir == "" || p.Within == nil {
		return nil
	}
	for _, file := range append(p.FactFiles(), p.SummaryFiles()...) {
		has := false
		_ = p.LinesOf(file, ids, func(protocol.Object, ledger.Whose) { has = true }) // whoever removes them reports it
		if tracked, known := c.tracks(p.inTree(c, file)); has && (tracked || !known && !strings.HasPrefix(file, ownDir+"/") && !strings.HasPrefix(file, localDir+"/")) {
			files = append(files, file)
		}
	}
	return files
}

// CameBack are the ids of entries that were removed for good, and stand in the folder again.
func (p Place) CameBack() (ids []string, err error) {
	p.EveryBranch = true
	for _, file := range append(p.FactFiles(), p.SummaryFiles()...) {
		b, bad := p.Read(file)
		if bad != nil {
			return ids, bad
		}
		for line := range bytes.Lines(b) {
			if p.Ledger.Purged(ledger.LineKey(line)) {
				if o, err := protocol.ParseObject(bytes.TrimSpace(line)); err == nil {
					ids = append(ids, IDOf(o))
				}
			}
		}
	}
	return ids, nil
}
