package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A log is how much of the file is known.
type log struct {
	size   int64     // bytes that were read, in whole lines
	sum    uint32    // their checksum
	stamp  time.Time // of the file then
	whole  int64     // its size then
	made   bool      // all of it was read line by line
	staged entry     // for the change being made
}

// table is made once something is read: at the start of each command it would take 0.15 ms.
func table() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// first is the first line of a file.
const first = `{"format":1}`

// forget drops everything known: it is read again when needed.
func (s *Store) forget() { s.known, s.log, s.broken = known{}, log{}, nil }

// refresh reads what others wrote. If the beginning of the file has changed, it is read
// from there: somebody removed lines.
func (s *Store) refresh() error {
	info, err := os.Stat(s.path)
	if err == nil && s.genes != nil && info.Size() == s.whole && info.ModTime().Equal(s.stamp) {
		return nil
	}
	b, err := statefile.Read(s.path)
	if err != nil {
		return err
	}
	end := bytes.LastIndexByte(b, '\n') + 1
	if rest := string(b[end:]); end == 0 && !strings.HasPrefix(first, rest) {
		return &Damaged{s.path, errors.New("it has no line that is one of ours")}
	}
	if s.genes == nil || int64(end) < s.size || crc32.Checksum(b[:s.size], table()) != s.sum {
		s.forget()
		if err := s.recall(b[:end]); err != nil {
			return err
		}
	}
	anew, from := s.made, s.size
	if err := s.follow(b[:end]); err != nil {
		s.forget()
		return err
	}
	if info != nil && int64(len(b)) == info.Size() {
		s.whole, s.stamp = info.Size(), info.ModTime()
	}
	if anew || s.size-from > indexEvery {
		s.keepIndex()
		s.made = false
	}
	return nil
}

// recall starts from the index of the file's beginning, or from nothing.
func (s *Store) recall(b []byte) (err error) {
	if k, size, sum, ok := readIndex(s.path + ".index"); ok && size <= int64(len(b)) && crc32.Checksum(b[:size], table()) == sum {
		s.known, s.size, s.sum = k, size, sum
		return nil
	}
	s.known, err = begin()
	s.made = true
	return err
}

// follow applies the lines after what is known.
func (s *Store) follow(b []byte) error {
	good := s.size > 0
	for raw := range bytes.Lines(b[s.size:]) {
		e, err := parse(raw)
		switch {
		case err != nil:
			s.broken = append(s.broken, strings.TrimSuffix(string(raw), "\n"))
			continue
		case max(e.Format, e.Needs) > format:
			return &Newer{s.path, max(e.Format, e.Needs), format}
		}
		good = true
		s.apply(&e)
	}
	if !good && len(b) > 0 {
		return &Damaged{s.path, errors.New("none of its lines is one of ours")}
	}
	s.sum = crc32.Update(s.sum, table(), b[s.size:])
	s.size = int64(len(b))
	return nil
}

func parse(raw []byte) (e entry, err error) {
	if err = json.Unmarshal(raw, &e); err != nil {
		var head struct{ Format, Needs int }
		if json.Unmarshal(raw, &head) == nil && max(head.Format, head.Needs) > format {
			return entry{Needs: max(head.Format, head.Needs)}, nil
		}
		return e, err
	}
	for _, g := range e.Genes {
		if g.Gene.ID == "" {
			return e, errors.New("a gene without an id")
		}
	}
	for _, o := range e.Outcomes {
		if o.ID == "" {
			return e, errors.New("an outcome without an id")
		}
	}
	return e, nil
}

// commit appends what was staged. The caller holds the lock, and has read the whole
// file.
func (s *Store) commit() error {
	if s.size == 0 {
		if err := s.append([]byte(first), true); err != nil {
			return err
		}
	}
	if s.staged.empty() {
		return nil
	}
	line, err := json.Marshal(&s.staged)
	if err != nil {
		return err
	}
	return s.append(line, s.staged.durable())
}

func (s *Store) append(line []byte, durable bool) error {
	do := statefile.AppendHeld
	if durable {
		do = statefile.AppendDurableHeld
	}
	if err := do(s.path, line); err != nil {
		return err
	}
	s.sum = crc32.Update(crc32.Update(s.sum, table(), line), table(), []byte("\n"))
	s.size += int64(len(line)) + 1
	if info, err := os.Stat(s.path); err == nil && info.Size() == s.size {
		s.whole, s.stamp = s.size, info.ModTime()
	}
	return nil
}

// setAside moves the lines that cannot be read to a separate file.
func (s *Store) setAside(ctx context.Context) error {
	release, err := statefile.Hold(s.path, within(ctx))
	if err != nil {
		return err
	}
	defer release()
	s.forget() // another process may have been faster
	if err := s.refresh(); err != nil || len(s.broken) == 0 {
		return err
	}
	if _, err := statefile.Keep(s.path, time.Now(), []byte(strings.Join(s.broken, "\n")+"\n")); err != nil {
		return err
	}
	return s.rewrite(func(line []byte) ([]byte, error) {
		if _, err := parse(line); err != nil {
			return nil, nil
		}
		return line, nil
	})
}

// rewrite replaces the file with what change makes of each line; nil removes a line.
// The caller holds the lock.
func (s *Store) rewrite(change func(line []byte) ([]byte, error)) error {
	b, err := statefile.Read(s.path)
	if err != nil {
		return err
	}
	var out []byte
	for raw := range bytes.Lines(b) {
		if !bytes.HasSuffix(raw, []byte("\n")) {
			break
		}
		line, err := change(bytes.TrimSuffix(raw, []byte("\n")))
		if err != nil {
			return err
		}
		if line != nil {
			out = append(append(out, line...), '\n')
		}
	}
	if err := statefile.ReplaceHeld(s.path, true, out); err != nil {
		return err
	}
	s.forget()
	return s.refresh()
}

// erase removes the texts of deleted genes, and of replaced ones, from the file.
// Members that only a newer program knows stay.
func (s *Store) erase() error {
	last, n := map[string]int{}, 0
	b, err := statefile.Read(s.path)
	if err != nil {
		return err
	}
	for raw := range bytes.Lines(b) {
		if e, err := parse(raw); err == nil {
			for _, g := range e.Genes {
				last[g.Gene.ID] = n
				n++
			}
		}
	}
	n = 0
	return s.rewrite(func(line []byte) ([]byte, error) {
		e, err := parse(line)
		if err != nil || len(e.Genes) == 0 {
			return line, nil // unreadable lines are for setAside
		}
		var members map[string]json.RawMessage
		var genes []json.RawMessage
		if err := errors.Join(json.Unmarshal(line, &members), json.Unmarshal(members["genes"], &genes)); err != nil {
			return nil, fmt.Errorf("taking genes out: %w", err)
		}
		left := slices.Clone(genes[:0])
		for i, g := range e.Genes {
			if last[g.Gene.ID] == n && s.gene(g.Gene.ID) != nil {
				left = append(left, genes[i])
			}
			n++
		}
		if len(left) == len(genes) {
			return line, nil
		}
		if delete(members, "genes"); len(left) > 0 {
			members["genes"], err = json.Marshal(left)
		}
		if len(members) == 0 || err != nil {
			return nil, err
		}
		return json.Marshal(members)
	})
}
