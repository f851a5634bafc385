package server

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/room"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What is deleted in a room, changed there, or goes with its author or its room, is at once in no
// file of the service that still runs: neither in the database nor in the log beside it.
// BM-SHR-23.
func TestWhatLeavesARoomIsInNoFileOfTheService(t *testing.T) {
	t.Parallel()
	const text = "the vault inspector is wimblethorp"
	for name, leave := range map[string]func(*testing.T, *Store, peer){
		"deleted":          func(t *testing.T, _ *Store, c peer) { c.push(room.Item{ID: "log-1", Version: 2, Deleted: true}) },
		"changed":          func(t *testing.T, _ *Store, c peer) { c.push(fact("log-1", 2, "somebody else inspects it")) },
		"author dismissed": func(t *testing.T, s *Store, _ peer) { must.Do(t, s.Dismiss(t.Context(), "app", "ada", true)) },
		"room dropped":     func(t *testing.T, s *Store, _ peer) { must.Do(t, s.DropRoom(t.Context(), "app")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			place := filepath.Join(t.TempDir(), "serve.sqlite")
			s, out := crew(t, place, "ada member")
			out[0].push(fact("log-1", 1, text))
			if !stands(t, place, text) {
				t.Fatal("what was shared is in no file: this proves nothing")
			}
			leave(t, s, out[0])
			if stands(t, place, text) {
				t.Error("it still stands in a file of the service")
			}
		})
	}
}

// stands reports whether a file of a database has a text.
func stands(t *testing.T, place, text string) bool {
	t.Helper()
	for _, file := range []string{place, place + "-wal"} {
		b, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

// What the room removes is on nobody's machine any more: not in a page that shows it, nor in the
// last answer of a session.
// BM-SHR-23.
func TestWhatTheRoomRemovesIsInNoPageOrAnswer(t *testing.T) {
	t.Parallel()
	_, out := crew(t, filepath.Join(t.TempDir(), "serve.sqlite"), "ada member", "ben member")
	ada, ben := newHome(t, out[0].url, out[0].key), newHome(t, out[1].url, out[1].key)
	id := ada.save(t, "W", "The vault inspector is wimblethorp")
	ada.synced(t)
	ben.synced(t)
	page, answer := filepath.Join(ben.dir, "cache", "memory", "view-1.html"), filepath.Join(ben.dir, "state", "sessions", "s", "once-memory-load.json")
	for _, file := range []string{page, answer} {
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("wimblethorp"), 0o600)))
	}
	ada.delete(t, id)
	ada.synced(t)
	ben.synced(t)
	for _, file := range []string{page, answer} {
		if _, err := os.Lstat(file); err == nil {
			t.Errorf("%s still says it", file)
		}
	}
}
