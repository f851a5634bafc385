package runner

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// stateMost is how much of a file of a session's state is read: no more is ever written.
const stateMost = 1 << 20

// A Session is the state of one session of an agent: how often it was made to go on,
// which notices were shown, which Task calls it made. It is one small file, changed
// under a lock, so that two windows on one session count correctly. It is read and
// written only when a method needs it.
//
// A failure to record is not an error: [Session.Warnings] reports it, and the methods
// document how they decide without state. All methods work on a nil Session, which has
// no state.
type Session struct {
	state, agent, id string
	path             string // "" if nothing can be remembered
	warnings         []Warning
}

// OpenSession returns the session of an agent. It touches no file. Without an id or a
// state directory, the session has no state.
func OpenSession(stateDir, agent, id string) *Session {
	s := &Session{state: stateDir, agent: cmp.Or(agent, "spec"), id: id}
	if stateDir != "" && id != "" {
		s.path = filepath.Join(SessionDir(stateDir, id), safeName(s.agent)+".json")
	}
	return s
}

// Roots returns where a session was, the place where it began first, as recorded by
// [KeepRoots]. It does not depend on the agent, since everything that runs within a
// session belongs to it, whichever form it uses.
func Roots(stateDir, id string) (list []discovery.Root) {
	if stateDir == "" || id == "" {
		return nil
	}
	b, err := safefile.Read(rootsFile(stateDir, id), stateMost)
	if err != nil {
		return nil
	}
	o, _ := protocol.ParseObject(b)
	for _, e := range protocol.ElementsOf(o.Get("roots")) {
		r := protocol.ObjectOf(e)
		list = append(list, discovery.Root{Dir: r.Text("root"), Project: r.Text("project")})
	}
	return list
}

// KeepRoots records where a session was; it does nothing for an empty list.
func KeepRoots(stateDir, id string, list []discovery.Root) error {
	if stateDir == "" || id == "" {
		return nil
	}
	var roots [][]byte
	for _, r := range list {
		var o protocol.Object
		o.SetText("root", r.Dir)
		o.SetText("project", r.Project)
		roots = append(roots, o.Raw())
	}
	b := append([]byte(`{"schema": 1, "roots": [`), bytes.Join(roots, []byte(", "))...)
	return statefile.Update(rootsFile(stateDir, id), lockWait, func([]byte) ([]byte, error) { return append(b, "]}\n"...), nil })
}

func rootsFile(stateDir, id string) string { return filepath.Join(SessionDir(stateDir, id), "roots") }

// Kept reports whether there is any state, without reading it.
func (s *Session) Kept() bool {
	_, err := os.Lstat(s.path)
	return err == nil
}

// An owed block is one that its event could not carry in this agent: it is given
// at the next event of the session that can.
type owed struct {
	at           protocol.EventType // which event a hook blocked
	hook, reason string
}

// carries reports whether an event can give the block that another one could not carry:
// the first prompt one of the session's start, the first tool call one of the start or
// of a prompt.
func carries(ev *protocol.Event, at protocol.EventType) bool {
	switch ev.Type {
	case protocol.PreAgentTurn:
		return at == protocol.PreSession && ev.Can.Has(protocol.CanBlock)
	case protocol.PreToolCall:
		return (at == protocol.PreSession || at == protocol.PreAgentTurn) && ev.Can.Has(protocol.CanBlock)
	}
	return false
}

// maxOwed bounds the reason of a block that is kept.
const maxOwed = 16 << 10

func (s *Session) owedFile() string { return strings.TrimSuffix(s.path, ".json") + ".owed" }

