package ops

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/trace"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A purge changes many files, any of which may be read-only, on a full disk, or not reached before
// the process is killed. So it is noted before anything is removed, by ids and hashes, and the
// note goes when all is done: until then the same command, or the end of the next session, goes on.

// unfinished is the file of purges that are not done, "" if there is no state directory.
func (m Memory) unfinished() string {
	if m.world.State == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(m.Dir))
	return filepath.Join(m.world.State, "purges", hex.EncodeToString(sum[:16])+".json")
}

// Unfinished are the purges of this memory that were begun and are not done.
func (m Memory) Unfinished() ([]store.Removal, error) {
	file := m.unfinished()
	if file == "" {
		return nil, nil
	}
	b, err := statefile.Read(file)
	if err != nil {
		return nil, fmt.Errorf("reading which purges are not done: %w", err)
	}
	return parsePurges(b)
}

func parsePurges(b []byte) (list []store.Removal, err error) {
	if len(b) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("reading which purges are not done: %w", err)
	}
	return list, nil
}

// notePurge replaces the notes about some entries with one, nil: with none.
func (m Memory) notePurge(ids []string, r *store.Removal) error {
	file := m.unfinished()
	if file == "" {
		return nil
	}
	if _, err := os.Lstat(file); err != nil && r == nil {
		return nil
	}
	return statefile.UpdateDurable(file, 2*time.Second, func(old []byte) ([]byte, error) {
		list, err := parsePurges(old)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(was store.Removal) bool { return common(was.IDs, ids) })
		if r != nil {
			list = append(list, *r)
		}
		return json.Marshal(list)
	})
}

// common reports whether two lists have an id in common.
func common(a, b []string) bool {
	return slices.ContainsFunc(a, func(id string) bool { return slices.Contains(b, id) })
}

// begun is the purge of some entries that is not done, together with those that were begun with it;
// nil if there is none.
func (m Memory) begun(ids []string) (*store.Removal, error) {
	list, err := m.Unfinished()
	all := store.Removal{IDs: slices.Clone(ids)}
	found := false
	for _, was := range list {
		if common(was.IDs, ids) {
			found = true
			all.Said = all.Said.And(was.Said)
			all.IDs = slices.Compact(slices.Sorted(slices.Values(append(all.IDs, was.IDs...))))
		}
	}
	if !found {
		return nil, err
	}
	return &all, err
}

// purge removes entries for good, or goes on with that.
func (m Memory) purge(ids []string, team bool) (int, error) {
	begun, err := m.begun(ids)
	if err != nil {
		return 0, fmt.Errorf("nothing was removed: %w", err)
	}
	if begun != nil {
		ids = begun.IDs
	}
	r, err := m.Removal(ids, begun)
	gone := err != nil && errors.Is(err, store.ErrNoEntry)
	if err != nil && !gone {
		return 0, err
	}
	if !gone {
		if err := m.notePurge(ids, &r); err != nil {
			return 0, fmt.Errorf("nothing was removed, since it cannot be noted as begun: %w", err)
		}
	}
	ended, bad := m.endInRoom(ids, true, team)
	if bad != nil {
		return 0, errors.Join(bad, m.forgetNote(ids, gone || begun != nil))
	}
	if gone {
		return theRoomAlone(ended, 0, err)
	}
	n, err := m.Remove(r)
	if err = errors.Join(err, m.forgetTraces(r.Said)); err == nil {
		err = m.notePurge(ids, nil)
	}
	if err != nil {
		return n, fmt.Errorf("%w; the same command goes on with it, or the end of the next session", err)
	}
	return n, nil
}

// forgetNote takes back the note about a purge of which nothing is done, unless it stays.
func (m Memory) forgetNote(ids []string, stays bool) error {
	if stays {
		return nil
	}
	return m.notePurge(ids, nil)
}

// FinishPurges goes on with the purges that are not done.
func (m Memory) FinishPurges() error {
	list, err := m.Unfinished()
	for _, r := range list {
		_, bad := m.purge(r.IDs, false)
		err = errors.Join(err, bad)
	}
	return err
}

const (
	nearPurged  = 3   // memories about the same that a purge names
	nearClipped = 160 // characters of each
)

// Contents are what some facts say, to be asked before they are purged ([Memory.NearPurged]).
func (m Memory) Contents(ids []string) (said []string) {
	for _, id := range ids {
		if b, ok := m.Said(id); ok {
			said = append(said, b.Content)
		}
	}
	return said
}

// A Near is a memory about the same as what was purged.
type Near struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Time    string `json:"timestamp,omitempty"`
	User    bool   `json:"user,omitempty"` // in the user's memory for all projects: --user
}

// Left adds to the answer of a purge what may still say it: files that others than memory keep, and
// memories about the same.
func (m Memory) Left(ctx context.Context, answer map[string]any, said []string) {
	var hints []string
	if also := m.AlsoIn(said); len(also) > 0 {
		answer["also"] = also
		hints = append(hints, "the files in also say the same, in words that somebody wrote: take it out there")
	}
	if near := m.NearPurged(ctx, said); len(near) > 0 {
		answer["near"] = near
		hints = append(hints, "what is in near is about the same: purge or change it as well if it says it in other words")
	}
	if hints != nil {
		answer["hint"] = strings.Join(hints, "; ")
	}
}

// NearPurged are memories about the same as what was purged: whether one says it in other words,
// no program can tell.
func (m Memory) NearPurged(ctx context.Context, said []string) (near []Near) {
	for _, content := range said {
		found, _ := m.Search(ctx, m.Folders(false), search.Query{Text: content, Max: nearPurged, Method: search.Hybrid, Stages: true, Replaced: true, Now: m.Now}, QueryWait) // it is purged all the same
		for _, h := range found {
			same := func(n Near) bool { return n.ID == h.ID }
			if h.Weak || len(near) == nearPurged || slices.ContainsFunc(near, same) {
				continue
			}
			near = append(near, Near{h.ID, text.Clip(text.OneLine(search.Harmless(h.Content, h.Origin)), nearClipped), h.Timestamp, h.Scope == "user"})
		}
	}
	return append(near, m.summariesNear(said)...)
}

// summariesNear are summaries that somebody wrote and that say a piece of what was purged: a search
// finds facts.
func (m Memory) summariesNear(said []string) (near []Near) {
	pieces := trace.Of(said...).Pieces()
	list, _ := m.Summaries() // it is purged all the same
	for _, s := range list {
		all := strings.Join(slices.Concat([]string{s.Topic, s.Text}, s.Decisions, s.Todos), "\n")
		if !s.Auto && !s.Deleted && len(near) < nearPurged && pieces.Says(all) {
			near = append(near, Near{s.ID, text.Clip(text.OneLine(all), nearClipped), memory.Stamp(s.Time), false})
		}
	}
	return near
}
