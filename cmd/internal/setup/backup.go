package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// save stores a content in backup/ and returns its name there. A content that is
// already there is not written again.
func (r *Receipts) save(f ConfigFile) (string, error) {
	if f.Content == nil {
		return "", nil
	}
	name := hashOf(f.Content)[:16] + "-" + filepath.Base(f.Real)
	path := r.backupPath(name)
	err := statefile.UpdateDurable(path, installWait, func([]byte) ([]byte, error) { return f.Content, nil })
	if err != nil {
		return "", fmt.Errorf("backup of %s: %w", f.Real, err)
	}
	// A lock for a file that is written once and under another lock.
	os.Remove(path + ".lock")
	return name, nil
}

func (r *Receipts) backupPath(name string) string { return filepath.Join(r.dir, "backup", name) }

// before is the content to restore, nil for no file.
func (r *Receipts) before(rec *receipt) ([]byte, error) {
	if rec.Before == "" {
		return nil, nil
	}
	b, err := os.ReadFile(r.backupPath(rec.Before))
	if err != nil {
		return nil, err
	}
	if b == nil {
		b = []byte{}
	}
	if hashOf(b)[:16] != rec.Before[:min(16, len(rec.Before))] {
		return nil, fmt.Errorf("the backup %s was changed", r.backupPath(rec.Before))
	}
	return b, nil
}

// forget removes a backup that has the same content as the file again, which may
// include secrets, unless another receipt needs it.
func (r *Receipts) forget(name string) {
	for _, rec := range r.Files {
		if rec.Before == name {
			return
		}
	}
	if name != "" {
		os.Remove(r.backupPath(name))
	}
}

// hashOf is the SHA-256 of a content; a missing file has a hash of its own.
func hashOf(b []byte) string {
	if b == nil {
		return "absent"
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