// owe keeps what was decided about an event that cannot carry a block: the block or,
// without a reason, that there is none. It replaces what was kept about such an event
// before.
func (s *Session) owe(o owed) bool {
	if s == nil || s.path == "" {
		return false
	}
	path := s.owedFile()
	if _, err := os.Lstat(path); err != nil && o.reason == "" {
		return true
	}
	err := statefile.Update(path, lockWait, func(old []byte) ([]byte, error) {
		kept, _ := protocol.ParseObject(old)
		if kept.Delete(string(o.at)); o.reason != "" {
			kept.Set(string(o.at), protocol.TextList([]string{o.hook, text.HeadBytes(o.reason, maxOwed)}))
		}
		if o.at == protocol.PreSession {
			kept.Delete(string(protocol.PreAgentTurn)) // a prompt of before
		}
		return kept.Raw(), nil
	})
	if err != nil {
		s.warn(err)
	}
	return err == nil
}

// owing are the blocks that an event gives for events that could not carry them, each
// once. Two events that ask at the same moment may both be given one: better twice than
// never. But a block that cannot be deleted would block for ever, and is not given.
func (s *Session) owing(ev *protocol.Event) (list []owed) {
	if s == nil || s.path == "" || !carries(ev, protocol.PreSession) {
		return nil
	}
	path := s.owedFile()
	b, err := safefile.Read(path, stateMost)
	if err != nil {
		return nil
	}
	kept, _ := protocol.ParseObject(b)
	for _, m := range kept {
		pair := protocol.ElementsOf(m.Value)
		if at := protocol.EventType(m.Name); len(pair) == 2 && carries(ev, at) {
			list = append(list, owed{at, protocol.TextOf(pair[0]), protocol.TextOf(pair[1])})
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.warn(err)
		return nil
	}
	return list
}

// A Task is a call of the portable tool Task, stored for the subagent that it starts.
type Task struct{ SubagentType, Description, Prompt string }

// TaskOf returns the Task call of an event, if it has one.
func TaskOf(ev *protocol.Event) (Task, bool) {
	if ev.Type != protocol.PreToolCall || ev.Call == nil || ev.Call.Name != protocol.Task {
		return Task{}, false
	}
	in := ev.Call.Input
	return Task{in.Text("subagent_type"), in.Text("description"), in.Text("prompt")}, true
}

// Warnings reports what could not be recorded, each once.
func (s *Session) Warnings() []Warning {
	if s == nil {
		return nil
	}
	return s.warnings
}

func (s *Session) warn(err error) {
	if len(s.warnings) == 0 {
		s.warnings = append(s.warnings, Warning{Kind: "state", Text: "what happens in this session cannot be recorded: " + err.Error()})
	}
}

// dedupWindow is how long an answer stands for the same event.
const dedupWindow = 2 * time.Second

// Dedup finds out whether this event of this tool use was answered a moment ago, or is
// being answered right now: an agent that reads two configuration files with our entry
// in both calls us twice for one thing. The first caller runs the hooks, the second
// gets the same answer.
//
// On a hit, answer is what the first caller released. Otherwise the caller runs the
// hooks, and must call release: with its answer, or with nil if it has none to share. A
// second caller waits for the first until ctx is done. If the first died, or nothing
// can be recorded, everybody runs. Without a tool use id two events cannot be
// distinguished, so there is no hit. said is everything that the event says about the
// call: with the id alone, the answer to a harmless command could be reused for a later
// one.
//
// An answer is a file of the state directory until a call at least two seconds later
// deletes old ones: the next one that is the last of [sweepEvery].
func (s *Session) Dedup(ctx context.Context, event, toolUseID, said string) (answer []byte, release func(answer []byte), hit bool) {
	pass := func([]byte) {}
	if s == nil || s.path == "" || toolUseID == "" {
		return nil, pass, false
	}
	dir := filepath.Join(s.state, "dedup")
	path := filepath.Join(dir, longHash(s.agent, s.id, event, toolUseID, said))
	f, info, err := claim(ctx, path)
	if err != nil {
		if ctx.Err() == nil {
			s.warn(err)
		}
		return nil, pass, false
	}
	if answer, ok := kept(f, info); ok {
		f.Close()
		return answer, pass, true
	}
	sweep(dir, path, sweepEvery)
	return nil, func(answer []byte) {
		defer f.Close() // gives the claim back
		if answer != nil {
			// The mark before it tells an empty answer from none.
			_, err := f.WriteAt(append([]byte{'+'}, answer...), 0)
			if err != nil {
				f.Truncate(0)
				s.warn(err)
			}
		}
	}, false
}

// claim opens the file of an event and locks it, waiting for whoever has it.
func claim(ctx context.Context, path string) (*os.File, fs.FileInfo, error) {
	pause := time.Millisecond
	for {
		f, err := openClaim(path)
		if err != nil {
			return nil, nil, err
		}
		got, err := statefile.TryLock(f)
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		// Between opening and locking, the file may have been swept away.
		if info := stillAt(f, path); got && info != nil {
			return f, info, nil
		}
		f.Close()
		if got {
			continue
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(pause/2 + rand.N(pause)):
		}
		pause = min(2*pause, 10*time.Millisecond)
	}
}

func openClaim(path string) (*os.File, error) {
	const flags = os.O_RDWR | os.O_CREATE | atOnce
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		return os.OpenFile(path, flags, 0o600)
	}
	return f, err
}

// stillAt is what an open file is, nil if it does not lie at a path any more.
func stillAt(f *os.File, path string) fs.FileInfo {
	have, err := f.Stat()
	if err != nil {
		return nil
	}
	there, err := os.Stat(path)
	if err != nil || !os.SameFile(have, there) {
		return nil
	}
	return have
}

// kept is the answer in a claimed file, if there is one and it is fresh. What is
// there otherwise is cleared away.
func kept(f *os.File, info fs.FileInfo) ([]byte, bool) {
	if info.Size() == 0 {
		return nil, false
	}
	if age := time.Since(info.ModTime()); age <= dedupWindow && age > -dedupWindow {
		if b, err := io.ReadAll(f); err == nil && b[0] == '+' {
			return b[1:], true
		}
	}
	f.Truncate(0)
	return nil, false
}

// sweepEvery is how many answers make a call look for old ones. If each call looked at
// all answers of the last two seconds, a busy agent's calls would spend a tenth of their time
// on that, and 200 at once more.
const sweepEvery = 32

// sweep removes old answers, so that they do not pile up, if so many are there or a
// multiple of them. A file that is locked belongs to a dispatcher that still runs.
func sweep(dir, mine string, every int) {
	d, err := os.OpenFile(dir, os.O_RDONLY|atOnce, 0)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(128 * sweepEvery)
	if len(names)%every != 0 {
		return
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if path == mine {
			continue
		}
		info, err := os.Stat(path)
		if err != nil || time.Since(info.ModTime()) <= dedupWindow {
			continue
		}
		f, err := os.OpenFile(path, os.O_RDWR|atOnce, 0)
		if err != nil {
			continue
		}
		if got, err := statefile.TryLock(f); got && err == nil && stillAt(f, path) != nil {
			if runtime.GOOS == "windows" {
				f.Close() // an open file cannot be removed there, nor can one that was just claimed
			}
			os.Remove(path)
		}
		f.Close()
	}
}

// SessionDir is the directory of an agent session in the state directory. An id that is
// not a valid file name on every system is replaced by a hash.
func SessionDir(stateDir, id string) string {
	return filepath.Join(stateDir, "sessions", safeName(id))
}

// safeName is s if it can be the name of a file anywhere, else a hash of it.
// The two cannot be mistaken for each other: no plain name begins with "x-".
func safeName(s string) string {
	if plainName(s) {
		return s
	}
	return "x-" + shortHash(s)
}

func plainName(s string) bool {
	if s == "" || len(s) > 80 || len(s) >= 2 && s[:2] == "x-" {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-' && i > 0, c == '_':
		default:
			// Upper case too: two ids must not meet on a file system that folds case.
			return false
		}
	}
	return !deviceName(s)
}

// deviceName reports whether Windows takes a name for a device.
func deviceName(s string) bool {
	switch s {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (s[:3] == "com" || s[:3] == "lpt") && s[3] >= '0' && s[3] <= '9'
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// longHash tells any two lists of texts apart, whoever made them up.
func longHash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		io.WriteString(h, strconv.Itoa(len(p))+":"+p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
